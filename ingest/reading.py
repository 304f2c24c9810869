"""From files to documents, one kind of source after the other; what cannot be read stops nothing else."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from app.domain.models import Source, SourceId
from app.errors import InvalidInputError, SourceRefusedError
from ingest.cards import Rejected, SourceDocument, sha256
from ingest.changes import Outcome, Status
from ingest.progress import Progress
from ingest.sources.files import Input, read_file
from ingest.sources.manifest import parse_manifest
from ingest.sources.openapi import parse_openapi
from ingest.sources.taxonomy import parse_taxonomy
from ingest.sources.texts import Limits


@dataclass(slots=True)
class Reading:
    """What became of the inputs: documents to compare with the graph, and outcomes of all others."""

    documents: list[SourceDocument] = field(default_factory=list)
    outcomes: dict[str, Outcome] = field(default_factory=dict)


def read_documents(
    inputs: Iterable[Input],
    stored: Mapping[SourceId, Source],
    *,
    limits: Limits,
    max_file_bytes: int,
    progress: Progress,
) -> Reading:
    """Read and parse what is not in the graph already, as it is."""
    reading = Reading()
    synced_at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    seen: dict[SourceId, Input] = {}
    for one in inputs:
        progress.advance(1)
        source = one.source
        if source in seen:
            _refuse(
                reading,
                f"{source} ({one.path})",
                f"{one.path}: {seen[source].path} is source {source!r} already; accepted: files with different"
                " names, or each alone with --server or --name",
            )
            continue
        seen[source] = one
        try:
            data = read_file(one, max_bytes=max_file_bytes)
            if is_stored(one, data, stored):
                reading.outcomes[source] = Outcome(source)
                continue
            reading.documents.append(_parse(one, data, synced_at=synced_at, limits=limits))
        except (SourceRefusedError, InvalidInputError) as error:
            _refuse(reading, source, str(error))
    return reading


def is_stored(one: Input, data: bytes, stored: Mapping[SourceId, Source]) -> bool:
    """Whether the graph has this very document as this source."""
    known = stored.get(one.source)
    return known is not None and (known.content_hash, known.uri) == (sha256(data), one.uri)


def _parse(one: Input, data: bytes, *, synced_at: str, limits: Limits) -> SourceDocument:
    if one.kind == "taxonomy":
        is_json = one.path.suffix.lower() == ".json"
        return parse_taxonomy(
            data, name=one.name, uri=one.uri, synced_at=synced_at, limits=limits, is_json=is_json
        )
    if one.kind == "openapi":
        return parse_openapi(data, server=one.name, uri=one.uri, synced_at=synced_at, limits=limits)
    return parse_manifest(data, server=one.name, uri=one.uri, synced_at=synced_at, limits=limits)


def _refuse(reading: Reading, source: str, reason: str) -> None:
    rejected = [Rejected(f"source {source!r}", reason)]
    reading.outcomes[source] = Outcome(source, Status.REFUSED, rejected=rejected)
