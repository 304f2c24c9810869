"""Producers in other sources, where an entity is named the same and belongs to one side only."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from app.domain.language.identifiers import ID_WORDS, id_family
from app.domain.language.operation_words import OperationKind
from app.domain.nodes.dependencies import PRODUCERS_KEPT, Evidence
from app.domain.planning.operations import Operation
from app.domain.schemas.tool_schemas import Input
from ingest.enrich.requires.matching import Producer, SourceIndex
from ingest.enrich.requires.slots import ANY_FIELD, Slot, input_words
from ingest.enrich.requires.words import KIND_PRIOR

SURE_WEIGHT = 0.94
"""Weight from which an answer is taken to hold an entity's identifier."""
FOREIGN = 0.15
"""What a score loses where producer and consumer are of two sources."""
MOST_SOURCES = 3
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


def exports(index: SourceIndex) -> dict[Slot, list[Producer]]:
    """The identifiers of a source's own entities, with the few calls that give each best."""
    found: defaultdict[Slot, list[Producer]] = defaultdict(list)
    for operation, given in zip(index.operations, index.given, strict=True):
        if operation.kind not in _GIVING_KINDS or operation.tool.deprecated:
            continue
        for slot, place in given.items():
            if place.weight >= SURE_WEIGHT and place.pointer is not None and _is_own(operation, slot):
                score = place.weight + KIND_PRIOR[operation.kind] - FOREIGN
                found[slot].append(Producer(operation, score, place.pointer, Evidence.SCHEMA))
    return {
        slot: sorted(producers, key=lambda p: (-round(p.score, 9), p.operation.tool.id))[:PRODUCERS_KEPT]
        for slot, producers in found.items()
    }


def wanted_slot(index: SourceIndex, item: Input) -> Slot | None:
    """The foreign entity that an input names, e.g. `orderId` where nothing of this source is an order."""
    name = input_words(item)
    if not item.required or len(name) < 2 or name[-1] not in ID_WORDS:
        return None
    entity = name[:-1]
    if entity[-1] in _EVERYWHERE or entity[-1] in index.known.nouns:
        return None
    return Slot(" ".join(entity), id_family(name[-1]))


def foreign_producers(slot: Slot, sources: Mapping[str, Exports], *, own: str) -> list[Producer]:
    """The best producers of a slot in other sources; none when too many sources have the entity."""
    having = [exported[slot] for server, exported in sources.items() if server != own and slot in exported]
    if not 0 < len(having) <= MOST_SOURCES:
        return []
    every: Iterator[Producer] = (producer for producers in having for producer in producers)
    return sorted(every, key=lambda p: (-round(p.score, 9), p.operation.tool.id))[:PRODUCERS_KEPT]


def wanted_slots(index: SourceIndex) -> frozenset[Slot]:
    """All foreign entities that a source's inputs name."""
    items: Iterable[Input] = (item for operation in index.operations for item in operation.inputs)
    return frozenset(slot for item in items if (slot := wanted_slot(index, item)) is not None)


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
