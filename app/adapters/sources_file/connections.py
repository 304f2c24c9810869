"""How the sources of the file are called."""

import threading
from collections.abc import Mapping
from pathlib import Path

from app.adapters.sources_file.file import McpEntry, OpenApiEntry, SourcesFile, read_sources_file
from app.domain.calling.calls import Connection
from app.domain.calling.mcp_endpoints import McpEndpoint, http_endpoint, stdio_endpoint
from app.domain.nodes.models import SourceId
from app.errors import InvalidInputError


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


def endpoint_of(file: SourcesFile, entry: McpEntry, environ: Mapping[str, str]) -> McpEndpoint:
    """The server of an entry.

    Raises:
        InvalidInputError: a variable that it names is not set, or the address may not be asked.
    """
    if entry.uri is not None:
        return http_endpoint(
            entry.uri,
            name=entry.id,
            headers=entry.headers_env,
            environ=environ,
            era=entry.protocol,
            allow_private=entry.allow_private,
            plain_http=entry.plain_http,
        )
    command = [file.program(entry), *entry.args]
    return stdio_endpoint(
        command,
        name=entry.id,
        cwd=str(file.path.parent),
        env=entry.env,
        environ=environ,
        era=entry.protocol,
    )
