"""What a goal excludes, taken out of its text: what must not be done, and what stays as it is."""

import re
from collections.abc import Set as AbstractSet
from functools import cache

from app.domain.language.goal_words import STOP_WORDS, all_verbs
from app.domain.language.identifiers import pieces, singular
from app.domain.language.operation_words import READING_KINDS
from app.domain.language.text import stem
from app.domain.reading.clauses.marks import MARKS, STRONG_VALUE, masked
from app.domain.reading.clauses.orders import asked_kind, is_order
from app.domain.reading.clauses.words import goal_terms
from app.domain.reading.models import Exclusion, StatedValue, ValueKind
from app.domain.reading.restrictions.conditions import SUBJECT_CHARS, condition_pattern, leads_clause
from app.domain.reading.restrictions.marked import (
    CLAUSE_END,
    WORD_SAID,
    MarkedGoal,
    clause_end,
    is_known_verb,
    phrase_pattern,
)
from app.domain.reading.restrictions.topics import THING, before_it, speaks_of_it, with_thing
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

_MOST_NAMED = 2
_NEAR = 20
"""Characters before a word in which a determiner ends."""
_SPEAKER_CHARS = 40
"""Characters before a denial in which stands who says it."""
_WORD = re.compile(r"[\w.-]++")
_PLURAL = 2
"""Words of a subject that is surely one: an article and a plural, as `the tests`."""
_NEVER_DONE = re.compile(r"never[\ue800-\uefff]?+\s++[a-z]{2,}ed\b", re.IGNORECASE)
_NEEDLESS = re.compile(r"\s++need\s++(?:it|them)\b(?!\s++to\b)", re.IGNORECASE)
_SUBJECT_LAST = re.compile(rf"(?:^|(?<=[;.!?,])\s)\s*+({THING})$", re.IGNORECASE)
"""A noun phrase with a value that is all of a sentence so far."""
_SPEAKER_LAST = re.compile(
    r"(?:^|(?<=[;.!?,]\s))(?:(?:please|so|but|and|well)\b[\s,]*+)*+(?:(?:i|we|you|they)(?:['\u2019](?:d|ll|re|m))?(?:\s++(?:would|will))?)?+\s*+$",
    re.IGNORECASE,
)
"""Who does not want something done, before what denies it, and `please`."""
_JUST = re.compile(
    r"\A[\s,;]*+(?:(?:please|just|only|simply|rather|instead|but|and|so|then)\b[\s,]*+)*+", re.IGNORECASE
)
"""What stands before what is to be done instead."""
_DENIED_THING = re.compile(
    rf"\s*+[a-z]++(?:\s++(?:off|out|up|down|back|away|over))?\s++({THING})", re.IGNORECASE
)
"""What must not be done, and to what."""
_ACT_BEHIND = re.compile(rf"\s++[a-z]{{2,20}}ing\s++{THING}\s++(?=([a-z]++)\s)", re.IGNORECASE)
"""What is done `instead of` something else, without a comma."""
_WITH_VALUE = re.compile(r"\b([a-z]++)\s++(?:[a-z]++\s++){0,3}?[\w.-]*+[\ue000-\uefff]", re.IGNORECASE)
"""A verb, or any word, with a value soon behind it."""
_JOINT = re.compile(
    r"(?<!\s)\s*+:\s++(?=[a-z])|(?<!\s)\s++(?:-|\u2013|\u2014)\s++(?=[a-z])|(?<![\s,]),?+\s++so\s++(?!(?:that|it|they|we|i|he|she|you|there|the|far|much|many|on)\b)(?=[a-z])",
    re.IGNORECASE,
)
"""What ends what is denied, and leads to what is to be done."""
_INSTEAD = ("instead of", "rather than")
_WHEN_OR_HOW_MUCH = (ValueKind.DATE, ValueKind.MEASURE, ValueKind.DURATION, ValueKind.AMOUNT)
_STAYING = re.compile(
    r"(?<=[\w\ue000-\uefff])[,;]\s++(?:(?:but|and|though)\s++)?+(?:the|my|our|its|his|her|their)\s++"
    rf"((?:{WORD_SAID}\s++){{1,3}}?)(?:(?:itself|themselves|should|must|can|may)[\ue800-\uefff]?+\s++){{0,2}}"
    r"(?:stays?|remains?)[\ue800-\uefff]?+(?![a-z])(?:\s++(?:as (?:it|they) (?:is|are)|there|in place|untouched|intact))?+(?=\s*+(?:$|[,;.!]))",
    re.IGNORECASE,
)
"""A thing that stays, behind what is asked for."""
_REST_STAYS = re.compile(
    r"(?<=[\w\ue000-\uefff])[,;.]\s++(?:(?:but|and)\s++)?+((?:everything|all)\s++else)(?:\s++(?:about|of|on|in)\s++(?:it|them|him|her))?+\s++"
    r"(?:stays?|remains?)[\ue800-\uefff]?+(?:\s++(?:the\s++same|as (?:it|they) (?:is|are)|as is|unchanged|untouched))?+(?=\s*+(?:$|[,;.!]))",
    re.IGNORECASE,
)
"""Whatever the goal does not name stays."""
_KEPT = re.compile(
    r"(?<=[\w\ue000-\uefff])[,;.]\s++(?:(?:but|and)\s++)?+(?:keep|leave|retain|preserve)\s++(?:the|all|its|their|his|her|any)\s++"
    rf"((?:{WORD_SAID}\s++){{1,3}}?)(?:that\s++)?+(?:it|they|he|she|you)[\ue800-\uefff]?+\s++(?:already\s++)?+(?:has|have|is|are)\b"
    r"(?:\s++(?:already|now|there))?+(?=\s*+(?:$|[,;.!]))",
    re.IGNORECASE,
)
"""What a thing has already, and keeps."""
_LACKING = re.compile(r"without\s++(?:an?|any)\s++", re.IGNORECASE)
"""It leads to what a thing does not have."""
_COMMA_THEN = re.compile(r"^[\s,;]++then\b", re.IGNORECASE)
"""It only joins what stands before an exclusion to what follows it."""
_BUT = ("but", "but for")
_NOT = "not"
_BEFORE_VALUE = "to|in|on|for|from|with|at|by"
"""Between `not` and what is not meant."""
_OF_THESE = "of|from|in|on|by|with|that|which"
"""Behind `those` they say which."""
_CLAUSE_ENDS = re.compile(r"[,;:!?\n]|\.\s")
_GOES_BEHIND = re.compile(r"\s*+[\w'@#./-]{0,60}+[\ue000-\uefff]\s++[a-z]{2,20}(?:ed|s)\b", re.IGNORECASE)
"""A value and what it did: `but Ann reopened it`."""
_PERSONAL = frozenset(("i", "you", "he", "she", "it", "we", "they", "them", "him", "her"))
_HOW_LONG = (ValueKind.MEASURE, ValueKind.DURATION, ValueKind.AMOUNT)
_SHORT_NOUN = 4
"""Words of a noun phrase with its article, behind `but`."""


