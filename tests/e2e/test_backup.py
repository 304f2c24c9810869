"""`outfitter backup` and `outfitter restore` as people run them: a file, an empty folder, the same answers."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from app.roots.graph import open_graph
from app.settings import Settings
from tests.backups import backed_up
from tests.engines import TestDatabase
from tests.ingest_cases import manifest, tool
from tests.service import EXAMPLES, command, environment

QUESTIONS = ("refund an order", "where is my parcel")
GOAL = "cancel my order and refund the payment"
TIMES = ("took_ms", "engine_ms")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example shop with a stored workflow."""
    data = tmp_path_factory.mktemp("shop")
    for words in (
        ("ingest", "manifest", EXAMPLES / "manifests"),
        ("ingest", "taxonomy", EXAMPLES / "taxonomy.yaml"),
        ("ingest", "openapi", EXAMPLES / "openapi.yaml"),
        ("plan", "cancel and refund my order", "--store", "refund"),
    ):
        assert command(*words, data_dir=data).returncode == 0
    return data


def answers(data: Path, **settings: str) -> list[Any]:
    """Of queries and plans, without times."""
    found = []
    for words in (
        *(("query", question, "--json", "--explain", "--schemas") for question in QUESTIONS),
        ("plan", GOAL, "--format", "json"),
        ("sources", "--json"),
        ("workflow", "show", "refund", "--format", "json"),
    ):
        done = command(*words, data_dir=data, **settings)
        assert done.returncode == 0, done.stderr
        found.append(_timeless(json.loads(done.stdout)))
    return found


@pytest.fixture(scope="module")
def expected(shop: Path) -> list[Any]:
    """What the shop answers; each answer takes a command, which starts an engine."""
    return answers(shop)


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(one) for key, one in value.items() if key not in TIMES}
    return [_timeless(one) for one in value] if isinstance(value, list) else value


def test_a_graph_is_the_same_in_another_folder(shop: Path, expected: list[Any], tmp_path: Path) -> None:
    """The file is for its owner alone, says what it left out, and packed or not holds the same lines."""
    plain, packed, data = tmp_path / "g.jsonl", tmp_path / "g.jsonl.gz", tmp_path / "data"
    packed.write_bytes(b"an older one")
    packed.chmod(0o644)

    first = command("backup", plain, data_dir=shop)
    second = command("backup", packed, "--json", data_dir=shop)
    done = command("restore", packed, data_dir=data)
    again = command("backup", tmp_path / "again.jsonl.gz", data_dir=data)

    assert [one.returncode for one in (first, second, done, again)] == [0] * 4, done.stderr
    assert "Left out: vectors, snapshots, audit" in first.stdout
    assert {plain.stat().st_mode & 0o777, packed.stat().st_mode & 0o777} == {0o600}
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    assert (tmp_path / "again.jsonl.gz").read_bytes() == packed.read_bytes()
    assert json.loads(second.stdout)["sha256"] in done.stdout
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "again.jsonl.gz",
        "data",
        "g.jsonl",
        "g.jsonl.gz",
    ]
    assert answers(data) == expected


@pytest.mark.neo4j
def test_a_graph_is_the_same_on_the_other_engine(
    shop: Path, expected: list[Any], tmp_path: Path, neo4j_database: TestDatabase
) -> None:
    """Embedded, Neo4j, and back: equal answers, equal bytes."""
    address = neo4j_database.address
    neo4j = {
        "NEO4J_URI": address.uri,
        "NEO4J_USERNAME": address.username,
        "NEO4J_PASSWORD": address.password.get_secret_value(),
    }
    file, back, again = (tmp_path / f"{name}.jsonl" for name in ("file", "back", "again"))

    for words, data, settings in (
        (("backup", file), shop, {}),
        (("restore", file), tmp_path / "unused", neo4j),
        (("backup", back), tmp_path / "unused", neo4j),
        (("restore", back), tmp_path / "data", {}),
        (("backup", again), tmp_path / "data", {}),
    ):
        done = command(*words, data_dir=data, **settings)
        assert done.returncode == 0, done.stderr

    assert file.read_bytes() == back.read_bytes() == again.read_bytes()
    assert answers(tmp_path / "unused", **neo4j) == expected


def test_a_full_graph_and_a_damaged_file_are_refused(shop: Path, tmp_path: Path) -> None:
    """By name, with status 2; what is there stays, and a backup that fails leaves the file before."""
    file, cut = tmp_path / "g.jsonl.gz", tmp_path / "cut.jsonl.gz"
    command("backup", file, data_dir=shop)
    cut.write_bytes(file.read_bytes()[:-200])

    full = command("restore", file, data_dir=shop)
    broken = command("restore", cut, data_dir=tmp_path / "data")
    empty = command("backup", file, data_dir=tmp_path / "data")

    assert [one.returncode for one in (full, broken, empty)] == [2, 2, 2]
    assert "the graph is not empty" in full.stderr
    assert f"{cut}: is cut off or damaged" in broken.stderr
    assert "nothing to back up" in empty.stderr
    assert command("restore", file, data_dir=tmp_path / "data").returncode == 0


def test_a_restore_that_is_killed_begins_again(tmp_path: Path) -> None:
    """A real process, a real kill while it writes; until then nothing else is written."""
    servers = [
        manifest(tmp_path / "m", f"s{at}", *(tool(f"t{one}", "x" * 900) for one in range(80)))
        for at in range(40)
    ]
    assert servers
    source, data, file = tmp_path / "source", tmp_path / "data", tmp_path / "g.jsonl"
    assert command("ingest", "manifest", tmp_path / "m", data_dir=source).returncode == 0
    assert command("backup", file, data_dir=source).returncode == 0
    process = subprocess.Popen(
        [sys.executable, "-m", "app.commands.main", "restore", file],
        env=environment(data, OUTFITTER_ENGINE_LINGER_S="30"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    settings = Settings(data_dir=data, neo4j_uri=None)
    until = time.monotonic() + 60
    while not (data / "engine.json").exists() and time.monotonic() < until:
        time.sleep(0.02)
    with open_graph(settings) as graph:
        while not graph.half_restored() and time.monotonic() < until:
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert graph.state().writing

    other = command("ingest", "manifest", tmp_path / "m", data_dir=data)
    done = command("restore", file, data_dir=data)

    assert other.returncode == 3
    assert "the same `outfitter restore FILE` again" in other.stderr
    assert done.returncode == 0, done.stderr
    with open_graph(settings) as graph:
        assert backed_up(graph) == file.read_bytes()
