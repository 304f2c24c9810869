"""A goal, cut into tasks, with what restricts them: conditions, exclusions, how many are meant."""

import re
from collections.abc import Callable, Sequence
from functools import cache, partial

from app.domain.language.goal_words import STOP_WORDS, all_verbs
from app.domain.language.identifiers import pieces, singular
from app.domain.language.idioms import idiom_verb
from app.domain.language.text import stem
from app.domain.reading.backgrounds import Clause, as_order, background_words, is_remark, with_backgrounds
from app.domain.reading.clauses.catalogue_words import CatalogueWords
from app.domain.reading.clauses.cutting import split_clauses
from app.domain.reading.clauses.forgoing import forgoes
from app.domain.reading.clauses.marks import ADDED, MARKS, masked
from app.domain.reading.clauses.orders import starts_with_verb
from app.domain.reading.clauses.phrases import BY_AGE, any_of
from app.domain.reading.models import (
    Exclusion,
    GoalCondition,
    GoalTask,
    Quantity,
    Reading,
    StatedValue,
    ValueKind,
)
from app.domain.reading.restrictions.conditions import as_conditions, take_conditions
from app.domain.reading.restrictions.denied_acts import with_denied_acts
from app.domain.reading.restrictions.exclusions import take_exclusions, take_what_stays
from app.domain.reading.restrictions.marked import (
    CONDITION_MARK,
    EXCLUSION_MARK,
    PHRASE_WITHIN,
    SENTENCE_END,
    WORD_SAID,
    MarkedGoal,
    idle_pattern,
    is_known_verb,
    mark_values,
    staying_pattern,
    without_courtesies,
)
from app.domain.reading.restrictions.topics import take_topics
from app.domain.reading.tokens import value_words
from app.domain.reading.values import calling_pattern
from app.lexicon.lists import table

_WITH = re.compile(r"(?<=\S)\s++with an? ([a-z]{3,30}+)(?:\s([a-z]{3,30}+))?", re.IGNORECASE)
_OTHERWISE_DO = re.compile(r"[\s,;]*+(?:or\s++else|otherwise|else)\b[\ue800-\uefff]?+,?+\s*+", re.IGNORECASE)
_PER_PIECE = re.compile(rf"{MARKS.pattern}\s++each\b", re.IGNORECASE)
"""What a number says of each of several things: `at 9.25 each`."""
_SPACES = re.compile(r"\s{2,}+")
_SURE_VALUE = re.compile(r"([\ue000-\ue7ff])")
_VALUE_OF_NAME = re.compile(
    r"(?:(?:with|the|its|an?)\s)*+([a-z]{2,20}+(?:\s[a-z]{2,20}+){0,2}?)(?:\s(?:on|at|by|in|date)|\s(?:is|to)(?:\s(?:the\s)?([a-z]{3,20}+))?+)?[\s:=]*+([\ue000-\ue7ff])(?:\s?[\ue000-\ue3ff])?[\s,]*+",
    re.IGNORECASE,
)
"""A piece that is a name and its value: `return 2026-12-09`, `check out on 2026-12-09`."""
_NAMED_VALUE = r"(?=[\ue000-\ue7ff])"
_MAY_GO = re.compile(
    r"(?:\A|(?<=[.,;!?:] ))((?!(?:i|we|you|he|she|what|who|which|where|how|if|unless|when)\b)(?:[a-z0-9'-]++[\ue800-\uefff]?+\s++){0,5}?(?:it|they|[a-z0-9'-]{2,30}+[\ue800-\uefff]?+|[\ue000-\uefff]"
    r"(?:(?:,|,?\s++and)\s++(?:[a-z0-9'-]++\s++){0,2}?[\ue000-\uefff]){0,9}))"
    r"\s++(?:can|may|could|should|must)[\ue800-\uefff]?+\s++go[\ue800-\uefff]?+(?:\s++(?:now|too|then|away|as well|please))?+"
    r"(?=\s*+(?:[,;.!?]|\Z|(?:if|unless|as long as|but|and|once|because)\b))",
    re.IGNORECASE,
)
"""What is to be there no more: `tag 77 can go`, but not `it can go live`."""
_SUBORDINATING = frozenset(
    "if whether when unless once so only which who what where until before no not nothing none nobody neither never its their".split()
)
"""A phrase with one of them says more than what a thing is called."""
_WE_MAY = re.compile(
    r"(?:\A|(?<=[.,;!?:] ))(?:(?:we|you|they)\s++(?:can|could|may|should)|(?:can|could|may)\s++we)\s++(?:please\s++)?+",
    re.IGNORECASE,
)
_DASH = re.compile(r"(?<=\S)[ \t]++(?:--?+|[\u2013\u2014])[ \t]++(?=([a-z][^.;!?\n]{0,200}))")
"""A dash before a word, and what follows up to the end of the sentence."""
_OF_ALL = re.compile(r"\b(?:all|every|each|any|both)\b", re.IGNORECASE)
_ORDERED = frozenset("it them him her this that these those the a an my our your his their".split())
"""Behind a verb they show that it is one."""
_SAYING_WHICH = frozenset(("one", "ones", "that", "which", "who", "those"))
_REFERRING = ("it", "them", "him", "her", "that", "this")
"""Behind any word but a preposition and the like they do so, too."""
_PLACE_FIRST = re.compile(
    rf"\s*+((?:in|on|for|at|under|within|inside|from)\s++(?:{WORD_SAID}\s++){{0,4}}?[\w.-]*+[\ue000-\uefff])(?:\s*+,\s*+|\s++)"
    rf"(?=([a-z]++)[\ue800-\uefff]?+\s)",
    re.IGNORECASE,
)
"""A place with what it is called at the start of a clause, and the word behind it."""


