"""JSON and YAML text as plain values, with bounds that hold against hostile files.

YAML is read as YAML 1.2's JSON schema does: no dates, no `on`/`off` booleans, no numbers in base 60, and a
key is the text that was written (`200:` is the key "200").
"""

import math
import re
from collections.abc import Hashable, Iterator
from typing import Any, TypeAlias

import orjson
import yaml

from app.adapters.documents.yaml_bounds import MAX_YAML_VALUES, check_yaml_bytes, too_many_values
from app.errors import SourceRefusedError

JsonValue: TypeAlias = Any
"""None, bool, int, float, str, list of these, or dict from str to these."""

MAX_DEPTH = 200


def parse_text(data: bytes, *, name: str) -> JsonValue:
    """The value that a JSON or YAML file holds; text that starts as JSON and is not JSON is tried as YAML.

    Raises:
        SourceRefusedError: the text is neither, nests deeper than 200 levels, or goes beyond the bounds of
            YAML. The message starts with `name:line:column` where there is such a place.
    """
    data = _as_utf8(data, name)
    if data[:256].lstrip()[:1] in (b"{", b"["):
        try:
            value = orjson.loads(data)
        except orjson.JSONDecodeError as error:
            if name.lower().endswith(".json"):
                raise SourceRefusedError(
                    f"{name}:{error.lineno}:{error.colno}: not JSON: {error.msg}"
                ) from error
        else:
            _check_depth(value, name)
            return value
    return _parse_yaml(data, name)


def _as_utf8(data: bytes, name: str) -> bytes:
    """The text without byte order mark, as UTF-8."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            try:
                return data.decode(encoding).removeprefix("\ufeff").encode("utf-8")
            except UnicodeError as error:
                raise SourceRefusedError(f"{name}:1:1: the text is not {encoding}: {error}") from error
    return data


def _check_depth(value: JsonValue, name: str) -> None:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [child for item in level for child in _children(item)]
        if not level:
            return
    raise SourceRefusedError(f"{name}:1:1: values nest deeper than {MAX_DEPTH} levels")


def _children(value: JsonValue) -> Iterator[JsonValue]:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (item for item in items if isinstance(item, dict | list))


def _parse_yaml(data: bytes, name: str) -> JsonValue:
    check_yaml_bytes(len(data), name=name)
    try:
        _check_events(data, name)
        return yaml.load(data, Loader=_JsonLoader)  # noqa: S506 - a subclass of the safe loader
    except RecursionError as error:
        raise SourceRefusedError(f"{name}:1:1: not YAML: merges nest too deeply") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{mark.line + 1}:{mark.column + 1}" if mark else "1:1"
        what = error.problem or error.context or "cannot be read"
        raise SourceRefusedError(f"{name}:{place}: not YAML: {what}") from error
    except yaml.reader.ReaderError as error:
        line = data[: error.position].count(b"\n") + 1 if error.position else 1
        raise SourceRefusedError(f"{name}:{line}:1: not YAML: {error.reason}") from error
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise SourceRefusedError(f"{name}:{line}:1: the text is not UTF-8") from error


def _check_events(data: bytes, name: str) -> None:
    """Refuse deep nesting, too many values and alias bombs before anything is built.

    Sizes count values with every alias written out; an anchor's size is known once its node is closed, so
    an alias inside its own node is one that contains itself.
    """
    sizes: dict[str, int] = {}
    open_nodes: list[tuple[str | None, int]] = []
    total = 0
    documents = 0
    for event in yaml.parse(data, Loader=yaml.CSafeLoader):
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
            raise too_many_values(_at(name, event))


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
