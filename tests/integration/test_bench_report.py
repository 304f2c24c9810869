"""`outfitter bench report`, killed in the middle and started again; the commands on what it wrote."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.unit.bench.samples import PEER_LINES, bakery, interpreter

VERSION = "if '-c' in sys.argv: print('9.9'); sys.exit()"
SLOW = (VERSION, "time.sleep(30)")
QUICK = (VERSION, *PEER_LINES)
WAIT_S = 60


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with one of the sets, as small as it can be."""
    folder = tmp_path / "data" / "bench" / "restbench_tmdb"
    folder.mkdir(parents=True)
    sample = bakery()
    tools = [
        {"id": tool.id, "server": tool.server, "name": tool.name, "description": tool.description}
        for tool in sample.catalogue.tools
    ]
    queries = [
        {"id": one.id, "query": one.text, "gold": list(one.gold), "ordered": False, "meta": {}}
        for one in sample.questions
    ]
    for name, rows in (("tools", tools), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path / "data"


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "app.commands.main", "bench", *map(str, words)]


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, data: Path) -> None:
    """SIGKILL while a peer is at work: no report, but what was measured stays, and is not measured again."""
    out, folder = tmp_path / "out", tmp_path / "peer"
    folder.mkdir()
    words = ("report", "--quick", "--data", data, "--out", out, "--peer")
    first = subprocess.Popen(command(*words, interpreter(folder, *SLOW)), stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end and len(list((out / "cells").glob("*.json"))) < 9:
            time.sleep(0.05)
    finally:
        first.kill()
        first.wait(WAIT_S)
    cells = {path.name: path.stat().st_mtime_ns for path in (out / "cells").glob("*.json")}
    assert len(cells) == 9
    assert not (out / "report.html").exists()

    again = subprocess.run(
        command(*words, interpreter(folder, *QUICK)),
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=True,
    )

    assert "(2 cells measured, 9 kept" in again.stdout
    assert "left out: toolbench" in again.stderr
    now = {path.name: path.stat().st_mtime_ns for path in (out / "cells").glob("*.json")}
    assert cells.items() <= now.items()
    figures = json.loads((out / "report.json").read_text())["figures"]
    assert figures["sets"]["tmdb"]["methods"]["gtc-graphify"]["finished"] is True
    assert len(figures["missing"]) == 13

    same = subprocess.run(
        command("compare", out / "report.json", out / "report.json"),
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    assert (same.returncode, same.stdout.count("tmdb")) == (0, 2)
