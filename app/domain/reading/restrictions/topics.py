"""A thing that is named before what is to be done with it: `issue 12 in octocat/hello: close it`."""

import re
from collections.abc import Callable, Sequence

from app.domain.language.goal_words import all_verbs
from app.domain.language.identifiers import pieces, singular
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.reading.clauses.marks import MARKS, masked
from app.domain.reading.clauses.orders import asked_kind, is_order
from app.domain.reading.restrictions.marked import MarkedGoal, clause_end, is_known_verb
from app.domain.reading.tokens import value_words

NAMED_THING = r"(?:(?:the|our|my|his|her|their|this|that)\s++)?+(?:[a-z]++[\ue800-\uefff]?+\s++){0,3}?[\w.-]*+[\ue000-\uefff]"
"""A noun phrase that ends with a value: `the issue 12`."""
THING = (
    rf"{NAMED_THING}"
    r"(?:\s++(?:in|of|on|from|for|at)\s++(?:(?:the|our|my)\s++)?+(?:[a-z]++[\ue800-\uefff]?+\s++){0,3}?[\w.-]*+[\ue000-\uefff]){0,3}+"
)
"""A noun phrase with a value, and where that is: `the issue 12 in octocat/hello`."""
_TOPIC = re.compile(rf"(?:\A|(?<=[.!?;]\s))({THING})\s*+:\s++(?=[a-z])", re.IGNORECASE)
_IT = re.compile(
    r"(?<=[a-z\ue000-\uefff]\s)(?:it|them|him|her(?=\s*+(?:\Z|[,.;!?]|(?:to|from|in|on|as|back|out|off)\b)))\b",
    re.IGNORECASE,
)


def take_topics(
    marked: MarkedGoal, *, is_catalogue_verb: Callable[[str], bool], is_thing: Callable[[str], bool]
) -> None:
    """Put what a sentence is about, before a colon, behind what is to be done with it, where `for` leads to it.

    Args:
        marked: The goal.
        is_catalogue_verb: Whether a stem begins what calls do.
        is_thing: Whether calls are about what a stem names: `run 30: stop it` speaks of a run.
    """
    parts: list[str] = []
    last = 0
    values = list(marked.values)
    for found in _TOPIC.finditer(marked.text):
        said = pieces(MARKS.split(found[1])[0])
        end = clause_end(marked.text, found.end(), is_verb=is_known_verb)
        order = marked.text[found.end() : end]
        if not _is_thing(said, is_thing) or not _orders(order, is_catalogue_verb):
            continue
        (value, *_) = marked.values_in(found[1])
        if not value.preposition:
            values[values.index(value)] = value.model_copy(update={"preposition": "for"})
        parts += [marked.text[last : found.start()], with_thing(order, found[1])]
        last = end
    marked.text = "".join(parts) + marked.text[last:]
    marked.values = tuple(values)


def _is_thing(said: Sequence[str], is_thing: Callable[[str], bool]) -> bool:
    """Whether the words before a value are a noun phrase, which neither a verb nor a preposition begins."""
    if any(word in value_words().prepositions for word in said):
        return False
    return not said or stem(said[0]) not in all_verbs() or is_thing(stem(singular(said[0])))


def _orders(clause: str, is_catalogue_verb: Callable[[str], bool]) -> bool:
    """Whether a clause behind a colon is an order; there even a word that is a noun as well is the verb: `comment "Fixed"`."""
    first = next(iter(pieces(masked(clause))), "")
    is_verb = stem(first.removeprefix("re")) in all_verbs() or stem(first) in all_verbs()
    return is_order(clause, is_catalogue_verb) or (is_verb and not first.endswith(("s", "ed", "ing")))


def speaks_of_it(text: str) -> bool:
    """Whether a text speaks of something that was named before: `close it`."""
    return _IT.search(text) is not None


def before_it(text: str) -> str | None:
    """What stands before the first word that speaks of something named before; None without one."""
    found = _IT.search(text)
    return None if found is None else text[: found.start()]


def with_thing(order: str, thing: str) -> str:
    """What is to be done with the thing that it is about: `close issue 12` for `close it`, `add the label to issue 12`."""
    if speaks_of_it(order):
        return _IT.sub(lambda _: thing, order, count=1)
    leads = "to" if asked_kind(masked(order)) is OperationKind.CREATE else "for"
    return f"{order} {leads} {thing}"
