"""OpenAPI documents: Swagger 2.0 and OpenAPI 3.0, 3.1, 3.2, in JSON or YAML, in one file or several."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from app.domain.models import EdgeKind, NodeKind, Property, Source
from app.errors import InvalidInputError, SourceRefusedError
from ingest.cards import (
    Card,
    Reference,
    Rejected,
    SourceDocument,
    StatedEdge,
    canonical_json,
    card_hash,
    sha256,
    source_id,
)
from ingest.sources.openapi_answers import Answers
from ingest.sources.openapi_bounds import bounded_schema, bounded_text
from ingest.sources.openapi_facts import ApiFacts, read_facts
from ingest.sources.openapi_operations import Found, Link, OperationReader, Shape
from ingest.sources.openapi_parameters import Parameters
from ingest.sources.openapi_references import Notes, References
from ingest.sources.openapi_schemas import Schema, Schemas
from ingest.sources.structured_text import JsonValue, parse_text
from ingest.sources.texts import Limits, check_name, kind_of, shown

VERSIONS = ("2.0", "3.0", "3.1", "3.2")
ACCEPTED = "accepted: OpenAPI 3.0, 3.1, 3.2 ('openapi: 3.x.y') or Swagger 2.0 ('swagger: \"2.0\"')"
_SAFE = {"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"}


@dataclass(frozen=True, slots=True)
class Selection:
    """Which operations of a document are wanted."""

    include_tags: tuple[str, ...] = ()
    """Operations with one of these tags; empty: all."""
    exclude_paths: tuple[str, ...] = ()
    """Patterns of paths that are left out: `*` stands for any text, `/` included."""
    skip_deprecated: bool = False

    def left_out_by(self, found: Found) -> str:
        """The option that leaves the operation out, or nothing."""
        if self.skip_deprecated and found.value.get("deprecated") is True:
            return "--skip-deprecated"
        if any(fnmatchcase(found.path, pattern) for pattern in self.exclude_paths):
            return "--exclude-path"
        if self.include_tags and not set(_tags(found.value)) & set(self.include_tags):
            return "--include-tag"
        return ""


@dataclass(frozen=True, slots=True)
class _Named:
    """An operation with its name and shape."""

    name: str
    found: Found
    shape: Shape


def parse_openapi(
    data: bytes,
    *,
    server: str,
    uri: str,
    synced_at: str,
    limits: Limits,
    selection: Selection = Selection(),
    root: Path | None = None,
    max_file_bytes: int = 64_000_000,
) -> SourceDocument:
    """The operations of one API as tools, its tags as categories, its links as dependencies.

    Operations that cannot be read are rejected by name; the rest goes on. Input schemas are JSON schemas
    that stand alone; answers are written out to a bound (`openapi_answers`).

    Other files that the document refers to are read when `uri` is a path; they must lie in `root`, or in
    the document's own folder where that is None.

    Raises:
        SourceRefusedError: this is no OpenAPI document, or one of a version that is not read. The message
            names the file and the place.
    """
    label, address, folder = _address(uri, root)
    document = parse_text(data, name=label)
    version = check_version(document, name=label)
    notes = Notes(label)
    references = References(
        document, address=address, root=folder, max_file_bytes=max_file_bytes, notes=notes
    )
    schemas = Schemas(references, notes)
    parameters = Parameters(references, schemas, notes, is_swagger=version == "2.0")
    reader = OperationReader(references, parameters, Answers(references), notes)
    facts = read_facts(document, references, uri=uri)

    found, rejected = _selected(reader, _paths(document, name=label), selection, notes)
    named, more = _named(reader, found, notes)
    _count_uncalled(reader, document, found, notes)
    cards = _tool_cards(named, server=server, facts=facts, limits=limits, notes=notes)
    info = document.get("info")
    stated = info.get("version", "") if isinstance(info, dict) else ""
    source = Source(
        id=source_id("openapi", server),
        kind="openapi",
        name=server,
        uri=uri,
        version=str(stated),
        content_hash=sha256(canonical_json([sha256(data), references.digest(), repr(selection)])),
        synced_at=synced_at,
    )
    return SourceDocument(
        source=source,
        cards=(*_category_cards(named, facts, server=server, limits=limits), *cards),
        rejected=(*rejected, *more),
        warnings=notes.lines(),
    )


def check_version(document: JsonValue, *, name: str) -> str:
    """Which of `VERSIONS` a document is.

    Raises:
        SourceRefusedError: none of them.
    """
    if document is None:
        raise SourceRefusedError(f"{name}: #: the document is empty; {ACCEPTED}")
    if not isinstance(document, dict):
        raise SourceRefusedError(f"{name}: #: {shown(document)} is {kind_of(document)}; {ACCEPTED}")
    for key, known in (("swagger", VERSIONS[:1]), ("openapi", VERSIONS[1:])):
        if key in document:
            text = str(document[key])
            version = next((v for v in known if text == v or text.startswith(f"{v}.")), None)
            if version is None:
                raise SourceRefusedError(
                    f"{name}: #/{key}: version {shown(document[key])} is not read; {ACCEPTED}"
                )
            return version
    keys = ", ".join(map(repr, list(document)[:5])) or "no keys"
    raise SourceRefusedError(
        f"{name}: #: an object with {keys} and without 'openapi' or 'swagger'; {ACCEPTED}"
    )


def _address(uri: str, root: Path | None) -> tuple[str, str, Path | None]:
    """A short name for messages, the absolute address, and the folder that may be read."""
    if uri.startswith(("http://", "https://")):
        return uri, uri, None
    path = Path(uri.removeprefix("file://")).resolve()
    return path.name, path.as_uri(), root or path.parent


def _paths(document: Schema, *, name: str) -> Schema:
    paths = document.get("paths")
    if paths is None and ("paths" in document or {"webhooks", "components", "servers"} & set(document)):
        return {}
    if not isinstance(paths, dict):
        found = f"{shown(paths)} is {kind_of(paths)}" if "paths" in document else "missing"
        raise SourceRefusedError(f"{name}: #/paths: {found}; accepted: an object with a path per key")
    return paths


def _selected(
    reader: OperationReader, paths: Schema, selection: Selection, notes: Notes
) -> tuple[list[Found], list[Rejected]]:
    kept: list[Found] = []
    rejected: list[Rejected] = []
    left_out: dict[str, int] = {}
    for item in reader.find(paths):
        if isinstance(item, Rejected):
            rejected.append(item)
        elif option := selection.left_out_by(item):
            left_out[option] = left_out.get(option, 0) + 1
        else:
            kept.append(item)
    if not kept and not left_out:
        notes.warn("paths", "no operations in here")
    for option, count in left_out.items():
        notes.warn("paths", f"{count:,} operations left out by {option}")
    return kept, rejected


def _named(
    reader: OperationReader, operations: Sequence[Found], notes: Notes
) -> tuple[list[_Named], list[Rejected]]:
    """Names and shapes: the `operationId`, or `METHOD_path` where there is none or another has it."""
    named: list[_Named] = []
    rejected: list[Rejected] = []
    taken: set[str] = set()
    for found in operations:
        try:
            name = _name(found, taken, notes)
            taken.add(name)
            named.append(_Named(name, found, reader.shape(found)))
        except InvalidInputError as error:
            rejected.append(Rejected(item=f"operation {shown(found.label)}", reason=str(error)))
    return named, rejected


def _name(found: Found, taken: set[str], notes: Notes) -> str:
    fallback = f"{found.method}_{found.path}"
    stated = found.value.get("operationId")
    name = fallback
    if stated is not None:
        try:
            name = check_name(stated, field="operationId")
        except InvalidInputError as error:
            notes.warn(found.label, f"{error}; the name is {fallback!r:.300}")
    if name in taken and name != fallback:
        notes.warn(found.label, f"operationId {name!r} comes twice; the name is {fallback!r:.300}")
        name = fallback
    if name in taken:
        raise InvalidInputError(f"the name {shown(name)} is taken by another operation")
    return check_name(name, field="name")


def _count_uncalled(
    reader: OperationReader, document: Schema, operations: Sequence[Found], notes: Notes
) -> None:
    webhooks = reader.count(document.get("webhooks")) + reader.count(document.get("x-webhooks"))
    callbacks = sum(map(reader.count_callbacks, operations))
    for count, what in ((webhooks, "webhooks"), (callbacks, "callbacks")):
        if count:
            notes.warn(what, f"{count:,} calls that the server makes; they are no tools")


def _tool_cards(
    named: Sequence[_Named], *, server: str, facts: ApiFacts, limits: Limits, notes: Notes
) -> list[Card]:
    edges = _link_edges(named, server=server, notes=notes)
    cut = sum(operation.shape.output_is_cut for operation in named)
    if cut:
        notes.warn("responses", f"the answers of {cut:,} operations are kept in part: the shallow fields")
    cards = []
    for operation in named:
        card = Card(
            kind=NodeKind.TOOL,
            id=f"{server}/{operation.name}",
            properties=_properties(operation, server=server, facts=facts, limits=limits, notes=notes),
            edges=(
                *(
                    StatedEdge(EdgeKind.BELONGS_TO, Reference(NodeKind.CATEGORY, f"{server}/{tag}"), "tags")
                    for tag in _tags(operation.found.value)
                ),
                *edges.get(operation.name, ()),
            ),
        )
        cards.append(replace(card, properties={**card.properties, "content_hash": card_hash(card)}))
    return cards


def _properties(
    operation: _Named, *, server: str, facts: ApiFacts, limits: Limits, notes: Notes
) -> dict[str, Property]:
    found = operation.found
    value = found.value
    label = found.label
    summary = _text(value.get("summary")) or _text(found.item.get("summary"))
    description = _text(value.get("description")) or _text(found.item.get("description"))
    whole = description if description.startswith(summary) else f"{summary}\n\n{description}".strip()
    output = operation.shape.output_schema
    method = found.method
    properties: dict[str, Property] = {
        "server": server,
        "name": operation.name,
        "title": bounded_text(summary, limits.text_bytes, notes, label) or None,
        "description": bounded_text(whole, limits.text_bytes, notes, label) or None,
        "input_schema": bounded_schema(
            operation.shape.input_schema, limits.schema_bytes, notes, f"{label}: input"
        ),
        "output_schema": bounded_schema(output, limits.schema_bytes, notes, f"{label}: answer")
        if output
        else None,
        "method": method,
        "path": found.path,
        "read_only": method in _SAFE,
        "destructive": True if method == "DELETE" else False if method in _SAFE else None,
        "idempotent": True if method in _SAFE or method in ("PUT", "DELETE") else None,
        "deprecated": value.get("deprecated") is True,
        "declared": False,
        "base_url": facts.base_url(value, found.item) or None,
        "security": facts.security(value) or None,
    }
    return {key: item for key, item in properties.items() if item is not None}


def _link_edges(named: Sequence[_Named], *, server: str, notes: Notes) -> dict[str, list[StatedEdge]]:
    """By the name of the operation that a link leads to: it can take a field of the link's answer."""
    by_id = {_text(operation.found.value.get("operationId")): operation for operation in reversed(named)}
    by_path = {(operation.found.path, operation.found.method): operation for operation in named}
    edges: dict[str, list[StatedEdge]] = {}
    seen: set[tuple[str, str, str]] = set()
    for producer in named:
        for link in producer.shape.links:
            consumer = (
                by_id.get(link.operation_id) if link.operation_id else by_path.get((link.path, link.method))
            )
            if consumer is None:
                notes.warn(
                    link.label, f"the operation {_target_of(link)!r:.200} is not in this document; left out"
                )
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


