"""Keep the inferred REQUIRES and PRECEDES between tools at what their cards say."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from app.domain.nodes.dependencies import INFERRED, PRODUCERS_COUNTED, Precedence, Requirement
from app.domain.nodes.models import EdgeForm, EdgeKind, EdgeRow, NodeKind, Tool
from app.ports.graph import GraphWriter, WriterLease
from ingest.diff.changes import Changes
from ingest.enrich.read_tools import ReadTools
from ingest.enrich.requires.dependencies import (
    ServerIndexes,
    infer_dependencies,
    looks_elsewhere,
    moved_slots,
    servers_to_infer,
)

REQUIRES = EdgeForm(NodeKind.TOOL, EdgeKind.REQUIRES, NodeKind.TOOL)
PRECEDES = EdgeForm(NodeKind.TOOL, EdgeKind.PRECEDES, NodeKind.TOOL)

E = TypeVar("E", bound=Hashable)


@dataclass(frozen=True, slots=True)
class DependencyCounts:
    """What inference found for the servers that changed, and what of it was new."""

    tools: int
    requires: int
    """Edges that are stored: up to 5 producers for each input."""
    shown: int
    """Pairs of tools among them of rank 3 or better."""
    precedes: int
    created: int
    removed: int


def changed_servers(changes: Changes) -> set[str]:
    """Servers of which a tool came, changed or went, or about whose tools a source says something else."""
    tools = {node for kind, node in changes.nodes if kind is NodeKind.TOOL}
    tools.update(changes.removed.get(NodeKind.TOOL, ()))
    tools.update(tool for pair in changes.renames for tool in pair)
    tools.update(tool for move in changes.moves for tool in (move.old, move.new))
    # A veto may have followed a tool.
    tools.update(one.id for one in changes.moved_provisions if one.kind is NodeKind.TOOL)
    tools.update(one.id for one in changes.provisions if one.kind is NodeKind.TOOL)
    for (_, kind), released in changes.released.items():
        if kind is NodeKind.TOOL:
            tools.update(released)
    return {server for server, slash, _ in (tool.partition("/") for tool in tools) if slash}


def update_dependencies(
    graph: GraphWriter,
    lease: WriterLease,
    servers: Collection[str] | None,
    *,
    tools: ReadTools,
    before: Iterable[Tool] = (),
) -> DependencyCounts:
    """Infer the edges of the tools of these servers again, and of what else looks at them; write what differs.

    The neighbourhood of a tool is its server, and servers with an input that names an entity of it. The edges
    of all others stay as they are. Other servers' tools are read only where an input of these may be filled
    from them, or what these give to others has changed.

    Args:
        graph: after the run's nodes and provisions are written.
        lease: writes.
        servers: None: all.
        tools: of the graph.
        before: the tools of these servers before the run.
    """
    near, indexes, only = _neighbourhood(tools, servers, before)
    ids = [str(tool.id) for tool in near if only is None or tool.id.partition("/")[0] in only]
    wanted = infer_dependencies(indexes, vetoes=graph.vetoes(ids), only=only)
    there = [edge for edge in graph.requirements(ids) if edge.evidence in INFERRED]
    there_before = [edge for edge in graph.precedences(ids) if edge.evidence in INFERRED]
    requires = _difference(there, wanted.requires, lambda edge: (edge.consumer, edge.producer))
    precedes = _difference(there_before, wanted.precedes, lambda edge: (edge.first, edge.then))
    lease.replace_inferred(REQUIRES, remove=requires[0], put=[_requires_row(edge) for edge in requires[1]])
    lease.replace_inferred(PRECEDES, remove=precedes[0], put=[_precedes_row(edge) for edge in precedes[1]])
    return DependencyCounts(
        tools=len(ids),
        requires=len(wanted.requires),
        shown=len(
            {(edge.consumer, edge.producer) for edge in wanted.requires if edge.rank <= PRODUCERS_COUNTED}
        ),
        precedes=len(wanted.precedes),
        created=len(requires[1]) + len(precedes[1]),
        removed=len(requires[2]) + len(precedes[2]),
    )


def _neighbourhood(
    tools: ReadTools, servers: Collection[str] | None, before: Iterable[Tool]
) -> tuple[list[Tool], ServerIndexes, Collection[str] | None]:
    """The tools that inference looks at, and the servers whose edges it is to give; None: all."""
    if servers is not None:
        own = tools.of_servers(servers)
        indexes = ServerIndexes(own)
        moved = moved_slots(servers, before=ServerIndexes(before), after=indexes)
        if not moved and not looks_elsewhere(indexes, servers):
            return own, indexes, servers
        others = tools.others({tool.id for tool in own})
        indexes = indexes.with_others(others)
        return [*own, *others], indexes, servers_to_infer(servers, moved, indexes)
    found = tools.others(())
    return found, ServerIndexes(found), None


def _by_pair(edges: Iterable[E], ends: Callable[[E], tuple[str, str]]) -> dict[tuple[str, str], list[E]]:
    found: defaultdict[tuple[str, str], list[E]] = defaultdict(list)
    for edge in edges:
        found[ends(edge)].append(edge)
    return dict(found)


def _difference(
    before: Iterable[E], wanted: Iterable[E], ends: Callable[[E], tuple[str, str]]
) -> tuple[list[tuple[str, str]], list[E], list[E]]:
    """Pairs whose edges go, edges that come, and edges that went. A pair that differs is written whole."""
    old, new = _by_pair(before, ends), _by_pair(wanted, ends)
    differ = [
        pair
        for pair in dict.fromkeys([*old, *new])
        if Counter(old.get(pair, ())) != Counter(new.get(pair, ()))
    ]
    remove = [pair for pair in differ if pair in old]
    put = [edge for pair in differ for edge in new.get(pair, ())]
    gone = [edge for pair in differ for edge in old.get(pair, ())]
    return remove, put, gone


def _requires_row(edge: Requirement) -> EdgeRow:
    return EdgeRow(
        source=edge.consumer,
        target=edge.producer,
        properties={
            "parameter": edge.parameter,
            "optional": not edge.required,
            "field": edge.field,
            "confidence": edge.confidence,
            "evidence": edge.evidence.value,
            "rank": edge.rank,
        },
    )


def _precedes_row(edge: Precedence) -> EdgeRow:
    properties = {"confidence": edge.confidence, "evidence": edge.evidence.value}
    return EdgeRow(source=edge.first, target=edge.then, properties=properties)
