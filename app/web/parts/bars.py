"""Parts of scores as bars: all tools of an answer on one scale, parts of one kind together, in one order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.answers.search import ReasonKind, Why

UNITS = 1000
"""Width of the whole scale."""


@dataclass(frozen=True, slots=True)
class BarSegment:
    """What the parts of one kind add together."""

    kind: ReasonKind
    contribution: float
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class ScoreBar:
    """The score of one tool; what takes away stands left of `zero`."""

    segments: tuple[BarSegment, ...]
    zero: float


@dataclass(frozen=True, slots=True)
class WhyGroup:
    """The parts of one kind, the largest first."""

    kind: ReasonKind
    contribution: float
    parts: tuple[Why, ...]
    smaller: tuple[Why, ...]
    """Those that are only added up."""

    @property
    def rest(self) -> float:
        """What the smaller ones add."""
        return sum(part.contribution for part in self.smaller)


def why_groups(parts: Sequence[Why], *, most: int = 8) -> list[WhyGroup]:
    """The parts of a score by kind, in the order of the bar; of each kind the `most` that weigh most.

    That nobody has reviewed a tool is no part of its bar, and stands first.
    """
    unreviewed = tuple(part for part in parts if part.kind is ReasonKind.UNREVIEWED)
    found = [WhyGroup(ReasonKind.UNREVIEWED, 0.0, unreviewed, ())] if unreviewed else []
    parts = [part for part in parts if part.kind is not ReasonKind.UNREVIEWED]
    sums = _by_kind(parts)
    for kind in (ReasonKind.PLACE, ReasonKind.RERANKER):
        if any(part.kind is kind for part in parts):
            # It says of a place, and adds nothing.
            sums.setdefault(kind, 0.0)
    for kind, total in sums.items():
        ordered = sorted(
            (part for part in parts if part.kind is kind), key=lambda part: -abs(part.contribution)
        )
        found.append(WhyGroup(kind, total, tuple(ordered[:most]), tuple(ordered[most:])))
    return found


def score_bars(scores: Iterable[Sequence[Why]]) -> list[ScoreBar]:
    """A bar for each tool.

    The scale reaches from the most that is taken away from any tool to the most that is added to one, over `UNITS`;
    segments stand side by side from zero outwards, in the order of `ReasonKind`.
    """
    sums = [_by_kind(parts) for parts in scores]
    below = max((-sum(min(0.0, part) for part in each.values()) for each in sums), default=0.0)
    above = max((sum(max(0.0, part) for part in each.values()) for each in sums), default=0.0)
    scale = UNITS / (below + above) if below + above > 0 else 0.0
    return [_bar(each, zero=below * scale, scale=scale) for each in sums]


def kinds_of(bars: Iterable[ScoreBar]) -> list[ReasonKind]:
    """The kinds that take part, for the legend."""
    found = {segment.kind for bar in bars for segment in bar.segments}
    return [kind for kind in ReasonKind if kind in found]


def _by_kind(parts: Sequence[Why]) -> dict[ReasonKind, float]:
    return {
        kind: total
        for kind in ReasonKind
        if (total := sum(part.contribution for part in parts if part.kind is kind))
    }


def _bar(sums: dict[ReasonKind, float], *, zero: float, scale: float) -> ScoreBar:
    left = right = zero
    segments = []
    for kind, total in sums.items():
        width = abs(total) * scale
        if total < 0:
            left -= width
            segments.append(BarSegment(kind, total, left, width))
        else:
            segments.append(BarSegment(kind, total, right, width))
            right += width
    return ScoreBar(tuple(segments), zero)
