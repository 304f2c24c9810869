"""Bytes to plain values: JSON and YAML, safe against documents that are made to hurt."""

import json
import re
from collections.abc import Hashable, Iterator
from typing import Any

import yaml

from app.adapters.documents.yaml_bounds import MAX_YAML_VALUES, check_yaml_bytes, too_many_values
from app.errors import SourceRefusedError

MAX_DEPTH = 64
"""Levels of lists and mappings in a YAML document; a taxonomy has 5."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def decode(data: bytes, *, name: str) -> str:
    """The text of a document.

    Raises:
        SourceRefusedError: it is no UTF-8 text.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceRefusedError(
            f"{name}: byte {error.start} is 0x{data[error.start]:02x}, which is not UTF-8; save the file as UTF-8"
        ) from error
    if found := _CONTROL.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise SourceRefusedError(
            f"{name}: line {line} holds the control character U+{ord(found.group()):04X}; accepted: UTF-8 text"
        )
    return text


def load_json(data: bytes, *, name: str) -> object:
    """The value of a JSON document.

    Raises:
        SourceRefusedError: it is not JSON.
    """
    text = decode(data, name=name)
    try:
        value: object = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise SourceRefusedError(f"{name}: nested too deeply to be read; accepted: JSON") from error
    except ValueError as error:
        raise SourceRefusedError(f"{name}: not JSON: {error}") from error
    return value


def _refuse_constant(constant: str) -> object:
    raise ValueError(f"{constant} is not a JSON number")


def load_yaml(data: bytes, *, name: str) -> object:
    """The value of a YAML document: one document, plain values only, each key of a mapping once.

    Raises:
        SourceRefusedError: it is not YAML, or its length, its nesting or its values go beyond bounds.
    """
    check_yaml_bytes(len(data), name=name)
    text = decode(data, name=name)
    try:
        _check_size(yaml.parse(text, Loader=yaml.CSafeLoader), name=name)
        value: object = yaml.load(text, Loader=_Loader)  # noqa: S506 - a subclass of the safe loader
    except yaml.YAMLError as error:
        raise SourceRefusedError(f"{name}: not YAML: {_one_line(error)}") from error
    except (ValueError, OverflowError) as error:
        raise SourceRefusedError(
            f"{name}: a value is not what it looks like: {error}; quote texts"
        ) from error
    return value


def _check_size(events: Iterator[yaml.Event], *, name: str) -> None:
    """Refuse what would exhaust the stack or the memory, before anything is built.

    The size of a node is its number of values with aliases written out: what later code walks through.
    """
    sizes: dict[str, int] = {}
    open_nodes: list[tuple[str | None, int]] = []
    total = 0
    for event in events:
        if isinstance(event, yaml.AliasEvent):
            if event.anchor in (anchor for anchor, _ in open_nodes):
                raise SourceRefusedError(
                    f"{name}: {_place(event)}: the alias *{event.anchor} contains itself"
                )
            total += sizes.get(event.anchor or "", 1)
        elif isinstance(event, yaml.ScalarEvent):
            total += 1
            if event.anchor:
                sizes[event.anchor] = 1
        elif isinstance(event, yaml.CollectionStartEvent):
            open_nodes.append((event.anchor, total))
            total += 1
            if len(open_nodes) > MAX_DEPTH:
                raise SourceRefusedError(
                    f"{name}: {_place(event)}: nested more than {MAX_DEPTH} levels deep; accepted: up to {MAX_DEPTH}"
                )
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = open_nodes.pop()
            if anchor:
                sizes[anchor] = total - before
        if total > MAX_YAML_VALUES:
            raise too_many_values(f"{name}: {_place(event)}")


class _Loader(yaml.CSafeLoader):
    """The safe loader, for which a key that comes twice is an error, as the YAML specification has it."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """The mapping of a node.

        Raises:
            yaml.YAMLError: a key comes twice.
        """
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag.endswith(":merge"):
                continue
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"key {key.value!r} comes twice in one mapping", key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


def _place(event: yaml.Event) -> str:
    mark = event.start_mark
    return "" if mark is None else f"line {mark.line + 1}"


def _one_line(error: yaml.YAMLError) -> str:
    return " ".join(str(error).split()).replace(' in "<unicode string>",', " at")
