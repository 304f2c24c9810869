"""Everything of one generation of the graph that ranking, planning and answers need, as values."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

from app.domain.nodes.dependencies import Precedence, Requirement
from app.domain.nodes.models import Category, Concept, Generator, Method, Template, Tool
from app.domain.workflows.stored import Workflow


@runtime_checkable
class RequirementGroups(Protocol):
    """Requirements that are kept by consumer."""

    @property
    def by_consumer(self) -> Mapping[str, tuple[Requirement, ...]]:
        """Requirements by consumer."""

    def with_changed(self, changed: Mapping[str, tuple[Requirement, ...]]) -> Sequence[Requirement]:
        """With other requirements of these consumers."""


@dataclass(frozen=True, kw_only=True)
class CatalogueNodes:
    """Nodes of one generation of the graph, and the edges that answers need; each list sorted by id."""

    tools: Sequence[Tool]
    methods: tuple[Method, ...]
    templates: tuple[Template, ...]
    concepts: tuple[Concept, ...]
    generators: tuple[Generator, ...]
    categories: tuple[Category, ...]
    requirements: Sequence[Requirement] = ()
    """By consumer, parameter, rank; each (consumer, producer, parameter) once."""
    precedences: tuple[Precedence, ...] = ()
    workflows: tuple[Workflow, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Catalogue(CatalogueNodes):
    """Everything that ranking and answers need of one generation of the graph."""

    generation: int
    stamp: str = ""
    """Of the graph's state (`GraphState.stamp`)."""

    @cached_property
    def requirements_of(self) -> Mapping[str, tuple[Requirement, ...]]:
        """Requirements by consumer."""
        if isinstance(self.requirements, RequirementGroups):
            return self.requirements.by_consumer
        groups: defaultdict[str, list[Requirement]] = defaultdict(list)
        for requirement in self.requirements:
            groups[requirement.consumer].append(requirement)
        return {consumer: tuple(group) for consumer, group in groups.items()}

    def take_requirements_of(
        self, earlier: "Catalogue", changed: Mapping[str, tuple[Requirement, ...]]
    ) -> None:
        """Take what an earlier generation has grouped already, but for these consumers."""
        if "requirements_of" in vars(earlier) and not isinstance(self.requirements, RequirementGroups):
            groups = {**earlier.requirements_of, **changed}
            for consumer in [one for one, group in changed.items() if not group]:
                del groups[consumer]
            # Where `cached_property` keeps it.
            vars(self)["requirements_of"] = groups

    @cached_property
    def method_by_id(self) -> Mapping[str, Method]:
        """Methods by id."""
        return {method.id: method for method in self.methods}

    @cached_property
    def template_by_id(self) -> Mapping[str, Template]:
        """Templates by id."""
        return {template.id: template for template in self.templates}

    @cached_property
    def concept_by_id(self) -> Mapping[str, Concept]:
        """Concepts by id."""
        return {concept.id: concept for concept in self.concepts}
