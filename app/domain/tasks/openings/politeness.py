"""What only leads to an order, or asks for it politely."""

import re
from functools import cache

from app.domain.language.goal_words import verb_kinds
from app.domain.language.operation_words import READING_KINDS, OperationKind
from app.domain.language.text import stem
from app.domain.reading.clauses.phrases import any_of
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

_CONTRACTED = re.compile(
    r"\b([a-z]{2,6}n)\u2019(t)\b|\b(i|you|he|she|it|we|they|that|there|what|who|let)\u2019(s|re|ve|ll|d|m)\b",
    re.IGNORECASE,
)
"""A contraction with the apostrophe of typesetters, as telephones write it."""
_OTHER_MARKS = re.compile("[\"\u201c\u201d\u2018\u00ab\u00bb]|'{2}|(?<!\\w)'")
"""Quotation marks that are left once what stands in the usual ones is put away."""


def without_politeness(text: str) -> str:
    """A goal without what only leads to an order, or asks for it politely: `please open an issue`, `let's close it`, `ok, can you ...?`.

    Who says `give me the open issues` wants to see them. The apostrophe of `don\u2019t` is the one of `don't`. Where a goal
    may hold a text that nothing marks, or marks of another kind, only its own beginning is read so.
    """
    text = _CONTRACTED.sub(lambda found: "'".join(filter(None, found.groups())), text)
    may_hold_text = _OTHER_MARKS.search(text) is not None or _text_pattern().search(text) is not None
    for pattern, instead in _polite(only_ahead=may_hold_text):
        text = pattern.sub(instead, text)
    return text


@cache
def _text_pattern() -> re.Pattern[str]:
    """What a text stands behind, or a name."""
    inputs, words = table("inputs"), value_words()
    said = (
        *inputs["written"],
        *inputs["titles"],
        *words.naming,
        *words.announcing,
        *words.telling,
        *words.writing,
    )
    return re.compile(rf"\b(?:{any_of(*said)}|saying|that)\b|:\s", re.IGNORECASE)


@cache
def _polite(*, only_ahead: bool) -> tuple[tuple[re.Pattern[str], str], ...]:
    """What is left out, or read otherwise, and how.

    Args:
        only_ahead: Whether only where the goal begins.
    """
    reading = table("reading")
    polite = any_of(*reading["asking_politely"])
    # Who would have something not done, or only asks, orders nothing.
    orders = rf"(?!(?:(?:{polite})\s++)?(?:{any_of(*reading['no_order'])})\b)(?=[a-z])"
    start = r"\A\s*+" if only_ahead else r"(?:\A\s*+|(?<=[.;!?]\s))"
    joined = start if only_ahead else rf"(?:{start}|(?<=\bthen\s)|(?<=\band\s))"
    shown = (
        rf"\s++(?=(?:the|all|every|my|our|its|their|his|her)\s(?:[a-z-]++\s++){{0,3}}?"
        rf"(?!(?:{any_of(*reading['granted'])})\b)(?:[a-z]{{2,}}s\b|(?:{any_of(*reading['seen'])})\b)"
    )
    ahead = (
        (rf"\A\s*+(?:{any_of(*reading['greetings'])})(?:\s++[a-z]++)?\s*+[,!]++\s++", ""),
        (rf"\A\s*+(?:{any_of(*reading['interjections'])})\s*+[,!]++\s++", ""),
        (rf"{start}(?:(?:{any_of(*reading['able'], *reading['requests'])})\s++{orders})++", ""),
        # `just had a call with her` tells.
        (rf"{start}just\s++(?=(?:{any_of(*table('en')['verbs'])})\b)", ""),
        (rf"{joined}(?:{polite})[\s,]++{orders}", ""),
        (rf"{joined}(?:{any_of(*reading['handing'])}){shown}(?!.*\b(?:back|off)\b))", "show me "),
        (
            rf"{joined}(?:{any_of(*reading['fetching'])}){shown}(?!.*\b(?:back|[a-z]{{2,}}ed|{any_of(*reading['become'])})\b))",
            "show me ",
        ),
    )
    if only_ahead:
        found: tuple[tuple[str, str], ...] = ahead
    else:
        found = (
            # A question of these is an order.
            (rf"{start}(?:{any_of(*reading['able'])})\s++{orders}((?:[^.;!?\n]|[.](?=\S))*+)\?", r"\1."),
            *ahead,
            (
                r"(?<!\s)(?<!waiting)(?<!\bis)(?<!\bare)(?<!\bwork)(?<!\bworks)(?:\s++for\s++(?:me|us)|\s++asap)(?=\s*+[.!]*+\s*+\Z)",
                "",
            ),
            # How soon something is to be made, or shown, is no state of it.
            (
                rf"{start}((?:{any_of(*_making_or_showing())})\s(?:[^.;!?\n]|[.](?=\S)){{0,400}}?)"
                rf"(?<!\s)\s++(?:{any_of(*reading['soon'])})(?=\s*+[.!]*+\s*+\Z)",
                r"\1",
            ),
            (rf",\s*+(?:{polite}|{any_of(*reading['thanks'])})\s*+[.!]*+\s*+\Z", ""),
        )
    return tuple((re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in found)


@cache
def _making_or_showing() -> list[str]:
    kinds = (OperationKind.CREATE, *READING_KINDS)
    return [verb for verb in table("en")["verbs"] if verb_kinds().get(stem(verb)) in kinds]
