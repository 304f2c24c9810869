"""Everything of one generation of the graph that ranking, planning and answers need, as values."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from app.domain.nodes.dependencies import Precedence, Requirement
from app.domain.nodes.models import Category, Concept, Generator, Method, Template, Tool
from app.domain.workflows.stored import Workflow


@dataclass(frozen=True)
class Catalogue:
    """Everything that ranking and answers need of one generation of the graph; each list sorted by id."""

    generation: int
    tools: tuple[Tool, ...]
    methods: tuple[Method, ...]
    templates: tuple[Template, ...]
    concepts: tuple[Concept, ...]
    generators: tuple[Generator, ...]
    categories: tuple[Category, ...]
    requirements: tuple[Requirement, ...] = ()
    """By consumer, parameter, rank; each (consumer, producer, parameter) once."""
    precedences: tuple[Precedence, ...] = ()
    workflows: tuple[Workflow, ...] = ()
    stamp: str = ""
    """Of the graph's state (`GraphState.stamp`)."""

    @cached_property
    def requirements_of(self) -> Mapping[str, tuple[Requirement, ...]]:
        """Requirements by consumer."""
        groups: defaultdict[str, list[Requirement]] = defaultdict(list)
        for requirement in self.requirements:
            groups[requirement.consumer].append(requirement)
        return {consumer: tuple(group) for consumer, group in groups.items()}

    def take_requirements_of(
        self, earlier: "Catalogue", changed: Mapping[str, tuple[Requirement, ...]]
    ) -> None:
        """Take what an earlier generation has grouped already, but for these consumers."""
        if "requirements_of" in vars(earlier):
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
