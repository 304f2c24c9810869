"""kill -9 of service, engine and ingest at random moments: what comes next gives right answers."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from app.adapters.engine.embedded import EmbeddedEngine
from app.roots.graph import open_graph
from app.settings import Settings
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.snapshots import SMALL
from app.usecases.questions import SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from tests.service import Service, serving, wait_until

ROOT = Path(__file__).resolve().parents[2]
VICTIMS = ("service", "engine", "ingest")
ROUNDS = 6
SERVERS = 23
QUESTIONS = ("sail boat 1234", "paint the hull of boat 7", "boats around the buoy", "item 12 of server 3")
LONGEST_S = 4.0
"""About as long as an ingest of this takes, so that kills come before, within and after each step of it."""


def write(folder: Path, chance: random.Random) -> None:
    """A version of the manifests: some texts change, some tools go, in a few of the servers."""
    folder.mkdir(exist_ok=True)
    first = not any(folder.iterdir())
    for server in range(SERVERS) if first else chance.sample(range(SERVERS), 4):
        tools = [
            {
                "name": f"sail_{server}_{at}",
                "description": chance.choice(("Sails", "Paints the hull of", "Moors"))
                + f" boat {at}, item {at} of server {server}, around the buoy",
                "inputSchema": {"type": "object"},
            }
            for at in range(SMALL // 20)
            if first or chance.random() > 0.1
        ]
        (folder / f"fleet{server}.json").write_text(json.dumps({"tools": tools}))


@contextmanager
def ingesting(folder: Path, data_dir: Path) -> Iterator["subprocess.Popen[bytes]"]:
    environment = {**os.environ, "OUTFITTER_DATA_DIR": str(data_dir), "OUTFITTER_LEASE_WAIT_S": "60"}
    environment.pop("NEO4J_URI", None)
    command = [sys.executable, "-m", "ingest", "manifest", str(folder), "--json"]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.wait(180)


def answers_of_now(data_dir: Path) -> tuple[int, list[list[tuple[str, float]]]]:
    """The generation, and what an index that is built of it says."""
    with open_graph(Settings(data_dir=data_dir, neo4j_uri=None)) as store:
        index = SearchIndex.build(store.catalogue())
        graph = ConsistentGraph(index)
        found = [search(SearchRequest(query=one), graph) for one in QUESTIONS]
        return index.generation, [
            [(str(tool.id), round(tool.score, 6)) for tool in one.tools] for one in found
        ]


def answers_of(service: Service) -> list[list[tuple[str, float]]]:
    found: list[dict[str, Any]] = [service.query(one) for one in QUESTIONS]
    return [[(tool["id"], round(tool["score"], 6)) for tool in one["tools"]] for one in found]


def kill_at_random(path: Path, *, rounds: int, seed: int) -> dict[str, int]:
    """Kill one after the other while documents are ingested; how often each was killed.

    Raises:
        AssertionError: an answer afterwards is not that of an index which is built from the graph.
    """
    chance = random.Random(seed)
    data_dir, folder = path / "data", path / "manifests"
    killed = dict.fromkeys(VICTIMS, 0)
    write(folder, chance)
    with ingesting(folder, data_dir):
        pass
    for number in range(rounds):
        victim = VICTIMS[number % len(VICTIMS)]
        with serving(data_dir, OUTFITTER_ENCODER="none") as service:
            write(folder, chance)
            with ingesting(folder, data_dir) as writer:
                time.sleep(chance.uniform(0, LONGEST_S))
                engine = json.loads((data_dir / "engine.json").read_text())["pid"]
                pid = {"service": service.process.pid, "engine": engine, "ingest": writer.pid}[victim]
                if victim != "ingest" or writer.poll() is None:
                    os.kill(pid, signal.SIGKILL)
                    killed[victim] += 1
            # The same again finishes what was killed.
            with ingesting(folder, data_dir) as again:
                pass
            assert again.returncode == 0
            if victim != "service":
                agree(service, data_dir)
        with serving(data_dir, OUTFITTER_ENCODER="none") as service:
            agree(service, data_dir)
    EmbeddedEngine(data_dir).stop()
    return killed


def agree(service: Service, data_dir: Path) -> None:
    """The service follows, and its answers are those of an index that is built from the graph."""
    generation, expected = answers_of_now(data_dir)
    wait_until(lambda: service.generation() == generation, timeout_s=60)
    # Weights are of the means of now once all tools are counted together again.
    wait_until(lambda: answers_of(service) == expected, timeout_s=120)


def test_after_kills_at_random_moments_answers_are_those_of_the_graph(tmp_path: Path) -> None:
    killed = kill_at_random(tmp_path, rounds=ROUNDS, seed=int(time.time()))

    assert sum(killed.values()) >= ROUNDS // 2


def main() -> None:
    """More of them: `python -m tests.e2e.test_random_kills FOLDER ROUNDS SEED`."""
    folder, rounds, seed = sys.argv[1:]
    Path(folder).mkdir()
    sys.stdout.write(f"{kill_at_random(Path(folder), rounds=int(rounds), seed=int(seed))}\n")


if __name__ == "__main__":
    main()
