"""The index of a catalogue that has only what somebody may see, made of the whole one: no text is read again.

Everything that answers is asked of this index, as it is of the whole one, so that an answer cannot depend on what is
not in it: names, counts, rarities, mean lengths, sizes of servers, words.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar, cast, overload

import numpy as np

from app.domain.catalogue import Catalogue
from app.domain.nodes.dependencies import Requirement
from app.domain.nodes.models import (
    Category,
    Concept,
    Generator,
    Method,
    NodeKind,
    ScoredId,
    Template,
    Tool,
    ToolId,
)
from app.domain.packed.sequences import Chosen, ChosenPositions, ReadSequence, new_places, smallest
from app.domain.planning.index import PlanIndex
from app.domain.ranking.formulas import NO_SERVER, Mask, Positions
from app.domain.ranking.runs import Reached
from app.domain.workflows.stored import Workflow
from app.usecases.index.analyses import Analyses, Analysis
from app.usecases.index.counts import count_tool_fields, count_tool_texts
from app.usecases.index.meaning import ChosenMeaning
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.views import CatalogueView, ReferenceViews
from app.usecases.index.whole import with_methods_of, with_methods_texts

IsGranted = Callable[[NodeKind, str], bool]
"""Whether a source that is granted provides a node other than a tool."""
N = TypeVar("N", Method, Template, Concept, Generator)


class SeenTools(ReadSequence[Tool]):
    """Some tools, each without the categories that are hidden, and some without what is stated of their flows.

    Args:
        tools: All.
        at: The places of the visible ones, rising.
        categories: The visible ones; None: all are.
        unlabelled: Ids of those whose labels are not seen.
    """

    def __init__(
        self,
        tools: Sequence[Tool],
        at: Positions,
        categories: frozenset[str] | None,
        unlabelled: frozenset[str],
    ) -> None:
        self._tools = tools
        self._at = at
        self._categories = categories
        self._unlabelled = unlabelled

    def __len__(self) -> int:
        return int(self._at.size)

    def read(self, at: int) -> Tool:
        """The tool at a place."""
        return self.as_seen(self._tools[int(self._at[at])])

    def as_seen(self, tool: Tool) -> Tool:
        """A visible tool without what of it is hidden; itself where nothing is."""
        categories = self._categories
        if tool.labels and tool.id in self._unlabelled:
            tool = tool.model_copy(update={"labels": ()})
        if categories is None or categories.issuperset(tool.categories):
            return tool
        kept = tuple(one for one in tool.categories if one in categories)
        return tool.model_copy(update={"categories": kept})


class SeenRequirements(Sequence[Requirement]):
    """Requirements between visible tools; those of a consumer are looked through when they are asked for."""

    def __init__(self, catalogue: Catalogue, positions: Mapping[str, int]) -> None:
        self.by_consumer: Mapping[str, tuple[Requirement, ...]] = _ByConsumer(catalogue, positions)

    def with_changed(self, changed: Mapping[str, tuple[Requirement, ...]]) -> Sequence[Requirement]:
        """With other requirements of these consumers."""
        groups = {**self.by_consumer, **changed}
        return tuple(edge for consumer in sorted(groups) for edge in groups[consumer])

    def __len__(self) -> int:
        return sum(map(len, self.by_consumer.values()))

    def __iter__(self) -> Iterator[Requirement]:
        return (edge for consumer in self.by_consumer for edge in self.by_consumer[consumer])

    @overload
    def __getitem__(self, at: int) -> Requirement: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Requirement]: ...
    def __getitem__(self, at: int | slice) -> Requirement | Sequence[Requirement]:
        return tuple(self)[at]


class _ByConsumer(Mapping[str, tuple[Requirement, ...]]):
    def __init__(self, catalogue: Catalogue, positions: Mapping[str, int]) -> None:
        self._catalogue = catalogue
        self._positions = positions

    def __getitem__(self, consumer: str) -> tuple[Requirement, ...]:
        if consumer not in self._positions:
            raise KeyError(consumer)
        edges = self._catalogue.requirements_of[consumer]
        found = tuple(edge for edge in edges if edge.producer in self._positions)
        if not found:
            raise KeyError(consumer)
        return found

    def __iter__(self) -> Iterator[str]:
        return (consumer for consumer in self._catalogue.requirements_of if consumer in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True)
class NarrowedIndex(SearchIndex):
    """One generation as somebody sees it; `narrowed_index` makes it."""

    positions: ChosenPositions
    everything: SearchIndex = field(kw_only=True)

    def suggestions(self, seeds: Sequence[ScoredId]) -> Reached:
        """As for `SearchIndex`, of the visible tools."""
        found = self.everything.suggestions(seeds)
        places = self.positions.now[found.positions]
        seen = places >= 0
        return Reached(places[seen].astype(np.intp), found.scores[seen])

    @cached_property
    def plan_index(self) -> PlanIndex:
        """As for `SearchIndex`, made of that of all tools."""
        everything, at, now = self.everything, self.positions.at, self.positions.now
        if everything.declared.any():
            at = everything.callable_places[at[self.callable_at]].astype(np.intp)
            now = new_places(len(everything.plan_index), at)
        # The words of a category that is hidden are no words of the tool.
        seen = None if everything.categories.keys() <= self.categories.keys() else self.categories.keys()
        tools = cast("SeenTools", self.catalogue.tools)
        return everything.plan_index.chosen(
            self.callable_tools, self.callable_positions, at, now, categories=seen, as_seen=tools.as_seen
        )


@dataclass(frozen=True)
class SeenNodes:
    """What of a catalogue is visible beside its tools."""

    methods: Positions
    generators: Positions
    templates: Positions
    concepts: Positions
    categories: frozenset[str]
    all_categories: bool
    """Whether these are all that a visible tool is in."""
    workflows: tuple[Workflow, ...]
    hidden_methods: frozenset[int] = field(default=frozenset())
    """Positions of methods that visible tools carry out, of taxonomies that are not granted."""


def sees_workflow(
    workflow: Workflow, has_tool: Callable[[str], bool], workflows: Callable[[str], Workflow | None]
) -> bool:
    """Whether all tools of a workflow are visible, those of the workflows that it runs included."""
    waiting, looked_at = [workflow], {workflow.id}
    while waiting:
        for step in waiting.pop().steps:
            if step.workflow_id:
                other = workflows(step.workflow_id)
                # One that nobody has is as missing for whoever sees everything.
                if other is not None and other.id not in looked_at:
                    looked_at.add(other.id)
                    waiting.append(other)
            elif step.tool_id and not has_tool(step.tool_id):
                return False
    return True


def narrowed_index(
    index: SearchIndex, visible: Mask, is_granted: IsGranted, *, unlabelled: frozenset[str] = frozenset()
) -> NarrowedIndex:
    """The index of a catalogue that has no other tools, and of the other nodes those that lead to one of them.

    Args:
        index: Of everything.
        visible: Which tools there are.
        is_granted: Asked for methods, templates, concepts, generators and categories; those of the common taxonomy
            are granted to all.
        unlabelled: Tools whose labels a taxonomy states that is not granted: they are seen without any that is stated.
    """
    at = np.flatnonzero(visible)
    positions = ChosenPositions(index.positions, at, new_places(visible.size, at))
    seen = _seen_nodes(index, visible, positions, is_granted)
    catalogue = _catalogue(index, positions, seen, unlabelled)
    analyses = _analyses(index.analyses, catalogue, at, seen)
    methods = len(index.catalogue.methods)
    columns = np.concatenate([seen.methods, seen.generators + methods])
    rows = index.of_methods[at]
    of_methods = rows[:, columns]
    gone = np.setdiff1d(np.arange(rows.shape[1]), columns)
    again = np.flatnonzero(np.asarray(rows[:, gone].sum(axis=1)).ravel() > 0) if gone.size else gone
    return NarrowedIndex(
        catalogue=catalogue,
        recipe=index.recipe,
        analyses=analyses,
        whole=_view(index, positions, again, of_methods, analyses, catalogue, seen),
        acts=index.acts.seen(at),
        objects=index.objects.seen(at),
        resources=index.resources.seen(at),
        positions=positions,
        of_methods=of_methods,
        servers=_servers(index, at),
        categories=_categories(index, catalogue, seen, positions),
        read_only=index.read_only[at],
        declared=index.declared[at],
        names=index.names.chosen(positions.now, size=int(at.size)),
        meaning=ChosenMeaning(index.meaning, at),
        everything=index,
    )


def _seen_nodes(
    index: SearchIndex, visible: Mask, positions: Mapping[str, int], is_granted: IsGranted
) -> SeenNodes:
    catalogue = index.catalogue
    granted = [one.common or is_granted(NodeKind.METHOD, one.id) for one in catalogue.methods]
    reached = [one.common or any(tool in positions for tool in one.implements) for one in catalogue.methods]
    methods = [at for at, seen in enumerate(zip(granted, reached, strict=True)) if all(seen)]
    ids = {catalogue.methods[at].id for at in methods}
    templates = [
        at
        for at, one in enumerate(catalogue.templates)
        if any(tool in positions for tool in one.uses) and is_granted(NodeKind.TEMPLATE, one.id)
    ]
    concepts = [
        at
        for at, one in enumerate(catalogue.concepts)
        if not ids.isdisjoint(one.related_to) and is_granted(NodeKind.CONCEPT, one.id)
    ]
    generators = [
        at
        for at, one in enumerate(catalogue.generators)
        if one.tool in positions and is_granted(NodeKind.GENERATOR, one.id)
    ]
    used = {one for one, tools in index.categories.items() if visible[tools].any()}
    categories = frozenset(one for one in used if is_granted(NodeKind.CATEGORY, one))
    by_id = {one.id: one for one in catalogue.workflows}
    workflows = [one for one in catalogue.workflows if sees_workflow(one, positions.__contains__, by_id.get)]
    hidden = {at for at, is_reached in enumerate(reached) if is_reached and not granted[at]}
    return SeenNodes(
        _positions(methods),
        _positions(generators),
        _positions(templates),
        _positions(concepts),
        categories,
        len(categories) == len(used),
        tuple(workflows),
        frozenset(hidden),
    )


def _positions(found: Iterable[int]) -> Positions:
    return np.array([*found], np.intp)


def _catalogue(
    index: SearchIndex,
    positions: ChosenPositions,
    seen: SeenNodes,
    unlabelled: frozenset[str],
) -> Catalogue:
    catalogue = index.catalogue
    methods = [catalogue.methods[one] for one in seen.methods.tolist()]
    ids = {one.id for one in methods}

    def tools(some: Iterable[ToolId]) -> tuple[ToolId, ...]:
        return tuple(one for one in some if one in positions)

    # What methods suggest stays as it is, `suggestions` gives what of it is seen: a copy of each method would be most
    # of the memory of a view.
    def method(one: Method) -> Method:
        return _with(
            one,
            implements=tools(one.implements),
            related=tuple(link for link in one.related if link.target in ids),
            alternatives=tuple(other for other in one.alternatives if other in ids),
        )

    def template(one: Template) -> Template:
        return _with(one, **_placed(one.uses, one.places, positions, "uses"))

    def concept(one: Concept) -> Concept:
        return _with(one, **_placed(one.related_to, one.places, ids, "related_to"))

    return Catalogue(
        generation=catalogue.generation,
        stamp=catalogue.stamp,
        tools=SeenTools(
            catalogue.tools, positions.at, None if seen.all_categories else seen.categories, unlabelled
        ),
        methods=tuple(map(method, methods)),
        templates=tuple(template(catalogue.templates[one]) for one in seen.templates.tolist()),
        concepts=tuple(concept(catalogue.concepts[one]) for one in seen.concepts.tolist()),
        generators=tuple(catalogue.generators[one] for one in seen.generators.tolist()),
        categories=tuple(_seen_category(catalogue.categories, seen)),
        requirements=SeenRequirements(catalogue, positions),
        precedences=tuple(
            one for one in catalogue.precedences if one.first in positions and one.then in positions
        ),
        workflows=seen.workflows,
    )


def _seen_category(categories: Iterable[Category], seen: SeenNodes) -> Iterator[Category]:
    return (one for one in categories if one.id in seen.categories)


def _with(node: N, **values: Any) -> N:
    """The node with these values; itself where it has them."""
    if all(getattr(node, name) == value for name, value in values.items()):
        return node
    return node.model_copy(update=values)


def _placed(
    named: Sequence[str], places: Sequence[int], among: Any, name: str
) -> dict[str, tuple[str, ...] | tuple[int, ...]]:
    """What is left of a list, each at the place that it had."""
    pairs = [pair for pair in zip(named, places or range(len(named)), strict=True) if pair[0] in among]
    kept = tuple(place for _, place in pairs)
    is_plain = kept == tuple(range(len(kept)))
    return {name: tuple(one for one, _ in pairs), "places": () if is_plain else kept}


def _analyses(analyses: Analyses, catalogue: Catalogue, at: Positions, seen: SeenNodes) -> Analyses:
    def some(analysed: Sequence[Analysis[N]], nodes: Sequence[N], chosen: Positions) -> list[Analysis[N]]:
        return [
            Analysis(node, analysed[place].terms) for node, place in zip(nodes, chosen.tolist(), strict=True)
        ]

    return Analyses(
        vocabulary=analyses.vocabulary,
        tools=Chosen(analyses.tools, at),
        methods=some(analyses.methods, catalogue.methods, seen.methods),
        generators=some(analyses.generators, catalogue.generators, seen.generators),
        templates=some(analyses.templates, catalogue.templates, seen.templates),
        concepts=some(analyses.concepts, catalogue.concepts, seen.concepts),
    )


def _view(
    index: SearchIndex,
    positions: ChosenPositions,
    again: Positions,
    of_methods: Any,
    analyses: Analyses,
    catalogue: Catalogue,
    seen: SeenNodes,
) -> CatalogueView:
    whole, recipe, at, now = index.whole, index.recipe, positions.at, positions.now
    counts = texts = None
    if again.size:
        # Their documents have texts of methods or generators that are hidden.
        counted, terms = [analyses.tools[place] for place in again.tolist()], len(analyses.vocabulary)
        counts = count_tool_fields(
            counted,
            with_methods_texts(analyses),
            of_methods[again],
            fields=recipe.tool_fields,
            method_fields=recipe.method_fields_of_tool,
            terms=terms,
            with_methods=True,
        )
        texts = count_tool_texts(counted, with_methods_texts(analyses), of_methods[again], terms=terms)
    tools = whole.tools.chosen(at, counted=counts, counted_at=again, now=now)
    reference = whole.reference
    return CatalogueView(
        tools=tools,
        methods=whole.methods.chosen(seen.methods),
        common=whole.common.chosen(seen.methods),
        templates=whole.templates.chosen(seen.templates),
        concepts=whole.concepts.chosen(seen.concepts),
        reference=ReferenceViews(
            tools=reference.tools.chosen(at, counted=texts, counted_at=again, now=now),
            methods=reference.methods.chosen(seen.methods),
            templates=reference.templates.chosen(seen.templates),
        ),
        cover=replace(whole.cover, documents=tools),
        server_of=smallest(whole.server_of[at]),
        with_methods=with_methods_of(catalogue, of_methods),
        definition_bytes=smallest(whole.definition_bytes[at]),
    )


def _servers(index: SearchIndex, at: Positions) -> dict[str, int]:
    """Those of visible tools keep their numbers."""
    numbers = set(np.unique(index.whole.server_of[at]).tolist()) - {NO_SERVER}
    return {server: number for server, number in index.servers.items() if number in numbers}


def _categories(
    index: SearchIndex, catalogue: Catalogue, seen: SeenNodes, positions: ChosenPositions
) -> dict[str, Positions]:
    now = positions.now
    unsure = {index.catalogue.methods[one].category for one in seen.hidden_methods} & seen.categories
    found = {}
    for category in index.categories.keys() & seen.categories:
        moved = now[index.categories[category]]
        found[category] = moved[moved >= 0].astype(np.intp)
    for category in unsure:
        # A hidden method may be all that brings a tool into it.
        by_methods = {
            positions[tool]
            for one in catalogue.methods
            if one.category == category
            for tool in one.implements
        }
        kept = [
            one
            for one in found[category].tolist()
            if one in by_methods or category in catalogue.tools[one].categories
        ]
        found[category] = _positions(kept)
    return found
