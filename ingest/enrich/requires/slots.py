"""Typed slots: what an input needs and what an answer gives, as (entity, field), e.g. (pet, id)."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.domain.language.identifiers import ID_WORDS, id_family, words
from app.domain.language.operation_words import OperationKind
from app.domain.planning.operations import Operation, PathPlace, is_envelope
from app.domain.schemas.tool_schemas import ITEM, Input, Output
from app.lexicon.lists import table
from ingest.enrich.requires.words import (
    BARE_ID_NAMES,
    FIELD_FAMILIES,
    FOREIGN_HEADERS,
    GENERIC_NAMES,
    OPTIONAL_FIELDS,
    SET_FORMATS,
    SOFT_ENDINGS,
    TRAILING_WORDS,
    WRAPPERS,
)

ANY_FIELD = "*"
_UNNAMED = ""
# Bounded: each `<` and `(` would else be read to the end of the text.
_MARKUP = re.compile(r"<[^>]{1,500}+>|\([^)]{0,500}+\)|https?:\S+")
_RESOURCE_NAME = re.compile(
    r"(?:[Ff]ormat|form|pattern|e\.g\.)[^`\"]{0,30}?[`\"]?((?:[\w\-]{1,100}+/\{?[\w\-]+\}?/?)+)"
)
_SCHEMA_VERSION = re.compile(r"^.*[.\-]v\d\w*+\.")
_DESCRIPTION_CHARS = 220
_NOUNS_OF_DESCRIPTION = 2

_ABOUT_ONE = (OperationKind.GET, OperationKind.UPDATE, OperationKind.DELETE, OperationKind.ACTION)
"""Kinds of calls that are about one thing, which is there."""

Words = tuple[str, ...]


class Slot(NamedTuple):
    """What a value is: a field of an entity. Entity empty: `field` is the value's whole name."""

    entity: str
    field: str


class SlotValue(NamedTuple):
    """That an answer holds the value of a slot: how surely, where, and of which type."""

    weight: float
    pointer: tuple[str, ...] | None
    """None where the answer's schema is not known and the value is only expected."""
    type: str
    named: tuple[str, ...] | None = None
    """Where a field of the answer says whose value it is: `datasetReference/datasetId`."""


@dataclass(frozen=True, slots=True)
class EntityVocabulary:
    """What a source's operations say together about its entities."""

    item_fields: Mapping[Words, str]
    """Field by which item paths identify an entity: `/namespaces/{name}` says name."""
    nouns: frozenset[str]
    """Last words of resources."""


def vocabulary(operations: Iterable[Operation]) -> EntityVocabulary:
    """The entities of these operations."""
    fields: defaultdict[Words, Counter[str]] = defaultdict(Counter)
    resource_nouns: set[str] = set()
    for operation in operations:
        resource_nouns.update(operation.resource[-1:])
        name = words(operation.ends_with_parameter)
        place = operation.places.get(operation.ends_with_parameter)
        if name and place is not None and place.adjacent and place.noun and name[-1] in ID_WORDS:
            fields[place.noun][id_family(name[-1])] += 1
    chosen = {entity: min(found, key=lambda f: (-found[f], f)) for entity, found in fields.items()}
    return EntityVocabulary(chosen, frozenset(resource_nouns))


def given_slots(operation: Operation) -> dict[Slot, SlotValue]:
    """Slots that an operation's answer fills, each with the surest place."""
    found: dict[Slot, SlotValue] = {}
    named: dict[Slot, tuple[float, tuple[str, ...]]] = {}

    def put(entity: Words, field: str, weight: float, pointer: tuple[str, ...] | None, type_: str) -> None:
        slot = Slot(" ".join(entity), field)
        if slot not in found or found[slot].weight < weight:
            found[slot] = SlotValue(weight, pointer, type_)

    for output in operation.answer.fields:
        name = words(output.name)
        if not name or output.type in ("boolean", "object", "array"):
            continue
        parents = _parents(output)
        owners = _owners(operation, output, parents)
        deep = 0.04 * max(0, len(parents) - 1)
        pointer, type_ = output.pointer, output.type
        if len(name) == 1 and name[0] in ID_WORDS:
            field = id_family(name[0])
            for entity, weight in owners:
                put(entity, field, weight - deep, pointer, type_)
                if len(entity) > 1:
                    put(entity[-1:], field, weight * 0.8 - deep, pointer, type_)
            continue
        if name[-1] in ID_WORDS:
            entity, field = name[:-1], id_family(name[-1])
            own = any({*entity} <= {*owner} or entity[-1] == owner[-1] for owner, _ in owners)
            put(entity, field, (0.98 if own else 0.8) - deep, pointer, type_)
            slot = Slot(" ".join(entity), field)
            if own and _is_said_by(parents, entity) and (slot not in named or deep < named[slot][0]):
                named[slot] = deep, pointer
            if len(entity) > 1:
                put(entity[-1:], field, (0.7 if own else 0.5) - deep, pointer, type_)
        else:
            put(name, "id", 0.5 - deep, pointer, type_)
        if " ".join(name) not in GENERIC_NAMES:
            put((), " ".join(name), 0.9 - deep, pointer, type_)
    if operation.resource and operation.kind in (
        OperationKind.LIST,
        OperationKind.SEARCH,
        OperationKind.CREATE,
    ):
        known = bool(operation.answer.fields)
        put(operation.resource, ANY_FIELD, 0.45 if known else 0.62, None, "")
        if len(operation.resource) > 1:
            put(operation.resource[-1:], ANY_FIELD, 0.3 if known else 0.45, None, "")
    for slot, (_, place) in named.items():
        found[slot] = found[slot]._replace(named=place)
    return found


