"""Schemas of answers, written out to a bound: what later steps may take from an answer, shallow fields first."""

from collections import deque
from dataclasses import dataclass

from app.adapters.documents.structured_text import JsonValue
from app.domain.schemas.walk import as_list, as_object, texts_in
from ingest.sources.openapi.dialects import TYPES, RawSchema
from ingest.sources.openapi.references import References
from ingest.sources.openapi.schemas import SchemaPlace

MAX_DEPTH = 6
MAX_FIELDS = 600
MAX_ALTERNATIVES = 13
MAX_ENUM = 20
DESCRIBED_DEPTH = 1
MAX_DESCRIPTION = 300
MAX_PATTERN = 100
"""Of 4,284 real operations' answers no pattern of an id is longer than 60 characters."""


@dataclass(frozen=True, slots=True)
class AnswerSchema:
    """A written-out schema."""

    schema: RawSchema
    is_cut: bool
    """True when fields were left out because there are more than 600, or deeper than 6 levels."""


@dataclass(slots=True)
class _Node:
    """A schema to write out into `out`."""

    value: JsonValue
    base: str
    depth: int
    ancestors: frozenset[str]
    out: RawSchema


class AnswerSchemas:
    """Writes out answers of one document.

    References are replaced by what they lead to, with the component's name as `title`; one that leads to a
    component it stands in keeps the title alone. The members of `allOf` are laid together, later ones first.
    """

    def __init__(self, references: References) -> None:
        self._references = references
        self._known: dict[str, AnswerSchema] = {}

    def write_out(self, schema: JsonValue, place: SchemaPlace) -> AnswerSchema:
        """The schema without references, at most 600 fields and 6 levels deep; shallow fields are kept first."""
        key = ""
        if isinstance(schema, dict) and set(schema) == {"$ref"}:
            target = self._references.lookup(schema["$ref"], base=place.base, place=place.label)
            key = target.key if target else ""
        if key not in self._known:
            answer = self._write_out(schema, place)
            if not key:
                return answer
            self._known[key] = answer
        return self._known[key]

    def _write_out(self, schema: JsonValue, place: SchemaPlace) -> AnswerSchema:
        root: RawSchema = {}
        queue = deque([_Node(schema, place.base, 0, frozenset(), root)])
        fields = 0
        nodes = 0
        is_cut = False
        while queue:
            node = queue.popleft()
            nodes += 1
            if nodes > 4 * MAX_FIELDS:
                return AnswerSchema(root, is_cut=True)
            merged = self._merged(node, place)
            if merged is None:
                continue
            schemas, ancestors, name = merged
            _describe(node, schemas, name)
            for properties, base in _property_maps(schemas):
                for field, value in properties.items():
                    if isinstance(value, dict) and value.get("writeOnly") is True:
                        continue
                    if fields >= MAX_FIELDS or node.depth >= MAX_DEPTH:
                        is_cut = True
                        continue
                    written = node.out.setdefault("properties", {})
                    fields += 1
                    written[field] = {}
                    queue.append(_Node(value, base, node.depth + 1, ancestors, written[field]))
            is_cut |= self._queue_parts(node, schemas, ancestors, queue)
        return AnswerSchema(root, is_cut)

    def _queue_parts(
        self,
        node: _Node,
        schemas: list[tuple[RawSchema, str]],
        ancestors: frozenset[str],
        queue: deque[_Node],
    ) -> bool:
        """Queue items, values and alternatives; whether some were left out."""
        is_cut = False
        parts: dict[str, tuple[JsonValue, str]] = {}
        for value, base in schemas:
            for word in ("items", "additionalProperties"):
                if isinstance(value.get(word), dict) and value[word]:
                    parts[word] = (value[word], base)
            listed = as_list(value.get("items"))
            if listed and value.get("type") == "array":
                parts["items"] = ({"anyOf": listed}, base)
            for word in ("oneOf", "anyOf", *(("items",) if value.get("type") != "array" else ())):
                # Swagger 2 has no `anyOf`: documents list alternatives in the `items` of what is no array.
                members = as_list(value.get(word))
                if not members:
                    continue
                written = node.out.setdefault("anyOf", [])
                for member in members[: MAX_ALTERNATIVES - len(written)]:
                    written.append({})
                    queue.append(_Node(member, base, node.depth, ancestors, written[-1]))
        for word, (value, base) in parts.items():
            if node.depth >= MAX_DEPTH:
                is_cut = True
                continue
            node.out[word] = {}
            queue.append(_Node(value, base, node.depth + 1, ancestors, node.out[word]))
        return is_cut

    def _merged(
        self, node: _Node, place: SchemaPlace
    ) -> tuple[list[tuple[RawSchema, str]], frozenset[str], str] | None:
        """The schema and the members of its `allOf`, members first; the components that it stands in; its name.

        None, with the title written, for a component inside itself.
        """
        found: list[tuple[RawSchema, str]] = []
        ancestors = node.ancestors
        name = ""
        waiting: list[tuple[JsonValue, str]] = [(node.value, node.base)]
        while waiting:
            value, base = waiting.pop()
            if isinstance(value, dict) and "$ref" in value:
                target = self._references.lookup(value["$ref"], base=base, place=place.label)
                if target is None:
                    continue
                name = name or target.name
                if target.key in ancestors:
                    if not found and not waiting:
                        node.out["title"] = target.name
                        return None
                    continue
                ancestors |= {target.key}
                value, base = target.value, target.base
            if not isinstance(value, dict) or len(found) >= MAX_FIELDS:
                continue
            found.append((value, base))
            waiting.extend((member, base) for member in as_list(value.get("allOf")))
        # Taken from the end, so the list has the outer schema, then its last member ...: turned round, a later
        # member overrides an earlier one and the outer schema overrides all.
        return found[::-1], ancestors, name


