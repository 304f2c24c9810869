"""Calls of a tool whose definition changed wait for somebody: kept in the graph, shown, and confirmed by a command."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.domain.calling.definitions import WaitingTool
from app.domain.nodes.models import SourceId
from app.domain.nodes.syncs import Severity
from app.errors import ChangedMeanwhileError, NotReadyError
from app.usecases.confirm import confirm_tools
from ingest.sources.files import IngestInput, file_input
from tests.fakes import InMemoryGraph
from tests.ingest_cases import Graph, Run, ingest, manifest, remove, taxonomy, tool

SHOP = SourceId("openapi:shop")


def shop(
    folder: Path, server: str = "https://shop.example/v1", method: str = "post", **names: str
) -> IngestInput:
    """An API of three operations, written anew."""
    paths: dict[str, Any] = {
        f"/{name}": {
            method if name == "cancel" else "get": {
                "operationId": names.get(name, name),
                "summary": f"Does {name}.",
                "responses": {"200": {"description": "ok"}},
            }
        }
        for name in ("cancel", "track", "list")
    }
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": server}],
        "paths": paths,
    }
    path = folder / "shop.json"
    path.write_text(json.dumps(document))
    return file_input("openapi", path)


def confirm(graph: Graph, *ids: str) -> int:
    return confirm_tools(graph, graph.definitions(ids), owner="tests:1:0", lease_wait_s=5)


def waiting(graph: Graph) -> list[str]:
    return [one.id for one in graph.waiting_tools()]


def test_a_definition_waits_until_it_is_confirmed(graph: Graph, tmp_path: Path) -> None:
    """It is breaking, ingest says so, and neither other changes nor another sync make it trusted."""
    ingest(graph, shop(tmp_path))
    assert waiting(graph) == []

    report = ingest(graph, shop(tmp_path, "https://evil.example"))

    assert waiting(graph) == ["shop/cancel", "shop/list", "shop/track"]
    reason = "was sent to https://shop.example/v1, is sent to https://evil.example now"
    assert graph.waiting_tools()[0] == WaitingTool(id="shop/cancel", source=SHOP, changes=(reason,))
    assert [text for one in report.outcomes for text in one.warnings] == [
        "calls of shop/cancel, shop/list, shop/track are refused until `outfitter confirm --source openapi:shop`:"
        " where they go, or what the tools promise, has changed"
    ]
    (last, _) = graph.syncs(SHOP)
    assert [(one.severity, one.reasons) for one in last.tools] == [(Severity.BREAKING, (reason,))] * 3

    ingest(graph, shop(tmp_path, "https://evil.example"))
    ingest(graph, shop(tmp_path, "https://evil.example/v2", method="delete"))
    assert "was POST /cancel, is DELETE /cancel now" in graph.waiting_tools()[0].changes
    # What was trusted last is what counts, not what was there in between.
    assert "was sent to https://shop.example/v1, is sent to https://evil.example/v2 now" in (
        graph.waiting_tools()[0].changes
    )
    generation = graph.state().generation

    assert confirm(graph, "shop/cancel", "shop/track") == generation + 1
    assert waiting(graph) == ["shop/list"]
    ingest(graph, shop(tmp_path, "https://evil.example/v2", method="delete", track="trace"))
    assert waiting(graph) == ["shop/list"]


def test_what_was_confirmed_before_needs_no_confirmation(tmp_path: Path) -> None:
    """A mistake that its author takes back costs nobody a question."""
    graph = InMemoryGraph()
    ingest(graph, shop(tmp_path))
    ingest(graph, shop(tmp_path, "https://moved.example"))
    ingest(graph, shop(tmp_path))

    assert waiting(graph) == []
    assert [one.confirmed for one in graph.definitions(["shop/cancel", "shop/track"])] == [None, None]


def test_a_renamed_tool_waits_as_well(graph: Graph, tmp_path: Path) -> None:
    """Whether it waited before, or gets another server with its new name."""
    ingest(graph, shop(tmp_path))
    ingest(graph, shop(tmp_path, "https://evil.example"))

    report = ingest(graph, shop(tmp_path, "https://evil.example", cancel="abort"))
    assert report.outcomes[0].renamed == [("shop/cancel", "shop/abort")]
    assert waiting(graph) == ["shop/abort", "shop/list", "shop/track"]

    confirm(graph, *waiting(graph))
    ingest(graph, shop(tmp_path, "https://worse.example", cancel="undo"))
    assert waiting(graph) == ["shop/list", "shop/track", "shop/undo"]


def test_a_flipped_hint_waits_and_one_that_is_taken_back_does_not(tmp_path: Path) -> None:
    """A tool that says less of itself is asked about anyway."""
    graph = InMemoryGraph()

    def read(**hints: bool) -> IngestInput:
        return manifest(tmp_path, "files", tool("read", annotations=hints), tool("list"))

    ingest(graph, read(readOnlyHint=False))
    ingest(graph, read(readOnlyHint=True))
    assert [one.changes for one in graph.waiting_tools()] == [("says now that it only reads",)]
    ingest(graph, read(destructiveHint=True))
    assert waiting(graph) == []
    ingest(graph, read(readOnlyHint=True))
    assert waiting(graph) == ["files/read"]


def test_a_tool_that_was_gone_meanwhile_is_told_by_what_was_trusted(tmp_path: Path) -> None:
    """As long as a taxonomy names it by its id. What the graph has forgotten altogether comes as a new tool."""
    graph = InMemoryGraph()
    ingest(graph, taxonomy(tmp_path, "w", methods=[{"id": "m", "implements": ["shop/cancel"]}]))
    ingest(graph, shop(tmp_path))
    remove(graph, SHOP)
    assert (graph.tool("shop/cancel").declared, waiting(graph)) == (True, [])

    ingest(graph, shop(tmp_path, "https://evil.example"))

    assert waiting(graph) == ["shop/cancel"]


def test_only_what_was_shown_is_confirmed(tmp_path: Path) -> None:
    """Neither a definition that changed again nor what a killed ingest left."""
    graph = InMemoryGraph()
    ingest(graph, shop(tmp_path))
    ingest(graph, shop(tmp_path, "https://moved.example"))
    shown = graph.definitions(["shop/cancel"])
    ingest(graph, shop(tmp_path, "https://evil.example"))

    with pytest.raises(ChangedMeanwhileError, match="'shop/cancel' has changed again"):
        confirm_tools(graph, shown, owner="tests:1:0", lease_wait_s=5)
    graph.writing = True
    with pytest.raises(NotReadyError, match="killed"):
        confirm(graph, "shop/cancel")

    assert "shop/cancel" in waiting(graph)


def test_the_command_lists_asks_and_confirms(outfitter: Run, tmp_path: Path) -> None:
    """Nothing is confirmed without a word; `show` and `changes` say what waits."""
    outfitter("ingest", "openapi", shop(tmp_path).path)
    assert "Nothing waits" in outfitter("confirm").stdout
    assert outfitter("ingest", "openapi", shop(tmp_path, "https://evil.example").path).exit_code == 0

    listed = outfitter("confirm").stdout
    assert ("shop/track" in listed, "https://evil.example" in listed) == (True, True)
    assert "outfitter confirm shop/track" in outfitter("show", "shop/track").stdout
    assert "Calls of 3 tools are refused" in outfitter("changes", "openapi:shop").stdout
    assert outfitter("confirm", "shop/track").exit_code == 1
    assert len(json.loads(outfitter("confirm", "--json").stdout)) == 3

    done = outfitter("confirm", "shop/track", "--yes")
    assert (done.exit_code, "Confirmed 1 tool." in done.stdout) == (0, True)
    done = outfitter("confirm", "--source", "openapi:shop", "--yes", "--json")
    assert [(one["id"], one["confirmed"]) for one in json.loads(done.stdout)] == [
        ("shop/cancel", True),
        ("shop/list", True),
    ]
    assert json.loads(outfitter("confirm", "--json").stdout) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["shop/cancel"], "'shop/cancel': nothing to confirm; accepted: ids that `outfitter confirm` lists"),
        (["--source", "openapi:nix"], "no source 'openapi:nix'"),
    ],
)
def test_what_does_not_wait_cannot_be_confirmed(
    outfitter: Run, tmp_path: Path, arguments: list[str], message: str
) -> None:
    outfitter("ingest", "openapi", shop(tmp_path).path)

    done = outfitter("confirm", *arguments, "--yes")

    assert done.exit_code == 2
    assert message in done.stderr
