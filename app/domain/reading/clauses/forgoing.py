"""What there is to be none of: `no refund`."""

import re

from app.domain.reading.clauses.marks import MARKS
from app.domain.reading.clauses.words import is_participle
from app.domain.reading.said import SUBJECTS
from app.lexicon.lists import table

_FORGOING = re.compile(
    r"(?:(?:and|but)\s++)?no\s++(?:more\s++)?((?:[a-z-]++\s++){0,2}?[a-z-]++)"
    r"(?:\s++(?:to|for|from|in|on|with|during)\s++(?:(?:the|this|that|these|those|our|my|their)\s++)?([a-z-]++(?:\s++[a-z-]++)??))?"
    r"(?:\s++(?:please|pls|yet|though|either|this time|for now|at all))*+",
    re.IGNORECASE,
)
"""That there is to be none of something, in few words: `no refund`, `and no mails to the team please`."""
_NOT_FORGONE = frozenset(
    """longer later less fewer than one need needed matter problem problems worries rush wait sorry thanks thank please just actually instead
    way idea clue chance doubt ok okay yes no not now be been should would could can will may must""".split()
)
"""They show that `no` says something else: `no later than friday`, `no problem, close it`, `no wait, pause it`."""


def forgoes(piece: str) -> bool:
    """Whether a piece only says that there is to be none of something: `no refund`, `and no mails to the team please`."""
    return bool(forgone(piece)[0])


def forgone(piece: str) -> tuple[str, str]:
    """What there is to be none of by a piece that says no more, and where or for whom: (mails, team) for `no mails to the team`.

    Empty where it may be an order behind `no`: `no cancel it`.
    """
    found = None if MARKS.search(piece) else _FORGOING.fullmatch(piece.strip(" ,;.!"))
    if found is None:
        return "", ""
    what, whose = found[1].lower(), (found[2] or "").lower()
    reading = table("reading")
    is_other = any(
        word in _NOT_FORGONE
        or word in reading["pronouns"]
        or word in reading["auxiliaries"]
        or word in SUBJECTS
        or is_participle(word)
        for word in (*what.split(), *whose.split())
    )
    return ("", "") if is_other else (what, whose)
