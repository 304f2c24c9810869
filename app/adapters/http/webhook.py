"""Notices to an address of the operator's: from a thread of their own, each tried a few times, and none in anybody's way."""

import hashlib
import hmac
import json
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Final

from pydantic import SecretStr

from app.domain.calling.addresses import check_url, is_loopback_name
from app.domain.calling.calls import CallLimits
from app.domain.calling.http_requests import HttpRequest, Server
from app.domain.notices import Notice
from app.errors import CallFailedError, InvalidInputError
from app.ports.servers import HttpCaller

SIGNATURE: Final = "X-Outfitter-Signature"
MOST_WAITING: Final = 1_000
"""Notices that wait while the receiver is away; those that come then are dropped, with a line in the log."""
_ANSWER_BYTES: Final = 65_536
"""Nothing of the answer is read but its status."""
_AGAIN: Final = frozenset({408, 425, 429})
"""Statuses below 500 that may be others in a moment."""
_PORTS: Final = {"http": 80, "https": 443}

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Receiver:
    """Where notices go."""

    server: Server
    target: str
    """Path and query, which may be all that keeps strangers out: never logged."""
    key: SecretStr | None
    """What bodies are signed with; None: they are not."""


@dataclass(frozen=True, slots=True)
class Pauses:
    """How patient the sender is."""

    timeout_s: float = 10.0
    """For one try."""
    waits_s: tuple[float, ...] = (1.0, 4.0, 16.0, 60.0)
    """Before the second try, and so on; there are no more tries than that."""


def receiver_of(url: str, key: SecretStr | None) -> Receiver:
    """The address of a receiver, looked at.

    Raises:
        InvalidInputError: it is not valid, or whatever is sent there could be read and changed on its way.
    """
    parts = check_url(url)
    host = parts.hostname or ""
    if not host.isascii():
        raise InvalidInputError(
            "a host name with letters beyond ASCII; accepted: its form in ASCII (xn--...)"
        )
    if parts.scheme == "http" and not is_loopback_name(host):
        raise InvalidInputError(f"http to {host}; accepted: https, or http on loopback")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not target.isascii():
        raise InvalidInputError("a path with letters beyond ASCII; accepted: with these percent-encoded")
    port = parts.port or _PORTS[parts.scheme]
    return Receiver(Server(parts.scheme, host.lower(), port, "", named_by_operator=True), target, key)


def signature_of(body: bytes, key: SecretStr) -> str:
    """As its header has it."""
    return f"sha256={hmac.new(key.get_secret_value().encode(), body, hashlib.sha256).hexdigest()}"


class Webhook:
    """Sends notices, one after the other, in a thread. Fits `Notify` by `notify`.

    Args:
        receiver: where they go.
        http: asks servers, within the bounds of addresses and time.
        pauses: how patiently.
        counted: is called with `delivered`, `failed` or `dropped` for each notice.
    """

    def __init__(
        self,
        receiver: Receiver,
        http: HttpCaller,
        *,
        pauses: Pauses | None = None,
        counted: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._receiver = receiver
        self._http = http
        self._pauses = pauses or Pauses()
        self._counted = counted
        self._waiting: queue.Queue[Notice | None] = queue.Queue(MOST_WAITING)
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="webhook", daemon=True)

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    def notify(self, notices: Sequence[Notice]) -> None:
        """Send these; returns at once."""
        for one in notices:
            try:
                self._waiting.put_nowait(one)
            except queue.Full:
                self._end(one, "dropped", f"{MOST_WAITING:,} notices wait already")

    def close(self, wait_s: float) -> None:
        """Send what waits, as long as there is time; what is left is in the log."""
        end = time.monotonic() + wait_s
        try:
            self._waiting.put(None, timeout=wait_s)
            self._thread.join(max(0.0, end - time.monotonic()))
        except queue.Full:
            pass
        self._ending.set()
        if self._thread.is_alive():
            # A try that is under way is over within its own time; this thread waits for no other one.
            self._thread.join(0.1)

    def _run(self) -> None:
        while (one := self._waiting.get()) is not None:
            if self._ending.is_set():
                self._end(one, "dropped", "there was no time left to send it")
                if self._waiting.empty():
                    return
                continue
            try:
                self._send(one)
            except Exception:  # noqa: BLE001 - a thread that ends unseen would send nothing any more
                _log.exception("a notice was not sent: a defect")
                self._counted("failed")

    def _send(self, one: Notice) -> None:
        # The same in each try, so that a receiver can tell a second one from a second event.
        body = json.dumps({"id": token_hex(8), **one.as_json}).encode()
        problem = ""
        for wait_s in (*self._pauses.waits_s, None):
            problem, may_again = self._try(body)
            if not problem:
                self._counted("delivered")
                return
            if not may_again or wait_s is None or self._ending.wait(wait_s):
                break
        self._end(one, "failed", problem)

    def _try(self, body: bytes) -> tuple[str, bool]:
        """What is wrong, and whether it may be right in a moment; nothing where it was delivered."""
        to = self._receiver
        headers = [("Content-Type", "application/json")]
        if to.key is not None:
            headers.append((SIGNATURE, signature_of(body, to.key)))
        request = HttpRequest("POST", to.server, to.target, tuple(headers), body)
        limits = CallLimits(
            timeout_s=self._pauses.timeout_s, max_answer_bytes=_ANSWER_BYTES, max_argument_bytes=len(body)
        )
        try:
            status = self._http.send(request, limits).status
        except CallFailedError as error:
            return str(error), True
        if 200 <= status < 300:
            return "", False
        return f"{to.server.origin} answered {status}", status >= 500 or status in _AGAIN

    def _end(self, one: Notice, outcome: str, problem: str) -> None:
        self._counted(outcome)
        facts = {"kind": one.kind.value, "source": one.source, "count": len(one.tools), "problem": problem}
        _log.error("notice %s", outcome, extra=facts)
