"""What the pages cost the service that answers: queries with and without five people at the pages."""

import functools
import json
import operator
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote_plus, urlencode

import numpy as np

from app.errors import InvalidInputError
from bench.served.http_client import HttpClient, percentile_ms
from bench.served.interfaces import Interface
from bench.served.page_speed import PageSpeed
from bench.served.served import (
    Running,
    bench_settings,
    empty_graph,
    ingest_inputs,
    running_service,
    wait_for_vectors,
)
from bench.sets.manifests import grown_catalogue, write_manifests
from bench.sets.toolbench_graph import Engine
from ingest.sources.files import manifest_inputs

PEOPLE = 5
GESTURE_S = 2.0
"""One gesture of a person; design of the pages, amendment 9."""
_ROUNDS = 3
_TYPED = (0.4, 0.7, 1.0)
"""Parts of a text that are there when somebody who types it stops for as long as the page waits."""
_FRAGMENT: Mapping[str, str] = {"X-Fragment": "1", "Accept-Encoding": "gzip", "Sec-Fetch-Site": "same-origin"}
_FORM = "application/x-www-form-urlencoded"
_WARM_UP = 50


@dataclass(frozen=True, slots=True)
class WebLoad:
    """What was measured."""

    engine: str
    tools: int
    queries: int
    p95_ms: float
    """Of `POST /v1/query`, one after the other, nobody at the pages."""
    with_people_p95_ms: float
    ratio: float
    """Of the two, median of rounds that alternate."""
    gestures: int
    gesture_p50_ms: float
    gesture_p95_ms: float
    """The slowest request of a gesture."""
    gesture_cpu_ms: float
    """Time of the service's processors that one gesture costs."""
    errors: int
    speed: PageSpeed | None
    """None: without a browser."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request of a page."""

    path: str
    form: bytes = b""
    """What is posted; empty for a GET."""


Gesture = Sequence[Request]
"""What one gesture asks for: several requests where somebody types."""


@dataclass(slots=True)
class _People:
    """What the people saw."""

    times: list[float] = field(default_factory=list)
    errors: int = 0


def measure_web(
    data: Path, *, tools: int, engine: Engine, seconds: float, browser: bool, say: Callable[[str], None]
) -> WebLoad:
    """Ingest, serve, and ask queries with and without people at the pages, in turn.

    Args:
        data: folder with the public sets.
        tools: the first of Toucan's and of copies of these in other words.
        engine: what keeps the graph.
        seconds: of each round; three with and three without people.
        browser: open the pages in a browser as well.
        say: called with each step.

    Raises:
        InvalidInputError: a file is missing, the graph is not empty, or there is no browser.
        StoreUnavailableError: the database or the service did not come up.
    """
    catalogue = grown_catalogue(data)
    texts = [asked.text for asked in catalogue.queries()]
    with (
        tempfile.TemporaryDirectory(prefix="outfitter-manifests-") as folder,
        bench_settings(engine) as settings,
    ):
        write_manifests(catalogue, Path(folder), limit=tools)
        with empty_graph(settings) as store:
            ingest_inputs(store, settings, manifest_inputs([Path(folder)]))
            say(f"{tools} tools ingested")
            with running_service(settings) as service:
                say("waiting for the vectors")
                wait_for_vectors(service)
                gestures = recorded(service, texts)
                alone, crowded, people, cpu_s = _rounds(service, texts, gestures, seconds, say)
                speed = None
                if browser:
                    say("opening the pages")
                    speed = _speed(f"http://{service.host}:{service.port}", texts)
    ratios = [
        percentile_ms(some, 95) / percentile_ms(none, 95) for none, some in zip(alone, crowded, strict=True)
    ]
    asked = len(people.times)
    return WebLoad(
        engine=engine.value,
        tools=tools,
        queries=sum(map(len, alone)) + sum(map(len, crowded)),
        p95_ms=percentile_ms(functools.reduce(operator.iadd, alone, []), 95),
        with_people_p95_ms=percentile_ms(functools.reduce(operator.iadd, crowded, []), 95),
        ratio=float(np.median(ratios)),
        gestures=asked,
        gesture_p50_ms=percentile_ms(people.times, 50),
        gesture_p95_ms=percentile_ms(people.times, 95),
        gesture_cpu_ms=cpu_s / max(1, asked) * 1000,
        errors=people.errors,
        speed=speed,
    )


def _speed(url: str, texts: Sequence[str]) -> PageSpeed:
    try:
        from bench.served.web_browser import page_speed
    except ImportError as error:
        raise InvalidInputError(
            "--browser: Playwright is missing; pip install playwright, or --no-browser"
        ) from error
    return page_speed(url, texts)