def _parents(output: Output) -> list[str]:
    at = output.pointer[:-1]
    named = [segment for segment in at if segment != ITEM]
    return named[:-1] if output.pointer[-1] == ITEM and named else named


def _is_said_by(parents: Sequence[str], entity: Words) -> bool:
    """Whether the part of an answer that a field stands in is named after the entity: `tables`, `tableReference`."""
    parent = next((words(name) for name in reversed(parents) if not is_envelope(name)), ())
    return not parent or parent[: len(entity)] == entity


def _owners(operation: Operation, output: Output, parents: Sequence[str]) -> list[tuple[Words, float]]:
    """Entities that a field may belong to: nearest named parent, schema name, resource of the call."""
    owners: list[tuple[Words, float]] = []
    parent = next((words(name) for name in reversed(parents) if not is_envelope(name)), ())
    if parent:
        owners.append((parent, 0.95))
    titled = schema_words(output.owner)
    if titled:
        owners.append((titled, 0.95))
    resource = operation.resource
    if not parent:
        if resource:
            changes = operation.kind in (OperationKind.ACTION, OperationKind.UPDATE)
            owners.append((resource, 0.8 if changes else 1.0))
        answer = schema_words(operation.answer.title)
        if answer:
            owners.append((answer, 0.95))
    elif resource and parent[-1] == resource[-1]:
        owners.append((resource, 1.0))
    return owners


def schema_words(title: str) -> Words:
    """Words of a schema's name without those that only wrap: `PetListResponse` is (pet)."""
    return tuple(
        word for word in words(_SCHEMA_VERSION.sub("", title)) if word not in WRAPPERS and not word.isdigit()
    )


def input_words(item: Input) -> Words:
    """Words of an input's name, without those that say how the value is passed."""
    name = words(item.name)
    return name[:-1] if len(name) > 2 and name[-1] in TRAILING_WORDS else name


def needs_producer(item: Input, name: Words) -> bool:
    """Whether the value of an input may come from another call, rather than from the caller."""
    if not name or item.is_container or item.type in ("boolean", "object") or item.has_enum:
        return False
    if not item.required and not (name[-1] in ID_WORDS and id_family(name[-1]) in OPTIONAL_FIELDS):
        return False
    if item.location in ("header", "cookie"):
        return name[-1] in ("id", "sid", "uuid") and " ".join(name) not in FOREIGN_HEADERS
    if item.location == "path":
        return True
    if item.type in ("array", "integer") and name[-1] not in ID_WORDS:
        return False
    generic = " ".join(name) in GENERIC_NAMES and item.name.lower() not in BARE_ID_NAMES
    return not (generic or name[-1] in SOFT_ENDINGS or item.format in SET_FORMATS or item.type == "number")


def is_the_thing(operation: Operation, item: Input, name: Words) -> bool:
    """Whether an input is called as what a remote call is about, and so says which one: `file` of `/files.delete`.

    Elsewhere the path says which, and what is called so may be new: the `message` of `POST /message`.
    """
    return (
        bool(operation.namespace)
        and item.location in ("query", "body")
        and item.type in ("string", "")
        and not (item.is_container or item.has_enum or item.format)
        and operation.kind in _ABOUT_ONE
        and name in (operation.resource, operation.namespace)
        and not set(name) & set(table("inputs")["written"])
    )


def is_needed(operation: Operation, item: Input) -> bool:
    """Whether a call cannot do without an input: it is required, or says which thing is meant where nothing is required.

    Documents of remote calls (`/files.delete`) often require nothing.
    """
    if item.required:
        return True
    nothing = not any(other.required for other in operation.inputs)
    return nothing and is_the_thing(operation, item, input_words(item))


def is_own_content(operation: Operation, item: Input, name: Words) -> bool:
    """Whether an input describes the very thing that a call creates: `client_uri` of a new client, or its `id`.

    Below an item (`/users/{id}/roles`) it may name an existing thing that is attached there.
    """
    if operation.kind is not OperationKind.CREATE or item.location == "path" or operation.places:
        return False
    if len(name) == 1 and name[0] in ID_WORDS:
        return item.location == "body" and not item.required and not item.parameter.startswith("/")
    entity = name[:-1] if len(name) > 1 and name[-1] in ID_WORDS else name
    return bool(operation.resource) and entity[-1] == operation.resource[-1]


