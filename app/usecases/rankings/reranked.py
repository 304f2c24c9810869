"""The first of a ranking in another order, as that of a re-ranker; whatever goes wrong with it, in their own."""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass

from app.answers.search import ReasonKind, Why
from app.errors import RerankerError
from app.usecases.index.filtered import AllowedTools
from app.usecases.index.search_index import SearchIndex
from app.usecases.rankings.outside import Outside
from app.usecases.rankings.ranking import Ranking

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Reranked(Ranking):
    """A ranking whose first are in another order; scores are as they were."""

    first: tuple[int, ...]
    """Positions of the tools that were ordered."""
    before: tuple[int, ...]
    """The same as they stood."""
    by: str
    kind: ReasonKind = ReasonKind.RERANKER

    def best(self, k: int, allowed: AllowedTools | None) -> list[int]:
        """The ordered ones, then the others as they stood."""
        among = frozenset(self.first)
        every = super().best(max(k, len(self.first)), allowed)
        passed = [one for one in self.first if allowed is None or allowed.has(one)]
        return [*passed, *(one for one in every if one not in among)][:k]

    def rank_of(self, position: int, allowed: AllowedTools | None) -> int | None:
        """Where a tool comes in `best` of all; who is not among the first comes behind them, as its score says."""
        if position not in self.first:
            return super().rank_of(position, allowed)
        passed = [one for one in self.first if allowed is None or allowed.has(one)]
        return 1 + passed.index(position) if position in passed else None

    def explained(self, reasons: Mapping[int, tuple[Why, ...]]) -> dict[int, tuple[Why, ...]]:
        """Reasons by position, with that of its place for each ordered tool; it adds nothing to a score."""
        was = {position: place for place, position in enumerate(self.before, 1)}
        now = {position: place for place, position in enumerate(self.first, 1)}
        return {
            position: (*found, Why(self.kind, 0.0, detail=self._said(was[position], now[position])))
            if position in now
            else found
            for position, found in reasons.items()
        }

    def _said(self, was: int, now: int) -> str:
        return f"place {was} of {len(self.first)} by its score, place {now} by {self.by}"


def reranked(
    ranking: Ranking,
    request: str,
    index: SearchIndex,
    allowed: AllowedTools | None,
    outside: Outside,
    *,
    left_s: float,
) -> Ranking:
    """The ranking with its first in the order of the re-ranker.

    Args:
        ranking: Of what whoever asks may see.
        request: As it was asked.
        index: Whose tools they are.
        allowed: What may be found.
        outside: Whom to ask.
        left_s: How long the answer may still wait.

    Raises:
        RerankerError: it gave no order, or no order of these tools.
    """
    if outside.reranker is None:
        return ranking
    first = ranking.best(outside.first, allowed)
    if len(first) <= 1:
        return ranking
    timeout_s = min(outside.timeout_s, left_s)
    if timeout_s <= 0:
        raise RerankerError("the time for encoder and re-ranker is used up")
    tools = [index.catalogue.tools[position] for position in first]
    begin = time.monotonic()
    order = outside.reranker.order(request, tools, timeout_s=timeout_s)
    if sorted(order) != list(range(len(first))):
        raise RerankerError(f"{outside.reranker.name} gave no order of {len(first)} tools")
    _log.debug("tools re-ranked", extra={"tools": len(first), "took_s": round(time.monotonic() - begin, 3)})
    return Reranked(
        ranking.positions,
        ranking.scores,
        first=tuple(first[place] for place in order),
        before=tuple(first),
        by=outside.reranker.name,
    )
