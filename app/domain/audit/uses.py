"""When each token was used last, as the lines of the audit say."""

import json
from collections.abc import Iterable, Mapping

from app.domain.audit.events import AccessStep

SHOWN = 12
"""Digits of a SHA-256 that stand in a line: enough to tell credentials apart, and nothing that could be asked with."""
_MARK = f'"{AccessStep.TOKEN_USED}"'.encode()


def last_uses(lines: Iterable[bytes]) -> Mapping[str, str]:
    """The first digits of a token's SHA-256 -> the day of its last use, in UTC; of tokens that the lines have.

    Args:
        lines: Of all files, in any order.
    """
    found: dict[str, str] = {}
    for line in lines:
        # Most lines are of calls; reading each of a hundred megabytes would take seconds.
        if _MARK not in line:
            continue
        try:
            said = json.loads(line)
        except ValueError:
            # Its writer was killed.
            continue
        if said.get("event") == AccessStep.TOKEN_USED:
            what, day = str(said.get("what", "")), str(said.get("at", ""))[: len("2027-02-20")]
            found[what] = max(day, found.get(what, ""))
    return found
