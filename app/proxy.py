"""The composition root of calls that are passed on: connections from the sources file, callers, the audit."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from app.adapters.sources_file.file import McpEntry, OpenApiEntry, SourcesFile, read_sources_file
from app.domain.calling.calls import CallLimits, Connection
from app.domain.nodes.models import SourceId
from app.errors import InvalidInputError, ServeRefusedError
from app.settings import Settings, environment
from app.usecases.call import ToolCaller
from ingest.sources.listed_inputs import endpoint_of

if TYPE_CHECKING:
    from app.ports.servers import CallTargets, McpCaller


OpenCaller: TypeAlias = Callable[[Callable[[], int]], AbstractContextManager[ToolCaller]]
"""Opens what passes calls on, given what returns the catalogue's generation."""


class FileConnections:
    """Fits `Connections`: the sources file as it is now, read again whenever it has changed.

    What is taken out of the file is not called any more, without a restart. A file that cannot be read, or an
    entry of the source that is rejected, lets nothing of it be called.

    Args:
        path: of the sources file.
        environ: where its variables are.
    """

    def __init__(self, path: Path, environ: Mapping[str, str]) -> None:
        self._path = path
        self._environ = environ
        self._lock = threading.Lock()
        self._state: tuple[int, int, int] | None = None
        self._file: SourcesFile | None = None
        self._found: dict[SourceId, Connection | None] = {}

    def connection(self, source: SourceId) -> Connection | None:
        """The source's connection; None where the file does not say how to call it.

        Raises:
            InvalidInputError: the file cannot be read, or a variable that it names is not set.
        """
        with self._lock:
            file = self._read()
            if source not in self._found:
                self._found[source] = self._made(file, source)
            return self._found[source]

    def _read(self) -> SourcesFile:
        try:
            stat = self._path.stat()
        except OSError as error:
            raise InvalidInputError(f"{self._path} (OUTFITTER_SOURCES): {error.strerror}") from error
        state = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        if self._file is None or state != self._state:
            self._found = {}
            self._file = None
            self._file = read_sources_file(self._path)
            self._state = state
        return self._file

    def _made(self, file: SourcesFile, source: SourceId) -> Connection | None:
        entry = next((entry for entry in file.entries if entry.source == source), None)
        if not isinstance(entry, McpEntry | OpenApiEntry) or entry.call is None:
            return None
        if isinstance(entry, McpEntry):
            return Connection(source, entry.call.rules(), endpoint=endpoint_of(file, entry, self._environ))
        credentials = entry.call.given(self._environ, place=entry.id)
        return Connection(source, entry.call.rules(), credentials=credentials)


def check_proxy(settings: Settings, *, stdio: bool) -> None:
    """Whether calls may be passed on with these settings.

    Raises:
        ServeRefusedError: there is no sources file, or no token where others could reach the service.
    """
    if settings.sources is None:
        raise ServeRefusedError(
            "OUTFITTER_PROXY is on and OUTFITTER_SOURCES is not set: accepted: the sources file that says what may be"
            " called"
        )
    if not stdio and not (settings.api_token and settings.api_token.get_secret_value()):
        raise ServeRefusedError(
            "OUTFITTER_PROXY is on and OUTFITTER_API_TOKEN is not set: calls over HTTP need a bearer token, on loopback"
            " too"
        )


@contextmanager
def opened_caller(
    settings: Settings, targets: "CallTargets", mcp: "McpCaller", generation: Callable[[], int]
) -> Iterator[ToolCaller]:
    """What passes calls on; leaving it closes the connections to HTTP APIs.

    Args:
        settings: the sources file, the limits, the audit.
        targets: the tools.
        mcp: calls tools of MCP servers.
        generation: of the catalogue, for the audit.

    Raises:
        InvalidInputError: the sources file cannot be read.
    """
    from app.adapters.audit_file import AuditFile
    from app.adapters.http.caller import UrllibCaller

    if settings.sources is None:
        raise ServeRefusedError("OUTFITTER_SOURCES is not set; accepted: a sources file")
    read_sources_file(settings.sources)
    audit = AuditFile(
        settings.audit_file or settings.data_dir / "calls.jsonl", max_bytes=settings.audit_max_bytes
    )
    with UrllibCaller() as http:
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
