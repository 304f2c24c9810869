"""What the graph adds to a ranking, as arithmetic over a catalogue.

The statements in `cypher/read/answer` compute the same sums in the database, all but suggestions. These functions are
what they are held to, what answers while the graph is being written, and what explains a score edge by edge.
"""

import math
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from app.domain.catalogue import Catalogue
from app.domain.nodes.models import EdgeKind, MethodSeed, ScoredId, ToolId
from app.domain.ranking.recipe import RECIPE, RankingRecipe

Id = TypeVar("Id", bound=str)


class Channel(StrEnum):
    """The sums that a ranking takes from the graph, by the name they have in `GraphScores.channels`."""

    GRAPH = "graph"
    POWER = "power"
    SUM = "sum"
    TEMPLATE = "template"
    CONCEPT = "concept"
    SUGGESTION = "suggestion"


GRAPH_CHANNELS = (Channel.POWER, Channel.SUM, Channel.TEMPLATE, Channel.CONCEPT)
"""Those of `auto` that statements compute."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one path from a seed to a tool adds to one channel."""

    channel: Channel
    tool: str
    via: tuple[str, ...]
    """Ids on the path, the seed first, the tool left out."""
    edges: tuple[EdgeKind, ...]
    """The kind of edge that leaves each node of `via`."""
    value: float


def kg_hybrid_contributions(
    catalogue: Catalogue,
    *,
    methods: Sequence[ScoredId],
    templates: Sequence[ScoredId],
    recipe: RankingRecipe = RECIPE,
) -> Iterator[Contribution]:
    """Channel `graph` of KG-Hybrid, path by path.

        method m of score s, tool t that m is implemented by:                 0.6 s
        outgoing SIMILAR or ENHANCES edge m -> n of weight w, tool t of n:    s w 0.3 0.4
        template of score s, tool t that it uses:                             0.6 s

    Only stated edges count (`Method.related` holds no others). A neighbour that is linked by both kinds of
    edge counts twice. One hop only. Seeds that the catalogue does not know add nothing.

    Source:
        PinePaper-ToolBench (2026), section 3; templates are ours.
    """
    for seed in methods:
        method = catalogue.method_by_id.get(seed.id)
        if method is None:
            continue
        for tool in method.implements:
            value = recipe.seed_weight * seed.score
            yield Contribution(Channel.GRAPH, tool, (seed.id,), (EdgeKind.IMPLEMENTS,), value)
        for link in method.related:
            neighbour = catalogue.method_by_id.get(link.target)
            if neighbour is None:
                continue
            via, edges = (seed.id, neighbour.id), (link.kind, EdgeKind.IMPLEMENTS)
            value = seed.score * link.weight * recipe.neighbour_weight
            for tool in neighbour.implements:
                yield Contribution(Channel.GRAPH, tool, via, edges, value)
    for seed in templates:
        template = catalogue.template_by_id.get(seed.id)
        for tool in template.uses if template else ():
            value = recipe.seed_weight * seed.score
            yield Contribution(Channel.GRAPH, tool, (seed.id,), (EdgeKind.USES,), value)


def auto_contributions(
    catalogue: Catalogue,
    *,
    methods: Sequence[MethodSeed],
    templates: Sequence[ScoredId],
    concepts: Sequence[ScoredId],
    common: Sequence[ScoredId] = (),
    tools: Container[str] | None = None,
    recipe: RankingRecipe = RECIPE,
) -> Iterator[Contribution]:
    """The five channels of `auto`, path by path; to these tools alone where some are given.

        power:     method m, tool t that m is implemented by:                  m.power
        sum:       the same path:                                              m.sum
        template:  template of score s, its tool at place p (0, 1, ...):       s / (1 + 0.3 p)
        concept:   concept of score s, its method at place p, each tool
                   that the method is implemented by:                          s / (1 + 0.2 p)
        suggestion: of the common methods of score s that suggest the tool
                   with confidence c, the one that gives most:                 s c

    Seeds that the catalogue does not know add nothing.

    Source:
        Found by ablation on ToolBench's taxonomy; about half of the gain of templates and concepts is
        that they favour popular tools.
    """

    def is_wanted(tool: str) -> bool:
        return tools is None or tool in tools

    for seed in methods:
        method = catalogue.method_by_id.get(seed.id)
        for tool in filter(is_wanted, method.implements if method else ()):
            yield Contribution(Channel.POWER, tool, (seed.id,), (EdgeKind.IMPLEMENTS,), seed.power)
            yield Contribution(Channel.SUM, tool, (seed.id,), (EdgeKind.IMPLEMENTS,), seed.sum)
    for scored in templates:
        template = catalogue.template_by_id.get(scored.id)
        for place, tool in _placed(template.places, template.uses) if template else ():
            if not is_wanted(tool):
                continue
            value = scored.score / (1 + recipe.template_decay * place)
            yield Contribution(Channel.TEMPLATE, tool, (scored.id,), (EdgeKind.USES,), value)
    for scored in concepts:
        concept = catalogue.concept_by_id.get(scored.id)
        for place, method_id in _placed(concept.places, concept.related_to) if concept else ():
            method = catalogue.method_by_id.get(method_id)
            via, edges = (scored.id, method_id), (EdgeKind.RELATED_TO, EdgeKind.IMPLEMENTS)
            value = scored.score / (1 + recipe.concept_decay * place)
            for tool in filter(is_wanted, method.implements if method else ()):
                yield Contribution(Channel.CONCEPT, tool, via, edges, value)
    best: dict[str, tuple[float, str]] = {}
    for scored in common:
        method = catalogue.method_by_id.get(scored.id)
        for link in method.suggests if method else ():
            if not is_wanted(link.target):
                continue
            value = scored.score * link.weight
            if link.target not in best or value > best[link.target][0]:
                best[link.target] = (value, scored.id)
    for target, (value, by) in best.items():
        yield Contribution(Channel.SUGGESTION, ToolId(target), (by,), (EdgeKind.SUGGESTS,), value)


def _placed(places: Sequence[int], ids: Sequence[Id]) -> Iterable[tuple[int, Id]]:
    return zip(places or range(len(ids)), ids, strict=True)


def channel_sums(contributions: Iterable[Contribution]) -> dict[str, Mapping[str, float]]:
    """Channel -> tool id -> sum of its contributions; what no path reaches is absent.

    The sums do not depend on the order of the contributions.
    """
    parts: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for part in contributions:
        parts[part.channel.value][part.tool].append(part.value)
    return {
        channel: {tool: math.fsum(values) for tool, values in tools.items()}
        for channel, tools in parts.items()
    }
