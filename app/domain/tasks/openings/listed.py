"""Sentences that only name things, which are to be listed: `closed issues of project 7`."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from app.domain.language.goal_words import all_verbs
from app.domain.language.identifiers import is_plural, pieces, singular
from app.domain.language.text import stem
from app.domain.reading.clauses.phrases import any_of
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

_THINGS_ASKED_FOR = re.compile(
    r"\A(?:(?:all|any|every|the|my|our)\s++)?+(?P<how>(?:[\w-]{1,20}\s++){0,4}?)(?P<things>[a-z]{3,20}s)"
    r"(?=\s++(?:of|from|in|to|by|for|between|with|without|since|before|after|over|under|above|below|on|at|due|that|which|where|whose|still|not"
    r"|named|called|sorted|ordered|leaving|[a-z]{3,15}ed)\b|[?.!]*+\Z|,\s)",
    re.IGNORECASE,
)
"""Things in the plural, and how or where they are, with nothing before them: `closed issues of project 7`."""
_SENTENCES = re.compile(r"((?<=[a-z\d)][?.!])\s++)", re.IGNORECASE)
_LOOKED_AT = re.compile(
    rf"\A(?:(?:the|my|our)\s++)?+(?:[\w-]{{1,20}}\s++){{0,3}}?(?:{any_of(*table('reading')['looked_at'])})\s++(?:of|for)\s(?:(?!\b(?:to|and)\b|[:,\n]).)++\Z",
    re.IGNORECASE,
)
"""What nobody makes, of a thing: `status of order 12?`."""
_DONE_WITH_THEM = re.compile(
    r"[,;:.!]\s++(?:and\s++|then\s++|please\s++|to\s++)?+([a-z]{2,20})\b|\b(?:and|then)\s++([a-z]{2,20})\b",
    re.IGNORECASE,
)
"""What follows that may be an order."""
_SAID_OF_THEM = re.compile(
    r"(?<!that )(?<!which )(?<!who )(?<!that still )\b(?:should|must|can|could|may|might|will|would|need|needs|have|has|are|is|was|were|go|goes|want"
    r"|wants|each|(?:down|up|back)\sto|to\s(?!(?:the|our|my)\b|[A-Z]|[\w.+@-]*[\d@_]|[a-z]{3,20}\s[\w-]*\d)\w+)\b|:\s++(?:[A-Z]|(?:\S++\s++){5})"
    r"|,\s\d[\d.,]*\s?(?:[A-Z]{3}\b|[\u20ac$\u00a3])|\bof\s\d[\d.,]*\s?[A-Z]{3}\b|\d\sx\s|,\s(?:name|title|subject|amount|description|text|body)\s",
)
"""What is said of them, or is to be: then they are not only looked at."""
_OF_STATE = frozenset(
    ("open", "new", "due", "late", "won", "lost", "public", "private", "last", "next", "first", "live")
)
"""Words that are verbs, or nearly, and say how things are before these."""
_OF_CLOCKS = ("hours", "times")
"""They are rather set than listed."""


def with_things_listed(text: str, *, is_thing: Callable[[str], bool], is_verb: Callable[[str], bool]) -> str:
    """A goal with each sentence that only names things, in the plural, as what lists them: `closed issues of project 7` closes none.

    Not where something is said of them, or anything else may be done.

    Args:
        text: The goal.
        is_thing: Whether calls are about what a stem names.
        is_verb: Whether calls begin with a stem, besides the known verbs.
    """
    verbs = _Verbs(is_thing, is_verb)
    return "".join(
        _as_listed(part, verbs) if at % 2 == 0 else part for at, part in enumerate(_SENTENCES.split(text))
    )


@dataclass(frozen=True, slots=True)
class _Verbs:
    """Which words may be verbs."""

    is_thing: Callable[[str], bool]
    is_verb: Callable[[str], bool]

    def opens(self, word: str) -> bool:
        """Whether an order may begin with a word."""
        return stem(word) in all_verbs() or self.is_verb(stem(word)) or word in _doing()

    def orders(self, word: str) -> bool:
        """Whether a word that may be a noun as well is rather a verb."""
        return word in table("en")["verbs"] or (not self.is_thing(stem(singular(word))) and self.opens(word))


def _as_listed(text: str, verbs: _Verbs) -> str:
    words = value_words()
    joined = (words.prepositions | words.determiners | words.function) - _OF_STATE
    found = _THINGS_ASKED_FOR.match(text)
    things = found["things"].lower() if found else ""
    if (
        found is None
        or not is_plural(things)
        or not joined.isdisjoint((*found["how"].lower().split(), things))
    ):
        return f"show {text}" if _is_looked_at(text, verbs) else text
    following = text[found.end() :]
    ordered = (verbs.orders((one[1] or one[2]).lower()) for one in _DONE_WITH_THEM.finditer(following))
    if not _names_things(found, following, verbs) or _SAID_OF_THEM.search(following) or any(ordered):
        return text
    return f"list {text}"


def _is_looked_at(text: str, verbs: _Verbs) -> bool:
    if _LOOKED_AT.match(text) is None:
        return False
    first = pieces(text)[0]
    return first in table("reading")["looked_at"] or not verbs.orders(first)


def _names_things(found: re.Match[str], following: str, verbs: _Verbs) -> bool:
    """Whether words that end with a plural are a noun phrase: `last 5 comments`, but not `close issues`, `deal 39004 slips` or `Ann reports to`."""
    how, things = found["how"].lower().split(), found["things"].lower()
    first = how[0] if how else ""
    is_counted = first in _OF_STATE and len(how) > 1 and how[1].isdigit()
    is_given = ":" in following and not (first in _OF_STATE or first.endswith("ed"))
    if is_given or things in _OF_CLOCKS:
        # `attendees for event 7: ann@a.com`, `working hours of person 3 from 9:00 to 17:00`
        return False
    behind_count = how[1:] if first.isdigit() else how[2:] if is_counted else how
    if not all(word.replace("-", "").isalpha() for word in behind_count):
        return False
    is_participle = first.endswith(("ed", "en")) and first not in table("en")["verbs"]
    is_led = first in _OF_STATE or is_participle or first.isdigit()
    if first and not is_led and verbs.opens(first):
        return False
    leads_to = following.split()[:1]
    if leads_to == ["to"] and verbs.opens(singular(things)):
        return False
    # `comments of ticket 6`
    return leads_to == ["of"] or not verbs.orders(things)


@cache
def _doing() -> frozenset[str]:
    """Further words that begin orders: `give`, `move`."""
    reading = table("reading")
    lists = (
        "picking",
        "asking",
        "turning",
        "advancing",
        "postponing",
        "placing",
        "furnishing",
        "leaving",
        "handing",
        "fetching",
    )
    return frozenset(("give", *(word for name in lists for word in reading[name])))
