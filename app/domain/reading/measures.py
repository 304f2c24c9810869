"""Numbers of a goal with what stands beside them: `two hundred`, `30 percent`, `15.00 EUR`, `2h 30m`."""

from app.domain.reading.models import ValueKind
from app.domain.reading.tokens import GoalToken, ValueWords
from app.domain.workflows.plans import FiniteJson
from app.lexicon.lists import table

_HUNDRED = 100
_TEN = 10
_TWENTY = 20
_LEADING = ("for", "by", "within")
"""Before a duration of one unit; `a day` alone says how often."""
_FOLLOWING = ("before", "beforehand", "ahead", "prior")
"""Behind one: `an hour before it starts`."""


def with_units(text: str, tokens: list[GoalToken], words: ValueWords) -> list[GoalToken]:
    """The tokens, with number words as numbers, and numbers joined with their units and currencies."""
    found: list[GoalToken] = []
    for at, token in enumerate(tokens):
        if found and token.start < found[-1].end:
            # A part of a duration in words.
            continue
        if token.mark:
            found.append(token)
            continue
        spoken = _spoken_duration(text, tokens, at, words)
        if spoken is not None:
            found.append(spoken)
            continue
        behind = tokens[at + 1] if at + 1 < len(tokens) else None
        if token.plain:
            _number_word(token, behind, found, words)
        before = found[-1] if found else None
        counts = before is not None and before.kind is ValueKind.NUMBER and _joins(text, before, token)
        if before is not None and counts and behind is not None and _is_national(token, behind, words):
            # `50 US dollars`
            _extend(text, before, behind, ValueKind.AMOUNT, before.value, words.national[token.lower])
            continue
        if before is None or not (_joins(text, before, token) and _joined(text, before, token, words)):
            found.append(token)
    return found


def _spoken_duration(text: str, tokens: list[GoalToken], at: int, words: ValueWords) -> GoalToken | None:
    """`half an hour`, `an hour and a half` or, behind a preposition, `an hour`, as one token; None where none begins here."""
    said = [token.lower if token.plain else "" for token in tokens[at : at + 5]]
    if said[:1] == ["half"]:
        count, value, unit = 3, 0.5, said[2:3] if said[1:2] in (["a"], ["an"]) else []
    elif said[:1] in (["a"], ["an"]):
        is_more = said[2:5] == ["and", "a", "half"]
        count, value, unit = (5, 1.5, said[1:2]) if is_more else (2, 1, said[1:2])
        before, behind = tokens[at - 1].lower if at else "", said[2:3]
        if not (is_more or before in _LEADING or (behind and behind[0] in _FOLLOWING)):
            return None
    else:
        return None
    name = words.units.get(unit[0] if unit else "", "")
    if name not in table("values")["factors"]["time"]:
        return None
    following = tokens[at + count] if at + count < len(tokens) else None
    is_noun = following is not None and following.plain and following.lower not in _FOLLOWING
    if following is not None and is_noun and following.lower not in words.function:
        # `a second opinion` lasts no second.
        return None
    start, end = tokens[at].start, tokens[at + count - 1].end
    spoken = GoalToken(text[start:end], start, end)
    spoken.becomes(ValueKind.MEASURE, value, unit=name)
    return spoken


def _number_word(
    token: GoalToken, behind: GoalToken | None, found: list[GoalToken], words: ValueWords
) -> None:
    value = words.numbers.get(token.lower)
    if value is None and "-" in token.lower:
        tens, _, ones = token.lower.partition("-")
        if words.numbers.get(tens, 0) >= _TWENTY and 0 < words.numbers.get(ones, 0) < _TEN:
            value = words.numbers[tens] + words.numbers[ones]
    if value is not None:
        # `the one that` and `one of them` count nothing.
        counts = behind is not None and behind.plain and behind.lower not in words.function
        if token.lower != "one" or counts:
            token.becomes(ValueKind.NUMBER, value)
    elif token.lower in words.multiples and found and found[-1].lower in ("a", "an"):
        token.becomes(ValueKind.NUMBER, words.multiples[token.lower])


def _joins(text: str, before: GoalToken, token: GoalToken) -> bool:
    return not before.mark and text[before.end : token.start].isspace()


def _joined(text: str, before: GoalToken, token: GoalToken, words: ValueWords) -> bool:
    """Whether a token is part of the value before it, which then has it."""
    kind, value, unit = before.kind, before.value, ""
    if kind is ValueKind.DURATION:
        if token.kind is not ValueKind.DURATION:
            return False
        value = text[before.start : token.end]
    elif kind is ValueKind.NUMBER and isinstance(value, int | float):
        more = _more(before, token, words)
        if more is not None:
            value = more
        elif token.plain and token.lower in words.units:
            kind, unit = ValueKind.MEASURE, words.units[token.lower]
        elif token.plain and (code := _currency(token, words)):
            kind, unit = ValueKind.AMOUNT, code
        else:
            return False
    elif before.plain and token.kind is ValueKind.NUMBER and before.text in words.leading_codes:
        kind, value, unit = ValueKind.AMOUNT, token.value, before.text
    else:
        return False
    _extend(text, before, token, kind, value, unit)
    return True


def _is_national(token: GoalToken, behind: GoalToken, words: ValueWords) -> bool:
    return token.plain and behind.plain and token.lower in words.national and behind.lower in words.currencies


def _extend(
    text: str, before: GoalToken, last: GoalToken, kind: ValueKind, value: FiniteJson, unit: str
) -> None:
    """Let a number go on to a token, as a value of a kind."""
    before.end, before.text = last.end, text[before.start : last.end]
    before.lower = before.text.lower()
    before.becomes(kind, value, unit=unit)


def _more(before: GoalToken, token: GoalToken, words: ValueWords) -> int | float | None:
    """The number that two tokens are together: `two hundred`, `twenty five`."""
    value = before.value
    if not isinstance(value, int | float):
        return None
    if token.plain and token.lower in words.multiples and value < 1_000_000_000:
        return value * words.multiples[token.lower]
    ones = words.numbers.get(token.lower, 0)
    worded = words.numbers.get(before.lower, 0)
    if _TWENTY <= worded < _HUNDRED and 0 < ones < _TEN:
        return worded + ones
    return None


def _currency(token: GoalToken, words: ValueWords) -> str:
    code = token.text.upper()
    # `50 usd`; codes that are words count in capitals only.
    lower = code if code in words.leading_codes else ""
    return words.currencies.get(token.text, "") or words.currencies.get(token.lower, "") or lower
