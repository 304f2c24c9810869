"""The static encoder is trained as its formulas say, on what no benchmark has, and twice the same."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.adapters.encoders.static import SHIPPED_TOKENIZER, StaticEncoder
from app.adapters.encoders.wordpiece import WordPiece
from bench.training.catalogues import CataloguedTool, training_tools
from bench.training.making import make_table
from bench.training.near_texts import nearness, remembered
from bench.training.pairs import PairKind, common_pairs, tool_pairs
from bench.training.token_table import TrainedTable, bag_of, contrast
from bench.training.training import TrainingRecipe

DIMENSIONS = 24
VERBS = {"show": "Displays", "remove": "Deletes", "change": "Edits", "send": "Mails"}
THINGS = {"parcel": "shipment", "invoice": "bill", "voucher": "coupon", "basket": "cart", "rating": "review"}
TOOLS = [
    CataloguedTool(
        f"shop{number}",
        f"{verb}_{thing}",
        f"{does} one {other} of the shop. It says which {other} there are.",
        f"/shops/{{id}}/{thing}",
        (f"{thing}_id The number of the {thing}",),
    )
    for number in range(4)
    for verb, does in VERBS.items()
    for thing, other in THINGS.items()
]
"""Whose names say nothing that their descriptions say."""


def hashed(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Vectors of texts by their letters: the same each time, and no model."""
    found = np.zeros((len(texts), DIMENSIONS), np.float32)
    for row, text in enumerate(texts):
        for at, letter in enumerate(text or " "):
            found[row, (ord(letter) * 31 + at % 3) % DIMENSIONS] += 1
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)


def made(out: Path, *, seed: int = 0, steps: int = 20) -> list[bytes]:
    recipe = TrainingRecipe(dimensions=8, steps=steps, batch=64, taught=64, rate=0.05, warm_up=5)
    make_table(TOOLS, WordPiece(SHIPPED_TOKENIZER), hashed, out, recipe=recipe, seed=seed)
    return [path.read_bytes() for path in sorted(out.iterdir())]


def test_twenty_steps_twice_are_the_same_bytes(tmp_path: Path) -> None:
    """With another seed they are not."""
    first, second = made(tmp_path / "first"), made(tmp_path / "second")

    assert first == second
    assert made(tmp_path / "other", seed=1) != first


def test_what_names_call_one_thing_and_texts_another_comes_close(tmp_path: Path) -> None:
    """That is what is learned: no word of the name is in the text."""
    made(tmp_path / "trained", steps=60)
    made(tmp_path / "untrained", steps=1)

    before, after = (_found(StaticEncoder(tmp_path / name)) for name in ("untrained", "trained"))

    assert after > before + 0.3


def _found(encoder: StaticEncoder) -> float:
    """How often the name of a tool is closest to its description, of those of one shop."""
    asked = encoder.encode([tool.name.replace("_", " ") for tool in TOOLS[:20]])
    told = encoder.encode([tool.description for tool in TOOLS[:20]])
    return float((np.argmax(asked @ told.T, axis=1) == np.arange(20)).mean())


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000))
def test_gradients_are_those_of_the_loss(seed: int) -> None:
    """Compared with the difference that a small change of one number makes."""
    random = np.random.default_rng(seed)
    rows = random.normal(size=(6, 4)).astype(np.float32)
    asked = [random.integers(0, 6, 3).astype(np.int32) for _ in range(4)]
    told = [random.integers(0, 6, 2).astype(np.int32) for _ in range(4)]
    is_other = ~np.eye(4, dtype=bool)
    is_other[0, 1] = False

    def loss_of(values: npt.NDArray[np.float32]) -> tuple[float, npt.NDArray[np.float32]]:
        table = TrainedTable(values)
        first, second = table.encoded(bag_of(asked, 6)), table.encoded(bag_of(told, 6))
        loss, of_first, of_second = contrast(first.vectors, second.vectors, is_other, 3.0)
        return loss, first.gradient(of_first) + second.gradient(of_second)

    _, gradient = loss_of(rows)
    at = (int(random.integers(6)), int(random.integers(4)))
    step = np.zeros_like(rows)
    step[at] = 1e-2
    difference = (loss_of(rows + step)[0] - loss_of(rows - step)[0]) / 2e-2

    assert gradient[at] == pytest.approx(difference, rel=0.05, abs=5e-3)


def test_texts_of_one_owner_are_no_wrong_answers() -> None:
    """Two tools of one owner share their second text: neither pays for the other."""
    table = TrainedTable(np.eye(3, dtype=np.float32))
    same = table.encoded(bag_of([np.array([0], np.int32)] * 2, 3)).vectors

    apart, _, _ = contrast(same, same, ~np.eye(2, dtype=bool), 20.0)
    together, _, _ = contrast(same, same, np.zeros((2, 2), bool), 20.0)

    assert (round(apart, 3), together) == (0.693, 0.0)


