"""What a caller says behind what a task looks up: which of many is meant, or what for."""

import re
from functools import cache

from app.domain.language.identifiers import pieces
from app.domain.language.operation_words import READING_KINDS
from app.domain.reading.clauses.orders import asked_kind
from app.domain.tasks.task_words import object_word
from app.lexicon.lists import table


def without_purpose(words: str) -> str:
    """`list the runs` of `list the runs and take the latest`, or of `list the runs to see which failed`."""
    found = purpose_pattern().search(words)
    looked_up = words[: found.start()] if found else ""
    # `find and read the runs` looks up nothing before.
    return looked_up if object_word(pieces(looked_up)) and asked_kind(looked_up) in READING_KINDS else words


@cache
def purpose_pattern() -> re.Pattern[str]:
    """What begins with `and` or `to`, and a verb that says what becomes of what was found."""
    verbs = "|".join(table("reading")["picking"])
    return re.compile(rf"(?<=\w)(?:,?+ and| to) (?:{verbs})\b", re.IGNORECASE)
