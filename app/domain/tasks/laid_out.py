"""How a goal is laid out: orders in a list, what stands ahead of one with a colon, and what is said once of two things."""

import re
from collections.abc import Callable
from functools import cache

from app.domain.language.identifiers import singular
from app.domain.language.idioms import idiom_verb
from app.domain.language.text import stem
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

_MOST = 20
"""Places of a goal that are read otherwise, of each kind: texts must not grow."""
_NAME = r"[\w@#](?:[\w@#./:+-]*\w)?"
_WITH_DIGIT = r"(?=[\w@#.:+-]*[\d@])[\w@#./:+-]*\w"
"""A word with a digit in it, or an address."""
_ITEM = re.compile(r"(?:\A|\n)[ \t]*+(?:[-*\u2022\u2013]|\d{1,2}[.)])[ \t]++(?=\S)")
"""Where an item of a list begins."""
_TOPIC = re.compile(rf"\A(?:the\s++)?((?:[a-z]++\s++){{1,3}}?)({_NAME})\s*+:\s++(?=([a-z']++)\b)")
"""A thing, what it is called, and a colon before a word: `realm corp: put ...`."""
_BOTH = re.compile(
    r"\b([a-z]{3,20}+)\s++(?:(?:both|all\s++(?:two|three|four|five|six|\d)|the\s++(?:pair|lot|two|three))\s++of\s++(?:them|these|those)\b"
    r"|both\b(?=\s*+(?:[.,;!?]|\Z)))",
    re.IGNORECASE,
)
"""A word, and a way of saying `them` of some things that were named."""
_BEFORE = re.compile(
    r"\Abefore\s++you\s++((?:[^.;,?\n]|\.(?=\w)){3,120}),\s++((?:[^.;!?\n]|[.!](?=\w)){3,160})(?![^.;!\n]*\?)",
    re.IGNORECASE,
)
"""What is to be done later stands first: `before you delete the branch, merge 230`."""
_SHARED = re.compile(
    rf"\b([a-z]{{3,20}}+)\s++((?:[a-z]++\s++){{0,2}}){_WITH_DIGIT}\s++(as)\s++((?:[\w@.#'-]++\s++){{0,2}}?[\w@.#'-]*\w)"
    rf"(?:,?\s++and\s++|,\s++)(?=(?:the\s++)?({_WITH_DIGIT})\s++\3\s)",
    re.IGNORECASE,
)
"""`label 412 as bug and 415 as feature`: the verb is said once."""
_PAGE_SIZE = re.compile(r"\b(\d{1,4})\s++(?:to|on)\s++(?:a|each|every|the)\s++page\b", re.IGNORECASE)
"""`50 to a page`."""
_EXCEPT = r"(?=(?:except(?:\s++for)?|but|apart\s++from|other\s++than|excluding)\s)"
_ALL_BUT = re.compile(
    rf"(?:(\b[a-z]{{3,20}}+\s++)((?:the|our|my|their|his|her|its|those|these)\s[^.;!?\n,]{{1,120}}+))?"
    rf",\s++(?:all|everything|every\s++one|each|everyone|everybody)(?:\s++of\s++(?:them|those|these))?\s++{_EXCEPT}",
    re.IGNORECASE,
)
"""`lock our domains, all except a.io`: who says so means all, and not that one."""


def laid_out(text: str, *, is_named: Callable[[str], bool]) -> str:
    """A goal with its orders as sentences, in the order in which they are to be done, each with its verb.

    Args:
        text: The goal.
        is_named: Whether names of calls or inputs have a stem.
    """
    text = _PAGE_SIZE.sub(r"\1 per page", _ALL_BUT.sub(_with_all, text, count=_MOST), count=_MOST)
    text = _TOPIC.sub(lambda found: _as_place(found, is_named), _without_items(text))
    return _with_verbs(_BEFORE.sub(_in_order, _BOTH.sub(_as_them, text, count=_MOST)))


def _without_items(text: str) -> str:
    """A list of orders as sentences; what has a heading, or lists anything else, stays."""
    ahead, *items = (part.strip().rstrip(".;,") for part in _ITEM.split(text))
    if ahead or len(items) < 2 or not all(item and _begins_order(item.split()[0], item) for item in items):
        return text
    return ". ".join(items) + "."


def _begins_order(word: str, rest: str) -> bool:
    reading, plain = table("reading"), word.lower()
    asks = plain in reading["interrogatives"] or plain in reading["question_auxiliaries"]
    known = plain in table("en")["verbs"] or plain in reading["polite"] or plain in reading["saying"]
    return not asks and (known or bool(idiom_verb(rest[:80].lower())))


def _as_place(found: re.Match[str], is_named: Callable[[str], bool]) -> str:
    plain, rest = [word.lower() for word in found[1].split()], found.string[found.start(3) :]
    reading = table("reading")
    orders = (
        _begins_order(plain[0], found[0]) or plain[0] in reading["ending"] or plain[0] in reading["asking"]
    )
    of_thing = (
        is_named(stem(singular(plain[-1]))) and not orders and value_words().determiners.isdisjoint(plain)
    )
    return f"for {found[1]}{found[2]}, " if of_thing and _begins_order(found[3], rest) else found[0]


def _as_them(found: re.Match[str]) -> str:
    return f"{found[1]} them" if found[1].lower() in _verbs() else found[0]


def _in_order(found: re.Match[str]) -> str:
    first, second = found[2].split()[0], found[1].split()[0]
    orders = _begins_order(first, found[2]) and _begins_order(second, found[1])
    return f"{found[2]}, then {found[1]}" if orders else found[0]


def _with_verbs(text: str) -> str:
    """Each of several things with the verb that is said once of all of them."""
    at = 0
    for _ in range(_MOST):
        found = _SHARED.search(text, at)
        while found is not None and found[1].lower() not in _verbs():
            found = _SHARED.search(text, found.end(1))
        if found is None:
            break
        at = found.start(5)
        text = f"{text[: found.end(4)]}, {found[1].lower()} {found[2]}{text[at:]}"
    return text


def _with_all(found: re.Match[str]) -> str:
    """A phrase with `all` where it begins, instead of behind it."""
    if found[1] and found[1].strip().lower() in _verbs():
        return f"{found[1]}all {found[2]}, "
    # `all but` excepts by itself.
    return found[0] if found.string.startswith("but", found.end()) else f"{found[1] or ''}{found[2] or ''}, "


@cache
def _verbs() -> frozenset[str]:
    """Verbs behind which an object stands."""
    return frozenset((*table("en")["verbs"], *table("reading")["furnishing"]))
