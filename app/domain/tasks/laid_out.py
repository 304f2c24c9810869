"""How a goal is laid out: items of a list, what stands ahead of an order with a colon, and what is said once of two things."""

import re
from collections.abc import Callable

from app.domain.language.identifiers import singular
from app.domain.language.idioms import idiom_verb
from app.domain.language.text import stem
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

_MOST = 20
"""Places of a goal that are read otherwise, of each kind: texts must not grow."""
_NAME = r"[\w@#](?:[\w@#./:+-]*\w)?"
_KNOWN_ID = r"(?=[\w@#.:+-]*[\d@])[\w@#./:+-]*\w"
"""A word with a digit in it, or an address."""
_ITEM = re.compile(r"(?:\A|\n)[ \t]*+(?:[-*\u2022\u2013]|\d{1,2}[.)])[ \t]++(?=\S)")
"""Where an item of a list begins."""
_DASH = re.compile(r"(?<=\S)\s++(?:-{1,2}|[\u2013\u2014])\s++(?=([A-Za-z']++)\b)")
_TOPIC = re.compile(
    rf"(?:\A|(?<=[.;!?]\s)|(?<=\n))(?:[Tt]he\s++)?((?:[A-Za-z]++\s++){{1,3}}?)({_NAME})(?:\s*+:|\s++[-\u2013\u2014])\s++(?=([a-z']++)\b)"
)
"""A thing, what it is called, and a colon before a word: `realm corp: put ...`."""
_BOTH = re.compile(
    r"\b(?:both|all\s++(?:two|three|four|five|six|\d)|the\s++(?:pair|lot|two|three))\s++of\s++(?:them|these|those)\b"
    r"|(?<=[a-z]\s)both\b(?=\s*+(?:[.,;!?]|\Z))",
    re.IGNORECASE,
)
"""Ways of saying `them` of some things that were named."""
_RANGE = re.compile(
    r"(?<![\w.-])([A-Za-z]{2,30}s)\s++#?(\d{1,9})\s?(?:to|through|-|\u2013)\s?#?(\d{1,9})(?![\w.:/-])"
)
"""`records 3101 to 3104`."""
_LONGEST_RANGE = 30
_BEFORE = re.compile(
    r"(?:\A|(?<=[.;!?]\s))before\s++you\s++((?:[^.;,\n]|\.(?=\w)){3,120}),\s++((?:[^.;!?\n]|[.!?](?=\w)){3,160})",
    re.IGNORECASE,
)
"""What is to be done later stands first: `before you delete the branch, merge 230`."""
_SHARED = re.compile(
    rf"\b([a-z]{{3,20}}+)\s++((?:[a-z]++\s++){{0,2}}){_KNOWN_ID}\s++(as|to|into|onto)\s++((?:[\w@.#'-]++\s++){{0,2}}?[\w@.#'-]*\w)"
    rf"(?:,?\s++and\s++|,\s++)(?=(?:the\s++)?({_KNOWN_ID})\s++\3\s)",
    re.IGNORECASE,
)
"""`label 412 as bug and 415 as feature`: the verb is said once."""


_RECENT = re.compile(r"\bmost\s++recent\b(?!\s++(?:ones?\s++)?(?:first|on\s++top))", re.IGNORECASE)
_PAGE_SIZE = re.compile(r"\b(\d{1,4})\s++(?:to|on)\s++(?:a|each|every|the)\s++page\b", re.IGNORECASE)
_PAGE = re.compile(r"\bthe\s++(first|second|third|fourth|fifth|sixth)\s++page\b", re.IGNORECASE)
_PAGES = {
    word: number
    for number, word in enumerate(("first", "second", "third", "fourth", "fifth", "sixth"), start=1)
}
_NEITHER = re.compile(r"(\bneither\s[^.;!?\n]{1,120}?\s)nor\b", re.IGNORECASE)
_ASKED = re.compile(
    r"(?:\A|(?<=[.;!?]\s))(?:[\w'-]++\s++){1,3}?(?:asks?|asked|tells?|wants?|wanted|needs)\s++(?:us|me)\s++to\s++(?=([a-z]++)\b)"
)
"""Who asks for what: `Security asks us to revoke ...`."""


