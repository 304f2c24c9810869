"""The encoder that ships, in a service over the embedded engine."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

from tests.documents import ROOT
from tests.service import command, environment, serving, wait_until


def test_a_service_and_a_command_rank_by_the_same_vectors(tmp_path: Path) -> None:
    """The service encodes what was ingested; it is kept for commands and for the next start."""
    ingested = command("ingest", "manifest", ROOT / "examples" / "manifests", data_dir=tmp_path)
    assert ingested.returncode == 0, ingested.stderr
    asked = "give them their money back"

    with serving(tmp_path, OUTFITTER_ENCODER="onnx") as service:
        tools = service.get("/v1/status")[1]["tools"]
        wait_until(lambda: service.get("/v1/status")[1]["meaning"]["encoded"] == tools)
        answer = service.query(asked, explain=True)

    kinds = {why["kind"] for why in answer["tools"][0]["why"]}
    assert "meaning" in kinds
    with sqlite3.connect(tmp_path / "vectors.sqlite") as database:
        assert database.execute("SELECT count(*) FROM vectors").fetchone() == (tools,)
    said = command("query", asked, "--json", "--explain", data_dir=tmp_path, OUTFITTER_ENCODER="onnx")
    assert said.returncode == 0, said.stderr
    assert _scores(said.stdout) == {one["id"]: one["score"] for one in answer["tools"]}
    without = command("query", asked, "--json", data_dir=tmp_path)
    assert _scores(without.stdout) != _scores(said.stdout)


def _scores(answer: str) -> dict[str, float]:
    return {one["id"]: one["score"] for one in json.loads(answer)["tools"]}


def test_a_request_keeps_its_products_of_matrices_to_one_thread(tmp_path: Path) -> None:
    """In a process of its own, as the service changes what the whole process has."""
    script = """
from threadpoolctl import threadpool_info
from app.roots.service import service_components
from app.service.metrics import Metrics
from app.settings import Settings
with service_components(Settings(), Metrics()):
    print(*(one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"))
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) == {"1"}
