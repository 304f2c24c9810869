"""Whether what ships was written with a benchmark in sight: texts that say the same, word for word or in meaning."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from app.errors import InvalidInputError
from bench.sets.datasets import bench_set
from bench.sets.goals import read_goals
from bench.sets.sets import FULL, LONG, SAMPLES
from ingest.sources.taxonomy.common import common_items

RUN = 5
"""Words in a row that two texts may not share."""
MOST_ALIKE = 0.85
"""The largest cosine that two texts may have."""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_LATIN = re.compile(r"[a-zA-Z]")
_LEAST_LATIN = 0.5
"""Share of a text's characters: the encoder tells texts in other letters apart by little but their length."""
_COMPARED_CHARS = 500
"""Longer requests are compared by their words alone: their vector is of their beginning."""

TextVectors: TypeAlias = Callable[[Sequence[str]], npt.NDArray[np.float32]]
"""Texts -> (texts, dimensions), each row of length 1."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two texts that are too much alike."""

    method: str
    """Whose text it is."""
    text: str
    set: str
    request: str
    run: str
    """The first words in a row that both have; empty where it is the cosine."""
    cosine: float
    """0 where it is the words."""


@dataclass(frozen=True, slots=True)
class SetOverlap:
    """The texts that ship against the requests of one set."""

    set: str
    requests: int
    found: tuple[Overlap, ...]
    closest: float
    """Largest cosine of any two."""


def shipped_texts() -> list[tuple[str, str]]:
    """The descriptions and requests of the common taxonomy, in all its languages, each with its method."""
    return [(item.id, text) for item in common_items().values() for text in (item.description, *item.said)]


def set_requests(data: Path) -> dict[str, list[str]]:
    """The requests of every set that is there, each text in the first set that has it.

    Raises:
        InvalidInputError: the folder has none of the sets.
    """
    found: defaultdict[str, list[str]] = defaultdict(list)
    seen: set[str] = set()
    for name, texts in _read(data):
        for text in texts:
            if text not in seen:
                seen.add(text)
                found[name].append(text)
    if not found:
        raise InvalidInputError(
            f"--data {data}: no set with requests; accepted: the folder with the public sets"
        )
    return dict(found)


def measure_overlap(
    texts: Sequence[tuple[str, str]], requests: Mapping[str, Sequence[str]], encode: TextVectors
) -> list[SetOverlap]:
    """Each set: pairs with `RUN` words in a row in common, or a cosine above `MOST_ALIKE`.

    Cosines are of texts in Latin letters, which the encoder was trained on.
    """
    runs = [(method, text, set(runs_of(text))) for method, text in texts]
    latin = [(method, text) for method, text in texts if _is_latin(text)]
    vectors = encode([text for _, text in latin])
    return [_of_set(name, some, latin, runs, vectors, encode) for name, some in requests.items()]


def _of_set(
    name: str,
    requests: Sequence[str],
    texts: Sequence[tuple[str, str]],
    runs: Sequence[tuple[str, str, set[tuple[str, ...]]]],
    vectors: npt.NDArray[np.float32],
    encode: TextVectors,
) -> SetOverlap:
    where = {run: request for request in requests for run in runs_of(request)}
    found = []
    for method, text, own in runs:
        shared = sorted(run for run in own if run in where)
        if shared:
            found.append(Overlap(method, text, name, where[shared[0]], " ".join(shared[0]), 0.0))
    short = comparable(requests)
    if not short:
        return SetOverlap(name, len(requests), tuple(found), 0.0)
    cosines = vectors @ encode(short).T
    for row, column in zip(*np.nonzero(cosines > MOST_ALIKE), strict=True):
        method, text = texts[row]
        found.append(Overlap(method, text, name, short[column], "", round(float(cosines[row, column]), 3)))
    return SetOverlap(name, len(requests), tuple(found), round(float(cosines.max()), 3))


def comparable(requests: Iterable[str]) -> list[str]:
    """Those whose vectors say what they ask for: in Latin letters, and not too long."""
    return [one for one in requests if len(one) <= _COMPARED_CHARS and _is_latin(one)]


def _read(data: Path) -> Iterator[tuple[str, list[str]]]:
    for name, read in {**SAMPLES, **FULL}.items():
        try:
            yield name, [question.text for question in read(data).questions]
        except (InvalidInputError, OSError):
            continue
    for name in LONG:
        try:
            yield name, [question.text for question in bench_set(data, name).questions]
        except (InvalidInputError, OSError):
            continue
    try:
        goals = read_goals(data)
    except (InvalidInputError, OSError):
        return
    yield "goals", [goal.goal for goal in goals.goals]
    yield "goal questions", [question.query for question in goals.questions]


def _is_latin(text: str) -> bool:
    return len(_LATIN.findall(text)) >= _LEAST_LATIN * len(text)


def runs_of(text: str) -> Iterable[tuple[str, ...]]:
    """Every `RUN` words in a row of a text."""
    words = words_of(text)
    return (tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1))


def words_of(text: str) -> list[str]:
    """The words of a text in lower case."""
    return _WORD.findall(text.lower().replace("\u2019", "'"))
