"""From the public catalogues to the files of the static encoder."""

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.adapters.encoders.static import CODES, SCALES
from app.adapters.encoders.wordpiece import WordPiece
from app.domain.ranking.meaning import quantised
from bench.measure.overlap import TextVectors
from bench.training.catalogues import CataloguedTool
from bench.training.pairs import PairKind, TextPair, common_pairs, tool_pairs
from bench.training.steps import TokenPairs
from bench.training.teacher import first_rows, numbers_of, principal_directions, short_texts
from bench.training.token_table import Rows
from bench.training.training import Taught, TrainingRecipe, train


@dataclass(frozen=True, slots=True)
class MadeTable:
    """What was written."""

    tools: int
    pairs: Mapping[str, int]
    """By kind."""
    taught: int
    """Texts whose vectors it was drawn towards."""
    dimensions: int
    files: Mapping[str, tuple[int, str]]
    """Name -> bytes and SHA-256."""
    seconds: float
    """Of processor time."""


def make_table(
    tools: Sequence[CataloguedTool],
    tokenizer: WordPiece,
    encode: TextVectors,
    out: Path,
    *,
    recipe: TrainingRecipe,
    seed: int,
    say: Callable[[str], None] = lambda _: None,
) -> MadeTable:
    """Train a table and write its files; equal inputs and seeds give equal bytes on one machine.

    Args:
        tools: `catalogues.training_tools`.
        tokenizer: Whose tokens the table has.
        encode: The encoder that it is drawn towards.
        out: A folder, made where it is not there.
        recipe: How long, and how.
        seed: Of everything that is drawn by lot.
        say: Called with what is done, now and then.
    """
    begin = time.process_time()
    words = tokenizer.tokens
    kept = np.array([_says_something(word) for word in words])
    pairs = [*tool_pairs(tools), *common_pairs()]
    taught = _taught(
        [*(tool.text for tool in tools), *short_texts(pairs, seed=seed)], tokenizer, kept, encode
    )
    say(f"{len(tools)} tools, {len(pairs)} pairs, {len(taught.texts)} known vectors")
    directions = principal_directions(taught.vectors, recipe.dimensions)
    projected = Taught(taught.texts, _of_length_1(taught.vectors @ directions))
    alone = encode([word.removeprefix("##") if word.isascii() else "" for word in words]) @ directions
    rows = first_rows(alone, kept, taught.texts)
    owners: dict[str, int] = {}
    by_kind = {kind: _token_pairs(pairs, kind, owners, tokenizer, kept) for kind in PairKind}

    def told(step: int, loss: float, cosine: float) -> None:
        if step % 25 == 0:
            say(f"step {step}: loss {loss:.3f}, cosine {cosine:.3f}")

    rows = train(rows, by_kind, projected, recipe, seed=seed, say=told)
    return MadeTable(
        tools=len(tools),
        pairs={kind.value: len(some.asked) for kind, some in by_kind.items()},
        taught=len(taught.texts),
        dimensions=recipe.dimensions,
        files=_written(rows, kept, out),
        seconds=time.process_time() - begin,
    )


def _says_something(token: str) -> bool:
    """Whether a token has a letter or a digit, and is no mark of the tokenizer's own, such as [PAD]."""
    return any(character.isalnum() for character in token) and not token.startswith("[")


def _taught(
    texts: Sequence[str], tokenizer: WordPiece, kept: npt.NDArray[np.bool_], encode: TextVectors
) -> Taught:
    numbers = numbers_of(texts, tokenizer, kept)
    places = [at for at, some in enumerate(numbers) if some.size]
    return Taught([numbers[at] for at in places], encode(texts)[places])


def _token_pairs(
    pairs: Sequence[TextPair],
    kind: PairKind,
    owners: dict[str, int],
    tokenizer: WordPiece,
    kept: npt.NDArray[np.bool_],
) -> TokenPairs:
    some = [pair for pair in pairs if pair.kind is kind]
    asked = numbers_of([pair.asked for pair in some], tokenizer, kept)
    told = numbers_of([pair.told for pair in some], tokenizer, kept)
    places = [at for at in range(len(some)) if asked[at].size and told[at].size]
    numbers = [owners.setdefault(some[at].owner, len(owners)) for at in places]
    return TokenPairs([asked[at] for at in places], [told[at] for at in places], np.array(numbers, np.int64))


def _written(rows: Rows, kept: npt.NDArray[np.bool_], out: Path) -> dict[str, tuple[int, str]]:
    codes, scales = quantised(rows)
    scales[~kept] = 0
    codes[~kept] = 0
    out.mkdir(parents=True, exist_ok=True)
    found = {}
    for name, values in ((CODES, codes), (SCALES, scales)):
        np.save(out / name, values, allow_pickle=False)
        data = (out / name).read_bytes()
        found[name] = (len(data), hashlib.sha256(data).hexdigest())
    return found


def _of_length_1(rows: Rows) -> Rows:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)