@cache
def exclusion_pattern() -> re.Pattern[str]:
    """What begins an exclusion."""
    return re.compile(
        rf"(?<![\w])({phrase_pattern([*table('reading')['exclusions'], *_sparing_rest()])}"
        # `all tickets but 77`: a value or what the others are called follows.
        rf"|but(?:\sfor)?(?=\s(?:the\s|those\s|[\"']?[\w'@#./-]{{0,60}}{MARKS.pattern}))"
        # `delete all snapshots, not the volume ones`
        rf"|(?<=,\s)not(?=\s(?:the\s(?:{WORD_SAID}\s){{1,3}}ones?|(?:the\s)?(?:ones|those)\s(?:{_OF_THESE}))\b)"
        # `close 77, not 78`
        rf"|(?<=,\s)not(?=(?:\s(?:{_BEFORE_VALUE}))?(?:\s(?:the|my|our))?\s[\"']?[\w'@#./-]{{0,60}}{MARKS.pattern})"
        rf"|(?:leave|keep)(?={MARKS.pattern}?\s(?:[a-z]{{2,20}}\s)?{MARKS.pattern}(?:(?:,|\sand)\s{MARKS.pattern})*+\s++(?:{phrase_pattern(table('reading')['staying_so'])})\b))\b",
        re.IGNORECASE,
    )


