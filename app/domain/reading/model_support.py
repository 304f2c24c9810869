"""Whether what a language model says is in the goal: values to the letter, tasks in the goal's own words. Pure.

Who wrote the text of a tool may have talked the model into something; the goal is the caller's alone.
"""

import re
from functools import lru_cache

from app.domain.language.goal_words import verb_kinds
from app.domain.language.intent_words import ACTION_WORDS, READING_ACTIONS
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import auto_terms, stem
from app.domain.language.visible_text import excerpt

_READING_KINDS = {OperationKind.GET, OperationKind.LIST, OperationKind.SEARCH}
_NUMBER = re.compile(r"(?:(?<!\w)(?P<sign>-)|(?<![\w.]))(?P<number>\d[\d.,]*+)")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_PLAIN = re.compile(r"\d+(?:\.\d+)?")
_SWAPPED = str.maketrans(",.", ".,")
_NAME_GOES_ON = re.compile(r"[^\W\d_]++\d")
"""Behind a number that is the beginning of a name: `7f3a`, but not `30min`."""
_LONGEST_NUMBER = 40
"""Characters; what is longer counts nothing."""
_SPELT = "zero one two three four five six seven eight nine ten eleven twelve".split()
_AROUND = "\"'`\u2018\u2019\u201c\u201d()[]{}<>.,;:!?*#$€£"
"""What stands around a word and is no part of it."""
_WITHIN = str.maketrans("", "", "-'\u2019")
"""What stands within a word: `e-mail`, `customer's`."""
_FIRST_CJK = "\u2e80"
"""Behind it are scripts that put their particles directly behind a name."""


def states_text(goal: str, text: str) -> bool:
    """Whether the goal holds a text, not as a part of a longer word or number: `123` is not in `12345`."""
    at = goal.find(text) if text else -1
    while at >= 0:
        end = at + len(text)
        if not (_is_one(goal[at - 1 : at], text[0]) or _is_one(text[-1], goal[end : end + 1])):
            return True
        at = goal.find(text, at + 1)
    return False


def states_number(goal: str, number: float) -> bool:
    """Whether the goal holds a number of this value: `15.00`, `1,500` and `three` are 15, 1500 and 3."""
    return _canonical(number) in _numbers(goal)


def unsupported(goal: str, text: str) -> str:
    """Why words of a task are not cut out of the goal; empty when they are.

    What looks like a name, a number or an address has to be in it to the letter, and so has every word that changes
    something, by its stem. Of the other words, those that only look apart, more than half have to be in it.
    """
    for place, token in enumerate(word.strip(_AROUND) for word in text.split()):
        if not _is_stated(goal, token, first=place == 0):
            return f"{excerpt(token)!r} is not in the goal"
    said = set(auto_terms(goal))
    terms = [term for term in dict.fromkeys(auto_terms(text)) if not term.isdigit()]
    if not said.intersection(terms):
        return "no word of it is in the goal"
    if invented := [term for term in terms if term in _changing() and term not in said]:
        return f"the goal does not say {excerpt(invented[0])!r}"
    counted = [term for term in terms if term not in _looking()]
    if 2 * sum(term not in said for term in counted) >= max(1, len(counted)):
        return "most of its words are not in the goal"
    return ""


def _is_stated(goal: str, token: str, *, first: bool) -> bool:
    plain = token.translate(_WITHIN).isalpha()
    if not token or (plain and (first or token == token.lower())):
        return True
    if states_text(goal.casefold(), token.casefold()):
        return True
    return plain and set(auto_terms(token)) <= set(auto_terms(goal))


def _is_one(left: str, right: str) -> bool:
    """Whether two neighbours belong to one word; there is no neighbour at the ends."""
    return all(each and each < _FIRST_CJK and (each.isalnum() or each == "_") for each in (left, right))


@lru_cache(maxsize=1 << 4)
def _numbers(goal: str) -> frozenset[str]:
    found = {str(_SPELT.index(word)) for word in goal.lower().split() if word in _SPELT}
    for match in _NUMBER.finditer(goal):
        text, sign = match["number"].rstrip(".,"), match["sign"] or ""
        if len(text) <= _LONGEST_NUMBER and not _NAME_GOES_ON.match(goal, match.end()):
            found.update(sign + _without_zeros(one) for one in _readings(text))
    return frozenset(found)


def _readings(text: str) -> list[str]:
    """What digits with points and commas may mean: `1.500` is 1500 to some, `1,2,3` are three."""
    swapped = text.translate(_SWAPPED)
    grouped = [one.replace(",", "") for one in (text, swapped) if _THOUSANDS.fullmatch(one)]
    found = grouped or text.split(",")
    return [one for one in (*found, text, swapped) if _PLAIN.fullmatch(one)]


def _canonical(number: float) -> str:
    if abs(number) >= 10**_LONGEST_NUMBER:
        return ""
    return str(int(number)) if number == int(number) else str(number)


def _without_zeros(text: str) -> str:
    whole, point, part = text.partition(".")
    part = part.rstrip("0")
    return (whole.lstrip("0") or "0") + (f"{point}{part}" if part else "")


@lru_cache(maxsize=1)
def _changing() -> frozenset[str]:
    """Stems of verbs that change something."""
    kinds = {verb for verb, kind in verb_kinds().items() if kind not in _READING_KINDS}
    return frozenset((kinds | _stems(reading=False)) - _looking())


@lru_cache(maxsize=1)
def _looking() -> frozenset[str]:
    """Stems of verbs that only look, and change nothing wherever they are known."""
    kinds = {verb for verb, kind in verb_kinds().items() if kind in _READING_KINDS}
    return frozenset((kinds | _stems(reading=True)) - _stems(reading=False))


def _stems(*, reading: bool) -> set[str]:
    groups = (words for action, words in ACTION_WORDS.items() if (action in READING_ACTIONS) is reading)
    return {stem(word) for words in groups for word in words.split()}
