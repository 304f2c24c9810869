"""Catalogues of any size, and what is asked of a peer that did not finish."""

import json
from itertools import islice
from pathlib import Path

import pytest

from bench.measure.cells import CellStore
from bench.served import scale
from bench.served.scale import ScaleRow, measure_scale, scale_set
from bench.sets.manifests import many_tools, write_manifests
from tests.unit.bench.samples import PEER_LINES, peer


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three MCP tools, of which two have one name on one server, and two operations."""
    toucan = tmp_path / "catalogues" / "toucan"
    operations = tmp_path / "catalogues" / "openapi_operations"
    pine = tmp_path / "pinepaper"
    for folder in (toucan, operations, pine):
        folder.mkdir(parents=True)
    rows = [
        {"server": "bank", "name": name, "description": f"{name} it", "parameters": {"type": "object"}}
        for name in ("pay", "save", "pay")
    ]
    (toucan / "tools.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for file, server in (("operations", "mill"), ("azure", "forge")):
        row = {
            "server": server,
            "name": "run",
            "summary": "Run",
            "description": "it",
            "parameters": ["speed"],
        }
        (operations / f"{file}.jsonl").write_text(json.dumps(row) + "\n")
    case = {"id": "1", "tier": "T1", "query": "pay it", "gold": ["x"], "acceptable": [], "methods": []}
    (pine / "cases.jsonl").write_text(json.dumps(case) + "\n")
    return tmp_path


def test_tools_do_not_end_and_no_server_has_a_name_twice(data: Path) -> None:
    """MCP tools, then operations, then all of them with a number."""
    found = [(server, tool["name"]) for server, tool in islice(many_tools(data), 9)]

    first = [("bank", "pay"), ("bank", "save"), ("mill", "run"), ("forge", "run")]
    numbered = [(f"{server}-2", name) for server, name in first]
    assert found == [*first, *numbered, ("bank-3", "pay")]
    assert len(scale_set(data, 9).catalogue.tools) == 9


def test_manifests_have_as_many_tools_as_were_asked_for(data: Path, tmp_path: Path) -> None:
    """A file for each server."""
    out = tmp_path / "out"
    out.mkdir()

    assert write_manifests(data, out, limit=5) == 5
    names = {path.name: len(json.loads(path.read_text())["tools"]) for path in out.iterdir()}
    assert names == {"bank.json": 2, "mill.json": 1, "forge.json": 1, "bank-2.json": 1}


def test_a_peer_that_did_not_finish_is_not_asked_about_more(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sizes above the one that took too long are left out; what was measured is taken from before."""
    monkeypatch.setattr(scale, "SIZES", (2, 4, 9))
    monkeypatch.setattr(
        scale, "_over_http", lambda _, tools, __: ScaleRow(tools, "auto over HTTP", True, "", 1, 1, 1, 1, 1)
    )
    folder = tmp_path / "peer"
    folder.mkdir()
    stuck = "if sum(len(server['tools']) for server in job['servers']) > 2: time.sleep(60)"
    slow = peer(folder, stuck, *PEER_LINES, seconds=2)
    said: list[str] = []

    def run() -> list[ScaleRow]:
        return measure_scale(data, [slow], CellStore(tmp_path / "cells"), code="1", say=said.append)

    rows = run()

    assert [(row.tools, row.finished) for row in rows if row.method == "gtc-default"] == [
        (2, True),
        (4, False),
    ]
    assert rows[-1].note == "did not finish in 2 s; 0 of 100 questions answered"
    assert [row.tools for row in rows if row.method == "auto"] == [2, 4, 9]
    measured = len(said)
    assert run() == rows
    assert len(said) == measured
