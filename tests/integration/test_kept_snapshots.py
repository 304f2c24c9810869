"""A service starts from the index that it kept, or from what changed since; never from another one."""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.adapters.encoders.vector_file import VectorFile
from app.adapters.snapshot_files.folder import SnapshotFolder
from app.domain.catalogue import Catalogue
from app.domain.changes import CatalogueChanges, CataloguePart
from app.domain.packed.catalogue import PackedTools
from app.domain.packed.sequences import Patched
from app.errors import NotReadyError
from app.ports.snapshots import KeptState, SnapshotMaker
from app.usecases.index import snapshots
from app.usecases.index.encoding import ToolEncoder
from app.usecases.index.kept import keep_index
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.snapshots import SnapshotKeeper
from app.usecases.plan import make_plan
from app.usecases.questions import PlanRequest, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from tests.fakes import InMemoryGraph
from tests.service import ingest, wait_until
from tests.unit.usecases.test_meaning import Concepts


class Counted(InMemoryGraph):
    """Counts how often the whole is read."""

    whole = 0

    def catalogue(self, *, accept_unfinished: bool = False) -> Catalogue:
        self.whole += 1
        return super().catalogue(accept_unfinished=accept_unfinished)

    def part(self, changes: CatalogueChanges) -> CataloguePart:
        """The fake takes a part from the whole; a database does not."""
        before = self.whole
        try:
            return super().part(changes)
        finally:
            self.whole = before


class Forgetful(Counted):
    """Cannot say what changed."""

    def changes(self, since: int, *, stamp: str) -> CatalogueChanges | None:
        return None


@contextmanager
def keeping(
    graph: InMemoryGraph,
    path: Path,
    *,
    release: str = "1.0",
    encoder: ToolEncoder | None = None,
    maker: SnapshotMaker | None = None,
    small: int = 0,
    patient_s: float = 0.05,
) -> Iterator[SnapshotKeeper]:
    keeper = SnapshotKeeper(
        graph,
        refresh_s=0.02,
        small=small,
        patient_s=patient_s,
        store=SnapshotFolder(path / "kept", release=release),
        encoder=encoder,
        maker=maker,
    )
    keeper.start()
    wait_until(lambda: keeper.current is not None)
    yield keeper
    assert keeper.stop()


def write(path: Path, **descriptions: str) -> Path:
    """A manifest of a server `boats`, with a tool for each."""
    folder = path / "manifests"
    folder.mkdir(exist_ok=True)
    tools = [
        {"name": name, "description": text, "inputSchema": {"type": "object"}}
        for name, text in descriptions.items()
    ]
    (folder / "boats.json").write_text(json.dumps({"tools": tools}))
    return folder


def states(path: Path) -> list[KeptState]:
    return SnapshotFolder(path / "kept", release="1.0").states()


def kept_of(graph: InMemoryGraph, path: Path) -> None:
    """Run a service until it has kept the graph's state."""
    with keeping(graph, path) as keeper:
        state = graph.state()
        wait_until(lambda: KeptState(state.generation, state.stamp) in states(path), timeout_s=10)
        wait_until(lambda: isinstance(keeper.index.catalogue.tools, PackedTools))


def answers_as_built(keeper: SnapshotKeeper, graph: InMemoryGraph) -> bool:
    built = SearchIndex.build(InMemoryGraph.catalogue(graph))
    request = SearchRequest(query="sail a boat", explain=True, schemas=True)
    goal = PlanRequest(goal="sail the boat, then paint it")
    both = [ConsistentGraph(index) for index in (keeper.index, built)]
    one, other = ((search(request, seen), make_plan(goal, seen)) for seen in both)
    return one == other


def test_the_next_start_maps_what_was_kept(tmp_path: Path) -> None:
    graph = Counted()
    ingest(graph, manifests=write(tmp_path, sail="Sails a boat", paint="Paints a boat"), taxonomy=False)
    kept_of(graph, tmp_path)
    assert graph.whole == 1

    with keeping(graph, tmp_path) as keeper:
        assert graph.whole == 1
        assert isinstance(keeper.index.catalogue.tools, PackedTools)
        assert answers_as_built(keeper, graph)


