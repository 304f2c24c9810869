"""Manifests from lists of tools, one file for each server."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import count, islice
from pathlib import Path
from typing import Any

from bench.sets.datasets import lines, require

TOUCAN = ("catalogues", "toucan", "tools.jsonl")
_OPERATIONS = ("catalogues", "openapi_operations")
_OPERATION_FILES = ("operations.jsonl", "azure.jsonl")


def write_manifests(data: Path, folder: Path, *, limit: int | None = None) -> int:
    """Write the first `limit` tools of `many_tools` into `folder` as `tools/list` answers; the number of tools.

    Without a limit, those of Toucan.

    Raises:
        InvalidInputError: a list is missing.
    """
    servers: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    rows = _toucan(data) if limit is None else islice(many_tools(data), limit)
    for server, tool in rows:
        servers[server].append(tool)
    for server, tools in servers.items():
        path = folder / f"{server.replace('/', '-')}.json"
        path.write_text(json.dumps({"tools": tools}, ensure_ascii=False), encoding="utf-8")
    return sum(map(len, servers.values()))


def many_tools(data: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Server and tool, without end: Toucan's MCP tools, then operations of APIs, then all of these with a number.

    No server has a name twice.

    Raises:
        InvalidInputError: a list is missing.
    """
    seen: set[tuple[str, str]] = set()
    for copy in count(1):
        for server, tool in (*_toucan(data), *_operations(data)):
            numbered = server if copy == 1 else f"{server}-{copy}"
            if (numbered, tool["name"]) not in seen:
                seen.add((numbered, tool["name"]))
                yield numbered, tool


def _toucan(data: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for row in lines(require(data, *TOUCAN)):
        yield row["server"], _tool(row["name"], row["description"], row["parameters"])


def _operations(data: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for file in _OPERATION_FILES:
        for row in lines(require(data, *_OPERATIONS, file)):
            text = ". ".join(part for part in (row["summary"], row["description"]) if part)
            properties = {name: {"type": "string"} for name in row["parameters"]}
            yield row["server"], _tool(row["name"], text, {"type": "object", "properties": properties})


def _tool(name: str, description: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": name, "description": description, "inputSchema": schema}
