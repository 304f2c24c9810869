"""Heads of the audit, kept whenever there is another one."""

import logging

import pytest

from app.domain.audit.chain import ChainEnd
from app.usecases.anchoring import AuditAnchor
from tests.fakes import InMemoryGraph


def test_a_head_is_kept_when_it_is_another_one(caplog: pytest.LogCaptureFixture) -> None:
    """In the graph and in the log; nothing before the first line."""
    ends: list[ChainEnd | None] = [None]
    graph = InMemoryGraph()
    anchor = AuditAnchor(lambda: ends[-1], graph)

    with caplog.at_level(logging.INFO, logger="app.audit"):
        anchor.keep()
        for head in ("1", "1", "2"):
            ends.append(ChainEnd("c", head))
            anchor.keep()

    assert [(one.chain, one.head) for one in graph.audit_heads()] == [("c", "2")]
    assert [record.__dict__["head"] for record in caplog.records] == ["1", "2"]


def test_a_graph_that_is_away_is_asked_again() -> None:
    """The log has the head meanwhile."""
    graph = InMemoryGraph(reachable=False)
    anchor = AuditAnchor(lambda: ChainEnd("c", "1"), graph)

    anchor.keep()
    graph.reachable = True
    anchor.keep()

    assert [one.head for one in graph.audit_heads()] == ["1"]


def test_the_last_head_is_kept_at_the_end() -> None:
    """Not a minute later."""
    graph = InMemoryGraph()
    anchor = AuditAnchor(lambda: ChainEnd("c", "1"), graph)
    anchor.start()

    anchor.stop()
    anchor.stop()

    assert [one.head for one in graph.audit_heads()] == ["1"]