def test_a_start_a_few_generations_behind_takes_in_what_changed(tmp_path: Path) -> None:
    graph = Counted()
    ingest(graph, manifests=write(tmp_path, sail="Sails a boat", paint="Paints a boat"), taxonomy=False)
    kept_of(graph, tmp_path)
    ingest(graph, manifests=write(tmp_path, sail="Sails a ship", paint="Paints a boat"), taxonomy=False)
    generation = ingest(
        graph, manifests=write(tmp_path, sail="Sails a ship", row="Rows a boat"), taxonomy=False
    )
    graph.whole = 0

    with keeping(graph, tmp_path) as keeper:
        assert keeper.index.generation == generation
        assert graph.whole == 0
        assert isinstance(keeper.index.catalogue.tools, Patched)
        assert [tool.id for tool in keeper.index.catalogue.tools] == ["boats/row", "boats/sail"]
        wait_until(lambda: keeper.index.is_settled)
        assert answers_as_built(keeper, graph)


class Elsewhere:
    """Makes a snapshot as another process does, whose reading of the whole does not count."""

    def __init__(
        self, graph: Counted, path: Path, *, works: bool = True, encoder: ToolEncoder | None = None
    ) -> None:
        self._graph, self._path, self._works, self._encoder = graph, path, works, encoder
        self.made = self.in_background = self.read_whole = 0
        self.release = "1.0"

    def make(self, *, goes_on: Callable[[], bool], in_background: bool = False) -> bool:
        assert goes_on()
        self.made += 1
        self.in_background += in_background
        before = self._graph.whole
        try:
            store = SnapshotFolder(self._path / "kept", release=self.release)
            return self._works and keep_index(self._graph, store, lambda work: work, encoder=self._encoder)
        finally:
            self.read_whole += self._graph.whole - before
            self._graph.whole = before


def many(path: Path, count: int) -> Path:
    return write(path, **{f"sail_{at}": f"Sails boat {at}" for at in range(count)})


def change(keeper: SnapshotKeeper, graph: InMemoryGraph, path: Path, count: int) -> int:
    """Have as many boats, and wait until all are counted together; the generation."""
    generation = ingest(graph, manifests=many(path, count), taxonomy=False)
    wait_until(lambda: keeper.index.generation == generation and keeper.index.is_settled)
    return generation


def test_a_large_index_is_made_elsewhere_and_mapped_at_once(tmp_path: Path) -> None:
    """The service itself reads nothing whole: what building takes is not its memory."""
    graph = Counted()
    ingest(graph, manifests=many(tmp_path, 5), taxonomy=False)
    maker = Elsewhere(graph, tmp_path)

    with keeping(graph, tmp_path, maker=maker, small=4) as keeper:
        assert (maker.made, graph.whole) == (1, 0)
        assert isinstance(keeper.index.catalogue.tools, PackedTools)
        assert answers_as_built(keeper, graph)


def test_what_is_small_or_cannot_be_made_elsewhere_is_built_here(tmp_path: Path) -> None:
    graph = Counted()
    ingest(graph, manifests=many(tmp_path, 5), taxonomy=False)
    asked, failing = Elsewhere(graph, tmp_path), Elsewhere(graph, tmp_path, works=False)

    with keeping(graph, tmp_path / "small", maker=asked, small=5) as keeper:
        assert (asked.made, graph.whole) == (0, 1)
        assert answers_as_built(keeper, graph)
    with keeping(graph, tmp_path, maker=failing, small=4) as keeper:
        assert (failing.made, graph.whole) == (1, 2)
        assert answers_as_built(keeper, graph)


def test_too_many_changes_are_counted_elsewhere_while_answers_go_on(tmp_path: Path) -> None:
    graph = Forgetful()
    ingest(graph, manifests=many(tmp_path, 5), taxonomy=False)
    maker = Elsewhere(graph, tmp_path)
    with keeping(graph, tmp_path, maker=maker, small=4) as keeper:
        generation = ingest(graph, manifests=many(tmp_path, 6), taxonomy=False)
        wait_until(lambda: keeper.index.generation == generation)
        assert (maker.made, graph.whole) == (2, 0)
        assert isinstance(keeper.index.catalogue.tools, PackedTools)
        assert answers_as_built(keeper, graph)


