"""The outermost layer: request ids, who may come in, the log of requests and their metrics. Pure ASGI."""

import asyncio
import hmac
import json
import logging
import re
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as RequestScope

from app.api import docs
from app.api.admission import Admitted, NotAdmitted, TrustedIssuer, UncheckedToken, in_query
from app.api.answer_headers import with_safe_headers
from app.api.caller_limits import enter_page, entered, left
from app.api.problems import NOT_PERMITTED, problem
from app.api.scopes import is_planning, scopes_of, scopes_of_message
from app.domain.access.buckets import CallerBounds, CallerUse
from app.domain.access.callers import (
    OPERATOR,
    Caller,
    CallerEntry,
    CallerList,
    CallerScope,
    CameBy,
    digest_of,
    is_operator,
    operator,
)
from app.domain.access.rules import RuleBook
from app.domain.access.times import AccessTimes
from app.errors import NotReadyError
from app.ports.spans import asked_by
from app.service.metrics import Metrics
from app.service.workers import Workers
from app.service.worlds import Worlds, world_of

OPEN_PATHS = frozenset({"/healthz", "/readyz", "/openapi.json"}) | docs.PATHS
"""What needs no token: it reveals nothing about the catalogue."""

_log = logging.getLogger("app.access")
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._:-]{1,64}")
_ONCE = (b"host", b"authorization", b"content-length", b"origin")
"""Headers that decide who may ask and where a request ends. Whoever stands between may have heeded the other one."""
_ANYBODY = operator(CameBy.LOCAL)
_WRITES = frozenset({CallerScope.CALL, CallerScope.WORKFLOWS})
"""What has a line in the audit when it is refused."""
_METHODS = frozenset({"GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE"})


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may ask."""

    token: str | None
    """Bearer token; None lets everybody in."""
    hosts: frozenset[str] | None
    """Accepted host names of the Host and Origin headers, lower case, without port; None accepts every one."""
    pages: bool = False
    """There are pages: they lie below /ui and let people in by themselves."""
    callers: Callable[[], CallerList] | None = None
    """Who else may ask, as their file says now; None: there is no such file."""
    rules: Callable[[], RuleBook] | None = None
    """What they may see; None: everything."""
    issuer: TrustedIssuer | None = None
    """Whose tokens let people in, too; None: nobody's."""
    denied: Callable[[Caller, str, Iterable[CallerScope]], None] | None = None
    """Writes down that a call or a write was refused: who asked what, and the scopes that it takes."""
    read_at: Callable[[], AccessTimes] | None = None
    """When files and keys were read; None where nothing but the service's token says who may ask."""
    used: Callable[[CallerEntry], None] | None = None
    """Is notified of each token of the file that lets somebody in; returns at once."""
    use: CallerUse | None = None
    """What callers ask for, and may; None: as much as they like. The operator always may."""
    now: Callable[[], float] = time.time

    @property
    def has_callers(self) -> bool:
        """Whether others than the operator may ask, who may see less."""
        return self.callers is not None or self.issuer is not None

    @property
    def is_open(self) -> bool:
        """Whether everybody who reaches the service may ask."""
        return self.token is None and not self.has_callers

    def bounds_of(self, caller: Caller) -> CallerBounds | None:
        """What a caller may ask for; None: as much as they like."""
        if self.use is None or self.rules is None:
            return self.use.usual if self.use else None
        return self.rules().bounds_of(caller, self.use.usual)

    @property
    def admitted(self) -> Admitted:
        """What becomes of somebody whom the issuer knows."""
        return Admitted(self.callers, self.rules)

    def caller(self, headers: Mapping[bytes, bytes]) -> Caller | NotAdmitted | UncheckedToken:
        """Whose token it is."""
        if self.is_open:
            return _ANYBODY
        scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
        given = given.strip()
        if scheme.lower() != b"bearer" or not given:
            return NotAdmitted(401, f"a bearer token is needed: Authorization: Bearer <{self._token_is}>")
        if self.token is not None and hmac.compare_digest(given, self.token.encode()):
            return OPERATOR
        if self.issuer is not None and (known := self.issuer.known(given, self.admitted)):
            return known
        entry = None
        if self.callers is not None:
            entry = self.callers().by_digest.get(digest_of(given.decode("latin-1")))
        if entry is None and self.issuer is not None:
            return UncheckedToken(given.decode("latin-1"))
        if entry is None:
            return NotAdmitted(
                401,
                f"a bearer token is needed: Authorization: Bearer <{self._token_is}>",
                is_invalid=self.has_callers,
            )
        if entry.expires_at is not None and entry.expires_at <= self.now():
            return NotAdmitted(
                401, "the token has expired; accepted: one that `outfitter token new` gives", is_invalid=True
            )
        if self.used is not None:
            self.used(entry)
        return entry.caller()

    def still(self, caller: Caller, headers: Mapping[bytes, bytes]) -> Caller | None:
        """A caller as they are let in now; None where what let them in has ended, was taken away or leaves them another scope."""
        if caller.how is CameBy.OIDC:
            is_over = self.admitted.is_blocked(caller.id) or (caller.expires_at or 0.0) <= self.now()
            return None if is_over else caller
        now = self.caller(headers)
        return now if isinstance(now, Caller) and now.scopes == caller.scopes else None

    @property
    def _token_is(self) -> str:
        return "token" if self.has_callers else "OUTFITTER_API_TOKEN"

    def refusal(self, headers: Mapping[bytes, bytes]) -> tuple[int, str] | None:
        """Status and reason for a request that is not let in; None for the others."""
        if self.hosts is not None:
            accepted = ", ".join(sorted(self.hosts))
            host = host_name(headers.get(b"host", b"").decode("latin-1"))
            if host not in self.hosts:
                return (
                    421,
                    f"Host {host!r} is not this service; accepted: {accepted} (OUTFITTER_ALLOWED_HOSTS)",
                )
            origin = headers.get(b"origin", b"").decode("latin-1")
            # Browsers say which page asks. One that came from elsewhere may not, even if it need not read the answer.
            if origin and host_name(origin.partition("://")[2]) not in self.hosts:
                return (
                    403,
                    f"Origin {origin!r} may not ask; accepted: pages of {accepted} (OUTFITTER_ALLOWED_HOSTS)",
                )
        return None

    def needs_caller(self, path: str) -> bool:
        """Whether only known callers are let in there; pages let people in by themselves."""
        is_metadata = self.issuer is not None and path in self.issuer.resource.metadata_paths
        return not (path in OPEN_PATHS or (self.pages and is_page(path)) or is_metadata)


