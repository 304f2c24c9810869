"""One more of what the clause before does, with its verb."""

import re
from collections.abc import Callable

from app.domain.language.goal_words import STOP_WORDS, verb_kinds
from app.domain.language.identifiers import pieces, singular
from app.domain.language.intent_words import ARTICLES
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.reading.clauses.catalogue_words import CatalogueWords
from app.domain.reading.clauses.marks import masked
from app.domain.reading.clauses.orders import VERB_WITHIN, asked_kind, starts_with_verb

_BECAME = re.compile(
    r"\bto\s++(?:(?:[a-z]{2,30}\s)?[\w.-]{0,60}+[\ue000-\uefff]|[a-z]{3,20}+)[\s,]*+\Z", re.IGNORECASE
)
_BECOMES = re.compile(
    r"(?:(?:my|your|our|his|her|its|their)\s++[a-z-]{2,30}+\s++"
    r"|((?:(?:the|my|your|our)\s++)?+(?:[a-z-]{2,30}+\s++){1,2}?)"
    r"[\w.-]*+[\ue000-\uefff]\s++(?:in\s++[a-z -]{1,40}?(?:[\w.-]*+[\ue000-\uefff]\s++)?(?=to\s))?+)"
    r"to\s++(?:(?:[a-z]{2,30}\s)?[\w.-]*+[\ue000-\uefff]|[a-z]{3,20}+)(?:\s(?:in|of|on)\s[^,;]{1,80})?[?!. ]*+",
    re.IGNORECASE,
)
"""A clause without a verb that says what something becomes: a part of what was named, or another thing by its value."""
_NOUN_AND_VALUE = re.compile(r"(?:(?:the|an?)\s)?+([a-z]{2,30}+)\s[\ue000-\uefff]", re.IGNORECASE)
_NOUN_OF_VALUE = re.compile(r"(?<=[a-z]\s)([a-z]{2,30}+)\s[\ue000-\uefff]", re.IGNORECASE)
_ANOTHER_THING = re.compile(r"and\s++(?:the|an?)\s++([a-z]{3,30}+)\s++[\ue000-\ue3ff]", re.IGNORECASE)
"""A piece that names one more thing by its noun, with an article: `and the city Arica`."""
_ON_THINGS = (OperationKind.CREATE, OperationKind.DELETE)


def with_verb(before: str, piece: str, is_thing: Callable[[str], bool]) -> str:
    """A piece that names one more thing, with the verb before: `add the city Arica`, behind `add the country Chile with code CL`."""
    another = _ANOTHER_THING.match(piece)
    if another is None or asked_kind(masked(before)) not in _ON_THINGS:
        return piece
    verb = next(iter(pieces(masked(before))), "")
    is_another = is_thing(stem(singular(another[1].lower()))) and stem(verb) in verb_kinds()
    return f"{verb} {piece.partition(' ')[2]}" if is_another else piece


def with_same_act(before: str, piece: str, following: str, catalogue: CatalogueWords) -> str:
    """A piece that says what another thing becomes, with the verb before: `scale deployment web to 3 and stateful set redis to 2`.

    So does one that names something else of the same thing: `change my bio to "Cook" and my location to Porto`. Empty
    where it does not.
    """
    becomes = _BECOMES.fullmatch(f"{piece} to {following}")
    if becomes is None or not _BECAME.search(before):
        return ""
    if starts_with_verb(piece, catalogue.is_verb) and not _names_such(before, piece):
        return ""
    # The first word of an order is its verb, whether it is known as one or not.
    said = pieces(masked(before))
    verb = next((word for word in said[:VERB_WITHIN] if word not in STOP_WORDS), "")
    nouns = [word for word in pieces(becomes[1] or "") if word not in ARTICLES]
    noun = "".join(nouns)
    is_named = becomes[1] is None or catalogue.is_thing(stem(singular(noun))) or noun in said
    return f"{verb} {piece}" if verb and is_named else ""


def _names_such(before: str, piece: str) -> bool:
    """Whether a piece begins with a noun and its value as an order has them: `issue 6 ...`, behind `move issue 5 ...`."""
    noun = _NOUN_AND_VALUE.match(piece)
    return noun is not None and noun[1].lower() in map(str.lower, _NOUN_OF_VALUE.findall(before))
