"""Run in another interpreter: rankings of `graph-tool-call`, as JSON on stdout.

Reads on stdin `engine` (default, graphify), either `document` (path of an OpenAPI document) or `servers`
([{name, tools}], tools as MCP gives them), `questions`, `top_k`, `max_bytes`. The first line of the answer tells
of the ingest, each further one of a question.
"""

import copy
import json
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Job = dict[str, Any]


def main() -> None:
    """One line of JSON for each question, so that what was done in time is kept."""
    job: Job = json.load(sys.stdin)
    _limit_memory(job["max_bytes"])
    ingest = _ingest_graphify if job["engine"] == "graphify" else _ingest_default
    begin = time.perf_counter()
    calls, rank = ingest(job)
    _say({"ingest_s": time.perf_counter() - begin, "calls": calls, "peak_mb": _peak_mb()})
    for text in job["questions"]:
        begin = time.perf_counter()
        names = rank(text)
        _say({"names": names, "ms": 1000 * (time.perf_counter() - begin), "peak_mb": _peak_mb()})


def _ingest_default(job: Job) -> tuple[dict[str, str], Callable[[str], list[str]]]:
    """What its command line, its MCP server and its proxy do."""
    graph = import_module("graph_tool_call").ToolGraph()
    if "document" in job:
        tools = graph.ingest_openapi(_document(job))
    else:
        tools = [
            tool
            for server in job["servers"]
            for tool in graph.ingest_mcp_tools(server["tools"], server_name=server["name"])
        ]
    graph.retrieve("list", top_k=1)  # it indexes when it is first asked
    return _calls(tools), lambda text: [tool.name for tool in graph.retrieve(text, top_k=job["top_k"])]


def _ingest_graphify(job: Job) -> tuple[dict[str, str], Callable[[str], list[str]]]:
    """Its second engine, from Python only."""
    graphify = import_module("graph_tool_call.graphify")
    if "document" in job:
        raw = _document(job)
        tools, spec = import_module("graph_tool_call.ingest.openapi").ingest_openapi(copy.deepcopy(raw))
        graph, _ = graphify.ingest_openapi_graphify(tools, spec=spec.raw, raw_spec=raw)
    else:
        read = import_module("graph_tool_call.ingest.mcp").ingest_mcp_tools
        tools = [
            tool for server in job["servers"] for tool in read(server["tools"], server_name=server["name"])
        ]
        graph, _ = graphify.ingest_openapi_graphify(tools)

    def rank(text: str) -> list[str]:
        found = graphify.retrieve_graphify(graph, text, top_k=job["top_k"])["results"]
        return [row["name"] for row in found]

    return _calls(tools), rank


def _document(job: Job) -> Any:
    return json.loads(Path(job["document"]).read_bytes())


def _calls(tools: list[Any]) -> dict[str, str]:
    """`METHOD path` of the operations, by name."""
    found = {}
    for tool in tools:
        facts = getattr(tool, "metadata", None) or {}
        if facts.get("path"):
            found[tool.name] = f"{facts.get('method', '').upper()} {facts['path']}"
    return found


def _limit_memory(limit: int) -> None:
    if find_spec("resource"):
        resource = import_module("resource")
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _peak_mb() -> float:
    """Of this program alone: getrusage would count the process that started it."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0.0
    facts = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines())
    return int(facts["VmHWM"].split()[0]) / 1024


def _say(row: Job) -> None:
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
