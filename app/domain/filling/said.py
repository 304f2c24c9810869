"""A value of a goal with the words around it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from types import MappingProxyType

from app.domain.language.goal_words import all_verbs
from app.domain.language.identifiers import is_plural, pieces, singular
from app.domain.language.intent_words import PHRASE_ENDS
from app.domain.language.negation import is_denied
from app.domain.language.text import stem
from app.domain.reading.models import THING_NAMES, StatedValue, ValueKind
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

_LISTED = re.compile(r"[\s,\"'”]*+(?:and|or)?[\s\"'“]*+")
_PRICED = re.compile(
    r"\s[^\d,.;:!?\n]{1,60}\bat\s++\W?\d++(?:[.,]\d++)?+(?!\s*+(?::|am\b|pm\b|o'clock|h\b|uhr\b))",
    re.IGNORECASE,
)
"""Behind how many of something there are, the price of each: `4 shelving units at 210`, but not `at 9 am`."""
_PUT_AS = (ValueKind.QUOTED, ValueKind.SAID, ValueKind.DATE, ValueKind.AMOUNT)
_AS_WITHIN = 5
"""Words between a value and `as`: `at the top` and one more."""
_WORDS_AFTER = 3
_ELSEWHERE = PHRASE_ENDS - {"with", "that"}
"""What leads from a value to something else: `item 12 from warehouse 1`, but `filter 12 with that group`."""
_LOOKED_BACK = 60
"""Characters before a value in which the words are that may name it: three long ones."""
PLACES = frozenset(("in", "of", "from", "for", "on", "at", "inside", "within"))
"""What leads to where a thing is."""
TOWARDS = frozenset(("to", "into", "onto"))
"""What leads to where a thing goes."""
_SENTENCE_ENDS = (".", "!", "?", "…")
_SAYING = "saying"
_PRONOUN = "it"
"""Of the words that begin a statement, the one that is no determiner."""
_BEING = ("is", "to", "of", "as", "are")
"""Between a name and its value, they say nothing."""


@dataclass(frozen=True, slots=True)
class SaidValue:
    """One value, with the stems around it."""

    at: int
    """Position among the values of the goal."""
    value: StatedValue
    nouns: tuple[str, ...]
    """Stems of the words before it, the nearest last."""
    after: tuple[str, ...]
    """Stems of the words behind it, and of its unit."""
    local: bool = True
    """Whether it stands in the task itself."""
    handed_over: bool = False
    """Whether it stands in a task beside it that gets no call: it goes to what it is named for, and nowhere by guess."""
    beside: bool = False
    """Whether it stands beside the task, and gives way to what that says itself."""
    implied: frozenset[str] = frozenset()
    """Stems of what values of its form are in this catalogue: an issue for `ABC-42`."""
    listed: bool = False
    """Whether it goes on with a list that another value begins: 12 in `tickets 7 and 12`."""
    enumerated: bool = False
    """Whether that list is of things alike: `and` stands somewhere in it, which it does not in `Amsterdam, NL`."""
    counts: bool = False
    """Whether it says how many of a list are meant: 20 in `at most 20`, `the first 20`."""
    led: tuple[str, ...] = ()
    """Up to three words directly before it, identifying ones included: (last, name) in `last name Novak`."""
    counted: frozenset[str] = frozenset()
    """Stem of the plural that a number stands before, with nothing but adjectives between: `5 newest tickets`."""
    verb: str = ""
    """Stem of the verb of its task."""
    object: str = ""
    """Stem of the object of its task."""
    strange: bool = False
    """Whether no call is about what its noun names: `employee 7`, where all are users."""
    is_before_noun: bool = False
    """Whether its noun stands behind it, and what it is called is there: `the public-web firewall`."""
    is_denied: bool = False
    """Whether things are meant that do not have it: 7 of `all tickets that are not in project 7`."""
    is_since_when_not: bool = False
    """Whether it says since when something has not been so: `users who have not been seen since May`."""
    is_put_as: bool = False
    """Whether its nouns say what it is put somewhere as: `put "sent twice" as the reason`."""
    is_object: bool = False
    """Whether it is what the verb of its task is for, without a noun: `call off Standup`."""
    joined: str = ""
    """Stem of the last two nouns written together, as documents may write them: `cronjob`."""

    @property
    def is_full_name(self) -> bool:
        """Whether it may be the full name of somebody: two capitalised words or more, without a noun, or behind a first name."""
        said = self.value.text.split()
        is_name = self.value.kind is ValueKind.NAME and len(said) > 1 and not self.value.nouns
        is_capitalised = all(word.isalpha() and word.istitle() for word in said)
        return is_name and (is_capitalised or value_words().begins_with_given_name(self.value.text))

    @property
    def is_behind_noun(self) -> bool:
        """Whether it stands directly behind its noun: `to the event "Review"`, but not `rename the event to "Review"`."""
        return [stem(singular(word)) for word in self.led[-1:]] == [*self.nouns[-1:]] != []

    @property
    def is_named_definitely(self) -> bool:
        """Whether it is what a thing is called that is there: `the event "Review"`, but not `an event "Review"`."""
        determiners = table("reading")["statement_determiners"]
        before = self.led[-1:] if self.is_before_noun else self.led[-2:-1] if self.is_behind_noun else ()
        return any(word in determiners and word != _PRONOUN for word in before)

    @property
    def is_letter(self) -> bool:
        """Whether it is a letter, which names a member of an enum and nothing else: `the A record`."""
        return self.value.kind is ValueKind.NAME and len(self.value.text) == 1

    @property
    def is_sentence(self) -> bool:
        """Whether it is a text that says something rather than what a thing is called: `"The machine is fixed, enjoy!"`."""
        if self.value.kind not in (ValueKind.QUOTED, ValueKind.SAID) or " " not in self.value.text:
            return False
        if self.led[-1:] == (_SAYING,):
            return True
        # What stands behind the noun of a thing is its name: the song "Who are you?".
        is_named = bool(self.value.preposition) or not written_stems().issuperset(self.nouns[-1:])
        return self.value.text[-1:] in _SENTENCE_ENDS and not is_named

    @property
    def is_place(self) -> bool:
        """Whether it stands, without a noun, where the thing does that something is put into, or taken from."""
        leads = self.value.preposition in PLACES or self.value.preposition in TOWARDS
        return leads and not self.nouns and not self.implied and self.value.kind in THING_NAMES

    @property
    def led_names(self) -> Iterator[str]:
        """What the words before it may be as one name of several, joined: lastname."""
        return ("".join(self.led[-count:]) for count in range(2, len(self.led) + 1))


@cache
def written_stems() -> frozenset[str]:
    """Stems of what inputs for the texts of people are called."""
    return frozenset(map(stem, table("inputs")["written"]))


def counts_things(value: StatedValue) -> bool:
    """Whether a number says how many, and names none of them: `the 5 newest`."""
    return value.kind is ValueKind.NUMBER and bool(value.noun_after)


def _is_count(value: StatedValue) -> bool:
    return value.kind is ValueKind.NUMBER and isinstance(value.value, int) and value.value > 0


@cache
def _newest() -> frozenset[str]:
    """What may stand between a number and its noun and says which of many are meant: `the 5 newest tickets`."""
    return frozenset((*table("reading")["first"], *table("reading")["last"]))


def _counted(behind: Sequence[str], called: Callable[[str], str]) -> frozenset[str]:
    """Stems of the first plural behind a number, as it is said and as the catalogue calls it, before anything that ends its phrase."""
    for word in behind[:_WORDS_AFTER]:
        if word in _newest():
            continue
        if word in PHRASE_ENDS or word in value_words().function:
            break
        if is_plural(word):
            return frozenset(stem(singular(noun)) for noun in (word, *pieces(called(word))[-1:]))
    return frozenset()


@cache
def counting_pattern() -> re.Pattern[str]:
    """What says before a number how many of a list are meant: `at most`."""
    phrases = "|".join(re.escape(one) for one in table("reading")["counting"])
    return re.compile(rf"\b(?:{phrases})\s++$", re.IGNORECASE)


@cache
def counting_behind_pattern() -> re.Pattern[str]:
    """What says behind a number how many of a list are meant."""
    phrases = "|".join(re.escape(one) for one in table("reading")["counting_behind"])
    return re.compile(rf"(?<!\s)\s++(?:{phrases})\b", re.IGNORECASE)


def _led(before: str) -> tuple[str, ...]:
    """The words of the phrase that ends before a value, without the verb of being between."""
    phrase = re.split(r"[,.;!?\n]", before[-_LOOKED_BACK:])[-1]
    said = list(pieces(phrase))
    while said and said[-1] in _BEING:
        said.pop()
    return tuple(said[-_WORDS_AFTER:])


def said_values(
    goal: str,
    values: Sequence[StatedValue],
    *,
    implied: Callable[[str], frozenset[str]],
    objects: Mapping[int, tuple[str, ...]] = MappingProxyType({}),
    called: Callable[[str], str] = lambda noun: noun,
) -> tuple[SaidValue, ...]:
    """The values of a goal with the words around them, and what ids of their form are.

    `objects`: first character of values -> the nouns that they are for, though it stands further away (`set the topic
    of the channel to ...`). `called`: a noun as the catalogue calls such things.
    """
    found = []
    dimensions, saying, measuring = (table("values")[key] for key in ("dimensions", "saying", "measuring"))
    listed = [at > 0 and _is_listed(goal, values[at - 1], value) for at, value in enumerate(values)]
    enumerated = _enumerated(goal, values, listed)
    for at, value in enumerate(values):
        behind = pieces(
            re.split(r"[,.;:!?\"\n]", goal[value.end : value.end + 40].lstrip("\"”'» "), maxsplit=1)[0]
        )
        led = _led(goal[: value.start])
        phrase = takewhile(lambda word: word not in _ELSEWHERE, behind[:_WORDS_AFTER])
        after = tuple(stem(singular(word)) for word in phrase)
        after += tuple(dimensions[word] for word in behind[:1] if word in dimensions)
        # `move 25 of BX-2210`: a verb is no noun.
        is_bare = all(noun in measuring or stem(noun) in all_verbs() for noun in value.nouns)
        is_of_next = at + 1 < len(values) and goal[value.end : values[at + 1].start].lower() == " of "
        if value.kind is ValueKind.NUMBER and (is_bare or is_of_next):
            priced = ("of",) if _PRICED.match(goal, value.end) else ()
            names = [measuring.get(word, "") for word in led[-1:]]
            names += [saying.get(word, "") for word in (*behind[:1], *priced)]
            after += tuple(stem(name) for several in names for name in several.split())
        unit = (stem(singular(value.unit.lower())),) if value.unit else ()
        # Short forms are what they stand for: `app 3`.
        nouns = tuple(stem(singular(word)) for noun in value.nouns for word in pieces(called(noun)))
        put_as: tuple[str, ...] = ()
        following = goal[value.end : values[at + 1].start] if at + 1 < len(values) else ""
        if value.kind in _PUT_AS and all_verbs().issuperset(nouns) and not _AS_VALUE.search(following):
            put_as = _put_as(behind)
        joined = stem("".join(map(singular, value.nouns[-2:]))) if len(nouns) > 1 else ""
        is_off = is_denied(goal, value.start)
        is_since = value.kind is ValueKind.DATE and value.preposition == "since"
        found.append(
            SaidValue(
                at,
                value,
                put_as or nouns or objects.get(value.start, ()),
                (*unit, *after),
                implied=implied(value.text) if value.kind is ValueKind.ID else frozenset(),
                joined=joined,
                counts=_is_count(value)
                and bool(
                    counting_pattern().search(goal[: value.start])
                    or counting_behind_pattern().match(goal, value.end)
                ),
                counted=_counted(behind, called) if _is_count(value) else frozenset(),
                led=led,
                is_denied=is_off and not is_since,
                is_since_when_not=is_off and is_since,
                is_put_as=bool(put_as),
                listed=listed[at],
                enumerated=listed[at] and (value.by_name or enumerated[at]),
            )
        )
    return tuple(found)


_AS_VALUE = re.compile(r"\sas(?:\s(?:an?|the))?\s[\"“']?$", re.IGNORECASE)
"""What leads to a value that somebody or something is put somewhere as: `starts on 2026-02-02 as Data Analyst`."""


def _put_as(behind: Sequence[str]) -> tuple[str, ...]:
    """Stems of what a value is put somewhere as: (reason) for `put "sent twice" as the reason`; empty where that is not said."""
    before = [*takewhile(lambda word: word not in ("as", "and", "or", "but", "then"), behind[:_AS_WITHIN])]
    at = len(before) if behind[len(before) : len(before) + 1] == ("as",) else len(behind)
    said = takewhile(lambda word: word not in PHRASE_ENDS, behind[at + 1 : at + 1 + _WORDS_AFTER])
    what = [word for word in said if word not in value_words().determiners]
    # `as agreed` and `as soon as it is open` say nothing of the kind.
    is_noun = bool(what) and not what[0].endswith("ed") and behind[at + 2 : at + 3] != ("as",)
    return tuple(stem(singular(word)) for word in what) if is_noun else ()


def _is_listed(goal: str, before: StatedValue, value: StatedValue) -> bool:
    """Whether a value goes on with a list that another begins, whose noun may be said again: `card 7 and the card 12`."""
    between = goal[before.end : value.start]
    if _led(goal[: before.start])[-1:] == ("between",):
        return False
    if before.weak and before.kind is not value.kind:
        # `around 48.2, 16.4`: what may be an ordinary word begins no list of numbers.
        return False
    if value.nouns and value.nouns[-1:] == before.nouns[-1:]:
        for noun in reversed(value.nouns):
            again = last_noun_pattern(noun).search(between)
            if again is None:
                break
            between = between[: again.start()]
    return bool(_LISTED.fullmatch(between))


def last_noun_pattern(noun: str) -> re.Pattern[str]:
    """A noun at the end of a text, with its article."""
    return re.compile(rf"(?:\b(?:the|an?)\s++)?+\b{re.escape(noun)}\s*+$", re.IGNORECASE)


def _enumerated(goal: str, values: Sequence[StatedValue], listed: Sequence[bool]) -> list[bool]:
    """Whether `and`, or `or`, stands before each value of a list, or before one that goes on with it."""
    found = [False] * len(values)
    goes_on = False
    for at in reversed(range(len(values))):
        goes_on = listed[at] and (
            goes_on or any(map(str.isalpha, goal[values[at - 1].end : values[at].start]))
        )
        found[at] = goes_on
    return found
