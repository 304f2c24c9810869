"""The three rankings over an index: a query in, one score per candidate out, with what they were made of."""

import logging
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.domain.language.text import reference_terms
from app.domain.nodes.models import ScoredId
from app.domain.ranking.formulas import (
    Array,
    Positions,
    TailMix,
    auto_units,
    best,
    boost_by_server,
    by_maximum,
    confidence,
    expand_query,
    fuse_auto,
    fuse_kg_hybrid,
    lexical_factor,
    mix_tail,
    rounded,
    server_shares,
    significant,
    suggestion_unit,
    window,
)
from app.domain.ranking.graph_scores import Channel
from app.domain.ranking.intent import intent_scores
from app.domain.ranking.intent_objects import object_matches
from app.domain.ranking.meaning import closeness
from app.domain.ranking.runs import Places, Reached, union
from app.errors import EncoderError
from app.ports.spans import phase
from app.usecases.index.filtered import AllowedTools
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchMethod
from app.usecases.rankings.channels import (
    WORDS,
    CandidateChannel,
    ReadRequest,
    channels_of,
    read_request,
    seeds,
    seen_of,
)
from app.usecases.rankings.consistent import ConsistentGraph

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Ranking:
    """A score for each candidate; every other tool has 0."""

    positions: Positions
    """The candidates' in the catalogue, rising; the order of all arrays."""
    scores: Array

    def best(self, k: int, allowed: AllowedTools | None) -> list[int]:
        """Positions of the k best that pass, as `formulas.best`."""
        passed = allowed.at(self.positions) if allowed is not None else None
        found: list[int] = self.positions[best(self.scores, k, allowed=passed)].tolist()
        return found

    def place(self, position: int) -> int | None:
        """Where a tool stands in the arrays; None when it is no candidate."""
        at = int(self.positions.searchsorted(position))
        return at if at < self.positions.size and self.positions[at] == position else None

    def rank_of(self, position: int, allowed: AllowedTools | None) -> int | None:
        """Where a tool comes in `best` of all, from 1; None when it does not pass, or has no score above 0."""
        at = self.place(position)
        grains = rounded(self.scores)
        if at is None or grains[at] <= 0 or not (allowed is None or allowed.has(position)):
            return None
        before = grains > grains[at]
        before[:at] |= grains[:at] == grains[at]
        if allowed is not None:
            before &= allowed.at(self.positions)
        return 1 + int(np.count_nonzero(before))

    def score(self, position: int) -> float:
        """That of one tool."""
        at = self.place(position)
        return 0.0 if at is None else float(self.scores[at])


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


@dataclass(frozen=True)
class Feedback:
    """What the expanded query gave, for all candidates."""

    scores: Array
    query: Mapping[int, float]
    tail: TailMix


@dataclass(frozen=True)
class FusedCandidates:
    """What the channels reached, before feedback."""

    positions: Positions
    """Rising; the order of the arrays."""
    words: Array
    """BM25F."""
    intent: Array
    cover: Array
    objects: Array
    """1 where the tool works on what the query is about."""
    resources: Array
    """The share of what the tool's path names that the query says."""
    factor: Array
    """What intent, cover, objects and resources make of the words."""
    units: Mapping[Channel, float]
    """`ranking.auto_units`."""
    word_unit: float
    """What one unit of words and graph counts in `fused`."""
    meaning: Array
    """What closeness in meaning adds to `fused`."""
    cosines: Array
    """Of request and tool; NaN where they were not compared."""
    fused: Array
    """Before servers."""
    shares: Array
    """`ranking.server_shares`."""
    boosted: Array
    """After servers."""


@dataclass(frozen=True)
class AutoRanking(Ranking):
    """The service's own."""

    request: ReadRequest
    candidates: FusedCandidates
    """Feedback may have brought more."""
    feedback: Feedback | None
    """None where methods speak for the tools."""
    suggestion_unit: float = 0.0
    """What one unit of the channel `suggestion` has added to a score."""
    confidence: float | None = None
    """`formulas.confidence`; None where no common method is there, or a taxonomy states what tools do."""
    lacks_meaning: bool = False
    """Vectors are there, and the request could not be encoded."""


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


