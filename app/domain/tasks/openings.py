"""What begins a task: its verb, though documents may have things that are called so, behind what only asks politely."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from app.domain.language.goal_words import all_verbs, verb_kinds
from app.domain.language.identifiers import is_plural, pieces, singular
from app.domain.language.idioms import idiom_verb, without_idioms
from app.domain.language.operation_words import READING_KINDS, OperationKind
from app.domain.language.text import stem
from app.domain.reading.clauses.phrases import any_of
from app.domain.reading.models import THING_NAMES, GoalTask, StatedValue, ValueKind
from app.domain.reading.shapes import is_phone
from app.domain.reading.tokens import value_words
from app.domain.tasks.task_words import after_order
from app.lexicon.lists import table

_TURNING = frozenset(("as", "to", "into"))
"""They lead to what a verb makes of a thing."""

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


def behind_verbs(tasks: Iterable[GoalTask]) -> frozenset[int]:
    """Where the values begin before which nothing but the verb of a task stands: `tag main as v1`, but not `phone 331`."""
    return frozenset(value.start for task in tasks for value in task.values if _is_behind_verb(task, value))


def objects_alone(tasks: Iterable[GoalTask]) -> frozenset[int]:
    """Where the values begin that are what a verb is for, without a noun: `call off Standup`, `move the "Supplier call"`."""
    return frozenset(one.start for task in tasks for one in _objects(task))


def _objects(task: GoalTask) -> Iterator[StatedValue]:
    behind = without_idioms(after_order(pieces(task.do)))[1:]
    if behind[:1] == ("the",):
        behind = behind[1:]
    for value in task.values:
        if not (value.preposition or value.by_name) and value.kind in THING_NAMES:
            named = pieces(value.text)
            if named and behind[: len(named)] == named:
                yield value


def _is_behind_verb(task: GoalTask, value: StatedValue) -> bool:
    said = task.words or task.do
    if not value.nouns or value.nouns != after_order(pieces(said))[:1] or value.by_name:
        return False
    return (
        stem(value.nouns[0]) in all_verbs()
        or bool(_TURNING & {one.preposition for one in task.values})
        or bool(idiom_verb(said))
        # Who texts a number, or mails an address, says what: `phone 33112244` alone does not.
        or (len(task.values) > 1 and (value.kind is ValueKind.EMAIL or is_phone(value)))
    )
