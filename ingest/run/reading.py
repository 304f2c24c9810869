"""From files to documents, one kind of source after the other; what cannot be read stops nothing else."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from app.domain.calling.mcp_endpoints import McpFailure, McpListing
from app.domain.language.visible_text import visible
from app.domain.nodes.models import Source, SourceId, Tool
from app.errors import InvalidInputError, SourceRefusedError
from app.ports.servers import McpLister
from ingest.cards import Origin, Rejected, SourceDocument, sha256
from ingest.diff.changes import Outcome, Status
from ingest.run.progress import Progress
from ingest.sources.arazzo.operations import KnownOperations
from ingest.sources.arazzo.reader import parse_arazzo
from ingest.sources.files import Input, read_file
from ingest.sources.mcp.manifest import parse_manifest
from ingest.sources.mcp.server import mcp_document, server_name
from ingest.sources.openapi.reader import parse_openapi
from ingest.sources.taxonomy.reader import parse_taxonomy
from ingest.texts import Limits, check_name


@dataclass(slots=True)
class Reading:
    """What became of the inputs: documents to compare with the graph, and outcomes of all others."""

    documents: list[SourceDocument] = field(default_factory=list)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    noted: list[Source] = field(default_factory=list)
    """Sources whose document is as it was, and whose state is not: healthy again, or named by another file."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a run accepts."""

    limits: Limits
    max_file_bytes: int


def read_documents(
    inputs: Iterable[Input],
    stored: Mapping[SourceId, Source],
    *,
    options: Options,
    tools_of: Callable[[str], Sequence[Tool]],
    progress: Progress,
    servers: McpLister | None = None,
) -> Reading:
    """Read and parse what is not in the graph already, as it is.

    Args:
        inputs: what to read.
        stored: the sources of the graph.
        options: limits and selections.
        tools_of: the tools that the graph has of a server.
        progress: called for each input.
        servers: asks live servers; needed where an input is one.
    """
    reading = Reading()
    read = _Readers(stored, options, tools_of)
    inputs = list(inputs)
    listings = iter(_list_servers(inputs, servers, progress))
    seen: dict[SourceId, Input] = {}
    for given in inputs:
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
                document = read.listing(one, listing)
                if is_known(document, stored):
                    reading.outcomes[one.source] = _unchanged(document)
                    reading.noted += _noted(stored[one.source], one)
                else:
                    reading.documents.append(_listed(document, one))
                continue
            progress.advance(1)
            _check_once(one, seen)
            data = read_file(one, max_bytes=options.max_file_bytes)
            if is_stored(one, data, stored):
                reading.outcomes[one.source] = Outcome(one.source)
                reading.noted += _noted(stored[one.source], one)
                continue
            reading.documents.append(_listed(read.document(one, data), one))
        except _TwiceError as error:
            refuse(reading, f"{one.source} ({one.label})", str(error))
        except (SourceRefusedError, InvalidInputError) as error:
            source = one.source if one.name else f"{one.kind}:{one.label}"
            refuse(reading, source, str(error), said=error.said)
    return reading


def _check_readable(one: Input) -> None:
    if one.problem:
        raise SourceRefusedError(one.problem, said=one.problem_said)


class _TwiceError(SourceRefusedError):
    """Two inputs are one source."""


def _check_once(one: Input, seen: dict[SourceId, Input]) -> None:
    first = seen.setdefault(one.source, one)
    if first is not one:
        raise _TwiceError(
            f"{one.label}: {first.label} is source {one.source!r} already; accepted: files with different"
            " names, or each alone with --server or --name"
        )


def _list_servers(
    inputs: Sequence[Input], servers: McpLister | None, progress: Progress
) -> list[McpListing | McpFailure]:
    """What the live servers among the inputs answer, all asked at once."""
    endpoints = [one.endpoint for one in inputs if one.endpoint and not one.problem]
    if not endpoints:
        return []
    if servers is None:
        raise ValueError("inputs that are live servers need somebody who asks them")
    return servers.list_tools(endpoints, on_answer=lambda: progress.advance(1))


def _listing(answer: McpListing | McpFailure, one: Input) -> McpListing:
    if isinstance(answer, McpFailure):
        raise SourceRefusedError(f"{one.label}: {answer.reason}", said=answer.said)
    return answer


def is_known(document: SourceDocument, stored: Mapping[SourceId, Source]) -> bool:
    """Whether the graph has what a live server says, as it says it now."""
    source = document.source
    known = stored.get(source.id)
    return known is not None and known.stated == source.stated


def _unchanged(document: SourceDocument) -> Outcome:
    return Outcome(document.source.id, rejected=list(document.rejected), warnings=list(document.warnings))


def is_stored(one: Input, data: bytes, stored: Mapping[SourceId, Source]) -> bool:
    """Whether the graph has this very document as this source."""
    known = stored.get(one.source)
    # Others depend on more than their own bytes: files that they refer to, operations that they name.
    if one.kind not in ("taxonomy", "manifest"):
        return False
    return known is not None and (known.content_hash, known.uri) == (sha256(data), one.uri)


class _Readers:
    """One reader for each kind of document."""

    def __init__(
        self,
        stored: Mapping[SourceId, Source],
        options: Options,
        tools_of: Callable[[str], Sequence[Tool]],
    ) -> None:
        self._stored = stored
        self._options = options
        self._tools_of = tools_of
        self._synced_at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")

    def listing(self, one: Input, listing: McpListing) -> SourceDocument:
        """What a live server says."""
        return mcp_document(listing, self._origin(one))

    def document(self, one: Input, data: bytes) -> SourceDocument:
        """What a document says."""
        origin, most = self._origin(one), self._options.max_file_bytes
        match one.kind:
            case "taxonomy":
                return parse_taxonomy(data, origin)
            case "openapi":
                return parse_openapi(
                    data, origin, selection=one.selection, root=one.root, max_file_bytes=most
                )
            case "arazzo":
                sources = KnownOperations(
                    one.root or one.path.resolve().parent,
                    origin.limits,
                    servers={
                        known.uri: known.name for known in self._stored.values() if known.kind == "openapi"
                    },
                    tools_of=self._tools_of,
                    max_file_bytes=most,
                )
                return parse_arazzo(data, origin, sources=sources)
            case _:
                return parse_manifest(data, origin)

    def _origin(self, one: Input) -> Origin:
        return Origin(one.kind, one.name, one.uri, self._synced_at, self._options.limits)


def _noted(known: Source, one: Input) -> list[Source]:
    """The source as it is now, if that is news."""
    fine = {
        "healthy": True,
        "problem": "",
        "problem_said": "",
        "problem_at": "",
        "listed_in": one.listed_in or known.listed_in,
    }
    now = known.model_copy(update=fine)
    return [] if now == known else [now]


def _listed(document: SourceDocument, one: Input) -> SourceDocument:
    source = document.source.model_copy(update={"listed_in": one.listed_in})
    return replace(document, source=source)


def refuse(reading: Reading, source: str, reason: str, *, said: str = "") -> None:
    """List a source that cannot be read; `said` is what its server said of that."""
    rejected = [Rejected(f"source {source!r}", visible(reason), said=said)]
    reading.outcomes[source] = Outcome(source, Status.REFUSED, rejected=rejected)
