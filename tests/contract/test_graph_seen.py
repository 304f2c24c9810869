"""What a caller sees is the same whichever engine has the graph."""

from app.adapters.graph.store import GraphStore
from app.domain.nodes.models import NodeKind
from app.usecases.seen.provenance import read_provenance
from tests.fakes import InMemoryGraph
from tests.hidden import Book, calls_passed_on, difference, fill, questions, random_graph, random_rules
from tests.ingest_cases import remove

SEED = 11


def test_answers_under_a_policy_are_those_of_the_graph_in_memory(graph: InMemoryGraph | GraphStore) -> None:
    """Over REST and MCP; two policies."""
    fill(graph, SEED)
    memory, book = random_graph(SEED), Book()
    with calls_passed_on(graph, book) as one, calls_passed_on(memory, book) as other:
        for at in range(2):
            book.rules = random_rules(100 * SEED + at, memory)
            for question in questions(1000 * SEED + at, memory):
                assert not (said := difference(question, one, other)), said


def test_who_provides_what_is_followed_by_what_changed(graph: InMemoryGraph | GraphStore) -> None:
    """Read by id after a change, as if all had been read."""
    fill(graph, SEED)
    before = read_provenance(graph, None)
    remove(graph, "manifest:s0")

    followed, anew = read_provenance(graph, before), read_provenance(graph, None)

    assert before is not None
    assert followed is not None
    assert anew is not None
    assert {one: sorted(map(str, some)) for one, some in followed.providers.items()} == {
        one: sorted(map(str, some)) for one, some in anew.providers.items()
    }
    assert followed.generation == anew.generation > before.generation
    assert any(kind is NodeKind.TOOL for kind, _ in before.providers.keys() - anew.providers.keys())
