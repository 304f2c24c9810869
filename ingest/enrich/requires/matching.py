"""Producers of inputs inside one source: candidates by slot and by path, scored, the best few kept."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.domain.language.identifiers import ID_WORDS
from app.domain.language.operation_words import OperationKind
from app.domain.nodes.dependencies import PRODUCERS_KEPT, Evidence
from app.domain.planning.operations import Operation, is_context, path_pattern
from app.domain.schemas.tool_schemas import Input
from ingest.enrich.requires.slots import (
    ANY_FIELD,
    EntityVocabulary,
    Slot,
    SlotValue,
    Words,
    given_slots,
    input_words,
    is_own_content,
    is_the_thing,
    needed_slots,
    needs_producer,
    vocabulary,
)
from ingest.enrich.requires.words import GENERIC_NAMES, KIND_PRIOR

LEAST_SCORE = 0.35

_POSTINGS = 40
_LOCAL_POSTINGS = 8
_COLLECTION = 0.7
_RELATED_PATH = 0.55
_RELATED_ACTION = 0.4
_AT_PARENT = 0.12
_MOST_AT_PARENT = 1.1
_ECHO = 0.32
_CONTEXT = 0.12
_SEARCH_NEARNESS = 0.7
_OTHER_KIND_FROM = 0.6
_COLLECTION_SUFFIXES = ("", "/search", "/list", "/find", "/query", ".json")


@dataclass(frozen=True, slots=True)
class Producer:
    """A call whose answer may fill an input."""

    operation: Operation
    score: float
    pointer: tuple[str, ...] | None
    """Where the value stands in the answer; None when that is not known."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class _Match:
    weight: float
    slot: Slot | None
    pointer: tuple[str, ...] | None


@dataclass(frozen=True)
class _Traits:
    """What scoring asks of an operation again and again."""

    needs: frozenset[str]
    """Required inputs by qualified name."""
    expects: tuple[str, ...]
    """Those of path and query that somebody has to find out first."""
    echo_names: frozenset[Words]
    echo_places: frozenset[tuple[Words, Words]]
    item_noun: str
    """Noun of the item that a get reads by its last path parameter."""


