"""Manifests of real tools, and of as many as are wanted, one file for each server."""

import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from bench.generated.grown import SEED, GrownCatalogue, ServerTool
from bench.sets.datasets import lines, require

TOUCAN = ("catalogues", "toucan", "tools.jsonl")


def grown_catalogue(data: Path, *, seed: int = SEED) -> GrownCatalogue:
    """Toucan's tools, and copies of them in other words.

    Raises:
        InvalidInputError: the list is missing.
    """
    path = require(data, *TOUCAN)
    return GrownCatalogue(lambda: _toucan(path), seed=seed)


def write_manifests(catalogue: GrownCatalogue, folder: Path, *, limit: int) -> int:
    """Write the first `limit` tools into `folder` as `tools/list` answers; the number of files."""
    files = 0
    for server, rows in groupby(islice(catalogue.tools(), limit), key=lambda row: row[0]):
        path = folder / f"{server.replace('/', '-')}.json"
        tools = [tool for _, tool in rows]
        path.write_text(json.dumps({"tools": tools}, ensure_ascii=False), encoding="utf-8")
        files += 1
    return files


def _toucan(path: Path) -> Iterator[ServerTool]:
    """Server by server; the first of equal names on one server."""
    servers: defaultdict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    for row in lines(path):
        tool = {"name": row["name"], "description": row["description"], "inputSchema": row["parameters"]}
        servers[row["server"]].setdefault(row["name"], tool)
    for server, tools in servers.items():
        yield from ((server, tool) for tool in tools.values())
