"""What ids look like in a catalogue, by its own examples, patterns and prefixes."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from app.domain.filling.forms import prefixes_said
from app.domain.language.identifiers import ID_WORDS, singular, words
from app.domain.language.operation_words import LISTING_KINDS
from app.domain.language.text import STOP_WORDS, stem
from app.domain.planning.operations import Operation
from app.domain.schemas.walk import Schema, as_list, as_object, parsed_schema

_EXAMPLE = re.compile(r"\b(?!example|instance)([a-z]{3,20})[ /*`'\":=]{1,3}([A-Z]{2,10}-\d{1,6})\b")
_PREFIXED = re.compile(r"^([a-z]{1,6})_[A-Za-z0-9]")
_PREFIX_SHOWN = re.compile(r'"[a-z]{2,6}_[A-Za-z0-9]*\d')
_CAPITAL = re.compile(r"^([A-Z]{1,3})[A-Z0-9]*\d")
_KEY = re.compile(r"^[A-Z][A-Z0-9]*-\d+$")
_KEY_SHOWN = re.compile(r"(?<![A-Za-z0-9_-])([A-Z]{1,6}-)(?=\d{2,10}(?![A-Za-z0-9-]))")
_PATTERN_START = re.compile(r"^\^\(?(?:\[([A-Z]{1,4})\]|([A-Z]{1,3})(?=\[))")
_TELLING = 3
"""Capitals before a number that tell what it is of: `INV-0031`, but not `PL-2041`."""
_REFERENCE = "reference"
_TEXT_CHARS = 6000
_VISITS = 400
_LEAST_SHARE = 0.7
"""Share of the most frequent noun from which another is meant as well."""


class IdShapes:
    """Per server: what values of a form identify.

    Args:
        keys: Server, a noun before examples such as `TEST-123`, and how often; each pair may come several times.
        starts: Server, capital letters or a prefix (`bld_`), the noun of the property whose values begin so, and in how
            many calls.
        names_in: The literals in the paths of some servers.
    """

    def __init__(
        self,
        keys: Iterable[tuple[str, str, int]],
        starts: Iterable[tuple[str, str, str, int]],
        names_in: Callable[[Collection[str]], Iterable[str]],
    ) -> None:
        by_server: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for server, noun, count in keys:
            by_server[server][noun] += count
        by_start: defaultdict[str, defaultdict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        for server, start, noun, count in starts:
            by_start[server][start][noun] += count
        self._keys = {server: _frequent(found) for server, found in by_server.items()}
        self._starts = {
            server: {start: _frequent(found) for start, found in nouns.items()}
            for server, nouns in by_start.items()
        }
        self._names_in = names_in

    def implied(self, text: str, servers: Collection[str]) -> frozenset[str]:
        """Stems of the things that a text of this form identifies in these servers."""
        if _KEY.match(text):
            start = text[: text.index("-") + 1]
            shown = self._begun((start,), servers) or self._of(self._keys, servers)
            short = start[:-1].lower()
            if shown or len(short) < _TELLING:
                return shown
            return _abbreviated(short, self._names_in(servers))
        if prefixed := _PREFIXED.match(text):
            shown = self._begun((f"{prefixed[1]}_",), servers)
            return shown or _abbreviated(prefixed[1], self._names_in(servers))
        capital = _CAPITAL.match(text)
        if capital is None:
            return frozenset()
        return self._begun([capital[1][:length] for length in range(len(capital[1]), 0, -1)], servers)

    def _begun(self, starts: Sequence[str], servers: Collection[str]) -> frozenset[str]:
        """Stems of what begins as the first of these that a server knows."""
        named = {
            server: next((nouns[start] for start in starts if start in nouns), frozenset())
            for server, nouns in self._starts.items()
        }
        return self._of(named, servers)

    def _of(self, named: Mapping[str, frozenset[str]], servers: Collection[str]) -> frozenset[str]:
        among = {*servers}
        return frozenset().union(*(nouns for server, nouns in named.items() if server in among))

    def is_formed(self, nouns: AbstractSet[str], server: str) -> bool:
        """Whether the ids of one of these things, by its stem, begin in a way of their own on a server."""
        return any(not nouns.isdisjoint(found) for found in self._starts.get(server, {}).values())


def _frequent(found: Counter[str]) -> frozenset[str]:
    most = max(found.values(), default=0)
    return frozenset(noun for noun, count in found.items() if count >= _LEAST_SHARE * most)


def key_nouns(operation: Operation) -> Iterator[str]:
    """Nouns before examples such as `TEST-123` in the descriptions of an operation and of its inputs."""
    texts = [
        operation.tool.description[:_TEXT_CHARS],
        *(item.description[:500] for item in operation.inputs[:40]),
    ]
    for text in texts:
        if "-" in text:
            for noun, _ in _EXAMPLE.findall(text):
                yield stem(singular(noun))
    for item in operation.inputs:
        if any(map(_KEY.match, item.examples)) and not _is_reference(item.name):
            yield from (stem(word) for word in words(item.name) if word not in ID_WORDS)


def id_starts(operation: Operation) -> Iterator[tuple[str, str]]:
    """How ids begin, by patterns, examples and descriptions of inputs and answers, with the nouns of their properties."""
    for item in operation.inputs:
        starts = {*_starts(item.pattern)}
        nouns = _noun_of(item.name)
        if _is_of_id(item.name):
            starts |= prefixes_said(item.description, item.examples[:1])
            starts |= prefixes_said(item.description, item.examples[:1], form=_KEY_SHOWN)
            # What a path picks one of, whatever its parameter is called: `/devices/{serialNumber}`.
            place = operation.place(item)
            nouns = [*nouns, *(stem(word) for word in place.noun[-1:] if place.adjacent)]
        elif _is_reference(item.name):
            # The `orderReference` SO-11800 is the number of an order.
            starts |= prefixes_said("", item.examples[:1], form=_KEY_SHOWN)
            nouns = [stem(word) for word in words(item.name)[-2:-1]]
        yield from ((start, noun) for start in sorted(starts) for noun in nouns)
    text = operation.tool.output_schema
    shows = operation.safe and _PREFIX_SHOWN.search(text) is not None
    if not shows and "pattern" not in text:
        return
    root = parsed_schema(text)
    top = as_object(root.get("properties")).keys() if operation.kind in LISTING_KINDS else ()
    waiting: list[tuple[str, str, Schema]] = [("", "", root)]
    visits = 0
    while waiting and visits < _VISITS:
        name, key, schema = waiting.pop()
        visits += 1
        pattern, example = schema.get("pattern"), schema.get("example")
        if isinstance(pattern, str):
            yield from ((start, noun) for start in _starts(pattern) for noun in _noun_of(name))
        if shows and isinstance(example, str) and _is_of_id(key):
            nouns = _noun_of(name) or [stem(singular(word)) for word in operation.resource[-1:]]
            yield from ((start, noun) for start in prefixes_said("", (example,)) for noun in nouns)
        for inner, value in as_object(schema.get("properties")).items():
            # The `id` of a user is of the user.
            waiting.append((inner if set(words(inner)) - ID_WORDS else name, inner, as_object(value)))
        for alternative in as_list(schema.get("anyOf")):
            waiting.append((name, key, as_object(alternative)))
        if "items" in schema:
            # What the list of an answer holds is what the call is about, whatever the list is called.
            waiting.append(("" if name in top else name, key, as_object(schema["items"])))


def _is_of_id(name: str) -> bool:
    """Whether a name ends with a word that identifies."""
    return not ID_WORDS.isdisjoint(words(name)[-1:])


def _is_reference(name: str) -> bool:
    """Whether a name says of what an input holds the number: an order, for `orderReference`."""
    said = words(name)
    return len(said) > 1 and said[-1] == _REFERENCE


def _noun_of(name: str) -> Sequence[str]:
    """Stem of the last word of a name that does not say that it is an id: `user` for `accepted_user_ids`."""
    own = [word for word in words(name) if word not in ID_WORDS and word not in STOP_WORDS]
    return [stem(singular(own[-1]))] if own else []


def _starts(pattern: str) -> Sequence[str]:
    found = _PATTERN_START.match(pattern)
    if found is None:
        return ()
    return tuple(found[1]) if found[1] else (found[2],)


def _abbreviated(prefix: str, names: Iterable[str]) -> frozenset[str]:
    """Stems of the resources that a prefix may stand for: `cus` for customers, `we` for webhook_endpoints."""
    found: set[str] = set()
    for name in names:
        parts = words(name)
        if not parts:
            continue
        initials = "".join(part[0] for part in parts)
        if (len(parts) > 1 and initials == prefix) or (
            len(parts) == 1 and parts[0].startswith(prefix) and len(prefix) > 1
        ):
            found.update(stem(part) for part in parts)
    return frozenset(found)
