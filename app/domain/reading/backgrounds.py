"""Clauses that ask for nothing and say what the tasks around them are about: `user 7 lost his key. Give him a new one`."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from app.domain.language.goal_words import ORDER_WORDS, all_verbs, verb_kinds
from app.domain.language.identifiers import is_plural, pieces, singular
from app.domain.language.text import PARTICLES, stem
from app.domain.reading.clauses.marks import ADDED, MARKS, RESTRICTIONS, STRONG_VALUE, masked
from app.domain.reading.clauses.orders import is_order
from app.domain.reading.clauses.phrases import any_of
from app.domain.reading.clauses.questions import is_question
from app.domain.reading.clauses.words import is_agent, is_participle
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

_SHORTEST_STATEMENT = 3
"""Words: a subject, its verb and what is said."""
_SUBJECTS = frozenset(("i", "we", "you", "he", "she", "they", "it", "somebody", "someone", "nobody"))
_RELATIVE_PRONOUNS = ("that", "which", "who")
_SPEAKERS = ("i", "we", "you")
_REMARKING = ("i", "we", "he", "she", "they", "it")
_RECEIVING = ("get", "have", "receive")
_SUBJECT_WITHIN = 3
"""Words behind the first in which a short subject ends: `the old lamp is broken`."""
_TOPIC = re.compile(
    r"(?:[a-z]++\s++){1,3}[\ue000-\uefff]|(?:the|our|my)\s++[\ue000-\ue7ff]\s++[a-z]++(?:\s[a-z]++)?",
    re.IGNORECASE,
)
"""A thing by its name, before what is asked of it: `ticket 12: who has it?`."""
_PASSIVE = re.compile(
    r"(.{2,200}?)\s++(?:can|could|should|must|may|(?:needs?|has|have|ought)\s++to)(?:\s++(?:now|please|also|just))?\s++be\s++([a-z]{2,20}ed|set|put|cut|shut)\b",
    re.IGNORECASE,
)
"""A subject, what may or has to be, and the participle of what is done to it."""
_ONLY_MAY = re.compile(r"\b(?:can|could|may)\b", re.IGNORECASE)
_LACKED = re.compile(
    r"(.{2,200}?)\s++needs?\s++((?:an?|the|another|additional|one|two|three|more)\s++\S)", re.IGNORECASE
)
"""A subject, and what it needs."""
_PLACE = re.compile(
    r"\s*+(?:in|on|for|at|of|within|inside)\s++(?:[a-z]++\s++){0,3}?[\w.-]*+[\ue000-\uefff]\s++",
    re.IGNORECASE,
)
"""Where something is, before what happened to it: `in project 7 jobs 3 and 4 were entered twice`."""
_OF_PAST = ("already", "just", "never", "recently")
"""Adverbs before a past tense."""
_MAKING = ("new", "another")
"""They ask for what they name, without a verb."""
_RELATIVE = ("that", "one", "ones")
"""They may also say which one is meant: `the issue that is open`, `the old one`."""
_SUBORDINATE = frozenset(
    ("that", "which", "who", "whose", "whether", "where", "when", "if", "because", "why")
)
_OBJECTS = frozenset(("it", "them", "him", "her", "this", "that", "these", "those"))
_BEING = ("is", "are", "was", "were", "has", "have", "had")
_DENIED = re.compile(
    rf"(?:[a-z]++\s++){{0,2}}[\ue000-\ue7ff]\s++(?:{any_of(*table('reading')['denying'])})\s", re.IGNORECASE
)
"""What something is not, or has not done, by its name: `invoice 44 isn't paid`."""
_NEGATED = frozenset(("not", "never", "no"))


@dataclass(frozen=True, slots=True)
class Clause:
    """Something that a goal asks for."""

    text: str
    about: tuple[str, ...] = ()
    """Clauses that ask for nothing and say what this one is about."""
    background: tuple[str, ...] = ()
    """Statements around it, which may say why: `the customer changed her mind`."""


def _situation_of(prose: Mapping[str, Sequence[str]]) -> str:
    return rf"^i(?:{any_of(*prose['states'])})\b(?!.*\b(?:{any_of(*prose['wishes'])})\b)"


_DONE_BY = re.compile(r"([a-z]++)\s++[\w.-]*+[\ue000-\uefff]\s++[a-z]{2,30}ed\s", re.IGNORECASE)
"""A word, a value and what may be a past tense, at the start of a clause."""
_SITUATION = re.compile(_situation_of(table("prose")["situation"]), re.IGNORECASE)
"""How clauses begin that describe a situation and ask for nothing."""


def with_backgrounds(
    clauses: Sequence[str],
    *,
    is_catalogue_verb: Callable[[str], bool] = lambda _stem: False,
    is_thing: Callable[[str], bool] = lambda _stem: False,
) -> list[Clause]:
    """The clauses that ask for something, each with those that only say what it is about; all where none asks.

    What a subject begins is about the next clause that speaks of something named before (`user 7 lost his key. Give
    him a new one`). Another statement is about the clause before it, if it states a value (`the address is now
    "Main St 5"`); else it only says why, and is left out. What narrows a question is a part of it.
    """
    asking: list[Clause] = []
    ahead: list[str] = []
    background: list[str] = []
    topic: tuple[str, ...] = ()
    for at, clause in enumerate(clauses):
        following = "".join(clauses[at + 1 : at + 2])
        passive = _passive_wish(clause)
        denies = _DENIED.match(clause.replace("\u2019", "'")) is not None
        says_how = (denies or _says_how_it_is(clause, is_thing)) and not following.rstrip().endswith("?")
        states = is_statement(clause) or _SITUATION.match(clause) or _tells_of(clause, is_thing) or says_how
        states = states or (passive is not None and _only_may(passive, clause))
        is_topic = _TOPIC.fullmatch(clause.strip()) is not None
        recorded = _recording_pattern().fullmatch(RESTRICTIONS.sub(" ", clause).strip(" ,;.!"))
        if (
            recorded
            and not _was_asked_before(clauses[:at])
            and (told := _told_before(asking, ahead, background, is_catalogue_verb))
        ):
            asking.append(
                Clause(
                    f"{recorded['verb'] or 'enter'} {told}{recorded['more']}{''.join(RESTRICTIONS.findall(clause))}"
                )
            )
        elif asking and (
            _only_counts(clause) or (is_question(asking[-1].text) and _says_which(clause, is_catalogue_verb))
        ):
            asking[-1] = replace(asking[-1], text=f"{asking[-1].text}{ADDED} {clause}")
        elif _asks(clause, is_catalogue_verb) and not says_how:
            is_asked = is_question(clause) or clause.rstrip().endswith("?")
            asking.append(Clause(clause, tuple(ahead) or (topic if is_asked else ())))
            ahead = []
        elif not _goes_on(clause) and (
            (passive is not None and not _only_may(passive, clause))
            or (_lacked(clause) and not _asks(following, is_catalogue_verb))
        ):
            asking.append(Clause(clause, tuple(ahead)))
            ahead = []
        elif asking and _goes_on(clause) and _wish(clause):
            asking[-1] = replace(asking[-1], about=(*asking[-1].about, clause))
        elif (
            (states or _begins_with_subject(clause, is_thing))
            and not (asking and _goes_on(clause))
            and (_speaks_of_earlier(following) or (not asking and (is_topic or denies)))
            and _asks(following, is_catalogue_verb)
        ):
            ahead.append(clause)
            topic = (clause,) if is_topic else topic
        elif not states:
            if asking and _may_tell(clause):
                asking[-1] = replace(asking[-1], background=(*asking[-1].background, clause))
            asking.append(Clause(clause, tuple(ahead)))
            ahead = []
        elif not asking:
            background.append(clause)
        elif MARKS.search(clause):
            asking[-1] = replace(asking[-1], about=(*asking[-1].about, clause))
        else:
            asking[-1] = replace(asking[-1], background=(*asking[-1].background, clause))
    if background and asking:
        asking[0] = replace(asking[0], background=(*background, *asking[0].background))
    return asking or [Clause(clause) for clause in clauses]


def _was_asked_before(clauses: Sequence[str]) -> bool:
    """Whether the last of some clauses tells of what calls do, which is not to be done again: `sub_7 was cancelled, note it`."""
    said = pieces(masked("".join(clauses[-1:])))
    return any(is_participle(word) and stem(word) in verb_kinds() for word in said)


@cache
def _recording_pattern() -> re.Pattern[str]:
    """A clause that has what was said before it written down: `please put that in the system`, `log it with the note "x"`."""
    reading = table("reading")
    return re.compile(
        rf"(?:(?:{any_of('so', 'and', 'then', *reading['polite'])})\s++)*+(?:(?P<verb>{any_of(*reading['recording'])})|{any_of(*reading['putting'])})"
        rf"\s++(?:it|that|this|them|those|these)(?:\s++(?:{any_of(*PARTICLES)}))?"
        rf"(?:\s++(?:in|into|on|to)(?:\s++(?:the|our|my))?\s++(?:{any_of(*reading['records'])}))?+"
        rf"(?:\s++(?:{any_of(*reading['courtesies'])}|for\s++(?:me|us)))*+(?P<more>(?:\s++with\s.++)?+)",
        re.IGNORECASE,
    )


def _told_before(
    asking: list[Clause],
    ahead: list[str],
    background: list[str],
    is_catalogue_verb: Callable[[str], bool],
) -> str:
    """The statement that ends here, which is taken from where it stands; empty where something is asked for instead."""
    for told in (ahead, background):
        if told:
            text = ", ".join(told)
            told.clear()
            return text
    if asking and asking[-1].about:
        *about, last = asking[-1].about
        asking[-1] = replace(asking[-1], about=tuple(about))
        return last
    if asking and not asking[-1].background:
        text = asking[-1].text
        # `emp_7 quit` tells.
        if STRONG_VALUE.match(text.lstrip()) or not _asks(text, is_catalogue_verb):
            asking.pop()
            return text
    return ""


def _only_counts(clause: str) -> bool:
    """Whether a clause only says how many are meant: `max 20`."""
    said = pieces(masked(clause))
    return bool(said) and len(MARKS.findall(clause)) == 1 and {*said} <= {*table("reading")["amounting"]}


def _says_which(clause: str, is_catalogue_verb: Callable[[str], bool]) -> bool:
    """Whether a clause behind a question only narrows what it asks about: `closed ones too`, `one per site is enough`."""
    said = pieces(masked(clause))
    if not said or RESTRICTIONS.search(clause) or clause.rstrip().endswith("?"):
        return False
    if _wish(clause) or _passive_wish(clause) or _lacked(clause):
        return False
    reading = table("reading")
    if said[0] in reading["narrowing"]:
        # `only those`, `only what is open`, `only paid ones`: what else follows may be an order.
        rest = said[1:]
        first = next(iter(rest), "")
        return (
            first in value_words().determiners
            or is_plural(first)
            or is_question(" ".join(rest))
            or _was_done(rest)
        )
    if said[-1] in reading["sufficing"] and not _asks(clause, is_catalogue_verb):
        return True
    return _was_done(said)


def _was_done(said: Sequence[str]) -> bool:
    """Whether words name things by what was done to them, and ask for nothing: `closed ones too`, not `unused ones delete`."""
    return (
        is_participle(next(iter(said), ""))
        and stem(said[0]) in all_verbs()
        and not any(word in table("en")["verbs"] or word in table("reading")["polite"] for word in said[1:])
    )


def is_statement(clause: str) -> bool:
    """Whether a clause says how things are and asks for nothing: `nobody works on it`, `the customer cancelled`."""
    said = pieces(masked(clause))
    if said[:1] in (("and",), ("but",)):
        said = said[1:]
    if said[:2] == ("no", "one"):
        said = ("nobody", *said[2:])
    reading = table("reading")
    if (_only_remarks(said) and not MARKS.search(clause)) or _is_reported(said):
        return True
    if len(said) < _SHORTEST_STATEMENT:
        return False
    if said[0] in reading["statement_subjects"]:
        return True
    if said[0] in _SPEAKERS:
        # `i pushed the wrong commit`, but not `we need a list`; `i counted 12 of item 7` has it written down.
        # `we decided to close it` has it closed.
        asking = {"to", *map(stem, table("prose")["situation"]["wishes"])}
        tells = said[1] in _OF_PAST or is_participle(said[1])
        return tells and asking.isdisjoint(map(stem, said)) and not MARKS.search(clause)
    return (
        said[0] in reading["statement_determiners"]
        and (
            any(word in reading["auxiliaries"] for word in said[1:])
            or _denies(clause)
            or said[1] in reading["contracted"]
            or said[-1].endswith("ed")
            or any(first in _OF_PAST and second.endswith("ed") for first, second in pairwise(said))
            # `the client called the meeting off`
            or any(is_participle(first) and _is_object(second) for first, second in pairwise(said[2:]))
        )
    )


def _is_reported(said: Sequence[str]) -> bool:
    """Whether words begin with who says the rest: `marketing says they are finished`, but not `show what it says`."""
    reporting = table("reading")["reporting"]
    at = next((at for at, word in enumerate(said[: _SUBJECT_WITHIN + 1]) if word in reporting), 0)
    before = said[:at]
    return (
        0 < at < len(said) - 1
        and said[at + 1] != "to"
        and not is_question(" ".join(said))
        and not (
            stem(before[0]) in all_verbs()
            or before[0] in table("reading")["polite"]
            or _SUBORDINATE.intersection(before)
        )
    )


def _only_remarks(said: Sequence[str]) -> bool:
    """Whether words begin with a pronoun that does something, and wish for nothing: `it arrived`, `we know about it`."""
    reading = table("reading")
    if len(said) < 2 or said[0] not in _REMARKING or is_question(" ".join(said)):
        return False
    if said[0] in _SPEAKERS and stem(said[1]) in verb_kinds() and not is_participle(said[1]):
        # `we archive it`, where it is to be archived.
        return False
    wishes = {*map(stem, table("prose")["situation"]["wishes"]), *map(stem, reading["wishing"])}
    asks = any(word in reading["requesting"] or stem(word) in wishes for word in said[1:])
    return not (asks or any(word in reading["courtesies"] for word in said))


def _may_tell(clause: str) -> bool:
    """Whether a clause without an article may say how things are: `item is sold out`, `plans changed on our side`."""
    first, second, *_ = (*pieces(masked(clause)), "", "")
    opens = first in value_words().function or first in table("en")["verbs"]
    return (
        not opens
        and not MARKS.search(clause)
        and (second in ("is", "are", "was", "were") or is_participle(second))
    )


def _is_object(word: str) -> bool:
    """Whether a word begins an object: a pronoun, or a determiner."""
    return word in table("reading")["pronouns"] or word in value_words().determiners


def background_words(clause: str, *, is_thing: Callable[[str], bool]) -> str:
    """Of what a clause says, the words for things that calls are about: `secret of client` of `the secret of client 7 has leaked`."""
    prepositions = value_words().prepositions
    if wished := _wish(clause):
        return wished
    said = pieces(masked(clause))
    return " ".join(
        word
        for before, word in pairwise(("", *said))
        if word in prepositions
        or (
            is_thing(stem(singular(word)))
            and (stem(word) not in all_verbs() or before in value_words().determiners)
        )
    )


def as_order(words: str) -> str:
    """What is wished of something as what is to be done: `add the tag to every lamp` for `every lamp should get the tag`.

    What may or has to be done to it is done: `deleted the claim` for `the claim can be deleted`. Whatever else it should do or
    be is set: `set our hook to call us` for `our hook should call us`.
    """
    if (passive := _passive_wish(words)) is not None:
        return f"{passive[2]} {passive[1].strip()}{words[passive.end() :]}"
    if (lacking := _lacked(words)) is not None:
        return f"add {words[lacking.start(2) :].strip()} to {lacking[1].strip()}"
    said = words.split()
    at = next((at for at, word in enumerate(said) if word.lower() in table("reading")["wishing"]), 0)
    if not 0 < at < len(said) - 1 or said[0].lower() in _SPEAKERS or is_question(words):
        return words
    # `list all users that should get one` and `tell bob he should go` ask for something else.
    begins = stem(said[0].lower()) in all_verbs() or said[0].lower() in table("reading")["asking"]
    is_within = any(word.lower() in _SUBORDINATE for word in said[:at])
    if begins or is_within or said[at + 1].lower() in _NEGATED:
        return words
    subject, wished = " ".join(said[:at]), said[at + 1 :]
    if wished[0].lower() in _RECEIVING:
        return f"add {' '.join(wished[1:])} to {subject}"
    return f"set {subject} to {' '.join(wished)}"


def _passive_wish(clause: str) -> re.Match[str] | None:
    """Where a clause says that something may or has to be done to its subject: `the claim can be deleted`."""
    found = _PASSIVE.match(clause)
    return found if found and _is_subject(found[1]) and stem(found[2].lower()) in all_verbs() else None


def _only_may(passive: re.Match[str], clause: str) -> bool:
    """Whether something need not be done to a subject: that is asked for where nothing else is."""
    return _ONLY_MAY.search(clause, passive.end(1), passive.start(2)) is not None


def _lacked(clause: str) -> re.Match[str] | None:
    """Where a clause says what its subject needs: `runner 7 needs another label`."""
    found = _LACKED.match(clause)
    return found if found and _is_subject(found[1]) else None


def _is_subject(words: str) -> bool:
    """Whether words are a noun phrase, and not the beginning of an order, a question or a subordinate clause."""
    said = pieces(masked(words))
    if not said or said[0] in _SPEAKERS or is_question(words):
        return False
    reading = table("reading")
    # `issue 12` names a thing, `list all issues` begins with a verb.
    has_object = any(word in value_words().determiners or word in reading["pronouns"] for word in said[1:2])
    orders = stem(said[0]) in all_verbs() and has_object and not is_participle(said[0])
    is_order = said[0] in reading["asking"] or orders
    # `the invitations that have expired`
    is_told = said[0] in value_words().determiners and said[0] not in ("that", "this")
    relative = _RELATIVE_PRONOUNS if is_told else ()
    return not is_order and not any(word in _SUBORDINATE and word not in relative for word in said)


def _asks(clause: str, is_catalogue_verb: Callable[[str], bool]) -> bool:
    """Whether a clause begins as one does that asks for something: with a verb, a question word or a wish."""
    reading = table("reading")
    said = tuple(
        word
        for word in pieces(RESTRICTIONS.sub(" ", clause))
        if stem(word) not in ORDER_WORDS and word not in reading["polite"]
    )
    if said and (said[0] in reading["asking"] or said[0] in _MAKING):
        return True
    if said[:1] in (("i",), ("we",)):
        return any(word in table("prose")["situation"]["wishes"] for word in said[1:3])
    opens = (
        bool(said)
        and stem(said[0]) in all_verbs()
        and not set(reading["auxiliaries"]) & {*said[: _SUBJECT_WITHIN + 1]}
    )
    return opens or is_order(" ".join(said), is_catalogue_verb) or is_question(clause)


def _begins_with_subject(clause: str, is_thing: Callable[[str], bool]) -> bool:
    """Whether a clause begins as statements do: with a pronoun, an article, a value, who does it, or what the value behind it is."""
    reading = table("reading")
    place = _PLACE.match(clause)
    if place and any(word in reading["auxiliaries"] for word in pieces(masked(clause[place.end() :]))):
        clause = clause[place.end() :]
    first, *behind = clause.split() or ("",)
    word = next(iter(pieces(masked(first))), "")
    if (
        MARKS.search(first)
        or word in reading["pairing"]
        or word in value_words().determiners
        or word in _SUBJECTS
        or is_agent(word)
    ):
        return True
    if word in reading["everybody"] or any(
        one.lower() in reading["auxiliaries"] for one in behind[:_SUBJECT_WITHIN]
    ):
        return True
    return is_thing(stem(singular(word))) and bool(behind) and MARKS.search(behind[0]) is not None


def _tells_of(clause: str, is_thing: Callable[[str], bool]) -> bool:
    """Whether a clause begins with a thing and what did something: `user 9 complained about user 7`."""
    found = _DONE_BY.match(clause)
    return found is not None and is_thing(stem(singular(found[1].lower())))


def is_remark(clause: str, is_thing: Callable[[str], bool]) -> bool:
    """Whether a clause only says how things are, with an article or without: `it was entered twice`, `hotel is way over the limit`."""
    return is_statement(clause) or _says_how_it_is(clause, is_thing)


def _says_how_it_is(clause: str, is_thing: Callable[[str], bool]) -> bool:
    """Whether a clause says of a thing how it is, without an article and without a value: `hotel is way over the limit`.

    In a few words it may say how a thing is to be (`ticket is urgent`), and `is to be` says that for sure.
    """
    said, reading = _words_of(clause), table("reading")
    if len(said) < _SHORTEST_STATEMENT or STRONG_VALUE.search(clause) or RESTRICTIONS.search(clause):
        return False
    # `deployment is broken roll it back`
    orders = said[1] in _BEING and not _OBJECTS.isdisjoint(said[3:])
    if orders or said[2] == "to" or not is_thing(stem(singular(said[0]))):
        return False
    if said[1] in reading["denying"]:
        return True
    return len(said) > _SHORTEST_STATEMENT and said[1] in _BEING and not _wish(clause)


def _denies(clause: str) -> bool:
    """Whether a clause says that something is not so: `the customer doesn't want it`."""
    return not {*_words_of(clause)}.isdisjoint(table("reading")["denying"])


def _words_of(clause: str) -> list[str]:
    """The words of a clause, contractions whole."""
    return masked(clause).lower().replace("\u2019", "'").split()


def _wish(clause: str) -> str:
    """What is wished of something named before: `be our default` of `it should be our default`."""
    said = pieces(masked(clause))
    at = next((at for at, word in enumerate(said) if word in table("reading")["wishing"]), len(said))
    return " ".join(said[at + 1 :])


def _goes_on(clause: str) -> bool:
    """Whether the subject of a clause was named before: `it was blocked`."""
    said = [word for word in pieces(masked(clause))[:2] if word not in ("and", "but")]
    return any(word in table("reading")["pronouns"] for word in said[:1])


def _speaks_of_earlier(clause: str) -> bool:
    """Whether a clause speaks of what was named before: `close it`, `set that project to "Done"`."""
    said, pronouns = pieces(masked(clause)), table("reading")["pronouns"]
    return any(word in pronouns and (word not in _RELATIVE or at == 1) for at, word in enumerate(said))