class SourceIndex:
    """The operations of one source, ready to be asked for producers."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations
        self.known: EntityVocabulary = vocabulary(operations)
        self.given: list[dict[Slot, SlotValue]] = [given_slots(operation) for operation in operations]
        self._traits = [_traits(operation) for operation in operations]
        self._by_pattern: defaultdict[str, list[int]] = defaultdict(list)
        for at, operation in enumerate(operations):
            if operation.tool.path:
                self._by_pattern[operation.pattern].append(at)
        self._postings = self._index()
        self._local = self._local_index()
        self._spread: Counter[str] = Counter(need for traits in self._traits for need in traits.needs)

    def _index(self) -> dict[Slot, list[int]]:
        postings: defaultdict[Slot, list[int]] = defaultdict(list)
        for at, given in enumerate(self.given):
            for slot in given:
                postings[slot].append(at)
        for slot, found in postings.items():
            if len(found) > _POSTINGS:
                found.sort(key=lambda at, slot=slot: self._promise(at, slot))  # type: ignore[misc]
        return dict(postings)

    def _promise(self, at: int, slot: Slot) -> tuple[float, int]:
        traits, kind = self._traits[at], self.operations[at].kind
        echo = _ECHO if traits.item_noun and traits.item_noun == slot.entity.rsplit(" ", 1)[-1] else 0.0
        return -(self.given[at][slot].weight + KIND_PRIOR[kind] - echo), at

    def _local_index(self) -> dict[tuple[Slot, tuple[str, ...]], list[int]]:
        """The best postings of each crowded slot below each path prefix."""
        local: defaultdict[tuple[Slot, tuple[str, ...]], list[int]] = defaultdict(list)
        for slot, found in self._postings.items():
            if len(found) <= _POSTINGS:
                continue
            for at in found:
                parts = self.operations[at].path_parts
                for depth in range(2, len(parts) + 1):
                    nearby = local[slot, parts[:depth]]
                    if len(nearby) < _LOCAL_POSTINGS:
                        nearby.append(at)
        return dict(local)

    def producers(self, at: int) -> list[tuple[Input, list[Producer]]]:
        """For each input of operation `at` that may come from another call: its producers, best first.

        An input without any producer comes with an empty list.
        """
        operation = self.operations[at]
        found: list[tuple[Input, list[Producer]]] = []
        for item in operation.inputs:
            name = input_words(item)
            needs = needs_producer(item, name) or is_the_thing(operation, item, name)
            if needs and not is_own_content(operation, item, name):
                found.append((item, _diverse(self._scored(at, item, name))[:PRODUCERS_KEPT]))
        return found

    def _matches(self, at: int, item: Input, name: Words) -> dict[int, _Match]:
        operation = self.operations[at]
        found: dict[int, _Match] = {}
        slots: dict[Slot, float] = {}
        for slot, weight in needed_slots(operation, item, name, self.known):
            slots[slot] = max(weight, slots.get(slot, 0.0))
        for slot, weight in slots.items():
            for producer in self._posted(slot, operation):
                if producer == at:
                    continue
                given = self.given[producer][slot]
                fit = weight * given.weight * _type_fit(item, name, slot, given.type)
                if producer not in found or found[producer].weight < fit:
                    pointer = given.named if given.named and len(name) > 1 else given.pointer
                    found[producer] = _Match(fit, slot, pointer)
        for producer, weight in self._at_parent_path(operation, item):
            if producer != at:
                match = found.get(producer, _Match(0.0, None, None))
                best = min(max(match.weight, weight) + _AT_PARENT, _MOST_AT_PARENT)
                found[producer] = _Match(best, match.slot, match.pointer)
        return found

    def _posted(self, slot: Slot, consumer: Operation) -> Iterable[int]:
        posted = self._postings.get(slot, [])
        if len(posted) <= _POSTINGS:
            return posted
        chosen = dict.fromkeys(posted[:_POSTINGS])
        parts = consumer.path_parts
        for depth in range(len(parts), 1, -1):
            chosen.update(dict.fromkeys(self._local.get((slot, parts[:depth]), ())))
        return chosen

    def _at_parent_path(self, operation: Operation, item: Input) -> Iterable[tuple[int, float]]:
        """Operations on the collection that a path parameter picks an item of."""
        parent = _parent_pattern(operation, item)
        if not parent:
            return
        for suffix in _COLLECTION_SUFFIXES:
            for producer in self._by_pattern.get(parent + suffix, ()):
                kind = self.operations[producer].kind
                if kind in (OperationKind.LIST, OperationKind.SEARCH):
                    yield producer, _RELATED_PATH if suffix else _COLLECTION
                elif kind in (OperationKind.GET, OperationKind.CREATE):
                    yield producer, _RELATED_PATH
                elif kind is OperationKind.ACTION:
                    yield producer, _RELATED_ACTION

    def _scored(self, at: int, item: Input, name: Words) -> list[Producer]:
        operation = self.operations[at]
        context = _CONTEXT if self._is_context(operation, item, name) else 0.0
        scored = []
        for producer, match in self._matches(at, item, name).items():
            score = self._score(at, producer, match, item, name) - context
            if score >= LEAST_SCORE:
                scored.append((score, producer, match))
        scored.sort(key=lambda entry: (-round(entry[0], 9), self.operations[entry[1]].tool.id))
        return [
            Producer(self.operations[producer], score, match.pointer, _evidence(match))
            for score, producer, match in scored
        ]

    def _score(self, at: int, producer_at: int, match: _Match, item: Input, name: Words) -> float:
        consumer, producer = self.operations[at], self.operations[producer_at]
        traits = self._traits[producer_at]
        score = match.weight + KIND_PRIOR[producer.kind]
        if _echoes(traits, consumer, item, name, match.slot):
            score -= _ECHO
        own = self._traits[at].needs
        score -= 0.04 * min(4, sum(need not in own for need in traits.expects))
        near = _shared_prefix(producer, consumer)
        if producer.kind is OperationKind.SEARCH:
            near = max(near, _SEARCH_NEARNESS)
        score += 0.10 * near
        if not {*producer.tool.categories}.isdisjoint(consumer.tool.categories):
            score += 0.03
        if producer.tool.deprecated and not consumer.tool.deprecated:
            score -= 0.10
        return score

    def _is_context(self, operation: Operation, item: Input, name: Words) -> bool:
        """Whether most operations of the source share an input."""
        requiring = 0 if _is_bare_id(name) else self._spread[" ".join(name)]
        if item.location == "path":
            requiring = max(requiring, self._spread[" ".join((*operation.place(item).noun, *name))])
        return is_context(requiring, len(self.operations))


def _is_bare_id(name: Words) -> bool:
    return len(name) == 1 and name[0] in ID_WORDS


def _traits(operation: Operation) -> _Traits:
    needs: set[str] = set()
    expects: list[str] = []
    echo_names: set[Words] = set()
    echo_places: set[tuple[Words, Words]] = set()
    item_noun = ""
    for item in operation.inputs:
        name = input_words(item)
        if item.is_container or not name:
            continue
        if not item.required:
            if item.type == "array" and not operation.safe and not _is_bare_id(name):
                echo_names.add(name)
            continue
        place = operation.place(item)
        qualified = " ".join((*place.noun, *name))
        whole = " ".join(name)
        bare = _is_bare_id(name)
        needs.update([whole] if not bare else [], [qualified] if item.location == "path" else [])
        if not bare:
            echo_names.add(name)
        elif item.location != "path" and operation.safe and operation.resource:
            echo_places.add((operation.resource, name))
        if item.location == "path":
            echo_places.add((place.noun, name))
            if (
                operation.kind is OperationKind.GET
                and operation.ends_with_parameter == item.name
                and place.noun
            ):
                item_noun = place.noun[-1]
        certain = item.location == "path" or (
            item.location == "query" and name[-1] in ID_WORDS and whole not in GENERIC_NAMES
        )
        if certain and not item.has_enum:
            expects.append(qualified if bare and item.location == "path" else whole)
    return _Traits(frozenset(needs), tuple(expects), frozenset(echo_names), frozenset(echo_places), item_noun)


def _echoes(traits: _Traits, consumer: Operation, item: Input, name: Words, slot: Slot | None) -> bool:
    """Whether a producer itself has to be given the value that it would give."""
    if name in traits.echo_names:
        return True
    if item.location == "path" and (consumer.place(item).noun, name) in traits.echo_places:
        return True
    entity = slot.entity if slot is not None else ""
    return bool(traits.item_noun and entity) and traits.item_noun == entity.rsplit(" ", 1)[-1]


def _type_fit(item: Input, name: Words, slot: Slot, given: str) -> float:
    if given in ("integer", "number") and item.type == "string" and item.location == "path":
        return 1.0 if name[-1] in ("id", "number", "no", "code", "index", "version") else 0.6
    named = slot.field in ("name", "slug", "key", "login", "uri", "email")
    return 0.5 if item.type in ("integer", "number") and given == "string" and named else 1.0


def _evidence(match: _Match) -> Evidence:
    if match.slot is None or match.pointer is None or match.slot.field == ANY_FIELD:
        return Evidence.PATH
    return Evidence.SCHEMA if match.slot.entity else Evidence.NAME


def _parent_pattern(operation: Operation, item: Input) -> str:
    """Pattern of the path before a path parameter; empty when nothing comes before."""
    if item.location != "path":
        return ""
    before, mark, _ = operation.tool.path.partition("{" + item.name + "}")
    if not mark:
        return ""
    parts = operation.path_parts
    at = path_pattern(before).count("/")
    if parts[at] == "{}":
        return "/".join(parts[:at])
    return "/".join((*parts[:at], re.sub(r"\(?'?\{\}.*$", "", parts[at])))


def _shared_prefix(one: Operation, other: Operation) -> float:
    shared = 0
    for left, right in zip(one.path_parts, other.path_parts, strict=False):
        if left != right:
            break
        shared += 1
    return shared / len(other.path_parts)


def _diverse(producers: Sequence[Producer]) -> list[Producer]:
    """The best, then the best read and the best create if it was another kind, then the rest."""

    def group(producer: Producer) -> str:
        if producer.operation.kind is OperationKind.CREATE:
            return "create"
        return "read" if producer.operation.safe else "other"

    first: list[Producer] = []
    rest: list[Producer] = []
    seen: set[str] = set()
    for producer in producers:
        opens = group(producer) not in seen and (
            not first or (group(producer) != "other" and producer.score > _OTHER_KIND_FROM)
        )
        (first if opens else rest).append(producer)
        if opens:
            seen.add(group(producer))
    return first + rest
