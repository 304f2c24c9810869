"""A backup read again: line by line, nothing taken on trust."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from app.domain.backup.lines import (
    FORMAT,
    BackupEdge,
    BackupEnd,
    BackupHead,
    BackupItem,
    BackupNode,
    BackupPart,
    BackupSums,
)
from app.domain.field_errors import refused_fields
from app.domain.language.accepted_text import kind_of, shown
from app.domain.nodes.edge_forms import EDGE_FORMS
from app.domain.nodes.models import (
    EdgeForm,
    EdgeKind,
    EdgeRow,
    NodeKind,
    NodeRow,
    Property,
    Provision,
    Source,
)
from app.domain.nodes.syncs import SyncRecord
from app.domain.review.definitions import read_definition
from app.domain.review.records import Review
from app.domain.workflows.plans import Plan
from app.errors import InvalidInputError

MAX_LINE_BYTES: Final = 64_000_000
"""As the largest document that an ingest reads; a tool with both its schemas takes a few megabytes at most."""
MAX_NODES: Final = 5_000_000
"""Their ids are held while the file is checked: half a gigabyte."""
MAX_ID_CHARS: Final = 2_000
"""Ids of tools have up to 520; those of examples and of workflows of documents are made of several."""
_MAX_PROPERTIES: Final = 64
"""A tool has up to 30."""
_PROPERTY = re.compile(r"[a-z][a-z0-9_]{0,63}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_INTEGERS: Final = range(-(2**63), 2**63)
"""What both engines store."""
_PART_OF: Final = {
    "from": BackupPart.SOURCES,
    "node": BackupPart.NODES,
    "edge": BackupPart.EDGES,
    "provision": BackupPart.PROVISIONS,
    "review": BackupPart.REVIEWS,
    "sync": BackupPart.SYNCS,
}
_ORDER: Final = {part: place for place, part in enumerate(BackupPart)}
M = TypeVar("M", bound=BaseModel)


class BackupReader:
    """Reads the lines of one backup, from the first to the last.

    Args:
        schema_version: of the graph that it is for; a newer one is refused.
    """

    def __init__(self, *, schema_version: int) -> None:
        self._schema_version = schema_version
        self._sums = BackupSums()
        self._sources: set[str] = set()
        self._ids: dict[NodeKind, set[str]] = {kind: set() for kind in NodeKind}
        self._reviews: set[str] = set()
        self._part = BackupPart.SOURCES
        self.head: BackupHead | None = None
        """The first line, once it is read."""
        self.end: BackupEnd | None = None
        """The last line, once it is read and right."""

    def items(self, lines: Iterable[bytes]) -> Iterator[BackupItem]:
        """What the lines say, in their order; the last ones may come before the sums are known to be right.

        Raises:
            InvalidInputError: a line is not what is accepted, its place is said; the sums differ; the end is missing.
        """
        number = 0
        for number, line in enumerate(lines, 1):
            try:
                item = self._item(line)
            except InvalidInputError as error:
                raise InvalidInputError(f"line {number}: {error}") from error
            if item is not None:
                yield item
        if self.end is None:
            raise InvalidInputError(
                f"it ends with line {number}, without the line that closes a backup; accepted: the whole file"
            )

    def _item(self, line: bytes) -> BackupItem | None:
        if self.end is not None:
            raise InvalidInputError("stands behind the last one")
        if not line.endswith(b"\n") or len(line) > MAX_LINE_BYTES:
            raise InvalidInputError(
                f"is cut off, or longer than {MAX_LINE_BYTES:,} bytes; accepted: the whole file"
            )
        value = _object(line)
        if self.head is None:
            self.head = self._checked_head(value)
            self._sums.add_head(line)
            return None
        if "end" in value:
            self.end = self._checked_end(value)
            return None
        part = next((part for key, part in _PART_OF.items() if key in value), None)
        if part is None:
            raise InvalidInputError(
                f"has the keys {shown(sorted(value))}; accepted: one of {', '.join(_PART_OF)}, end"
            )
        if _ORDER[part] < _ORDER[self._part]:
            raise InvalidInputError(
                f"is of {part} behind {self._part}; accepted: {', '.join(BackupPart)}, in this order"
            )
        self._part = part
        self._sums.add(part, line)
        match part:
            case BackupPart.SOURCES:
                return self._source(value)
            case BackupPart.NODES:
                return self._node(value)
            case BackupPart.EDGES:
                return self._edge(value)
            case BackupPart.PROVISIONS:
                return self._provision(value)
            case BackupPart.REVIEWS:
                return self._review(value)
            case BackupPart.SYNCS:
                return self._sync(value)

    def _checked_head(self, value: Mapping[str, Any]) -> BackupHead:
        if set(value) != {"backup"}:
            raise InvalidInputError("does not begin a backup; accepted: a file that `outfitter backup` wrote")
        said = value["backup"]
        found = said.get("format") if isinstance(said, dict) else None
        if found != FORMAT:
            raise InvalidInputError(f"format: {shown(found)}; accepted: {FORMAT}")
        head = _model(BackupHead, said)
        if not 1 <= head.schema_version <= self._schema_version:
            raise InvalidInputError(
                f"schema_version: {head.schema_version}; accepted: 1 to {self._schema_version}: use the Outfitter that"
                " wrote it, or a newer one"
            )
        if not 1 <= head.generation < 2**53:
            raise InvalidInputError(f"generation: {head.generation}; accepted: 1 or more")
        return head

    def _checked_end(self, value: Mapping[str, Any]) -> BackupEnd:
        said, found = _model(BackupEnd, value["end"]), self._sums.end
        for part in BackupPart:
            there, wanted = found.parts[part], said.parts.get(part)
            if wanted is None or there != wanted:
                raise InvalidInputError(
                    f"{part}: {there.lines} lines with SHA-256 {there.sha256[:12]}, and it was written with"
                    f" {wanted.lines if wanted else 0} with {wanted.sha256[:12] if wanted else 'nothing'}: the file was"
                    " changed, or is damaged"
                )
        if said != found:
            raise InvalidInputError(
                f"the SHA-256 of all lines is {found.sha256[:12]}, and it was written with {shown(said.sha256[:12])}: the"
                " file was changed, or is damaged"
            )
        return said

    def _source(self, value: Mapping[str, Any]) -> Source:
        source = _model(Source, _only(value, "from"))
        _check_id(source.id)
        if source.id in self._sources:
            raise InvalidInputError(f"source {shown(source.id)} is there twice; accepted: once")
        self._sources.add(source.id)
        return source

    def _node(self, value: Mapping[str, Any]) -> BackupNode:
        said = value["node"]
        if not isinstance(said, str) or said not in self._ids:
            raise InvalidInputError(f"node: {shown(said)} is no label; accepted: {', '.join(NodeKind)}")
        kind = NodeKind(said)
        properties = _properties(_only(value, "node", "properties")["properties"])
        given = _check_id(properties.get("id"))
        # A generator is a tool too.
        same = (NodeKind.TOOL, NodeKind.GENERATOR) if kind in (NodeKind.TOOL, NodeKind.GENERATOR) else (kind,)
        if any(given in self._ids[one] for one in same):
            raise InvalidInputError(f"{kind} {shown(given)} is there twice; accepted: once")
        if sum(map(len, self._ids.values())) >= MAX_NODES:
            raise InvalidInputError(f"it has more than {MAX_NODES:,} nodes")
        self._ids[kind].add(given)
        document = properties.get("document")
        if kind is NodeKind.WORKFLOW and document:
            _parsed(Plan, document)
        return BackupNode(kind, NodeRow(id=given, properties=properties))

    def _edge(self, value: Mapping[str, Any]) -> BackupEdge:
        _only(value, "edge", "source", "target", "properties")
        form = _form(value["edge"])
        properties = _properties(value["properties"])
        carried = EDGE_FORMS[form].properties
        if unknown := properties.keys() - set(carried):
            raise InvalidInputError(
                f"edge: {shown(sorted(unknown))} is no property of {form.source} {form.kind} {form.target}; accepted:"
                f" {', '.join(carried) or 'nothing'}"
            )
        for kind, end in ((form.source, value["source"]), (form.target, value["target"])):
            self._check_there(kind, end)
        return BackupEdge(
            form, EdgeRow(source=value["source"], target=value["target"], properties=properties)
        )

    def _provision(self, value: Mapping[str, Any]) -> Provision:
        provision = _model(Provision, _only(value, "provision"))
        self._check_there(provision.kind, provision.id)
        self._check_source(provision.source)
        return provision

    def _review(self, value: Mapping[str, Any]) -> Review:
        record = _model(Review, _only(value, "review"))
        _check_id(record.id)
        self._check_source(record.source)
        if record.id in self._reviews:
            raise InvalidInputError(f"the review of {shown(record.id)} is there twice; accepted: once")
        self._reviews.add(record.id)
        for text, said in ((record.approved, record.approved_hash), (record.seen, record.seen_hash)):
            if bool(text) != bool(said) or (text and _definition_hash(text) != said):
                raise InvalidInputError(
                    f"the review of {shown(record.id)} has a definition that is not that of its hash"
                    f" {shown(said[:12])}: the file was changed, or is damaged"
                )
        return record

    def _sync(self, value: Mapping[str, Any]) -> SyncRecord:
        record = _model(SyncRecord, _only(value, "sync"))
        self._check_source(record.source)
        return record

    def _check_there(self, kind: NodeKind, found: object) -> None:
        given = _check_id(found)
        if given not in self._ids[kind] and not (
            kind is NodeKind.TOOL and given in self._ids[NodeKind.GENERATOR]
        ):
            raise InvalidInputError(f"no {kind} {shown(given)} stands before; accepted: a node of the file")

    def _check_source(self, source: str) -> None:
        if source not in self._sources:
            raise InvalidInputError(
                f"no source {shown(source)} stands before; accepted: a source of the file"
            )


def _definition_hash(text: str) -> str:
    try:
        return read_definition(text).hash
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ""


def _object(line: bytes) -> Mapping[str, Any]:
    try:
        value = _JSON.decode(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InvalidInputError("is no JSON; accepted: a file that `outfitter backup` wrote") from error
    if not isinstance(value, dict):
        raise InvalidInputError(f"is {kind_of(value)}; accepted: an object")
    # Our own lines have every character as it is; only an escape can make half of a surrogate pair.
    if b"\\ud" in line.lower():
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except (UnicodeEncodeError, RecursionError) as error:
            raise InvalidInputError("holds half of a surrogate pair; accepted: Unicode text") from error
    return value


def _refuse_constant(constant: str) -> Any:
    raise ValueError(constant)


_JSON: Final = json.JSONDecoder(parse_constant=_refuse_constant)
"""One for all lines: `json.loads` makes a new one each time, which takes a sixth longer."""


def _only(value: Mapping[str, Any], *keys: str) -> Any:
    """The value under the key, or, of several keys, all of it; other keys are refused."""
    if value.keys() != set(keys):
        raise InvalidInputError(f"has the keys {shown(sorted(value))}; accepted: {', '.join(keys)}")
    return value if len(keys) > 1 else value[keys[0]]


def _model(model: type[M], value: object) -> M:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise InvalidInputError(
            str(refused_fields(error.errors(), unknown="there is no such field")[0])
        ) from error


def _parsed(model: type[M], text: object) -> M:
    try:
        return model.model_validate_json(str(text))
    except ValidationError as error:
        first = refused_fields(error.errors(), unknown="there is no such field")[0]
        raise InvalidInputError(f"document: {first}") from error


def _form(said: object) -> EdgeForm:
    names = tuple(said) if isinstance(said, list) and all(isinstance(one, str) for one in said) else ()
    found = _FORMS.get(names)
    if found is None:
        raise InvalidInputError(
            f"edge: {shown(said)} is no form of edge; accepted: label, type and label, such as Tool, REQUIRES, Tool"
        )
    return found


_FORMS: Final[Mapping[tuple[str, ...], EdgeForm]] = {
    (form.source.value, EdgeKind(form.kind).value, form.target.value): form for form in EDGE_FORMS
}


def _check_id(value: object) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= MAX_ID_CHARS:
        raise InvalidInputError(f"id: {shown(value)}; accepted: text of 1 to {MAX_ID_CHARS:,} characters")
    if _CONTROL.search(value):
        raise InvalidInputError(f"id: {shown(value)} holds a control character; accepted: without")
    return value


def _properties(value: object) -> dict[str, Property]:
    if not isinstance(value, dict) or len(value) > _MAX_PROPERTIES:
        raise InvalidInputError(f"properties: {shown(value)}; accepted: an object of up to {_MAX_PROPERTIES}")
    for name, one in value.items():
        if not _PROPERTY.fullmatch(name):
            raise InvalidInputError(f"properties: {shown(name)} is no name; accepted: a to z, 0 to 9 and _")
        if not (_is_scalar(one) or _is_list(one)):
            raise InvalidInputError(
                f"properties.{name}: {shown(one)}; accepted: text, a number, true, false, or a list of texts or of numbers"
            )
    return value


def _is_scalar(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value in _INTEGERS
    return isinstance(value, str | bool)


def _is_list(value: object) -> bool:
    """Both engines keep lists of one type."""
    if not isinstance(value, list):
        return False
    return all(isinstance(one, str) for one in value) or all(
        isinstance(one, float) and math.isfinite(one) for one in value
    )