def recorded(service: Running, texts: Sequence[str]) -> list[Gesture]:
    """The gestures of somebody who asks, looks at tools, walks the graph, plans, and changes the plan."""
    with HttpClient(service.host, service.port) as client:
        goals = [text[:200] for text in texts[:8]]
        listed = json.loads(client.get("/v1/tools?limit=20")[1])["tools"]
        found: list[Gesture] = [[Request("/ui/")], [Request("/ui/sources")], [Request("/ui/tools")]]
        for text, goal, tool in zip(texts, goals, listed, strict=False):
            found.append(
                [Request(f"/ui/ask?q={quote_plus(text[: int(len(text) * part)])}") for part in _TYPED]
            )
            tool_id = str(tool["id"])
            found += [
                [Request(f"/ui/tools/{quote_plus(tool_id)}")],
                [Request(f"/ui/graph?focus={quote_plus(f'Tool:{tool_id}')}")],
                [Request(f"/ui/tools?q={quote_plus(part)}") for part in (tool_id[:3], tool_id[:6])],
                [Request(f"/ui/plan?goal={quote_plus(goal)}")],
            ]
            status, answer = client.post("/v1/plan", json.dumps({"goal": goal}).encode())
            if status == 200 and (made := json.loads(answer)).get("steps"):
                kept = {name: made[name] for name in ("goal", "steps", "inputs") if name in made}
                edit = urlencode({"plan": json.dumps(kept), "open": "add", "search": goal[:40]}).encode()
                found.append([Request("/ui/plan/edit", edit)])
    return found


def _rounds(
    service: Running,
    texts: Sequence[str],
    gestures: Sequence[Gesture],
    seconds: float,
    say: Callable[[str], None],
) -> tuple[list[list[float]], list[list[float]], _People, float]:
    bodies = [Interface.REST.body(text) for text in texts]
    alone: list[list[float]] = []
    crowded: list[list[float]] = []
    people = _People()
    spent = 0.0
    _ask(service, bodies[:_WARM_UP], seconds)
    for _ in range(_ROUNDS):
        begin = _cpu(service)
        alone.append(_ask(service, bodies, seconds))
        each = (_cpu(service) - begin) / len(alone[-1])
        begin = _cpu(service)
        with _at_the_pages(service, gestures, people):
            crowded.append(_ask(service, bodies, seconds))
        spent += _cpu(service) - begin - each * len(crowded[-1])
        say(
            f"p95 {percentile_ms(alone[-1], 95):.1f} ms alone, {percentile_ms(crowded[-1], 95):.1f} ms with {PEOPLE} people"
        )
    return alone, crowded, people, spent


def _ask(service: Running, bodies: Sequence[bytes], seconds: float) -> list[float]:
    """One client that asks without a pause; seconds of each query."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    with HttpClient(service.host, service.port) as client:
        while time.perf_counter() < end:
            begin = time.perf_counter()
            client.post(Interface.REST.path, bodies[len(times) % len(bodies)], Interface.REST.headers)
            times.append(time.perf_counter() - begin)
    return times


class _at_the_pages:  # noqa: N801 - reads as what it is, in a `with`
    """People who make a gesture every two seconds, each beginning at another one."""

    def __init__(self, service: Running, gestures: Sequence[Gesture], seen: _People) -> None:
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=self._person, args=(service, gestures, seen, number))
            for number in range(PEOPLE)
        ]

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _person(self, service: Running, gestures: Sequence[Gesture], seen: _People, number: int) -> None:
        at = number * len(gestures) // PEOPLE
        self._stop.wait(number * GESTURE_S / PEOPLE)
        with HttpClient(service.host, service.port) as client:
            while not self._stop.is_set():
                begin = time.perf_counter()
                slowest = 0.0
                for one in gestures[at % len(gestures)]:
                    asked = time.perf_counter()
                    seen.errors += not _made(client, one)
                    slowest = max(slowest, time.perf_counter() - asked)
                seen.times.append(slowest)
                at += 1
                self._stop.wait(max(0.0, begin + GESTURE_S - time.perf_counter()))


def _made(client: HttpClient, request: Request) -> bool:
    if request.form:
        status, _ = client.post(request.path, request.form, _FRAGMENT, media_type=_FORM)
    else:
        status, _ = client.get(request.path, _FRAGMENT)
    return status == 200


def _cpu(service: Running) -> float:
    """Seconds of processor time that the service has taken so far; 0 without /proc."""
    stat = Path(f"/proc/{service.pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


_TICKS = 100
"""Of /proc a second, on every Linux that there is a wheel for."""
