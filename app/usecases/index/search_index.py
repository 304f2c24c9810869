"""Everything that answering needs of one generation, in memory, and never changed once built."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from app.domain.catalogue import Catalogue
from app.domain.nodes.models import ToolId
from app.domain.planning.index import PlanIndex
from app.domain.ranking.formulas import NO_SERVER, Mask, Positions
from app.domain.ranking.intent import act_matrix, verb_terms
from app.domain.ranking.names import NameCover, NameIndex
from app.domain.ranking.recipe import RECIPE, RankingRecipe
from app.domain.ranking.runs import Reached
from app.domain.ranking.views import DocumentTerms, DocumentView
from app.domain.schemas.provider_schemas import provider_names
from app.usecases.index.analyses import Analyses, Analysis, analyse
from app.usecases.index.counts import (
    OF_METHODS,
    count_fields,
    count_texts,
    count_tool_fields,
    count_tool_texts,
)
from app.usecases.index.filtered import AllowedTools, numbers_of, refuse_unknown
from app.usecases.index.views import CatalogueView, ReferenceViews
from app.usecases.questions import Filters


@dataclass(frozen=True)
class ToolActs:
    """What each tool does, as the number of a profile: few differ."""

    of: npt.NDArray[np.int32]
    """The number of each tool's profile."""
    matrix: npt.NDArray[np.float32]
    """`intent.act_matrix` of the profiles."""


@dataclass(frozen=True)
class ToolObjects:
    """What each tool works on (`intent_objects.tool_object`), as a number."""

    of: npt.NDArray[np.int32]
    """-1 where a name does not say it."""
    numbers: Mapping[str, int]


