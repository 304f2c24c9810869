"""What is accepted of a backup: what was written, and nothing that was changed."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.errors import InvalidInputError
from tests.backups import backed_up, fill, restored
from tests.fakes import InMemoryGraph

SEEDS = st.integers(0, 2**32)


def filled(seed: int = 1) -> InMemoryGraph:
    graph = InMemoryGraph()
    fill(graph, random.Random(seed))
    return graph


DATA = backed_up(filled())


@settings(max_examples=25)
@given(SEEDS)
def test_what_is_restored_gives_the_same_bytes(seed: int) -> None:
    """Whatever the graph holds."""
    graph = filled(seed)
    data = backed_up(graph)
    other = InMemoryGraph()

    report = restored(other, data)

    assert backed_up(other) == data
    assert report.lines["nodes"] == sum(report.nodes.values()) == data.count(b'\n{"node"')


@settings(max_examples=150)
@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
def test_a_changed_byte_is_found(at: int, by: int) -> None:
    """Wherever it is, and nothing is written."""
    data = bytearray(DATA)
    data[at] ^= by

    _is_refused(bytes(data))


@settings(max_examples=40)
@given(st.integers(0, len(DATA) - 1))
def test_a_file_that_is_cut_off_is_refused(length: int) -> None:
    """At any byte."""
    _is_refused(DATA[:length])


@settings(max_examples=40)
@given(st.integers(0, DATA.count(b"\n") - 1), st.integers(0, DATA.count(b"\n") - 1))
def test_lines_that_are_removed_repeated_or_swapped_are_found(first: int, second: int) -> None:
    """Two lines that are equal may be swapped."""
    lines = DATA.splitlines(keepends=True)
    swapped = [*lines]
    swapped[first], swapped[second] = lines[second], lines[first]

    _is_refused(b"".join(lines[:first] + lines[first + 1 :]))
    _is_refused(b"".join([*lines[: first + 1], *lines[first:]]))
    if swapped != lines:
        _is_refused(b"".join(swapped))


def _is_refused(data: bytes) -> str:
    graph = InMemoryGraph()
    with pytest.raises(InvalidInputError) as refused:
        restored(graph, data)
    assert (graph.generation, graph.writing, graph.known_sources) == (0, False, {})
    assert not any(graph.nodes.values())
    return str(refused.value)


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("begins", "change", "said"),
    [
        ("backup", lambda line: line["backup"].update(format=2), "format: 2; accepted: 1"),
        (
            "backup",
            lambda line: line["backup"].update(schema_version=999),
            "schema_version: 999; accepted: 1 to",
        ),
        ("backup", lambda line: line["backup"].update(schema_version=0), "schema_version: 0; accepted: 1 to"),
        ("backup", lambda line: line["backup"].update(generation=-3), "generation: -3"),
        ("backup", lambda line: line["backup"].update(more=1), "more = 1"),
        ("backup", lambda line: line.update(more=1), "does not begin a backup"),
        ("from", lambda line: line["from"].update(id=""), "id: ''"),
        ("from", lambda line: line["from"].update(more="x"), "more"),
        ("node", lambda line: line.update(node="Catalog"), "'Catalog' is no label"),
        ("node", lambda line: line.update(node="Tool) DETACH DELETE (x"), "is no label"),
        ("node", lambda line: line.update(node=["Tool"]), "is no label"),
        ("node", lambda line: line["properties"].update(id=5), "id: 5"),
        ("node", lambda line: line["properties"].update(id="x" * 3_000), "id: "),
        ("node", lambda line: line["properties"].update(id="a\x00b"), "control character"),
        ("node", lambda line: line["properties"].update({"a b": 1}), "'a b' is no name"),
        ("node", lambda line: line["properties"].update(name={}), "properties.name"),
        ("node", lambda line: line["properties"].update(name=None), "properties.name"),
        ("node", lambda line: line["properties"].update(name=[1]), "properties.name"),
        ("node", lambda line: line["properties"].update(name=["a", 1.0]), "properties.name"),
        ("node", lambda line: line["properties"].update(name=2**63), "properties.name"),
        ("node", lambda line: line["properties"].update(name="\ud800"), "surrogate"),
        ("node", lambda line: line["properties"].update({f"p{at}": 1 for at in range(70)}), "up to 64"),
        ("node", lambda line: line.update(more=1), "keys"),
        ("edge", lambda line: line.update(edge=["Tool", "OWNS", "Tool"]), "no form of edge"),
        ("edge", lambda line: line.update(edge="Tool"), "no form of edge"),
        ("edge", lambda line: line.update(source="nobody"), "'nobody' stands before"),
        ("edge", lambda line: line.update(target="nobody"), "'nobody' stands before"),
        ("edge", lambda line: line["properties"].update(more=1), "['more'] is no property"),
        ("provision", lambda line: line["provision"].update(id="nobody"), "'nobody' stands before"),
        ("provision", lambda line: line["provision"].update(source="nobody"), "no source 'nobody'"),
        ("provision", lambda line: line["provision"].update(kind="Source"), "kind"),
        ("sync", lambda line: line["sync"].update(source="nobody"), "no source 'nobody'"),
        ("sync", lambda line: line["sync"].update(status="x"), "status"),
    ],
)
def test_a_line_that_is_not_accepted_is_named(begins: str, change: Change, said: str) -> None:
    """Its number, what it says, and what would be accepted; whatever the sums are."""
    lines = DATA.splitlines()
    at = next(at for at, line in enumerate(lines) if begins in json.loads(line))
    value = json.loads(lines[at])
    change(value)
    lines[at] = json.dumps(value).encode()

    message = _is_refused(b"".join(line + b"\n" for line in lines))

    assert message.startswith(f"line {at + 1}: ")
    assert said in message


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"[]", "a list"),
        (b"{}", "keys"),
        (b"nonsense", "no JSON"),
        (b"\xff", "no JSON"),
        (b'{"node": NaN}', "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b'{"from": {}}', "behind"),
        (b'{"backup": {}}', "keys"),
        (b'{"end": {}}', "parts"),
    ],
)
def test_what_is_no_line_is_refused(line: bytes, said: str) -> None:
    """Also in the middle."""
    lines = DATA.splitlines()
    lines.insert(-1, line)

    message = _is_refused(b"".join(one + b"\n" for one in lines))

    assert message.startswith(f"line {len(lines) - 1}: ")
    assert said in message


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "ends with line 0"),
        (b"\n", "no JSON"),
        (b'{"tools": []}\n', "does not begin a backup"),
        (DATA + b'{"more": 1}\n', "behind the last"),
    ],
)
def test_a_file_that_is_no_backup_is_refused(data: bytes, said: str) -> None:
    """Empty, of another kind, or with something behind its end."""
    assert said in _is_refused(data)
