"""graph-tool-call as a ranking: both of its engines, in an interpreter that has it.

It gets what it reads best: an OpenAPI document where the set is one, else the tools as MCP gives them, with the texts
of methods that a taxonomy has for a tool in the tool's description. Its own sets are given without names of servers,
as it measures them itself (with them its MRR on `mixed_mcp` is .860 instead of .893).
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.domain.catalogue import Catalogue
from app.domain.nodes.models import Tool
from bench.methods.base import DEPTH, Run
from bench.peer.process import PeerAnswer, ask_peer, peer_version
from bench.peer.sets import PREFIX, peer_document
from bench.sets.datasets import Dataset

ENGINES = ("default", "graphify")
_MAX_BYTES = 8 * 2**30


@dataclass(frozen=True)
class GraphToolCall:
    """One of its two engines."""

    engine: str
    python: Path
    version: str
    seconds: float
    """For one set, ingest included."""
    data: Path

    @property
    def name(self) -> str:
        """As the tables have it."""
        return f"gtc-{self.engine}"

    def run(self, dataset: Dataset) -> Run:
        """Rank for every question; those that it did not come to have an empty ranking."""
        return self.run_of(dataset, self.ask(dataset))

    def ask(self, dataset: Dataset) -> PeerAnswer:
        """Its own words: a row on the ingest, then one for each question."""
        document = peer_document(self.data, dataset.name)
        given = {"document": str(document)} if document else {"servers": peer_servers(dataset)}
        job = given | {
            "engine": self.engine,
            "questions": [question.text for question in dataset.questions],
            "top_k": DEPTH,
            "max_bytes": _MAX_BYTES,
        }
        script = Path(__file__).with_name("rank_script.py")
        return ask_peer(self.python, script, job, seconds=self.seconds)

    def run_of(self, dataset: Dataset, answer: PeerAnswer) -> Run:
        """Its names as our ids."""
        document = peer_document(self.data, dataset.name)
        return peer_run(dataset, answer, from_document=document is not None)


def graph_tool_call(data: Path, python: Path | None, *, seconds: float) -> list[GraphToolCall]:
    """Both engines, or none where the interpreter does not have it."""
    version = peer_version(python) if python else ""
    if not python or not version:
        return []
    return [GraphToolCall(engine, python, version, seconds, data) for engine in ENGINES]


def peer_servers(dataset: Dataset) -> list[dict[str, Any]]:
    """The tools by server. A name that several servers have gets its server before it: it keeps one tool a name."""
    names = peer_names(dataset.catalogue)
    texts = _method_texts(dataset.catalogue)
    servers: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for tool in dataset.catalogue.tools:
        servers[tool.server].append(_mcp_tool(tool, name=names[tool.id], more=texts.get(tool.id, "")))
    own = dataset.name.startswith(PREFIX)
    return [
        {"name": None if own or not server else server, "tools": tools} for server, tools in servers.items()
    ]


def peer_names(catalogue: Catalogue) -> dict[str, str]:
    """The name that each tool has there, by id."""
    holders: defaultdict[str, int] = defaultdict(int)
    for tool in catalogue.tools:
        holders[tool.name] += 1
    return {
        tool.id: tool.name if holders[tool.name] == 1 else f"{tool.server}.{tool.name}"
        for tool in catalogue.tools
    }


def peer_run(dataset: Dataset, answer: PeerAnswer, *, from_document: bool) -> Run:
    """Its names as our ids."""
    first, *rows = answer.rows or [{"ingest_s": 0.0, "calls": {}}]
    ids = dict(_ids(dataset, first["calls"], from_document=from_document))
    rankings = [tuple(ids.get(name, name) for name in row["names"]) for row in rows]
    asked = len(rankings)
    missing = len(dataset.questions) - asked
    note = answer.note and f"{answer.note}; {asked} of {len(dataset.questions)} questions answered"
    return Run(
        rankings=(*rankings, *[()] * missing),
        ms=tuple(row["ms"] for row in rows),
        build_s=first["ingest_s"],
        finished=answer.finished,
        note=note,
    )


def _ids(dataset: Dataset, calls: Mapping[str, str], *, from_document: bool) -> Iterator[tuple[str, str]]:
    if not from_document:
        names = peer_names(dataset.catalogue)
        yield from ((name, tool) for tool, name in names.items())
        return
    by_call = {f"{tool.method} {tool.path}": str(tool.id) for tool in dataset.catalogue.tools if tool.path}
    yield from ((name, by_call[call]) for name, call in calls.items() if call in by_call)


def _method_texts(catalogue: Catalogue) -> dict[str, str]:
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for method in catalogue.methods:
        text = " ".join((method.name, method.description, *method.tags, *method.examples))
        for tool in method.implements:
            texts[tool].append(text)
    return {tool: ". ".join(parts) for tool, parts in texts.items()}


def _mcp_tool(tool: Tool, *, name: str, more: str) -> dict[str, Any]:
    schema = json.loads(tool.input_schema) if tool.input_schema else {}
    properties = schema.get("properties") or {}
    found: dict[str, Any] = {
        "name": name,
        "description": ". ".join(part for part in (tool.description, more) if part),
        "inputSchema": {
            "type": "object",
            "properties": {
                key: _plain(value) for key, value in properties.items() if isinstance(value, dict)
            },
            "required": [key for key in schema.get("required") or [] if isinstance(key, str)],
        },
    }
    if tool.title:
        found["title"] = tool.title
    hints = {"readOnlyHint": tool.read_only, "destructiveHint": tool.destructive}
    hints = {key: value for key, value in hints.items() if value is not None}
    return found | ({"annotations": hints} if hints else {})


def _plain(schema: Any) -> Any:
    """A schema without the `required: true` of old drafts, which it takes for a list of names and fails on."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _plain(value)
        for key, value in schema.items()
        if key != "required" or not isinstance(value, bool)
    }