def read_goal(
    goal: str,
    values: Sequence[StatedValue],
    *,
    is_catalogue_verb: Callable[[str], bool] = lambda _stem: False,
    is_separate: Callable[[str, str], bool] = lambda _thing, _part: False,
    is_thing: Callable[[str], bool] = lambda _stem: False,
    is_taken: Callable[[str, str], bool] = lambda _thing, _name: False,
    is_state: Callable[[str], bool] = lambda _state: False,
) -> Reading:
    """What a goal asks for, one task after the other.

    Args:
        goal: The text.
        values: What it states, in order.
        is_catalogue_verb: Whether a stem begins a clause, beside the known verbs.
        is_separate: Whether something (its noun, its words joined) is made by a call of its own when the other, whose
            noun comes first, is dealt with: a comment of an issue, but not a label.
        is_thing: Whether calls are about what a stem names.
        is_taken: Whether calls that change a thing, of which this is the stem, have an input that is called so
            (`PlanIndex.is_taken`).
        is_state: Whether calls can set a state (`PlanIndex.is_state`).

    Values are one word each while the text is cut: nothing is cut inside them. A condition belongs to the task that
    it stands with and to all that follow; exclusions belong to the goal.
    """
    marked = mark_values(goal, values)
    marked.text = _with_dashes(marked.text, is_thing)
    take_topics(marked, is_catalogue_verb=is_catalogue_verb, is_thing=is_thing)
    marked.text = _with_names_joined(
        without_courtesies(with_denied_acts(_as_orders(as_conditions(marked.text))))
    )
    take_exclusions(marked)
    take_what_stays(marked)
    take_conditions(marked)
    tasks: list[GoalTask] = []
    condition: GoalCondition | None = None
    catalogue = CatalogueWords(
        is_verb=is_catalogue_verb,
        is_separate=is_separate,
        is_thing=is_thing,
        is_attribute=partial(_is_attribute, marked, is_taken),
        is_state=is_state,
    )
    cut = split_clauses(_with_places_joined(marked.text), catalogue)
    for whole in with_backgrounds(cut, is_catalogue_verb=is_catalogue_verb, is_thing=is_thing):
        parts = _with_parts(whole.text, is_separate)
        for clause in (Clause(parts[0], whole.about, whole.background), *map(Clause, parts[1:])):
            said = "".join((*clause.about, clause.text))
            for mark in MARKS.findall(said):
                if CONDITION_MARK <= ord(mark) < EXCLUSION_MARK:
                    condition = marked.conditions[ord(mark) - CONDITION_MARK]
            text = _with_place_last(_without(clause.text, CONDITION_MARK))
            if condition is not None and (other := _OTHERWISE_DO.match(text)):
                # `if it is a draft, publish it, otherwise delete it`
                condition = condition.model_copy(update={"negated": not condition.negated})
                text = text[other.end() :]
            if tasks and condition is not None and _says_do_it(masked(text)):
                # `Do that only if it is open.`
                tasks[-1] = tasks[-1].model_copy(update={"condition": condition})
                continue
            if tasks and condition is not None and idle_pattern().fullmatch(text.strip(" ,;.!")):
                # `If it is open, leave it alone.`
                opposite = condition.model_copy(update={"negated": not condition.negated})
                tasks = [
                    one if one.condition else one.model_copy(update={"condition": opposite}) for one in tasks
                ]
                continue
            if tasks and staying_pattern().fullmatch(masked(text).strip(" ,;.!")):
                # `Take it out of the pool, leave the machine running.`
                continue
            own = _SPACES.sub(" ", masked(text)).strip(" ,;")
            ordered = as_order(own)
            tasks.append(
                GoalTask(
                    do=marked.plain(text.replace(ADDED, ",")),
                    words=_with_background(ordered, clause.about, is_thing),
                    outline=_outline(text, marked) if ordered == own and not clause.about else (),
                    values=marked.values_in(said),
                    quantity=_quantity(
                        text, marked.plain(text), goal_excepts=bool(_spared_values(marked.exclusions))
                    ),
                    condition=condition,
                    background=tuple(marked.plain(one) for one in (*clause.about, *clause.background)),
                )
            )
    tasks = _in_order(tasks)
    unsure = [f"{value.text!r} may be a name or an ordinary word" for value in values if value.weak]
    return Reading(tasks=tuple(tasks), exclusions=tuple(marked.exclusions), unsure=tuple(unsure))


