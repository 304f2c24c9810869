"""The first index of a large catalogue is made by a process of its own, and the service maps what that kept."""

import json
import os
import signal
import threading
from pathlib import Path

import pytest

from app.adapters.engine.embedded import EmbeddedEngine
from app.usecases.index.snapshots import SMALL
from tests.service import command, serving, wait_until

MADE = "snapshot made by a process of its own"


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with some more tools than are counted together at each change."""
    folder = tmp_path_factory.mktemp("large")
    tools = [
        {"name": f"sail_{at}", "description": f"Sails boat {at} around the buoy", "inputSchema": {}}
        for at in range(SMALL + 1)
    ]
    (folder / "boats.json").write_text(json.dumps({"tools": tools}))
    done = command("ingest", "manifest", folder / "boats.json", data_dir=folder / "data")
    assert done.returncode == 0, done.stderr
    EmbeddedEngine(folder / "data").stop()
    return folder / "data"


def made(log: Path) -> list[int]:
    """How the processes ended that made a snapshot."""
    lines = [json.loads(line) for line in log.read_text().splitlines() if MADE in line]
    return [line["status"] for line in lines]


def test_a_large_catalogue_is_indexed_by_a_process_of_its_own(data_dir: Path, tmp_path: Path) -> None:
    """Once: the next start maps the file."""
    kept = tmp_path / "kept"
    for times in ([0], []):
        with serving(data_dir, OUTFITTER_SNAPSHOT_DIR=str(kept)) as service:
            assert service.query("sail boat 1234")["tools"][0]["id"] == "boats/sail_1234"
            assert made(service.log) == times
            assert "Traceback" not in service.log.read_text()
    assert len(list(kept.glob("*.snapshot"))) == 1


@pytest.mark.skipif("not os.path.exists('/proc/self/task')", reason="children are found in /proc")
def test_where_that_process_is_killed_the_service_builds_the_index_itself(
    data_dir: Path, tmp_path: Path
) -> None:
    stopping = threading.Event()

    def kill_makers() -> None:
        while not stopping.wait(0.01):
            for path in Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    if b"app.roots.snapshots" in path.read_bytes():
                        environment = (path.parent / "environ").read_bytes()
                        if str(tmp_path).encode() in environment:
                            os.kill(int(path.parent.name), signal.SIGKILL)
                except OSError:
                    continue

    killing = threading.Thread(target=kill_makers)
    killing.start()
    try:
        with serving(data_dir, OUTFITTER_SNAPSHOT_DIR=str(tmp_path / "kept")) as service:
            assert service.query("sail boat 1234")["tools"][0]["id"] == "boats/sail_1234"
            assert made(service.log)[0] == -signal.SIGKILL
            # What it built is kept as well, by itself once processes have failed at that.
            wait_until(lambda: list((tmp_path / "kept").glob("*.snapshot")), timeout_s=30)
    finally:
        stopping.set()
        killing.join()
