"""What the ranking `auto` gives, and what it was made of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from app.domain.confidence import AnswerEvidence
from app.domain.ranking.formulas import EQUAL, TAIL_SHARE, Array, Positions, TailMix
from app.domain.ranking.graph_scores import Channel
from app.domain.ranking.runs import NOTHING_REACHED, Reached, are_among, places_of
from app.usecases.index.filtered import AllowedTools
from app.usecases.rankings.channels import ReadRequest
from app.usecases.rankings.meant import Meant, NeedsMet
from app.usecases.rankings.ranking import Ranking
from app.usecases.rankings.word_factors import WordFactors


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
    factors: WordFactors
    factor: Array
    """What these make of the words."""
    units: Mapping[Channel, float]
    """`ranking.auto_units`."""
    word_unit: float
    """What one unit of words and graph counts in `fused`."""
    meant: Meant | None
    """How close they are in meaning, which `fused` has by its weight; None where no vector says it."""
    fused: Array
    """Before servers."""
    shares: Array
    """`ranking.server_shares`."""
    needs_met: NeedsMet | None
    """What closeness to single needs adds; None where no vector says it, in time, or a taxonomy states what all tools do."""
    boosted: Array
    """After servers and needs."""


@dataclass(frozen=True)
class MixedRanking:
    """What words, graph, meaning and feedback give, without suggestions."""

    positions: Positions
    scores: Array
    feedback: Feedback | None
    """None where methods speak for the tools."""


@dataclass(frozen=True)
class Suggestions:
    """What comes on top where words leave it open: what common methods suggest, and what is close in meaning."""

    found: Reached
    unit: float = 0.0
    """What one unit of the channel `suggestion` adds to a score."""
    open_unit: float = 0.0
    """What one unit of closeness in meaning adds, as words say little."""
    evidence: AnswerEvidence | None = None
    """None where no common method is there, or a taxonomy states what tools do."""
    confidence: float | None = None
    """That of the evidence."""


NO_SUGGESTIONS = Suggestions(NOTHING_REACHED)


class AutoRanking(Ranking):
    """The service's own. What is behind the head is computed when somebody looks there.

    Args:
        request: What is asked.
        candidates: Before feedback, which may bring more.
        head: Places of the best candidates, best first, whose order feedback leaves as it is.
        mix: Computes the whole.
        suggestions: What comes on top.
        lacks_meaning: Vectors are there, and the request could not be encoded.
        is_said: Words or the graph lead to a tool that passes; else all that is found is near in meaning at best.
    """

    def __init__(
        self,
        request: ReadRequest,
        candidates: FusedCandidates,
        head: Positions,
        mix: Callable[[], MixedRanking],
        suggestions: Suggestions = NO_SUGGESTIONS,
        *,
        lacks_meaning: bool = False,
        is_said: bool = True,
    ) -> None:
        self.request = request
        self.candidates = candidates
        self.suggestions = suggestions
        self.lacks_meaning = lacks_meaning
        self.is_said = is_said
        self._head = head
        self._mix = mix

    @cached_property
    def mixed(self) -> MixedRanking:
        """All candidates, without suggestions."""
        return self._mix()

    @cached_property
    def positions(self) -> Positions:
        """As for `Ranking`."""
        return self.mixed.positions

    @cached_property
    def scores(self) -> Array:
        """As for `Ranking`."""
        scores, added = self.mixed.scores, self._added
        if not added.positions.size:
            return scores
        scores = scores.copy()
        scores[places_of(added.positions, self.mixed.positions)] += added.scores
        return scores

    def best(self, k: int, allowed: AllowedTools | None) -> list[int]:
        """As for `Ranking`."""
        first = self._first(k) if allowed is None else None
        return super().best(k, allowed) if first is None else first

    def score(self, position: int) -> float:
        """As for `Ranking`."""
        at = self._front.place(position)
        return super().score(position) if at is None else float(self._front.scores[at])

    def with_suggestions(self, suggestions: Suggestions) -> "AutoRanking":
        """The same with what common methods suggest."""
        return AutoRanking(
            self.request,
            self.candidates,
            self._head,
            lambda: self.mixed,
            suggestions,
            lacks_meaning=self.lacks_meaning,
            is_said=self.is_said,
        )

    @cached_property
    def _added(self) -> Reached:
        """What suggestions and closeness in meaning add to the scores of candidates."""
        said, meant, positions = self.suggestions, self.candidates.meant, self.candidates.positions
        if meant is None or not said.open_unit:
            return said.found.times(said.unit) if said.unit else NOTHING_REACHED
        return Reached(positions, said.unit * said.found.at(positions) + said.open_unit * meant.close)

    @cached_property
    def _front(self) -> Ranking:
        """The head alone."""
        places = np.sort(self._head)
        positions = self.candidates.positions[places]
        added = np.array([self._added.score(position) for position in positions.tolist()])
        return Ranking(positions, self.candidates.boosted[places] + added)

    def _first(self, k: int) -> list[int] | None:
        """The k best, if they are in the head; None where another tool may be as good."""
        front = self._front
        if not 0 < k <= front.positions.size:
            return None
        found = front.best(k, None)
        if len(found) < k:
            return None
        end = float(self.candidates.boosted[self._head[-1]])
        behind = self._added
        more = behind.scores[~are_among(behind.positions, front.positions)].max(initial=0.0)
        most = TAIL_SHARE * end + float(more)
        return found if front.score(found[-1]) > most + EQUAL * front.scores.max() else None