def _is_attribute(marked: MarkedGoal, is_taken: Callable[[str, str], bool], clause: str, piece: str) -> bool:
    """Whether a piece is no order but a value of what the clause before makes or changes: `book a flight ..., return 2026-12-09`."""
    found = _VALUE_OF_NAME.fullmatch(piece)
    if found is None:
        return False
    (value,) = marked.values_in(found[3])
    if value.kind is ValueKind.DATE:
        names = [f"{''.join(map(stem, pieces(found[1])))} date"]
    else:
        name = "".join(map(singular, pieces(found[1])))
        names = [name]
        if " is " in piece:
            names += [f"{name}{singular((found[2] or '').lower())} id"]
    things = {stem(singular(word)) for word in pieces(masked(clause))}
    return any(is_taken(thing, one) for thing in things for one in names)


def _as_orders(text: str) -> str:
    """A text with what is allowed as what is to be done: `get rid of 7` for `we can get rid of 7`, `delete it` for `it can go`."""

    def ordered(allowed: re.Match[str]) -> str:
        rest = masked(text[allowed.end() : allowed.end() + PHRASE_WITHIN])
        return "" if idiom_verb(rest) else allowed[0]

    def deleted(gone: re.Match[str]) -> str:
        subject = pieces(masked(gone[1]))
        # `tell me if it can go` asks, and `nothing can go` wants nothing done.
        # `Ann can go` says nothing of a thing.
        is_named = MARKS.search(gone[1]) is not None and bool(subject)
        is_spoken_of = subject in (("it",), ("they",)) and MARKS.search(text, 0, gone.start()) is not None
        is_said = is_named or is_spoken_of or subject[:1] == ("the",)
        says_more = "that" in subject[1:] or not _SUBORDINATING.isdisjoint(subject)
        # `publish article 3 and article 4 can go` is about one of them.
        is_list = len(MARKS.findall(gone[1])) > 1 and not "".join(subject[:1]).endswith("s")
        begins = is_list and starts_with_verb(masked(gone[1]), lambda _: False)
        return f"delete {gone[1]}" if is_said and not says_more and not begins else gone[0]

    return _MAY_GO.sub(deleted, _WE_MAY.sub(ordered, text))


def _with_dashes(text: str, is_thing: Callable[[str], bool]) -> str:
    """A text whose sentences end at a dash as well, where an order or a remark follows: `bin order 7 - it was entered twice`.

    All else goes on with what stands before: `delete all tickets - closed only`, `refund payment 7 - amount 50`.
    """
    of_all = _OF_ALL.search(text)

    def ended(dash: re.Match[str]) -> str:
        tail = _DASH.split(dash[1], maxsplit=1)[0]
        said, clause = pieces(masked(tail)), tail.split(",", maxsplit=1)[0]
        if forgoes(clause):
            return ", "
        # `delete all tickets - the closed ones` says which.
        narrows = (of_all is not None and of_all.start() < dash.start()) or not _SAYING_WHICH.isdisjoint(said)
        return ". " if _orders(said) or (not narrows and is_remark(clause, is_thing)) else dash[0]

    return _DASH.sub(ended, text)


def _orders(said: Sequence[str]) -> bool:
    """Whether words behind a dash begin an order, by what stands behind the first of them."""
    first, second = (*said[:2], "", "")[:2]
    is_verb = stem(first) in all_verbs() and second in _ORDERED
    return first == "then" or is_verb or (first not in STOP_WORDS and second in _REFERRING)


def _says_do_it(text: str) -> bool:
    """Whether a clause only says that what was asked for before is to be done: `but do so`, `go ahead`."""
    reading = table("reading")
    said = pieces(text)
    return bool(said) and all(word in reading["doing_so"] or word in reading["pronouns"] for word in said)


def _with_background(words: str, about: Sequence[str], is_thing: Callable[[str], bool]) -> str:
    """The words of a clause, and behind a comma those of what it is about."""
    known = ", ".join(filter(None, (background_words(one, is_thing=is_thing) for one in about)))
    head, *added = words.split(ADDED, maxsplit=1)
    return f"{ADDED} ".join(filter(None, (", ".join(filter(None, (head, known))), *map(str.strip, added))))


