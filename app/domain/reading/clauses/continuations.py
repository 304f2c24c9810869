"""What goes on with the clause before: one more value, what a thing becomes, what it is done with."""

import re
from collections.abc import Callable

from app.domain.language.goal_words import all_verbs
from app.domain.language.identifiers import pieces, singular
from app.domain.language.text import stem
from app.domain.reading.clauses.catalogue_words import CatalogueWords
from app.domain.reading.clauses.marks import MARKS, STRONG_VALUE, VALUE_LAST, masked
from app.domain.reading.clauses.named_values import ATTRIBUTE, WITH_AT_END, names_further
from app.domain.reading.clauses.questions import is_question
from app.domain.reading.clauses.words import LONGEST_DESCRIPTION, is_participle
from app.lexicon.lists import table

_VALUE_FIRST = re.compile(r"\w*[\ue000-\uefff]")
"""A clause that begins with a value goes on with a list of them: `invite bob and carol`."""
_NOUN_REPEATED = re.compile(
    r"(?:(?:the|an?)\s)?+([a-z]{2,30}+(?:\s[a-z]{2,30}+){0,2})\s[\ue000-\uefff](?:\s(?:in|of|on|from|at)\s[^,;]*)?",
    re.IGNORECASE,
)
"""A noun with its value, and where that is: `the card 12 in list 7`."""
_TEXT_OF = re.compile(r"(?:the|an?|this)\s[a-z]{3,30}+\s?[:\s]?[\ue400-\ue7ff]$", re.IGNORECASE)
"""A piece that is a noun and what is quoted: `the comment "Fixed"`."""
_IS_IT = re.compile(r"(?:is|was|are|were)\s++(?:it|there)\s++(?:[a-z]++\s++){0,3}[a-z]++", re.IGNORECASE)
"""A question that is an order once more follows: `is it possible to`, `is there a way to`."""


def goes_on_with(before: str, piece: str, joint: str, catalogue: CatalogueWords) -> bool:
    """Whether a piece goes on with the clause before, behind `joint`."""
    return bool(
        (_VALUE_FIRST.match(piece) and VALUE_LAST.search(before))
        or _goes_on_with_noun(before, piece)
        or (joint.lower() == "to" and _leads_to_no_order(before, piece))
        or (joint != "," and ATTRIBUTE.match(piece))
        or (joint == "and" and names_further(before, piece, catalogue))
        or (joint == "and" and WITH_AT_END.search(before) and _TEXT_OF.match(piece))
    )


def _goes_on_with_noun(before: str, piece: str) -> bool:
    """Whether a clause is one more of what the clause before ends with: `the bank account 12` behind `delete the bank account 7`."""
    found = _NOUN_REPEATED.fullmatch(piece)
    if found is None or MARKS.match(before[-1:]) is None:
        return False
    first, *further = pieces(found[1])
    if further and stem(first) in all_verbs():
        # `delete article 5` does it again.
        return False
    return f" {before[:-1].rstrip().lower()}".endswith(f" {found[1].lower()}")


def _leads_to_no_order(before: str, piece: str) -> bool:
    """Whether what `to` joins to a clause asks for nothing: `set it to approved`, `14 days to pay`, `what do we have to pay`."""
    if is_participle(piece) or (VALUE_LAST.search(before) and len(pieces(masked(piece))) == 1):
        return True
    return is_question(f"{before} {piece}") and not _IS_IT.fullmatch(masked(before).strip())


def leads_to_thing(before: str, piece: str, is_thing: Callable[[str], bool]) -> bool:
    """Whether what `to` joins to a clause is a thing by its value: `add the label to issue 12`, not `I want to release 1.2`."""
    first, *behind = piece.split()
    said = pieces(masked(before))
    if not is_thing(stem(singular(first.lower()))) or not behind or not STRONG_VALUE.match(behind[0]):
        return False
    reading = table("reading")
    wishes = (
        *table("prose")["situation"]["wishes"],
        *reading["asking"],
        *reading["auxiliaries"],
        "able",
        "how",
        "going",
    )
    return len(said) > 1 and said[-1] not in wishes and stem(said[0]) in all_verbs()


def names_state(piece: str, is_state: Callable[[str], bool]) -> bool:
    """Whether a piece begins with what became of a thing, as an input takes it: `trip approved`, of TRIP_APPROVED."""
    said = pieces(MARKS.split(piece)[0])
    return any(
        is_participle(said[most - 1]) and is_state(" ".join(map(stem, said[:most])))
        for most in range(2, min(len(said), LONGEST_DESCRIPTION) + 1)
    )
