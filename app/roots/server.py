"""`outfitter serve`: an address, a policy, a server that ends well."""

import contextlib
import logging
import signal
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn

from app import logs
from app.domain.nodes.models import Trust
from app.errors import ServeRefusedError
from app.http.bounds import HttpBounds
from app.http.protocol import cut_off_stalled, http_protocol
from app.ports.graph import GraphExplorer
from app.roots.callers import read_access_files, with_local_token
from app.roots.http import create_app, face_of, policy_of
from app.roots.service import service_components
from app.roots.telemetry.opened import opened_telemetry
from app.service.metrics import Metrics
from app.settings import Settings
from app.signals import handled

_SHUTDOWN_S = 20
_BACKLOG = 2048

_log = logging.getLogger(__name__)


def serve(settings: Settings) -> None:
    """Answer requests until SIGTERM or Ctrl-C; requests that are being answered are finished first.

    Raises:
        ServeRefusedError: an address that is open to others without a token, or one that cannot be had; a token of loopback
            that others may read.
        StoreUnavailableError: the graph database does not answer.
    """
    settings = with_local_token(settings)
    files = read_access_files(settings)
    policy, face = policy_of(settings, files), face_of(settings, files)
    logs.configure(level=settings.log_level, form=settings.log_format)
    with contextlib.closing(_bound(settings.host, settings.port)) as listener:
        metrics = Metrics()
        with (
            opened_telemetry(settings),
            service_components(settings, metrics, files.audit) as components,
            files.opened(),
        ):
            if files.callers is not None or files.issuer is not None:
                warn_of_trust(components.explorer)
            app = create_app(
                lambda _: contextlib.nullcontext(components),
                policy=policy,
                max_body_bytes=settings.max_body_bytes,
                metrics=metrics,
                face=face,
            )
            bounds = HttpBounds(per_address=settings.max_connections_per_address)
            cut_off_stalled(listener, bounds)
            config = uvicorn.Config(
                app,
                backlog=_BACKLOG,
                log_config=None,
                access_log=False,
                server_header=False,
                http=http_protocol(bounds, exempt=settings.trusted_proxies, refused=metrics.refused),
                # There are no WebSockets, so nothing leads around the bounds.
                ws="none",
                forwarded_allow_ips=[str(network) for network in settings.trusted_proxies],
                timeout_graceful_shutdown=_SHUTDOWN_S,
            )
            host, port = listener.getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            url = f"http://{shown}:{port}"
            # From here on connections wait for the server instead of being refused.
            listener.listen(_BACKLOG)
            _log.info(
                "listening",
                extra={
                    "url": url,
                    "docs": f"{url}/docs",
                    "ui": f"{url}/ui/" if face else "",
                    "token": not policy.is_open,
                },
            )
            with handled(_ignore, signal.SIGTERM, signal.SIGINT):
                _Server(config, before_shutdown=lambda: app.state.end_streams()).run(sockets=[listener])
            _log.info("stopped")


class _Server(uvicorn.Server):
    """Notifies the application that it ends while its requests are still being answered."""

    def __init__(self, config: uvicorn.Config, *, before_shutdown: Callable[[], None]) -> None:
        super().__init__(config)
        self._before_shutdown = before_shutdown

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Wait for requests, but not for clients that listen until the server closes their stream."""
        self._before_shutdown()
        await super().shutdown(sockets)


def warn_of_trust(graph: GraphExplorer) -> None:
    """Say which servers decide by themselves what several callers read and call."""
    trusted = [one.id for one in graph.sources() if one.kind == "mcp" and one.trust is Trust.FULL]
    if trusted:
        _log.warning(
            "%d MCP sources are trusted in full, %s among them: what they say of their tools is served to all callers at"
            " once; `trust: baseline` or `trust: review` in the sources file has somebody agree to it first",
            len(trusted),
            trusted[0],
        )


def _bound(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as error:
        raise ServeRefusedError(f"host {host!r}: {error}; accepted: an address of this machine") from error
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    try:
        if hasattr(socket, "SO_REUSEADDR"):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise ServeRefusedError(
            f"cannot listen on {host} port {port}: {error.strerror}; choose another with --port or"
            " OUTFITTER_PORT (0 takes a free one)"
        ) from error
    return listener


def _ignore(_signal: int, _frame: FrameType | None) -> None:
    """The server stops at SIGTERM and SIGINT and then raises them again; that must not end us by a signal."""
