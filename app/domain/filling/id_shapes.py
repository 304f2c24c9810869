"""What ids look like in a catalogue, by its own examples, patterns and prefixes."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from app.domain.language.identifiers import ID_WORDS, singular, words
from app.domain.language.text import STOP_WORDS, stem
from app.domain.planning.operations import Operation
from app.domain.schemas.walk import Schema, as_list, as_object, parsed_schema

_EXAMPLE = re.compile(r"\b([a-z]{3,20})[ /*`'\":=]{1,3}([A-Z]{2,10}-\d{1,6})\b")
_PREFIXED = re.compile(r"^([a-z]{1,6})_[A-Za-z0-9]")
_CAPITAL = re.compile(r"^([A-Z]{1,3})[A-Z0-9]*\d")
_KEY = re.compile(r"^[A-Z][A-Z0-9]*-\d+$")
_PATTERN_START = re.compile(r"^\^\(?(?:\[([A-Z]{1,4})\]|([A-Z]{1,3})(?=\[))")
_TEXT_CHARS = 6000
_VISITS = 400
_LEAST_SHARE = 0.7
"""Share of the most frequent noun from which another is meant as well."""


class IdShapes:
    """Per server: what values of a form identify.

    Args:
        keys: Server, a noun before examples such as `TEST-123`, and how often; each pair may come several times.
        capitals: Server, capital letters, the noun of the property whose values begin with them, and in how many calls.
        names_in: The literals in the paths of some servers.
    """

    def __init__(
        self,
        keys: Iterable[tuple[str, str, int]],
        capitals: Iterable[tuple[str, str, str, int]],
        names_in: Callable[[Collection[str]], Iterable[str]],
    ) -> None:
        by_server: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for server, noun, count in keys:
            by_server[server][noun] += count
        starts: defaultdict[str, defaultdict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        for server, prefix, noun, count in capitals:
            starts[server][prefix][noun] += count
        self._keys = {server: _frequent(found) for server, found in by_server.items()}
        self._capitals = {
            server: {prefix: _frequent(found) for prefix, found in by_prefix.items()}
            for server, by_prefix in starts.items()
        }
        self._names_in = names_in

    def implied(self, text: str, servers: Collection[str]) -> frozenset[str]:
        """Stems of the things that a text of this form identifies in these servers."""
        if _KEY.match(text):
            return self._of(self._keys, servers)
        if prefixed := _PREFIXED.match(text):
            return _abbreviated(prefixed[1], self._names_in(servers))
        capital = _CAPITAL.match(text)
        if capital is None:
            return frozenset()
        starts = [capital[1][:length] for length in range(len(capital[1]), 0, -1)]
        named = {
            server: next((by_prefix[start] for start in starts if start in by_prefix), frozenset())
            for server, by_prefix in self._capitals.items()
        }
        return self._of(named, servers)

    def _of(self, named: Mapping[str, frozenset[str]], servers: Collection[str]) -> frozenset[str]:
        among = {*servers}
        return frozenset().union(*(nouns for server, nouns in named.items() if server in among))

    def is_formed(self, nouns: AbstractSet[str], server: str) -> bool:
        """Whether the ids of one of these things, by its stem, begin in a way of their own on a server."""
        return any(not nouns.isdisjoint(found) for found in self._capitals.get(server, {}).values())


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
        if any(_KEY.match(example) for example in item.examples):
            yield from (stem(word) for word in words(item.name) if word not in ID_WORDS)


def capital_prefixes(operation: Operation) -> Iterator[tuple[str, str]]:
    """First letters that patterns of inputs and answers ask for, with the nouns of their properties."""
    for item in operation.inputs:
        yield from ((prefix, noun) for prefix in _starts(item.pattern) for noun in _noun_of(item.name))
    root = parsed_schema(operation.tool.output_schema) if "pattern" in operation.tool.output_schema else {}
    waiting: list[tuple[str, Schema]] = [("", root)]
    visits = 0
    while waiting and visits < _VISITS:
        name, schema = waiting.pop()
        visits += 1
        pattern = schema.get("pattern")
        if isinstance(pattern, str):
            yield from ((prefix, noun) for prefix in _starts(pattern) for noun in _noun_of(name))
        for key, value in as_object(schema.get("properties")).items():
            # The `id` of a user is of the user.
            waiting.append((key if set(words(key)) - ID_WORDS else name, as_object(value)))
        for alternative in as_list(schema.get("anyOf")):
            waiting.append((name, as_object(alternative)))
        if "items" in schema:
            waiting.append((name, as_object(schema["items"])))


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