@cache
def _sparing_rest() -> frozenset[str]:
    """What says that whatever the goal does not name stays as it is: `leave the others`."""
    words = table("reading")
    return frozenset(f"{first} {second}" for first in words["sparing_rest"] for second in words["rest"])


def take_exclusions(marked: MarkedGoal) -> None:
    """Take what must not be done, and what is spared, out of a goal."""
    words = table("reading")
    at = 0
    while found := exclusion_pattern().search(marked.text, at):
        before = pieces(marked.text[max(0, found.start() - _NEAR) : found.start()])[-1:]
        goes_on = found[1].lower().endswith("ing") and before[:1] and before[0] in words["auxiliaries"]
        if goes_on or (before and before[0] in value_words().determiners):
            # `the do not contact list` excludes nothing, nor does `she is leaving us`.
            at = found.end()
            continue
        begins_condition = condition_pattern().match(marked.text, found.start()) is not None
        if begins_condition or _denies_in_condition(marked.text, found):
            # `but not if it is open` begins a condition, and `if I don't have it yet` is one.
            at = found.end()
            continue
        if before and _NEVER_DONE.match(marked.text, found.start()):
            # `the seller never finished it` tells what happened.
            at = found.end()
            continue
        if before in (("i",), ("we",)) and _NEEDLESS.match(marked.text, found.end()):
            # `we don't need it any more` says why.
            at = found.end()
            continue
        begins = re.sub(r"\s+", " ", found[1].lower())
        end = clause_end(marked.text, found.end(), is_verb=is_known_verb)
        denies = begins.endswith(tuple(words["denials"]))
        joint = _JOINT.search(marked.text, found.end() + 1, end) if denies else None
        if joint is not None and masked(marked.text[found.end() : joint.start()]).strip():
            # `the order won't be paid: cancel it`, `we won't ship it so please cancel it`
            end = joint.start()
            marked.text = f"{marked.text[:end]}, {marked.text[joint.end() :]}"
        act = _ACT_BEHIND.match(marked.text, found.end(), end) if begins in _INSTEAD else None
        if act is not None and is_known_verb(act[1]):
            # `instead of archiving 7 rename it`
            end = act.end()
        if begins == "without" and (condition := condition_pattern().search(marked.text, found.end(), end)):
            # `publish it without comments if it is a draft`
            end = condition.start()
        said = marked.text[found.end() : end]
        if begins in _BUT:
            if not _excepts(marked, found.start(), said):
                at = found.end()
                continue
            begins = "except"
        # `leave 77 alone` and `only keep 77` spare what they name, whatever is dealt with.
        stays = begins in words["staying"] and bool(marked.values_in(said))
        spares = (
            begins in (_NOT, *words["spared"])
            or stays
            or (begins in words["kept"] and _keeps_some(masked(marked.text[: found.start()]), said))
        )
        rest = begins in _sparing_rest() or (begins in words["kept"] and _is_rest(masked(said)))
        makes = begins.endswith("leave") and pieces(masked(said))[:1] in (("a",), ("an",))
        if makes or (not rest and not masked(said).strip() and not marked.values_in(said)):
            # `and leave a note` makes one.
            at = found.end()
            continue
        lacking = _LACKING.match(marked.text, found.start())
        if lacking and asked_kind(masked(marked.text[: found.start()])) in READING_KINDS:
            # A read excludes no act: `list the issues without an assignee` says which.
            marked.text = f"{marked.text[: found.start()]}with no {marked.text[lacking.end() :]}"
            continue
        # The verb itself may be taken for a name.
        values = tuple(one for one in marked.values_in(said) if one.text.lower() != begins) if spares else ()
        if spares and not values:
            values = _named(marked, found.end(), end)
        if not spares and _is_done_to_another(marked, found, end):
            # `don't archive 7, archive 8` spares 7.
            spares, values = True, marked.values_in(said)
        # Values that are not spared belong to no task either: `instead of prod`.
        kept = "" if begins != "all but" else " all "
        behind = _COMMA_THEN.sub(" then", marked.text[end:])
        said_before = _without_speaker(marked.text[: found.start()].rstrip(" ,;"))
        thing = _DENIED_THING.match(said)
        subject = _SUBJECT_LAST.search(said_before) if begins in words["never"] else None
        if subject is not None and (STRONG_VALUE.search(said) is None or len(MARKS.findall(subject[1])) == 1):
            # `user 7 must not be deleted` asks for nothing.
            said_before, thing = said_before[: subject.start(1)], subject
        keeps = begins in words["kept"] or spares or rest
        marked.exclusions.append(
            Exclusion(
                text=marked.plain(marked.text[found.start() : end]),
                words="" if rest else masked(said).strip(),
                keeps=keeps,
                values=values,
                denied=marked.values_in(thing[1])[:1] if thing is not None and not keeps else (),
            )
        )
        if thing is not None and not spares and not MARKS.search(said_before):
            behind = _with_thing(marked, behind, thing[1])
        marked.text = said_before + kept + behind
        at = len(said_before)