def needed_slots(
    operation: Operation, item: Input, name: Words, known: EntityVocabulary
) -> list[tuple[Slot, float]]:
    """Slots that would fill an input, with how well each fits. A slot may come more than once."""
    place = operation.place(item)
    documented = _documented_collection(item, name)
    if documented:
        return _typed(documented, "name", 1.0)
    if place.adjacent and place.noun == name and len(name) > 1:
        return _identifiers(place.noun, 1.0)
    if len(name) > 1 and name[-1] in ID_WORDS:
        return _needed_by_full_name(name, place)
    if len(name) == 1 and name[0] in ID_WORDS:
        return _needed_by_bare_id(operation, item, name, place, known)
    if item.location == "path":
        found: list[tuple[Slot, float]] = []
        if name in known.item_fields:
            found += _typed(name, known.item_fields[name], 1.0)
        found += _identifiers(name, 0.95)
        if place.noun and place.noun != name:
            found += _identifiers(place.noun, 0.8)
        return found + _whole_name(name, 0.95)
    if is_the_thing(operation, item, name):
        return _identifiers(name, 0.95) + _whole_name(name, 0.6)
    found = _whole_name(name, 0.6)
    if found and item.type in ("string", "integer", "array", ""):
        found += _typed(name, "id", 0.6)
    return found


def _documented_collection(item: Input, name: Words) -> Words:
    """Collection named by a description such as `Format: accounts/{a}/sites/{s}`."""
    if item.location != "path" or len(name) != 1 or not item.description:
        return ()
    match = _RESOURCE_NAME.search(item.description)
    parts = match.group(1).strip("/").split("/") if match else []
    collections = [part for part in parts[0::2] if not part.startswith("{")]
    return words(collections[-1]) if collections and len(parts) % 2 == 0 else ()


def _needed_by_full_name(name: Words, place: PathPlace) -> list[tuple[Slot, float]]:
    entity, field = name[:-1], id_family(name[-1])
    glued = (
        place.adjacent and place.noun not in ((), entity) and "".join(place.noun).endswith("".join(entity))
    )
    found = _typed(entity, field, 0.7 if glued else 1.0)
    if place.noun and place.noun != entity:
        weight = 0.9 if place.noun[-1] == entity[-1] else 0.75
        found += _typed(place.noun, field, 1.0 if glued else weight)
    return found + _whole_name(name, 0.95)


def _needed_by_bare_id(
    operation: Operation, item: Input, name: Words, place: PathPlace, known: EntityVocabulary
) -> list[tuple[Slot, float]]:
    field = id_family(name[0])
    if item.location == "path":
        return _typed(place.noun, field, 1.0)
    found: list[tuple[Slot, float]] = []
    if item.name.lower() in BARE_ID_NAMES or name[0] in ("sku", "isbn"):
        parents = [segment for segment in item.pointer[:-1] if segment != ITEM]
        parent = words(parents[-1]) if parents and not is_envelope(parents[-1]) else ()
        found += _typed(parent, field, 0.95) if parent else _typed(operation.resource, field, 0.8)
    named = [
        word
        for word in words(_MARKUP.sub(" ", item.description)[:_DESCRIPTION_CHARS])
        if word in known.nouns and word not in ID_WORDS and word not in WRAPPERS
    ]
    for at, word in enumerate(named[:_NOUNS_OF_DESCRIPTION]):
        found += _typed((word,), field, 0.9 - 0.1 * at)
    return found


def _typed(entity: Words, field: str, weight: float) -> list[tuple[Slot, float]]:
    """A named field of an entity; other identifying fields of it, and of its head noun, at a discount."""
    if not entity:
        return []
    whole = " ".join(entity)
    found = [(Slot(whole, field), weight)]
    if field == "id":
        found += [(Slot(whole, f), weight * share * 0.6) for f, share in FIELD_FAMILIES.items() if f != "id"]
    else:
        found.append((Slot(whole, "id"), weight * 0.6))
    return found + _fallbacks(entity, field, weight)


def _identifiers(entity: Words, weight: float) -> list[tuple[Slot, float]]:
    """Whatever identifies an entity, when the input's name does not say which field that is."""
    whole = " ".join(entity)
    found = [(Slot(whole, field), weight * share) for field, share in FIELD_FAMILIES.items()]
    return found + _fallbacks(entity, "id", weight)


def _fallbacks(entity: Words, field: str, weight: float) -> list[tuple[Slot, float]]:
    found = [(Slot(" ".join(entity), ANY_FIELD), weight * 0.9)]
    if len(entity) > 1:
        found += [(Slot(entity[-1], field), weight * 0.7), (Slot(entity[-1], ANY_FIELD), weight * 0.55)]
    return found


def _whole_name(name: Words, weight: float) -> list[tuple[Slot, float]]:
    whole = " ".join(name)
    return [] if whole in GENERIC_NAMES else [(Slot(_UNNAMED, whole), weight)]
