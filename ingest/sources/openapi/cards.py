"""Operations, tags and links as cards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.adapters.documents.structured_text import JsonValue
from app.domain.language.accepted_text import TextLimits, shown
from app.domain.language.visible_text import refuse_hidden
from app.domain.nodes.models import EdgeKind, NodeKind, Property
from app.domain.schemas.walk import COMPOSED, NAMED, as_text, texts_in
from app.errors import InvalidInputError
from ingest.cards import Card, Reference, Rejected, StatedEdge, canonical_json, card_hash
from ingest.sources.hidden_text import Cleaner, Removals
from ingest.sources.openapi.dialects import RawSchema
from ingest.sources.openapi.facts import ApiFacts
from ingest.sources.openapi.operations import FoundOperation, ResponseLink, Shape
from ingest.sources.openapi.references import Notes

SAFE = {"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"}
"""Methods that change nothing."""
_INNER = ("items", "additionalProperties", "not", "if", "then", "else")
"""Keywords whose value is a schema; those of a long schema are cut as well."""


@dataclass(frozen=True, slots=True)
class Named:
    """An operation with its name and shape."""

    name: str
    found: FoundOperation
    shape: Shape
    security: list[str]
    """Each way to be let in."""


def tool_cards(
    named: Sequence[Named],
    *,
    server: str,
    facts: ApiFacts,
    limits: TextLimits,
    notes: Notes,
    removals: Removals,
) -> tuple[list[Card], list[Rejected]]:
    """A tool per operation, with its categories and what links say that it can take from others.

    One of which a name or a value holds a hidden character is rejected.
    """
    edges = _link_edges(named, server=server, notes=notes)
    cut = sum(operation.shape.output_is_cut for operation in named)
    if cut:
        notes.warn("responses", f"the answers of {cut:,} operations are kept in part: the shallow fields")
    cards: list[Card] = []
    rejected: list[Rejected] = []
    for operation in named:
        cleaner = Cleaner()
        label, tool_id = f"operation {shown(operation.found.label)}", f"{server}/{operation.name}"
        try:
            properties = _properties(
                operation, server=server, facts=facts, limits=limits, notes=notes, cleaner=cleaner
            )
        except InvalidInputError as error:
            rejected.append(Rejected(label, str(error), NodeKind.TOOL, tool_id))
            continue
        removals.add(label, cleaner)
        card = Card(
            kind=NodeKind.TOOL,
            id=tool_id,
            properties=properties,
            edges=(
                *(
                    StatedEdge(EdgeKind.BELONGS_TO, Reference(NodeKind.CATEGORY, f"{server}/{tag}"), "tags")
                    for tag in tags_of(operation.found.value)
                ),
                *edges.get(operation.name, ()),
            ),
        )
        whole = {**card.properties, "content_hash": card_hash(card)}
        cards.append(replace(card, properties=whole, hidden=cleaner.hidden))
    return cards, rejected


def _properties(
    operation: Named, *, server: str, facts: ApiFacts, limits: TextLimits, notes: Notes, cleaner: Cleaner
) -> dict[str, Property]:
    found = operation.found
    value = found.value
    label = found.label
    summary = _text(value.get("summary")) or _text(found.item.get("summary"))
    description = _text(value.get("description")) or _text(found.item.get("description"))
    summary, description = cleaner.text(summary, "summary"), cleaner.text(description, "description")
    whole = description if description.startswith(summary) else f"{summary}\n\n{description}".strip()
    output = operation.shape.output_schema
    method = found.method
    properties: dict[str, Property] = {
        "server": server,
        "name": operation.name,
        "title": _bounded_text(summary, limits.text_bytes, notes, label) or None,
        "description": _bounded_text(whole, limits.text_bytes, notes, label) or None,
        "input_schema": cleaner.schema(
            _bounded_schema(operation.shape.input_schema, limits.schema_bytes, notes, f"{label}: input"),
            "input",
        ),
        "output_schema": cleaner.schema(
            _bounded_schema(output, limits.schema_bytes, notes, f"{label}: answer"), "answer"
        )
        if output
        else None,
        "method": method,
        "path": found.path,
        "read_only": method in SAFE,
        "destructive": True if method == "DELETE" else False if method in SAFE else None,
        "idempotent": True if method in SAFE or method in ("PUT", "DELETE") else None,
        "deprecated": value.get("deprecated") is True,
        "declared": False,
        "base_url": facts.base_url(value, found.item) or None,
        "security": operation.security or None,
    }
    for key in ("name", "method", "path", "base_url", "security"):
        refuse_hidden(properties[key], field=key)
    return {key: item for key, item in properties.items() if item is not None}


def _link_edges(named: Sequence[Named], *, server: str, notes: Notes) -> dict[str, list[StatedEdge]]:
    """By the name of the operation that a link leads to: it can take a field of the link's answer."""
    by_target: dict[tuple[str, ...], Named] = {}
    for operation in reversed(named):
        found = operation.found
        by_target[(_text(found.value.get("operationId")),)] = by_target[found.method, found.path] = operation
    edges: dict[str, list[StatedEdge]] = {}
    seen: set[tuple[str, str, str]] = set()
    for producer in named:
        for link in producer.shape.links:
            consumer = by_target.get(link.target)
            if consumer is None:
                wanted = " ".join(link.target)
                notes.warn(link.label, f"the operation {wanted!r:.200} is not in this document; left out")
                continue
            parameter = _parameter(link, consumer)
            if not parameter:
                notes.warn(link.label, f"{consumer.name!r} takes no {link.parameter!r:.100}; left out")
                continue
            key = (consumer.name, producer.name, parameter)
            if key in seen or consumer is producer:
                continue
            seen.add(key)
            stated = edges.setdefault(consumer.name, [])
            rank = 1 + sum(edge.properties["parameter"] == parameter for edge in stated)
            properties: dict[str, Property] = {
                "parameter": parameter,
                "field": link.field,
                "confidence": 1.0,
                "evidence": "link",
                "rank": rank,
            }
            target = Reference(NodeKind.TOOL, f"{server}/{producer.name}")
            stated.append(StatedEdge(EdgeKind.REQUIRES, target, link.label, properties))
    return edges


