"""The values that a goal states, with their types and with the words that say what they are for."""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from itertools import pairwise

from app.domain.language.identifiers import singular
from app.domain.language.same_things import thing_words
from app.domain.language.text import STOP_WORDS
from app.domain.language.zones import zone_behind
from app.domain.reading.dates import find_dates
from app.domain.reading.measures import with_units
from app.domain.reading.models import StatedValue, ValueKind
from app.domain.reading.names import NameReader, is_verb
from app.domain.reading.said import with_said
from app.domain.reading.shapes import COLOURS, shape
from app.domain.reading.tokens import POSSESSIVE, GoalToken, IsWord, ValueWords, tokenised, value_words
from app.lexicon.lists import table

_NOUNS = 3
_LOOKED_BACK = 10
"""Tokens before a value in which the words that lead to it are looked for."""
_LEADING_MARKS = frozenset((":", "=", "#", "(", *POSSESSIVE))
_SHORTENED = frozenset(("no", "nr"))
"""Words with a full stop that ends nothing."""
_TOWARDS = frozenset(("to", "for", "on"))
"""Before a date that another ends, they say where a period begins."""
_NEXT = 7
"""Characters from a date to the next one that it begins a period with: ` until `."""
_COUNTED = (ValueKind.NUMBER, ValueKind.MEASURE)
_CALLED_WITHIN = 60
"""Characters before a value that may say that a thing is called so."""
_OF_WITHIN = 2
"""Tokens before `of` that say what it gives a value to: an article and a noun."""
_CODED = frozenset(("key", "number"))
"""What a thing may have beside its name and its id."""
_FIXED = frozenset((ValueKind.QUOTED, ValueKind.URL))


def is_plain_word(word: str) -> bool:
    """Whether a lower-case word is one that most goals use: grammar, verbs, resources. A catalogue knows more."""
    return word in STOP_WORDS or singular(word) in _plain_words() or is_verb(word)


@cache
def _plain_words() -> frozenset[str]:
    words = value_words()
    return words.function | words.identifying | words.nouns | thing_words()


def find_values(
    text: str, *, now: datetime, timezone: str = "UTC", is_word: IsWord = is_plain_word
) -> tuple[StatedValue, ...]:
    """Every value that a text states, in order; no two overlap.

    Args:
        text: A goal, or a part of one.
        now: What `tomorrow` counts from; without a zone it is in `timezone`.
        timezone: An IANA name: where a time of day without a zone is meant.
        is_word: Whether a lower-case word is in use in the catalogue, or in English: what is, is no name.
    """
    words = value_words()
    tokens = tokenised(text)
    tokens = _with_dates(text, tokens, words, now=now, timezone=timezone)
    for at, token in enumerate(tokens):
        if token.plain and not _is_numbering(text, tokens, at):
            shape(token, words, is_word)
            if token.kind is ValueKind.ID and token.text[0] == "#":
                if at and tokens[at - 1].lower in COLOURS:
                    # As #aabbcc is.
                    token.becomes(ValueKind.CHANNEL)
                elif _numbers_noun(tokens, at, words):
                    token.becomes(ValueKind.NUMBER, int(token.text[1:]))
    tokens = with_said(text, with_units(text, tokens, words), words)
    tokens = NameReader(text, tokens, words, is_word).capitalised()
    NameReader(text, tokens, words, is_word).bare()
    return _stated(text, tokens, words)


def _with_dates(
    text: str, tokens: list[GoalToken], words: ValueWords, *, now: datetime, timezone: str
) -> list[GoalToken]:
    """The tokens, each date as one; what is quoted stays."""
    if not any(_may_be_date(token, words) for token in tokens):
        return tokens
    found: list[GoalToken] = []
    at = 0
    for one in find_dates(text, now=now, timezone=timezone):
        while at < len(tokens) and tokens[at].start < one.start:
            found.append(tokens[at])
            at += 1
        end = at
        while end < len(tokens) and tokens[end].end <= one.end:
            end += 1
        whole = at < end and tokens[at].start == one.start and tokens[end - 1].end == one.end
        if whole and not any(token.kind in _FIXED for token in tokens[at:end]):
            stated = GoalToken(text[one.start : one.end], one.start, one.end)
            if one.iso:
                stated.becomes(ValueKind.DATE, one.iso)
            else:
                stated.mark = True
            found.append(stated)
            at = end
            zone = zone_behind(text, one.end) if "T" in one.iso else None
            if zone is not None:
                while at < len(tokens) and tokens[at].start < zone.start:
                    found.append(tokens[at])
                    at += 1
                while at < len(tokens) and tokens[at].start < zone.end:
                    at += 1
                named = GoalToken(text[zone.start : zone.end], zone.start, zone.end)
                named.becomes(ValueKind.SLUG, zone.name)
                found.append(named)
    return found + tokens[at:]


