"""Noting what nothing met: off the path of requests, whatever the graph does meanwhile."""

import pytest

from app.adapters.graph.lease import lease_owner
from app.answers.search import QueryAnswer, TokenSaving
from app.domain.unmet.entries import KEPT_UNMET, UnmetEntry, UnmetKind, UnmetMode
from app.errors import LeaseHeldError, NotFoundError, StoreUnavailableError
from app.usecases.index.snapshots import SnapshotKeeper
from app.usecases.unmet.keeper import UnmetKeeper
from tests.fakes import InMemoryGraph

NOTHING = QueryAnswer((), abstained=True, nearest=(), tokens=TokenSaving(0, 0, 0), generation=1, took_ms=0.0)


def keeper_of(graph: InMemoryGraph, mode: UnmetMode = UnmetMode.TEXTS) -> UnmetKeeper:
    """Not started: nothing is written but by `flush`."""
    snapshots = SnapshotKeeper(graph, refresh_s=60.0)
    return UnmetKeeper(graph, snapshots, mode=mode, owner=lease_owner, lease_wait_s=0.1)


def test_noting_writes_nothing_by_itself() -> None:
    """Also while the graph is away: a request never waits for it."""
    graph = InMemoryGraph(reachable=False)
    unmet = keeper_of(graph)

    unmet.note_search("book a flight", NOTHING)

    with pytest.raises(StoreUnavailableError):
        unmet.flush()
    graph.reachable = True
    assert (unmet.flush(), unmet.flush()) == (1, 0)
    assert [one.text for one in graph.unmet_entries.values()] == ["book a flight"]


def test_another_writer_goes_first() -> None:
    """What was noted waits, and is added up with what comes meanwhile."""
    graph = InMemoryGraph()
    unmet = keeper_of(graph)
    with graph.lease(owner="elsewhere:1:abcd", wait_s=1):
        unmet.note_search("book a flight", NOTHING)
        with pytest.raises(LeaseHeldError):
            unmet.flush()
        unmet.note_search("book a flight", NOTHING)
    unmet.flush()

    assert [one.count for one in graph.unmet_entries.values()] == [2]


def test_what_waits_is_bounded_and_the_most_frequent_stays() -> None:
    """However long the graph is away, and however much is asked."""
    graph = InMemoryGraph(reachable=False)
    unmet = keeper_of(graph)
    for _ in range(3):
        unmet.note_search("book a flight", NOTHING)
    for batch in range(4):
        for number in range(400):
            unmet.note_search(f"request {batch} {number}", NOTHING)
        with pytest.raises(StoreUnavailableError):
            unmet.flush()
    graph.reachable = True

    assert unmet.flush() == len(graph.unmet_entries) == 1000
    assert max(graph.unmet_entries.values(), key=lambda one: one.count).text == "book a flight"


def test_the_graph_keeps_the_latest_of_too_many() -> None:
    """Each batch takes away what is old, and what is too much."""

    def entry(number: int, year: int) -> UnmetEntry:
        at = f"{year}-01-01T00:00:00Z"
        facts = {"kind": UnmetKind.REQUEST, "text": f"word {number}", "near": (), "count": 1}
        return UnmetEntry(id=f"{number:032x}", first_at=at, last_at=at, **facts)

    graph = InMemoryGraph()
    old = [entry(number, 2020) for number in range(5)]
    new = [entry(number, 9026) for number in range(10, 10 + KEPT_UNMET + 3)]
    graph.unmet_entries = {one.id: one for one in (*old, *new)}
    unmet = keeper_of(graph)
    unmet.note_search("book a flight", NOTHING)

    unmet.flush()

    assert len(graph.unmet_entries) == KEPT_UNMET
    assert not graph.unmet_entries.keys() & {one.id for one in old}


def test_deleting_takes_all_ids_or_none() -> None:
    """A misspelt id takes nothing away; clearing takes everything."""
    graph = InMemoryGraph()
    unmet = keeper_of(graph)
    for text in ("book a flight", "hail a taxi"):
        unmet.note_search(text, NOTHING)
    unmet.flush()
    first, *_ = graph.unmet_entries

    with pytest.raises(NotFoundError, match=r"0{32}"):
        unmet.store.remove([first, "0" * 32])

    assert len(unmet.store.entries()) == 2
    assert (unmet.store.clear(), unmet.store.clear()) == (2, 0)
