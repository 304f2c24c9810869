"""Several phrasings of one wish, ranked as one: the mean of what each of them gives a tool."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from app.answers.search import Why
from app.domain.ranking.formulas import significant
from app.domain.ranking.runs import Places, union
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.views import CatalogueView
from app.usecases.rankings.auto_ranking import AutoRanking
from app.usecases.rankings.explain import explain, with_review
from app.usecases.rankings.ranking import Ranking


def fused(rankings: Sequence[Ranking], *, among: int) -> Ranking:
    """One ranking of several phrasings; of one it is that one.

        score = sum over phrasings of score / number of phrasings

    Source:
        CombSUM of Fox, Shaw: Combination of multiple searches. TREC 2 (1993). Against the best rank, the maximum and
        reciprocal ranks it was ahead on requests that were written for 271 operations.

    Args:
        rankings: At least one, of the same catalogue.
        among: Its number of tools.
    """
    if len(rankings) == 1:
        return rankings[0]
    positions = union([one.positions for one in rankings], among=among)
    spread = [Places.of(one.positions, positions).spread(one.scores) for one in rankings]
    return Ranking(positions, np.mean(spread, axis=0))


def confidence_of(rankings: Sequence[Ranking]) -> float | None:
    """That of the surest phrasing; None where a ranking has no confidence."""
    found = [one.suggestions.confidence if isinstance(one, AutoRanking) else None for one in rankings]
    return max((one for one in found if one is not None), default=None)


def explain_fused(
    queries: Sequence[str],
    rankings: Sequence[Ranking],
    found: Sequence[int],
    index: SearchIndex,
    view: CatalogueView,
) -> Mapping[int, tuple[Why, ...]]:
    """The reasons of each found tool, largest first: those of all phrasings, each with its share of the score.

    Before all of them stands that nobody has reviewed the tool, where that is so.
    """
    each = [
        explain(query, ranking, found, index, view) for query, ranking in zip(queries, rankings, strict=True)
    ]
    if len(each) == 1:
        return with_review(each[0], index.catalogue.tools)
    shared = {
        position: tuple(
            sorted(
                (
                    replace(why, contribution=significant(why.contribution / len(each)))
                    for reasons in each
                    for why in reasons.get(position, ())
                ),
                key=lambda why: (-why.contribution, why.kind, why.term or ""),
            )
        )
        for position in found
    }
    return with_review(shared, index.catalogue.tools)
