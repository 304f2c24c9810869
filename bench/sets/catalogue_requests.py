"""Requests that were written down for tools of the public catalogues: a development set of many trades.

Whoever wrote them saw name, path, parameters and the beginning of the description of a tool and of its siblings, and no request of any
set. A tool has a short request, a situation and an order with values; some requests need several tools.
"""

import json
import zlib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from app.domain.nodes.models import Tool
from bench.sets.datasets import Dataset, Question, catalogue_of, lines, plain_tool
from bench.training.catalogues import CataloguedTool, catalogued_tools

NAME = "catalogues"
_SHARE = 8
"""One server in eight is asked about; the requests of the others may train an encoder."""


def catalogue_requests(data: Path) -> Dataset:
    """The requests of servers that nothing is trained on, asked of all tools that any were written for.

    Raises:
        InvalidInputError: the folder lacks the catalogues.
    """
    rows = list(written_for_tools())
    wanted = {(server, tool) for server, tools, _ in rows for tool in tools}
    tools = (tool for tool in catalogued_tools(data) if (tool.server, tool.name) in wanted)
    catalogue = catalogue_of(map(_plain, tools))
    known = {tool.id for tool in catalogue.tools}
    questions = [
        Question(f"{server} {at}.{number}", request, gold, {}, "several" if len(gold) > 1 else "one")
        for at, (server, names, requests) in enumerate(rows)
        if is_held_out(server) and known.issuperset(gold := tuple(f"{server}/{name}" for name in names))
        for number, request in enumerate(requests)
    ]
    return Dataset(NAME, catalogue, tuple(questions))


def is_held_out(server: str) -> bool:
    """Whether the requests written for a server's tools are for measuring alone."""
    return zlib.crc32(server.encode()) % _SHARE == 0


def written_for_tools() -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Server, tools that are needed, and requests for these."""
    for row in lines(files("bench.sets") / "catalogue_requests.jsonl"):
        yield row["server"], tuple(row["tools"]), tuple(row["requests"])


def _plain(tool: CataloguedTool) -> Tool:
    parameters = (one.split(" ", 1) for one in tool.parameters)
    properties = {name: {"description": " ".join(rest)} for name, *rest in parameters}
    return plain_tool(
        id=f"{tool.server}/{tool.name}",
        server=tool.server,
        name=tool.name,
        description=tool.description,
        input_schema=json.dumps({"type": "object", "properties": properties}),
        path=tool.path,
    )
