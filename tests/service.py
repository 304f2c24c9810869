"""The service over a graph in memory, and as a process of its own."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from app.api.access import Policy
from app.api.admission import TrustedIssuer
from app.domain.access.buckets import CallerUse
from app.domain.access.callers import CallerList
from app.domain.access.rules import RuleBook
from app.domain.access.times import AccessTimes
from app.domain.audit.events import SearchEvent
from app.domain.language import accepted_text
from app.domain.unmet.entries import UnmetMode
from app.ports.reading import GoalReader
from app.roots.calls import OpenCaller
from app.roots.http import create_app
from app.roots.service import Graph, components_over
from app.service.components import Components, RequestLimits
from app.service.metrics import Metrics
from app.settings import Settings
from app.usecases.index.encoding import ToolEncoder
from app.usecases.rankings.outside import ALONE, Outside
from app.web.visits import Face
from ingest.run.pipeline import run_ingest
from ingest.run.request import Bounds, IngestRequest
from ingest.sources.files import file_input, manifest_inputs
from ingest.wiring import Desk

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
REFRESH_S = 0.05
START_S = 90.0
"""Seconds for a process to start; two do on an idle machine, but tests share theirs."""


def ingest(graph: Graph, *, manifests: Path = EXAMPLES / "manifests", taxonomy: bool = True) -> int:
    """Ingest the examples, or other manifests; the new generation."""
    inputs = manifest_inputs([manifests])
    if taxonomy:
        inputs.append(file_input("taxonomy", EXAMPLES / "taxonomy.yaml"))
    bounds = Bounds(accepted_text.TextLimits(100_000, 1_000_000), max_file_bytes=1_000_000, lease_wait_s=5.0)
    return run_ingest(graph, IngestRequest(inputs=inputs), owner="tests", bounds=bounds).generation


@contextmanager
def client(
    graph: Graph,
    *,
    token: str | None = None,
    hosts: frozenset[str] | None = LOOPBACK,
    max_body_bytes: int = 20_000,
    query_timeout_s: float = 5.0,
    lease_wait_s: float = 5.0,
    ready: bool = True,
    reader: GoalReader | None = None,
    unmet: UnmetMode = UnmetMode.OFF,
    face: Face | None = None,
    callers: Callable[[], CallerList] | None = None,
    rules: Callable[[], RuleBook] | None = None,
    read_at: Callable[[], AccessTimes] | None = None,
    encoder: ToolEncoder | None = None,
    issuer: TrustedIssuer | None = None,
    open_caller: OpenCaller | None = None,
    use: CallerUse | None = None,
    given: Callable[[SearchEvent], None] | None = None,
    outside: Outside = ALONE,
    outside_s: float = 0.0,
) -> Iterator[TestClient]:
    """A client of the service over this graph, in this process."""
    limits = RequestLimits(
        max_query_chars=500,
        query_timeout_s=query_timeout_s,
        lease_wait_s=lease_wait_s,
        outside_s=outside_s,
    )

    @contextmanager
    def components(metrics: Metrics) -> Iterator[Components]:
        with components_over(
            graph,
            refresh_s=REFRESH_S,
            limits=limits,
            metrics=metrics,
            reader=reader,
            unmet=unmet,
            unmet_pause_s=REFRESH_S,
            reviews=Desk(graph, Settings()),
            encoder=encoder,
            outside=outside,
            open_caller=open_caller,
        ) as made:
            yield replace(made, given=given)

    app = create_app(
        components,
        policy=Policy(
            token=token,
            hosts=hosts,
            pages=face is not None,
            callers=callers,
            rules=rules,
            read_at=read_at,
            issuer=issuer,
            use=use,
        ),
        max_body_bytes=max_body_bytes,
        face=face,
    )
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as opened:
        if ready:
            wait_until(lambda: opened.get("/readyz").status_code == 200)
        yield opened


def wait_until(true: Any, timeout_s: float = 60.0) -> None:
    """Wait until a call returns something true."""
    end = time.monotonic() + timeout_s
    while not true():
        assert time.monotonic() < end, f"still not so after {timeout_s:g} s"
        time.sleep(0.02)


@dataclass
class Service:
    """`outfitter serve` as a process."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path
    token: str | None = None
    opener: urllib.request.OpenerDirector = field(
        default_factory=lambda: urllib.request.build_opener(urllib.request.ProxyHandler({}))
    )

    def get(self, path: str) -> tuple[int, Any]:
        """Status and JSON of a GET."""
        return self._ask(urllib.request.Request(self.url + path))

    def post(self, path: str, body: Mapping[str, Any] | bytes) -> tuple[int, Any]:
        """Status and JSON of a POST of JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self._ask(
            urllib.request.Request(self.url + path, data=data, headers={"Content-Type": "application/json"})
        )

    def query(self, text: str, **options: Any) -> dict[str, Any]:
        """The answer to a query that must succeed."""
        status, answer = self.post("/v1/query", {"query": text, **options})
        assert status == 200, answer
        return dict(answer)

    def _ask(self, request: urllib.request.Request) -> tuple[int, Any]:
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with self.opener.open(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def generation(self) -> int | None:
        """The generation that the service answers from; None before the first."""
        found = self.get("/readyz")[1]["generation"]
        return None if found is None else int(found)


def environment(data_dir: Path, **settings: str) -> dict[str, str]:
    """This process's environment without settings of its own, with these."""
    own = {name for name in os.environ if name.startswith(("OUTFITTER_", "NEO4J_"))}
    kept = {name: value for name, value in os.environ.items() if name not in own}
    own_settings = {
        "OUTFITTER_DATA_DIR": str(data_dir),
        "OUTFITTER_REFRESH_S": "0.2",
        # What it adds to a graph is for the tests that are about it.
        "OUTFITTER_COMMON_TAXONOMY": "false",
        "OUTFITTER_ENCODER": "none",
    }
    return {**kept, **own_settings, **settings}


def command(*words: str | Path, data_dir: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run `outfitter` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "app.commands.main", *map(str, words)],
        env=environment(data_dir, **settings),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@contextmanager
def serving(data_dir: Path, *options: str, **settings: str) -> Iterator[Service]:
    """`outfitter serve` on a free port, ready; killed in the end if it still runs."""
    log = data_dir.with_name(f"{data_dir.name}-{time.monotonic_ns()}.log")
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "app.commands.main", "serve", "--port", "0", *options],
            env=environment(data_dir, **settings),
            stderr=stderr,
        )
    try:
        wait_until(lambda: process.poll() is not None or '"listening"' in log.read_text(), START_S)
        found = re.search(r'"url": "([^"]+)"', log.read_text())
        assert found, log.read_text()
        service = Service(process, found[1], log, settings.get("OUTFITTER_API_TOKEN"))
        wait_until(lambda: service.get("/readyz")[0] == 200, START_S)
        yield service
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def default_settings() -> dict[str, Any]:
    """What settings are when the environment says nothing."""
    return {name: found.default for name, found in Settings.model_fields.items()}