def _target_of(link: Link) -> str:
    return link.operation_id or f"{link.method} {link.path}"


def _parameter(link: Link, consumer: _Named) -> str:
    """The consumer's property that a link's parameter means; empty when there is none."""
    schema = consumer.shape.input_schema
    if link.parameter in schema["properties"]:
        return link.parameter
    return str(schema.get("x-body", "")) if link.parameter == "body" else ""


def _category_cards(named: Sequence[_Named], facts: ApiFacts, *, server: str, limits: Limits) -> list[Card]:
    """A category per tag that an operation has."""
    used = sorted({tag for operation in named for tag in _tags(operation.found.value)})
    cards = []
    for tag in used:
        description = facts.tags.get(tag, "")[: limits.text_bytes // 4]
        properties: dict[str, Property] = {"name": tag}
        if description:
            properties["description"] = description
        cards.append(Card(kind=NodeKind.CATEGORY, id=f"{server}/{tag}", properties=properties))
    return cards


def _tags(operation: Schema) -> list[str]:
    """The operation's tags, each once, without what cannot be a name."""
    tags = operation.get("tags")
    found = [tag.strip() for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
    return [tag for tag in dict.fromkeys(found) if tag and tag.isprintable() and len(tag) <= 200]


def _text(value: JsonValue) -> str:
    return value.replace("\0", "").strip() if isinstance(value, str) else ""
