"""`bench leaks-acl`: what is compared, and that a difference is found."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.domain.access.rules import Act, Rule, RuleBook
from app.domain.nodes.models import NodeKind
from bench.hidden.catalogues import fill
from bench.hidden.compare import compare
from bench.hidden.contents import contents_of, hidden_from, take_out
from bench.hidden.questions import even_questions, questions
from tests.fakes import InMemoryGraph
from tests.ingest_cases import dump, ingest, manifest, tool

STAFF = frozenset({"staff"})


def test_answers_of_one_policy_are_alike_and_a_tool_too_many_is_seen(
    tmp_path: Path,
) -> None:
    """The second graph stands for a service that tells of something."""
    opened: list[InMemoryGraph] = []
    leaks = False

    @contextmanager
    def empty() -> Iterator[InMemoryGraph]:
        opened.append(InMemoryGraph())
        if leaks and len(opened) > 1:
            ingest(opened[-1], manifest(tmp_path, "leak", tool("get_order", "Gets the order of a parcel")))
        yield opened[-1]

    well = compare(1, 1, seed=3, empty=empty)
    opened.clear()
    leaks = True
    badly = compare(1, 1, seed=3, empty=empty)

    assert well.answers == badly.answers > 50
    assert well.differences == []
    assert any("leak/get_order" in one for one in badly.differences)


def test_what_is_hidden_is_taken_out_and_nothing_else() -> None:
    graph, left = InMemoryGraph(), InMemoryGraph()
    fill(graph, 5)
    contents = contents_of(graph)
    book = RuleBook((Rule("a", STAFF, may=frozenset({Act.FIND}), tools=("s0/*", "s1/*")),))

    hidden = hidden_from(contents, book, Act.FIND)
    fill(left, 5, hidden.untold)
    take_out(left, hidden)

    tools = {one for one in contents.nodes[NodeKind.TOOL] if one.startswith(("s0/", "s1/"))}
    assert {str(one.id) for one in left.catalogue().tools} == tools
    assert all(one.common for one in left.catalogue().methods), "no taxonomy is granted but the common one"
    assert left.catalogue().methods
    assert not hidden_from(contents, book, Act.PLAN).nodes[NodeKind.TOOL].isdisjoint(tools)


def test_the_same_seed_fills_the_same_graph() -> None:
    one, other = InMemoryGraph(), InMemoryGraph()
    fill(one, 7)
    fill(other, 7)

    assert dump(one) == dump(other)


def test_each_route_is_asked_about_as_often() -> None:
    tools = [f"s{at}/get_{noun}" for at, noun in enumerate(("order", "payment", "ticket"))]

    even = Counter(one.route for one in even_questions(4, tools))

    assert set(even) == {one.route for one in questions(4, tools)}
    assert set(even.values()) == {1, 2}
    assert even["POST /v1/query"] == even["mcp search_tools"] == even["GET /v1/tools/{id}"] == 2
    assert even["GET /metrics"] == even["mcp tools/list"] == 1, "there is nothing else to ask of them"


def test_as_many_answers_as_wanted_and_one_graph_at_a_time() -> None:
    """Policies that hide the same share a graph; a single database is enough."""
    opened: list[InMemoryGraph] = []
    at_once = 0

    @contextmanager
    def empty() -> Iterator[InMemoryGraph]:
        nonlocal at_once
        at_once += 1
        assert at_once == 1
        opened.append(InMemoryGraph())
        yield opened[-1]
        at_once -= 1

    found = compare(1, 2, seed=3, empty=empty, answers=150)

    assert found.differences == []
    assert 150 <= found.answers == sum(found.of_routes.values()) < 250
    assert found.catalogues == 2, "two policies of the first one are not enough"
    assert len(opened) == found.catalogues + found.graphs
