"""From inputs to documents, one kind of source after the other; what cannot be read stops nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.adapters.sources_file.file import SourcesFile
from app.domain.calling.mcp_endpoints import McpFailure, McpListing
from app.domain.language.accepted_text import check_name
from app.domain.language.near import near_ones
from app.domain.language.visible_text import visible
from app.domain.nodes.models import SERVER_SOURCES, NodeKind, Source, SourceId, Tool, Trust
from app.errors import InvalidInputError, NotFoundError, SourceRefusedError
from app.ports.graph import GraphWriter
from app.ports.servers import McpLister
from ingest.cards import COMMON, Origin, Rejected, SourceDocument, sha256
from ingest.diff.changes import SourceOutcome, Status
from ingest.run.request import Bounds, IngestRequest, Progress
from ingest.sources.arazzo.operations import KnownOperations
from ingest.sources.arazzo.reader import parse_arazzo
from ingest.sources.files import IngestInput, file_state, read_file
from ingest.sources.mcp.manifest import parse_manifest
from ingest.sources.mcp.server import mcp_document, server_name
from ingest.sources.openapi.reader import parse_openapi
from ingest.sources.taxonomy.reader import parse_taxonomy


@dataclass(slots=True)
class DocumentReading:
    """What became of the inputs: documents to compare with the graph, and outcomes of all others."""

    sources: Mapping[SourceId, Source]
    """Those of the graph."""
    documents: list[SourceDocument] = field(default_factory=list)
    outcomes: dict[str, SourceOutcome] = field(default_factory=dict)
    noted: list[Source] = field(default_factory=list)
    """Sources whose document is as it was, and whose state is not: healthy again, or named by another file."""
    removals: list[SourceId] = field(default_factory=list)
    """Sources that go."""
    kept: list[str] = field(default_factory=list)
    """Sources that are gone from where they were ingested, and which stay."""


def read_documents(
    request: IngestRequest,
    graph: GraphWriter,
    *,
    bounds: Bounds,
    at: str,
    progress: Progress,
    servers: McpLister | None = None,
) -> DocumentReading:
    """Read and parse what is not in the graph already, as it is.

    Args:
        request: what to read, and what to remove.
        graph: knows what it has.
        bounds: what is accepted.
        at: the time of the run.
        progress: called for each input.
        servers: asks live servers; needed where an input is one.

    Raises:
        NotFoundError: a source to be removed is not in the graph.
        InvalidInputError: it is that of the common taxonomy, which a setting takes away.
    """
    stored = stored_sources(graph)
    reading = DocumentReading(stored)
    progress.begin("read", len(request.inputs))
    listings = iter(_list_servers(request.inputs, servers, progress))
    seen: dict[SourceId, IngestInput] = {}
    for given in request.inputs:
        one = given
        try:
            _check_readable(given)
            if given.endpoint:
                answer = next(listings)
                if given.name:
                    check_name(given.name, field=f"{given.label}: the name of the source")
                    _check_once(given, seen)
                listing = _listing(answer, given)
                if not given.name:
                    one = replace(given, name=server_name(listing))
                    _check_once(one, seen)
                document = _listed(mcp_document(listing, _origin(one, bounds, at)), one, "", bounds, stored)
                if _is_known(document, stored):
                    reading.outcomes[one.source] = _unchanged(document)
                    reading.noted += _noted(stored[one.source], one)
                else:
                    reading.documents.append(document)
                continue
            progress.advance(1)
            _check_once(one, seen)
            # Looked at before the file is read, so that what is written meanwhile shows at the next run.
            state = file_state(one) if one.kind in _ALONE else ""
            is_trusted = _is_trusted_as_before(one, bounds, stored)
            if is_trusted and _is_untouched(one, state, stored):
                reading.outcomes[one.source] = SourceOutcome(one.source)
                reading.noted += _noted(stored[one.source], one)
                continue
            data = read_file(one, max_bytes=bounds.max_file_bytes)
            if is_trusted and _is_stored(one, data, stored):
                reading.outcomes[one.source] = SourceOutcome(one.source)
                reading.noted += _noted(stored[one.source], one, state)
                continue
            document = _parsed(one, data, stored, graph, bounds=bounds, at=at)
            reading.documents.append(_listed(document, one, state, bounds, stored))
        except _TwiceError as error:
            _refuse(reading, f"{one.source} ({one.label})", str(error))
        except (SourceRefusedError, InvalidInputError) as error:
            source = one.source if one.name else f"{one.kind}:{one.label}"
            _refuse(reading, source, str(error), said=error.said)
    for source, reason in request.refused.items():
        _refuse(reading, source, reason)
    _add_removals(reading, request)
    return reading


def stored_sources(graph: GraphWriter) -> Mapping[SourceId, Source]:
    """The sources of the graph by id."""
    return {source.id: source for source in graph.sources()}


def _check_readable(one: IngestInput) -> None:
    if one.problem:
        raise SourceRefusedError(one.problem, said=one.problem_said)


class _TwiceError(SourceRefusedError):
    """Two inputs are one source."""


def _check_once(one: IngestInput, seen: dict[SourceId, IngestInput]) -> None:
    first = seen.setdefault(one.source, one)
    if first is not one:
        raise _TwiceError(
            f"{one.label}: {first.label} is source {one.source!r} already; accepted: files with different"
            " names, or each alone with --server or --name"
        )


def _list_servers(
    inputs: Sequence[IngestInput], servers: McpLister | None, progress: Progress
) -> list[McpListing | McpFailure]:
    """What the live servers among the inputs answer, all asked at once."""
    endpoints = [one.endpoint for one in inputs if one.endpoint and not one.problem]
    if not endpoints:
        return []
    if servers is None:
        raise ValueError("inputs that are live servers need somebody who asks them")
    return servers.list_tools(endpoints, on_answer=lambda: progress.advance(1))


def _listing(answer: McpListing | McpFailure, one: IngestInput) -> McpListing:
    if isinstance(answer, McpFailure):
        raise SourceRefusedError(f"{one.label}: {answer.reason}", said=answer.said)
    return answer


def _is_known(document: SourceDocument, stored: Mapping[SourceId, Source]) -> bool:
    """Whether the graph has what a live server says, as it says it now."""
    source = document.source
    known = stored.get(source.id)
    return known is not None and known.stated == source.stated


def _unchanged(document: SourceDocument) -> SourceOutcome:
    return SourceOutcome(
        document.source.id, rejected=list(document.rejected), warnings=list(document.warnings)
    )


_ALONE = ("taxonomy", "manifest")
"""Others depend on more than their own bytes: files that they refer to, operations that they name."""


def _is_untouched(one: IngestInput, state: str, stored: Mapping[SourceId, Source]) -> bool:
    """Whether the file is the one that was read, by its size and times, and all of it is in the graph."""
    known = stored.get(one.source)
    if known is None or not state or not known.content_hash or one.kind not in _ALONE:
        return False
    return (known.file_state, known.uri) == (state, one.uri)


def _is_stored(one: IngestInput, data: bytes, stored: Mapping[SourceId, Source]) -> bool:
    """Whether the graph has this very document as this source."""
    known = stored.get(one.source)
    if one.kind not in _ALONE:
        return False
    return known is not None and (known.content_hash, known.uri) == (sha256(data), one.uri)


def _parsed(
    one: IngestInput,
    data: bytes,
    stored: Mapping[SourceId, Source],
    graph: GraphWriter,
    *,
    bounds: Bounds,
    at: str,
) -> SourceDocument:
    """What a document says."""
    origin, most = _origin(one, bounds, at), bounds.max_file_bytes
    match one.kind:
        case "taxonomy":
            return parse_taxonomy(data, origin)
        case "openapi":
            return parse_openapi(data, origin, selection=one.selection, root=one.root, max_file_bytes=most)
        case "arazzo":
            root = one.root or one.path.resolve().parent
            sources = known_operations(graph, stored.values(), root=root, bounds=bounds)
            return parse_arazzo(data, origin, sources=sources)
        case _:
            return parse_manifest(data, origin)


def _origin(one: IngestInput, bounds: Bounds, at: str) -> Origin:
    return Origin(one.kind, one.name, one.uri, at, bounds.limits)


def known_operations(
    graph: GraphWriter, sources: Iterable[Source], *, root: Path, bounds: Bounds
) -> KnownOperations:
    """The operations that an Arazzo document may name: those of the graph's sources, and of documents in a folder."""

    def tools_of(server: str) -> list[Tool]:
        names = graph.node_names(NodeKind.TOOL)
        return graph.found_tools([one.id for one in names if one.id.startswith(f"{server}/")])

    servers = {one.uri: one.name for one in sources if one.kind == "openapi"}
    return KnownOperations(root, bounds.limits, servers, tools_of, bounds.max_file_bytes)


