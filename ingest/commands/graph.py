"""`outfitter sources`, `show` and `remove`: what is in the graph."""

from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.options import DataDir
from app.commands.terminal import open_console
from app.errors import NotFoundError
from ingest.commands.runs import AsJson, DryRun, opened_graph, print_json, run_request

if TYPE_CHECKING:
    from app.adapters.graph.store import GraphStore


def remove(
    source_id: Annotated[str, typer.Argument(help="As `outfitter sources` lists it, e.g. manifest:github.")],
    dry_run: DryRun = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Remove a source and what only it provides."""
    from app.domain.nodes.models import SourceId
    from ingest.run.request import IngestRequest

    request = IngestRequest(removals=[SourceId(source_id)], dry_run=dry_run)
    run_request(request, as_json=as_json, data_dir=data_dir)


def sources(as_json: AsJson = False, data_dir: DataDir = None) -> None:
    """List what was ingested."""
    from ingest.commands.tables import print_sources

    with opened_graph(data_dir) as (graph, _):
        found = graph.source_counts()
        if as_json:
            print_json([one.model_dump(mode="json") for one in found])
        else:
            print_sources(open_console(), found)


def show(
    tool: Annotated[str, typer.Argument(help="Id of a tool (server/name), or a name that one tool has.")],
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Show a tool: its card, its methods, templates, neighbours and sources."""
    from ingest.commands.tables import print_tool

    with opened_graph(data_dir) as (graph, _):
        details = graph.tool_details(_tool_id(graph, tool))
        if as_json:
            print_json(details.model_dump(mode="json"))
        else:
            print_tool(open_console(), details)


def _tool_id(graph: "GraphStore", text: str) -> str:
    from app.domain.language.near import near_ones
    from app.domain.nodes.models import NodeKind

    names = {name.id: name.name for name in graph.node_names(NodeKind.TOOL)}
    if text in names:
        return text
    called = [node for node, name in names.items() if name == text]
    if len(called) == 1:
        return called[0]
    if called:
        raise NotFoundError(
            f"{len(called)} tools are called {text!r}: {', '.join(called[:5])}; accepted: one id"
        )
    count = f"{len(names)} tools are known"
    known = near_ones(text, [*names, *names.values()], cutoff=0.5, otherwise=count)
    raise NotFoundError(f"no tool {text!r}; {known}")