def test_after_a_change_all_is_counted_together_elsewhere_and_mapped(tmp_path: Path) -> None:
    """From what was kept and what changed since: nothing is read whole, and the service's own memory is as before."""
    graph = Counted()
    ingest(graph, manifests=many(tmp_path, 5), taxonomy=False)
    maker = Elsewhere(graph, tmp_path)
    with keeping(graph, tmp_path, maker=maker, small=4) as keeper:
        generation = change(keeper, graph, tmp_path, 6)

        assert isinstance(keeper.index.catalogue.tools, PackedTools)
        assert (maker.made, maker.in_background, maker.read_whole, graph.whole) == (2, 1, 1, 0)
        assert states(tmp_path)[0].generation == generation
        assert answers_as_built(keeper, graph)


def test_nothing_is_read_whole_for_a_snapshot_while_an_ingest_is_at_work(tmp_path: Path) -> None:
    """What was kept does not lead to half a generation, but it will to the whole."""
    graph = Counted()
    ingest(graph, manifests=many(tmp_path, 5), taxonomy=False)
    store = SnapshotFolder(tmp_path / "kept", release="1.0")
    assert keep_index(graph, store, lambda work: work)
    ingest(graph, manifests=many(tmp_path, 6), taxonomy=False)
    graph.whole, graph.writing = 0, True
    with pytest.raises(NotReadyError, match="at work"):
        keep_index(graph, store, lambda work: work)
    graph.writing = False
    assert keep_index(graph, store, lambda work: work)
    assert graph.whole == 0


def test_what_fails_elsewhere_is_counted_together_here(tmp_path: Path) -> None:
    graph = Counted()
    ingest(graph, manifests=many(tmp_path, 5), taxonomy=False)
    failing = Elsewhere(graph, tmp_path, works=False)
    with keeping(graph, tmp_path, maker=failing, small=4) as keeper:
        wait_until(lambda: isinstance(keeper.index.catalogue.tools, PackedTools))
        change(keeper, graph, tmp_path, 6)
        assert answers_as_built(keeper, graph)


def test_what_another_release_makes_elsewhere_is_not_waited_for_again(tmp_path: Path) -> None:
    """The package was replaced under a running service."""
    graph = Counted()
    ingest(graph, manifests=many(tmp_path, 5), taxonomy=False)
    maker = Elsewhere(graph, tmp_path)
    with keeping(graph, tmp_path, maker=maker, small=4) as keeper:
        maker.release = "1.1"
        for number in range(2):
            change(keeper, graph, tmp_path, 6 + number)
            assert answers_as_built(keeper, graph)
        assert maker.made == 2, "at the start, and after the first change"


def test_a_snapshot_that_is_made_elsewhere_has_the_vectors(tmp_path: Path) -> None:
    """Those that are kept for all processes; else the service would encode its tools after each."""
    graph = Counted()
    ingest(graph, manifests=many(tmp_path, 40), taxonomy=False)
    vectors = VectorFile(tmp_path / "vectors.sqlite")
    maker = Elsewhere(graph, tmp_path, encoder=ToolEncoder(Concepts(), vectors))
    encoder = ToolEncoder(Concepts(), vectors)
    with keeping(graph, tmp_path, maker=maker, small=4, encoder=encoder) as keeper:
        wait_until(lambda: kept_vectors(graph, tmp_path))
        change(keeper, graph, tmp_path, 41)
        wait_until(lambda: kept_vectors(graph, tmp_path))
        assert encoded_tools(keeper) == 41
        assert graph.whole == 0


def test_what_another_release_or_another_graph_kept_is_not_taken(tmp_path: Path) -> None:
    """Nor what is too far behind; of all of them the start reads the graph."""
    graph = Counted()
    ingest(graph, manifests=write(tmp_path, sail="Sails a boat"), taxonomy=False)
    kept_of(graph, tmp_path)
    with keeping(graph, tmp_path, release="1.1") as keeper:
        assert graph.whole == 2
        assert answers_as_built(keeper, graph)

    other = Counted()
    ingest(other, manifests=write(tmp_path, fly="Flies a plane"), taxonomy=False)
    assert other.state().generation == graph.state().generation
    with keeping(other, tmp_path) as keeper:
        assert other.whole == 1
        assert [tool.id for tool in keeper.index.catalogue.tools] == ["boats/fly"]

    ingest(graph, manifests=write(tmp_path, sail="Sails a ship"), taxonomy=False)
    graph.generations.clear()
    graph.whole = 0
    with keeping(graph, tmp_path) as keeper:
        assert graph.whole == 1
        assert answers_as_built(keeper, graph)


