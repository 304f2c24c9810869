"""Files that nobody touched are not read again; whatever says too little leads to reading."""

import os
import time
from pathlib import Path

import pytest

from ingest.run import reading
from tests.fakes import InMemoryGraph
from tests.ingest_cases import Graph, ingest, ingest_folder, manifest, tool

LONG_AGO = time.time() - 3_600


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that are read; a file that was just written counts as settled."""
    names: list[str] = []
    read_file = reading.read_file

    def counted(one, **options):  # type: ignore[no-untyped-def]
        names.append(one.path.name)
        return read_file(one, **options)

    monkeypatch.setattr(reading, "read_file", counted)
    monkeypatch.setattr("ingest.sources.files._SETTLED_NS", -1)
    return names


def test_of_many_manifests_the_changed_one_is_read(graph: Graph, tmp_path: Path, read: list[str]) -> None:
    """By file time and size."""
    for server in ("bank", "post", "shop"):
        manifest(tmp_path, server, tool("pay"))
    assert ingest_folder(graph, tmp_path).generation == 1
    assert sorted(read) == ["bank.json", "post.json", "shop.json"]
    read.clear()

    manifest(tmp_path, "post", tool("pay", "Pays."))
    report = ingest_folder(graph, tmp_path)

    assert (read, report.nodes_written, report.generation) == (["post.json"], 1, 2)
    assert [one.changed for one in report.outcomes] == [False, True, False]


def test_an_untouched_file_is_read_where_it_would_mean_something_else(
    tmp_path: Path, read: list[str]
) -> None:
    """In another place, or with items that were rejected."""
    graph = InMemoryGraph()
    one = manifest(tmp_path / "a", "bank", tool("pay"), {"name": ""})
    assert ingest(graph, one).rejected == 1
    ingest(graph, one)
    assert read == ["bank.json"] * 2

    one = manifest(tmp_path / "a", "bank", tool("pay"))
    ingest(graph, one)
    ingest(graph, one)
    assert read == ["bank.json"] * 3
    other = manifest(tmp_path / "b", "bank", tool("pay"))
    os.utime(other.path, (LONG_AGO, LONG_AGO))
    ingest(graph, other)
    assert read == ["bank.json"] * 4


def test_times_that_were_set_back_hide_no_change(tmp_path: Path, read: list[str]) -> None:
    """Tools that copy may keep the time of a file; that of its record is the system's."""
    graph = InMemoryGraph()
    one = manifest(tmp_path, "bank", tool("pay", "Does A."))
    os.utime(one.path, (LONG_AGO, LONG_AGO))
    ingest(graph, one)
    time.sleep(0.02)
    manifest(tmp_path, "bank", tool("pay", "Does B."))
    os.utime(one.path, (LONG_AGO, LONG_AGO))

    assert ingest(graph, one).nodes_written == 1
    assert read == ["bank.json"] * 2


def test_the_same_text_with_other_times_is_read_once_more(tmp_path: Path, read: list[str]) -> None:
    """Its times are then noted, without a new generation."""
    graph = InMemoryGraph()
    one = manifest(tmp_path, "bank", tool("pay"))
    ingest(graph, one)
    os.utime(one.path, (LONG_AGO, LONG_AGO))

    reports = [ingest(graph, one) for _ in range(2)]

    assert read == ["bank.json"] * 2
    assert {report.generation for report in reports} == {1}


def test_a_file_that_was_just_written_is_read_again(tmp_path: Path) -> None:
    """It may be written once more with the same times."""
    graph = InMemoryGraph()
    one = manifest(tmp_path, "bank", tool("pay"))

    ingest(graph, one)

    assert [source.file_state for source in graph.sources()] == [""]