def rank_auto(
    query: str,
    graph: ConsistentGraph,
    *,
    allowed: AllowedTools | None = None,
    channels: Sequence[CandidateChannel] | None = None,
) -> AutoRanking:
    """`auto`: BM25F with intent and name cover, fused with four channels of the graph, boosted by server.

    How close the best of them are to the request in meaning comes on top, before servers, and what methods of the
    common taxonomy suggest, where words leave it open.

    Candidates are the tools that a channel reaches; nothing is computed for others. Where no tool has a method, the
    tail is ranked by feedback too, whose words bring candidates of their own.

    Args:
        query: The request.
        graph: Whose index is ranked, in the view of whoever asks.
        allowed: Whose best tools are compared in meaning and show what words leave open; all unless given.
        channels: What brings candidates; `channels_of` unless given.
    """
    index, view = graph.index, graph.view
    with phase("outfitter.search.read"):
        request = read_request(query, index, view)
    reached: dict[str, Reached] = {}
    for channel in channels_of(graph) if channels is None else channels:
        with phase(f"outfitter.search.{channel.phase}"):
            reached.update(channel.reach(request, view))
    with phase("outfitter.search.fuse"):
        return _fused(request, reached, graph, allowed)


def _fused(
    request: ReadRequest,
    reached: Mapping[str, Reached],
    graph: ConsistentGraph,
    allowed: AllowedTools | None,
) -> AutoRanking:
    """What the channels reached, as one ranking."""
    index, view = graph.index, graph.view
    positions = union([found.positions for found in reached.values()], among=len(index.catalogue.tools))
    nothing = Reached(positions[:0], np.empty(0))
    led_to = {channel: reached.get(channel, nothing).at(positions) for channel in Channel}

    words = reached.get(WORDS, nothing).at(positions)
    intent = _intent(request, positions, index)
    cover = view.cover.scores(request.weights, at=positions)
    objects = object_matches(request.objects, index.objects.numbers, index.objects.numbers_at(positions))
    resources = index.resources.shares(request.weights, positions)
    factor = lexical_factor(
        intent=intent,
        clauses=request.clauses,
        cover=cover,
        objects=objects,
        resources=resources,
        recipe=index.recipe,
    )
    document, with_methods = words * factor, view.with_methods[positions]
    units = auto_units(document, led_to, with_methods=with_methods, recipe=index.recipe)
    fused = fuse_auto(document, led_to, units, with_methods=with_methods, recipe=index.recipe)
    lacks_meaning = False
    begin = time.monotonic()
    try:
        meant = _meant(request, positions, fused, graph, allowed)
    except EncoderError as error:
        _log.warning("request is ranked by words alone", extra={"problem": str(error)})
        meant, lacks_meaning = None, True
    graph.waited_s += time.monotonic() - begin
    if meant is not None:
        fused = meant.word_unit * fused + meant.added
    shares = _shares(fused, positions, graph)
    boosted = boost_by_server(fused, shares, recipe=index.recipe)
    candidates = FusedCandidates(
        positions,
        words=words,
        intent=intent,
        cover=cover,
        objects=objects,
        resources=resources,
        factor=factor,
        units=units,
        word_unit=meant.word_unit if meant is not None else 1.0,
        meaning=meant.added if meant is not None else np.zeros(positions.size),
        cosines=meant.cosines if meant is not None else np.full(positions.size, np.nan),
        fused=fused,
        shares=shares,
        boosted=boosted,
    )
    if view.has_methods:
        ranking = AutoRanking(positions, boosted, request, candidates, feedback=None)
    else:
        ranking = _with_feedback(request, candidates, graph)
    ranking = replace(ranking, lacks_meaning=lacks_meaning)
    return _with_suggestions(ranking, led_to[Channel.SUGGESTION], graph, allowed)


@dataclass(frozen=True)
class _Meant:
    """What closeness in meaning makes of the candidates' scores."""

    word_unit: float
    added: Array
    cosines: Array


def _meant(
    request: ReadRequest,
    positions: Positions,
    fused: Array,
    graph: ConsistentGraph,
    allowed: AllowedTools | None,
) -> _Meant | None:
    """None where no vectors are known, or none of the best candidates is close.

    Raises:
        EncoderError: the request cannot be encoded now, or the answer has waited for others long enough.
    """
    index = graph.index
    if graph.patience_s <= 0 and index.meaning.vectors is not None:
        raise EncoderError("the time for encoder and re-ranker is used up")
    compared = best(
        fused, index.recipe.meaning_window, allowed=None if allowed is None else allowed.at(positions)
    )
    found = index.meaning.cosines(request.english, positions[compared])
    words = by_maximum(fused)
    close = None if found is None else closeness(found, words[compared])
    if found is None or close is None:
        return None
    # Words stand in for tools that are not compared.
    share, cosines = words.copy(), np.full(fused.size, np.nan)
    share[compared], cosines[compared] = close, found
    return _Meant(1 / float(fused.max()), index.recipe.meaning_weight * share, cosines)