def test_a_damaged_snapshot_is_a_warning_and_a_build(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    graph = Counted()
    ingest(graph, manifests=write(tmp_path, sail="Sails a boat"), taxonomy=False)
    kept_of(graph, tmp_path)
    for path in (tmp_path / "kept").glob("*.snapshot"):
        content = bytearray(path.read_bytes())
        content[content.index(b"Sails a boat")] ^= 1
        path.write_bytes(content)

    with caplog.at_level(logging.WARNING), keeping(graph, tmp_path) as keeper:
        assert graph.whole == 2
        assert answers_as_built(keeper, graph)
        wait_until(lambda: isinstance(keeper.index.catalogue.tools, PackedTools))
    assert "checksum" in str([vars(one) for one in caplog.records])
    with keeping(graph, tmp_path):
        assert graph.whole == 2, "it was written again"


def test_a_snapshot_that_our_own_defect_spoilt_is_a_build(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whole by its checksum, and yet not an index."""
    graph = Counted()
    ingest(graph, manifests=write(tmp_path, sail="Sails a boat"), taxonomy=False)
    state = graph.state()
    folder = SnapshotFolder(tmp_path / "kept", release="1.0")
    assert folder.keep(KeptState(state.generation, state.stamp), {})

    with caplog.at_level(logging.ERROR), keeping(graph, tmp_path) as keeper:
        assert graph.whole == 1
        assert answers_as_built(keeper, graph)
    assert "a defect" in caplog.text


def test_while_changes_come_it_is_kept_again_only_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A snapshot is as large as the catalogue; what changed since one is read from the graph."""
    monkeypatch.setattr(snapshots, "_KEPT_EVERY", 3)
    graph = Counted()
    ingest(graph, manifests=write(tmp_path, sail="Sails a boat"), taxonomy=False)
    first = graph.state().generation
    with keeping(graph, tmp_path) as keeper:
        wait_until(lambda: len(states(tmp_path)) == 1, timeout_s=10)
        for number in range(3):
            text = f"Sails a boat {number}"
            generation = ingest(graph, manifests=write(tmp_path, sail=text), taxonomy=False)
            wait_until(lambda at=generation: keeper.index.generation == at)  # type: ignore[misc]
            wait_until(lambda: keeper.index.is_settled, timeout_s=10)
        wait_until(lambda: len(states(tmp_path)) == 2, timeout_s=10)
        assert [one.generation for one in states(tmp_path)] == [first + 3, first]
        assert answers_as_built(keeper, graph)


def test_an_index_is_kept_again_once_its_tools_are_encoded(tmp_path: Path) -> None:
    """The next start has the vectors from the file; what was kept without them is written anew."""
    graph = Counted()
    many = {f"sail_{at}": f"Sails boat {at}" for at in range(100)}
    ingest(graph, manifests=write(tmp_path, **many), taxonomy=False)
    kept_of(graph, tmp_path)

    with keeping(graph, tmp_path, encoder=ToolEncoder(Concepts())) as keeper:
        wait_until(lambda: encoded_tools(keeper) == 100)
        wait_until(lambda: kept_vectors(graph, tmp_path))

    encoder = Concepts()
    with keeping(graph, tmp_path, encoder=ToolEncoder(encoder)) as keeper:
        assert encoded_tools(keeper) == 100
        ingest(graph, manifests=write(tmp_path, **many | {"sail_7": "Sails slowly"}), taxonomy=False)
        wait_until(lambda: "boats sail 7: Sails slowly" in encoder.texts)
    assert len([text for text in encoder.texts if "ails" in text]) == 1


def encoded_tools(keeper: SnapshotKeeper) -> int:
    vectors = keeper.index.meaning.vectors
    return 0 if vectors is None else int((vectors.scales > 0).sum())


def kept_vectors(graph: InMemoryGraph, path: Path) -> bool:
    state = graph.state()
    found = SnapshotFolder(path / "kept", release="1.0").load(KeptState(state.generation, state.stamp))
    return found is not None and "meaning" in found