def _noted(known: Source, one: IngestInput, state: str = "") -> list[Source]:
    """The source as it is now, if that is news; `state` is that of its file, where that may be another."""
    fine = {
        "healthy": True,
        "problem": "",
        "problem_said": "",
        "problem_at": "",
        "listed_in": one.listed_in or known.listed_in,
        "file_state": state or known.file_state,
    }
    now = known.model_copy(update=fine)
    return [] if now == known else [now]


def _listed(
    document: SourceDocument,
    one: IngestInput,
    state: str,
    bounds: Bounds,
    stored: Mapping[SourceId, Source],
) -> SourceDocument:
    own = {"listed_in": one.listed_in, "file_state": state, "trust": _trust(one, bounds, stored)}
    return replace(document, source=document.source.model_copy(update=own))


def _trust(one: IngestInput, bounds: Bounds, stored: Mapping[SourceId, Source]) -> Trust:
    """What of the source is served without review; only tools are reviewed.

    Where nothing says so, a source is not trusted more than before: another process may have another default.
    """
    if one.kind not in SERVER_SOURCES:
        return Trust.FULL
    known = stored.get(one.source)
    before = known.trust if known else Trust.FULL
    return one.trust or max(before, bounds.trust, key=list(Trust).index)


def _is_trusted_as_before(one: IngestInput, bounds: Bounds, stored: Mapping[SourceId, Source]) -> bool:
    known = stored.get(one.source)
    return known is None or known.trust is _trust(one, bounds, stored)


