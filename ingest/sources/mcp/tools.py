"""Tools as MCP writes them, one after the other, wherever they come from."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from app.adapters.documents.structured_text import MAX_DEPTH, deeper_than
from app.domain.language.accepted_text import TextLimits, check_name, check_text, kind_of, shown, utf8_size
from app.domain.nodes.models import NodeKind, Property
from app.domain.schemas.tool_formats import HINTS
from app.domain.schemas.walk import as_object
from app.errors import InvalidInputError
from ingest.cards import Card, Rejected, canonical_json, card_hash
from ingest.sources.hidden_text import Cleaner, Removals

_MCP_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")


@dataclass(frozen=True, slots=True)
class ToolCards:
    """What became of the tools of one server."""

    cards: tuple[Card, ...]
    rejected: tuple[Rejected, ...]
    warnings: tuple[str, ...]


def tool_cards(items: Sequence[object], *, server: str, limits: TextLimits) -> ToolCards:
    """The tools of a server; broken ones are rejected by name, the rest goes on.

    Fields that MCP does not define are left out; MCP allows them.
    """
    cards: dict[str, Card] = {}
    rejected: list[Rejected] = []
    warnings: list[str] = []
    removals = Removals()
    for index, item in enumerate(items):
        cleaner = Cleaner()
        try:
            card = _card(item, server=server, limits=limits, warnings=warnings, cleaner=cleaner)
        except InvalidInputError as error:
            rejected.append(_rejected(item, index, server=server, reason=str(error)))
            continue
        if card.id in cards:
            reason = "this name comes twice; the first tool of the name is kept"
            rejected.append(_rejected(item, index, server=server, reason=reason))
        else:
            cards[card.id] = replace(card, hidden=cleaner.hidden)
            removals.add(f"tool {str(card.properties['name'])!r}", cleaner)
    return ToolCards(tuple(cards.values()), tuple(rejected), (*warnings, *removals.lines()))


def _card(item: object, *, server: str, limits: TextLimits, warnings: list[str], cleaner: Cleaner) -> Card:
    if not isinstance(item, dict):
        raise InvalidInputError(f"{shown(item)} is {kind_of(item)}; accepted: an object with 'name'")
    if "name" not in item:
        raise InvalidInputError("has no 'name'; accepted: an object with 'name'")
    name = check_name(item["name"], field="name")
    if not _MCP_NAME.fullmatch(name):
        warnings.append(f"tool {name!r}: outside MCP's names (A-Z, a-z, 0-9, _, ., -; up to 128); accepted")
    annotations = item.get("annotations")
    if annotations is not None and not isinstance(annotations, dict):
        warnings.append(f"tool {name!r}: annotations is {kind_of(annotations)}, not an object; left out")
    hints = as_object(annotations)
    title = cleaner.text(item["title"] if item.get("title") is not None else hints.get("title"), "title")
    description = cleaner.text(item.get("description"), "description")
    text = limits.text_bytes
    properties: dict[str, Property] = {
        "server": server,
        "name": name,
        "title": check_text(title, field="title", max_bytes=text) or None,
        "description": check_text(description, field="description", max_bytes=text) or None,
        "input_schema": _schema(item, ("inputSchema", "input_schema", "parameters"), limits, cleaner),
        "output_schema": _schema(item, ("outputSchema", "output_schema"), limits, cleaner),
        **dict(_hints(hints, name=name, warnings=warnings)),
        "deprecated": False,
        "declared": False,
    }
    stated = {key: value for key, value in properties.items() if value is not None}
    card = Card(kind=NodeKind.TOOL, id=f"{server}/{name}", properties=stated)
    return replace(card, properties={**stated, "content_hash": card_hash(card)})


def _schema(
    item: Mapping[str, object], names: Sequence[str], limits: TextLimits, cleaner: Cleaner
) -> str | None:
    name = next((name for name in names if item.get(name) is not None), None)
    if name is None:
        return None
    schema = item[name]
    if not isinstance(schema, dict):
        raise InvalidInputError(
            f"{name}: {shown(schema)} is {kind_of(schema)}; accepted: a JSON schema object"
        )
    if deeper_than(schema, MAX_DEPTH):
        raise InvalidInputError(f"{name}: nested more than {MAX_DEPTH} levels deep; accepted: up to that")
    try:
        text = canonical_json(schema)
    except ValueError as error:
        raise InvalidInputError(f"{name}: holds a number that JSON does not have") from error
    text = cleaner.schema(text, name)
    size = utf8_size(text, field=name)
    if size > limits.schema_bytes:
        raise InvalidInputError(f"{name}: {size:,} bytes; accepted: up to {limits.schema_bytes:,}")
    return text


def _hints(
    annotations: Mapping[str, object], *, name: str, warnings: list[str]
) -> Iterator[tuple[str, bool | None]]:
    for hint, field in HINTS.items():
        value = annotations.get(hint)
        if value is None or isinstance(value, bool):
            yield field, value
        else:
            warnings.append(f"tool {name!r}: {hint} is {shown(value)}, not true or false; left out")


def _rejected(item: object, index: int, *, server: str, reason: str) -> Rejected:
    name = as_object(item).get("name")
    if isinstance(name, str) and name:
        return Rejected(item=f"tool {shown(name)}", reason=reason, kind=NodeKind.TOOL, id=f"{server}/{name}")
    return Rejected(item=f"tools[{index}]", reason=reason)