def _may_be_date(token: GoalToken, words: ValueWords) -> bool:
    if token.mark or token.kind is not None:
        return False
    lower = token.lower
    if lower[0].isdigit() and len(lower) > 2:
        return lower.endswith(("am", "pm")) or any(each in lower for each in "-/:.")
    return lower in words.dates or lower in words.periods or lower in ("am", "pm")


def _is_numbering(text: str, tokens: list[GoalToken], at: int) -> bool:
    """Whether a number only counts the items of a list: `1. Close it`."""
    if not tokens[at].text.isdigit() or at + 2 >= len(tokens) or tokens[at + 1].text not in (".", ")"):
        return False
    return at == 0 or "\n" in text[tokens[at - 1].end : tokens[at].start]


def _numbers_noun(tokens: list[GoalToken], at: int, words: ValueWords) -> bool:
    """Whether `#12` stands behind a noun, and so is a number."""
    digits = tokens[at].text[1:]
    if at == 0 or not (digits.isascii() and digits.isdigit() and len(digits) < 16):
        return False
    before = tokens[at - 1]
    return before.plain and before.lower not in words.function and not _is_verb_alone(tokens, at - 1, words)


def _is_verb_alone(tokens: list[GoalToken], at: int, words: ValueWords) -> bool:
    """Whether a word opens the goal, or a clause, as its verb: `close #12`."""
    before = tokens[at - 1] if at else None
    opens = before is None or before.mark or before.lower in ("and", "then", "to", "please", "or")
    return opens and tokens[at].lower not in words.nouns and is_verb(tokens[at].lower)


_WHEN = ("on", "at")


def _is_listed_alone(tokens: list[GoalToken], at: int) -> bool:
    """Whether nothing but one word stands between a comma and the preposition before a value, and a comma or nothing behind it."""
    behind = tokens[at + 1].text if at + 1 < len(tokens) else "."
    return at > 2 and tokens[at - 3].text == "," and tokens[at - 2].plain and behind in (",", ".", ";")


_DASHES = ("-", "\u2013", "\u2014")


def _stated(text: str, tokens: list[GoalToken], words: ValueWords) -> tuple[StatedValue, ...]:
    found: list[StatedValue] = []
    places: list[int] = []
    for at, token in enumerate(tokens):
        if token.kind is None:
            continue
        nouns, preposition = _leading(tokens, at, words)
        if calling_pattern("$").search(text[max(0, token.start - _CALLED_WITHIN) : token.start]):
            nouns, preposition = (), "called"
        if not nouns and not preposition and places and _goes_on(tokens, places[-1], at, words):
            nouns, preposition = found[-1].nouns, found[-1].preposition
        if token.kind is ValueKind.DATE and preposition in _WHEN and _is_listed_alone(tokens, at):
            # `, return on 2026-12-09`
            nouns, preposition = (tokens[at - 2].lower,), ""
        if token.kind is ValueKind.NUMBER and preposition == "by" and tokens[at - 2].lower.endswith("ed"):
            # `scaled by 2`
            nouns = (tokens[at - 2].lower,)
        places.append(at)
        found.append(
            StatedValue(
                text=token.text,
                kind=token.kind,
                value=token.value,
                start=token.start,
                end=token.end,
                unit=token.unit,
                nouns=nouns,
                noun_after=_noun_after(text, tokens, at, words),
                preposition=preposition,
                weak=token.weak,
            )
        )
    for at, (one, after) in enumerate(pairwise(found)):
        dates = one.kind is after.kind is ValueKind.DATE
        if dates and one.preposition in ("", "from", "on") and text[one.end : after.start].strip() in _DASHES:
            # `2026-12-01 - 2026-12-05`
            found[at] = one.model_copy(update={"preposition": "from"})
            found[at + 1] = after.model_copy(update={"preposition": "until"})
    return tuple(
        _ends_of_period(one, found[at - 1 : at], found[at + 1 : at + 2]) for at, one in enumerate(found)
    )


def _ends_of_period(
    one: StatedValue, before: Sequence[StatedValue], after: Sequence[StatedValue]
) -> StatedValue:
    """A date with the preposition of its end of a period: `between Monday and Friday` is `from Monday until Friday`.

    So is `to Monday until Friday`, or `Monday till Friday`: what another date ends begins a period.
    """
    if one.kind is ValueKind.DATE and one.preposition in ("", *_TOWARDS):
        ended = (
            after
            and after[0].kind is one.kind
            and after[0].preposition in ("until", "till", "to")
            # A date that nothing leads to may be another's than the one that a further one ends.
            and (one.preposition or after[0].start - one.end <= _NEXT)
        )
        if ended:
            return one.model_copy(update={"preposition": "from"})
        begun = before and before[0].kind is one.kind
        # `from Monday to Friday` ends a period, `move it to Friday` does not.
        return one.model_copy(update={"preposition": "until"}) if begun and one.preposition == "to" else one
    if one.kind is not ValueKind.DATE or one.preposition != "between":
        return one
    for others, leading in ((after, "from"), (before, "until")):
        if others and others[0].kind is one.kind and others[0].preposition == one.preposition:
            return one.model_copy(update={"preposition": leading})
    return one


