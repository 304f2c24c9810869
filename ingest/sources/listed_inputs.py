"""What the entries of a sources file are to ingest."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from app.adapters.sources_file.connections import endpoint_of
from app.adapters.sources_file.file import (
    DocumentEntry,
    ListedSource,
    McpEntry,
    OfTools,
    OpenApiEntry,
    SourcesFile,
)
from app.domain.language.near import near_names
from app.errors import InvalidInputError
from ingest.sources.files import IngestInput, mcp_input
from ingest.sources.openapi.reader import ALL_OPERATIONS, Selection


@dataclass(frozen=True, slots=True)
class Listed:
    """The sources of a file, and why others of it cannot be read."""

    inputs: Mapping[str, IngestInput]
    """By id of the entry, in the order of the file."""
    unusable: Sequence[IngestInput]
    """Those of which nothing can be read, with the problem."""
    refused: Mapping[str, str]
    """Place in the file of what is no entry -> reason."""


def listed_inputs(file: SourcesFile, *, environ: Mapping[str, str], only: Collection[str] = ()) -> Listed:
    """What to ingest.

    Args:
        file: the sources file.
        environ: the environment, for the variables that entries name.
        only: ids of entries; empty: all.

    Raises:
        InvalidInputError: `only` names an id that the file does not have.
    """
    ids = [entry.id for entry in file.entries]
    for wanted in only:
        if wanted not in ids and wanted not in (file.broken or ()):
            near = ", ".join(near_names(wanted, ids, cutoff=0.4)) or ", ".join(ids[:5])
            raise InvalidInputError(f"{file.path}: no source {wanted!r}; known: {near}")
    inputs: dict[str, IngestInput] = {}
    unusable: list[IngestInput] = []
    refused = {} if only else dict(file.rejected)
    for wanted in set(only) & (file.broken or frozenset()):
        refused |= {place: why for place, why in file.rejected.items() if repr(wanted) in place}
    for entry in file.entries:
        if only and entry.id not in only:
            continue
        try:
            inputs[entry.id] = _input(file, entry, environ)
        except InvalidInputError as error:
            unusable.append(_unusable(file, entry, f"{file.path}: {entry.id}: {error}"))
    return Listed(inputs, unusable, refused)


def _input(file: SourcesFile, entry: ListedSource, environ: Mapping[str, str]) -> IngestInput:
    if isinstance(entry, McpEntry):
        return replace(mcp_input(endpoint_of(file, entry, environ)), listed_in=file.uri, trust=entry.trust)
    return IngestInput(
        entry.kind,
        entry.id,
        file.place(entry) if entry.is_file else Path(Path(urlsplit(entry.uri).path).name or "document"),
        url="" if entry.is_file else entry.uri,
        selection=_selection(entry),
        allow_private=entry.allow_private,
        listed_in=file.uri,
        trust=entry.trust if isinstance(entry, OfTools) else None,
    )


def _unusable(file: SourcesFile, entry: ListedSource, problem: str) -> IngestInput:
    return IngestInput(
        entry.kind, entry.id, file.path, url=entry.uri or "", listed_in=file.uri, problem=problem
    )


def _selection(entry: DocumentEntry) -> Selection:
    if not isinstance(entry, OpenApiEntry):
        return ALL_OPERATIONS
    return Selection(entry.include_tags, entry.exclude_paths, entry.skip_deprecated)
