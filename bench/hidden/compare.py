"""Answers under policies against answers of graphs in which what is hidden is not."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from app.domain.access.rules import Act, RuleBook
from app.domain.nodes.models import NodeKind
from app.roots.graph import open_graph
from app.roots.service import Graph
from bench.hidden.asked import AskedService, asked_as
from bench.hidden.catalogues import EVERYTHING, fill, random_rules
from bench.hidden.contents import Hidden, ReadGraph, contents_of, hidden_from, take_out
from bench.hidden.questions import difference, questions
from bench.served.served import bench_settings
from bench.sets.toolbench_graph import Engine


class BothGraph(Graph, ReadGraph, Protocol):
    """A graph that is filled, taken from and asked."""


@dataclass(slots=True)
class Compared:
    """What was found."""

    catalogues: int
    policies: int
    """Of each catalogue."""
    seed: int
    """Of the first catalogue; the others follow."""
    answers: int = 0
    """That were compared."""
    differences: list[str] = field(default_factory=list)
    """Each with its request and both answers, as JSON."""


def compare(
    catalogues: int,
    policies: int,
    *,
    seed: int,
    empty: Callable[[], AbstractContextManager[BothGraph]],
) -> Compared:
    """Ask everything that reads, of random catalogues under random policies.

    Args:
        catalogues: How many.
        policies: How many for each.
        seed: Of the first catalogue.
        empty: Opens an empty graph, with its schema.
    """
    found = Compared(catalogues, policies, seed)
    for number in range(seed, seed + catalogues):
        rules: list[RuleBook] = [RuleBook()]
        with empty() as graph:
            fill(graph, number)
            contents = contents_of(graph)
            with asked_as(graph, lambda: rules[0]) as under_policy:  # noqa: B023 - asked before it changes
                for at in range(policies):
                    rules[0] = random_rules(100 * number + at, contents.sources)
                    with ExitStack() as stack:
                        hidden = {act: hidden_from(contents, rules[0], act) for act in (Act.FIND, Act.PLAN)}
                        without = {Act.FIND: stack.enter_context(_without(hidden[Act.FIND], number, empty))}
                        # Mostly what may be found may be planned with, too.
                        same = hidden[Act.PLAN] == hidden[Act.FIND]
                        without[Act.PLAN] = (
                            without[Act.FIND]
                            if same
                            else stack.enter_context(_without(hidden[Act.PLAN], number, empty))
                        )
                        for question in questions(1000 * number + at, contents.nodes[NodeKind.TOOL]):
                            other = without[Act.PLAN if question.is_planning else Act.FIND]
                            found.answers += 1
                            if said := difference(question, under_policy, other):
                                found.differences.append(said)
    return found


@contextmanager
def _without(
    hidden: Hidden, seed: int, empty: Callable[[], AbstractContextManager[BothGraph]]
) -> Iterator[AskedService]:
    with empty() as graph:
        fill(graph, seed, hidden.untold)
        take_out(graph, hidden)
        with asked_as(graph, lambda: EVERYTHING) as client:
            yield client


@contextmanager
def embedded_graph() -> Iterator[BothGraph]:
    """An empty graph of the embedded engine, in a folder that goes."""
    with bench_settings(Engine.EMBEDDED) as settings, open_graph(settings) as graph:
        graph.apply_schema()
        yield graph
