"""Everything that answering needs of one generation, in memory, and never changed once built."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from app.domain.catalogue import Catalogue
from app.domain.language.near import NameIndex
from app.domain.planning.index import PlanIndex
from app.domain.ranking.documents import estimate_tokens
from app.domain.ranking.fields import FieldIndex, Postings, compile_bm25f, compile_cover
from app.domain.ranking.formulas import NO_SERVER, Array, Mask, Positions
from app.domain.ranking.intent import act_matrix, verb_terms
from app.domain.ranking.recipe import RECIPE, RankingRecipe
from app.domain.schemas.provider_schemas import provider_names
from app.errors import InvalidInputError
from app.ports.ranking import LexicalIndex, LexicalIndexFactory
from app.usecases.index.analyses import Analyses, analyse, count_terms
from app.usecases.questions import Filters

OF_METHODS = "method_"
"""What the names of those fields of a tool begin with that its methods fill."""

_NAMED = 5
"""How many accepted values a message names."""


@dataclass(frozen=True)
class ReferenceIndexes:
    """BM25 over KG-Hybrid's documents."""

    tools: LexicalIndex
    methods: LexicalIndex
    templates: LexicalIndex


@dataclass(frozen=True)
class AutoIndexes:
    """BM25F and name cover for `auto`."""

    tools: FieldIndex
    methods: FieldIndex
    templates: FieldIndex
    concepts: FieldIndex
    cover: Postings
    resources: Postings
    """Share of the terms of what a tool's path names, `intent_objects.path_terms`."""
    acts: npt.NDArray[np.float32]
    """`intent.act_matrix` of the tools."""
    objects: Mapping[str, Positions]
    """Term -> the tools that work on it (`intent_objects.tool_object`)."""
    terms: tuple[str, ...]
    """The term of each number."""
    numbers: Mapping[str, int]
    """The number of each term that a node of this generation has; the vocabulary knows those of earlier ones."""


