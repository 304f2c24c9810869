"""Values that a clause gives their names, and what they are said of."""

import re
from collections.abc import Callable

from app.domain.language.identifiers import pieces
from app.domain.reading.clauses.catalogue_words import CatalogueWords
from app.domain.reading.clauses.marks import masked
from app.domain.reading.clauses.orders import is_order, starts_with_verb
from app.lexicon.lists import table

_OF_OTHERS = ("comment", "note", "label", "status", "q", "query")
"""Texts that may be things of their own."""
ATTRIBUTE = re.compile(
    rf"(?:(?:and|the|with)\s)*+(?:{'|'.join(word for word in table('inputs')['texts'] if word not in _OF_OTHERS)})"
    r"(?:\s(?:is|to|of))?+[\s:]*+(?:[\ue000-\ue7ff]|[\w-]++[\ue800-\uebff]$)",
    re.IGNORECASE,
)
"""A clause that only gives a text its name says more of the one before: `subject "Your receipt"`."""
_NAMED_TEXT = re.compile(
    r"(?:with\s)?+([a-z]{3,30}+)(?:\s(?:is|to|of))?+[\s:]*+[\ue400-\ue7ff]$", re.IGNORECASE
)
"""A clause that is a word and what is quoted: where the word is no verb, it says more of the one before."""
NAMED_VALUE = re.compile(
    r"(?:with\s)?+(?!the\s|an?\s|and\s|then\s)([a-z]{3,30}+)(?:\s(?!with\s)[a-z]{2,30}+){0,2}(?:\s(?:is|of|to))?[\s:=]*+[\ue000-\ue7ff]$",
    re.IGNORECASE,
)
"""A clause that is a few words and a value: `priority 8`."""
_NAMED_WORD = re.compile(
    r"(?!the\s|an?\s|and\s|then\s)([a-z]{3,30}+)(?:\s[a-z]{2,30}+){0,2}\s[\w-]++[\ue800-\uebff]$",
    re.IGNORECASE,
)
"""The same with a value that may be an ordinary word: `language hr`."""
WITH_AT_END = re.compile(r"\swith\s(?:\S++\s++){0,3}\S++$", re.IGNORECASE)
"""What a clause says that something is done with, at its end."""
OBJECT_ONLY = re.compile(r"(?:[a-z]++\s++){1,5}+[\ue000-\uefff]?$", re.IGNORECASE)
"""A clause that is words and at most one value, at its end: `delete the user 3`."""


def names_value(before: str, piece: str, catalogue: CatalogueWords) -> bool:
    """Whether a piece only gives a value its name."""
    return bool(
        ATTRIBUTE.match(piece)
        or _only_names_text(piece, catalogue.is_verb)
        or names_further(before, piece, catalogue)
    )


def names_further(before: str, piece: str, catalogue: CatalogueWords) -> bool:
    """Whether a clause is a word and its value, behind a clause that says more than a verb and its object.

    `post "hello" with title Nightly and priority 8` posts once; `delete user 3 and group 5` deletes two things.
    """
    is_behind_with = WITH_AT_END.search(before) is not None
    named = NAMED_VALUE.match(piece) or (_NAMED_WORD.match(piece) if is_behind_with else None)
    if named is None or is_order(piece, catalogue.is_verb) or named[1].lower() in _OF_OTHERS:
        return False
    if any(catalogue.is_separate(noun, named[1]) for noun in pieces(masked(before))[1:]):
        return False
    return is_behind_with or not OBJECT_ONLY.match(before)


def _only_names_text(piece: str, is_catalogue_verb: Callable[[str], bool]) -> bool:
    found = _NAMED_TEXT.match(piece)
    return found is not None and not starts_with_verb(found[1], is_catalogue_verb)
