"""The three rankings over an index: a query in, one score per candidate out, with what they were made of."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.domain.language.text import reference_terms
from app.domain.nodes.models import ScoredId
from app.domain.ranking.formulas import Array, fuse_kg_hybrid, window
from app.domain.ranking.graph_scores import Channel
from app.domain.ranking.runs import union
from app.usecases.index.filtered import AllowedTools
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchMethod
from app.usecases.rankings.auto import rank_auto
from app.usecases.rankings.channels import seeds, seen_of
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.rankings.ranking import Ranking


@dataclass(frozen=True)
class Bm25Ranking(Ranking):
    """Words alone."""

    terms: Sequence[str]


@dataclass(frozen=True)
class KgHybridRanking(Ranking):
    """BM25 fused with the graph."""

    terms: Sequence[str]
    text: Array
    """BM25 of the window, 0 outside."""
    reached: Array
    """The graph's scores of the allowed tools."""
    methods: Sequence[ScoredId]
    templates: Sequence[ScoredId]


def rank(
    method: SearchMethod, query: str, graph: ConsistentGraph, *, allowed: AllowedTools | None
) -> Ranking:
    """The ranking that was asked for."""
    if method is SearchMethod.BM25:
        return rank_bm25(query, graph)
    if method is SearchMethod.KG_HYBRID:
        return rank_kg_hybrid(query, graph, allowed=allowed)
    return rank_auto(query, graph, allowed=allowed)


def rank_bm25(query: str, graph: ConsistentGraph) -> Bm25Ranking:
    """BM25 over KG-Hybrid's documents."""
    graph.look()
    terms = reference_terms(query)
    found = graph.view.reference.tools.scores(reference_weights(terms, graph.index))
    return Bm25Ranking(found.positions, found.scores, terms)


def rank_kg_hybrid(query: str, graph: ConsistentGraph, *, allowed: AllowedTools | None) -> KgHybridRanking:
    """KG-Hybrid: the 30 best allowed tools by BM25, fused with what the graph gives to allowed tools."""
    index, reference = graph.index, graph.view.reference
    catalogue, recipe = index.catalogue, index.recipe
    terms = reference_terms(query)
    weights = reference_weights(terms, index)
    methods = seeds(reference.methods.scores(weights), catalogue.methods, recipe.method_seeds)
    templates = seeds(reference.templates.scores(weights), catalogue.templates, recipe.template_seeds)
    channels = graph.kg_hybrid_scores(methods=methods, templates=templates)
    words = reference.tools.scores(weights)
    led_to = seen_of(index.reached(channels.get(Channel.GRAPH, {})), graph.view)
    positions = union([words.positions, led_to.positions], among=len(catalogue.tools))
    passed = allowed.at(positions) if allowed is not None else None
    text = window(words.at(positions), allowed=passed, recipe=recipe)
    reached = led_to.at(positions)
    if passed is not None:
        reached = np.where(passed, reached, 0.0)
    scores = fuse_kg_hybrid(text, reached, recipe=recipe)
    return KgHybridRanking(positions, scores, terms, text, reached, methods, templates)


def reference_weights(terms: Sequence[str], index: SearchIndex) -> dict[int, float]:
    """Number of each known term of a query -> how often it says it."""
    vocabulary = index.analyses.vocabulary
    counts = ((vocabulary.get(term), count) for term, count in Counter(terms).items())
    return {number: float(count) for number, count in counts if number is not None}
