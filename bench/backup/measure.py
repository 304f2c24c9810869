"""A backup of one graph, an empty one filled from it, and whether both then say the same."""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.adapters.backup_file import read_backup, written_backup
from app.ports.graph import GraphWriter
from app.usecases.backup.restoring import restore_backup
from app.usecases.backup.taking import BackupReport, take_backup
from bench.served.served import bench_settings, empty_graph, ingest_inputs
from bench.sets.manifests import grown_catalogue, write_manifests
from bench.sets.toolbench_graph import Engine
from ingest.run.request import NoProgress
from ingest.sources.files import manifest_inputs

_OWNER: Final = "bench-backup:1:0"
_LEASE_S: Final = 5.0
"""For another writer; nobody else writes."""


@dataclass(frozen=True, slots=True)
class BackupCost:
    """What was measured."""

    engine: str
    """That is filled from the backup; what is backed up is in an embedded one."""
    tools: int
    lines: int
    """Nodes, edges and everything else of the graph."""
    file_mb: float
    """Compressed."""
    backup_s: float
    restore_s: float
    again_s: float
    """A backup of the graph that was filled."""
    same: bool
    """Whether that one has the same bytes."""


def measure_backup(data: Path, *, tools: int, engine: Engine, say: Callable[[str], None]) -> BackupCost:
    """Ingest, back up, fill another graph, back that up.

    Args:
        data: Folder with the public sets.
        tools: Of the catalogue that grows from them.
        engine: What is filled.
        say: Called with each step.

    Raises:
        InvalidInputError: a file of the data folder is missing, or the graph of NEO4J_URI is not empty.
        StoreUnavailableError: a database did not answer.
    """
    with (
        tempfile.TemporaryDirectory(prefix="outfitter-backup-") as name,
        bench_settings(Engine.EMBEDDED) as settings,
        bench_settings(engine) as others,
    ):
        folder = Path(name)
        (folder / "tools").mkdir()
        write_manifests(grown_catalogue(data), folder / "tools", limit=tools)
        with empty_graph(settings) as graph, empty_graph(others) as other:
            ingest_inputs(graph, settings, manifest_inputs([folder / "tools"]))
            say(f"{tools} tools ingested")
            return cost_of(graph, other, folder, engine=engine.value, tools=tools)


def cost_of(graph: GraphWriter, other: GraphWriter, folder: Path, *, engine: str, tools: int) -> BackupCost:
    """Of a graph that holds something and an empty one; files are left in the folder."""
    file, again = folder / "one.jsonl.gz", folder / "again.jsonl.gz"
    report, backup_s = _taken(graph, file)
    begin = time.perf_counter()
    restore_backup(
        other, lambda: read_backup(file), owner=_OWNER, lease_wait_s=_LEASE_S, progress=NoProgress()
    )
    restore_s = time.perf_counter() - begin
    back, again_s = _taken(other, again)
    return BackupCost(
        engine=engine,
        tools=tools,
        lines=sum(report.lines.values()),
        file_mb=round(file.stat().st_size / 1e6, 1),
        backup_s=round(backup_s, 1),
        restore_s=round(restore_s, 1),
        again_s=round(again_s, 1),
        same=back.sha256 == report.sha256,
    )


def _taken(graph: GraphWriter, file: Path) -> tuple[BackupReport, float]:
    begin = time.perf_counter()
    with written_backup(file) as put:
        report = take_backup(graph, put, owner=_OWNER, lease_wait_s=_LEASE_S, progress=NoProgress())
    return report, time.perf_counter() - begin
