"""What generations of the graph changed, and the part of the catalogue that this is."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol, TypeVar

from app.domain.catalogue import Catalogue, CatalogueNodes, RequirementGroups
from app.domain.nodes.dependencies import Requirement, requirement_order
from app.domain.nodes.models import NodeKind, Tool, ToolId
from app.domain.packed.catalogue import ids_of, spliced

GENERATIONS_KEPT = 64
"""Generations of which the graph says what they touched: sixteen seconds of a reader that looks each quarter of a
second while somebody writes at every look, and more pauses than a deployment has."""
TOUCHED_KEPT = 10_000
"""Nodes that a generation may touch and still name them: the largest OpenAPI documents with all that they are near to.
Beyond it, reading the whole is no slower than reading so much by id."""
TOUCHED_BYTES = 600_000
"""Of the record of a generation, so that all of them stay below 40 MB, however long ids are."""


@dataclass(frozen=True, slots=True)
class CatalogueChanges:
    """Every node that was created, changed, renamed or removed between two generations, or has an edge that was."""

    since: int
    generation: int
    stamp: str
    """Of the state at `generation`."""
    ids: Mapping[NodeKind, frozenset[str]]
    """A kind of which nothing was touched may be absent. Of a renamed tool both ids."""

    def of(self, kind: NodeKind) -> frozenset[str]:
        """The ids of a kind."""
        return self.ids.get(kind, frozenset())

    def __len__(self) -> int:
        """How many nodes."""
        return sum(len(ids) for ids in self.ids.values())

    def with_methods(self, methods: Iterable[str]) -> "CatalogueChanges":
        """The same with more methods."""
        ids = {**self.ids, NodeKind.METHOD: self.of(NodeKind.METHOD).union(methods)}
        return replace(self, ids=MappingProxyType(ids))


@dataclass(frozen=True, kw_only=True)
class CataloguePart(CatalogueNodes):
    """What is there of the nodes in `changes`; of an id that is in none of the lists, the node is gone.

    Requirements are those of the consumers in `changes`, precedences those of the tools in it that come first.
    """

    changes: CatalogueChanges
    """With the methods whose examples changed."""


class _Named(Protocol):
    @property
    def id(self) -> str:
        """Its id."""


V = TypeVar("V")


def with_part(catalogue: Catalogue, part: CataloguePart) -> Catalogue:
    """The catalogue at the part's generation, from the one that the changes begin at.

    Raises:
        ValueError: the changes begin at another generation.
    """
    changes = part.changes
    if catalogue.generation != changes.since:
        raise ValueError(f"changes since {changes.since} say nothing of generation {catalogue.generation}")
    tools = changes.of(NodeKind.TOOL)
    grouped: defaultdict[str, list[Requirement]] = defaultdict(list)
    for one in part.requirements:
        grouped[one.consumer].append(one)
    of_consumer = {tool: tuple(sorted(grouped[tool], key=requirement_order)) for tool in tools}
    after = Catalogue(
        generation=changes.generation,
        stamp=changes.stamp,
        tools=_tools_with(catalogue.tools, part.tools, tools),
        methods=_with(catalogue.methods, part.methods, changes.of(NodeKind.METHOD), by=_id),
        templates=_with(catalogue.templates, part.templates, changes.of(NodeKind.TEMPLATE), by=_id),
        concepts=_with(catalogue.concepts, part.concepts, changes.of(NodeKind.CONCEPT), by=_id),
        generators=_with(catalogue.generators, part.generators, changes.of(NodeKind.GENERATOR), by=_id),
        categories=_with(catalogue.categories, part.categories, changes.of(NodeKind.CATEGORY), by=_id),
        requirements=_requirements_with(catalogue.requirements, of_consumer, part, tools),
        precedences=_with(
            catalogue.precedences,
            sorted(part.precedences, key=lambda edge: (edge.first, edge.then)),
            tools,
            by=lambda edge: edge.first,
        ),
        workflows=_with(catalogue.workflows, part.workflows, changes.of(NodeKind.WORKFLOW), by=_id),
    )
    after.take_requirements_of(catalogue, of_consumer)
    return after


def _tools_with(old: Sequence[Tool], new: Sequence[Tool], changed: frozenset[str]) -> Sequence[Tool]:
    if isinstance(old, tuple):
        return _with(old, new, changed, by=_id)
    there = {tool.id: (tool,) for tool in new}
    return (
        spliced(old, ids_of(old), {tool: there.get(ToolId(tool), ()) for tool in changed}) if changed else old
    )


def _requirements_with(
    old: Sequence[Requirement],
    of_consumer: Mapping[str, tuple[Requirement, ...]],
    part: CataloguePart,
    changed: frozenset[str],
) -> Sequence[Requirement]:
    if isinstance(old, RequirementGroups):
        return old.with_changed(of_consumer)
    return _with(old, sorted(part.requirements, key=requirement_order), changed, by=_consumer)


def _id(node: _Named) -> str:
    return node.id


def _consumer(edge: Requirement) -> str:
    return edge.consumer


def _with(
    old: Sequence[V], new: Iterable[V], changed: frozenset[str], *, by: Callable[[V], str]
) -> tuple[V, ...]:
    """The old values, sorted by a key, with the new ones in place of those of the changed keys."""
    if not changed:
        return tuple(old)
    groups: defaultdict[str, list[V]] = defaultdict(list)
    for one in new:
        groups[by(one)].append(one)
    kept = list(old)
    for key in changed:
        begin = bisect_left(kept, key, key=by)
        kept[begin : bisect_right(kept, key, lo=begin, key=by)] = groups[key]
    return tuple(kept)
