"""REQUIRES and PRECEDES between tools, inferred from their schemas and paths alone.

Producers are looked for among the tools of one server, and in other ones where an entity is named the same and
belongs to one side only.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.domain.language.identifiers import ID_WORDS, id_family
from app.domain.language.operation_words import OperationKind
from app.domain.nodes.dependencies import (
    CERTAIN,
    PRODUCERS_COUNTED,
    PRODUCERS_KEPT,
    Evidence,
    Precedence,
    Requirement,
)
from app.domain.nodes.models import Tool
from app.domain.planning.operations import Operation, read_operation
from app.domain.schemas.tool_schemas import Input
from app.domain.schemas.walk import json_pointer
from ingest.enrich.requires.matching import Producer, SourceIndex
from ingest.enrich.requires.slots import ANY_FIELD, Slot, input_words, is_needed
from ingest.enrich.requires.words import KIND_PRIOR

_OPTIONAL = 0.8
"""What the surety of an edge is worth for an optional input: these are rarely filled from another call."""
_SURE_WEIGHT = 0.94
"""Weight from which an answer is taken to hold an entity's identifier."""
_FOREIGN = 0.15
"""What a score loses where producer and consumer are of two sources."""
_MOST_SOURCES = 3
"""An entity that more sources have is no common one: each has its own."""

_GIVING_KINDS = (OperationKind.LIST, OperationKind.SEARCH, OperationKind.GET, OperationKind.CREATE)
_EVERYWHERE = frozenset(
    """account action app application attachment category channel client comment company contact customer
    document entity event file folder group image instance item label list log member message model note object
    organization owner page parent path person post profile project record reference request resource role rule
    service session setting space status tag task team template tenant thread token transaction type user value
    version webhook workspace""".split()
)
"""Entities that many sources have and that are not the same thing in any two."""

Exports = Mapping[Slot, Sequence[Producer]]


@dataclass(frozen=True, slots=True)
class Dependencies:
    """All inferred edges, in the order consumer, parameter, rank; and first, then."""

    requires: tuple[Requirement, ...]
    precedes: tuple[Precedence, ...]


class ServerIndexes:
    """The operations of each server, read when first asked for, then kept."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        """Take cards with schemas; declared tools take no part."""
        self._tools: defaultdict[str, list[Tool]] = defaultdict(list)
        for tool in sorted(tools, key=lambda tool: tool.id):
            if not tool.declared:
                self._tools[tool.server].append(tool)
        self._indexes: dict[str, SourceIndex] = {}

    def with_others(self, tools: Iterable[Tool]) -> "ServerIndexes":
        """Tools of more servers as well; what was read of these is kept."""
        found = ServerIndexes([*(tool for some in self._tools.values() for tool in some), *tools])
        found._indexes = dict(self._indexes)
        return found

    @property
    def servers(self) -> Sequence[str]:
        """Servers with a tool."""
        return list(self._tools)

    @property
    def answering(self) -> Sequence[str]:
        """Those with a tool that says what it answers; others give nothing that anybody else could find."""
        return [server for server, tools in self._tools.items() if any(tool.output_schema for tool in tools)]

    def of(self, server: str) -> SourceIndex:
        """A server's operations; none for an unknown one."""
        if server not in self._indexes:
            self._indexes[server] = SourceIndex(
                [read_operation(tool) for tool in self._tools.get(server, ())]
            )
        return self._indexes[server]


