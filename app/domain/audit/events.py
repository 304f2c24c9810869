"""What is written down beside calls."""

from dataclasses import dataclass
from enum import StrEnum


class AccessStep(StrEnum):
    """What became of somebody's access. What reviews decide of definitions comes with reviews."""

    DENIED = "denied"
    """A call or a write was refused to a known caller, for a scope."""
    TOKEN_MADE = "token_made"  # noqa: S105 - a word
    """The file of callers has a credential that it did not have."""
    TOKEN_GONE = "token_gone"  # noqa: S105 - a word
    """It has one no longer."""
    POLICIES_READ = "policies_read"
    """The rules that count now, at the start or as their file changed."""


@dataclass(frozen=True, slots=True)
class AccessEvent:
    """A line of the audit about somebody's access. Never a value, a query or a token."""

    event: AccessStep
    who: str = ""
    """The caller's id, as of calls."""
    groups: tuple[str, ...] = ()
    what: str = ""
    """What was refused: method and route; of policies and tokens the first 12 digits of a SHA-256."""
    reason: str = ""
