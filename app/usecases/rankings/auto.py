"""The ranking `auto`: words, graph, meaning and feedback of the candidates that its channels bring."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from app.domain.confidence import AnswerEvidence, confidence
from app.domain.ranking.formulas import (
    Array,
    Positions,
    auto_units,
    best,
    boost_by_server,
    expand_query,
    fuse_auto,
    meaning_unit,
    mix_tail,
    open_meaning_unit,
    server_shares,
    significant,
    suggestion_unit,
)
from app.domain.ranking.graph_scores import GRAPH_CHANNELS, Channel
from app.domain.ranking.meaning import parts_of
from app.domain.ranking.runs import NOTHING_REACHED, Places, Reached, union
from app.ports.spans import phase
from app.usecases.index.filtered import AllowedTools
from app.usecases.index.search_index import SearchIndex
from app.usecases.rankings.auto_ranking import (
    NO_SUGGESTIONS,
    AutoRanking,
    Feedback,
    FusedCandidates,
    MixedRanking,
    Suggestions,
)
from app.usecases.rankings.channels import WORDS, CandidateChannel, ReadRequest, channels_of, read_request
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.rankings.meant import NearTools, compared, near_tools, needs_met
from app.usecases.rankings.word_factors import WordFactors


def rank_auto(
    query: str,
    graph: ConsistentGraph,
    *,
    allowed: AllowedTools | None = None,
    channels: Sequence[CandidateChannel] | None = None,
) -> AutoRanking:
    """`auto`: BM25F with intent and name cover, fused with four channels of the graph, boosted by server.

    How close the best of them are to the request in meaning comes on top, before servers; after them, how close each is to
    one of the things that are asked for, and what methods of the common taxonomy suggest, where words leave it open.

    Candidates are the tools that a channel reaches, and those that are closest in meaning; nothing is computed for
    others. Where no tool has a method, the tail is ranked by feedback too, whose words bring candidates of their own.

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
    with phase("outfitter.search.near"):
        near = near_tools(request, graph, allowed)
    with phase("outfitter.search.fuse"):
        return _fused(request, reached, near, graph, allowed)


def _fused(
    request: ReadRequest,
    reached: Mapping[str, Reached],
    near: NearTools,
    graph: ConsistentGraph,
    allowed: AllowedTools | None,
) -> AutoRanking:
    """What the channels reached and what is near in meaning, as one ranking."""
    index, view = graph.index, graph.view
    every = len(index.catalogue.tools)
    said = union([found.positions for found in reached.values()], among=every)
    positions = union([said, near.positions], among=every)
    led_to = {channel: reached[channel].at(positions) for channel in GRAPH_CHANNELS if channel in reached}
    words = reached.get(WORDS, NOTHING_REACHED).at(positions)
    factors = WordFactors(request, index, view)
    factor = factors.of_candidates(positions)
    document = words * factor
    with_methods = view.with_methods[positions] if view.has_methods else None
    units = auto_units(document, led_to, with_methods=with_methods, recipe=index.recipe)
    fused = fuse_auto(document, led_to, units, with_methods=with_methods, recipe=index.recipe)
    meant = compared(request, positions, fused, near, graph, allowed)
    word_unit = 1.0
    if meant is not None:
        word_unit = 1 / (float(fused.max(initial=0.0)) or 1.0)
        fused = word_unit * fused + meaning_unit(view.stated_share, recipe=index.recipe) * meant.close
    shares = _shares(fused, positions, graph)
    boosted = boost_by_server(fused, shares, recipe=index.recipe)
    met = needs_met(request, positions, boosted, near, graph, allowed)
    candidates = FusedCandidates(
        positions,
        words=words,
        factors=factors,
        factor=factor,
        units=units,
        word_unit=word_unit,
        meant=meant,
        fused=fused,
        shares=shares,
        needs_met=met,
        boosted=boosted if met is None else boosted + met.added,
    )
    if view.has_methods:
        head, mix = positions[:0], lambda: MixedRanking(positions, candidates.boosted, None)
    else:
        head = best(candidates.boosted, index.recipe.head)
        mix = partial(_with_feedback, request, candidates, graph)
    is_said = bool(said.size if allowed is None else allowed.at(said).any())
    ranking = AutoRanking(request, candidates, head, mix, lacks_meaning=near.is_lacking, is_said=is_said)
    suggested = reached.get(Channel.SUGGESTION, NOTHING_REACHED)
    return ranking.with_suggestions(_suggestions(ranking, suggested, near, graph, allowed))


def _suggestions(
    ranking: AutoRanking,
    suggested: Reached,
    near: NearTools,
    graph: ConsistentGraph,
    allowed: AllowedTools | None,
) -> Suggestions:
    """What common methods and meaning add, as much as words leave it open, and how sure the answer is."""
    index, request = graph.index, ranking.request
    if not graph.view.common.documents:
        return NO_SUGGESTIONS
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
    visible = suggested.scores if allowed is None else suggested.scores[allowed.at(suggested.positions)]
    evidence = AnswerEvidence(
        said=said_by_best if len(documents) <= 1 else request.share_in(documents),
        suggested=float(visible.max(initial=0.0)),
        alike=_alike(ranking.candidates, near, index, allowed),
        tools=near.among,
    )
    # A long request is close to a tool by one of its sentences, which says nothing of the others.
    is_whole = len(parts_of(request.english)) == 1
    stated = graph.view.stated_share
    open_unit = (
        open_meaning_unit(evidence.said, request.clauses, stated=stated, recipe=index.recipe)
        if is_whole
        else 0.0
    )
    if graph.view.has_methods:
        # What a taxonomy states is not compared with what the common one does.
        return Suggestions(suggested, unit, open_unit)
    sure = significant(confidence(evidence, recipe=index.recipe))
    return Suggestions(suggested, unit, open_unit, evidence, sure)


def _alike(
    candidates: FusedCandidates, near: NearTools, index: SearchIndex, allowed: AllowedTools | None
) -> float | None:
    """The highest cosine, at least 0, where it is of the model that confidence is calibrated for."""
    if near.asked is None or near.asked.vectors.model != index.recipe.confidence_model:
        return None
    if candidates.meant is None:
        return 0.0
    cosines = candidates.meant.cosines
    passed = cosines if allowed is None else cosines[allowed.at(candidates.positions)]
    return float(np.nanmax(passed, initial=0.0))


def _with_feedback(request: ReadRequest, before: FusedCandidates, graph: ConsistentGraph) -> MixedRanking:
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
    own, brought = Places.of_each([before.positions, found.positions], positions)
    factor = own.spread(before.factor)
    if own.places.size < own.among:
        others = np.flatnonzero(own.others)
        # Their names hold no word of the request: they would be candidates.
        factor[others] = before.factors.of_others(positions[others])
    words = own.spread(before.words) + brought.spread(found.scores)
    words *= factor
    scores = boost_by_server(words, _shares(words, positions, graph), recipe=index.recipe)
    tail = mix_tail(own.spread(before.boosted), scores, recipe=index.recipe)
    return MixedRanking(positions, tail.scores, Feedback(scores, expanded, tail))


def _shares(scores: Array, positions: Positions, graph: ConsistentGraph) -> Array:
    view = graph.view
    servers = view.server_of[positions].astype(np.intp, copy=False)
    return server_shares(scores, servers, view.server_sizes, recipe=graph.index.recipe)
