"""The three rankings over an index: a query in, one score per tool out, with what they were made of."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from app.domain.language.countries import COUNTRY_TERM, named_country
from app.domain.language.idioms import idiom_verb
from app.domain.language.korean import in_english
from app.domain.language.text import (
    FAINT_WORDS,
    auto_terms,
    joined_terms,
    reference_terms,
    split_words,
    term_pairs,
)
from app.domain.nodes.models import Concept, Method, MethodId, MethodSeed, ScoredId, Template
from app.domain.ranking.fields import Postings, query_weight
from app.domain.ranking.formulas import (
    Array,
    Mask,
    TailMix,
    auto_units,
    best,
    boost_by_server,
    expand_query,
    fuse_auto,
    fuse_kg_hybrid,
    lexical_factor,
    mix_tail,
    powers,
    server_shares,
    window,
)
from app.domain.ranking.graph_scores import Channel
from app.domain.ranking.intent import count_clauses, intent_scores, opens_something_new, query_acts
from app.domain.ranking.intent_objects import object_matches, query_objects
from app.domain.reading.value_nouns import value_nouns
from app.usecases.index.search_index import SearchIndex
from app.usecases.rankings.consistent import Channels, ConsistentGraph


@dataclass(frozen=True)
class Bm25Ranking:
    """Words alone."""

    scores: Array
    terms: Sequence[str]


@dataclass(frozen=True)
class KgHybridRanking:
    """BM25 fused with the graph."""

    scores: Array
    terms: Sequence[str]
    text: Array
    """BM25 of the window, 0 outside."""
    reached: Array
    """The graph's scores of the allowed tools."""
    methods: Sequence[ScoredId]
    templates: Sequence[ScoredId]


@dataclass(frozen=True)
class Feedback:
    """What the expanded query gave."""

    scores: Array
    query: Mapping[int, float]
    tail: TailMix


@dataclass(frozen=True)
class AutoRanking:
    """The service's own."""

    scores: Array
    query: Mapping[int, float]
    words: Array
    """BM25F."""
    intent: Array
    clauses: int
    cover: Array
    objects: Array
    """1 where the tool works on what the query is about."""
    resources: Array
    """The share of what the tool's path names that the query says."""
    factor: Array
    """What intent, cover, objects and resources make of the words."""
    units: Mapping[Channel, float]
    """`ranking.auto_units`."""
    fused: Array
    """Before servers and feedback."""
    shares: Array
    """`ranking.server_shares`."""
    methods: Sequence[MethodSeed]
    templates: Sequence[ScoredId]
    concepts: Sequence[ScoredId]
    boosted: Array
    """After servers, before feedback."""
    feedback: Feedback | None
    """None where methods speak for the tools."""


def rank_bm25(query: str, graph: ConsistentGraph) -> Bm25Ranking:
    """BM25 over KG-Hybrid's documents."""
    graph.look()
    terms = reference_terms(query)
    return Bm25Ranking(graph.index.reference.tools.scores(terms), terms)


def rank_kg_hybrid(query: str, graph: ConsistentGraph, *, allowed: Mask | None) -> KgHybridRanking:
    """KG-Hybrid: the 30 best allowed tools by BM25, fused with what the graph gives to allowed tools."""
    index = graph.index
    terms = reference_terms(query)
    catalogue = index.catalogue
    methods = _seeds(index.reference.methods.scores(terms), catalogue.methods, index.recipe.method_seeds)
    templates = _seeds(
        index.reference.templates.scores(terms), catalogue.templates, index.recipe.template_seeds
    )
    channels = _arrays(graph.kg_hybrid_scores(methods=methods, templates=templates), index)
    text = window(index.reference.tools.scores(terms), allowed=allowed, recipe=index.recipe)
    reached = channels[Channel.GRAPH]
    if allowed is not None:
        reached = np.where(allowed, reached, 0.0)
    return KgHybridRanking(
        fuse_kg_hybrid(text, reached, recipe=index.recipe), terms, text, reached, methods, templates
    )


