"""A graph of documents and the service over it, both as they are in production."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from app.adapters.engine.embedded import EmbeddedEngine
from app.adapters.graph.store import GraphStore
from app.errors import InvalidInputError, StoreUnavailableError
from app.roots.graph import open_graph, read_settings
from app.settings import Settings
from bench.served.http_client import HttpClient
from bench.sets.toolbench_graph import Engine
from ingest.cards import COMMON
from ingest.run.report import Report
from ingest.run.request import IngestRequest
from ingest.sources.files import IngestInput
from ingest.wiring import ingest_into

HERE: Final = Path(__file__).parents[2]
NO_MORE: Final[Mapping[str, str]] = MappingProxyType({})
_START_S = 600.0
_POLL_S = 0.05
_ENCODED_S = 1800.0
"""Of 50,000 tools, on two cores that do other things as well."""


class Running(NamedTuple):
    """A service that answers."""

    host: str
    port: int
    pid: int

    def resident_mb(self) -> float:
        """Memory that the process has now; 0 where the system has no /proc."""
        status = Path(f"/proc/{self.pid}/status")
        if not status.exists():
            return 0.0
        facts = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines())
        return int(facts["VmRSS"].split()[0]) / 1024

    def own_mb(self) -> float:
        """Memory of its own (USS), without pages of a mapped snapshot, which other services share; 0 without /proc."""
        return self._pages_mb("Private_Clean:", "Private_Dirty:", mapped=False)

    def mapped_mb(self) -> float:
        """Pages of a mapped snapshot that are in memory; 0 without /proc."""
        return self._pages_mb("Rss:", mapped=True)

    def _pages_mb(self, *kinds: str, mapped: bool) -> float:
        maps = Path(f"/proc/{self.pid}/smaps")
        if not maps.exists():
            return 0.0
        found, is_snapshot = 0, False
        for line in maps.read_text(encoding="utf-8").splitlines():
            head = line.split(maxsplit=5)
            if not head[0].endswith(":"):
                # A removed file has a mark behind its name.
                is_snapshot = ".snapshot" in head[-1]
            elif head[0] in kinds and is_snapshot == mapped:
                found += int(head[1])
        return found / 1024


@contextmanager
def bench_settings(engine: Engine) -> Iterator[Settings]:
    """Settings of an embedded engine in a temporary folder, or of the Neo4j of NEO4J_URI.

    Raises:
        InvalidInputError: neither, or no NEO4J_URI.
    """
    if engine is Engine.NEO4J:
        settings = read_settings()
        if not settings.neo4j_uri:
            raise InvalidInputError("--engine neo4j: NEO4J_URI is not set; it names an empty Neo4j")
        yield settings
        return
    if engine is not Engine.EMBEDDED:
        raise InvalidInputError(f"--engine {engine.value}: the service needs a database; embedded or neo4j")
    # An engine that is stopped by force may still write while the folder goes.
    with tempfile.TemporaryDirectory(prefix="outfitter-bench-", ignore_cleanup_errors=True) as name:
        try:
            yield read_settings(data_dir=Path(name)).model_copy(update={"neo4j_uri": None})
        finally:
            EmbeddedEngine(Path(name)).stop()


@contextmanager
def empty_graph(settings: Settings) -> Iterator[GraphStore]:
    """A store without sources; those that a run leaves are removed afterwards.

    Raises:
        InvalidInputError: the graph holds sources already.
    """
    with open_graph(settings) as store:
        store.apply_schema()
        if store.sources():
            raise InvalidInputError(
                f"NEO4J_URI: {settings.neo4j_uri} holds sources; the bench accepts an empty database"
            )
        try:
            yield store
        finally:
            if settings.neo4j_uri:
                # An ingest that is to do without the common taxonomy takes that away as well.
                without = settings.model_copy(update={"common_taxonomy": False})
                left = [source.id for source in store.sources() if source.id != COMMON]
                ingest(store, without, IngestRequest(removals=left))


def report_of(store: GraphStore, settings: Settings, request: IngestRequest) -> Report:
    """Run a request as `outfitter ingest` does."""
    return ingest_into(store, settings, request)


def ingest(store: GraphStore, settings: Settings, request: IngestRequest) -> int:
    """Run a request as `outfitter ingest` does; the generation."""
    return report_of(store, settings, request).generation


def ingest_inputs(store: GraphStore, settings: Settings, inputs: Sequence[IngestInput]) -> int:
    """Ingest these inputs; the generation."""
    return ingest(store, settings, IngestRequest(inputs=inputs))


def child_environment(settings: Settings, checkout: Path = HERE) -> dict[str, str]:
    """The environment of a process that runs the code of a checkout over the graph of the settings."""
    return settings.for_child(os.environ) | {"PYTHONPATH": str(checkout)}  # noqa: TID251 - passed on, not read


@contextmanager
def running_service(
    settings: Settings, *, more: Mapping[str, str] = NO_MORE, checkout: Path = HERE
) -> Iterator[Running]:
    """`outfitter serve` as a process on a free port, with its first snapshot.

    Args:
        settings: Of the graph.
        more: Beside them, for the environment.
        checkout: Whose code is run, by this interpreter.

    Raises:
        StoreUnavailableError: it did not come up; the message ends with its log.
    """
    with tempfile.NamedTemporaryFile("w+", prefix="outfitter-serve-", suffix=".log") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "app.commands.main", "serve", "--port", "0"],
            env={**child_environment(settings, checkout), **more},
            stderr=log,
            cwd=checkout,
        )
        try:
            yield Running(*_ready(process, Path(log.name)), process.pid)
        finally:
            process.terminate()
            process.wait(30)


def wait_for_vectors(service: Running, *, timeout_s: float = _ENCODED_S) -> None:
    """Wait until all tools have their vectors: making them takes a core from what is measured.

    Raises:
        StoreUnavailableError: they are still being made when the time is over.
    """
    end = time.monotonic() + timeout_s
    with HttpClient(service.host, service.port) as client:
        while True:
            status = json.loads(client.get("/v1/status")[1])
            encoded = status["meaning"]["encoded"] if status.get("meaning") else status["tools"]
            if encoded >= status["tools"]:
                return
            if time.monotonic() > end:
                raise StoreUnavailableError(
                    f"{encoded} of {status['tools']} tools encoded within {timeout_s:g} s"
                )
            time.sleep(10 * _POLL_S)


def _ready(process: subprocess.Popen[bytes], log: Path) -> tuple[str, int]:
    end = time.monotonic() + _START_S
    while time.monotonic() < end and process.poll() is None:
        for line in log.read_text(encoding="utf-8").splitlines():
            if '"listening"' in line:
                host, _, port = json.loads(line)["url"].removeprefix("http://").rpartition(":")
                with HttpClient(host, int(port)) as client:
                    if client.get("/readyz")[0] == 200:
                        return host, int(port)
        time.sleep(_POLL_S)
    tail = "\n".join(log.read_text(encoding="utf-8").splitlines()[-5:])
    raise StoreUnavailableError(
        f"outfitter serve did not come up within {_START_S:g} s; its log ends with:\n{tail}"
    )
