"""Every other set of the public data folder in miniature, written for the tests of the bench."""

import json
from pathlib import Path

from bench.peer.sets import PEER_SETS
from tests.unit.bench.data import write_lines, write_toolbench

_TOOLS = (
    {"id": "mail/send", "server": "mail", "name": "send", "description": "Send a letter.", "parameters": {}},
    {"id": "mail/read", "server": "mail", "name": "read", "description": "Read a letter.", "parameters": {}},
    {"id": "bank/pay", "server": "bank", "name": "pay", "description": "Pay a bill.", "parameters": {}},
)
_QUERIES = (
    ("send a letter", ["mail/send"]),
    ("pay the bill and read the letter", ["bank/pay", "mail/read"]),
    ("read it", ["mail/read"]),
)
_LABELS = {"split": "test", "plan": "SECRET", "steps": "SECRET", "raw": "SECRET", "main": "mail/send"}
_COMMON = (
    *(
        "ultratool_test",
        "toollens",
        "azure_mcp",
        "livemcpbench",
        "toollinkos",
        "nestful",
        "jentic_arazzo_dev",
    ),
    *("restbench_tmdb", "restbench_spotify"),
)
_OPERATIONS = {
    "openapi": "3.0.0",
    "info": {"title": "Mail", "version": "1"},
    "paths": {
        "/letters": {
            "get": {"operationId": "listLetters", "summary": "List letters"},
            "post": {"operationId": "sendLetter", "summary": "Send a letter"},
        }
    },
}


def write_public_sets(folder: Path) -> Path:
    """All sets of `bench.sets.sets.SETS`; labels say SECRET wherever none may be read."""
    write_toolbench(folder)
    for name in _COMMON:
        _write_common(folder / "bench" / name)
    peer = folder / "bench" / "graph_tool_call"
    labels = {"queries": [{"query": "send a letter", "expected_tools": ["sendLetter"]}]}
    for name in PEER_SETS:
        part = ("fixtures", "github_full_ground_truth") if name == "github_full" else ("ground_truth", name)
        _write_json(peer / part[0] / f"{part[1]}.json", labels)
    for name in ("petstore3", "ecommerce", "github_subset", "k8s_core_v1"):
        _write_json(peer / "specs" / f"{name}.json", _OPERATIONS)
    for name in ("playwright", "filesystem", "github", "git", "docker", "shell"):
        tool = {
            "name": f"{name}_sendLetter",
            "description": "Send a letter.",
            "inputSchema": {"type": "object"},
        }
        _write_json(peer / "mcp_tools" / f"{name}.json", {"tools": [tool]})
    _write_json(folder / "openapi" / "specs" / "github-3.0.json", _OPERATIONS)
    return folder


def _write_common(folder: Path) -> None:
    folder.mkdir(parents=True)
    write_lines(folder / "tools.jsonl", _TOOLS)
    of_vendors = folder.name == "jentic_arazzo_dev"
    queries = (
        {
            "id": str(number),
            "query": text,
            "gold": gold,
            "ordered": len(gold) > 1,
            "meta": {**_LABELS, **({"vendor": f"vendor{number}"} if of_vendors else {})},
        }
        for number, (text, gold) in enumerate(_QUERIES)
    )
    write_lines(folder / "queries.jsonl", queries)
    given = folder.name == "toollinkos"
    edge = {"source": "mail/send", "target": "mail/read", "parameter": None}
    write_lines(folder / "edges.jsonl", [{**edge, "type": "requires" if given else "precedes"}])


def _write_json(path: Path, document: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document))
