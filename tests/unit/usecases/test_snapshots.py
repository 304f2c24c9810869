"""The snapshot follows the graph, whole, and outlives it."""

import logging
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from app.answers.search import QueryAnswer
from app.domain.catalogue import Catalogue
from app.domain.changes import CatalogueChanges, CataloguePart
from app.domain.nodes.models import GraphState, ScoredId
from app.errors import NotReadyError, SchemaVersionError
from app.ports.ranking import GraphScores
from app.usecases.index import snapshots
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.snapshots import SnapshotKeeper
from app.usecases.questions import SearchMethod, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from tests.fakes import InMemoryGraph
from tests.service import client, ingest, wait_until

ONE_TOOL = '{"tools": [{"name": "sail", "description": "Sails a boat", "inputSchema": {"type": "object"}}]}'
FAST_S = 0.02
NEVER_S = 60.0


@contextmanager
def keeping(
    graph: InMemoryGraph, *, refresh_s: float = FAST_S, first: bool = True
) -> Iterator[SnapshotKeeper]:
    keeper = SnapshotKeeper(graph, refresh_s=refresh_s)
    keeper.start()
    if first:
        wait_until(lambda: keeper.current is not None)
    yield keeper
    assert keeper.stop()


def asked(request: SearchRequest, keeper: SnapshotKeeper, graph: InMemoryGraph) -> QueryAnswer:
    """As the service answers: from the snapshot that there is now."""
    return search(request, ConsistentGraph(keeper.index, graph, keeper=keeper))


@pytest.fixture
def boats(tmp_path: Path) -> Path:
    (tmp_path / "boats.json").write_text(ONE_TOOL)
    return tmp_path


def test_a_new_generation_is_loaded_by_polling(boats: Path) -> None:
    """What another process ingests is found without a query."""
    graph = InMemoryGraph()
    with keeping(graph) as keeper:
        assert keeper.index.generation == 0
        generation = ingest(graph, manifests=boats, taxonomy=False)
        wait_until(lambda: keeper.index.generation == generation)

        assert [tool.id for tool in keeper.index.catalogue.tools] == ["boats/sail"]


def test_a_new_generation_is_loaded_when_a_query_sees_it(boats: Path) -> None:
    """The query itself is answered from the old snapshot; the next ones come from the new one."""
    graph = InMemoryGraph()
    with keeping(graph, refresh_s=NEVER_S) as keeper:
        generation = ingest(graph, manifests=boats, taxonomy=False)
        old = asked(SearchRequest(query="sail"), keeper, graph)
        wait_until(lambda: keeper.index.generation == generation)
        new = asked(SearchRequest(query="sail"), keeper, graph)

    assert (old.generation, old.tools) == (0, ())
    assert (new.generation, [tool.id for tool in new.tools]) == (generation, ["boats/sail"])


