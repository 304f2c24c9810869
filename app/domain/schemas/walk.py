"""How schemas are walked: JSON pointers, local references, what a schema is composed of, and its words.

Walks are bounded, for schemas that refer to themselves: 2 kB of references can lead to millions of parts.
"""

import json
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

Schema: TypeAlias = Mapping[str, Any]

MAX_VISITS = 20_000
"""Parts that one walk looks at: a tenth of a second. Of 36,584 public tools the widest takes 3,708."""
MAX_DEPTH = 6
COMPOSED = ("allOf", "oneOf", "anyOf")
_MAX_PARAMETERS = 500
_MAX_VALUES = 20
_MAX_REFERENCES = 8
NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
"""Keywords whose keys are names, whatever they are called; each value is a schema."""


class BoundedSchema(dict[str, Any]):
    """The root of a schema, for one walk: it counts the parts that are looked at."""

    def __init__(self, schema: Schema, *, max_visits: int = MAX_VISITS) -> None:
        super().__init__(schema)
        self._left = max_visits

    def visit(self) -> bool:
        """Count a part; False where it is one too many and counts as empty."""
        self._left -= 1
        return self._left >= 0

    @property
    def is_exhausted(self) -> bool:
        """Whether parts were left out."""
        return self._left < 0


def parsed_schema(text: str) -> BoundedSchema:
    """The schema of a JSON text, for one walk; an empty one where the text is empty or holds no JSON object."""
    try:
        return BoundedSchema(as_object(json.loads(text)) if text else {})
    except (ValueError, RecursionError):
        return BoundedSchema({})


def as_object(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one: documents of strangers hold anything anywhere."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str:
    """The value if it is text, else an empty one."""
    return value if isinstance(value, str) else ""


def type_of_value(value: Any) -> str:
    """The type of a value of JSON, as JSON schema calls it."""
    match value:
        case str():
            return "string"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case list():
            return "array"
        case dict():
            return "object"
        case _:
            return "null"


def texts_in(value: Any) -> list[str]:
    """The texts of a list."""
    return [item for item in as_list(value) if isinstance(item, str)]


def with_texts(value: Any, change: Callable[[str], Any]) -> Any:
    """The JSON value with each text in it, but for keys, replaced by what `change` makes of it."""
    if isinstance(value, list):
        return [with_texts(item, change) for item in value]
    if isinstance(value, dict):
        return {key: with_texts(item, change) for key, item in value.items()}
    return change(value) if isinstance(value, str) else value


def free_name(plain: str, taken: Container[str], *, joint: str = "_") -> str:
    """The name, or the first of `name_2`, `name_3` and so on that is not taken."""
    name, number = plain, 1
    while name in taken:
        number += 1
        name = f"{plain}{joint}{number}"
    return name


def json_pointer(segments: Sequence[str]) -> str:
    """RFC 6901 text of `segments`; empty for none."""
    return "".join("/" + segment.replace("~", "~0").replace("/", "~1") for segment in segments)


def pointer_segments(pointer: str) -> list[str]:
    """The segments of an RFC 6901 text: what `json_pointer` wrote, and what stands behind the `#` of a reference."""
    return [unescaped(segment) for segment in pointer.split("/")[1:]]


def unescaped(segment: str) -> str:
    """The name that one segment of an RFC 6901 text stands for."""
    return segment.replace("~1", "/").replace("~0", "~")


def local_target(root: Schema, reference: object) -> Schema | None:
    """The schema that `#/...` leads to within `root`; None where it leads nowhere or elsewhere."""
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return None
    found: Any = root
    for segment in pointer_segments(reference):
        found = found.get(segment) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else None


def followed(root: Schema, schema: Schema) -> Schema:
    """`schema`, or what its local reference points at; an empty schema when that leads nowhere.

    Of a `BoundedSchema`, what is looked at after its bound is empty, too.
    """
    if isinstance(root, BoundedSchema) and not root.visit():
        return {}
    for _ in range(MAX_DEPTH):
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return schema
        target = root if reference == "#" else local_target(root, reference)
        if target is None:
            return {}
        schema = target if "title" in target else {**target, "title": reference.rsplit("/", 1)[-1]}
    return {}


def members(schema: Schema, keys: Sequence[str] = COMPOSED) -> Iterator[tuple[str, Schema]]:
    """The schemas that one is composed of, each with the keyword that lists it."""
    for key in keys:
        yield from ((key, member) for member in as_list(schema.get(key)) if isinstance(member, dict))


def composition(
    root: BoundedSchema,
    schema: Schema,
    *,
    max_depth: int,
    beside_references: bool,
    always: bool = True,
    depth: int = 0,
) -> Iterator[tuple[Schema, bool]]:
    """A schema and all that it is composed of, references followed; with each whether it always holds.

    Args:
        root: what references lead into; it bounds the walk.
        schema: where to begin.
        max_depth: levels of references and compositions within each other.
        beside_references: whether what stands beside a `$ref` counts, as JSON schema has it since 2019-09.
        always: whether `schema` itself always holds.
        depth: levels above `schema`.
    """
    if depth > max_depth or not root.visit():
        return
    reference = schema.get("$ref")
    counts = beside_references or not isinstance(reference, str)
    if counts:
        yield schema, always
    parts = [(always and key == "allOf", member) for key, member in members(schema)] if counts else []
    target = local_target(root, reference)
    for holds, part in ((always, target), *parts) if target is not None else parts:
        yield from composition(
            root,
            part,
            max_depth=max_depth,
            beside_references=beside_references,
            always=holds,
            depth=depth + 1,
        )


@dataclass(frozen=True, slots=True)
class Parameter:
    """One property of a schema."""

    name: str
    description: str
    values: tuple[str, ...]
    """Its `enum`, or that of its items; at most 20."""


def parameters(schema: str, *, nested: int) -> list[Parameter]:
    """Properties of a JSON schema, and those of object and array properties `nested` levels below; at most 500.

    Local references are followed and `allOf`, `anyOf`, `oneOf` are read like the schema itself. An empty
    text, or one that is no JSON object, has none.
    """
    root = parsed_schema(schema)
    return list(islice(_properties(root, root, nested), _MAX_PARAMETERS))


def _properties(root: BoundedSchema, schema: Schema, nested: int) -> Iterator[Parameter]:
    for part in _parts(root, schema):
        for name, value in as_object(part.get("properties")).items():
            described = list(_parts(root, value))
            items = [item for piece in described for item in _parts(root, piece.get("items"))]
            yield Parameter(name, _first_text(described), _values([*described, *items]))
            if nested > 0:
                for piece in (*described, *items):
                    yield from _properties(root, piece, nested - 1)


def _parts(root: BoundedSchema, schema: object) -> Iterator[Schema]:
    """The schema itself with its reference resolved, and the schemas it is composed of."""
    if isinstance(schema, dict):
        parts = composition(root, schema, max_depth=_MAX_REFERENCES, beside_references=False)
        yield from (part for part, _ in parts)


def _first_text(parts: list[Schema]) -> str:
    return next(filter(None, (as_text(part.get("description")) for part in parts)), "")


def _values(parts: list[Schema]) -> tuple[str, ...]:
    for part in parts:
        values = part.get("enum")
        if isinstance(values, list):
            return tuple(str(value) for value in values[:_MAX_VALUES])
    return ()
