"""What is new about somebody or something, as what is to be changed: `Osman Textiles has a new phone number, +90212...`."""

import re
from collections.abc import Callable
from functools import partial

from app.domain.language.identifiers import pieces, singular
from app.domain.language.text import stem
from app.domain.reading.said import SUBJECTS
from app.domain.tasks.postal import address_begins
from app.lexicon.lists import table

_BEGINS = r"(?:^|(?<=[.;!]\s))"
_WHO = (
    r"(?P<who>(?:(?:[Tt]he|[Oo]ur|[Mm]y)\s++)?+(?:(?P<noun>[a-z]{2,20})\s++)?+"
    r"(?:[A-Z][\w&-]{0,40}+(?:\s[A-Z][\w&-]{0,40}+){0,3}|[\w.+-]{1,60}+@[\w.-]{1,80}\w|(?=[\w-]{0,60}[\d_])[\w-]{1,80}+))"
)
"""Who or what there is news of: a name, an address or an id, which a noun may stand before."""
_VALUE = r"(?=\+?\d|[\w.+-]{1,60}+@|[A-Z\ue000-\uf8ff]|[\w-]{0,60}\d)"
"""How a value begins: with a digit, a capital or a quoted text, or as an address of mail or an id."""
_NOW = r"(?:now|from\s++(?:now\s++on|today))"
_NEW = re.compile(
    rf"{_BEGINS}{_WHO}\s++(?:has\s++got|has|got)\s++a\s++new\s++(?P<what>[a-z][a-z-]{{1,30}}+(?:\s++(?!is\b)[a-z][a-z-]{{0,30}}+){{0,3}}?)"
    rf"(?:\s*+[,:]\s*+|\s++is\s++)(?:it's\s++|it\s++is\s++)?{_VALUE}"
)
_MOVED = re.compile(
    rf"{_BEGINS}{_WHO}\s++(?:has\s++|have\s++)?moved[,;:]?\s++(?:and\s++)?(?:to\s++|(?:(?:he|she|it|they)\s++)?(?:{_NOW}\s++)?(?:lives?|is|are|sits?)\s++(?:{_NOW}\s++)?(?:at|in)\s++)"
)
_IS_NOW = re.compile(
    rf"{_BEGINS}{_WHO}(?:'s|\u2019s)\s++(?P<what>[a-z][a-z-]{{1,30}}+(?:\s++(?!is\b)[a-z-]{{1,30}}+){{0,3}}?)\s++is\s++{_NOW}\s++{_VALUE}"
)
_DONE_SO = re.compile(
    r"(?<=\S),?\s++(?:please\s++|pls\s++|so\s++|and\s++)*+(?:update|change|correct|adjust|enter|note|record)(?:\s++(?:it|that|this))?+(?:\s++accordingly)?+(?=\s*+(?:[.;!]|$))",
    re.IGNORECASE,
)
"""That it is to be entered says no more than the news."""

