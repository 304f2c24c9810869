"""Who may call tools that together let data out: what others wrote, what is private, and a way out of the house."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from app.domain.access.callers import EVERY_SCOPE, Caller, CallerScope, CameBy
from app.domain.access.rules import RuleBook, Selectable, compiled
from app.domain.nodes.models import Label

TRIFECTA: Final = (Label.UNTRUSTED_CONTENT, Label.PRIVATE_DATA, Label.EXTERNAL_SINK)
"""With one tool of each, a text that somebody wrote can send out what is private."""


@dataclass(frozen=True, slots=True)
class Trifecta:
    """Somebody whom the rules let call all three."""

    who: str
    """`everybody`, `group NAME` or `caller NAME`."""
    tools: Mapping[Label, tuple[str, ...]]
    """Ids of the tools that may be called, of each of `TRIFECTA`; none is empty."""


def trifectas(book: RuleBook, world: Selectable, callers: Iterable[Caller]) -> list[Trifecta]:
    """Groups, and callers who get there by no single group of theirs, that may call tools of all three labels.

    What sources say of calls (`call.allow`) is not looked at: it can narrow this further.

    Args:
        book: The rules.
        world: What they select from; its labels are inferred for this.
        callers: Those that there are; one without the scope for calls calls nothing.
    """
    listed = [one for one in callers if CallerScope.CALL in one.scopes]
    groups = sorted(book.groups().union(*(one.groups for one in listed)))
    everybody = [*_of("everybody", _member(frozenset()), book, world)]
    of_group = {one: [*_of(f"group {one}", _member(frozenset({one})), book, world)] for one in groups}
    found = [*everybody, *chain.from_iterable(of_group.values())]
    for caller in listed:
        if not everybody and not any(of_group[one] for one in caller.groups):
            found += _of(f"caller {caller.name}", caller, book, world)
    return found


def _member(groups: frozenset[str]) -> Caller:
    """Whoever is in these groups and in no other; no rule names the caller."""
    return Caller("", "", groups, EVERY_SCOPE, None, CameBy.TOKEN)


def _of(who: str, caller: Caller, book: RuleBook, world: Selectable) -> Iterator[Trifecta]:
    may_call = compiled(book.of(caller), world).call
    if not may_call.any():
        return
    labelled = world.labels()
    if any(label not in labelled for label in TRIFECTA):
        return
    tools = {
        label: tuple(world.ids[at] for at in np.flatnonzero(labelled[label] & may_call).tolist())
        for label in TRIFECTA
    }
    if all(tools.values()):
        yield Trifecta(who, tools)
