"""What the protocol classes of both parsers have in common: a guard, for as long as the connection lasts."""

import asyncio
from typing import Any, ClassVar

from prometheus_client import Counter
from uvicorn.config import Config
from uvicorn.server import ServerState

from app.http.bounds import HttpBounds
from app.http.connections import Connections
from app.http.guard import Guard


class Guarded(asyncio.Protocol):
    """Stands before one of the server's own protocol classes."""

    bounds: ClassVar[HttpBounds]
    held: ClassVar[Connections]
    refused: ClassVar[Counter]
    loop: asyncio.AbstractEventLoop
    client: tuple[str, int] | None

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        # The server's class is the next one, and takes these.
        super().__init__(config, server_state, app_state, _loop)  # type: ignore[call-arg]
        self._guard = Guard(
            self.bounds,
            self.held,
            self.refused,
            loop=self.loop,
            late=self._late,
            common=lambda: server_state.default_headers,
        )

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and wait for headers."""
        super().connection_made(transport)
        self._guard.opened(transport, self.client[0] if self.client else None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count one less."""
        self._guard.closed()
        super().connection_lost(exc)

    def _late(self) -> None:
        """The deadline of a phase is over."""
        raise NotImplementedError