def _property_maps(schemas: list[tuple[RawSchema, str]]) -> list[tuple[RawSchema, str]]:
    """The `properties` of each schema; of properties with one name the last stands."""
    last: dict[str, tuple[JsonValue, str]] = {}
    for value, base in schemas:
        last |= {name: (inner, base) for name, inner in as_object(value.get("properties")).items()}
    maps: list[tuple[RawSchema, str]] = []
    for name, (inner, base) in last.items():
        if not maps or maps[-1][1] != base:
            maps.append(({}, base))
        maps[-1][0][name] = inner
    return maps


def _describe(node: _Node, schemas: list[tuple[RawSchema, str]], name: str) -> None:
    out = node.out
    for value, _ in schemas:
        for word in ("type", "format", "enum", "title", "description", "nullable", "x-nullable", "const"):
            if word in value:
                out[word] = value[word]
        pattern = value.get("pattern")
        if isinstance(pattern, str) and len(pattern) <= MAX_PATTERN:
            # Ids are known by it: what starts with U is a user.
            out["pattern"] = pattern
        if isinstance(value.get("required"), list):
            required = [*out.get("required", []), *texts_in(value["required"])]
            out["required"] = list(dict.fromkeys(required))[:MAX_FIELDS]
    nullable = [out.pop("nullable", None), out.pop("x-nullable", None)]
    types = out.pop("type", None)
    known = [t for t in (types if isinstance(types, list) else [types]) if isinstance(t, str) and t in TYPES]
    if True in nullable and known and "null" not in known:
        known.append("null")
    if known:
        out["type"] = known[0] if len(known) == 1 else known
    if name or not isinstance(out.get("title", ""), str):
        out["title"] = name
    if not isinstance(out.get("format", ""), str):
        del out["format"]
    if "enum" in out and not (isinstance(out["enum"], list) and 0 < len(out["enum"]) <= MAX_ENUM):
        del out["enum"]
    _shorten_description(out, node.depth)


def _shorten_description(out: RawSchema, depth: int) -> None:
    text = out.pop("description", None)
    if isinstance(text, str) and text and depth <= DESCRIBED_DEPTH:
        out["description"] = text if len(text) <= MAX_DESCRIPTION else text[: MAX_DESCRIPTION - 1] + "…"
