"""A graph that changes at random, as ingests, people and takeovers change one."""

import random
from pathlib import Path
from typing import Any

from app.domain.nodes.models import NodeKind, ToolId
from app.domain.workflows.plans import Plan, PlanStep
from app.errors import InvalidInputError, NotFoundError
from app.usecases.confirm import confirm_tools
from app.usecases.workflows import WorkflowStore
from ingest.run.report import Report
from ingest.sources.files import IngestInput
from tests.ingest_cases import Graph, ingest, manifest, remove, taxonomy, tool

SERVERS = ("bank", "shop", "post")
NAMES = ("pay", "refund", "track", "send", "list_orders", "get_order")


class Changing:
    """Changes a graph at random, as ingests, people and takeovers do."""

    def __init__(self, graph: Graph, folder: Path, seed: int) -> None:
        self.graph = graph
        self.folder = folder
        self.random = random.Random(seed)
        self.reports: list[Report] = []
        """Of every ingest."""
        self.served: dict[str, list[str]] = {}
        """Names of the tools that a server had last."""
        self.workflows = WorkflowStore(graph, owner=lambda: "tests:1:1", lease_wait_s=5.0)

    def step(self) -> None:
        """One change, which may find nothing to do."""
        self.random.choice(
            (self.serve, self.serve, self.state, self.state, self.plan, self.confirm, self.leave)
        )()

    def ingest(self, one: IngestInput) -> None:
        """A run over a document."""
        self.reports.append(ingest(self.graph, one, allow_shrink=True))

    def some(self, items: Any) -> list[str]:
        """A few of them."""
        return self.random.sample(list(items), self.random.randint(1, 3))

    def serve(self) -> None:
        """A server with other tools, or the same with other texts."""
        server = self.random.choice(SERVERS)
        if server not in self.served or self.random.random() < 0.5:
            # Names of its own are contested by nobody.
            prefix = self.random.choice(("", f"{server}_"))
            self.served[server] = [
                f"{prefix}{name}{'' if self.random.random() < 0.8 else '_v2'}" for name in self.some(NAMES)
            ]
        tools = [
            tool(
                name,
                self.random.choice(("Does it.", "Does it well.")),
                annotations={"readOnlyHint": self.random.random() < 0.5},
                inputSchema={
                    "type": "object",
                    "properties": {f"{name}_id": {"type": "string"}, "order_id": {"type": "string"}},
                    "required": [f"{name}_id"],
                },
            )
            for name in self.served[server]
        ]
        self.ingest(manifest(self.folder / server, server, *tools))

    def state(self) -> None:
        """A taxonomy that says something else."""
        methods = self.some("abcd")
        self.ingest(
            taxonomy(
                self.folder,
                self.random.choice(("one", "two")),
                categories=[{"id": one, "name": self.random.choice("xy")} for one in self.some("klm")],
                methods=[
                    {
                        "id": one,
                        "implements": self.some(NAMES),
                        "category": self.random.choice("klm"),
                        "examples": self.some(("Do it", "Do that", "Do more")),
                        "relations": {"similar": self.some("abcd"), "enhances": self.some("abcd")},
                    }
                    for one in methods
                ],
                templates=[{"id": "t", "surface": "a page", "uses": self.some(NAMES)}],
                concepts=[{"id": "o", "related_to": self.some("abcd")}],
                generators=[{"id": "sunburst", "tool": self.random.choice(NAMES)}],
                tools=[
                    {
                        "id": one,
                        "requires": self.some(NAMES),
                        "not_requires": self.some(NAMES),
                        "not_implements": self.some("abcd"),
                        "precedes": self.some(NAMES),
                        "categories": self.some("klm"),
                    }
                    for one in self.some(NAMES)
                ],
            )
        )

    def plan(self) -> None:
        """A workflow is saved, changed or deleted."""
        ids = [one.id for one in self.graph.node_names(NodeKind.TOOL) if not one.declared]
        name = self.random.choice(("monday", "friday"))
        try:
            if self.random.random() < 0.3 or not ids:
                self.workflows.delete(name)
                return
            step = PlanStep(position=1, tool_id=ToolId(self.random.choice(ids)), bindings={})
            there = any(one.id == name for one in self.workflows.list())
            save = self.workflows.replace if there else self.workflows.create
            save(name, Plan(goal=self.random.choice(("pay it", "send it")), steps=(step,)))
        except (NotFoundError, InvalidInputError):
            return

    def confirm(self) -> None:
        """Somebody agrees to what waits."""
        if waiting := [one.id for one in self.graph.waiting_tools()]:
            confirm_tools(self.graph, self.graph.definitions(waiting), owner="tests:1:0", lease_wait_s=5)

    def leave(self) -> None:
        """A source goes."""
        if sources := self.graph.sources():
            remove(self.graph, self.random.choice(sources).id)