def _refuse(reading: DocumentReading, source: str, reason: str, *, said: str = "") -> None:
    """List a source that cannot be read; `said` is what its server said of that."""
    rejected = [Rejected(f"source {source!r}", visible(reason), said=said)]
    reading.outcomes[source] = SourceOutcome(source, Status.REFUSED, rejected=rejected)


def _add_removals(reading: DocumentReading, request: IngestRequest) -> None:
    for source in request.removals:
        if source == COMMON:
            raise InvalidInputError(
                f"source {source!r} comes with Outfitter; accepted: OUTFITTER_COMMON_TAXONOMY=false and another"
                " ingest, which takes it away"
            )
        if source not in reading.sources:
            lists = f"`outfitter sources` lists all {len(reading.sources)}"
            known = near_ones(source, reading.sources, cutoff=0.4, otherwise=lists)
            raise NotFoundError(f"no source {source!r}; {known}")
    gone = _gone_sources(reading.sources.values(), request.inputs, request.folders)
    if request.listed_in is not None:
        gone += _unlisted_sources(reading.sources.values(), request.listed_in)
    if not request.prune:
        reading.kept = [str(source) for source in gone if reading.sources[source].synced_at]
        # One that was never read has nothing to be kept.
        gone = [source for source in gone if not reading.sources[source].synced_at]
    reading.removals = [*request.removals, *gone]


def _gone_sources(
    sources: Iterable[Source], inputs: Sequence[IngestInput], folders: Iterable[Path]
) -> list[SourceId]:
    """Sources of the inputs' kinds that were ingested from below one of the folders and are not among the inputs."""
    below = tuple(f"{folder.resolve().as_uri()}/" for folder in folders)
    there = {one.source for one in inputs}
    kinds = {one.kind for one in inputs}
    return [
        source.id
        for source in sources
        if source.kind in kinds and source.id not in there and source.uri.startswith(below)
    ]


def _unlisted_sources(sources: Iterable[Source], file: SourcesFile) -> list[SourceId]:
    """Sources that this file named and no longer names; empty while an entry of it cannot be determined."""
    if file.broken is None:
        return []
    there = {entry.source for entry in file.entries}
    return [
        source.id
        for source in sources
        if source.listed_in == file.uri and source.id not in there and source.name not in file.broken
    ]
