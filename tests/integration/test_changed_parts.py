"""A reader that takes in what changed has what one has that reads everything."""

from pathlib import Path

import pytest

from app.domain.catalogue import Catalogue
from app.domain.changes import with_part
from app.domain.nodes.models import NodeKind
from app.usecases.index.changed import changed_index
from app.usecases.index.kept import arrays_of, index_of
from app.usecases.index.search_index import SearchIndex
from app.usecases.plan import make_plan
from app.usecases.questions import PlanRequest, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
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
    index = packed(SearchIndex.build(seen[0]))
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
            changes = graph.changes(seen[-1].generation, stamp=seen[-1].stamp)
            assert changes is not None
            later = changed_index(index, graph.part(changes))
            index = later.settled() if later is not None else packed(SearchIndex.build(now))
            assert index.catalogue == now
            assert said(index) == said(SearchIndex.build(now))
            seen.append(now)

    assert len(seen) > STEPS / 3


def packed(index: SearchIndex) -> SearchIndex:
    """As a start from a kept snapshot has it."""
    _ = index.plan_index
    return index_of(arrays_of(index))


def said(index: SearchIndex) -> object:
    """Answers and plans, from memory."""
    seen = ConsistentGraph(index)
    request = SearchRequest(query="refund the order and send it", explain=True, schemas=True)
    goals = ("pay the order, then track it", "refund order 7 and send a message")
    return search(request, seen), [make_plan(PlanRequest(goal=goal), seen) for goal in goals]
