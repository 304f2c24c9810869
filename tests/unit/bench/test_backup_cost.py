"""`bench backup`: what is filled from a backup says the same, and where it does not, that is said."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.domain.nodes.models import NodeKind, NodeRow
from bench.backup.measure import cost_of
from tests.backups import fill
from tests.fakes import InMemoryGraph


class Forgetful(InMemoryGraph):
    """Gives back one method fewer than it has."""

    def node_rows(self, kind: NodeKind, ids: Sequence[str]) -> list[NodeRow]:
        found = list(super().node_rows(kind, ids))
        return found[1:] if kind is NodeKind.METHOD else found


@pytest.mark.parametrize(("other", "same"), [(InMemoryGraph, True), (Forgetful, False)])
def test_it_is_said_whether_both_graphs_say_the_same(
    other: type[InMemoryGraph], same: bool, tmp_path: Path
) -> None:
    graph = InMemoryGraph()
    fill(graph, random.Random(1), nodes=6)

    found = cost_of(graph, other(), tmp_path, engine="embedded", tools=6)

    assert found.same is same
    assert found.lines > 40
    files = [(tmp_path / name).read_bytes() for name in ("one.jsonl.gz", "again.jsonl.gz")]
    assert (files[0] == files[1]) is same
