"""The outermost layer: request ids, who may come in, the log of requests and their metrics. Pure ASGI."""

import hmac
import logging
import re
import secrets
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api import docs
from app.api.answer_headers import with_safe_headers
from app.api.problems import problem
from app.service.metrics import Metrics

OPEN_PATHS = frozenset({"/healthz", "/readyz", "/openapi.json"}) | docs.PATHS
"""What needs no token: it reveals nothing about the catalogue."""

_log = logging.getLogger("app.access")
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._:-]{1,64}")
_ONCE = (b"host", b"authorization", b"content-length", b"origin")
"""Headers that decide who may ask and where a request ends. Whoever stands between may have heeded the other one."""
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

    def refusal(self, path: str, headers: Mapping[bytes, bytes]) -> tuple[int, str] | None:
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
        if self.token is not None and path not in OPEN_PATHS and not (self.pages and is_page(path)):
            scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
            if scheme.lower() != b"bearer" or not hmac.compare_digest(given.strip(), self.token.encode()):
                return 401, "a bearer token is needed: Authorization: Bearer <OUTFITTER_API_TOKEN>"
        return None


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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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
            refusal = (
                # Shorter where a name came twice; most requests need no second look.
                (_doubled(scope["headers"]) if len(headers) < len(scope["headers"]) else None)
                or self._policy.refusal(scope["path"], headers)
                or self._length_refusal(headers)
            )
            if refusal:
                challenge = {"WWW-Authenticate": "Bearer"} if refusal[0] == 401 else None
                answer = problem(*refusal, request_id=request_id, headers=challenge)
                await answer(scope, receive, send_with_id)
            else:
                await self._app(scope, receive_limited, send_with_id)
        finally:
            self._report(scope, request_id, status, time.perf_counter() - begin)

    def _length_refusal(self, headers: Mapping[bytes, bytes]) -> tuple[int, str] | None:
        length = headers.get(b"content-length", b"0")
        return (413, self._too_large()) if int(length) > self._max_body_bytes else None

    def _too_large(self) -> str:
        return f"the body is larger than {self._max_body_bytes} bytes (OUTFITTER_MAX_BODY_BYTES)"

    def _report(self, scope: Scope, request_id: str, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "(none)")
        method = scope["method"] if scope["method"] in _METHODS else "OTHER"
        self._metrics.requests.labels(route, method, status).observe(seconds)
        facts = {
            "request_id": request_id,
            "method": method,
            "route": route,
            "status": status,
            "ms": round(1000 * seconds, 2),
        }
        _log.info("request", extra=facts)


def _doubled(headers: Iterable[tuple[bytes, bytes]]) -> tuple[int, str] | None:
    """Status and reason for a request that says one of `_ONCE` more than once (RFC 9112, section 3.2)."""
    counts = Counter(name for name, _ in headers)
    twice = next((name for name in _ONCE if counts[name] > 1), None)
    return (400, f"{counts[twice]} headers {twice.decode()!r}; accepted: one") if twice else None


def _request_id(headers: Mapping[bytes, bytes]) -> str:
    given = headers.get(b"x-request-id", b"")
    return given.decode() if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