def _outline(text: str, marked: MarkedGoal) -> tuple[str, ...]:
    """The words of a clause and, at odd positions, the values between them; what may be an ordinary word is one."""
    parts = _SURE_VALUE.split(text)
    return tuple(marked.plain(part) if at % 2 else masked(part) for at, part in enumerate(parts))


def _with_names_joined(text: str) -> str:
    """A text with what a thing is to be called as a part of what is said of it: `create a list and call it X`."""
    return calling_pattern(_NAMED_VALUE).sub(" called ", text)


def _with_place_last(text: str) -> str:
    """A clause with the place that it begins with behind what is to be done there: `in realm acme end every session`."""
    found = _place_first(text)
    return text if found is None else f"{text[found.end() :].rstrip()} {found[1]}"


def _place_first(text: str) -> re.Match[str] | None:
    found = _PLACE_FIRST.match(text)
    return (
        found
        if found and (is_known_verb(found[2]) or found[2].lower() in table("reading")["ending"])
        else None
    )


def _with_places_joined(text: str) -> str:
    """A text without the commas between a place at the start of a sentence and what is done there: `for customer 12, close it`."""
    sentences: list[str] = []
    last = 0
    for end in (*(found.end() for found in SENTENCE_END.finditer(text)), len(text)):
        sentence, last = text[last:end], end
        found = _place_first(sentence)
        sentences.append(f"{found[1]} {sentence[found.end() :]}" if found else sentence)
    return "".join(sentences)


def _in_order(tasks: Sequence[GoalTask]) -> list[GoalTask]:
    """The tasks in the order in which they are done: what says `first` at its end comes before the task that precedes it."""
    found: list[GoalTask] = []
    for task in tasks:
        if found and pieces(task.words)[-1:] == ("first",):
            found.insert(len(found) - 1, task)
        else:
            found.append(task)
    return found


def _with_parts(clause: str, is_separate: Callable[[str, str], bool]) -> list[str]:
    """`close issue 12 with a comment saying fixed` as two: the second makes the comment."""
    found = _WITH.search(clause)
    if found is None:
        return [clause]
    first = pieces(masked(clause[: found.start()]))
    parts = [part for part in (found[1] + (found[2] or ""), found[1]) if part]
    if first and any(is_separate(noun, part) for noun in first[1:] for part in parts):
        return [clause[: found.start()], f"create a {clause[found.start(1) :]}"]
    return [clause]


def _without(text: str, first: int) -> str:
    return "".join(char for char in text if not first <= ord(char) <= 0xF7FF)


def _spared_values(exclusions: Sequence[Exclusion]) -> list[StatedValue]:
    return [value for exclusion in exclusions for value in exclusion.values]


_LAST_DAY = re.compile(
    r"\b(?:last|first)\s++(?:[a-z]++\s++)?day\s++(?:is\s++|will be\s++|on\s++)?[\ue000-\uefff]", re.IGNORECASE
)
"""When something ends, which picks none of many: `last day is 2026-01-31`."""
_NAME_OF_SOMEBODY = re.compile(r"\b(?:last|first)(?:\s++and\s++(?:last|first))?+\s++names?\b", re.IGNORECASE)


@cache
def several_pattern() -> re.Pattern[str]:
    """How many of the newest or oldest are meant, where it is more than one: `the last two`, `3 most recent`."""
    newest = any_of(*table("reading")["last"], *table("reading")["first"])
    several = (
        rf"(?:{any_of(*(word for word in table('values')['numbers'] if word != 'one'))}|(?!1\b)\d{{1,4}}+)"
    )
    # `the last 15 minutes`
    period = any_of(*sorted(value_words().periods))
    return re.compile(rf"\b(?:(?:{newest})\s++{several}\b(?!\s++(?:{period})\b)|{several}\s++(?:{newest})\b)")


def _quantity(text: str, plain: str, *, goal_excepts: bool) -> Quantity:
    # `newest first` is the order of all of them.
    text = _NAME_OF_SOMEBODY.sub(" ", text)
    said = pieces(masked(BY_AGE.sub(" ", _PER_PIECE.sub(" ", text))))
    words = table("reading")
    joined = " ".join(said)
    if any(word in said for word in words["each"]):
        return Quantity.ALL_BUT if goal_excepts else Quantity.EACH
    if several_pattern().search(plain.lower()):
        return Quantity.SEVERAL
    if any(f" {word} " in f" {joined} " for word in words["last"]) and not _LAST_DAY.search(text):
        return Quantity.LAST
    if any(word in said[:-1] for word in words["first"]):
        # `cancel it first` says when.
        return Quantity.FIRST
    if said[1:2] and said[1] in ("a", "an", "one"):
        return Quantity.ONE
    return Quantity.UNSAID


def is_text(value: StatedValue) -> bool:
    """Whether a value is free text, for titles, names and messages."""
    return value.kind in (ValueKind.QUOTED, ValueKind.SAID, ValueKind.NAME)
