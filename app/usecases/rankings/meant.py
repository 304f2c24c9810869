"""How close tools are to a request in meaning, whatever their words."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.domain.ranking.formulas import Array, Positions, best, by_maximum
from app.domain.ranking.meaning import closeness, need_closeness, needs_of
from app.domain.ranking.runs import union
from app.errors import EncoderError
from app.usecases.index.filtered import AllowedTools
from app.usecases.index.meaning import AskedVectors
from app.usecases.rankings.channels import ReadRequest
from app.usecases.rankings.consistent import ConsistentGraph

_log = logging.getLogger(__name__)
_NONE: Positions = np.empty(0, np.intp)


@dataclass(frozen=True)
class NearTools:
    """The tools that are closest to a request in meaning: candidates, even if no word of theirs is asked for."""

    positions: Positions
    """Rising; none where no vectors are known."""
    among: int
    """How many tools pass and are seen."""
    asked: AskedVectors | None
    """What they were found by; None where no tool was compared."""
    is_lacking: bool = False
    """Vectors are there, and the request could not be encoded."""


@dataclass(frozen=True)
class Meant:
    """What closeness in meaning makes of the candidates' scores."""

    close: Array
    """`meaning.closeness`, 0 to 1, times what it counts by these vectors; their words' share stands in for those that are not compared."""
    cosines: Array
    """NaN of those that are not compared."""


@dataclass(frozen=True)
class NeedsMet:
    """What closeness to single needs of a request adds to the candidates' scores."""

    needs: Sequence[str]
    """`meaning.needs_of`."""
    cosines: Array
    """(candidates, needs): NaN of those that are not compared."""
    closest: Positions
    """(candidates,): the need that each is closest to; -1 where it is close to none, or not compared."""
    added: Array
    """(candidates,)."""


def near_tools(request: ReadRequest, graph: ConsistentGraph, allowed: AllowedTools | None) -> NearTools:
    """Those that pass and are seen."""
    index = graph.index
    passing = _passing(graph, allowed)
    among = len(index.catalogue.tools) if passing is None else passing.size
    asked = index.meaning.asked(passing)
    if asked is None:
        return NearTools(_NONE, among, None)
    try:
        _refuse_late(graph)
        with graph.waiting():
            found = asked.nearest(request.english, index.recipe.meaning_candidates, among=passing)
        return NearTools(_NONE, among, None) if found is None else NearTools(found, among, asked)
    except EncoderError as error:
        _log.warning("request is ranked by words alone", extra={"problem": str(error)})
        return NearTools(_NONE, among, None, is_lacking=True)


def compared(
    request: ReadRequest,
    positions: Positions,
    fused: Array,
    near: NearTools,
    graph: ConsistentGraph,
    allowed: AllowedTools | None,
) -> Meant | None:
    """The near candidates and the best by words and graph, compared with the request; None where no vector says how close.

    Args:
        request: What is asked.
        positions: Of the candidates, rising.
        fused: (candidates,): what words and graph give.
        near: Some of the candidates.
        graph: Whose index they are in.
        allowed: Whose best are compared; all unless given.
    """
    index = graph.index
    passed = None if allowed is None else allowed.at(positions)
    by_words = np.sort(best(fused, index.recipe.meaning_window, allowed=passed))
    at = union([by_words, positions.searchsorted(near.positions)], among=positions.size)
    try:
        found = None if near.asked is None else near.asked.cosines(request.english, positions[at])
    except EncoderError as error:
        # What encoded the request a moment ago may be away now.
        _log.warning("request is ranked by words alone", extra={"problem": str(error)})
        return None
    words = by_maximum(fused)
    close = None if found is None else closeness(found, words[at])
    if near.asked is None or found is None or close is None:
        return None
    # Words stand in for tools that are not compared.
    share, cosines = words.copy(), np.full(fused.size, np.nan)
    share[at], cosines[at] = close, found
    return Meant(near.asked.encoder.weight * share, cosines)


def needs_met(
    request: ReadRequest,
    positions: Positions,
    scores: Array,
    near: NearTools,
    graph: ConsistentGraph,
    allowed: AllowedTools | None,
) -> NeedsMet | None:
    """The best candidates compared with each need of the request; None where no vector says how close.

    A tool that does one of several things that are asked for is far from the whole request. Of few needs the best tool by words,
    graph and servers gains as much as can be. What a taxonomy states of tools is not outdone by what their texts are close to.

    Args:
        request: What is asked.
        positions: Of the candidates, rising.
        scores: (candidates,): by words, graph, meaning and servers.
        near: What the tools are compared by.
        graph: Whose index they are in.
        allowed: Whose best are compared; all unless given.
    """
    recipe, unstated = graph.index.recipe, 1 - graph.view.stated_share
    if near.asked is None or not unstated:
        return None
    at = best(scores, recipe.need_window, allowed=None if allowed is None else allowed.at(positions))
    if not at.size:
        return None
    needs = needs_of(request.english)
    try:
        if needs != [request.english]:
            _refuse_late(graph)
        with graph.waiting():
            cosines = near.asked.all_cosines(needs, positions[at])
    except EncoderError as error:
        _log.warning("request is not compared need by need", extra={"problem": str(error)})
        return None
    if cosines is None:
        return None
    compared = np.full((scores.size, len(needs)), np.nan)
    compared[at] = np.stack(cosines, axis=1)
    close = need_closeness(compared[at])
    has_many = len(needs) >= recipe.many_needs
    weight = unstated * (recipe.many_needs_weight if has_many else recipe.need_weight)
    closest, added = np.full(scores.size, -1, np.intp), np.zeros(scores.size)
    added[at] = close.max(axis=1)
    closest[at] = np.where(added[at] > 0, close.argmax(axis=1), -1)
    if not has_many:
        added[at[0]] = 1.0
    return NeedsMet(
        needs, compared, closest, weight * near.asked.encoder.weight * float(scores[at[0]]) * added
    )


def _refuse_late(graph: ConsistentGraph) -> None:
    if graph.patience_s <= 0:
        raise EncoderError("the time for encoder and re-ranker is used up")


def _passing(graph: ConsistentGraph, allowed: AllowedTools | None) -> Positions | None:
    """The tools that pass and are seen, rising; None: all."""
    visible = graph.view.visible
    if allowed is None:
        return None if visible is None else np.flatnonzero(visible)
    passing = allowed.everywhere()
    return passing[graph.view.sees(passing)]
