"""Catalogues of any size, and what is asked of a peer that did not finish."""

import json
from itertools import islice
from pathlib import Path

import pytest

from bench.measure.cells import CellStore
from bench.served import scale
from bench.served.scale import ScaleRow, measure_scale, scale_set, vocabulary_rows
from bench.sets.manifests import grown_catalogue, write_manifests
from tests.unit.bench.samples import PEER_LINES, peer


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three MCP tools, of which two have one name on one server, and one of another server."""
    toucan = tmp_path / "catalogues" / "toucan"
    toucan.mkdir(parents=True)
    schema = {"type": "object", "properties": {"amount": {"type": "number"}}, "required": ["amount"]}
    rows = [
        {
            "server": "bank",
            "name": name,
            "description": f"{name} the whole amount at once",
            "parameters": schema,
        }
        for name in ("pay", "save", "pay")
    ]
    rows.append(
        {"server": "mill", "name": "run_mill", "description": "Run it", "parameters": {"type": "object"}}
    )
    (toucan / "tools.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_tools_do_not_end_and_no_server_has_a_name_twice(data: Path) -> None:
    """The real ones, then copies of them, whose servers have a number."""
    found = [(server, tool["name"]) for server, tool in islice(grown_catalogue(data).tools(), 8)]

    assert found[:3] == [("bank", "pay"), ("bank", "save"), ("mill", "run_mill")]
    assert [server.rpartition("-")[2] for server, _ in found[3:]] == ["2", "2", "2", "3", "3"]
    assert len(set(found)) == 8
    assert len(scale_set(data, 8).catalogue.tools) == 8


def test_manifests_have_as_many_tools_as_were_asked_for(data: Path, tmp_path: Path) -> None:
    """A file for each server."""
    out = tmp_path / "out"
    out.mkdir()

    assert write_manifests(grown_catalogue(data), out, limit=4) == 3
    counts = sorted(len(json.loads(path.read_text())["tools"]) for path in out.iterdir())
    assert counts == [1, 1, 2]


def test_the_vocabulary_is_measured_on_real_and_grown_tools(data: Path) -> None:
    """Beside what the law says of each length."""
    rows = vocabulary_rows(data, [12])

    assert [(row.tools, row.real) for row in rows] == [(1, True), (3, True), (6, False), (12, False)]


def test_a_peer_that_did_not_finish_is_not_asked_about_more(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sizes above the one that took too long are left out; what was measured is taken from before."""
    monkeypatch.setattr(
        scale, "_over_http", lambda _, tools, __: ScaleRow(tools, "auto over HTTP", True, "", 1, 1, 1, 1, 1)
    )
    folder = tmp_path / "peer"
    folder.mkdir()
    stuck = "if sum(len(server['tools']) for server in job['servers']) > 2: time.sleep(60)"
    slow = peer(folder, stuck, *PEER_LINES, seconds=2)
    said: list[str] = []

    def run() -> list[ScaleRow]:
        return measure_scale(
            data, [slow], CellStore(tmp_path / "cells"), sizes=(2, 4, 9), code="1", say=said.append
        )

    rows = run()

    assert [(row.tools, row.finished) for row in rows if row.method == "gtc-default"] == [
        (2, True),
        (4, False),
    ]
    assert rows[-1].note == "did not finish in 2 s; 0 of 200 questions answered"
    assert [row.tools for row in rows if row.method == "auto"] == [2, 4, 9]
    measured = len(said)
    assert run() == rows
    assert len(said) == measured
