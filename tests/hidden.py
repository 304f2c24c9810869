"""The random catalogues of `bench leaks-acl` in memory, with vectors, and who asks of them."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from starlette.testclient import TestClient

from app.domain.access.callers import CallerEntry, CallerList, CallerScope, digest_of
from app.domain.access.rules import Act, RuleBook
from app.domain.nodes.models import NodeKind
from app.roots.calls import OpenCaller
from app.web.visits import Face
from bench.hidden import contents, rules
from bench.hidden import questions as asked
from bench.hidden.asked import is_encoded
from bench.hidden.calls import passing_on
from bench.hidden.catalogues import fill
from bench.hidden.compare import BothGraph
from bench.hidden.encoded import word_encoder
from bench.hidden.questions import HttpQuestion, difference
from tests.fakes import InMemoryGraph
from tests.ingest_cases import Graph
from tests.service import client, wait_until

__all__ = ["HttpQuestion", "difference", "fill"]

TOKEN = "oft_" + "a" * 43
ADMIN_TOKEN = "oft_" + "b" * 43


def caller_list(scopes: Sequence[CallerScope] = (*(set(CallerScope) - {CallerScope.ADMIN}),)) -> CallerList:
    """One caller in the group `staff`, and one who administers."""
    return CallerList.of(
        [
            CallerEntry("bot", digest_of(TOKEN), frozenset({"staff"}), frozenset(scopes)),
            CallerEntry("admin", digest_of(ADMIN_TOKEN), frozenset({"staff"}), frozenset(CallerScope)),
        ]
    )


@dataclass
class Book:
    """Rules that a test changes while the service runs."""

    rules: RuleBook = field(default_factory=RuleBook)

    def now(self) -> RuleBook:
        """The rules of now."""
        return self.rules


def random_graph(seed: int) -> InMemoryGraph:
    """Up to 8 servers and 60 tools, two taxonomies, workflows; some of it changed since the first ingest."""
    graph = InMemoryGraph()
    fill(graph, seed)
    return graph


def random_rules(seed: int, graph: InMemoryGraph) -> RuleBook:
    """Random grants and denials over the sources of a graph."""
    return rules.random_rules(seed, map(str, graph.known_sources))


def questions(seed: int, graph: InMemoryGraph) -> list[HttpQuestion]:
    """Everything that reads, of the tools of a graph."""
    return asked.questions(seed, contents.contents_of(graph).nodes[NodeKind.TOOL])


def taken_out(seed: int, graph: InMemoryGraph, book: RuleBook, act: Act) -> tuple[InMemoryGraph, Book]:
    """The random graph of a seed without what the rules keep from being found, or planned with; and which calls they leave."""
    hidden = contents.hidden_from(contents.contents_of(graph), book, act)
    left = InMemoryGraph()
    fill(left, seed, hidden.untold)
    contents.take_out(left, hidden)
    return left, Book(rules.rules_of_what_is_left(hidden))


@contextmanager
def asked_as(
    graph: Graph,
    book: Book,
    token: str = TOKEN,
    *,
    open_caller: OpenCaller | None = None,
    face: Face | None = None,
) -> Iterator[TestClient]:
    """A client of the service as a caller of `caller_list`."""
    with client(
        graph, callers=caller_list, rules=book.now, encoder=word_encoder(), open_caller=open_caller, face=face
    ) as opened:
        opened.headers["Authorization"] = f"Bearer {token}"
        wait_until(
            lambda: opened.get("/v1/facets").status_code == 200 and is_encoded(opened.get("/v1/status").text)
        )
        yield opened


def calls_passed_on(graph: BothGraph, book: Book) -> AbstractContextManager[TestClient]:
    """The same, where tools are called, too."""
    return asked_as(graph, book, open_caller=passing_on(graph))


def compare(catalogues: int, policies: int, *, first: int = 0) -> tuple[int, list[str]]:
    """How many answers were compared, and the differences.

    Args:
        catalogues: How many random graphs.
        policies: How many random files of rules for each.
        first: The seed of the first graph.
    """
    compared, differences = 0, []
    for seed in range(first, first + catalogues):
        graph, book = random_graph(seed), Book()
        with calls_passed_on(graph, book) as under_policy:
            for at in range(policies):
                book.rules = random_rules(100 * seed + at, graph)
                with (
                    calls_passed_on(*taken_out(seed, graph, book.rules, Act.FIND)) as found,
                    calls_passed_on(*taken_out(seed, graph, book.rules, Act.PLAN)) as planned,
                ):
                    for question in questions(1000 * seed + at, graph):
                        without = planned if question.is_planning else found
                        compared += 1
                        if said := difference(question, under_policy, without):
                            differences.append(said)
    return compared, differences
