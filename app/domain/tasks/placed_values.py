"""A caller's values put behind their nouns in the words of its task, where people say them: `close issue 12`."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from app.domain.language.identifiers import pieces
from app.domain.reading.models import StatedValue
from app.domain.reading.tokens import value_words

_ARTICLE = r"(?:(?P<article>the)\s++)?+"


@dataclass(frozen=True, slots=True)
class PlacedValues:
    """The words of a task with values in them."""

    text: str
    starts: Mapping[str, int]
    """First character of each value in `text`, by its name; those of names that the task does not say are not here."""
    prepositions: Mapping[str, str]
    """What leads to the noun of a value: `from` in `from the pool`."""
    _edits: Sequence[tuple[int, int]] = ()
    """Places in the words of the task, and by how many characters all behind them moves."""
    _nouns: Sequence[str] = field(default=())
    """Expressions for the names, of which a value says which is meant."""

    def shift(self, at: int) -> int:
        """By how many characters what stood at a place has moved."""
        return sum(by for place, by in self._edits if place <= at)

    def undetermined(self, words: str) -> str:
        """Words of the task without `the` before what a value names: who publishes the release 4.2 may make it."""
        for noun in self._nouns:
            words = article_pattern(noun).sub("", words)
        return words


def place_values(do: str, values: Mapping[str, JsonValue], spans: Sequence[StatedValue]) -> PlacedValues:
    """The words of a task with each single value behind its name, where they say it; values that they state stay as they are."""
    found = sorted(_places(do, values, spans), key=lambda one: one[0].end())
    text, last = "", 0
    starts: dict[str, int] = {}
    prepositions: dict[str, str] = {}
    edits: list[tuple[int, int]] = []
    for match, name in found:
        if match.start() < last:
            continue
        written = written_value(values[name])
        before = pieces(do[: match.start()])[-1:]
        if before and before[0] in value_words().prepositions:
            prepositions[name] = before[0]
        begin = match.start("noun")
        text += do[last : match.start()] + do[begin : match.end()] + " "
        starts[name] = len(text)
        text += written
        edits += [(begin, match.start() - begin), (match.end(), len(written) + 1)]
        last = match.end()
    nouns = [_expression(name) for name in starts]
    return PlacedValues(text + do[last:], starts, prepositions, edits, nouns)


def written_value(value: JsonValue) -> str:
    """A value as a text says it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _places(
    do: str, values: Mapping[str, JsonValue], spans: Sequence[StatedValue]
) -> Iterator[tuple[re.Match[str], str]]:
    for name, value in values.items():
        is_single = isinstance(value, str | int | float) and not isinstance(value, bool)
        if not is_single or not pieces(name) or written_value(value) in do:
            continue
        match = noun_pattern(_expression(name)).search(do)
        if match is not None and not any(
            one.start < match.end() and match.start("noun") < one.end for one in spans if not one.weak
        ):
            yield match, name


def article_pattern(noun: str) -> re.Pattern[str]:
    """`the` before what an expression finds."""
    return re.compile(rf"\bthe\s++(?={noun}\b)", re.IGNORECASE)


def noun_pattern(noun: str) -> re.Pattern[str]:
    """What an expression finds, with the article before it, and not as a possessive."""
    return re.compile(rf"\b{_ARTICLE}(?P<noun>{noun})\b(?!['\u2019])", re.IGNORECASE)


def _expression(name: str) -> str:
    return r"\s++".join(re.escape(piece) for piece in pieces(name))