@dataclass(frozen=True)
class SearchIndex:
    """One generation. Build the next beside it and swap: readers keep the one that they began with.

    Memory: about 7 kB a tool for real MCP catalogues, the catalogue's own texts included; more where a tool has
    many methods, whose words its document holds too.
    """

    catalogue: Catalogue
    recipe: RankingRecipe
    analyses: Analyses
    whole: CatalogueView
    """The view that sees everything."""
    acts: ToolActs
    objects: ToolObjects
    terms: tuple[str, ...]
    """The term of each number; some are of earlier generations."""
    positions: Mapping[str, int]
    """Tool id -> position in `catalogue.tools`, which is the order of all arrays."""
    of_methods: sp.csr_matrix
    """(tools, methods and then generators), 1 where the tool has the other's texts in its document."""
    servers: Mapping[str, int]
    """Server -> its number."""
    categories: Mapping[str, Positions]
    """Category id -> tools in it, or implementing a method in it."""
    read_only: Mask
    names: NameIndex

    @classmethod
    def build(
        cls,
        catalogue: Catalogue,
        *,
        previous: "SearchIndex | None" = None,
        recipe: RankingRecipe = RECIPE,
    ) -> "SearchIndex":
        """Index a generation.

        Args:
            catalogue: May be empty.
            previous: An earlier generation; the analysis of nodes that did not change is taken from it.
            recipe: What counts how much.
        """
        analyses = analyse(catalogue, _reusable(previous))
        positions: dict[str, int] = {tool.id: position for position, tool in enumerate(catalogue.tools)}
        of_methods = _methods_of_tools(catalogue, positions)
        names = dict.fromkeys(tool.server for tool in catalogue.tools if tool.server)
        servers = {server: number for number, server in enumerate(names)}
        return cls(
            catalogue=catalogue,
            recipe=recipe,
            analyses=analyses,
            whole=_whole_view(catalogue, analyses, of_methods, servers, recipe),
            acts=_tool_acts(analyses, recipe),
            objects=_tool_objects(analyses),
            terms=tuple(analyses.vocabulary),
            positions=positions,
            of_methods=of_methods,
            servers=servers,
            categories=_categories(catalogue, positions),
            read_only=np.array([tool.read_only is True for tool in catalogue.tools], np.bool_),
            names=NameIndex([f"{tool.name} {tool.title}" for tool in catalogue.tools]),
        )

    @property
    def generation(self) -> int:
        """The generation of the graph that this is."""
        return self.catalogue.generation

    @cached_property
    def plan_index(self) -> PlanIndex:
        """The tools that can be called, as the planner sees them; built when first asked for, then kept."""
        return PlanIndex([tool for tool in self.catalogue.tools if not tool.declared])

    @cached_property
    def provider_names(self) -> Mapping[str, str]:
        """The name that each tool has in the forms of model providers; built when first asked for, then kept."""
        return provider_names(self.positions)

    def view(self, visible: Mask) -> CatalogueView:
        """The view of who sees only these tools, and the methods, templates and concepts that lead to one of them."""
        catalogue, methods = self.catalogue, len(self.catalogue.methods)
        reaching = np.asarray(self.of_methods[:, :methods].T @ visible.astype(np.float64)).ravel() > 0
        seen = {method.id for method, sees in zip(catalogue.methods, reaching.tolist(), strict=True) if sees}

        def sees_tool(tools: Iterable[ToolId]) -> bool:
            return any(visible[self.positions[tool]] for tool in tools if tool in self.positions)

        return self.whole.narrowed(
            visible,
            methods=reaching,
            templates=np.array([sees_tool(template.uses) for template in catalogue.templates], np.bool_),
            concepts=np.array(
                [any(method in seen for method in concept.related_to) for concept in catalogue.concepts],
                np.bool_,
            ),
        )

    def allowed(self, filters: Filters) -> AllowedTools | None:
        """The tools that pass every filter; None when nothing is filtered.

        Raises:
            InvalidInputError: a server or category that this generation does not have.
        """
        if not filters.servers and not filters.categories and filters.read_only is None:
            return None
        servers = numbers_of("server", filters.servers, self.servers) if filters.servers else None
        refuse_unknown("category", filters.categories, self.categories)
        members = [self.categories[category] for category in filters.categories]
        return AllowedTools(
            tools=len(self.catalogue.tools),
            servers=servers,
            members=np.unique(np.concatenate(members)) if members else None,
            read_only=filters.read_only,
            server_of=self.whole.server_of,
            reads_only=self.read_only,
        )

    def reached(self, scores: Mapping[str, float]) -> Reached:
        """Scores by tool id as an array; ids that this generation does not know are dropped."""
        found = sorted(
            (self.positions[tool], score) for tool, score in scores.items() if tool in self.positions
        )
        return Reached(
            np.array([position for position, _ in found], np.intp),
            np.array([score for _, score in found], np.float64),
        )

    def document(self, position: int) -> DocumentTerms:
        """A tool's document, the texts of its methods and generators included."""
        tool, first = self.analyses.tools[position], len(self.recipe.tool_fields)
        numbers, fields = [tool.numbers], [np.repeat(np.arange(first), tool.lengths)]
        for text in self._texts(position):
            numbers.append(text.numbers)
            fields.append(np.repeat(np.arange(first, first + len(text.lengths)), text.lengths))
        return DocumentTerms(position, np.concatenate(numbers), np.concatenate(fields))

    def reference_document(self, position: int) -> npt.NDArray[np.int32]:
        """Term numbers of a tool's document of the reference rankings, the texts of its methods included."""
        own = self.analyses.tools[position].reference
        return np.concatenate([own, *(text.reference for text in self._texts(position))])

    def _texts(self, position: int) -> Iterable[Analysis[Any]]:
        """The methods and generators of a tool."""
        methods, rows = self.analyses.methods, self.of_methods
        for number in rows.indices[rows.indptr[position] : rows.indptr[position + 1]].tolist():
            generator = number - len(methods)
            yield methods[number] if generator < 0 else self.analyses.generators[generator]


def tool_document_fields(recipe: RankingRecipe) -> Mapping[str, float]:
    """Field -> worth in the documents of tools, texts of methods included."""
    of_methods = {OF_METHODS + name: weight for name, weight in recipe.method_fields_of_tool.items()}
    return {**recipe.tool_fields, **of_methods}


def _reusable(previous: SearchIndex | None) -> Analyses | None:
    """The analyses of `previous`, unless most terms of its vocabulary are no longer in use."""
    if previous is None:
        return None
    used = previous.whole.terms_in_use()
    return previous.analyses if 2 * used >= len(previous.analyses.vocabulary) else None


