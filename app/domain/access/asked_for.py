"""For whom somebody asks: a caller of the file, or whoever is in a group."""

from typing import Final

from app.domain.access.callers import USUAL_SCOPES, Caller, CallerList, CallerScope, CameBy
from app.domain.access.rules import RuleBook
from app.errors import InvalidInputError

GROUP: Final = "group:"
"""What names of groups begin with; a caller's name has no colon."""


def member_of(group: str) -> Caller:
    """Whoever is in this group and no other, with the scopes that callers usually have; no rule names them."""
    return Caller(f"{GROUP}{group}", f"{GROUP}{group}", frozenset({group}), USUAL_SCOPES, None, CameBy.OIDC)


def caller_asked_for(
    name: str, listed: CallerList | None, book: RuleBook | None, *, takes: CallerScope
) -> Caller:
    """Whom a name means.

    Args:
        name: Of an entry of the file, or `group:NAME`: callers of an identity provider have no entry.
        listed: The file of callers; None without such a file.
        book: The rules; None without policies.
        takes: The scope that their request would take.

    Raises:
        InvalidInputError: nobody is called so, or the caller lacks the scope.
    """
    if name.startswith(GROUP):
        group = name.removeprefix(GROUP)
        known = (listed.groups() if listed else frozenset()) | (book.known_groups() if book else frozenset())
        if group not in known:
            names = ", ".join(sorted(known)) or "none"
            raise InvalidInputError(
                f"no group {group!r}; the files of callers and policies name these: {names}"
            )
        return member_of(group)
    if listed is None:
        raise InvalidInputError(
            f"no caller {name!r}: there is no file of callers; accepted: with OUTFITTER_CALLERS, or group:NAME"
        )
    entry = listed.named(name)
    if entry is None:
        raise InvalidInputError(
            f"no caller {name!r}; accepted: a name that `outfitter token list` lists, or group:NAME"
        )
    caller = entry.caller()
    if caller.lacks((takes,)):
        raise InvalidInputError(f"caller {name!r} lacks a scope; this takes {takes}")
    return caller


def with_groups(listed: CallerList, *books: RuleBook) -> list[Caller]:
    """The callers of a file by name, and whoever an identity provider puts into a single group that rules give a meaning."""
    groups = frozenset().union(*(book.groups_of_issuer() for book in books))
    entries = sorted(listed.entries, key=lambda one: one.name)
    return [*(one.caller() for one in entries), *map(member_of, sorted(groups))]