def _without_speaker(text: str) -> str:
    """What stands before a denial, without who says it."""
    near = max(0, len(text) - _SPEAKER_CHARS)
    return text[:near] + _SPEAKER_LAST.sub("", text[near:])


def _is_done_to_another(marked: MarkedGoal, denial: re.Match[str], end: int) -> bool:
    """Whether what must not be done to one thing is done to another by the same goal: `don't archive 7, archive 8`."""
    denied = _DENIED_THING.match(marked.text, denial.end(), end)
    if denied is None:
        return False
    verb = stem(pieces(masked(denied[0]))[0])
    others = f"{marked.text[: denial.start()]} , {marked.text[end:]}"
    return any(
        stem(found[1].lower()) == verb
        and value_words().prepositions.isdisjoint(pieces(masked(found[0])))
        and not speaks_of_it(found[0])
        and not any(value.kind in _WHEN_OR_HOW_MUCH for value in marked.values_in(found[0]))
        for found in _WITH_VALUE.finditer(others)
    )


def _with_thing(marked: MarkedGoal, behind: str, thing: str) -> str:
    """What follows a denial with the thing that it is about: `close pull request 5` for `close it` behind `don't merge pull request 5`.

    What names another thing of its own is about that one: `don't restart 5, restart 7`.
    """
    begin = len(behind) - len(_JUST.sub("", behind, count=1))
    end = clause_end(behind, begin, is_verb=is_known_verb)
    order, rest = behind[begin:end].rstrip(" ,;.!"), behind[end:]
    it = before_it(order)
    if it is not None:
        return behind if STRONG_VALUE.search(it) else f" {with_thing(order, thing)}{rest}"
    nouns = {noun for value in marked.values_in(thing) for noun in value.nouns[-1:]}
    if (
        not order
        or not is_order(order, is_known_verb)
        or any(_is_named(value, nouns) for value in marked.values_in(order))
    ):
        return behind
    return f" {with_thing(order, thing)}{rest}"


def _is_named(value: StatedValue, nouns: AbstractSet[str]) -> bool:
    """Whether a value says which thing an order is about: 8 of `archive 8` and `archive product 8`, but no label of `add the label bug`."""
    own = value.nouns[-1:]
    is_thing = value.kind not in (*_WHEN_OR_HOW_MUCH, ValueKind.QUOTED, ValueKind.SAID)
    return is_thing and not value.preposition and (not own or own[0] in nouns or stem(own[0]) in all_verbs())


