"""HTTP/1.1 by h11, where httptools is not installed (Windows), held to the same bounds."""

from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.http.bounds import HttpBounds
from app.http.guard import Guard, Phase
from app.http.guarded import Guarded
from app.http.refusals import NOT_HTTP, Refusal, headers_refusal, late, too_large


class _Requests(h11.Connection):
    """Gives out requests that may be answered."""

    def __init__(self, bounds: HttpBounds, guard: Guard) -> None:
        super().__init__(h11.SERVER, bounds.header_bytes)
        self._bounds = bounds
        self._guard = guard
        self.refusal = NOT_HTTP

    def next_event(self) -> Any:
        """The next event.

        Raises:
            RemoteProtocolError: it is malformed, too large, or one too many; `refusal` says which.
        """
        try:
            event = super().next_event()
        except h11.RemoteProtocolError as error:
            if error.error_status_hint == 431:
                self.refusal = too_large(self._bounds)
            raise
        if isinstance(event, h11.Request):
            refusal = headers_refusal(self._bounds, event.target, list(event.headers))
            if reason := self._guard.too_many_answers():
                refusal = Refusal(429, reason)
            if refusal is not None:
                self.refusal = refusal
                raise h11.RemoteProtocolError(refusal.detail, error_status_hint=refusal.status)
        return event


class BoundedH11(Guarded, H11Protocol):
    """One connection."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn = self._requests = _Requests(self.bounds, self._guard)
        self._asked: object = None

    def data_received(self, data: bytes) -> None:
        """Parse it; h11 keeps no more than the bound of what is not whole."""
        if self._guard.deaf:
            self._guard.discard(data)
            return
        super().data_received(data)
        self._settle()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - says less than `refusal`
        """What h11 refuses."""
        self._refuse(self._requests.refusal)

    def on_response_complete(self) -> None:
        """An answer is written."""
        super().on_response_complete()
        if self._guard.deaf and self._answered():
            self._guard.end()
        else:
            self._settle()

    def shutdown(self) -> None:
        """The server ends."""
        if self._guard.deaf and self._answered():
            self.transport.close()
        else:
            super().shutdown()

    def _answered(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _settle(self) -> None:
        if self.cycle is not self._asked:
            self._asked = self.cycle
            self._guard.phase = None
        self._guard.enters(self._phase())

    def _phase(self) -> Phase:
        if self.conn.their_state is h11.SEND_BODY:
            return Phase.BODY
        if not self._answered():
            return Phase.ANSWER
        return Phase.HEADERS if self.timeout_keep_alive_task is None else Phase.IDLE

    def _late(self) -> None:
        body = self.conn.their_state is h11.SEND_BODY
        if body or self.conn.trailing_data[0]:
            self._refuse(late(self.bounds, body=body))
        else:
            self._guard.end()

    def _refuse(self, refusal: Refusal) -> None:
        """Say why; h11 reads no request before the one before it is answered."""
        cycle = self.cycle
        if cycle is not None and cycle.more_body:
            if cycle.response_complete:
                self._guard.end()
                return
            if cycle.response_started:
                self.transport.abort()
                return
            cycle.disconnected = True
            cycle.message_event.set()
        self._guard.refuse(refusal.status, refusal.detail)
