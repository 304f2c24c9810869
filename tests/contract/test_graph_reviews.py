"""What is known of definitions that are reviewed, as a graph keeps it."""

from app.adapters.graph.store import GraphStore
from app.domain.findings.patterns import Tier
from app.domain.findings.scan import TextFinding
from app.domain.nodes.models import Source, SourceId, ToolId, Trust
from app.domain.review.records import Review, ReviewState
from tests.fakes import InMemoryGraph

FINDING = TextFinding("shell", Tier.HARD, "a command", "description", 'it\'s "rm" -rf \\')


def _record(name: str, *, source: str = "mcp:a", state: ReviewState = ReviewState.PENDING) -> Review:
    return Review(
        id=ToolId(name),
        source=SourceId(source),
        state=state,
        severity="breaking",
        reviewed=state is ReviewState.APPROVED,
        approved_hash="1" * 64,
        approved='{"properties":{"name":"x"}}',
        seen_hash="2" * 64,
        seen='{"properties":{}}',
        by="eve",
        reason="looked",
        at="2026-03-01T00:00:00Z",
        seen_at="2026-02-01T00:00:00Z",
        findings=(FINDING,),
    )


def test_records_are_read_as_they_were_written(graph: InMemoryGraph | GraphStore) -> None:
    """By id; a list leaves the definitions out; one that is written again is replaced; unknown ids are left out."""
    records = [_record("b/x", source="mcp:b"), _record("a/y"), _record("a/x", state=ReviewState.APPROVED)]
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_reviews(records)
        lease.put_reviews([records[1].model_copy(update={"state": ReviewState.BLOCKED, "findings": ()})])
    blocked = records[1].model_copy(update={"state": ReviewState.BLOCKED, "findings": ()})

    assert graph.found_reviews(["b/x", "a/y", "c/z", "a/y"]) == [blocked, records[0]]
    assert graph.reviews_of(SourceId("mcp:a")) == [records[2], blocked]
    assert graph.reviews() == [
        one.model_copy(update={"approved": "", "seen": ""}) for one in (records[2], blocked, records[0])
    ]


def test_records_go_by_id(graph: InMemoryGraph | GraphStore) -> None:
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_reviews([_record("a/x"), _record("a/y")])
        lease.remove_reviews(["a/x", "no/such"])

    assert [one.id for one in graph.reviews()] == ["a/y"]


def test_a_source_keeps_how_far_it_is_trusted(graph: InMemoryGraph | GraphStore) -> None:
    """One of an older graph, or of which nothing is said, is trusted in full."""
    told = {"kind": "mcp", "uri": "stdio:x", "version": "", "content_hash": "", "synced_at": ""}
    sources = [
        Source(id=SourceId(f"mcp:{trust}"), name=trust.value, trust=trust, **told)  # type: ignore[arg-type]
        for trust in sorted(Trust)
    ]
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_sources(sources)

    assert graph.sources() == sources
