"""A document whose nodes stay what they are is compared with these nodes alone, and the graph becomes the same."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from app.domain.nodes.models import NodeKind, NodeName
from ingest.diff import sync
from tests.changing_graph import Changing
from tests.fakes import InMemoryGraph
from tests.ingest_cases import Graph, dump, ingest, manifest, taxonomy, tool


class Reads(InMemoryGraph):
    """Counts how often all names are read."""

    all_names = 0

    def node_names(self, kind: NodeKind) -> list[NodeName]:
        """The names, counted."""
        self.all_names += 1
        return super().node_names(kind)

    def names_of(self, kind: NodeKind, ids: Sequence[str]) -> list[NodeName]:
        """Those with these ids, not counted."""
        return [one for one in super().node_names(kind) if one.id in set(ids)]


@pytest.mark.parametrize("seed", range(12))
def test_the_graph_and_the_reports_are_those_of_a_whole_comparison(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Whatever happened before, and whatever else the graph holds."""
    (tmp_path / "narrow").mkdir()
    (tmp_path / "whole").mkdir()
    narrow = Changing(InMemoryGraph(), tmp_path / "narrow", seed)
    whole = Changing(InMemoryGraph(), tmp_path / "whole", seed)
    read_narrow = sync.read_narrow
    used = 0
    for changing in (narrow, whole):
        changing.graph.apply_schema()
    for _ in range(60):
        with monkeypatch.context() as patched:
            found: list[object] = []
            patched.setattr(
                sync,
                "read_narrow",
                lambda *given, found=found: found.append(read_narrow(*given)) or found[-1],
            )
            narrow.step()
            used += any(one is not None for one in found)
        with monkeypatch.context() as patched:
            patched.setattr(sync, "read_narrow", lambda *_: None)
            whole.step()
        assert dump(narrow.graph) == dump(whole.graph)
        said = [list(one.reports[-1].outcomes) if one.reports else [] for one in (narrow, whole)]
        assert said[0] == said[1]

    assert used > 0


def test_other_texts_of_the_same_tools_read_no_other_names(tmp_path: Path) -> None:
    """Of thousands of servers one changed."""
    graph = Reads()
    for server in ("bank", "shop"):
        ingest(graph, manifest(tmp_path / server, server, tool("pay"), tool(f"{server}_only")))
    graph.all_names = 0

    report = ingest(graph, manifest(tmp_path / "bank", "bank", tool("pay", "Pays."), tool("bank_only")))

    assert (report.nodes_written, graph.all_names) == (1, 0)


@pytest.mark.parametrize("what", ["a new tool", "one gone", "a contested name"])
def test_what_may_concern_others_reads_all_of_them(tmp_path: Path, what: str) -> None:
    """Names may come to mean something else, and warnings are to be given."""
    graph = Reads()
    ingest(graph, taxonomy(tmp_path, "w", methods=[{"id": "m", "implements": ["pay"]}]))
    ingest(graph, manifest(tmp_path / "bank", "bank", tool("pay"), tool("save")))
    if what == "a contested name":
        ingest(graph, manifest(tmp_path / "shop", "shop", tool("pay")))
    graph.all_names = 0
    tools = {
        "a new tool": [tool("pay"), tool("save"), tool("more")],
        "one gone": [tool("pay")],
        "a contested name": [tool("pay", "Pays."), tool("save")],
    }[what]

    report = ingest(graph, manifest(tmp_path / "bank", "bank", *tools))

    assert graph.all_names > 0
    assert bool(report.outcomes[0].warnings) == (what == "a contested name")


def test_nodes_are_named_by_their_ids(graph: Graph, tmp_path: Path) -> None:
    """As among all of their kind."""
    ingest(
        graph,
        taxonomy(
            tmp_path,
            "w",
            categories=[{"id": "c", "name": "C"}],
            methods=[{"id": "m", "examples": ["Do it"]}],
            generators=[{"id": "g", "tool": "pay"}],
        ),
        manifest(tmp_path / "bank", "bank", tool("pay"), tool("save")),
    )

    for kind in NodeKind:
        every = graph.node_names(kind)
        assert graph.names_of(kind, [*(one.id for one in every), "unknown", "g"]) == (
            every if kind is not NodeKind.GENERATOR else [one for one in every if one.id == "g"]
        )
