"""Things that people call by what they are about, without a noun of the catalogue: `the pricing workshop`."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice

from app.domain.language.goal_words import all_verbs
from app.domain.language.identifiers import singular
from app.domain.language.idioms import idiom_verb
from app.domain.language.intent_words import PHRASE_ENDS
from app.domain.language.same_things import as_called
from app.domain.language.text import stem
from app.domain.reading.models import StatedValue, ValueKind
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

_DETERMINED = re.compile(r"(?:([a-z]{2,20})\s++)?\b(?:the|our|my|his|her|their)\s++(?=[a-z])", re.IGNORECASE)
_COMPOUND = re.compile(r"(?:please\s++)?+([A-Za-z]{2,20})\s++([a-z]{2,20}(?:-[a-z]{1,20}){1,4})(?=\s|$)")
_WORD = re.compile(r"[a-z]++(?:-[a-z]++)*+(?=\s|[,.;:!?)]|$)")
_ASKING = frozenset(table("reading")["question_auxiliaries"]) - {"is", "are", "was", "were"}
"""Before a subject they ask something: `do the planets stand still`."""
_VERB_WITHIN = 40
"""Characters before `the` in which a verb and its particle stand."""
_MOST_FOUND = 100
"""Articles, and values, that are looked at: no goal of the sets of `bench goals` has more than five articles."""
_FEWEST, _MOST = 2, 4
"""Words of such a phrase: one alone is more likely another word for things that the catalogue has."""


def described_things(
    goal: str,
    values: Sequence[StatedValue],
    *,
    is_word: Callable[[str], bool],
    is_thing: Callable[[str], bool],
    is_used: Callable[[str], bool],
) -> Iterator[StatedValue]:
    """The phrases behind `the` that can only be what something is called: no call is about any of their words.

    Args:
        goal: The text.
        values: What it states otherwise; a phrase with one of them in it or behind it is named by that.
        is_word: Whether the catalogue, or English, has a lower-case word.
        is_thing: Whether calls are about what a stem names.
        is_used: Whether names of calls or inputs have a stem.
    """
    strong = [(value.start, value.end) for value in values if not value.weak][:_MOST_FOUND]
    for begun in islice(_DETERMINED.finditer(goal), _MOST_FOUND):
        leading = (begun[1] or "").lower()
        if (
            leading == "of"
            or leading in _ASKING
            or not (
                leading in value_words().prepositions
                or _leads(goal[max(0, begun.end(1) - _VERB_WITHIN) : begun.end(1)] if begun[1] else "")
            )
        ):
            continue
        said, end = _phrase(goal, begun.end(), strong)
        if not _FEWEST <= len(said) <= _MOST or any(start == end + 1 for start, _ in strong):
            continue
        about = (stem(singular(as_called(word, is_thing=is_thing, is_used=is_used))) for word in said)
        if any(map(is_thing, about)) or is_word(said[-1]) or is_word(singular(said[-1])):
            continue
        if said[0] in table("reading")["kinds_of_things"] or said[-1].endswith("ly") or said[-1] in _parts():
            continue
        text = goal[begun.end() : end]
        yield StatedValue(
            text=text,
            kind=ValueKind.NAME,
            value=text,
            start=begun.end(),
            end=end,
            preposition=leading if leading in value_words().prepositions else "",
        )


@cache
def _parts() -> frozenset[str]:
    """What things have, and what nothing is called: `my status text`."""
    inputs = table("inputs")
    return frozenset((*inputs["texts"], *inputs["titles"], *inputs["states"]))


def compound_names(
    goal: str, values: Sequence[StatedValue], *, is_joined: Callable[[str], bool]
) -> Iterator[StatedValue]:
    """What stands behind the verb at the start of a goal and is written as names are: `restore billing-db from yesterday`.

    Args:
        goal: The text.
        values: What it states otherwise.
        is_joined: Whether the catalogue writes two words together, by the stem of both: `auto-renew` is no name then.
    """
    found = _COMPOUND.match(goal)
    if found is None or not (stem(found[1].lower()) in all_verbs() or idiom_verb(goal)):
        return
    first, *_, last = found[2].split("-")
    behind = _WORD.match(goal, found.end(2) + 1)
    is_over = behind is None or behind[0] in value_words().function or behind[0] in PHRASE_ENDS
    taken = any(
        value.start < found.end(2) and found.start(2) < value.end for value in values if not value.weak
    )
    compound = first in value_words().compound_first or last in value_words().compound_last
    if is_over and not taken and not compound and not is_joined(stem(first + last)):
        yield StatedValue(
            text=found[2], kind=ValueKind.ID, value=found[2], start=found.start(2), end=found.end(2)
        )


def _leads(before: str) -> bool:
    """Whether a text ends with a verb, or with its particle: `call off`, `ann is`."""
    return any(stem(word.strip(",.;:!?")) in all_verbs() for word in before.lower().split()[-2:])


def _phrase(goal: str, at: int, strong: Sequence[tuple[int, int]]) -> tuple[list[str], int]:
    """The words of a noun phrase that begins at a place, and where it ends."""
    said: list[str] = []
    end = at
    while found := _WORD.match(goal, at):
        word = found[0]
        if word in PHRASE_ENDS or word in value_words().function:
            break
        if any(start <= at < stop for start, stop in strong):
            break
        said.append(word)
        end = found.end()
        at = end + 1
        if goal[end:at] != " ":
            break
    return said, end