def test_pairs_are_what_a_tool_says_of_itself() -> None:
    """Nothing is asked that the tool does not say, and all of a tool have one owner."""
    pairs = list(tool_pairs(TOOLS[:1]))

    assert [(pair.kind, pair.asked) for pair in pairs] == [
        (PairKind.NAME, "show parcel"),
        (PairKind.SENTENCE, "Displays one shipment of the shop."),
        (PairKind.PARAMETERS, "parcel id the number of the parcel"),
        (PairKind.PATH, "shops id parcel"),
    ]
    assert {pair.owner for pair in pairs} == {"tool 0"}


def test_each_english_request_of_the_common_taxonomy_is_a_pair() -> None:
    """With the method's own words; no vendor is in them (test_excluded)."""
    pairs = list(common_pairs())

    assert len(pairs) > 3_000
    assert all(pair.kind is PairKind.REQUEST and pair.asked and pair.told for pair in pairs)


def test_nearness_is_that_of_the_nearest() -> None:
    """1 for the same words in any order, 0 without any in common."""
    found = nearness(["red boat", "blue", ""], ["a boat red", "boat red", "green"])

    assert found == pytest.approx([1.0, 0.0, 0.0])


def _folder(data: Path, operations: list[dict[str, object]]) -> Path:
    for path, rows in (
        ("catalogues/openapi_operations/operations.jsonl", operations),
        ("catalogues/toucan/tools.jsonl", []),
        ("bench/livemcpbench/tools.jsonl", [_tool("Weather Server", "forecast", MEASURED)]),
        ("bench/livemcpbench/queries.jsonl", [_asked("tell me how many eggs the blue hen laid")]),
    ):
        (data / path).parent.mkdir(parents=True, exist_ok=True)
        (data / path).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return data


MEASURED = "Predicts temperature, wind and rainfall for a place over the coming days"


def _tool(server: str, name: str, description: str) -> dict[str, object]:
    return {
        "id": f"{server}/{name}",
        "server": server,
        "name": name,
        "description": description,
        "parameters": {},
    }


def _asked(text: str) -> dict[str, object]:
    return {"id": "1", "query": text, "gold": ["Weather Server/forecast"], "ordered": False, "meta": {}}


def _operation(server: str, name: str, description: str) -> dict[str, object]:
    more = {"summary": "", "method": "GET", "path": "/", "parameters": []}
    return {**_tool(server, name, description), **more}


def _far(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """No request is close to a tool."""
    return np.array([[0, 1] if text.startswith("tell me") else [1, 0] for text in texts], np.float32)


def test_what_a_benchmark_has_is_not_trained_on(tmp_path: Path) -> None:
    """A vendor of one, a server of one, a tool that says nearly the same, and what repeats a request."""
    data = _folder(
        tmp_path,
        [
            _operation("github.com/main", "list_hens", "Lists every hen of a farm"),
            _operation("docker-mcp", "list_ducks", "Lists every duck of a farm"),
            _operation("farm.example/main", "rain", f"{MEASURED}."),
            _operation("farm.example/main", "count", "Says how many eggs the blue hen laid"),
            _operation("farm.example/main", "feed", "Feeds the hens of a farm"),
            _operation("other.example/main", "feed", "Feeds the hens of a farm"),
        ],
    )

    assert [(tool.server, tool.name) for tool in training_tools(data, _far)] == [("farm.example", "feed")]


def test_what_means_nearly_what_is_asked_is_not_trained_on(tmp_path: Path) -> None:
    """By the vectors of an encoder, in whatever words."""
    tools = [_operation("farm.example", name, f"Says something of {name}") for name in ("hens", "ducks")]
    data = _folder(tmp_path, tools)

    def encode(texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return np.array([[1, 0] if "hen" in text else [0, 1] for text in texts], np.float32)

    assert [tool.name for tool in training_tools(data, encode)] == ["ducks"]


def test_a_text_is_encoded_once() -> None:
    """However often it is asked for, and in whatever order."""
    seen: list[str] = []

    def encode(texts: Sequence[str]) -> npt.NDArray[np.float32]:
        seen.extend(texts)
        return np.array([[len(text)] for text in texts], np.float32)

    encoded = remembered(encode)

    assert encoded(["a", "ccc", "a"]).tolist() == [[1], [3], [1]]
    assert encoded(["ccc", "bb"]).tolist() == [[3], [2]]
    assert seen == ["a", "ccc", "bb"]
