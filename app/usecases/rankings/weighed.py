"""The first of `auto` in the order of all that is known of each: `reranking.weighed`."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from app.answers.search import ReasonKind
from app.domain.ranking.formulas import Array, Positions
from app.domain.reranking.weighed import EVIDENCE, in_turn, is_named, worths
from app.usecases.index.filtered import AllowedTools
from app.usecases.index.search_index import SearchIndex
from app.usecases.rankings.auto_ranking import AutoRanking, FusedCandidates
from app.usecases.rankings.ranking import Ranking
from app.usecases.rankings.reranked import Reranked

_BY = "words and meaning together"


def weighed(ranking: Ranking, index: SearchIndex, allowed: AllowedTools | None) -> Ranking:
    """The ranking with its first tools in that order; a first one that the request names outright stays the first.

    It stays as it is where they are not compared in meaning by the model that the weights are for, where a taxonomy states what
    tools do, and for several phrasings.
    """
    recipe = index.recipe
    if not (isinstance(ranking, AutoRanking) and is_weighed(ranking)):
        return ranking
    first = ranking.best(recipe.weighed_first, allowed)
    if len(first) <= 1:
        return ranking
    evidence = evidence_of(ranking, first, index)
    worth = worths(
        evidence, len(ranking.request.weights), short=recipe.weighed_short, long=recipe.weighed_long
    )
    name = float(ranking.candidates.factors.parts(first[0]).cover[0])
    if is_named(name=name, said=float(evidence[0, EVIDENCE.index("said")])):
        worth[0] = np.inf
    needs = _need_cosines(ranking.candidates, first)
    return Reranked(
        ranking.positions,
        ranking.scores,
        first=tuple(first[place] for place in in_turn(worth, needs, weight=recipe.weighed_turn)),
        before=tuple(first),
        by=_BY,
        kind=ReasonKind.PLACE,
    )


def is_weighed(ranking: AutoRanking) -> bool:
    """Whether its tools are compared by the model that the weights are for, and nothing is stated of them."""
    evidence = ranking.suggestions.evidence
    return evidence is not None and evidence.alike is not None and ranking.candidates.meant is not None


def evidence_of(ranking: AutoRanking, first: Sequence[int], index: SearchIndex) -> Array:
    """(tools, kinds): what is known of some tools of the ranking, best first, as `EVIDENCE`."""
    candidates, positions = ranking.candidates, np.array(first, np.intp)
    places, is_candidate = _places(candidates, positions)

    def among(values: Array | None) -> Array:
        # What feedback alone brought was not looked at before.
        return np.zeros(positions.size) if values is None else np.where(is_candidate, values[places], 0.0)

    scores = np.array([ranking.score(one) for one in first])
    words = among(candidates.words * candidates.factor)
    best = float(scores.max()) or 1.0
    needs, meant, suggestions = candidates.needs_met, candidates.meant, ranking.suggestions
    found = {
        "score": scores / best,
        "words": words / (float(words.max()) or 1.0),
        "meaning": np.nan_to_num(among(None if meant is None else meant.cosines)),
        "need": among(None if needs is None else needs.added) / best,
        "said": np.array([ranking.request.share_in([index.document(one).terms]) for one in first]),
        "suggested": suggestions.unit * np.array([suggestions.found.score(one) for one in first]) / best,
        "server": among(candidates.shares),
    }
    return np.stack([found[kind] for kind in EVIDENCE], axis=1)


def _need_cosines(candidates: FusedCandidates, first: Sequence[int]) -> Array:
    """(tools, needs): NaN where a tool is not compared with the needs; no need where one thing is asked for, or nothing compared."""
    met = candidates.needs_met
    if met is None or len(met.needs) <= 1:
        return np.empty((len(first), 0))
    places, is_candidate = _places(candidates, np.array(first, np.intp))
    return np.where(is_candidate[:, None], met.cosines[places], np.nan)


def _places(candidates: FusedCandidates, positions: Positions) -> tuple[Positions, npt.NDArray[np.bool_]]:
    """Where tools stand among the candidates, and whether they do."""
    places = np.minimum(candidates.positions.searchsorted(positions), candidates.positions.size - 1)
    return places, candidates.positions[places] == positions
