"""Who asks: a frozen value, made once per request and passed on."""

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

TOKEN_PREFIX: Final = "oft_"  # noqa: S105 - what all begin with
"""Tokens of ours begin with it, so that scanners of repositories find them."""
_TOKEN_BYTES: Final = 32


class CallerScope(StrEnum):
    """What a caller may do at all. Scopes narrow what policies grant; they grant nothing themselves."""

    FIND = "tools:find"
    PLAN = "tools:plan"
    CALL = "tools:call"
    WORKFLOWS = "workflows:write"
    ADMIN = "catalogue:admin"
    """Deciding on reviews and on what others own; where sources lie and what is wrong with them, metrics, unmet requests."""


EVERY_SCOPE: Final = frozenset(CallerScope)
USUAL_SCOPES: Final = EVERY_SCOPE - {CallerScope.ADMIN}
"""Of an entry that names none."""


class CameBy(StrEnum):
    """How a caller came in."""

    TOKEN = "token"  # noqa: S105 - a word
    OIDC = "oidc"
    """A token of an identity provider."""
    STDIO = "stdio"
    LOCAL = "local"
    """Loopback, where nothing says who may ask."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who asks."""

    id: str
    name: str
    groups: frozenset[str]
    scopes: frozenset[CallerScope]
    expires_at: float | None
    """When the credential ends, seconds since 1970; None: never."""
    how: CameBy

    def lacks(self, needed: Iterable[CallerScope]) -> tuple[CallerScope, ...]:
        """Of these scopes those that the caller has not, sorted."""
        return tuple(sorted(set(needed) - self.scopes))


def operator(how: CameBy) -> Caller:
    """Whoever runs the service: every scope, and no policy narrows it."""
    return Caller(
        id="operator", name="operator", groups=frozenset(), scopes=EVERY_SCOPE, expires_at=None, how=how
    )


OPERATOR: Final = operator(CameBy.TOKEN)


def is_operator(caller: Caller) -> bool:
    """Whether policies leave this caller alone: no entry of a file can have its id."""
    return caller.id == OPERATOR.id


def new_token() -> str:
    """A token of 256 random bits."""
    return TOKEN_PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)


def digest_of(token: str) -> str:
    """What is kept of a token. Plain SHA-256 is enough for 256 random bits, and a look-up by it tells nothing by its time."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


OF_MCP_TOOLS: Final[Mapping[str, frozenset[CallerScope]]] = {
    "search_tools": frozenset({CallerScope.FIND}),
    "describe_tool": frozenset({CallerScope.FIND}),
    "list_sources": frozenset({CallerScope.FIND}),
    "plan_workflow": frozenset({CallerScope.PLAN}),
    "call_tool": frozenset({CallerScope.CALL}),
}
"""By name, what a call of a tool of the MCP server takes. Its other messages take an identity alone."""


@dataclass(frozen=True, slots=True)
class CallerEntry:
    """A line of `callers.yaml`."""

    name: str
    sha256: str
    groups: frozenset[str] = frozenset()
    scopes: frozenset[CallerScope] = USUAL_SCOPES
    expires_at: float | None = None
    expires: str = ""
    """As the file says it; empty: never."""

    def caller(self, how: CameBy = CameBy.TOKEN) -> Caller:
        """Whoever holds the token."""
        return Caller(
            id=f"caller:{self.name}",
            name=self.name,
            groups=self.groups,
            scopes=self.scopes,
            expires_at=self.expires_at,
            how=how,
        )


@dataclass(frozen=True, slots=True)
class CallerList:
    """All of `callers.yaml`; names and digests are distinct."""

    entries: tuple[CallerEntry, ...]
    by_digest: Mapping[str, CallerEntry]
    blocked: frozenset[str] = frozenset()
    """`issuer|subject` of those who may not ask, whatever their identity provider says."""

    @classmethod
    def of(cls, entries: Iterable[CallerEntry], blocked: Iterable[str] = ()) -> "CallerList":
        """Ready to be looked up in."""
        listed = tuple(entries)
        return cls(listed, {one.sha256: one for one in listed}, frozenset(blocked))

    def named(self, name: str) -> CallerEntry | None:
        """The entry of this name."""
        return next((one for one in self.entries if one.name == name), None)

    def groups(self) -> frozenset[str]:
        """Groups that any entry is in."""
        return frozenset().union(*(one.groups for one in self.entries))