_SHORT = r"(?:[^,.;:!?\s]|\.(?=\S)){1,80}+(?:\s++(?!should)(?:[^,.;:!?\s]|\.(?=\S)){1,80}+){0,7}?"
"""Some words of one clause; a full stop may stand within one."""
_LEADING_ON = (
    "at|by|on|in|to|for|about|back|up|off|out|again|before|after|when|if|once|as|today|tomorrow|tonight|now"
)
"""Behind `called`, they say when or by what somebody is telephoned, and no name. Source: the prepositions and adverbs of time of English."""
_ENDS = r"(?=\s*+(?:[,;!]|\.(?:\s|$)|$)|\s++(?:and|but)\s)"
_NOT_THERE = re.compile(
    rf"{_BEGINS}(?P<who>{_SHORT})\s++should(?:n['\u2019]t|\s++not|\s++no\s++longer)\s++be\s++(?:in|on|part\s++of|a\s++member\s++of)\s++"
    rf"(?=(?:the|our|my|your|his|her|their|this|that)\s|#|(?-i:(?:[a-z]{{2,20}}+\s++)?{_VALUE}))(?P<where>{_SHORT})"
    rf"(?:\s++any\s?+(?:more|longer))?+{_ENDS}",
    re.IGNORECASE,
)
_CALLED = re.compile(
    rf"(?:^|(?<=[.;:!]\s))(?P<who>{_SHORT})\s++should\s++(?:now\s++)?+be\s++(?:called|named)\s++(?!(?:{_LEADING_ON})\b)(?P<name>{_SHORT})(?:\s++(?:instead|{_NOW}))?+{_ENDS}",
    re.IGNORECASE,
)
_MISTAKEN = re.compile(
    rf"(?:^|(?<=[.;!,]\s))(?:(?:i|we|somebody|someone|they)\s++(?:have\s++|has\s++)?(?:mistyped|misspelled|misspelt|mixed\s++up|got\s++wrong)\s++(?P<what>{_SHORT})"
    rf"|(?:(?:there\s++is|there's|there\u2019s|it's)\s++)?(?:an?\s++)?(?:typo|mistake|error)\s++in\s++(?P<where>{_SHORT})"
    rf"|(?P<wrong>{_SHORT})\s++is\s++(?:wrong|incorrect|mistyped|misspelled|misspelt))(?P<more>\s*+\([^()]{{1,200}}+\))?+"
    rf"\s*+[.,;:!-]++\s++(?:(?:it|that|this)\s++)?should\s++(?:be|read|say)\s++(?=(?-i:{_VALUE}))",
    re.IGNORECASE,
)
_ANY_MORE = re.compile(rf"\b(?:any\s?+more|any\s++longer|no\s++longer|instead|{_NOW})\b", re.IGNORECASE)
"""What is not so any more has been there before."""
_SUBORDINATE = frozenset(
    "if whether when unless because since while until once that which who whose where why says think".split()
)


def news_as_changes(text: str, *, is_thing: Callable[[str], bool]) -> str:
    """A goal whose sentences tell what somebody or something has now, as what sets it.

    `Lena has a new address: ...` and `pat_8 has moved, he now lives at ...` set the address; `Ben's cost centre is now
    CC-620` the cost centre. What something should be, be called or no longer be part of is
    done to it. A goal that asks something is left as it is.

    Args:
        text: The goal.
        is_thing: Whether calls are about what a stem names.
    """
    if "?" in text:
        return text

    def changed(found: re.Match[str]) -> str:
        named = found.groupdict()
        what = named.get("what") or "address"
        # `check ann@acme.com has ...` tells nothing, and a new card is a thing of its own.
        tells = named["noun"] is None or is_thing(stem(singular(named["noun"])))
        is_made = is_thing(stem(singular(pieces(what)[-1]))) and what != "address"
        return f"change the {what} of {named['who']} to " if tells and not is_made else found[0]

    def moved(found: re.Match[str]) -> str:
        return changed(found) if address_begins(text, found.end()) else found[0]

    told = text
    text = _NEW.sub(changed, text)
    text = _MOVED.sub(moved, text)
    text = _IS_NOW.sub(changed, text)
    text = _MISTAKEN.sub(_mended, text)
    text = _CALLED.sub(partial(_ordered, "rename", "to", "name"), text)
    text = _NOT_THERE.sub(partial(_ordered, "remove", "from", "where"), text)
    return text if text == told else _DONE_SO.sub("", text)


def _mended(found: re.Match[str]) -> str:
    named = found.groupdict()
    what = named["what"] or named["where"] or named["wrong"]
    return f"change {what}{named['more'] or ''} to " if _is_thing_said(what) else found[0]


def _ordered(verb: str, preposition: str, second: str, found: re.Match[str]) -> str:
    """What is to be done so that something is as it should be; how a thing should be that an earlier sentence makes is no order."""
    who, before = found["who"], found.string[: found.start()].rstrip()
    is_there = before[-1:] in ("", ":") or _ANY_MORE.search(found[0])
    return f"{verb} {who} {preposition} {found[second]}" if is_there and _is_thing_said(who) else found[0]


def _is_thing_said(said: str) -> bool:
    """Whether words say a thing, and no condition, nor what somebody is to find out or to pass on."""
    first, *_ = pieces(said) or ("",)
    reading = table("reading")
    asks = (*reading["whether_verbs"], *table("values")["telling"].split(), "make", "ensure")
    return first not in (*asks, *SUBJECTS) and _SUBORDINATE.isdisjoint(pieces(said))
