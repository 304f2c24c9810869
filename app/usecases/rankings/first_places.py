"""A ranking as it is answered: the first places are not for tools alone that nobody has looked at."""

import numpy as np

from app.domain.ranking.formulas import Positions
from app.domain.review.places import FIRST, MOST, spread
from app.usecases.index.filtered import AllowedTools
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import Filters
from app.usecases.rankings.ranking import Ranking


def answered(
    ranking: Ranking, k: int, index: SearchIndex, filters: Filters, allowed: AllowedTools | None
) -> list[int]:
    """Positions of the k tools that are answered with, in order.

    They are the k best, but where more than `MOST` of the first `FIRST` are such as a baseline alone accepted.

    Args:
        ranking: What was ranked.
        k: How many at most.
        index: Whose tools they are.
        filters: Those of the request: tools of a server that is named are not limited.
        allowed: What passes them.
    """
    tools, named = index.catalogue.tools, filters.servers
    found = ranking.best(max(k, FIRST), allowed)
    first = [tools[one] for one in found[:FIRST]]
    if sum(one.reviewed is False and one.server not in named for one in first) <= MOST:
        return found[:k]
    order = ranking.best(len(tools), allowed)
    return spread(order, _limits(np.array(order, np.intp), index, filters).__getitem__)[:k]


def _limits(order: Positions, index: SearchIndex, filters: Filters) -> dict[int, int]:
    """The source of each tool, from 1; 0 where it is not limited. No tool is read: there may be as many as there are."""
    servers = index.whole.server_of[order]
    named = [index.servers[one] for one in filters.servers]
    limited = index.unreviewed[order] & ~np.isin(servers, named)
    return dict(zip(order.tolist(), np.where(limited, servers + 1, 0).tolist(), strict=True))
