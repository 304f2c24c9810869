"""Answers under policies against answers of graphs in which what is hidden is not."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import count
from typing import Final, Protocol, TypeAlias

from app.domain.access.rules import Act, RuleBook
from app.domain.nodes.models import NodeKind
from bench.hidden.asked import CalledGraph, asked_as
from bench.hidden.catalogues import fill
from bench.hidden.contents import Contents, Hidden, ReadGraph, contents_of, hidden_from, take_out
from bench.hidden.questions import HttpQuestion, Settled, difference_of, even_questions, questions
from bench.hidden.rules import random_rules, rules_of_what_is_left
from ingest.run.request import NoProgress, Progress


class BothGraph(CalledGraph, ReadGraph, Protocol):
    """A graph that is filled, taken from and asked."""


OpenEmpty: TypeAlias = Callable[[], AbstractContextManager[BothGraph]]
"""Opens an empty graph, with its schema; one is left before the next is opened, which may be the same one, emptied."""
NO_PROGRESS: Final = NoProgress()


@dataclass(slots=True)
class Compared:
    """What was found."""

    catalogues: int
    policies: int
    """Of each catalogue."""
    seed: int
    """Of the first catalogue; the others follow."""
    graphs: int = 0
    """Without what is hidden; policies that hide the same share one."""
    answers: int = 0
    """That were compared."""
    of_routes: dict[str, int] = field(default_factory=dict)
    """Of these the answers of each route and MCP method."""
    seconds: float = 0.0
    differences: list[str] = field(default_factory=list)
    """Each with its request and both answers, as JSON."""


@dataclass(frozen=True, slots=True)
class _Given:
    """An answer under a policy."""

    question: HttpQuestion
    answer: Settled


def compare(
    catalogues: int,
    policies: int,
    *,
    seed: int,
    empty: OpenEmpty,
    answers: int | None = None,
    progress: Progress = NO_PROGRESS,
) -> Compared:
    """Ask what reads, of random catalogues under random policies.

    The answers under all policies of a catalogue come first and are kept; then each graph without what is hidden is made
    once, whichever policies hide that. So no two graphs are needed at a time.

    Args:
        catalogues: How many.
        policies: How many for each.
        seed: Of the first catalogue.
        empty: Where they are put.
        answers: At least as many, about as many of each route, over as many catalogues as that takes; None: everything is
            asked of `catalogues`.
        progress: Moves on with the answers.
    """
    found, begun, of_routes = Compared(0, policies, seed), time.perf_counter(), Counter[str]()
    progress.begin("answers", answers or 0)
    for number in count(seed) if answers is not None else range(seed, seed + catalogues):
        found.catalogues += 1
        groups = _groups(number, policies, empty, None if answers is None else answers - found.answers)
        for hidden, given in groups:
            found.graphs += 1
            left = (answers or 0) - found.answers
            of_routes.update(one.question.route for one in given)
            found.answers += len(given)
            found.differences += _differences(number, hidden, given, empty)
            progress.advance(len(given) if answers is None else min(len(given), max(0, left)))
        if answers is not None and found.answers >= answers:
            break
    found.of_routes = dict(sorted(of_routes.items()))
    found.seconds = round(time.perf_counter() - begun, 1)
    return found


def _groups(
    number: int, policies: int, empty: OpenEmpty, most: int | None
) -> Sequence[tuple[Hidden, Sequence[_Given]]]:
    """The answers under the policies of a catalogue, by what is hidden from whom they were given to."""
    hidden_of: dict[object, Hidden] = {}
    found: defaultdict[object, list[_Given]] = defaultdict(list)
    with empty() as graph:
        fill(graph, number)
        contents = contents_of(graph)
        rules = [RuleBook()]
        with asked_as(graph, lambda: rules[0]) as client:
            for at in range(policies):
                if most is not None and sum(map(len, found.values())) >= most:
                    break
                rules[0] = random_rules(100 * number + at, contents.sources)
                hidden = {act: hidden_from(contents, rules[0], act) for act in (Act.FIND, Act.PLAN)}
                for question in _asked(1000 * number + at, contents, evenly=most is not None):
                    without = hidden[Act.PLAN if question.is_planning else Act.FIND]
                    key = _key(without)
                    hidden_of[key] = without
                    found[key].append(_Given(question, question.ask(client)))
    return [(hidden_of[key], given) for key, given in found.items()]


def _asked(seed: int, contents: Contents, *, evenly: bool) -> Sequence[HttpQuestion]:
    tools = contents.nodes[NodeKind.TOOL]
    return even_questions(seed, tools) if evenly else questions(seed, tools)


def _key(hidden: Hidden) -> object:
    return frozenset(hidden.nodes.items()), hidden.untold, hidden.callable, hidden.granted


def _differences(number: int, hidden: Hidden, given: Sequence[_Given], empty: OpenEmpty) -> Iterator[str]:
    with empty() as graph:
        fill(graph, number, hidden.untold)
        take_out(graph, hidden)
        with asked_as(graph, lambda: rules_of_what_is_left(hidden)) as client:
            for one in given:
                if said := difference_of(one.question, one.answer, one.question.ask(client)):
                    yield said
