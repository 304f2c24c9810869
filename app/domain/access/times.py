"""When what says who may ask was read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AccessTimes:
    """Seconds since 1970, of the reading that counts now; None: nothing was read, or there is no such thing."""

    callers: float | None
    """The file of callers."""
    policies: float | None
    """The file of policies."""
    keys: float | None
    """The keys of the issuer."""
