"""The service in this process, asked without a socket."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Protocol

from app.api.access import Policy
from app.domain.access.callers import CallerEntry, CallerList, CallerScope, digest_of
from app.domain.access.rules import RuleBook
from app.errors import OutfitterError
from app.ports.servers import CallTargets
from app.roots.http import create_app
from app.roots.service import Graph, components_over
from app.service.components import RequestLimits
from bench.hidden.calls import passing_on
from bench.hidden.encoded import word_encoder

TOKEN: Final = "oft_" + "a" * 43
REFRESH_S: Final = 0.05
_READY_S: Final = 30.0
_HOST: Final = "localhost"
_Message = MutableMapping[str, Any]


def caller_list() -> CallerList:
    """One caller, in the group `staff`, with every scope but that of operators."""
    scopes = frozenset(CallerScope) - {CallerScope.ADMIN}
    return CallerList.of([CallerEntry("bot", digest_of(TOKEN), frozenset({"staff"}), scopes)])


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, read to its end."""

    status_code: int
    text: str
    headers: Mapping[str, str]


class CalledGraph(Graph, CallTargets, Protocol):
    """A graph that answers, and knows what a call of a tool needs."""


class AskedService:
    """A client of an ASGI application; asks as the caller of `caller_list`. Fits `Asked`.

    Args:
        app: The application.
        loop: It runs in this loop, which another thread keeps going.
        state: What it opened for its requests.
    """

    def __init__(
        self, app: Callable[..., Any], loop: asyncio.AbstractEventLoop, state: Mapping[str, Any]
    ) -> None:
        self._app = app
        self._loop = loop
        self._state = state

    def request(self, method: str, url: str, *, json: Any = None, headers: Mapping[str, str]) -> Answered:
        """The answer to a request."""
        return asyncio.run_coroutine_threadsafe(self.answer(method, url, json, headers), self._loop).result()

    async def answer(
        self, method: str, url: str, body: Any = None, headers: Mapping[str, str] = MappingProxyType({})
    ) -> Answered:
        """The same in the loop itself."""
        path, _, query = url.partition("?")
        sent = b"" if body is None else json.dumps(body).encode()
        named = {
            "host": _HOST,
            "authorization": f"Bearer {TOKEN}",
            **({"content-type": "application/json"} if sent else {}),
            "content-length": str(len(sent)),
            **{name.lower(): value for name, value in headers.items()},
        }
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in named.items()],
            "client": ("127.0.0.1", 1),
            "server": (_HOST, 80),
            "state": dict(self._state),
        }
        start: _Message = {}
        parts: list[bytes] = []
        given = False
        ended = asyncio.Event()

        async def receive() -> _Message:
            nonlocal given
            if given:
                await ended.wait()
                return {"type": "http.disconnect"}
            given = True
            return {"type": "http.request", "body": sent, "more_body": False}

        async def send(message: _Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            else:
                parts.append(message.get("body", b""))

        try:
            await self._app(scope, receive, send)
        finally:
            ended.set()
        found = {name.decode("latin-1"): value.decode("latin-1") for name, value in start["headers"]}
        return Answered(start["status"], b"".join(parts).decode(), found)


@contextmanager
def asked_as(graph: CalledGraph, rules: Callable[[], RuleBook]) -> Iterator[AskedService]:
    """A client of the service over a graph, under rules; ready.

    Raises:
        OutfitterError: the service is not ready in time.
    """
    limits = RequestLimits(max_query_chars=500, query_timeout_s=30.0)
    app = create_app(
        lambda metrics: components_over(
            graph,
            refresh_s=REFRESH_S,
            limits=limits,
            metrics=metrics,
            encoder=word_encoder(),
            open_caller=passing_on(graph),
        ),
        policy=Policy(token=None, hosts=frozenset({_HOST}), pages=False, callers=caller_list, rules=rules),
        max_body_bytes=20_000,
        face=None,
    )
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="asked", daemon=True)
    thread.start()
    alive = _Lifespan(app)
    try:
        asyncio.run_coroutine_threadsafe(alive.begin(), loop).result()
        client = AskedService(app, loop, alive.state)
        try:
            asyncio.run_coroutine_threadsafe(_ready(client), loop).result()
            yield client
        finally:
            asyncio.run_coroutine_threadsafe(alive.end(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def is_encoded(status: str) -> bool:
    """Whether all tools that are seen have a vector, by an answer of `GET /v1/status`."""
    said = json.loads(status)
    return bool(said["meaning"]) and said["meaning"]["encoded"] == said["tools"]


async def _ready(client: AskedService) -> None:
    """Until callers get answers, which takes who provides what, and all that they see has a vector."""
    loop = asyncio.get_running_loop()
    end = loop.time() + _READY_S
    while True:
        answer = await client.answer("GET", "/v1/facets")
        if answer.status_code == 200 and is_encoded((await client.answer("GET", "/v1/status")).text):
            return
        if loop.time() > end:
            raise OutfitterError(f"the service is not ready after {_READY_S:g} s: {answer.text}")
        await asyncio.sleep(REFRESH_S / 2)


class _Lifespan:
    """Opens what an application needs, and closes it."""

    def __init__(self, app: Callable[..., Any]) -> None:
        self._app = app
        self._to_app: asyncio.Queue[_Message] = asyncio.Queue()
        self._from_app: asyncio.Queue[_Message] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self.state: dict[str, Any] = {}

    async def begin(self) -> None:
        """Open."""
        scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": self.state}
        self._task = asyncio.create_task(self._app(scope, self._to_app.get, self._from_app.put))
        await self._told("lifespan.startup")

    async def end(self) -> None:
        """Close."""
        await self._told("lifespan.shutdown")
        if self._task is not None:
            await self._task

    async def _told(self, what: str) -> None:
        await self._to_app.put({"type": what})
        answer = await self._from_app.get()
        if not answer["type"].endswith(".complete"):
            raise OutfitterError(str(answer.get("message", answer["type"])))