@cache
def calling_pattern(behind: str) -> re.Pattern[str]:
    """What says what a thing is called that was spoken of before, with what joins it to that.

    Args:
        behind: An expression for what follows.
    """
    calling = "|".join(table("reading")["calling"])
    return re.compile(
        rf"(?<![\s,;])[\s,;]*+\b(?:(?:and|then|please)\s++){{0,3}}+(?:{calling})\s++"
        r"(?:it|them|this|that|him|her|(?:the|this|that)\s++(?:new\s++)?+(?:one|copy))\s++[\"'\u201c\u201e]?+"
        + behind,
        re.IGNORECASE,
    )


def _leading(tokens: list[GoalToken], at: int, words: ValueWords) -> tuple[tuple[str, ...], str]:
    """The words before a value that may name it, and the preposition that leads to it."""
    nouns: list[str] = []
    named, by_name, identified = "", False, ""
    for place in range(at - 1, max(at - 1 - _LOOKED_BACK, -1), -1):
        token = tokens[place]
        lower = token.lower
        if token.mark:
            shortens = token.text == "." and place > 0 and tokens[place - 1].lower in _SHORTENED
            if nouns or not (shortens or token.text in _LEADING_MARKS):
                break
        elif token.kind is not None or lower in words.joining:
            if by_name and not nouns and not named:
                # `update company 7: name "Open house"`
                return ("name",), ""
            break
        elif lower in words.naming and not nouns:
            named = named or lower
        elif lower in words.identifying and not nouns:
            named = named or ("id" if lower == "id" else "")
            by_name = by_name or lower == "name"
            identified = lower if lower in _CODED else identified
        elif lower in words.prepositions:
            # `user with id 12` is user 12.
            if lower == "of" and not nouns and (noun := _counted_noun(tokens, place, words)):
                return (noun,), ""
            if lower == "with" and by_name and not nouns:
                # `a copy with the name Backup` is called Backup.
                return (), "named"
            if lower == "with" and identified and not nouns:
                # `a flag with the key newCheckout`
                return (identified,), lower
            if nouns or named != "id" or lower != "with":
                return tuple(reversed(nouns)), named if named and named != "id" else lower
        elif lower in words.determiners:
            continue
        elif lower in words.function or len(nouns) == _NOUNS:
            break
        else:
            nouns.append(lower)
    return tuple(reversed(nouns)), "" if named == "id" else named


def _counted_noun(tokens: list[GoalToken], of: int, words: ValueWords) -> str:
    """What `of` gives a value to, behind an article: (ttl) in `with a ttl of 3600`; empty for any other `of`."""
    if of < _OF_WITHIN or of + 1 >= len(tokens) or tokens[of + 1].kind not in _COUNTED:
        return ""
    noun, before = tokens[of - 1], tokens[of - _OF_WITHIN]
    is_noun = noun.plain and noun.lower not in words.function
    return noun.lower if is_noun and before.lower in ("a", "an", "with") else ""


def _goes_on(tokens: list[GoalToken], last: int, at: int, words: ValueWords) -> bool:
    """Whether a value is the next of a list, of the same kind, so that what leads to the first leads to it."""
    between = tokens[last + 1 : at]
    return (
        0 < len(between) <= 2
        and all(token.text == "," or token.lower in words.joining for token in between)
        and tokens[last].kind is tokens[at].kind
    )


def _noun_after(text: str, tokens: list[GoalToken], at: int, words: ValueWords) -> str:
    if at + 1 == len(tokens):
        return ""
    token = tokens[at + 1]
    behind = (
        token.plain
        and token.lower not in words.function
        and token.text not in table("reading")["at_once"]
        and text[tokens[at].end : token.start].isspace()
    )
    return token.lower if behind else ""


def value_nouns(text: str) -> dict[str, str]:
    """Noun -> the first value of a text that is one: {"email": "bob@example.com"}; what is quoted is a text."""
    nouns = table("values")["kinds"]
    found: dict[str, str] = {}
    for token in tokenised(text):
        if token.plain:
            shape(token, value_words(), lambda _: True)
        if token.kind is not None and token.kind.value in nouns:
            found.setdefault(nouns[token.kind.value], token.text)
    return found
