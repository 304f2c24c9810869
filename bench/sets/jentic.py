"""The Jentic set with the documents it was made of: tools as ingest reads them, goals, and pairs of calls.

The pairs and the order of calls are labels: they score, and nothing else sees them.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

from app.domain.nodes.models import Tool
from bench.sets.datasets import require
from bench.sets.openapi_tools import read_tools

_FOLDER = ("bench", "jentic_arazzo_dev")


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal and the calls that reach it, in order."""

    id: str
    text: str
    gold: tuple[str, ...]
    """Tool ids, repetitions kept."""
    vendor: str


def half(vendor: str) -> int:
    """0: failures may be read; 1: held out."""
    return int(hashlib.md5(vendor.encode(), usedforsecurity=False).hexdigest(), 16) % 2


def documents(data: Path) -> dict[str, Path]:
    """Documents by vendor: the host's folder, with the name of the API where the host has several."""
    root = require(data, *_FOLDER, "raw", "apis", "openapi")
    found: dict[str, Path] = {}
    for path in sorted(root.glob("**/openapi.json")):
        host, api = path.relative_to(root).parts[:2]
        found[host if api == "main" else f"{host}~{api}"] = path
    return found


def vendors(data: Path, *, count: int | None = None) -> dict[str, list[Tool]]:
    """Tools by vendor; of `count` vendors, taken evenly, or of all."""
    found = list(documents(data).items())
    chosen = found if count is None else found[:: max(1, len(found) // count)]
    return {
        vendor: [tool for tool in read_tools(path, server=vendor) if tool.method != "TRACE"]
        for vendor, path in chosen
    }


def goals(data: Path, tools: dict[str, list[Tool]]) -> list[Goal]:
    """The 787 goals, or those of the vendors that `tools` has; their labels as ids of `tools`."""
    ids = {vendor: _label_ids(found) for vendor, found in tools.items()}
    lines = require(data, *_FOLDER, "queries.jsonl").read_text().splitlines()
    found = []
    for line in lines:
        row = json.loads(line)
        vendor = row["meta"]["vendor"]
        if vendor not in ids:
            continue
        gold = tuple(ids[vendor].get(label, label) for label in row["gold"])
        found.append(Goal(row["id"], row["query"], gold, vendor))
    return found


def pairs(data: Path, tools: dict[str, list[Tool]]) -> list[tuple[str, str]]:
    """(producer, consumer) of the 994 labelled pairs whose ends differ."""
    ids = {vendor: _label_ids(found) for vendor, found in tools.items()}
    found = []
    for line in require(data, *_FOLDER, "edges.jsonl").read_text().splitlines():
        row = json.loads(line)
        ends = [ids[row[end].split("/", 1)[0]].get(row[end], row[end]) for end in ("source", "target")]
        if ends[0] != ends[1]:
            found.append((ends[0], ends[1]))
    return found


def _label_ids(tools: list[Tool]) -> dict[str, str]:
    """Label -> tool id: `vendor/name`, and `vendor/METHOD /path` for operations without a name."""
    by_name = {re.sub(r"/([A-Z]+)_/", r"/\1 /", tool.id, count=1): tool.id for tool in tools}
    return {**by_name, **{tool.id: tool.id for tool in tools}}
