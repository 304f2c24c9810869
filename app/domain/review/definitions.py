"""A definition as a whole: the text that is kept of it, its hash, and what another one changes."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.domain.nodes.models import Property, Tool, ToolId, Value
from app.domain.nodes.syncs import Severity
from app.domain.schemas.tool_changes import changed

DEFAULT_HINTS: Final[Mapping[str, bool]] = {
    "read_only": False,
    "destructive": True,
    "idempotent": False,
    "open_world": True,
}
"""What a hint says that is not there (MCP 2025-11-25 and 2026-07-28, `ToolAnnotations`)."""
_GUARDED: Final = (*DEFAULT_HINTS, "method", "path", "base_url", "security")
"""A change of one of these is never served before somebody agreed to it."""
_LINKS: Final = "edges"


@dataclass(frozen=True, slots=True)
class DefinedEdge:
    """An edge that a definition states: a category of the tool, or a tool that gives one of its inputs."""

    kind: str
    target_kind: str
    target: str
    properties: Mapping[str, Property]


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """All that a source says of a tool."""

    properties: Mapping[str, Property]
    """Those that are there, as the graph has them."""
    edges: tuple[DefinedEdge, ...] = ()

    @property
    def text(self) -> str:
        """As it is kept: canonical JSON."""
        edges = [[one.kind, one.target_kind, one.target, dict(one.properties)] for one in self.edges]
        return _canonical({"properties": dict(self.properties), _LINKS: edges})

    @property
    def hash(self) -> str:
        """SHA-256 of all of it; the order of keys, and a hint that says what its absence says, make no difference."""
        said = {name: value for name, value in self.properties.items() if value is not None}
        said = {name: value for name, value in said.items() if DEFAULT_HINTS.get(name) is not value}
        edges = sorted(
            _canonical([one.kind, one.target_kind, one.target, dict(one.properties)]) for one in self.edges
        )
        return hashlib.sha256(_canonical({"properties": said, _LINKS: edges}).encode()).hexdigest()


class FieldDifference(Value):
    """One field of a definition that is another."""

    field: str
    before: str
    """As JSON for what is no text; empty where there was nothing."""
    after: str
    severity: Severity


def read_definition(text: str) -> ToolDefinition:
    """A definition as it is kept."""
    document = json.loads(text)
    return ToolDefinition(document["properties"], tuple(DefinedEdge(*one) for one in document[_LINKS]))


def differences(
    before: ToolDefinition | None, after: ToolDefinition, *, tool_id: ToolId
) -> list[FieldDifference]:
    """What `after` changes, field by field, the gravest first; everything is new where there was nothing."""
    was, now = _fields(before) if before else {}, _fields(after)
    found = [
        FieldDifference(
            field=name,
            before=_shown(was.get(name)),
            after=_shown(now.get(name)),
            severity=_severity(before, after, name, tool_id) if before else Severity.COMPATIBLE,
        )
        for name in sorted(was.keys() | now.keys())
        if was.get(name) != now.get(name)
    ]
    order = list(Severity)
    return sorted(found, key=lambda one: (order.index(one.severity), one.field))


def severity_of(before: ToolDefinition, after: ToolDefinition, *, tool_id: ToolId) -> Severity:
    """What the change means for those who call the tool, as a whole; what is guarded always breaks."""
    if guarded_changes(before, after):
        return Severity.BREAKING
    worst = changed(_tool(before, tool_id), _tool(after, tool_id)).severity
    if worst is Severity.DESCRIPTION and before.edges != after.edges:
        return Severity.COMPATIBLE
    return worst


def guarded_changes(before: ToolDefinition, after: ToolDefinition) -> list[str]:
    """The annotations and parts of the address that are others; a hint that is absent says what its default says."""
    was, now = _fields(before), _fields(after)
    return [name for name in _GUARDED if was.get(name) != now.get(name)]


def searched_texts(definition: ToolDefinition) -> dict[str, str]:
    """The texts of a definition that somebody may read, by field: its own and those in its schemas."""
    texts = {name: str(definition.properties.get(name) or "") for name in ("name", "title", "description")}
    for name in ("input_schema", "output_schema"):
        if schema := definition.properties.get(name):
            texts[name] = "\n".join(_texts_in(json.loads(str(schema))))
    return {name: text for name, text in texts.items() if text}


def input_names(definition: ToolDefinition) -> tuple[str, ...]:
    """Names of its inputs."""
    schema = definition.properties.get("input_schema")
    inputs = json.loads(str(schema)).get("properties") if schema else None
    return tuple(inputs) if isinstance(inputs, dict) else ()


def _fields(definition: ToolDefinition) -> dict[str, object]:
    found: dict[str, object] = {
        name: value
        for name, value in definition.properties.items()
        if value is not None and DEFAULT_HINTS.get(name) is not value
    }
    for one in sorted(
        definition.edges, key=lambda edge: (edge.kind, edge.target, _canonical(dict(edge.properties)))
    ):
        found[f"{one.kind} {one.target}"] = dict(one.properties) or True
    return found


def _severity(before: ToolDefinition, after: ToolDefinition, name: str, tool_id: ToolId) -> Severity:
    """The class of one field's change, all others left as they were."""
    if name in _GUARDED:
        return Severity.BREAKING
    if name not in before.properties and name not in after.properties:
        return Severity.COMPATIBLE
    one = {**before.properties, name: after.properties.get(name)}
    return changed(_tool(before, tool_id), _tool(ToolDefinition(one), tool_id)).severity


def _tool(definition: ToolDefinition, tool_id: ToolId) -> Tool:
    said = definition.properties
    texts = ("server", "name", "title", "description", "input_schema", "output_schema", "method", "path")
    return Tool.model_validate(
        {
            "id": tool_id,
            **{name: said.get(name) or "" for name in texts},
            **{name: said.get(name, default) for name, default in DEFAULT_HINTS.items()},
            "deprecated": said.get("deprecated") or False,
            "declared": False,
            "categories": (),
            "content_hash": "",
        }
    )


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, child in value.items():
            yield from (str(key), *_texts_in(child))
    elif isinstance(value, list):
        for child in value:
            yield from _texts_in(child)


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else _canonical(value)


def _canonical(value: Mapping[str, object] | Sequence[object]) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
