"""Sets by name: what is there is read, what is missing is named."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain.nodes.models import Tool
from app.errors import InvalidInputError
from bench.measure.metrics import scores_of
from bench.methods.registry import method_named
from bench.sets.datasets import Dataset, Question
from bench.sets.sets import FULL, SAMPLES, SETS, read_set, read_sets
from tests.unit.bench.public_sets import write_public_sets
from tests.unit.bench.samples import bakery
from tests.unit.catalogues import catalogue, tool


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "bench" / "azure_mcp"
    folder.mkdir(parents=True)
    (folder / "tools.jsonl").write_text(
        json.dumps({"id": "a", "name": "a", "description": "A.", "parameters": {}})
    )
    (folder / "queries.jsonl").write_text(json.dumps({"id": "1", "query": "q", "gold": ["a"], "meta": {}}))
    return tmp_path


def test_a_missing_set_is_named_and_the_others_are_read(data: Path) -> None:
    found, missing = read_sets(data, ["azure_mcp", "toolbench"])

    assert [dataset.name for dataset in found] == ["azure_mcp"]
    assert len(missing) == 1
    assert missing[0].startswith("toolbench: data set: ")


def test_every_set_is_read_and_ranked_and_no_label_gets_in(tmp_path: Path) -> None:
    """Nothing but the gold says what is right, and the gold is known to no ranking."""
    found, missing = read_sets(write_public_sets(tmp_path), list(SETS))

    assert missing == []
    assert [dataset.name for dataset in found] == list(SETS)
    for dataset in found:
        assert dataset.questions, dataset.name
        assert "SECRET" not in repr((dataset.catalogue, dataset.questions)), dataset.name
        scores = scores_of(dataset, method_named("auto").run(dataset))
        assert len(scores["R@5"]) == len(dataset.questions)
    assert [dataset.name for dataset in found if dataset.catalogue.requirements] == ["toollinkos_full"]
    assert [dataset.name for dataset in found if dataset.list_gold] == ["toolbench"]


def test_halves_of_jentic_have_other_vendors(tmp_path: Path) -> None:
    data = write_public_sets(tmp_path)
    halves = [
        {question.group for question in read_set(data, name).questions} for name in ("jentic_a", "jentic_b")
    ]

    assert not halves[0] & halves[1]
    assert halves[0] | halves[1] == {"vendor0", "vendor1", "vendor2"}


def test_a_misspelt_set_is_an_error(data: Path) -> None:
    with pytest.raises(InvalidInputError, match="no set 'azur'; sets are toolbench"):
        read_sets(data, ["azur"])
    with pytest.raises(InvalidInputError, match="no set 'azur'"):
        read_set(data, "azur")


def test_a_name_means_one_set() -> None:
    """A set that is whole and a sample at once is read by the same reader."""
    assert all(FULL[name] is SAMPLES[name] for name in FULL.keys() & SAMPLES.keys() if ":" not in name)
    assert SETS.keys() == FULL.keys() | SAMPLES.keys()


def test_the_fingerprint_tells_sets_apart() -> None:
    question = Question("1", "q", ("a",), {}, "")
    one = Dataset("one", catalogue([tool("a", "A.")]), (question,))
    others = [
        Dataset("one", catalogue([tool("a", "B.")]), (question,)),
        Dataset("one", catalogue([tool("a", "A.")]), (Question("1", "q", ("b",), {}, ""),)),
        Dataset("one", catalogue([tool("a", "A.")]), (question,), list_gold=True),
    ]

    assert one.fingerprint == Dataset("same", catalogue([tool("a", "A.")]), (question,)).fingerprint
    assert len({one.fingerprint, *(other.fingerprint for other in others)}) == 4
    assert one.first(0).questions == ()


def test_what_waits_to_be_confirmed_is_no_part_of_a_set() -> None:
    """Else figures of two versions could not be compared after a field of a graph's state came."""
    before = bakery()
    first, *others = before.catalogue.tools
    waiting = first.model_copy(update={"unconfirmed": ("its base URL",)})
    other_text = first.model_copy(update={"description": f"{first.description} And more."})

    def with_first(tool: Tool) -> str:
        return replace(before, catalogue=replace(before.catalogue, tools=(tool, *others))).fingerprint

    assert with_first(waiting) == before.fingerprint
    assert with_first(other_text) != before.fingerprint