def is_page(path: str) -> bool:
    """Whether a page is asked for, or `/`, which leads there."""
    return path in {"/", "/ui"} or path.startswith("/ui/")


def host_name(host: str) -> str:
    """The name in a Host header: lower case, without port; `[::1]` keeps its brackets."""
    if host.startswith("["):
        return host[: host.find("]") + 1].lower()
    return host.partition(":")[0].lower().rstrip(".")


class Access:
    """Wraps an ASGI app."""

    def __init__(self, app: ASGIApp, *, policy: Policy, max_body_bytes: int, metrics: Metrics) -> None:
        self._app = app
        self._policy = policy
        self._max_body_bytes = max_body_bytes
        self._metrics = metrics

    async def __call__(self, scope: RequestScope, receive: Receive, send: Send) -> None:
        """Serve a request; anything that is not HTTP is passed through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begin = time.perf_counter()
        headers = dict(scope["headers"])
        request_id = _request_id(headers)
        scope.setdefault("state", {})["request_id"] = request_id
        status = 500
        received = 0

        async def receive_limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._max_body_bytes:
                raise HTTPException(413, self._too_large())
            return message

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
                named = (b"x-request-id", request_id.encode())
                message["headers"] = with_safe_headers([*message["headers"], named])
            await send(message)

        try:
            # Shorter where a name came twice; most requests need no second look.
            refused = (
                _doubled(scope["headers"]) if len(headers) < len(scope["headers"]) else None
            ) or self._policy.refusal(headers)
            refusal = NotAdmitted(*refused) if refused else await self._admitted(scope, headers)
            if refusal is None and (too_long := self._length_refusal(headers)):
                refusal = NotAdmitted(*too_long)
            passed_on: Receive = receive_limited
            if refusal is None and self._policy.has_callers:
                refusal, passed_on = await self._entitled(scope, receive_limited)
            if refusal:
                issuer = self._policy.issuer
                headers_of = refusal.headers(issuer.of_path(scope["path"]) if issuer else None)
                kind = NOT_PERMITTED if refusal.needed else None
                answer = (refusal.slowed and refusal.slowed.answer) or problem(
                    refusal.status, refusal.reason, request_id=request_id, headers=headers_of, kind=kind
                )
                await answer(scope, receive, send_with_id)
            else:
                await self._app(scope, passed_on, send_with_id)
        finally:
            if self._policy.use is not None:
                left(self._policy.use, scope["state"])
            self._report(scope, request_id, status, time.perf_counter() - begin)

    async def _admitted(self, scope: RequestScope, headers: Mapping[bytes, bytes]) -> NotAdmitted | None:
        """Note who asks; why nobody does."""
        policy = self._policy
        if policy.issuer is not None and (refused := in_query(scope["query_string"])):
            return refused
        if not policy.needs_caller(scope["path"]):
            if policy.use is not None and policy.pages and is_page(scope["path"]):
                scope["state"]["enter_page"] = partial(self._enter_page, scope["state"])
            return None
        caller = policy.caller(headers)
        if isinstance(caller, UncheckedToken):
            workers: Workers | None = scope["state"].get("token_workers")
            if policy.issuer is None or workers is None:
                return NotAdmitted(503, "the service is starting; ask again in a moment")
            caller = await policy.issuer.check(caller.text, policy.admitted, workers)
        if isinstance(caller, NotAdmitted):
            return caller
        scope["state"]["caller"] = caller
        asked_by(caller.id)
        if policy.has_callers:
            scope["state"]["still"] = partial(policy.still, caller, headers)
        return None

    def _enter_page(self, state: dict[str, Any], caller: Caller) -> None:
        """Count a visit of somebody whom a page has let in; TooManyRequestsError where it comes too soon."""
        if self._policy.use is not None and not is_operator(caller):
            enter_page(self._policy.use, caller.id, state, self._policy.bounds_of(caller))

    async def _entitled(self, scope: RequestScope, receive: Receive) -> tuple[NotAdmitted | None, Receive]:
        """Give the request what its caller may use; why the caller may not ask this."""
        state = scope["state"]
        caller: Caller | None = state.get("caller")
        worlds: Worlds | None = state.get("worlds")
        if caller is None:
            return None, receive
        path, needed = scope["path"], scopes_of(scope["method"], scope["path"])
        use = None if is_operator(caller) else self._policy.use
        message: Any = None
        if path == "/mcp":
            needed = frozenset()
            state["is_mcp"] = True
            if use is not None or caller.lacks((CallerScope.FIND, CallerScope.PLAN, CallerScope.CALL)):
                try:
                    body = await _read(receive)
                except HTTPException as error:
                    return NotAdmitted(error.status_code, error.detail), receive
                message = _parsed(body)
                needed, receive = scopes_of_message(message), _again(body, receive)
        if use is not None and (
            slowed := entered(use, caller.id, state, scope["method"], message, self._policy.bounds_of(caller))
        ):
            return NotAdmitted(429, slowed.reason, slowed=slowed), receive
        if caller.lacks(needed):
            listed = tuple(sorted(needed))
            if self._policy.denied is not None and not _WRITES.isdisjoint(needed):
                # Of the path what is ours, and nothing that the caller wrote.
                what = f"{_method_of(scope)} {'/'.join(path.split('/')[:3])}"
                await asyncio.to_thread(self._policy.denied, caller, what, listed)
            return NotAdmitted(
                403,
                f"caller {caller.name!r} lacks a scope; this takes {', '.join(listed)}",
                needed=listed,
            ), receive
        if worlds is not None:
            try:
                world = await world_of(worlds, caller, state["components"])
            except NotReadyError as error:
                return NotAdmitted(503, str(error)), receive
            state["world"] = world
            state["components"] = world.plan if is_planning(path) else world.find
        return None, receive

    def _length_refusal(self, headers: Mapping[bytes, bytes]) -> tuple[int, str] | None:
        length = headers.get(b"content-length", b"0")
        return (413, self._too_large()) if int(length) > self._max_body_bytes else None

    def _too_large(self) -> str:
        return f"the body is larger than {self._max_body_bytes} bytes (OUTFITTER_MAX_BODY_BYTES)"

    def _report(self, scope: RequestScope, request_id: str, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "(none)")
        method = _method_of(scope)
        self._metrics.requests.labels(route, method, status).observe(seconds)
        facts = {
            "request_id": request_id,
            "method": method,
            "route": route,
            "status": status,
            "ms": round(1000 * seconds, 2),
        }
        _log.info("request", extra=facts)


def _method_of(scope: RequestScope) -> str:
    return scope["method"] if scope["method"] in _METHODS else "OTHER"


async def _read(receive: Receive) -> bytes:
    """The body, which `receive` bounds."""
    parts = []
    more = True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message["type"] == "http.request" and message.get("more_body", False)
    return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, once more."""
    is_given = False

    async def given() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return given


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        # The MCP server says what is wrong with it; it calls no tool.
        return None


def _doubled(headers: Iterable[tuple[bytes, bytes]]) -> tuple[int, str] | None:
    """Status and reason for a request that says one of `_ONCE` more than once (RFC 9112, section 3.2)."""
    counts = Counter(name for name, _ in headers)
    twice = next((name for name in _ONCE if counts[name] > 1), None)
    return (400, f"{counts[twice]} headers {twice.decode()!r}; accepted: one") if twice else None


def _request_id(headers: Mapping[bytes, bytes]) -> str:
    given = headers.get(b"x-request-id", b"")
    return given.decode() if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
