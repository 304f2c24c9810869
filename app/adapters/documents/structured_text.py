"""JSON and YAML text as plain values, with bounds that hold against hostile files.

YAML is read as YAML 1.2's JSON schema does: no dates, no `on`/`off` booleans, no numbers in base 60, and a
key is the text that was written (`200:` is the key "200").
"""

import json
import math
import re
from collections.abc import Hashable, Iterator
from typing import Any, TypeAlias

import orjson
import yaml

from app.errors import SourceRefusedError

JsonValue: TypeAlias = Any
"""None, bool, int, float, str, list of these, or dict from str to these."""

MAX_DEPTH = 200
_TOO_DEEP_FOR_PARSER = "exceeded maximum nesting depth"
"""What libyaml says of 1,000 levels (in PyYAML 6.0.4 and later): it reads ahead, so it may see them before the events
of the first 200 have come."""
MAX_YAML_BYTES = 16_000_000
"""Four times the largest document of the benchmark (kubernetes, 3.8 MB); JSON, which is read 20 times as fast,
is bounded by the size of files alone."""
MAX_YAML_VALUES = 1_000_000
"""Keys, values, lists and mappings, with aliases written out: eight times what kubernetes has (120,989). PyYAML
takes some 350 bytes and 8 microseconds for each, so a document stays below 0.5 GB and 10 s."""


def parse_text(data: bytes, *, name: str) -> JsonValue:
    """The value that a JSON or YAML file holds; text that starts as JSON and is not JSON is tried as YAML.

    Raises:
        SourceRefusedError: the text is neither, nests deeper than 200 levels, or goes beyond the bounds of
            YAML. The message starts with `name:line:column` where there is such a place.
    """
    text = _decoded(data, name)
    if text[:256].lstrip().startswith(("{", "[")):
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            if name.lower().endswith(".json"):
                raise _not_json(error, name) from error
        else:
            if deeper_than(value, MAX_DEPTH):
                raise SourceRefusedError(f"{name}:1:1: values nest deeper than {MAX_DEPTH} levels")
            return value
    if len(data) > MAX_YAML_BYTES:
        raise SourceRefusedError(
            f"{name}: {len(data):,} bytes of YAML; accepted: up to {MAX_YAML_BYTES:,}, or the same document as JSON"
        )
    return _parse_yaml(text, name)


def parse_json(data: bytes, *, name: str) -> JsonValue:
    """The value of a JSON file of many items.

    Halves of surrogate pairs, numbers beyond a double and deep values are read as they are: whoever reads an item
    rejects it alone, and the rest of the file goes on.

    Raises:
        SourceRefusedError: the text is not JSON.
    """
    try:
        return json.loads(_decoded(data, name), parse_constant=_refuse_constant)
    except RecursionError as error:
        raise SourceRefusedError(f"{name}: nested too deeply to be read; accepted: JSON") from error
    except json.JSONDecodeError as error:
        raise _not_json(error, name) from error
    except ValueError as error:
        raise SourceRefusedError(f"{name}: not JSON: {error}") from error


def _not_json(error: json.JSONDecodeError, name: str) -> SourceRefusedError:
    return SourceRefusedError(f"{name}:{error.lineno}:{error.colno}: not JSON: {error.msg}")


def _refuse_constant(constant: str) -> JsonValue:
    raise ValueError(f"{constant} is not a JSON number")


def _decoded(data: bytes, name: str) -> str:
    """The text of a file in UTF-8, or in UTF-16 where a byte order mark says so; without the mark."""
    is_utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        return data.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        read, at = error.object, error.start
        line, column = read.count(b"\n", 0, at) + 1, at - read.rfind(b"\n", 0, at)
        raise SourceRefusedError(
            f"{name}:{line}:{column}: byte {at} is 0x{read[at]:02x}, which is not"
            f" {'UTF-16' if is_utf16 else 'UTF-8'}; save the file as UTF-8"
        ) from error


def deeper_than(value: JsonValue, depth: int) -> bool:
    """Whether lists and objects nest deeper than `depth` levels; looked at without recursion."""
    level = [value]
    for _ in range(depth):
        level = [child for item in level for child in _children(item)]
        if not level:
            return False
    return True


def _children(value: JsonValue) -> Iterator[JsonValue]:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (item for item in items if isinstance(item, dict | list))


