"""What found tools need first, in the order in which it is shown."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.domain.nodes.dependencies import INFERRED, LEVELS, Requirement
from app.domain.nodes.models import ToolId

MIN_CONFIDENCE = 0.5
"""Inferred edges below it are not shown."""

Edges = Mapping[str, Sequence[Requirement]]
"""Consumer -> its requirements."""


@dataclass(frozen=True, slots=True)
class BlockPlace:
    """A tool in a list of matches and what they need."""

    tool: ToolId
    edge: Requirement | None
    """What it is needed for; None for a match that no earlier one needs."""


def block(match: ToolId, edges_of: Edges, *, changes: Callable[[ToolId], bool]) -> Iterator[Requirement]:
    """The edges that lead to what a tool needs, depth first, each tool once.

    Of a tool first what fills its inputs, by name of the input, then what merely comes before it. Stated edges
    are followed all; of the inferred producers of a required input only the best that changes nothing, if
    possible one that does not itself need this very input.

    Args:
        match: where to begin.
        edges_of: edges by consumer.
        changes: whether a tool is known to change something.
    """
    seen = {match}
    waiting = [(match, iter(_chosen(match, edges_of, changes)))]
    while waiting:
        edge = next(waiting[-1][1], None)
        if edge is None:
            waiting.pop()
            continue
        if edge.producer in seen:
            continue
        seen.add(edge.producer)
        yield edge
        if len(waiting) < LEVELS:
            further = _chosen(edge.producer, edges_of, changes)
            waiting.append((edge.producer, iter(further)))


def blocks(
    matches: Sequence[ToolId], edges_of: Edges, *, limit: int, changes: Callable[[ToolId], bool]
) -> list[BlockPlace]:
    """Every match with what it needs directly behind it, each tool once; at most `limit` that are no matches.

    A match that an earlier one needs stands in that one's block.
    """
    among = set(matches)
    places: dict[ToolId, BlockPlace] = {}
    added = 0
    for match in matches:
        places.setdefault(match, BlockPlace(match, None))
        for edge in block(match, edges_of, changes=changes):
            if edge.producer in places:
                continue
            if edge.producer not in among:
                if added == limit:
                    continue
                added += 1
            places[edge.producer] = BlockPlace(edge.producer, edge)
    return list(places.values())


def _chosen(tool: ToolId, edges_of: Edges, changes: Callable[[ToolId], bool]) -> list[Requirement]:
    inferred: defaultdict[str, list[Requirement]] = defaultdict(list)
    chosen: list[Requirement] = []
    for edge in edges_of.get(tool, ()):
        if edge.evidence not in INFERRED:
            chosen.append(edge)
        elif edge.required and edge.confidence >= MIN_CONFIDENCE and not changes(edge.producer):
            inferred[edge.parameter].append(edge)
    stated = {edge.parameter for edge in chosen}
    chosen += [
        min(group, key=lambda edge: (_echoes(edge, edges_of), edge.rank, edge.producer))
        for parameter, group in inferred.items()
        if parameter not in stated
    ]
    return sorted(chosen, key=lambda edge: (not edge.parameter, edge.parameter, edge.rank, edge.producer))


def _echoes(edge: Requirement, edges_of: Edges) -> bool:
    """Whether the producer needs the input that it could fill: it gives back what it got."""
    return any(need.required and need.parameter == edge.parameter for need in edges_of.get(edge.producer, ()))
