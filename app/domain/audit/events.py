"""What is written down beside calls."""

from dataclasses import dataclass
from enum import StrEnum


class AccessStep(StrEnum):
    """What became of somebody's access, and of what is served."""

    DENIED = "denied"
    """A call or a write was refused to a known caller, for a scope."""
    TOKEN_MADE = "token_made"  # noqa: S105 - a word
    """The file of callers has a credential that it did not have."""
    TOKEN_GONE = "token_gone"  # noqa: S105 - a word
    """It has one no longer."""
    TOKEN_USED = "token_used"  # noqa: S105 - a word
    """A credential of the file let its caller in for the first time on this day, in UTC."""
    POLICIES_READ = "policies_read"
    """The rules that count now, at the start or as their file changed."""
    APPROVED = "approved"
    """Somebody agreed to a definition."""
    BLOCKED = "blocked"
    """Somebody decided that a tool is not served."""
    SUBJECT_BLOCKED = "subject_blocked"
    """The file of callers lists somebody of the identity provider who may not ask."""
    SUBJECT_UNBLOCKED = "subject_unblocked"
    """It lists them no longer."""


@dataclass(frozen=True, slots=True)
class AccessEvent:
    """A line of the audit about somebody's access. Never a value, a query or a token."""

    event: AccessStep
    who: str = ""
    """The caller's id, as of calls; of somebody who is blocked `issuer|subject`, which is theirs."""
    groups: tuple[str, ...] = ()
    what: str = ""
    """What was refused: method and route; of policies and tokens the first 12 digits of a SHA-256; the tool of a review."""
    reason: str = ""
    """Of a review the first 12 digits of the definition's hash; what was said of it stands in its record."""


class SearchStep(StrEnum):
    """What somebody was given."""

    SEARCHED = "searched"
    """The tools of a search."""
    PLANNED = "planned"
    """The calls of a plan."""


@dataclass(frozen=True, slots=True)
class SearchEvent:
    """A line of the audit about what somebody was given, with OUTFITTER_AUDIT_SEARCHES alone. Never what was asked."""

    event: SearchStep
    who: str
    groups: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    """Of tools, the best first; bounded."""
    count: int = 0
    """Of all of them."""
    generation: int = 0