def _parse_yaml(text: str, name: str) -> JsonValue:
    try:
        _check_events(text, name)
        return yaml.load(text, Loader=_JsonLoader)  # noqa: S506 - a subclass of the safe loader
    except RecursionError as error:
        raise SourceRefusedError(f"{name}:1:1: not YAML: merges nest too deeply") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{mark.line + 1}:{mark.column + 1}" if mark else "1:1"
        what = error.problem or error.context or "cannot be read"
        if mark and what == _TOO_DEEP_FOR_PARSER:
            # What it has read nests far deeper than accepted: the check says where that begins.
            _check_events(text[: mark.index], name)
        raise SourceRefusedError(f"{name}:{place}: not YAML: {what}") from error
    except yaml.reader.ReaderError as error:
        line = text.encode()[: error.position].count(b"\n") + 1 if error.position else 1
        raise SourceRefusedError(f"{name}:{line}:1: not YAML: {error.reason}") from error


def _check_events(text: str, name: str) -> None:
    """Refuse deep nesting, too many values and alias bombs before anything is built.

    Sizes count values with every alias written out; an anchor's size is known once its node is closed, so
    an alias inside its own node is one that contains itself.
    """
    sizes: dict[str, int] = {}
    open_nodes: list[tuple[str | None, int]] = []
    total = 0
    documents = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise SourceRefusedError(f"{_at(name, event)}: a second YAML document; one file holds one")
            continue
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in sizes:
                raise SourceRefusedError(
                    f"{_at(name, event)}: alias *{event.anchor} contains itself, or has no anchor"
                )
            total += sizes[event.anchor]
        elif isinstance(event, yaml.ScalarEvent):
            total += 1
            if event.anchor:
                sizes[event.anchor] = 1
        elif isinstance(event, yaml.CollectionStartEvent):
            total += 1
            if event.anchor:
                sizes.pop(event.anchor, None)
            open_nodes.append((event.anchor, total))
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = open_nodes.pop()
            if anchor:
                sizes[anchor] = total - before + 1
        else:
            continue
        if len(open_nodes) > MAX_DEPTH:
            raise SourceRefusedError(f"{_at(name, event)}: values nest deeper than {MAX_DEPTH} levels")
        if total > MAX_YAML_VALUES:
            raise SourceRefusedError(
                f"{_at(name, event)}: more than {MAX_YAML_VALUES:,} values, aliases (*name) written out; accepted: up"
                " to that, in a smaller document, or the same one as JSON"
            )


def _at(name: str, event: yaml.Event) -> str:
    mark = event.start_mark
    return f"{name}:{mark.line + 1}:{mark.column + 1}" if mark else name


class _JsonLoader(yaml.CSafeLoader):
    """YAML as JSON values; a key that comes twice is an error, as the YAML specification has it."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - PyYAML's own name

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: ARG002
        """The mapping of a node, its keys as written.

        Raises:
            yaml.YAMLError: a key comes twice or is no text.
        """
        if not isinstance(node, yaml.MappingNode):
            raise _problem("a mapping is expected", node)
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _problem("a key must be text", key)
            if key.value in seen and key.value != "<<":
                raise _problem(f"key {key.value!r} comes twice in one mapping", key)
            seen.add(key.value)
        self.flatten_mapping(node)
        return {key.value: self.construct_object(value, deep=True) for key, value in node.value}


def _problem(text: str, node: yaml.Node) -> yaml.MarkedYAMLError:
    return yaml.constructor.ConstructorError(None, None, text, node.start_mark)


def _number(_: _JsonLoader, node: yaml.Node) -> int | float | str:
    text = str(node.value)
    if re.fullmatch(r"[-+]?[0-9]{1,18}", text):
        return int(text)
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text


def _boolean(_: _JsonLoader, node: yaml.Node) -> bool | str:
    return {"true": True, "false": False}.get(str(node.value).lower(), str(node.value))


def _plain(loader: _JsonLoader, node: yaml.Node) -> JsonValue:
    """A node with a tag that JSON has no word for: its value without the tag."""
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return node.value


for _tag, _pattern, _first in (
    ("tag:yaml.org,2002:null", r"|~|null|Null|NULL", ["", "~", "n", "N"]),
    ("tag:yaml.org,2002:bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("tag:yaml.org,2002:int", r"[-+]?[0-9]+", list("-+0123456789")),
    (
        "tag:yaml.org,2002:float",
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?",
        list("-+.0123456789"),
    ),
    ("tag:yaml.org,2002:merge", r"<<", ["<"]),
):
    _JsonLoader.add_implicit_resolver(_tag, re.compile(rf"^(?:{_pattern})$"), _first)
_JsonLoader.add_constructor("tag:yaml.org,2002:int", _number)
_JsonLoader.add_constructor("tag:yaml.org,2002:float", _number)
_JsonLoader.add_constructor("tag:yaml.org,2002:bool", _boolean)
_JsonLoader.add_constructor(None, _plain)
for _tag in ("timestamp", "binary", "omap", "pairs", "set"):
    _JsonLoader.add_constructor(f"tag:yaml.org,2002:{_tag}", _plain)
