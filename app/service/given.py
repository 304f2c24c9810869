"""What searches and plans gave, where the operator wants it written down: ids, and nothing of what was asked."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.domain.access.callers import Caller
from app.domain.audit.events import SearchEvent, SearchStep
from app.service.components import Components

MOST_IDS: Final = 50
"""Of one line; `count` says how many there were."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who is given something, as the audit has them."""

    who: str
    groups: tuple[str, ...] = ()


OVER_HTTP: Final = Asker("http")
"""Whoever asks, where that is all that is known."""


def asker_of(caller: Caller | None) -> Asker:
    """Whoever the gate let in."""
    return OVER_HTTP if caller is None else Asker(caller.id, tuple(sorted(caller.groups)))


async def note_given(
    components: Components, step: SearchStep, asker: Asker, tools: Iterable[str], generation: int
) -> None:
    """Write down what was given, before it is; nothing where that is not wanted.

    Args:
        components: Of the service.
        step: What was asked.
        asker: Who asked.
        tools: Ids, the best first.
        generation: Of the catalogue that they come from.
    """
    write_down = components.given
    if write_down is None:
        return
    ids = tuple(dict.fromkeys(map(str, tools)))
    event = SearchEvent(
        step, asker.who, asker.groups, ids=ids[:MOST_IDS], count=len(ids), generation=generation
    )
    # It writes a file, under a lock.
    await components.memory_workers.run(lambda: write_down(event))
