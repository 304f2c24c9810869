"""What one graph gives as a backup, another takes, of whichever engine: equal bytes, equal answers."""

import random
from dataclasses import replace

import pytest

from app.adapters.graph.store import GraphStore
from app.domain.backup.lines import HALF_RESTORED
from app.domain.nodes.models import NodeKind
from app.errors import InvalidInputError, NotReadyError
from tests.backups import backed_up, fill, restored
from tests.fakes import InMemoryGraph


@pytest.mark.parametrize("seed", range(3))
def test_a_backup_of_each_engine_is_the_backup_of_the_other(
    graph: InMemoryGraph | GraphStore, seed: int
) -> None:
    """Every kind of node, form of edge and type of property, there and back."""
    fill(graph, random.Random(seed))
    before, data, sources = graph.catalogue(), backed_up(graph), graph.sources()
    records = [graph.syncs(one.id) for one in sources]
    reviews = graph.found_reviews([one.id for one in graph.reviews()])
    memory = InMemoryGraph()

    restored(memory, data)
    _half_restored(graph)
    restored(graph, backed_up(memory))

    assert backed_up(memory) == data
    assert backed_up(graph) == data
    assert replace(graph.catalogue(), stamp="") == replace(before, stamp="")
    assert (graph.sources(), [graph.syncs(one.id) for one in sources]) == (sources, records)
    assert graph.found_reviews([one.id for one in graph.reviews()]) == reviews


def test_the_generation_is_that_of_the_backup_and_the_state_another(
    graph: InMemoryGraph | GraphStore,
) -> None:
    """Who has a snapshot of the graph that was backed up reads this one whole."""
    memory = InMemoryGraph(generation=41)
    fill(memory, random.Random(1))

    report = restored(graph, backed_up(memory))

    state = graph.state()
    assert (state.generation, state.writing, report.generation) == (42, False, 42)
    assert state.stamp not in ("", memory.stamp)
    assert graph.half_restored() == ""
    assert graph.changes(41, stamp=memory.stamp) is None


def test_a_graph_that_is_not_empty_is_not_filled(graph: InMemoryGraph | GraphStore) -> None:
    """Nor is it touched."""
    memory = InMemoryGraph()
    fill(memory, random.Random(1))
    data = backed_up(memory)
    restored(graph, data)

    with pytest.raises(InvalidInputError, match="not empty"):
        restored(graph, data)

    assert backed_up(graph) == data


def test_nothing_else_is_written_to_a_graph_that_is_half_filled(graph: InMemoryGraph | GraphStore) -> None:
    """The same restore removes what is there, and fills it again."""
    memory = InMemoryGraph()
    fill(memory, random.Random(2))
    data = backed_up(memory)
    graph.apply_schema()
    _half_restored(graph)
    with graph.lease(owner="tests:1:killed", wait_s=1) as lease:
        lease.put_sources(memory.sources())
        lease.put_nodes(NodeKind.TOOL, memory.node_rows(NodeKind.TOOL, ["tool/a0", "tool/b1"]))
    with graph.lease(owner="tests:1:other", wait_s=1) as lease, pytest.raises(NotReadyError) as refused:
        lease.begin()
    with pytest.raises(NotReadyError):
        backed_up(graph)

    restored(graph, data)

    assert str(refused.value) == HALF_RESTORED
    assert backed_up(graph) == data
    with graph.lease(owner="tests:1:later", wait_s=1) as lease:
        lease.begin()
        lease.finish()


def test_an_empty_graph_has_no_backup(graph: InMemoryGraph | GraphStore) -> None:
    """A file with nothing in it would look like a backup."""
    with pytest.raises(InvalidInputError, match="nothing to back up"):
        backed_up(graph)


def _half_restored(graph: InMemoryGraph | GraphStore) -> None:
    """As a restore leaves it that is killed."""
    with graph.lease(owner="tests:1:killed", wait_s=1) as lease:
        lease.begin_restore("0" * 64, generation=9)
