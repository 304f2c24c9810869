"""Small sets written for the tests of the bench, and a program that stands for the peer's interpreter."""

import sys
from pathlib import Path

from bench.peer.methods import GraphToolCall
from bench.report.sets import Part, ReportScope
from bench.report.tracks import Tracks
from bench.sets.datasets import Dataset, Question, catalogue_of, plain_tool

NASTY = 'bake & "serve" <script>alert(1)</script> | [red]bread[/red]'
"""A request that would break a page, a Markdown table or a terminal that trusts it."""
_TOOLS = {
    "bake_bread": "Bake a loaf of bread from dough and serve it.",
    "knead_dough": "Knead flour and water to a dough.",
    "sell_bread": "Sell a loaf at the counter.",
    "order_flour": "Order flour from the mill.",
    "count_till": "Count the money in the till.",
    "clean_oven": "Clean the oven after work.",
}
_REQUESTS = (
    ("T1", "bake a loaf of bread", ("bake_bread",)),
    ("T1", NASTY, ("bake_bread",)),
    ("T2", "how much money did we take", ("count_till",)),
    ("T2", "we are out of flour", ("order_flour",)),
    ("T3", "make dough and bake bread", ("knead_dough", "bake_bread")),
    ("T3", "tidy up", ("clean_oven",)),
)


def bakery(name: str = "bakery") -> Dataset:
    """Six tools, six requests in three tiers."""
    tools = [
        plain_tool(id=f"shop/{tool}", server="shop", name=tool, description=text)
        for tool, text in _TOOLS.items()
    ]
    questions = tuple(
        Question(f"{name}-{place}", text, tuple(f"shop/{tool}" for tool in gold), {}, tier)
        for place, (tier, text, gold) in enumerate(_REQUESTS)
    )
    return Dataset(name, catalogue_of(tools), questions)


def interpreter(folder: Path, *lines: str) -> Path:
    """A program that stands for the other interpreter."""
    script = folder / "python"
    begin = (f"#!{sys.executable}", "import json, sys, time", "job = json.loads(sys.stdin.read() or '{}')")
    script.write_text("\n".join((*begin, *lines)))
    script.chmod(0o755)
    return script


PEER_LINES = (
    "print(json.dumps({'ingest_s': 0.5, 'calls': {}, 'peak_mb': 1.0}), flush=True)",
    "names = [tool['name'] for server in job['servers'] for tool in server['tools']]",
    "for text in job['questions']:",
    "    print(json.dumps({'names': names, 'ms': 2.0, 'peak_mb': 1.0}), flush=True)",
)
"""A peer that always answers with all tools in the order in which it got them."""


def peer(folder: Path, *lines: str, seconds: float = 30.0) -> GraphToolCall:
    """The peer's default engine, played by a program."""
    return GraphToolCall("default", interpreter(folder, *(lines or PEER_LINES)), "1", seconds, folder)


def sample_scope(*peers: GraphToolCall, sets: tuple[Dataset, ...] = ()) -> ReportScope:
    """A report on the bakery."""
    return ReportScope(
        sets or (bakery(),),
        (),
        Tracks(None),
        peers,
        ("absent: it is missing",),
        frozenset({Part.SETS}),
        quick=True,
    )
