"""Run in another interpreter: plans of `graph-tool-call` for the goals of OpenAPI documents, as JSON on stdout.

Reads `{"documents": [{"path", "goals": [text]}]}` on stdin. A document that it cannot read is named in `failed`.
"""

import json
import sys
import time
from importlib import import_module
from pathlib import Path


def main() -> None:
    """One line of JSON per document, so that what was done in time is kept."""
    new_graph = import_module("graph_tool_call").ToolGraph
    for document in json.load(sys.stdin)["documents"]:
        found: dict[str, object] = {"path": document["path"], "failed": "", "edges": [], "plans": []}
        begin = time.perf_counter()
        try:
            source = json.loads(Path(document["path"]).read_bytes())
            graph = new_graph()
            calls = {tool.name: _call(tool) for tool in graph.ingest_openapi(source, skip_deprecated=False)}
            edges = [
                (calls[one], calls[other])
                for one, other, _ in graph.graph.edges()
                if {one, other} <= calls.keys()
            ]
            found |= {"edges": edges, "ingest_s": time.perf_counter() - begin}
            plans = []
            for goal in document["goals"]:
                begin = time.perf_counter()
                names = graph.plan_workflow(goal).tool_names
                plans.append(([calls[name] for name in names], time.perf_counter() - begin))
            found["plans"] = plans
        except Exception as error:  # noqa: BLE001  # whatever it cannot read is a result, too
            found["failed"] = f"{type(error).__name__}: {error}"[:200]
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()


def _call(tool: object) -> str:
    facts = getattr(tool, "metadata", None) or {}
    return f"{facts.get('method', '').upper()} {facts.get('path', '')}"


if __name__ == "__main__":
    main()