def test_a_generation_that_comes_right_after_a_look_is_loaded_by_the_next_query(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The look that the query asks for is put off, and is not left out."""
    monkeypatch.setattr(snapshots, "_LOOK_GAP_S", 1.0)
    graph = InMemoryGraph()
    ingest(graph)
    with keeping(graph, refresh_s=NEVER_S) as keeper:
        graph.generation += 1
        asked(SearchRequest(query="order", method=SearchMethod.BM25), keeper, graph)
        wait_until(lambda: keeper.index.generation == graph.generation, timeout_s=20)


def test_while_an_ingest_writes_the_old_snapshot_stays(boats: Path) -> None:
    """Half an ingest is never answered from, whatever it has written already."""
    graph = InMemoryGraph()
    generation = ingest(graph, manifests=boats, taxonomy=False)
    with keeping(graph) as keeper:
        graph.writing = True
        graph.generation = generation + 1
        wait_until(lambda: keeper.health.writing)
        time.sleep(5 * FAST_S)
        assert keeper.index.generation == generation
        graph.writing = False
        wait_until(lambda: keeper.index.generation == generation + 1)


def test_a_first_start_beside_an_ingest_at_work_waits_for_its_end(boats: Path) -> None:
    """No snapshot rather than half of one."""
    graph = InMemoryGraph()
    with graph.lease(owner="other-host:1:x", wait_s=1) as lease:
        lease.begin()
        with keeping(graph, first=False) as keeper:
            wait_until(lambda: keeper.health.writing)
            time.sleep(5 * FAST_S)
            with pytest.raises(NotReadyError, match="an ingest"):
                _ = keeper.index
            lease.finish()
            wait_until(lambda: keeper.current is not None)


def test_what_a_killed_ingest_left_is_served_with_a_warning(
    boats: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With nothing else to serve; the finished ingest replaces it."""
    graph = InMemoryGraph()
    ingest(graph, manifests=boats, taxonomy=False)
    graph.writing = True
    with caplog.at_level(logging.WARNING), keeping(graph) as keeper:
        assert keeper.current is not None
        assert not keeper.current.finished
        wait_until(lambda: any("killed" in record.message for record in caplog.records))
        generation = ingest(graph, manifests=boats, taxonomy=False)
        wait_until(lambda: keeper.index.generation == generation)
        assert keeper.current.finished


@pytest.mark.parametrize("method", list(SearchMethod))
def test_without_the_graph_the_same_answers_come_from_memory(method: SearchMethod) -> None:
    """Scores and order are those of the graph; nothing is raised; it is found again by itself."""
    graph = InMemoryGraph()
    ingest(graph)
    request = SearchRequest(query="A package never showed up", method=method, explain=True)
    with keeping(graph) as keeper:
        with_graph = asked(request, keeper, graph)
        graph.reachable = False
        without = asked(request, keeper, graph)
        wait_until(lambda: not keeper.health.reachable)
        later = asked(request, keeper, graph)
        graph.reachable = True
        wait_until(lambda: keeper.health.reachable)
        again = asked(request, keeper, graph)

    assert without.tools == later.tools == with_graph.tools
    assert (with_graph.from_graph, later.from_graph, again.from_graph) == (True, method == "bm25", True)


def test_the_service_says_what_it_can_do_without_the_graph() -> None:
    """Queries and cards go on, `degraded`; what only the graph knows is 503 with Retry-After."""
    graph = InMemoryGraph()
    ingest(graph)
    with client(graph) as service:
        graph.reachable = False
        wait_until(lambda: service.get("/readyz").json()["status"] == "degraded")
        query = service.post("/v1/query", json={"query": "order"})
        card = service.get("/v1/tools/orders/get_order")
        sources = service.get("/v1/sources")
        ready = service.get("/readyz")
        metrics = service.get("/metrics").text
        graph.reachable = True
        wait_until(lambda: service.get("/readyz").json()["status"] == "ready")
        after = service.get("/v1/sources")

    assert (query.status_code, card.status_code, sources.status_code) == (200, 200, 503)
    assert sources.headers["retry-after"] == "1"
    assert ready.status_code == 200
    assert "outfitter_graph_reachable 0.0" in metrics
    assert after.status_code == 200


def test_before_the_first_snapshot_the_service_is_not_ready() -> None:
    """503 for what needs it, 200 for health."""
    graph = InMemoryGraph()
    graph.reachable = False
    with client(graph, ready=False) as service:
        found = [service.get(path).status_code for path in ("/healthz", "/readyz", "/v1/tools")]
        query = service.post("/v1/query", json={"query": "order"})
        graph.reachable = True
        wait_until(lambda: service.get("/readyz").status_code == 200)

    assert found == [200, 503, 503]
    assert query.status_code == 503
    assert query.json()["type"] == "urn:outfitter:problem:not-available"


def test_a_database_that_is_away_for_hours_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time between two looks doubles up to a bound, after any number of failures."""
    monkeypatch.setattr(snapshots, "_FIRST_RETRY_S", 1e-6)
    monkeypatch.setattr(snapshots, "_LONGEST_RETRY_S", 1e-5)
    graph = _Counting()
    with keeping(graph) as keeper:
        graph.reachable = False
        wait_until(lambda: graph.failures > 1_100, timeout_s=20)
        graph.reachable = True
        wait_until(lambda: keeper.health.reachable)


class _Counting(InMemoryGraph):
    failures = 0

    def state(self) -> GraphState:
        self.failures += not self.reachable
        return super().state()


class _Hanging(InMemoryGraph):
    """A graph whose database stops answering without closing its connections."""

    def hang(self) -> None:
        self.free = threading.Event()

    def go_on(self) -> None:
        self.free.set()

    def ping(self) -> None:
        free = getattr(self, "free", None)
        if free is not None:
            free.wait(30)
        super().ping()


def test_a_graph_that_hangs_stops_neither_health_nor_queries() -> None:
    """The loop stays free; the first queries wait for the limit, later ones not at all; then it recovers."""
    graph = _Hanging()
    ingest(graph)
    with client(graph, query_timeout_s=0.4) as service:
        before = service.post("/v1/query", json={"query": "where is my order"}).json()
        graph.hang()
        begin = time.monotonic()
        first = service.post("/v1/query", json={"query": "where is my order"})
        waited = time.monotonic() - begin
        begin = time.monotonic()
        health = service.get("/healthz")
        more = [service.post("/v1/query", json={"query": "where is my order"}) for _ in range(30)]
        fast = time.monotonic() - begin
        sources = service.get("/v1/sources")
        graph.go_on()
        wait_until(lambda: service.get("/readyz").json()["status"] == "ready")
        after = service.get("/v1/sources")

    assert health.status_code == 200
    assert waited < 3
    assert fast < 3
    assert {answer.status_code for answer in (first, *more)} == {200}
    assert [tool["id"] for tool in first.json()["tools"]] == [tool["id"] for tool in before["tools"]]
    assert (sources.status_code, after.status_code) == (503, 200)


class _Broken(InMemoryGraph):
    """A graph whose reading fails as told."""

    failure: Exception | None = None

    def catalogue(self, *, accept_unfinished: bool = False) -> Catalogue:
        if self.failure:
            raise self.failure
        return super().catalogue(accept_unfinished=accept_unfinished)


@pytest.mark.parametrize(
    ("failure", "said"),
    [(SchemaVersionError("the graph is of version 9"), "version 9"), (RuntimeError("bug"), "RuntimeError")],
)
def test_a_failure_in_the_thread_is_logged_and_tried_again(
    failure: Exception, said: str, boats: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The old snapshot stays meanwhile, and why is known; the thread does not end."""
    graph = _Broken()
    with caplog.at_level(logging.ERROR), keeping(graph) as keeper:
        graph.failure = failure
        generation = ingest(graph, manifests=boats, taxonomy=False)
        wait_until(lambda: said in keeper.health.problem)
        assert keeper.index.generation == 0
        graph.failure = None
        wait_until(lambda: keeper.index.generation == generation)

    assert any(record.levelno == logging.ERROR for record in caplog.records)


def test_answers_stay_whole_while_a_writer_goes_on(tmp_path: Path) -> None:
    """Every answer of 4 readers is that of the generation that it names, and none fails."""
    graph = InMemoryGraph()
    expected: dict[int, list[str]] = {}
    stop = threading.Event()
    wrong: list[object] = []

    def write() -> None:
        for number in range(12):
            tools = [f'{{"name": "sail_{number}_{n}", "description": "Sails"}}' for n in range(3)]
            (tmp_path / "boats.json").write_text(f'{{"tools": [{", ".join(tools)}]}}')
            # Known before the generation is visible.
            expected[graph.generation + 1] = [f"boats/sail_{number}_{n}" for n in range(3)]
            generation = ingest(graph, manifests=tmp_path, taxonomy=False)
            assert generation == graph.generation
        stop.set()

    with keeping(graph) as keeper:

        def read() -> None:
            while not stop.is_set():
                answer = asked(SearchRequest(query="sails"), keeper, graph)
                found = sorted(tool.id for tool in answer.tools)
                if found != expected.get(answer.generation, []):
                    wrong.append((answer.generation, found))

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        write()
        for thread in threads:
            thread.join()

    assert wrong == []


def test_stopping_is_safe_at_any_time() -> None:
    """Before the start, twice, and while a backoff waits."""
    unstarted = SnapshotKeeper(InMemoryGraph(), refresh_s=1)
    assert unstarted.stop()
    graph = InMemoryGraph()
    graph.reachable = False
    keeper = SnapshotKeeper(graph, refresh_s=1)
    keeper.start()
    wait_until(lambda: not keeper.health.reachable)
    begin = time.monotonic()
    assert keeper.stop()
    assert keeper.stop()
    assert time.monotonic() - begin < 1


def test_words_alone_need_no_graph() -> None:
    """`bm25` only has it looked up whether the graph has moved on."""
    graph = InMemoryGraph()
    ingest(graph)
    with keeping(graph, refresh_s=60) as keeper:
        graph.reachable = False

        def is_lost() -> bool:
            seen = ConsistentGraph(keeper.index, graph, keeper=keeper)
            seen.look()
            assert seen.from_graph
            return not keeper.health.reachable

        wait_until(is_lost)


class _Busy(InMemoryGraph):
    """Says what state it is in only when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.let = threading.Event()
        self.let.set()

    def state(self) -> GraphState:
        self.let.wait(10)
        return super().state()


def test_answers_by_words_do_not_wait_for_a_busy_graph(boats: Path) -> None:
    """The keeper looks at it beside them, and a change is in answers as soon as the graph says so."""
    graph = _Busy()
    ingest(graph, manifests=boats, taxonomy=False)
    with keeping(graph, refresh_s=60) as keeper:
        question = SearchRequest(query="sail a boat", method=SearchMethod.BM25)
        before = asked(question, keeper, graph)
        graph.let.clear()
        begin = time.monotonic()
        while time.monotonic() - begin < 0.2:
            assert asked(question, keeper, graph).tools == before.tools
        graph.let.set()
        generation = ingest(graph)
        wait_until(lambda: asked(question, keeper, graph).generation == generation)


class _Asked(InMemoryGraph):
    """Counts the questions of answers."""

    asked = 0

    def kg_hybrid_scores(self, *, methods: Sequence[ScoredId], templates: Sequence[ScoredId]) -> GraphScores:
        self.asked += 1
        return super().kg_hybrid_scores(methods=methods, templates=templates)


def test_a_graph_that_is_being_written_is_not_asked(boats: Path) -> None:
    """It has no whole generation to answer from: answers come from the index, and are the same."""
    graph = _Asked()
    ingest(graph, manifests=boats)
    with keeping(graph) as keeper:
        question = SearchRequest(query="sail a boat", method=SearchMethod.KG_HYBRID)
        before = asked(question, keeper, graph)
        questions = graph.asked
        graph.writing = True
        wait_until(lambda: keeper.health.writing)
        meanwhile = asked(question, keeper, graph)

        assert questions
        assert graph.asked == questions
        assert (before.from_graph, meanwhile.from_graph) == (True, False)
        assert replace(meanwhile, from_graph=True) == before
        graph.writing = False
        wait_until(lambda: not keeper.health.writing)
        assert asked(question, keeper, graph) == before
        assert graph.asked > questions


@contextmanager
def large(graph: InMemoryGraph) -> Iterator[SnapshotKeeper]:
    """A keeper that takes every catalogue for a large one."""
    keeper = SnapshotKeeper(graph, refresh_s=FAST_S, small=0, patient_s=FAST_S)
    keeper.start()
    wait_until(lambda: keeper.current is not None)
    yield keeper
    assert keeper.stop()


def test_of_a_large_catalogue_only_what_changed_is_taken_in(boats: Path) -> None:
    """A query and a plan see the change at once; then all is counted together again."""
    graph = InMemoryGraph()
    ingest(graph, manifests=boats, taxonomy=False)
    with large(graph) as keeper:
        assert keeper.index.whole.tools.segments[0].at is None
        (boats / "planes.json").write_text(ONE_TOOL.replace("sail", "fly"))
        generation = ingest(graph, manifests=boats, taxonomy=False)
        wait_until(lambda: keeper.index.generation == generation)

        assert [tool.id for tool in keeper.index.catalogue.tools] == ["boats/sail", "planes/fly"]
        assert len(keeper.index.whole.tools.segments) == 2
        assert len(keeper.index.plan_index.columns.texts.segments) == 2
        assert keeper.index.plan_index.position == {"boats/sail": 0, "planes/fly": 1}
        wait_until(lambda: len(keeper.index.whole.tools.segments) == 1)
        assert keeper.index.generation == generation
        assert len(keeper.index.plan_index.columns.texts.segments) == 1


def test_a_gap_in_what_the_graph_says_is_a_build_from_the_whole(boats: Path) -> None:
    """A generation that touched too much, or an older writer, leaves none."""
    graph = InMemoryGraph()
    ingest(graph, manifests=boats, taxonomy=False)
    with large(graph) as keeper:
        with graph.lock:
            (boats / "planes.json").write_text(ONE_TOOL.replace("sail", "fly"))
            generation = ingest(graph, manifests=boats, taxonomy=False)
            graph.generations.clear()
        wait_until(lambda: keeper.index.generation == generation)

        assert [tool.id for tool in keeper.index.catalogue.tools] == ["boats/sail", "planes/fly"]
        assert len(keeper.index.whole.tools.segments) == 1


class _Misread(InMemoryGraph):
    """A graph whose changes cannot be applied, for a defect of ours."""

    def part(self, changes: CatalogueChanges) -> CataloguePart:
        raise RuntimeError(f"what changed since {changes.since}")


def test_a_change_that_cannot_be_taken_in_is_a_build_from_the_whole(
    boats: Path, caplog: pytest.LogCaptureFixture
) -> None:
    graph = _Misread()
    ingest(graph, manifests=boats, taxonomy=False)
    with caplog.at_level(logging.ERROR), large(graph) as keeper:
        (boats / "planes.json").write_text(ONE_TOOL.replace("sail", "fly"))
        generation = ingest(graph, manifests=boats, taxonomy=False)
        wait_until(lambda: keeper.index.generation == generation)

        assert [tool.id for tool in keeper.index.catalogue.tools] == ["boats/sail", "planes/fly"]
    assert "a defect" in caplog.text


def test_memory_goes_back_once_the_index_before_is_gone(boats: Path) -> None:
    """Its memory is that of a whole catalogue: while anything holds it, there is nothing to give back."""
    graph = InMemoryGraph()
    ingest(graph, manifests=boats, taxonomy=False)
    before: list[weakref.ref[SearchIndex]] = []
    alive: list[bool] = []

    def settle() -> None:
        if before:
            alive.append(before[0]() is not None)
        elif keeper.current is not None:
            before.append(weakref.ref(keeper.index))

    keeper = SnapshotKeeper(graph, refresh_s=60, small=0, settle_memory=settle)
    keeper.start()
    try:
        wait_until(lambda: len(alive) > 1, timeout_s=20)
        assert not alive[-1]
    finally:
        assert keeper.stop()