@dataclass(frozen=True)
class SearchIndex:
    """One generation. Build the next beside it and swap: readers keep the one that they began with.

    Memory: about 7 kB a tool for real MCP catalogues, the catalogue's own texts included; more where a tool has
    many methods, whose words its document holds too.
    """

    catalogue: Catalogue
    recipe: RankingRecipe
    analyses: Analyses
    reference: ReferenceIndexes
    auto: AutoIndexes
    positions: Mapping[str, int]
    """Tool id -> position in `catalogue.tools`, which is the order of all arrays."""
    of_methods: sp.csr_matrix
    """(tools, methods and then generators), 1 where the tool has the other's texts in its document."""
    with_methods: Mask
    """Tools that a method is implemented by."""
    servers: Mapping[str, int]
    """Server -> its number."""
    server_of: Positions
    server_sizes: Array
    categories: Mapping[str, Positions]
    """Category id -> tools in it, or implementing a method in it."""
    read_only: Mask
    names: NameIndex
    definition_bytes: npt.NDArray[np.int64]
    catalogue_tokens: int
    """Estimated tokens of all tools' definitions together."""

    @classmethod
    def build(
        cls,
        catalogue: Catalogue,
        *,
        lexical: LexicalIndexFactory,
        previous: "SearchIndex | None" = None,
        recipe: RankingRecipe = RECIPE,
    ) -> "SearchIndex":
        """Index a generation.

        Args:
            catalogue: May be empty.
            lexical: Builds the BM25 of `bm25` and `kg_hybrid`.
            previous: An earlier generation; the analysis of nodes that did not change is taken from it.
            recipe: What counts how much.
        """
        analyses = analyse(catalogue, _reusable(previous))
        positions: dict[str, int] = {tool.id: position for position, tool in enumerate(catalogue.tools)}
        of_methods = _methods_of_tools(catalogue, positions)
        names = dict.fromkeys(tool.server for tool in catalogue.tools if tool.server)
        servers = {server: number for number, server in enumerate(names)}
        server_of = np.array([servers.get(tool.server, NO_SERVER) for tool in catalogue.tools], np.intp)
        sizes = np.array([facts.definition_bytes for facts in analyses.facts], np.int64)
        implemented = of_methods[:, : len(catalogue.methods)]
        return cls(
            catalogue=catalogue,
            recipe=recipe,
            analyses=analyses,
            reference=_reference_indexes(analyses, of_methods, lexical),
            auto=_auto_indexes(analyses, of_methods, recipe),
            positions=positions,
            of_methods=of_methods,
            with_methods=np.asarray(implemented.sum(axis=1)).ravel() > 0,
            servers=servers,
            server_of=server_of,
            server_sizes=np.bincount(server_of[server_of != NO_SERVER], minlength=len(servers)).astype(
                np.float64
            ),
            categories=_categories(catalogue, positions),
            read_only=np.array([tool.read_only is True for tool in catalogue.tools], np.bool_),
            names=NameIndex([f"{tool.name} {tool.title}" for tool in catalogue.tools]),
            definition_bytes=sizes,
            catalogue_tokens=estimate_tokens(sizes.tolist()),
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

    def allowed(self, filters: Filters) -> Mask | None:
        """True for each tool that passes every filter; None when nothing is filtered.

        Raises:
            InvalidInputError: a server or category that this generation does not have.
        """
        if not filters.servers and not filters.categories and filters.read_only is None:
            return None
        allowed = np.ones(len(self.catalogue.tools), np.bool_)
        if filters.servers:
            _refuse_unknown("server", filters.servers, self.servers)
            allowed &= np.isin(self.server_of, [self.servers[server] for server in filters.servers])
        if filters.categories:
            _refuse_unknown("category", filters.categories, self.categories)
            inside = np.zeros_like(allowed)
            for category in filters.categories:
                inside[self.categories[category]] = True
            allowed &= inside
        if filters.read_only is not None:
            allowed &= self.read_only == filters.read_only
        return allowed

    def array(self, scores: Mapping[str, float]) -> Array:
        """Scores by tool id as an array; ids that this generation does not know are dropped."""
        values = np.zeros(len(self.catalogue.tools))
        for tool, score in scores.items():
            position = self.positions.get(tool)
            if position is not None:
                values[position] = score
        return values


def tool_document_fields(recipe: RankingRecipe) -> Mapping[str, float]:
    """Field -> worth in the documents of tools, texts of methods included."""
    of_methods = {OF_METHODS + name: weight for name, weight in recipe.method_fields_of_tool.items()}
    return {**recipe.tool_fields, **of_methods}


def _refuse_unknown(kind: str, asked: Iterable[str], known: Iterable[str]) -> None:
    names = sorted(name for name in known if name)
    for name in asked:
        if name in names:
            continue
        near = get_close_matches(name, names, n=_NAMED, cutoff=0.5)
        if near:
            hint = f"near ones are {', '.join(map(repr, near))}"
        elif names:
            shown = ", ".join(map(repr, names[:_NAMED]))
            hint = f"there are {len(names)}, among them {shown}"
        else:
            hint = "the graph has nothing yet"
        raise InvalidInputError(f"filters: no {kind} {name!r} in the catalogue; {hint}")


def _reusable(previous: SearchIndex | None) -> Analyses | None:
    """The analyses of `previous`, unless most terms of its vocabulary are no longer in use."""
    if previous is None:
        return None
    auto = previous.auto
    used = sum(
        int(np.count_nonzero(index.idfs))
        for index in (auto.tools, auto.methods, auto.templates, auto.concepts)
    )
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


def _reference_indexes(
    analyses: Analyses, of_methods: sp.csr_matrix, lexical: LexicalIndexFactory
) -> ReferenceIndexes:
    methods = [method.reference for method in analyses.methods]
    methods += [generator.reference for generator in analyses.generators]
    tools: list[Sequence[str]] = []
    for row, tool in enumerate(analyses.tools):
        numbers = of_methods.indices[of_methods.indptr[row] : of_methods.indptr[row + 1]]
        tools.append([*tool.reference, *(term for number in numbers for term in methods[number])])
    return ReferenceIndexes(
        tools=lexical(tools),
        methods=lexical([analysis.reference for analysis in analyses.methods]),
        templates=lexical([analysis.reference for analysis in analyses.templates]),
    )


def _auto_indexes(analyses: Analyses, of_methods: sp.csr_matrix, recipe: RankingRecipe) -> AutoIndexes:
    terms = len(analyses.vocabulary)
    own = count_terms(analyses.tools, recipe.tool_fields, terms=terms)
    methods = count_terms(analyses.methods, recipe.method_fields, terms=terms)
    generators = count_terms(analyses.generators, recipe.method_fields, terms=terms)
    counts = dict(own)
    for field in recipe.method_fields_of_tool:
        texts = sp.vstack([methods[field], generators[field]], format="csr")
        counts[OF_METHODS + field] = sp.csr_matrix(of_methods @ texts)
    verbs = [analyses.vocabulary[verb] for verb in verb_terms() if verb in analyses.vocabulary]
    templates = count_terms(analyses.templates, recipe.template_fields, terms=terms)
    concepts = count_terms(analyses.concepts, recipe.concept_fields, terms=terms)
    indexes = (
        compile_bm25f(counts, weights=tool_document_fields(recipe)),
        compile_bm25f(methods, weights=recipe.method_fields),
        compile_bm25f(templates, weights=recipe.template_fields),
        compile_bm25f(concepts, weights=recipe.concept_fields),
    )
    in_use = np.logical_or.reduce([index.idfs > 0 for index in indexes])
    return AutoIndexes(
        *indexes,
        cover=compile_cover(own["name"], left_out=verbs),
        resources=_resources(analyses, terms=terms),
        acts=act_matrix([facts.acts for facts in analyses.facts], recipe=recipe),
        objects=_objects(analyses),
        terms=tuple(analyses.vocabulary),
        numbers={term: number for term, number in analyses.vocabulary.items() if in_use[number]},
    )


def _resources(analyses: Analyses, *, terms: int) -> Postings:
    pairs = [
        (number, position, 1 / len(facts.resource))
        for position, facts in enumerate(analyses.facts)
        for number in facts.resource
    ]
    rows, columns, shares = (list(column) for column in zip(*pairs, strict=True)) if pairs else ([], [], [])
    return Postings(sp.csr_matrix((shares, (rows, columns)), shape=(terms, len(analyses.facts))))


def _objects(analyses: Analyses) -> Mapping[str, Positions]:
    tools: defaultdict[str, list[int]] = defaultdict(list)
    for position, facts in enumerate(analyses.facts):
        if facts.object:
            tools[facts.object].append(position)
    return {term: np.array(positions, np.intp) for term, positions in tools.items()}


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
