"""Heads of the audit: one for each chain, the last one."""

from app.adapters.graph.store import GraphStore
from app.domain.audit.chain import AuditHead
from tests.fakes import InMemoryGraph

AT = "2026-11-21T00:00:00Z"


def test_the_last_head_of_each_chain_is_kept(graph: InMemoryGraph | GraphStore) -> None:
    """The one that was kept last first; a chain has one."""
    graph.apply_schema()
    before = graph.state()

    for chain, head in (("a" * 16, "1" * 64), ("b" * 16, "2" * 64), ("a" * 16, "3" * 64)):
        graph.put_audit_head(AuditHead(chain, head, AT))

    assert graph.audit_heads() == [AuditHead("a" * 16, "3" * 64, AT), AuditHead("b" * 16, "2" * 64, AT)]
    assert graph.state() == before


def test_at_most_a_hundred_are_kept(graph: InMemoryGraph | GraphStore) -> None:
    """Replicas come and go."""
    graph.apply_schema()

    for number in range(103):
        graph.put_audit_head(AuditHead(f"{number:016}", "1" * 64, AT))

    assert [int(one.chain) for one in graph.audit_heads()] == list(range(102, 2, -1))


def test_a_graph_without_a_catalogue_keeps_none(graph: InMemoryGraph | GraphStore) -> None:
    """Nothing was written down there."""
    assert graph.audit_heads() == []
