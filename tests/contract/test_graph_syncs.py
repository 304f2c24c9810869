"""Records of syncs, the health of sources, and the ids that tools had before."""

from app.adapters.graph.store import GraphStore
from app.domain.nodes.models import SourceId
from app.domain.nodes.syncs import (
    KEPT,
    Change,
    Severity,
    SyncPage,
    SyncRecord,
    SyncStatus,
    ToolChange,
    record_id,
)
from tests.contract.rows import MANIFEST, TAXONOMY, TOOL, node, source
from tests.fakes import InMemoryGraph


def _record(number: int, *, of: SourceId = MANIFEST, problem: str = "") -> SyncRecord:
    return SyncRecord(
        source=of,
        number=number,
        at="2026-11-21T00:00:00Z",
        status=SyncStatus.FAILED if problem else SyncStatus.CHANGED,
        generation=number,
        severity=None if problem else Severity.BREAKING,
        tools=()
        if problem
        else (ToolChange(id="web/a", change=Change.REMOVED, severity=Severity.BREAKING, reasons=("gone",)),),
        problem=problem,
    )


def test_records_are_read_as_they_were_written_newest_first(graph: InMemoryGraph | GraphStore) -> None:
    """Each source has its own."""
    records = [_record(1), _record(2, problem='no answer: it\'s "away"'), _record(3)]

    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_sources([source(MANIFEST), source(TAXONOMY)])
        lease.put_syncs([*records, _record(1, of=TAXONOMY)])

    assert graph.syncs(MANIFEST) == records[::-1]
    assert graph.syncs(TAXONOMY) == [_record(1, of=TAXONOMY)]
    assert graph.syncs("mcp:none") == []


def test_records_of_all_sources_are_listed_newest_first(graph: InMemoryGraph | GraphStore) -> None:
    """Those of one second by id; a page goes on behind the last record of the one before; filters hold on each page."""

    def at(second: int, number: int, *, of: SourceId = MANIFEST, problem: str = "") -> SyncRecord:
        record = _record(number, of=of, problem=problem)
        return record.model_copy(update={"at": f"2026-11-21T00:00:{second:02}Z"})

    records = [at(1, 1), at(2, 2, problem="away"), at(2, 3), at(2, 1, of=TAXONOMY), at(3, 2, of=TAXONOMY)]
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_syncs(records)

    whole = graph.all_syncs(SyncPage(limit=10))
    paged: list[SyncRecord] = []
    while page := graph.all_syncs(
        SyncPage(2, before=paged[-1].at, after_id=record_id(paged[-1])) if paged else SyncPage(2)
    ):
        paged += page

    assert whole == [records[4], records[1], records[2], records[3], records[0]]
    assert paged == whole
    assert graph.all_syncs(SyncPage(9, severities=("failed",))) == [records[1]]
    assert (
        graph.all_syncs(SyncPage(9, severities=("breaking", "failed"), since="2026-11-21T00:00:02Z"))
        == whole[:4]
    )
    assert graph.all_syncs(SyncPage(9, severities=("description",))) == []


def test_a_record_written_again_is_replaced(graph: InMemoryGraph | GraphStore) -> None:
    """A failure that goes on is one record."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_syncs([_record(7, problem="first")])
        lease.put_syncs([_record(7, problem="second")])

    assert [one.problem for one in graph.syncs(MANIFEST)] == ["second"]


def test_only_so_many_records_are_kept(graph: InMemoryGraph | GraphStore) -> None:
    """The oldest give way, whatever a server does."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_syncs([_record(number) for number in range(1, KEPT + 4)])

    kept = [one.number for one in graph.syncs(MANIFEST)]
    assert kept == list(range(KEPT + 3, 3, -1))


def test_records_go_with_their_source(graph: InMemoryGraph | GraphStore) -> None:
    """Those of others stay, also where one name begins with the other."""
    longer = SourceId(f"{MANIFEST}2")
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_sources([source(MANIFEST), source(longer)])
        lease.put_syncs([_record(1), _record(1, of=longer)])
        lease.remove_sources([MANIFEST])

    assert graph.syncs(MANIFEST) == []
    assert len(graph.syncs(longer)) == 1


def test_a_source_says_how_it_is(graph: InMemoryGraph | GraphStore) -> None:
    """Healthy unless said otherwise, and healthy again."""
    sick = source(MANIFEST).model_copy(
        update={
            "healthy": False,
            "problem": "no answer",
            "problem_at": "2026-11-21T00:00:00Z",
            "listed_in": "file:///etc/sources.yaml",
        }
    )
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_sources([sick, source(TAXONOMY)])
        assert graph.sources() == [sick, source(TAXONOMY)]
        assert graph.sources([TAXONOMY, "manifest:unknown"]) == [source(TAXONOMY)]
        assert graph.unhealthy_sources() == [sick]
        assert [one.source for one in graph.source_counts()] == [sick, source(TAXONOMY)]
        assert graph.unhealthy_sources() == [sick]
        lease.put_sources([source(MANIFEST)])

    assert graph.unhealthy_sources() == []
    assert graph.sources() == [source(MANIFEST), source(TAXONOMY)]
    assert graph.unhealthy_sources() == []


def test_a_tool_remembers_its_last_ten_ids(graph: InMemoryGraph | GraphStore) -> None:
    """The newest first, so that what names an old one can still be understood."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(TOOL, [node("web/0", name="0"), node("web/other", name="other")])
        for number in range(12):
            lease.rename_tools([(f"web/{number}", f"web/{number + 1}")])

    names = {one.id: one.former_ids for one in graph.node_names(TOOL)}
    assert names == {"web/12": tuple(f"web/{number}" for number in range(11, 1, -1)), "web/other": ()}