def _methods_of_tools(catalogue: Catalogue, positions: Mapping[str, int]) -> sp.csr_matrix:
    """`SearchIndex.of_methods`: the method is implemented by the tool, the generator uses it."""
    pairs = [
        (positions[tool], column)
        for column, method in enumerate(catalogue.methods)
        for tool in method.implements
        if tool in positions
    ]
    pairs += [
        (positions[generator.tool], column)
        for column, generator in enumerate(catalogue.generators, start=len(catalogue.methods))
        if generator.tool in positions
    ]
    rows = [row for row, _ in pairs]
    columns = [column for _, column in pairs]
    shape = (len(catalogue.tools), len(catalogue.methods) + len(catalogue.generators))
    return sp.csr_matrix((np.ones(len(pairs)), (rows, columns)), shape=shape)


def _whole_view(
    catalogue: Catalogue,
    analyses: Analyses,
    of_methods: sp.csr_matrix,
    servers: Mapping[str, int],
    recipe: RankingRecipe,
) -> CatalogueView:
    terms = len(analyses.vocabulary)
    with_texts: list[Analysis[Any]] = [*analyses.methods, *analyses.generators]
    tools = count_tool_fields(
        analyses.tools,
        with_texts,
        of_methods,
        fields=recipe.tool_fields,
        method_fields=recipe.method_fields_of_tool,
        terms=terms,
    )
    methods = count_fields(analyses.methods, recipe.method_fields, terms=terms)
    templates = count_fields(analyses.templates, recipe.template_fields, terms=terms)
    concepts = count_fields(analyses.concepts, recipe.concept_fields, terms=terms)
    texts = count_tool_texts(analyses.tools, with_texts, of_methods, terms=terms)
    verbs = (analyses.vocabulary.get(verb) for verb in verb_terms())
    implemented = of_methods[:, : len(catalogue.methods)]
    return CatalogueView(
        tools=DocumentView.of_all(tools, tool_document_fields(recipe)),
        methods=DocumentView.of_all(methods, recipe.method_fields),
        templates=DocumentView.of_all(templates, recipe.template_fields),
        concepts=DocumentView.of_all(concepts, recipe.concept_fields),
        reference=ReferenceViews(
            tools=DocumentView.of_text(texts),
            methods=DocumentView.of_text(count_texts(analyses.methods, terms=terms)),
            templates=DocumentView.of_text(count_texts(analyses.templates, terms=terms)),
        ),
        cover=NameCover(
            tools,
            field=list(recipe.tool_fields).index("name"),
            left_out=frozenset(verb for verb in verbs if verb is not None),
        ),
        server_of=np.array([servers.get(tool.server, NO_SERVER) for tool in catalogue.tools], np.intp),
        with_methods=np.asarray(implemented.sum(axis=1)).ravel() > 0,
        definition_bytes=np.array([facts.definition_bytes for facts in analyses.facts], np.int64),
    )


def _tool_acts(analyses: Analyses, recipe: RankingRecipe) -> ToolActs:
    profiles: dict[tuple[tuple[str, float], ...], int] = {}
    of = [profiles.setdefault(tuple(facts.acts.items()), len(profiles)) for facts in analyses.facts]
    return ToolActs(np.array(of, np.int32), act_matrix([dict(one) for one in profiles], recipe=recipe))


def _tool_objects(analyses: Analyses) -> ToolObjects:
    numbers: dict[str, int] = {}
    of = [numbers.setdefault(facts.object, len(numbers)) if facts.object else -1 for facts in analyses.facts]
    return ToolObjects(np.array(of, np.int32), numbers)


def _categories(catalogue: Catalogue, positions: Mapping[str, int]) -> Mapping[str, Positions]:
    members: defaultdict[str, set[int]] = defaultdict(set)
    for category in catalogue.categories:
        members[category.id] = set()
    for position, tool in enumerate(catalogue.tools):
        for name in tool.categories:
            members[name].add(position)
    for method in catalogue.methods:
        if method.category:
            members[method.category].update(positions[t] for t in method.implements if t in positions)
    return {category: _sorted(tools) for category, tools in members.items()}


def _sorted(positions: Iterable[int]) -> Positions:
    return np.array(sorted(positions), np.intp)
