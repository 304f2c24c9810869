"""An MCP server's tools: the answer to `tools/list`, as a file."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.domain.models import NodeKind, Property, Source
from app.errors import InvalidInputError, SourceRefusedError
from ingest.cards import Card, Rejected, SourceDocument, canonical_json, card_hash, sha256, source_id
from ingest.sources.documents import load_json
from ingest.sources.texts import Limits, check_name, check_text, kind_of, shown, utf8_size

ACCEPTED = 'accepted: {"tools": [...]}, a list of tools, or the JSON-RPC answer {"result": {"tools": [...]}}'
HINTS = {
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
}
_MCP_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_MAX_SCHEMA_DEPTH = 200


def parse_manifest(
    data: bytes, *, server: str, uri: str, synced_at: str, limits: Limits, source_kind: str = "manifest"
) -> SourceDocument:
    """The tools of one server; broken ones are rejected by name, the rest goes on.

    Fields that MCP does not define are left out; MCP allows them.

    Raises:
        SourceRefusedError: the document is no tools/list answer.
    """
    name = source_id(source_kind, server)
    document = load_json(data, name=uri)
    items, warnings = _tools(document, uri=uri)
    cards: dict[str, Card] = {}
    rejected: list[Rejected] = []
    for index, item in enumerate(items):
        try:
            card = _card(item, server=server, limits=limits, warnings=warnings)
        except InvalidInputError as error:
            rejected.append(_rejected(item, index, server=server, reason=str(error)))
            continue
        if card.id in cards:
            reason = "this name comes twice; the first tool of the name is kept"
            rejected.append(_rejected(item, index, server=server, reason=reason))
        else:
            cards[card.id] = card
    version = document.get("version", "") if isinstance(document, dict) else ""
    source = Source(
        id=name,
        kind=source_kind,
        name=server,
        uri=uri,
        version=version if isinstance(version, str) else str(version),
        content_hash=sha256(data),
        synced_at=synced_at,
    )
    return SourceDocument(
        source=source, cards=tuple(cards.values()), rejected=tuple(rejected), warnings=tuple(warnings)
    )


def _tools(document: object, *, uri: str) -> tuple[Sequence[Any], list[str]]:
    answer = document
    if isinstance(answer, dict) and "error" in answer and "result" not in answer:
        raise SourceRefusedError(f"{uri}: holds the error {shown(answer['error'])}; {ACCEPTED}")
    if isinstance(answer, dict) and isinstance(answer.get("result"), dict):
        answer = answer["result"]
    warnings = []
    if isinstance(answer, dict):
        if answer.get("nextCursor"):
            warnings.append(f"{uri}: nextCursor is set: this is one page, tools of later pages are missing")
        if "tools" not in answer:
            fields = ", ".join(map(repr, list(answer)[:5])) or "no fields"
            raise SourceRefusedError(f"{uri}: an object with {fields} and without 'tools'; {ACCEPTED}")
        answer = answer["tools"]
    if not isinstance(answer, list):
        raise SourceRefusedError(
            f"{uri}: {shown(answer)} is {kind_of(answer)}, not a list of tools; {ACCEPTED}"
        )
    return answer, warnings


def _card(item: object, *, server: str, limits: Limits, warnings: list[str]) -> Card:
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
    hints = annotations if isinstance(annotations, dict) else {}
    title = item["title"] if item.get("title") is not None else hints.get("title")
    text = limits.text_bytes
    properties: dict[str, Property] = {
        "server": server,
        "name": name,
        "title": check_text(title, field="title", max_bytes=text) or None,
        "description": check_text(item.get("description"), field="description", max_bytes=text) or None,
        "input_schema": _schema(item, ("inputSchema", "input_schema", "parameters"), limits),
        "output_schema": _schema(item, ("outputSchema", "output_schema"), limits),
        **dict(_hints(hints, name=name, warnings=warnings)),
        "deprecated": False,
        "declared": False,
    }
    stated = {key: value for key, value in properties.items() if value is not None}
    card = Card(kind=NodeKind.TOOL, id=f"{server}/{name}", properties=stated)
    return replace(card, properties={**stated, "content_hash": card_hash(card)})


def _schema(item: Mapping[str, object], names: Sequence[str], limits: Limits) -> str | None:
    name = next((name for name in names if item.get(name) is not None), None)
    if name is None:
        return None
    schema = item[name]
    if not isinstance(schema, dict):
        raise InvalidInputError(
            f"{name}: {shown(schema)} is {kind_of(schema)}; accepted: a JSON schema object"
        )
    if _deeper_than(schema, _MAX_SCHEMA_DEPTH):
        raise InvalidInputError(
            f"{name}: nested more than {_MAX_SCHEMA_DEPTH} levels deep; accepted: up to that"
        )
    text = canonical_json(schema)
    size = utf8_size(text, field=name)
    if size > limits.schema_bytes:
        raise InvalidInputError(f"{name}: {size:,} bytes; accepted: up to {limits.schema_bytes:,}")
    return text


def _deeper_than(value: object, depth: int) -> bool:
    level = [value]
    for _ in range(depth):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return False
    return True


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return [child for child in value.values() if isinstance(child, (dict, list))]
    if isinstance(value, list):
        return [child for child in value if isinstance(child, (dict, list))]
    return []


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
    name = item.get("name") if isinstance(item, dict) else None
    if isinstance(name, str) and name:
        return Rejected(item=f"tool {shown(name)}", reason=reason, kind=NodeKind.TOOL, id=f"{server}/{name}")
    return Rejected(item=f"tools[{index}]", reason=reason)