def infer_dependencies(
    tools: Iterable[Tool] | ServerIndexes,
    *,
    vetoes: Collection[tuple[str, str]] = (),
    only: Collection[str] | None = None,
) -> Dependencies:
    """Which tool can fill which input of another, at most `PRODUCERS_KEPT` per input.

    Tools of one server are compared. An input that nothing of its own server can fill also looks at other
    servers, where its name says an entity that its own does not have and few others do (`orderId` in a payment
    API). Work and number of edges grow with the number of inputs.

    Args:
        tools: Cards with schemas; declared tools take no part.
        vetoes: (consumer, producer) pairs that somebody ruled out.
        only: Servers whose tools' edges are wanted (`servers_to_infer`); all when None. The tools of others
            matter only where one of these `looks_elsewhere`.
    """
    indexes = tools if isinstance(tools, ServerIndexes) else ServerIndexes(tools)
    requires: list[Requirement] = []
    precedes: list[Precedence] = []
    wanted: list[tuple[Operation, Input, Slot]] = []
    for server in indexes.servers:
        if only is not None and server not in only:
            continue
        index = indexes.of(server)
        found: list[Requirement] = []
        for at, consumer in enumerate(index.operations):
            for item, producers in index.producers(at):
                slot = None if producers else _wanted_slot(index, item)
                if slot is not None:
                    wanted.append((consumer, item, slot))
                found += _requirements(consumer, item, producers, vetoes)
        shown = {(edge.consumer, edge.producer) for edge in found if edge.rank <= PRODUCERS_COUNTED}
        precedes += _precedences(index.operations, shown, vetoes)
        requires += found
    exported = {server: _exports(indexes.of(server)) for server in indexes.answering} if wanted else {}
    for consumer, item, slot in wanted:
        producers = _foreign_producers(slot, exported, own=consumer.tool.server)
        requires += _requirements(consumer, item, producers, vetoes)
    requires.sort(key=lambda edge: (edge.consumer, edge.parameter, edge.rank))
    precedes.sort(key=lambda edge: (edge.first, edge.then))
    return Dependencies(tuple(requires), tuple(precedes))


def looks_elsewhere(indexes: ServerIndexes, servers: Collection[str]) -> bool:
    """Whether an input of these servers may be filled from other ones."""
    return any(_wanted_slots(indexes.of(server)) for server in servers)


def moved_slots(servers: Collection[str], *, before: ServerIndexes, after: ServerIndexes) -> frozenset[Slot]:
    """Identifiers that others may now find with other producers of these servers, or no longer."""
    moved: set[Slot] = set()
    for server in servers:
        old, new = _exports(before.of(server)), _exports(after.of(server))
        moved.update(slot for slot in old.keys() | new.keys() if _offer(old, slot) != _offer(new, slot))
    return frozenset(moved)


def _offer(exported: Exports, slot: Slot) -> list[tuple[object, ...]]:
    return [
        (producer.operation.tool.id, producer.score, producer.pointer, producer.evidence)
        for producer in exported.get(slot, ())
    ]


def servers_to_infer(
    changed: Collection[str], moved: Collection[Slot], after: ServerIndexes
) -> frozenset[str]:
    """Servers whose edges may differ: the changed ones, and those with an input that names what moved."""
    others = (server for server in after.servers if moved and server not in changed)
    return frozenset(changed) | {server for server in others if _wanted_slots(after.of(server)) & set(moved)}


def _exports(index: SourceIndex) -> dict[Slot, list[Producer]]:
    """The identifiers of a source's own entities, with the few calls that give each best."""
    found: defaultdict[Slot, list[Producer]] = defaultdict(list)
    for operation, given in zip(index.operations, index.given, strict=True):
        if operation.kind not in _GIVING_KINDS or operation.tool.deprecated:
            continue
        for slot, place in given.items():
            if place.weight >= _SURE_WEIGHT and place.pointer is not None and _is_own(operation, slot):
                score = place.weight + KIND_PRIOR[operation.kind] - _FOREIGN
                found[slot].append(Producer(operation, score, place.pointer, Evidence.SCHEMA))
    return {slot: _best(producers) for slot, producers in found.items()}


def _best(producers: Iterable[Producer]) -> list[Producer]:
    return sorted(producers, key=lambda p: (-round(p.score, 9), p.operation.tool.id))[:PRODUCERS_KEPT]


def _wanted_slot(index: SourceIndex, item: Input) -> Slot | None:
    """The foreign entity that an input names, e.g. `orderId` where nothing of this source is an order."""
    name = input_words(item)
    if not item.required or len(name) < 2 or name[-1] not in ID_WORDS:
        return None
    entity = name[:-1]
    if entity[-1] in _EVERYWHERE or entity[-1] in index.known.nouns:
        return None
    return Slot(" ".join(entity), id_family(name[-1]))


