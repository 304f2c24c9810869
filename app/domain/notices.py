"""What an operator is notified of: definitions that wait for review, sources that are down. Names alone, no texts of theirs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from app.domain.review.records import Review, ReviewState

LISTED_IDS: Final = 50
"""Ids that a notice has; its count says how many there are."""


class NoticeKind(StrEnum):
    """What happened."""

    PENDING = "pending"
    """Tools that nobody has agreed to yet."""
    CHANGED = "changed"
    """Tools whose definitions are others than those that were agreed to."""
    SOURCE_DOWN = "source_down"
    """A source could be read before, and cannot now."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that happened to one source in one run of ingest."""

    kind: NoticeKind
    source: str
    tools: tuple[str, ...] = ()
    """Ids, sorted."""
    generation: int = 0
    at: str = ""

    @property
    def as_json(self) -> Mapping[str, Any]:
        """As it is sent."""
        return {
            "kind": self.kind.value,
            "source": self.source,
            "count": len(self.tools),
            "ids": list(self.tools[:LISTED_IDS]),
            "generation": self.generation,
            "at": self.at,
        }


_KINDS: Final = {ReviewState.PENDING: NoticeKind.PENDING, ReviewState.CHANGED: NoticeKind.CHANGED}


def notices_of(
    reviews: Iterable[Review], down: Sequence[str], *, generation: int, at: str
) -> tuple[Notice, ...]:
    """What a run brought, by source and kind.

    Args:
        reviews: records that the run wrote.
        down: sources that it was the first not to be able to read.
        generation: that it made, or left as it was.
        at: when.
    """
    waiting: defaultdict[tuple[str, NoticeKind], list[str]] = defaultdict(list)
    for one in reviews:
        if one.waits:
            waiting[str(one.source), _KINDS[one.state]].append(str(one.id))
    return (
        *(
            Notice(kind, source, tuple(sorted(tools)), generation, at)
            for (source, kind), tools in sorted(waiting.items())
        ),
        *(
            Notice(NoticeKind.SOURCE_DOWN, source, generation=generation, at=at)
            for source in sorted(set(down))
        ),
    )
