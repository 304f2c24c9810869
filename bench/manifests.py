"""Manifests from a list of tools, one file for each server."""

import json
from collections import defaultdict
from itertools import islice
from pathlib import Path
from typing import Any

from bench.datasets import require

TOUCAN = ("catalogues", "toucan", "tools.jsonl")


def write_manifests(data: Path, folder: Path, *, limit: int | None = None) -> int:
    """Write the first `limit` tools of Toucan into `folder` as `tools/list` answers; the number of tools.

    Raises:
        InvalidInputError: the list is missing.
    """
    servers: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    with require(data, *TOUCAN).open(encoding="utf-8") as lines:
        for line in islice(lines, limit):
            row = json.loads(line)
            servers[row["server"]].append(
                {"name": row["name"], "description": row["description"], "inputSchema": row["parameters"]}
            )
    for server, tools in servers.items():
        path = folder / f"{server.replace('/', '-')}.json"
        path.write_text(json.dumps({"tools": tools}, ensure_ascii=False), encoding="utf-8")
    return sum(map(len, servers.values()))
