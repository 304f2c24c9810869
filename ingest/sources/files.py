"""Files and folders that hold documents."""

import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from app.domain.calling.addresses import check_url, shown_url
from app.domain.calling.mcp_endpoints import McpEndpoint
from app.domain.language.accepted_text import check_name
from app.domain.nodes.models import SourceId, Trust, source_id
from app.errors import InvalidInputError, SourceRefusedError
from ingest.sources.openapi.files import openapi_files
from ingest.sources.openapi.reader import ALL_OPERATIONS, Selection


@dataclass(frozen=True, slots=True)
class IngestInput:
    """A document that is to be ingested, and the source that it is."""

    kind: str
    name: str
    path: Path
    """Where it lies; for a document of the web the last part of its address."""
    url: str = ""
    """Its address, when it is to be fetched."""
    root: Path | None = None
    """Folder in which the files lie that it may refer to; its own where None."""
    selection: Selection = ALL_OPERATIONS
    """Which operations of an OpenAPI document."""
    allow_private: bool = False
    """Fetch it from one's own network, too."""
    data: bytes | None = None
    """The document itself, where it has been read already."""
    listed_in: str = ""
    """URI of the sources file that names it."""
    endpoint: McpEndpoint | None = None
    """The live server, when it is one; its name is empty to take the server's own."""
    problem: str = ""
    """Why it cannot be read, where that is known before."""
    problem_said: str = ""
    """What a server said of that."""
    trust: Trust | None = None
    """What of a source of tools is served without review; None: what the run takes for those that say nothing."""

    @property
    def source(self) -> SourceId:
        """The source's id."""
        return source_id(self.kind, self.name)

    @property
    def uri(self) -> str:
        """Where the document lies, for people and for finding it again; without what may be secret in it."""
        return (self.endpoint.uri if self.endpoint else self._shown_url) or self.path.resolve().as_uri()

    @property
    def label(self) -> str:
        """For messages."""
        return (self.endpoint.uri if self.endpoint else self._shown_url) or str(self.path)

    @property
    def _shown_url(self) -> str:
        return shown_url(urlsplit(self.url)) if self.url else ""


def file_input(kind: str, path: Path, *, name: str | None = None) -> IngestInput:
    """A file under a name, by default its own without the ending."""
    return IngestInput(kind, (name or path.stem).replace("/", "-"), path)


def mcp_input(endpoint: McpEndpoint) -> IngestInput:
    """A live server."""
    return IngestInput("mcp", endpoint.name, Path(), endpoint=endpoint)


@dataclass(frozen=True, slots=True)
class FoundInputs:
    """Documents, and a line for each file that is not one."""

    inputs: list[IngestInput]
    passed_over: list[str]


def openapi_inputs(
    places: Sequence[str],
    *,
    server: str | None = None,
    max_file_bytes: int,
    selection: Selection = ALL_OPERATIONS,
    allow_private: bool = False,
) -> FoundInputs:
    """The OpenAPI documents at files, in folders (however deep) and at http and https addresses.

    A document's server is named by the file's stem, or the address's host. Where files of one folder share a
    stem, the folders above it come before it.

    Raises:
        InvalidInputError: a folder has none, or `server` names more than one document.
    """
    found = FoundInputs([], [])
    for place in places:
        if place.startswith(("http://", "https://")):
            parts = check_url(place)
            name = server or parts.hostname or "unknown"
            last = Path(parts.path).name or "openapi"
            found.inputs.append(IngestInput("openapi", name.replace("/", "-"), Path(last), url=place))
        elif Path(place).is_dir():
            _add_folder(found, Path(place), max_file_bytes)
        else:
            found.inputs.append(file_input("openapi", Path(place), name=server))
    if server is not None and len(found.inputs) > 1:
        raise InvalidInputError(
            f"--server {server!r} would name {len(found.inputs)} documents; accepted: one with --server"
        )
    if server is not None:
        found.inputs[0] = replace(found.inputs[0], name=server.replace("/", "-"))
    found.inputs[:] = [replace(one, selection=selection, allow_private=allow_private) for one in found.inputs]
    return found


def _add_folder(found: FoundInputs, folder: Path, max_file_bytes: int) -> None:
    documents, others = openapi_files(folder, max_file_bytes=max_file_bytes)
    if not documents:
        raise InvalidInputError(
            f"{folder}: the folder has no OpenAPI document; accepted: a folder with .json, .yaml or .yml files"
        )
    stems = Counter(path.stem for path in documents)
    for path in documents:
        inside = path.relative_to(folder).with_suffix("")
        name = path.stem if stems[path.stem] == 1 else "-".join(inside.parts)
        found.inputs.append(IngestInput("openapi", name, path, root=folder))
    found.passed_over.extend(f"{folder}: {line}" for line in others)


def manifest_inputs(paths: Sequence[Path], *, server: str | None = None) -> list[IngestInput]:
    """The manifests that files and folders hold: of a folder every `*.json`, however deep, by path.

    Raises:
        InvalidInputError: a folder has none, or `server` names more than one file.
    """
    found = [one for path in paths for one in _manifests(path)]
    if server is not None and len(found) > 1:
        raise InvalidInputError(
            f"--server {server!r} would name {len(found)} manifests; accepted: one file with --server"
        )
    return [file_input("manifest", path, name=server) for path in found]


def _manifests(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(one for one in path.rglob("*.json") if one.is_file())
    if not found:
        raise InvalidInputError(f"{path}: the folder has no manifest; accepted: a folder with *.json files")
    return found


_SETTLED_NS = 2_000_000_000
"""A file that was written a moment ago may be written again with the same times."""


def file_state(one: IngestInput) -> str:
    """Place, size and times by which a local file is known as the one that was read; empty where they say too little.

    The time of the file's record in its folder is among them, which no copying tool sets back.
    """
    # Windows has no such time: there it says when the file was made.
    if one.url or one.endpoint or one.data is not None or sys.platform == "win32":
        return ""
    try:
        found = one.path.stat()
    except OSError:
        return ""
    if time.time_ns() - max(found.st_mtime_ns, found.st_ctime_ns) < _SETTLED_NS:
        return ""
    return f"{found.st_ino}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"


def read_file(one: IngestInput, *, max_bytes: int) -> bytes:
    """The bytes of a document.

    Args:
        one: which.
        max_bytes: of the document.

    Raises:
        SourceRefusedError: it cannot be read or fetched, is too large, or its name is no name of a source.
    """
    try:
        check_name(one.name, field=f"{one.label}: the name of the source")
    except InvalidInputError as error:
        raise SourceRefusedError(str(error)) from error
    if one.data is not None:
        return one.data
    if one.url:
        # Files alone need no HTTP.
        from app.adapters.http.fetch import FetchLimits, fetch

        limits = FetchLimits(max_bytes=max_bytes, allow_private=one.allow_private)
        return fetch(one.url, limits=limits).data
    try:
        size = one.path.stat().st_size
        if size > max_bytes:
            raise SourceRefusedError(
                f"{one.path}: {size:,} bytes; accepted: up to {max_bytes:,} (OUTFITTER_MAX_FILE_BYTES)"
            )
        return one.path.read_bytes()
    except FileNotFoundError as error:
        raise SourceRefusedError(f"{one.path}: no such file; accepted: a file that exists") from error
    except OSError as error:
        raise SourceRefusedError(f"{one.path}: cannot be read: {error.strerror}") from error
