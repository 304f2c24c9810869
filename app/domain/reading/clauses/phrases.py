"""Expressions for turns of phrase: the first and the last of many, what sorts a list, what a preposition begins."""

import re

from app.lexicon.lists import table


def any_of(*phrases: str) -> str:
    """An expression for any of these phrases; the longer one where another begins it."""
    return "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))


FIRST_OR_LAST = re.compile(
    rf"\b(?:{'|'.join((*table('reading')['last'], *table('reading')['first']))})\b", re.IGNORECASE
)
"""What says that the first or the last of many are meant; a clause may say no more: `show the logs, last 50 lines`."""
BY_AGE = re.compile(
    r"\b(?:(newest|latest|most recent)|oldest|earliest)(?: ones?| [a-z]{3,20}s)? (?:first|on top|at the top)\b",
    re.IGNORECASE,
)
"""What says that a list is sorted by when things came to be; its first group is there where the latest comes first."""
LED = re.compile(rf"(?:{'|'.join(table('reading')['leading_prepositions'])})\b", re.IGNORECASE)
"""What a preposition leads: `with two replicas`."""
