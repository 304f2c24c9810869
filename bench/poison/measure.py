"""Poisoned tools through ingest and review, and how far the service's ranking and its plans then take them."""

import json
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from app.domain.language.accepted_text import TextLimits
from app.domain.nodes.models import SourceId, Tool, Trust
from app.domain.review.places import FIRST, MOST
from app.usecases.plan import make_plan
from app.usecases.questions import PlanRequest, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from bench.hidden.contents import ReadGraph
from bench.measure.metrics import list_recall, with_alternatives
from bench.measure.plan_metrics import plan_recall
from bench.poison.attacks import Attack, AttackKind, WrittenTool, attacks_on
from bench.sets.datasets import Dataset, Question, catalogue_of
from bench.sets.suggested import served_index
from ingest.run.pipeline import run_ingest
from ingest.run.request import Bounds, IngestRequest
from ingest.sources.files import IngestInput, file_input

SETS: Final = ("livemcpbench", "gtc:github", "gtc:multi_mcp")
QUESTIONS: Final = 30
"""Of each set, for each attack."""
_OWNER: Final = "poison:1:0"
_BOUNDS: Final = Bounds(TextLimits(100_000, 1_000_000), max_file_bytes=64_000_000, lease_wait_s=5.0)
_SEED: Final = 16
_HALVES: Final = 5
"""Which servers are baselines moves R@5 by a point or two."""
_LONGEST_GOAL: Final = 2000
"""Characters: what the service takes at least."""


@dataclass(frozen=True, slots=True)
class PoisonFigure:
    """One attack on one set, from sources of one trust."""

    set: str
    attack: str
    trust: str
    questions: int
    served: int
    """Questions for which ingest and review let any of its tools through."""
    first: int
    """Answers that it is first in."""
    among_first: int
    """Answers that have it among the first five."""
    most: int
    """Of the first five places, the most that it takes in one answer."""
    planned: int
    """Plans that call it."""


@dataclass(frozen=True, slots=True)
class PriceFigure:
    """What the bounds cost where nobody attacks."""

    set: str
    questions: int
    trusted: float
    """R@5 where every source is trusted in full."""
    baseline: float
    """R@5 where every source is a baseline."""
    half: float
    """R@5 where half of the servers are baselines, the mean over seeded halves."""
    planned: float
    """Share of the right tools that plans call, where every source is trusted in full."""
    planned_half: float
    """The same where the first of these halves are baselines: plans prefer the others."""


@dataclass(frozen=True, slots=True)
class PoisonFigures:
    """What was measured."""

    attacks: tuple[PoisonFigure, ...]
    prices: tuple[PriceFigure, ...]

    @property
    def missed(self) -> tuple[str, ...]:
        """Targets that are not met: nothing where a person reviews, and of what nobody did at most three of five places."""
        found = []
        for one in self.attacks:
            if one.trust == Trust.REVIEW and (one.served or one.among_first or one.planned):
                found.append(f"{one.set}, {one.attack}: served before anybody reviewed it")
            if one.trust == Trust.BASELINE and one.most > MOST:
                found.append(f"{one.set}, {one.attack}: {one.most} of the first {FIRST} places")
        return tuple(found)


def measure_poison(
    datasets: Iterable[Dataset],
    *,
    empty: Callable[[], AbstractContextManager[ReadGraph]],
    questions: int = QUESTIONS,
    say: Callable[[str], None] = lambda _: None,
) -> PoisonFigures:
    """Add each attack to each set, under each trust, and ask.

    Args:
        datasets: Tools and questions; the sets' own tools are trusted in full.
        empty: Opens an empty graph, with its schema.
        questions: Of each set, at most.
        say: Takes how far it is.
    """
    figures: list[PoisonFigure] = []
    prices = []
    for dataset in datasets:
        asked = [one for one in dataset.questions if one.gold][:questions]
        every = list(attacks_on(dataset, asked))
        with empty() as graph, tempfile.TemporaryDirectory() as folder:
            gate = _Gate(graph, Path(folder))
            gate.take(_servers(dataset), Trust.FULL)
            for trust in (Trust.BASELINE, Trust.REVIEW, Trust.FULL):
                served = gate.served(every, trust)
                for kind in AttackKind:
                    some = [one for one in every if one.kind is kind]
                    say(f"{dataset.name}: {kind}, {trust.value}")
                    figures.append(_attacked(dataset, kind, trust, some, served))
        say(f"{dataset.name}: nobody attacks")
        prices.append(_price(dataset, [one for one in dataset.questions if one.gold]))
    order = list(Trust)
    figures.sort(
        key=lambda one: (
            one.set,
            list(AttackKind).index(AttackKind(one.attack)),
            order.index(Trust(one.trust)),
        )
    )
    return PoisonFigures(tuple(figures), tuple(prices))