def _foreign_producers(slot: Slot, sources: Mapping[str, Exports], *, own: str) -> list[Producer]:
    """The best producers of a slot in other sources; none when too many sources have the entity."""
    having = [exported[slot] for server, exported in sources.items() if server != own and slot in exported]
    if not 0 < len(having) <= _MOST_SOURCES:
        return []
    return _best(producer for producers in having for producer in producers)


def _wanted_slots(index: SourceIndex) -> frozenset[Slot]:
    """All foreign entities that a source's inputs name."""
    items: Iterable[Input] = (item for operation in index.operations for item in operation.inputs)
    return frozenset(slot for item in items if (slot := _wanted_slot(index, item)) is not None)


def _is_own(operation: Operation, slot: Slot) -> bool:
    noun = slot.entity.rsplit(" ", 1)[-1]
    identifies = slot.field in ID_WORDS - {"name", "email", "url", "version", "index"}
    return (
        bool(slot.entity)
        and slot.field != ANY_FIELD
        and identifies
        and noun not in _EVERYWHERE
        and operation.resource[-1:] == (noun,)
    )


def _requirements(
    consumer: Operation, item: Input, producers: Sequence[Producer], vetoes: Collection[tuple[str, str]]
) -> Iterable[Requirement]:
    allowed = [
        producer for producer in producers if (consumer.tool.id, producer.operation.tool.id) not in vetoes
    ]
    required = is_needed(consumer, item)
    most = PRODUCERS_KEPT if required else PRODUCERS_COUNTED
    certain = CERTAIN if required else CERTAIN / _OPTIONAL
    for rank, producer in enumerate(allowed[:most], start=1):
        yield Requirement(
            consumer=consumer.tool.id,
            producer=producer.operation.tool.id,
            parameter=item.parameter,
            required=required,
            field=json_pointer(producer.pointer or ()),
            confidence=round(min(1.0, producer.score / certain), 4),
            evidence=producer.evidence,
            rank=rank,
        )


def _precedences(
    operations: Sequence[Operation], needed: Collection[tuple[str, str]], vetoes: Collection[tuple[str, str]]
) -> Iterable[Precedence]:
    """Reading an item before working on it or below it; reading before replacing on the same path."""
    by_pattern: defaultdict[str, dict[OperationKind, Operation]] = defaultdict(dict)
    for operation in operations:
        if operation.tool.path:
            by_pattern[operation.pattern].setdefault(operation.kind, operation)
    for operation in operations:
        if not operation.tool.path:
            continue
        firsts = [_item_read(operation, by_pattern), _collection_read(operation, by_pattern)]
        for first in {first.tool.id: first for first in firsts if first is not None}.values():
            pair = (operation.tool.id, first.tool.id)
            if first is not operation and pair not in vetoes and pair not in needed:
                yield Precedence(first.tool.id, operation.tool.id, 0.5, Evidence.PATH)


def _item_read(
    operation: Operation, by_pattern: Mapping[str, Mapping[OperationKind, Operation]]
) -> Operation | None:
    parts = operation.path_parts
    last = next((at for at in range(len(parts), 1, -1) if parts[at - 1] == "{}"), None)
    at_item = by_pattern.get("/".join(parts[:last]), {}) if last else {}
    return at_item.get(OperationKind.GET) or at_item.get(OperationKind.LIST)


def _collection_read(
    operation: Operation, by_pattern: Mapping[str, Mapping[OperationKind, Operation]]
) -> Operation | None:
    changes = (OperationKind.UPDATE, OperationKind.DELETE, OperationKind.CREATE)
    if operation.kind not in changes or operation.path_parts[-1] == "{}":
        return None
    same = by_pattern.get(operation.pattern, {})
    reads = (OperationKind.GET, OperationKind.LIST, OperationKind.SEARCH)
    return next((same[kind] for kind in reads if kind in same), None)