def _with_suggestions(
    ranking: AutoRanking, suggested: Array, graph: ConsistentGraph, allowed: AllowedTools | None
) -> AutoRanking:
    """The ranking with what common methods suggest, one value for each of the candidates before feedback."""
    index, request, candidates = graph.index, ranking.request, ranking.candidates
    if not graph.view.common.documents:
        return ranking
    first = ranking.best(max(2, request.clauses), allowed)
    scores = [ranking.score(position) for position in first[:2]]
    documents = [index.document(position).terms for position in first[: request.clauses]]
    said_by_best = request.share_in(documents[:1])
    unit = suggestion_unit(
        request.said_by_common,
        said_by_best,
        scores[1] / scores[0] if len(scores) > 1 else 1.0 - len(scores),
        recipe=index.recipe,
    )
    places = Places.of(candidates.positions, ranking.positions)
    visible = suggested if allowed is None else suggested[allowed.at(candidates.positions)]
    said = said_by_best if len(documents) <= 1 else request.share_in(documents)
    sure = confidence(said, float(visible.max(initial=0.0)))
    return replace(
        ranking,
        scores=ranking.scores + unit * places.spread(suggested),
        suggestion_unit=unit,
        # What a taxonomy states is not compared with what the common one does.
        confidence=None if graph.view.has_methods else significant(sure),
    )


def _with_feedback(request: ReadRequest, before: FusedCandidates, graph: ConsistentGraph) -> AutoRanking:
    """The ranking with what the words of its best tools say of the tail."""
    index, view = graph.index, graph.view

    def worths_of(places: list[int]) -> tuple[Positions, Positions, Array]:
        found = view.tools.worths([index.document(at) for at in before.positions[places].tolist()])
        return found.owners, found.terms, found.worths

    asked = request.weights
    expanded = expand_query(
        asked,
        before.boosted,
        worths_of=worths_of,
        term_of=index.analyses.vocabulary.term,
        recipe=index.recipe,
    )
    added = {term: weight - asked.get(term, 0.0) for term, weight in expanded.items()}
    found = view.tools.scores({term: weight for term, weight in added.items() if weight})
    positions = union([before.positions, found.positions], among=len(index.catalogue.tools))
    places = Places.of(before.positions, positions)
    factor = places.spread(before.factor)
    if places.places.size < places.among:
        others = places.others
        factor[others] = _factor_of_new(request, positions[others], index)
    words = (places.spread(before.words) + found.at(positions)) * factor
    scores = boost_by_server(words, _shares(words, positions, graph), recipe=index.recipe)
    tail = mix_tail(places.spread(before.boosted), scores, recipe=index.recipe)
    return AutoRanking(positions, tail.scores, request, before, Feedback(scores, expanded, tail))


def _factor_of_new(request: ReadRequest, positions: Positions, index: SearchIndex) -> Array:
    """`lexical_factor` of tools that hold no word of the query, in their name neither."""
    return lexical_factor(
        intent=_intent(request, positions, index),
        clauses=request.clauses,
        cover=np.zeros(positions.size),
        objects=object_matches(request.objects, index.objects.numbers, index.objects.numbers_at(positions)),
        resources=index.resources.shares(request.weights, positions),
        recipe=index.recipe,
    )


def _intent(request: ReadRequest, positions: Positions, index: SearchIndex) -> Array:
    """What is asked for against what each of these tools does."""
    if not positions.size:
        return np.zeros(0)
    profiles = intent_scores(request.acts, index.acts.matrix).astype(np.float64)
    found: Array = profiles[index.acts.numbers_at(positions)]
    return found


def _shares(scores: Array, positions: Positions, graph: ConsistentGraph) -> Array:
    view = graph.view
    return server_shares(
        scores, view.server_of[positions].astype(np.intp), view.server_sizes, recipe=graph.index.recipe
    )


def reference_weights(terms: Sequence[str], index: SearchIndex) -> dict[int, float]:
    """Number of each known term of a query -> how often it says it."""
    vocabulary = index.analyses.vocabulary
    counts = ((vocabulary.get(term), count) for term, count in Counter(terms).items())
    return {number: float(count) for number, count in counts if number is not None}