def laid_out(text: str, *, is_named: Callable[[str], bool]) -> str:
    """A goal as sentences, each of which says all of what it asks for.

    Args:
        text: The goal.
        is_named: Whether names of calls or inputs have a stem.
    """
    text = _PAGE_SIZE.sub(r"\1 per page", _RECENT.sub("newest", text, count=_MOST), count=_MOST)
    text = _PAGE.sub(lambda found: f"page {_PAGES[found[1].lower()]}", text, count=_MOST)
    text = _ASKED.sub(_as_own, _NEITHER.sub(r"\1and", text, count=_MOST), count=_MOST)
    text = _TOPIC.sub(lambda found: _as_place(found, is_named), _without_items(text), count=_MOST)
    text = _DASH.sub(_as_sentence, text, count=_MOST)
    text = _BEFORE.sub(_in_order, _BOTH.sub("them", text, count=_MOST), count=_MOST)
    return _with_verbs(_RANGE.sub(_spelt_out, text, count=_MOST))


def _without_items(text: str) -> str:
    """The items of a list as sentences; a mark at the start of a single line is no list."""
    if len(_ITEM.findall(text)) < 2:
        return text
    parts = [part.strip().rstrip(".;,") for part in _ITEM.split(text)]
    return ". ".join(part if not part.endswith(":") else part[:-1] for part in parts if part) + "."


def _begins_order(word: str, rest: str) -> bool:
    reading = table("reading")
    plain = word.lower()
    return (
        plain in table("en")["verbs"]
        or plain in reading["polite"]
        or plain in ("it", "they", "please", "then", "just")
        or bool(idiom_verb(rest[:80].lower()))
    )


def _as_own(found: re.Match[str]) -> str:
    """What somebody asks us for is asked for; who is asked (`can you tell me to ...`) asks for nothing."""
    begins = _begins_order(found[0].split()[0], found[0])
    return found[0] if begins or not _begins_order(found[1], found.string[found.start(1) :]) else ""


def _as_sentence(found: re.Match[str]) -> str:
    return "; " if _begins_order(found[1], found.string[found.start(1) :]) else found[0]


def _as_place(found: re.Match[str], is_named: Callable[[str], bool]) -> str:
    words, rest = found[1].split(), found.string[found.start(3) :]
    reading, plain = table("reading"), [word.lower() for word in words]
    orders = (
        _begins_order(words[0], found[0]) or plain[0] in reading["ending"] or plain[0] in reading["asking"]
    )
    of_thing = (
        is_named(stem(singular(plain[-1]))) and not orders and value_words().determiners.isdisjoint(plain)
    )
    return f"for {found[1]}{found[2]}, " if of_thing and _begins_order(found[3], rest) else found[0]


def _in_order(found: re.Match[str]) -> str:
    first = found[2].split()[0]
    return f"{found[2]}, then {found[1]}" if _begins_order(first, found[2]) else found[0]


def _spelt_out(found: re.Match[str]) -> str:
    """A range of numbers of things as a list of them, where it is short."""
    first, last = int(found[2]), int(found[3])
    behind = found.string[: found.start()].split()
    moves = {
        *table("reading")["advancing"],
        *table("reading")["placing"],
        "set",
        "change",
        "transfer",
        "assign",
        "add",
        "from",
    }
    if len(found[2]) != len(found[3]) or len(found[2]) < 2 or not 0 < last - first < _LONGEST_RANGE:
        return found[0]
    if not moves.isdisjoint(word.lower() for word in behind[-2:]):
        return found[0]
    numbers = [str(number) for number in range(first, last + 1)]
    return f"{found[1]} {', '.join(numbers[:-1])} and {numbers[-1]}"


def _with_verbs(text: str) -> str:
    """Each of several things with the verb that is said once of all of them."""
    at = 0
    for _ in range(_MOST):
        found = _SHARED.search(text, at)
        while found is not None and found[1].lower() not in _sharing():
            found = _SHARED.search(text, found.end(1))
        if found is None:
            break
        at = found.start(5)
        text = f"{text[: found.end(4)]}, {found[1].lower()} {found[2]}{text[at:]}"
    return text


def _sharing() -> frozenset[str]:
    return frozenset((*table("en")["verbs"], *table("reading")["furnishing"]))
