"""A reader that takes in what changed has what one has that reads everything."""

from pathlib import Path

import pytest

from app.domain.catalogue import Catalogue
from app.domain.changes import with_part
from app.domain.nodes.models import NodeKind
from tests.changing_graph import Changing
from tests.ingest_cases import Graph

STEPS = 30


@pytest.mark.parametrize("seed", range(3))
def test_the_old_catalogue_and_the_part_that_changed_are_the_new_one(
    graph: Graph, tmp_path: Path, seed: int
) -> None:
    """From every generation that is kept, over whatever came between."""
    graph.apply_schema()
    changing = Changing(graph, tmp_path, seed)
    seen: list[Catalogue] = [graph.catalogue()]
    for _ in range(STEPS):
        changing.step()
        now = graph.catalogue()
        for before in {seen[-1].generation: seen[-1], **{one.generation: one for one in seen[::-7]}}.values():
            changes = graph.changes(before.generation, stamp=before.stamp)
            assert changes is not None
            part = graph.part(changes)
            assert with_part(before, part) == now
            assert {one.id for one in part.tools} <= changes.of(NodeKind.TOOL)
        if now.generation != seen[-1].generation:
            seen.append(now)

    assert len(seen) > STEPS / 3