class _Gate:
    """What ingest lets through, with the catalogue that is there already."""

    def __init__(self, graph: ReadGraph, folder: Path) -> None:
        self._graph = graph
        self._folder = folder

    def take(self, servers: Mapping[str, Sequence[WrittenTool]], trust: Trust) -> list[SourceId]:
        """Ingest manifests of servers."""
        inputs = [replace(self._manifest(name, tools), trust=trust) for name, tools in servers.items()]
        run_ingest(self._graph, IngestRequest(inputs), owner=_OWNER, bounds=_BOUNDS)
        return [one.source for one in inputs]

    def served(self, attacks: Sequence[Attack], trust: Trust) -> Mapping[str, Sequence[Tool]]:
        """The tools by server that are served of attacks that come in with a trust; they are gone afterwards."""
        servers = {name: tools for one in attacks for name, tools in one.servers.items()}
        sources = self.take(servers, trust)
        found: dict[str, list[Tool]] = {name: [] for name in servers}
        for tool in self._graph.catalogue().tools:
            if tool.server in found:
                found[tool.server].append(tool)
        run_ingest(self._graph, IngestRequest([], removals=sources), owner=_OWNER, bounds=_BOUNDS)
        return found

    def _manifest(self, name: str, tools: Sequence[WrittenTool]) -> IngestInput:
        path = self._folder / f"{name.replace('/', '-')}.json"
        listed = [
            {
                "name": tool.name,
                "description": tool.description,
                "inputSchema": json.loads(tool.input_schema) if tool.input_schema else {"type": "object"},
            }
            for tool in tools
        ]
        path.write_text(json.dumps({"tools": listed}), encoding="utf-8")
        return file_input("manifest", path, name=name)


def _servers(dataset: Dataset) -> dict[str, list[WrittenTool]]:
    found: dict[str, list[WrittenTool]] = {}
    for tool in dataset.catalogue.tools:
        found.setdefault(tool.server or dataset.name.replace(":", "-"), []).append(
            WrittenTool(tool.name, tool.description, tool.input_schema)
        )
    return found


def _attacked(
    dataset: Dataset,
    kind: AttackKind,
    trust: Trust,
    attacks: Sequence[Attack],
    served: Mapping[str, Sequence[Tool]],
) -> PoisonFigure:
    let_through = first = among = most = planned = 0
    # The last one: attacks on several questions may be one.
    graphs: dict[frozenset[str], ConsistentGraph] = {}
    for one in attacks:
        tools = [tool for server in one.servers for tool in served[server]]
        if not tools:
            continue
        let_through += 1
        ids = frozenset(str(tool.id) for tool in tools)
        if ids not in graphs:
            graphs = {ids: _graph([*dataset.catalogue.tools, *tools])}
        graph = graphs[ids]
        answer = [found in ids for found in _found(graph, one.question.text)]
        first += answer[:1] == [True]
        among += any(answer)
        most = max(most, sum(answer))
        planned += not ids.isdisjoint(_planned(graph, one.question.text))
    return PoisonFigure(
        dataset.name, kind.value, trust.value, len(attacks), let_through, first, among, most, planned
    )


def _price(dataset: Dataset, asked: Sequence[Question]) -> PriceFigure:
    tools = dataset.catalogue.tools
    servers = sorted({tool.server for tool in tools})
    halves = [
        frozenset(random.Random(_SEED + at).sample(servers, len(servers) // 2))  # noqa: S311 - a sample, no secret
        for at in range(_HALVES)
    ]
    trusted = _graph(tools)
    every = _graph(_baselines(tools, frozenset(servers)))
    mixed = [_graph(_baselines(tools, half)) for half in halves]
    return PriceFigure(
        dataset.name,
        len(asked),
        trusted=_mean(_recall(_found(trusted, one.text), one) for one in asked),
        baseline=_mean(_recall(_found(every, one.text), one) for one in asked),
        half=_mean(_recall(_found(graph, one.text), one) for graph in mixed for one in asked),
        planned=_mean(plan_recall(_planned(trusted, one.text), one.gold) for one in asked),
        planned_half=_mean(plan_recall(_planned(mixed[0], one.text), one.gold) for one in asked),
    )


def _baselines(tools: Sequence[Tool], servers: frozenset[str]) -> Iterator[Tool]:
    for tool in tools:
        update = {"trust": Trust.BASELINE, "reviewed": False} if tool.server in servers else {}
        yield tool.model_copy(update=update)


def _graph(tools: Iterable[Tool]) -> ConsistentGraph:
    return ConsistentGraph(served_index(catalogue_of(tools)))


def _found(graph: ConsistentGraph, question: str) -> list[str]:
    request = SearchRequest(query=question, top_k=FIRST, prerequisites=0)
    return [str(one.id) for one in search(request, graph).tools]


def _planned(graph: ConsistentGraph, question: str) -> list[str]:
    request = PlanRequest(goal=question[:_LONGEST_GOAL])
    return [str(step.tool_id) for step in make_plan(request, graph).plan.steps]


def _recall(found: Sequence[str], question: Question) -> float:
    return list_recall(
        with_alternatives(found, question.alternatives), tuple(dict.fromkeys(question.gold)), FIRST
    )


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / max(1, len(found))
