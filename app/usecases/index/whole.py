"""The views of a catalogue that see everything, and the numbers by position that go with them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from app.domain.catalogue import Catalogue
from app.domain.nodes.models import Method
from app.domain.ranking.formulas import NO_SERVER, Mask, Positions
from app.domain.ranking.intent import verb_terms
from app.domain.ranking.names import NameCover
from app.domain.ranking.recipe import RankingRecipe
from app.domain.ranking.views import DocumentView
from app.usecases.index.analyses import Analyses, Analysis, NodeTerms, ToolFacts
from app.usecases.index.counts import (
    OF_METHODS,
    count_fields,
    count_texts,
    count_tool_fields,
    count_tool_texts,
)
from app.usecases.index.views import CatalogueView, ReferenceViews


def tool_document_fields(recipe: RankingRecipe) -> Mapping[str, float]:
    """Field -> worth in the documents of tools, texts of methods included."""
    of_methods = {OF_METHODS + name: weight for name, weight in recipe.method_fields_of_tool.items()}
    return {**recipe.tool_fields, **of_methods}


def methods_of_tools(catalogue: Catalogue, positions: Mapping[str, int]) -> sp.csr_matrix:
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


def whole_view(
    catalogue: Catalogue,
    analyses: Analyses,
    facts: Sequence[ToolFacts],
    of_methods: sp.csr_matrix,
    servers: Mapping[str, int],
    recipe: RankingRecipe,
) -> CatalogueView:
    """The view of a catalogue that sees everything, with all weights computed."""
    terms = len(analyses.vocabulary)
    with_texts = with_methods_texts(analyses)
    tools = count_tool_fields(
        analyses.tools,
        with_texts,
        of_methods,
        fields=recipe.tool_fields,
        method_fields=recipe.method_fields_of_tool,
        terms=terms,
        with_methods=bool(of_methods.nnz),
    )
    texts = count_tool_texts(analyses.tools, with_texts, of_methods, terms=terms)
    documents = DocumentView.of_all(tools, tool_document_fields(recipe))
    small = small_views(analyses, recipe)
    return CatalogueView(
        tools=documents,
        methods=small.methods,
        common=small.common,
        templates=small.templates,
        concepts=small.concepts,
        reference=ReferenceViews(
            tools=DocumentView.of_text(texts),
            methods=small.reference_methods,
            templates=small.reference_templates,
        ),
        cover=cover_of(documents, analyses, recipe),
        server_of=servers_of(catalogue, servers),
        with_methods=with_methods_of(catalogue, of_methods),
        definition_bytes=np.array([one.definition_bytes for one in facts], np.int64),
    )


def with_methods_texts(analyses: Analyses) -> list[NodeTerms]:
    """The columns of `SearchIndex.of_methods`: methods, then generators."""
    return [*_terms_of(analyses.methods), *_terms_of(analyses.generators)]


def _terms_of(analysed: Iterable[Analysis[Any]]) -> list[NodeTerms]:
    return [one.terms for one in analysed]


@dataclass(frozen=True)
class SmallViews:
    """Of the kinds that a taxonomy brings: few, and counted together at each change."""

    methods: DocumentView
    common: DocumentView
    templates: DocumentView
    concepts: DocumentView
    reference_methods: DocumentView
    reference_templates: DocumentView


def small_views(analyses: Analyses, recipe: RankingRecipe) -> SmallViews:
    """The views of all kinds but tools."""
    terms = len(analyses.vocabulary)
    methods = count_fields(_terms_of(analyses.methods), recipe.method_fields, terms=terms)
    templates = count_fields(_terms_of(analyses.templates), recipe.template_fields, terms=terms)
    concepts = count_fields(_terms_of(analyses.concepts), recipe.concept_fields, terms=terms)
    of_methods = DocumentView.of_all(methods, recipe.method_fields)
    reference = DocumentView.of_text(count_texts(_terms_of(analyses.methods), terms=terms))
    speak, suggest = methods_that_speak(analyses.methods)
    if suggest.any():
        of_methods, reference = of_methods.narrowed(speak), reference.narrowed(speak)
    return SmallViews(
        methods=of_methods,
        common=of_methods.narrowed(suggest),
        templates=DocumentView.of_all(templates, recipe.template_fields),
        concepts=DocumentView.of_all(concepts, recipe.concept_fields),
        reference_methods=reference,
        reference_templates=DocumentView.of_text(count_texts(_terms_of(analyses.templates), terms=terms)),
    )


def methods_that_speak(methods: Sequence[Analysis[Method]]) -> tuple[Mask, Mask]:
    """Which methods speak for the tools that they are implemented by, and which for those that they suggest."""
    common = np.array([one.node.common for one in methods], np.bool_)
    return ~common, common


def cover_of(documents: DocumentView, analyses: Analyses, recipe: RankingRecipe) -> NameCover:
    """The cover of the tools' names; verbs do not count."""
    verbs = (analyses.vocabulary.get(verb) for verb in verb_terms())
    return NameCover(
        documents,
        field=list(recipe.tool_fields).index("name"),
        left_out=frozenset(verb for verb in verbs if verb is not None),
    )


def servers_of(catalogue: Catalogue, servers: Mapping[str, int]) -> Positions:
    """The number of each tool's server."""
    return np.array([servers.get(tool.server, NO_SERVER) for tool in catalogue.tools], np.intp)


def numbers_of_servers(catalogue: Catalogue) -> dict[str, int]:
    """Server -> its number."""
    names = dict.fromkeys(tool.server for tool in catalogue.tools if tool.server)
    return {server: number for number, server in enumerate(names)}


def with_methods_of(catalogue: Catalogue, of_methods: sp.csr_matrix) -> Mask:
    """Which tools a method is implemented by."""
    implemented = of_methods[:, : len(catalogue.methods)]
    found: Mask = np.asarray(implemented.sum(axis=1)).ravel() > 0
    return found


def categories_of(catalogue: Catalogue, positions: Mapping[str, int]) -> Mapping[str, Positions]:
    """Category id -> tools in it, or implementing a method in it, rising."""
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
