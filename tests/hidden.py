"""The random catalogues of `bench leaks-acl` in memory, with vectors, and who asks of them."""

import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from starlette.testclient import TestClient

from app.domain.access.callers import CallerEntry, CallerList, CallerScope, digest_of
from app.domain.access.rules import Act, RuleBook
from app.domain.nodes.models import NodeKind
from app.roots.calls import OpenCaller
from app.usecases.index.encoding import ToolEncoder
from app.web.visits import Face
from bench.hidden import contents, rules
from bench.hidden import questions as asked
from bench.hidden.calls import passing_on
from bench.hidden.catalogues import fill
from bench.hidden.compare import BothGraph
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
    encoder = ToolEncoder(WordEncoder())
    with client(
        graph, callers=caller_list, rules=book.now, encoder=encoder, open_caller=open_caller, face=face
    ) as opened:
        opened.headers["Authorization"] = f"Bearer {token}"
        wait_until(lambda: opened.get("/v1/facets").status_code == 200 and _is_encoded(opened))
        yield opened


def calls_passed_on(graph: BothGraph, book: Book) -> AbstractContextManager[TestClient]:
    """The same, where tools are called, too."""
    return asked_as(graph, book, open_caller=passing_on(graph))


def _is_encoded(opened: TestClient) -> bool:
    status = opened.get("/v1/status").json()
    return bool(status["meaning"] and status["meaning"]["encoded"] == status["tools"])


class WordEncoder:
    """Texts with a word in common are close."""

    model = "words"
    dimensions = 32

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One place for each word."""
        found = np.full((len(texts), self.dimensions), 0.01, np.float32)
        for row, text in zip(found, texts, strict=True):
            for word in text.lower().split():
                row[zlib.crc32(word.encode()) % self.dimensions] += 1
        return found / np.linalg.norm(found, axis=1, keepdims=True)

    def encode_request(self, parts: Sequence[str]) -> npt.NDArray[np.float32]:
        """As any other text."""
        return self.encode(parts)


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