def rank_auto(query: str, graph: ConsistentGraph) -> AutoRanking:
    """`auto`: BM25F with intent and name cover, fused with four channels of the graph, boosted by server.

    Where no tool has a method, the tail is ranked by feedback too.
    """
    index = graph.index
    weights = query_terms(query, index)
    asked = in_english(query) or query
    auto, catalogue = index.auto, index.catalogue
    by_score = _seeds(
        _scores(auto.methods.postings, weights), catalogue.methods, index.recipe.auto_method_seeds
    )
    methods = [
        MethodSeed(id=MethodId(seed.id), power=power, sum=seed.score)
        for seed, power in zip(by_score, powers([seed.score for seed in by_score]), strict=True)
    ]
    templates = _seeds(
        _scores(auto.templates.postings, weights), catalogue.templates, index.recipe.auto_template_seeds
    )
    concepts = _seeds(
        _scores(auto.concepts.postings, weights), catalogue.concepts, index.recipe.auto_concept_seeds
    )
    scores = graph.auto_scores(methods=methods, templates=templates, concepts=concepts)
    channels = _arrays(scores, index)

    words = _scores(auto.tools.postings, weights)
    cover = _scores(auto.cover, dict.fromkeys(weights, 1.0))
    intent = intent_scores(query_acts(asked), auto.acts).astype(np.float64)
    clauses = count_clauses(asked)
    objects = object_matches(query_objects(asked), auto.objects, count=len(catalogue.tools))
    resources = _scores(auto.resources, dict.fromkeys(weights, 1.0))
    factor = lexical_factor(
        intent=intent,
        clauses=clauses,
        cover=cover,
        objects=objects,
        resources=resources,
        recipe=index.recipe,
    )
    document = words * factor
    units = auto_units(document, channels, with_methods=index.with_methods, recipe=index.recipe)
    fused = fuse_auto(document, channels, units, with_methods=index.with_methods, recipe=index.recipe)
    shares = server_shares(fused, index.server_of, index.server_sizes, recipe=index.recipe)
    boosted = boost_by_server(fused, shares, recipe=index.recipe)
    feedback = None if index.with_methods.any() else _feedback(weights, boosted, factor, index)
    return AutoRanking(
        scores=feedback.tail.scores if feedback else boosted,
        query=weights,
        words=words,
        intent=intent,
        clauses=clauses,
        cover=cover,
        objects=objects,
        resources=resources,
        factor=factor,
        units=units,
        fused=fused,
        shares=shares,
        methods=methods,
        templates=templates,
        concepts=concepts,
        boosted=boosted,
        feedback=feedback,
    )


def _feedback(query: Mapping[int, float], boosted: Array, factor: Array, index: SearchIndex) -> Feedback:
    auto = index.auto
    expanded = expand_query(
        query, boosted, by_document=auto.tools.by_document, terms=auto.terms, recipe=index.recipe
    )
    words = _scores(auto.tools.postings, expanded) * factor
    shares = server_shares(words, index.server_of, index.server_sizes, recipe=index.recipe)
    scores = boost_by_server(words, shares, recipe=index.recipe)
    return Feedback(scores, expanded, mix_tail(boosted, scores, recipe=index.recipe))


def query_terms(query: str, index: SearchIndex) -> dict[int, float]:
    """The query's known terms by number, with their weights; neighbours also as one word and as a pair.

    A pair counts little beside its words, and only where a taxonomy's texts have it. Who names a country also says
    `country`, less loudly; so does who writes an address say `email`. A turn of phrase also says its verb. Words
    that open any query count little. What a Korean query says is also said in English.
    """
    numbers = index.auto.numbers
    english = in_english(query)
    counts = Counter(auto_terms(f"{query} {english}"))
    faint = FAINT_WORDS | {"open"} if opens_something_new(query) else FAINT_WORDS
    weights = {
        numbers[term]: query_weight(count) * (index.recipe.faint_weight if term in faint else 1.0)
        for term, count in counts.items()
        if term in numbers
    }
    for term in term_pairs(f"{query}\n{english}"):
        if term in numbers:
            weights[numbers[term]] = index.recipe.pair_weight
    for term in joined_terms(split_words(query)):
        if term in numbers:
            weights.setdefault(numbers[term], 1.0)
    for term in auto_terms(idiom_verb(query)):
        if term in numbers:
            weights.setdefault(numbers[term], 1.0)
    if COUNTRY_TERM in numbers and named_country(query):
        weights.setdefault(numbers[COUNTRY_TERM], index.recipe.country_weight)
    for noun in value_nouns(query):
        for term in auto_terms(noun):
            if term in numbers:
                weights.setdefault(numbers[term], index.recipe.value_weight)
    return weights


def _scores(postings: Postings, weights: Mapping[int, float]) -> Array:
    return postings.scores(weights).astype(np.float64)


def _seeds(scores: Array, nodes: Sequence[Method | Template | Concept], k: int) -> list[ScoredId]:
    return [
        ScoredId(id=nodes[position].id, score=float(scores[position]))
        for position in best(scores, k).tolist()
    ]


def _arrays(scores: Channels, index: SearchIndex) -> dict[Channel, Array]:
    """Every channel by position; one that was not asked for is 0."""
    return {channel: index.array(scores.get(channel, {})) for channel in Channel}