def _denies_in_condition(text: str, denial: re.Match[str]) -> bool:
    """Whether a denial is one of a condition, and not what depends on it: `if they don't pass, close it`."""
    reading = table("reading")
    near = max(0, denial.start() - SUBJECT_CHARS)
    opening = next(reversed([*condition_pattern().finditer(text, near, denial.start())]), None)
    if opening is None or re.sub(r"\s+", " ", denial[1].lower()) not in reading["denials"]:
        return False
    subject = text[opening.end() : denial.start()]
    said = pieces(masked(subject))
    if CLAUSE_END.search(subject) or not said or not set(reading["auxiliaries"]).isdisjoint(said):
        return False
    if len(said) == 1 and said[0] in reading["denying_subjects"]:
        return True
    # `if the tests don't pass, close it`, but `if the build fails don't deploy it`.
    if (
        len(said) != _PLURAL
        or said[0] not in value_words().determiners - {"a", "an"}
        or not said[1].endswith("s")
    ):
        return False
    if not leads_clause(text[: opening.start()][-SUBJECT_CHARS:].rstrip().lower()):
        return True
    ends = clause_end(text, denial.end(), is_verb=is_known_verb)
    return bool(goal_terms(re.split(r"[.;!?]", text[ends:], maxsplit=1)[0]))


def _excepts(marked: MarkedGoal, start: int, said: str) -> bool:
    """Whether `but` excepts some of all: `delete all tickets but 77`, and not `all tests pass, but 3 are red`.

    Args:
        marked: The goal.
        start: Where it stands.
        said: What follows.
    """
    before = pieces(masked(_CLAUSE_ENDS.split(marked.text[:start])[-1]))
    behind, reading = pieces(masked(said)), table("reading")
    if {*reading["each"]}.isdisjoint(before) or before[:1] in (("i",), ("we",)):
        return False
    if any(word in reading["auxiliaries"] or word in _PERSONAL for word in behind):
        return False
    values = marked.values_in(said)
    if any(value.kind in _HOW_LONG for value in values) or _GOES_BEHIND.match(said):
        return False
    # `but the customer wants them` is a clause.
    is_short = len(behind) <= _SHORT_NOUN or not {"one", "ones"}.isdisjoint(behind)
    return is_short if behind[:1] in (("the",), ("those",)) else bool(values)


def _keeps_some(before: str, said: str) -> bool:
    """Whether what is kept is one of many that are dealt with: `cancel all subscriptions but keep the one for 12`."""
    if MARKS.search(said) is None or {*table("reading")["each"]}.isdisjoint(pieces(before)):
        return False
    named = {
        stem(singular(word))
        for word in pieces(masked(said))
        if word not in STOP_WORDS and word not in table("reading")["fillers"]
    }
    if not named:
        # `archive all channels, but leave 77 alone`.
        return True
    return "one" in pieces(masked(said)) or any(stem(singular(word)) in named for word in pieces(before))


def take_what_stays(marked: MarkedGoal) -> None:
    """Take out of a text what says that a thing stays as it is: `the principal itself stays`, `keep the labels it has`."""

    def take(found: re.Match[str]) -> str:
        text = marked.plain(found[0]).strip(" ,;")
        said = masked(found[1]).strip()
        marked.exclusions.append(Exclusion(text=text, words="" if _is_rest(said) else said, keeps=True))
        return ""

    marked.text = _KEPT.sub(take, _STAYING.sub(take, _REST_STAYS.sub(take, marked.text)))


def _is_rest(said: str) -> bool:
    """Whether words stand for whatever the goal does not name: `the others`, `everything else`."""
    plain = " ".join(word for word in pieces(said) if word not in value_words().determiners - {"other"})
    return plain.startswith(tuple(table("reading")["rest"]))


def _named(marked: MarkedGoal, start: int, end: int) -> tuple[StatedValue, ...]:
    """The single words that an exception names, though nothing tells them from ordinary ones: `except db`."""
    found = []
    for match in _WORD.finditer(marked.text, start, end):
        word = match[0]
        if word.lower() in ("the", "and", "or", "for", "a", "an"):
            continue
        found.append(
            StatedValue(
                text=word, kind=ValueKind.NAME, value=word, start=-1 - match.start(), end=-1, weak=True
            )
        )
    return tuple(found) if len(found) <= _MOST_NAMED else ()
