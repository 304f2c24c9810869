"""A run that is killed: running it again finishes it, and whatever the user does next is right too."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.domain.changes import with_part
from app.roots.graph import open_graph
from app.settings import Settings
from ingest.sources.files import IngestInput, file_input, manifest_inputs
from tests.fakes import InMemoryGraph
from tests.ingest_cases import dump, ingest, manifest, remove, taxonomy, tool

ROOT = Path(__file__).resolve().parents[2]


class KilledError(Exception):
    """The process ends here."""


class DyingGraph(InMemoryGraph):
    """A graph whose writer dies after so many writes."""

    def __init__(self, writes: int) -> None:
        super().__init__()
        self.writes_left = writes

    def lease(self, *, owner: str, wait_s: float) -> Any:
        """The lease of the fake, which counts."""
        return _Dying(super().lease(owner=owner, wait_s=wait_s), self)


class _Dying:
    def __init__(self, lease: Any, graph: DyingGraph) -> None:
        self._lease, self._graph = lease, graph

    def __enter__(self) -> "_Dying":
        self._writer = self._lease.__enter__()
        return self

    def __exit__(self, *error: Any) -> Any:
        return self._lease.__exit__(*error)

    def __getattr__(self, name: str) -> Any:
        if self._graph.writes_left == 0:
            raise KilledError
        self._graph.writes_left -= 1
        return getattr(self._writer, name)


def first(folder: Path) -> list[IngestInput]:
    """A graph with something of everything."""
    taxonomy(
        folder,
        "w",
        categories=[{"id": "c"}],
        methods=[
            {"id": "m", "implements": ["pay", "nix"], "category": "c", "examples": ["Do"]},
            {"id": "n", "implements": ["pay"], "relations": {"similar": ["m"]}},
        ],
        tools=[{"id": "nix", "requires": ["pay"], "not_requires": ["old"]}],
    )
    manifest(folder / "s", "bank", tool("pay"), tool("old"), tool("same"))
    return inputs(folder)


def second(folder: Path) -> list[IngestInput]:
    """Nodes and edges created, updated, removed, released, taken over; a new source."""
    taxonomy(
        folder,
        "w",
        categories=[{"id": "c", "name": "C"}],
        methods=[
            {"id": "m", "implements": ["nix"], "examples": ["Do", "More"]},
            {"id": "o", "implements": ["pay"], "relations": {"similar": ["m"]}},
        ],
        tools=[{"id": "nix", "requires": ["same"]}],
    )
    manifest(folder / "s", "bank", tool("pay", "new"), tool("same"), tool("young"))
    manifest(folder / "s", "other", tool("nix"), tool("more"))
    return inputs(folder)


def inputs(folder: Path) -> list[IngestInput]:
    return [file_input("taxonomy", folder / "w.yaml"), *manifest_inputs([folder / "s"])]


def clean(*steps: Callable[[InMemoryGraph], object]) -> Any:
    """What the steps lead to when nothing dies."""
    graph = InMemoryGraph()
    for step in steps:
        step(graph)
    return dump(graph)


def deaths(
    prepare: Callable[[InMemoryGraph], object], die: Callable[[InMemoryGraph], object]
) -> list[DyingGraph]:
    """A graph for each write after which the second step may have died."""
    graphs = []
    for writes in range(1000):
        graph = DyingGraph(-1)
        prepare(graph)
        graph.writes_left = writes
        try:
            die(graph)
        except KilledError:
            graph.writes_left = -1
            graphs.append(graph)
        else:
            assert len(graphs) > 5
            return graphs
    raise AssertionError("the step never ends")


def test_the_same_command_finishes_a_killed_one(tmp_path: Path) -> None:
    """Wherever it was killed."""
    expected = clean(
        lambda graph: ingest(graph, *first(tmp_path)), lambda graph: ingest(graph, *second(tmp_path))
    )
    for graph in deaths(
        lambda graph: ingest(graph, *first(tmp_path)), lambda graph: ingest(graph, *second(tmp_path))
    ):
        was_writing, generation = graph.state().writing, graph.state().generation

        ingest(graph, *inputs(tmp_path))

        assert dump(graph) == expected
        assert not graph.state().writing
        assert graph.state().generation > generation or not was_writing


def test_no_change_of_a_killed_run_is_missed(tmp_path: Path) -> None:
    """Who read the graph before it either gets all that has changed since, or is to read it whole."""
    for graph in deaths(
        lambda graph: ingest(graph, *first(tmp_path)), lambda graph: ingest(graph, *second(tmp_path))
    ):
        before = graph.catalogue(accept_unfinished=True)
        was_writing = graph.state().writing

        ingest(graph, *inputs(tmp_path))

        changes = graph.changes(before.generation, stamp=before.stamp)
        assert (changes is None) == was_writing
        if changes is not None:
            assert with_part(before, graph.part(changes)) == graph.catalogue()


def test_a_first_ingest_is_finished_too(tmp_path: Path) -> None:
    second(tmp_path)
    expected = clean(lambda graph: ingest(graph, *inputs(tmp_path)))

    for graph in deaths(lambda graph: None, lambda graph: ingest(graph, *inputs(tmp_path))):
        ingest(graph, *inputs(tmp_path))
        assert dump(graph) == expected


def test_a_killed_change_can_be_taken_back(tmp_path: Path) -> None:
    """The files as they were before give the graph as it was before."""
    expected = clean(lambda graph: ingest(graph, *first(tmp_path)))

    for graph in deaths(
        lambda graph: ingest(graph, *_back(tmp_path)), lambda graph: ingest(graph, *second(tmp_path))
    ):
        ingest(graph, *_back(tmp_path))
        if any(one.id == "manifest:other" for one in graph.sources()):
            remove(graph, "manifest:other")

        assert dump(graph) == expected


def _back(folder: Path) -> list[IngestInput]:
    (folder / "s" / "other.json").unlink(missing_ok=True)
    return first(folder)


def names(folder: Path) -> list[IngestInput]:
    """A taxonomy with a bare name that one server brings."""
    words = taxonomy(
        folder,
        "names",
        categories=[{"id": "c"}],
        methods=[{"id": "m", "implements": ["pay", "nix"], "category": "c"}],
        templates=[{"id": "t", "uses": ["nix", "pay"]}],
        tools=[
            {"id": "pay", "requires": ["nix"], "categories": ["c"], "not_requires": ["old"]},
            {"id": "nix", "precedes": ["pay"], "not_requires": ["pay"]},
        ],
    )
    return [words, manifest(folder / "s", "bank", tool("pay"), tool("old"))]


@pytest.mark.parametrize("after", ["the same again", "the second server is removed", "another one comes"])
def test_a_killed_change_of_hands_is_finished_whichever_way_it_goes(tmp_path: Path, after: str) -> None:
    """A second server brings the name; killed at any write, whatever comes next finds every edge."""
    second = manifest(tmp_path / "s", "fake", tool("pay"), tool("more"))
    other = manifest(tmp_path / "s", "third", tool("nix"))

    def then(graph: InMemoryGraph) -> None:
        if after == "the same again":
            ingest(graph, second)
        elif after == "another one comes":
            ingest(graph, other)
            ingest(graph, second)
        elif any(one.id == "manifest:fake" for one in graph.sources()):
            remove(graph, "manifest:fake")
        else:
            # Nothing of the server is in the graph, so there is nothing to remove.
            ingest(graph, other)
            remove(graph, "manifest:third")

    expected = clean(lambda graph: ingest(graph, *names(tmp_path)), lambda graph: ingest(graph, second), then)
    for graph in deaths(lambda graph: ingest(graph, *names(tmp_path)), lambda graph: ingest(graph, second)):
        then(graph)
        assert dump(graph) == expected


def test_a_killed_removal_can_be_finished_or_taken_back(tmp_path: Path) -> None:
    """`remove` again removes; ingesting the file again brings everything back."""
    full = clean(lambda graph: ingest(graph, *first(tmp_path)))
    removed = clean(
        lambda graph: ingest(graph, *first(tmp_path)), lambda graph: remove(graph, "manifest:bank")
    )

    def dying() -> list[DyingGraph]:
        return deaths(
            lambda graph: ingest(graph, *first(tmp_path)), lambda graph: remove(graph, "manifest:bank")
        )

    for graph in dying():
        if any(one.id == "manifest:bank" for one in graph.sources()):
            remove(graph, "manifest:bank")
        else:
            ingest(graph, file_input("taxonomy", tmp_path / "w.yaml"))
        assert dump(graph) == removed
    for graph in dying():
        ingest(graph, *inputs(tmp_path))
        assert dump(graph) == full


def test_kill_9_of_the_command_loses_nothing(tmp_path: Path) -> None:
    """The embedded engine, a real process, a real kill, three times; then the command once more."""
    folder = tmp_path / "servers"
    for server in range(60):
        manifest(folder, f"s{server}", *(tool(f"t{number}", "x" * 500) for number in range(60)))
    wants = taxonomy(
        tmp_path, "w", methods=[{"id": f"m{one}", "implements": [f"s{one % 60}/t1"]} for one in range(300)]
    )
    data = tmp_path / "data"
    environment = {**os.environ, "OUTFITTER_DATA_DIR": str(data), "OUTFITTER_LEASE_WAIT_S": "30"}
    environment.pop("NEO4J_URI", None)
    command = [sys.executable, "-m", "ingest", "manifest", str(folder), "--json"]
    for wait_s in (0.2, 0.5, 0.9):
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _wait_for(data)
        time.sleep(wait_s)
        process.send_signal(signal.SIGKILL)
        process.wait()

    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)

    assert done.returncode == 0
    assert all("phase" in json.loads(line) for line in done.stderr.splitlines())
    assert json.loads(done.stdout)["generation"] >= 1
    with open_graph(Settings(data_dir=data, neo4j_uri=None)) as graph:
        assert not graph.state().writing
        ingest(graph, wants)
        found = dump(graph)
    expected = InMemoryGraph()
    ingest(expected, *manifest_inputs([folder]))
    ingest(expected, wants)
    assert found == dump(expected)


def _wait_for(data: Path) -> None:
    """Until the engine of the folder is about to start, so that the kill comes during the work."""
    until = time.monotonic() + 30
    while not data.exists() and time.monotonic() < until:
        time.sleep(0.02)
