"""The composition root of calls that are passed on: connections from the sources file, callers, the audit."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, TypeAlias

from app.adapters.sources_file.connections import FileConnections
from app.adapters.sources_file.file import read_sources_file
from app.domain.calling.calls import CallLimits
from app.errors import ServeRefusedError
from app.settings import Settings, environment
from app.usecases.call import ToolCaller

if TYPE_CHECKING:
    from app.ports.servers import Audit, CallTargets, McpCaller


OpenCaller: TypeAlias = Callable[[Callable[[], int]], AbstractContextManager[ToolCaller]]
"""Opens what passes calls on, given what returns the catalogue's generation."""


def check_proxy(settings: Settings, *, stdio: bool) -> None:
    """Whether calls may be passed on with these settings.

    Raises:
        ServeRefusedError: there is no sources file, or nobody is known by a token where others could reach the service.
    """
    if settings.sources is None:
        raise ServeRefusedError(
            "OUTFITTER_PROXY is on and OUTFITTER_SOURCES is not set: accepted: the sources file that says what may be"
            " called"
        )
    has_token = settings.api_token is not None and bool(settings.api_token.get_secret_value())
    if not (stdio or has_token or settings.callers or settings.oidc_issuer):
        raise ServeRefusedError(
            "OUTFITTER_PROXY is on and OUTFITTER_API_TOKEN is not set: calls over HTTP need a bearer token, on loopback"
            " too; accepted: that, OUTFITTER_CALLERS or OUTFITTER_OIDC_ISSUER"
        )


@contextmanager
def opened_caller(
    settings: Settings,
    audit: "Audit",
    targets: "CallTargets",
    mcp: "McpCaller",
    generation: Callable[[], int],
) -> Iterator[ToolCaller]:
    """What passes calls on; leaving it closes the connections to HTTP APIs.

    Args:
        settings: the sources file, the limits.
        audit: where calls are written down.
        targets: the tools.
        mcp: calls tools of MCP servers.
        generation: of the catalogue, for the audit.

    Raises:
        InvalidInputError: the sources file cannot be read.
    """
    from app.adapters.http.caller import PooledHttpCaller

    if settings.sources is None:
        raise ServeRefusedError("OUTFITTER_SOURCES is not set; accepted: a sources file")
    read_sources_file(settings.sources)
    with PooledHttpCaller() as http:
        yield ToolCaller(
            targets=targets,
            connections=FileConnections(settings.sources, environment()),
            http=http,
            mcp=mcp,
            audit=audit,
            limits=CallLimits(
                timeout_s=settings.proxy_timeout_s,
                max_answer_bytes=settings.proxy_max_answer_bytes,
                max_argument_bytes=settings.max_body_bytes,
            ),
            generation=generation,
        )
