"""What generations of the graph changed, and the part of the catalogue that this is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol, TypeVar

from app.domain.catalogue import Catalogue
from app.domain.nodes.dependencies import Precedence, Requirement, requirement_order
from app.domain.nodes.models import Category, Concept, Generator, Method, NodeKind, Template, Tool
from app.domain.workflows.stored import Workflow

GENERATIONS_KEPT = 64
"""Generations of which the graph says what they touched: sixteen seconds of a reader that looks each quarter of a
second while somebody writes at every look, and more pauses than a deployment has."""
TOUCHED_KEPT = 10_000
"""Nodes that a generation may touch and still name them: the largest OpenAPI documents with all that they are near to.
Beyond it, reading the whole is no slower than reading so much by id."""
TOUCHED_CHARS = 600_000
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


@dataclass(frozen=True)
class CataloguePart:
    """What is there of the nodes in `changes`, as `Catalogue` has it; of an id that is in none, the node is gone."""

    changes: CatalogueChanges
    """With the methods whose examples changed."""
    tools: tuple[Tool, ...]
    methods: tuple[Method, ...]
    templates: tuple[Template, ...]
    concepts: tuple[Concept, ...]
    generators: tuple[Generator, ...]
    categories: tuple[Category, ...]
    requirements: tuple[Requirement, ...]
    """All of the consumers in `changes`."""
    precedences: tuple[Precedence, ...]
    """All of the tools in `changes` that come first."""
    workflows: tuple[Workflow, ...]


class _Named(Protocol):
    @property
    def id(self) -> str:
        """Its id."""


N = TypeVar("N", bound=_Named)


def with_part(catalogue: Catalogue, part: CataloguePart) -> Catalogue:
    """The catalogue at the part's generation, from the one that the changes begin at.

    Raises:
        ValueError: the changes begin at another generation.
    """
    changes = part.changes
    if catalogue.generation != changes.since:
        raise ValueError(f"changes since {changes.since} say nothing of generation {catalogue.generation}")
    tools = changes.of(NodeKind.TOOL)
    requirements = [one for one in catalogue.requirements if one.consumer not in tools]
    precedences = [one for one in catalogue.precedences if one.first not in tools]
    return Catalogue(
        generation=changes.generation,
        stamp=changes.stamp,
        tools=_with(catalogue.tools, part.tools, tools),
        methods=_with(catalogue.methods, part.methods, changes.of(NodeKind.METHOD)),
        templates=_with(catalogue.templates, part.templates, changes.of(NodeKind.TEMPLATE)),
        concepts=_with(catalogue.concepts, part.concepts, changes.of(NodeKind.CONCEPT)),
        generators=_with(catalogue.generators, part.generators, changes.of(NodeKind.GENERATOR)),
        categories=_with(catalogue.categories, part.categories, changes.of(NodeKind.CATEGORY)),
        requirements=tuple(sorted((*requirements, *part.requirements), key=requirement_order)),
        precedences=tuple(
            sorted((*precedences, *part.precedences), key=lambda edge: (edge.first, edge.then))
        ),
        workflows=_with(catalogue.workflows, part.workflows, changes.of(NodeKind.WORKFLOW)),
    )


def _with(old: Iterable[N], new: Iterable[N], changed: frozenset[str]) -> tuple[N, ...]:
    """The old values but for the changed ones, and the new ones, by id."""
    kept = [one for one in old if one.id not in changed]
    return tuple(sorted((*kept, *new), key=lambda one: one.id))
