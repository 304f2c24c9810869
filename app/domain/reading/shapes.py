"""What a token of a goal is by its letters alone: an id, a slug, a number, money, a channel."""

import re

from app.domain.language.idioms import idiom_compounds
from app.domain.reading.models import StatedValue, ValueKind
from app.domain.reading.tokens import GoalToken, IsWord, ValueWords

_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,3}(?:,[0-9]{3})++|[0-9]++)(?:\.[0-9]++)?+")
_LONGEST_NUMBER = 18
"""Digits and marks; more are an id, and would not fit 64 bits."""
_PHONE = 8
_TELEPHONE = re.compile(r"\+?[0-9]{8,15}")
_EMAIL = re.compile(r"[\w.+'~&-]++@[\w-]++(?:\.[\w-]++)++")
_ORDINAL = re.compile(r"[0-9]++(?:st|nd|rd|th)")
_DURATION = re.compile(r"(?:[0-9]++[wdhms])++")
_GLUED = re.compile(r"([0-9]++(?:\.[0-9]++)?+)-?([a-z]++)")
_CLOCK = re.compile(r"[0-9]++(?:[:.][0-9]++)?+(?:am|pm|:[0-9]++)")
_INTERNATIONAL = re.compile(r"\+[1-9](?:[ .()-]{0,2}[0-9]){6,14}+|[2-9][0-9]{2}-[0-9]{3}-[0-9]{4}")
_THOUSANDS = "k"
COLOURS = frozenset(("color", "colour"))
"""What a colour is called, by which `#112233` is one, and no number."""
_FEWEST_PARTS = 3
_IN_WORDS = frozenset("'\u2019&")
"""Marks that words have inside of them: `don't`, `R&D`."""


def number(text: str) -> int | float | None:
    """The number that a text is; None when it is not a number, is too long for one, or begins with a zero that counts."""
    if len(text) > _LONGEST_NUMBER or not _NUMBER.fullmatch(text):
        return None
    digits = text.replace(",", "").lstrip("+")
    if "." in digits:
        return float(digits)
    plain = digits.lstrip("-")
    return None if len(plain) > 1 and plain[0] == "0" else int(digits)


def is_phone(value: StatedValue) -> bool:
    """Whether a value may be a telephone number (E.164: up to fifteen digits, a plus sign before them or none)."""
    if value.kind not in (ValueKind.ID, ValueKind.NUMBER):
        return False
    return bool(_TELEPHONE.fullmatch(value.text)) or is_written_as_phone(value)


def is_written_as_phone(value: StatedValue) -> bool:
    """Whether a value is nothing but a telephone number: behind a plus sign, or in the groups of North America (`512-555-0147`)."""
    return value.kind is ValueKind.ID and bool(_INTERNATIONAL.fullmatch(value.text))


def shape(token: GoalToken, words: ValueWords, is_word: IsWord) -> None:
    """Make a token the value that it is by itself; leave it when it is a word."""
    text = token.text
    if text.isalpha():
        # `petId`, but not `GitHub`, which may be a name, nor an acronym.
        if text[0].islower() and token.lower != text and not is_word(token.lower):
            token.becomes(ValueKind.ID)
        return
    if text[0] in "#@$€£¥" or text[-1] in "%€£$":
        _signed(token, words)
    elif (value := number(text)) is not None and not (text[0] == "+" and len(text) > _PHONE):
        token.becomes(ValueKind.NUMBER, value)
    elif "=" in text:
        token.becomes(ValueKind.PAIR)
    elif "@" in text:
        token.becomes(ValueKind.EMAIL if _EMAIL.fullmatch(text) else ValueKind.ID)
    elif _CLOCK.fullmatch(token.lower) or _ORDINAL.fullmatch(token.lower):
        return
    elif _DURATION.fullmatch(text):
        token.becomes(ValueKind.DURATION)
    elif ":" in text:
        _colons(token)
    elif "/" in text:
        _slashes(token, words, is_word)
    elif not _measure(token, words, is_word):
        _marked(token, words, is_word)


def _signed(token: GoalToken, words: ValueWords) -> None:
    text = token.text
    first, last = text[0], text[-1]
    if first == "#":
        token.becomes(
            ValueKind.ID if text[1:].isdigit() else ValueKind.CHANNEL,
            text[1:] if text[1:].isdigit() else text,
        )
    elif first == "@":
        token.becomes(ValueKind.SLUG if "/" in text else ValueKind.MENTION, text if "/" in text else text[1:])
    elif last == "%":
        if (share := number(text[:-1])) is not None:
            token.becomes(ValueKind.MEASURE, share, unit="percent")
    else:
        money, sign = (text[1:], first) if first in words.currencies else (text[:-1], last)
        if (value := number(money)) is not None:
            token.becomes(ValueKind.AMOUNT, value, unit=words.currencies[sign])


def _colons(token: GoalToken) -> None:
    left, _, right = token.text.partition(":")
    if ":" in right:
        token.becomes(ValueKind.ID)
    elif any(each.isdigit() for each in right):
        token.becomes(ValueKind.ID if left.isdigit() else ValueKind.PAIR)
    elif any(each.isdigit() for each in left) or "/" in token.text:
        token.becomes(ValueKind.ID)


def _slashes(token: GoalToken, words: ValueWords, is_word: IsWord) -> None:
    parts = token.lower.strip("/").split("/")
    if all(part.replace(".", "").isdigit() for part in parts):
        if "." in token.text:
            token.becomes(ValueKind.ID)
        return
    either = len({*parts}) > 1 and all(
        part.isalpha() and (part in words.function or is_word(part)) for part in parts
    )
    if not either or len(parts) >= _FEWEST_PARTS or token.text.startswith("/"):
        token.becomes(ValueKind.SLUG)


def _measure(token: GoalToken, words: ValueWords, is_word: IsWord) -> bool:
    """Whether a number and a word stand in it side by side, as in `5GB`, `30-minute`, `10k`, `2-factor`."""
    glued = _GLUED.fullmatch(token.lower)
    value = number(glued[1]) if glued else None
    if glued is None or value is None:
        return False
    if glued[2] in words.units:
        token.becomes(ValueKind.MEASURE, value, unit=words.units[glued[2]])
        return True
    if glued[2] == _THOUSANDS and "-" not in token.text and isinstance(value, int):
        token.becomes(ValueKind.NUMBER, value * 1000)
        return True
    return "-" in token.text and (is_word(glued[2]) or glued[2] in words.multiples)


def _marked(token: GoalToken, words: ValueWords, is_word: IsWord) -> None:
    text, lower = token.text, token.lower
    if any(each.isdigit() for each in text):
        if not is_word(lower):
            token.becomes(ValueKind.ID)
    elif not _IN_WORDS.isdisjoint(text):
        return
    elif "." in text:
        # `e.g` and `U.S` are short for something.
        if any(len(part) > 1 for part in text.split(".")):
            token.becomes(ValueKind.ID)
    elif "_" in text or "~" in text or "+" in text or not text[-1].isalnum():
        if any(each.isalpha() for each in text):
            token.becomes(ValueKind.ID)
    elif "-" in text and text.islower() and not _is_compound(lower, words, is_word):
        token.becomes(ValueKind.ID)


def _is_compound(lower: str, words: ValueWords, is_word: IsWord) -> bool:
    parts = lower.split("-")
    if (
        is_word(lower)
        or lower in idiom_compounds()
        or parts[0] in words.compound_first
        or parts[-1] in words.compound_last
    ):
        return True
    return all(is_word(part) or part in words.function or part in words.numbers for part in parts)