def _parameter(link: ResponseLink, consumer: Named) -> str:
    """The consumer's property that a link's parameter means; empty when no property fits."""
    schema = consumer.shape.input_schema
    for key, value in schema["properties"].items():
        if link.parameter == value.get("x-name", key) and link.place in ("", value.get("x-in")):
            return str(key)
    return str(schema.get("x-body", "")) if link.parameter == "body" else ""


def category_cards(
    named: Sequence[Named], facts: ApiFacts, *, server: str, limits: TextLimits, removals: Removals
) -> list[Card]:
    """A category per tag that an operation has."""
    used = sorted({tag for operation in named for tag in tags_of(operation.found.value)})
    cards = []
    for tag in used:
        cleaner = Cleaner()
        description = cleaner.text(facts.tags.get(tag, ""), "description")[: limits.text_bytes // 4]
        removals.add(f"tag {shown(tag)}", cleaner)
        properties: dict[str, Property] = {"name": tag}
        if description:
            properties["description"] = description
        cards.append(Card(kind=NodeKind.CATEGORY, id=f"{server}/{tag}", properties=properties))
    return cards


def tags_of(operation: RawSchema) -> list[str]:
    """The operation's tags, each once, without what cannot be a name."""
    found = [tag.strip() for tag in texts_in(operation.get("tags"))]
    return [tag for tag in dict.fromkeys(found) if tag and tag.isprintable() and len(tag) <= 200]


def _text(value: JsonValue) -> str:
    return as_text(value).strip()


def _bounded_text(text: str, max_bytes: int, notes: Notes, label: str) -> str:
    """The text, cut to `max_bytes` of UTF-8."""
    if len(text) * 4 <= max_bytes or len(text.encode()) <= max_bytes:
        return text
    notes.warn(label, f"a text of {len(text.encode()):,} bytes is cut; kept: {max_bytes:,}")
    return text.encode()[:max_bytes].decode(errors="ignore")


def _bounded_schema(schema: RawSchema, max_bytes: int, notes: Notes, label: str) -> str:
    """The schema as canonical JSON of at most `max_bytes`.

    What does not fit goes in this order: texts below the first level, then what lies deeper than 6, 4 and 2
    levels (any value is accepted there), then the texts of the first level, then everything but names.
    """
    text = canonical_json(schema)
    size = len(text.encode())
    if size <= max_bytes:
        return text
    for depth, described in ((99, 1), (6, 1), (4, 1), (2, 1), (2, 0), (1, 0)):
        text = canonical_json(_cut(schema, depth=depth, described=described))
        if len(text.encode()) <= max_bytes:
            notes.warn(label, f"a schema of {size:,} bytes is kept in part, as {len(text.encode()):,}")
            return text
    notes.warn(label, f"a schema of {size:,} bytes is left out; accepted: up to {max_bytes:,}")
    return canonical_json({"type": schema.get("type", "object")})


def _cut(schema: JsonValue, *, depth: int, described: int) -> Any:
    if not isinstance(schema, dict):
        return schema

    def inner(part: JsonValue) -> Any:
        return _cut(part, depth=depth - 1, described=described - 1) if depth > 0 else {}

    out: RawSchema = {}
    for key, value in schema.items():
        if key in ("description", "examples") and described < 0:
            continue
        if key in NAMED and isinstance(value, dict):
            out[key] = {name: inner(item) for name, item in value.items()}
        elif key in (*COMPOSED, "prefixItems") and isinstance(value, list):
            out[key] = [inner(item) for item in value]
        elif key in _INNER and isinstance(value, dict):
            out[key] = inner(value)
        else:
            out[key] = value
    return out
