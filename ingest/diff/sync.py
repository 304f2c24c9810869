"""The diff: what documents say against what the graph holds. It reads; `run/writing.py` writes."""

from collections.abc import Iterable, Sequence

from app.domain.nodes.models import NodeKind, SourceId
from app.errors import SourceRefusedError
from app.ports.graph import GraphWriter
from ingest.cards import Rejected, SourceDocument
from ingest.diff.changes import Changes, Outcome, Status, Stored, read_stored
from ingest.diff.claims import contest_warnings, find_claims, find_takeovers
from ingest.diff.drafts import make_drafts
from ingest.diff.effects import hold_calls, mark_stale_references
from ingest.diff.renames import add_moves, find_renames, move_edges
from ingest.diff.writes import add_writes

SERVERLESS = {"taxonomy", "arazzo"}
"""Kinds of sources that bring no tools of a server."""


def plan_changes(
    graph: GraphWriter,
    documents: Sequence[SourceDocument],
    *,
    removals: Sequence[SourceId],
    allow_shrink: bool,
    recovering: bool,
) -> Changes:
    """What to write so that the graph holds what the documents say.

    Args:
        graph: as it is before.
        documents: one for each source, in the order in which the user named them.
        removals: sources that go; not among the documents.
        allow_shrink: accept a document that has less than half of the source's nodes.
        recovering: an earlier run was killed: nodes without a source go, edges are written again.
    """
    changes, before = Changes(), read_stored(graph)
    renames = find_renames(before, documents, graph)
    accepted: list[SourceDocument] = []
    for document in documents:
        source = document.source.id
        try:
            _check_server(before, document)
            _check_shrink(before, document, renames.get(source, ()), allow_shrink=allow_shrink)
        except SourceRefusedError as error:
            changes.outcomes[source] = Outcome(
                source, Status.REFUSED, rejected=[Rejected(f"source {source!r}", str(error))]
            )
        else:
            accepted.append(document)
            changes.outcomes[source] = Outcome(
                source, warnings=list(document.warnings), renamed=renames.get(source, [])
            )
    for source in removals:
        changes.outcomes[source] = Outcome(source)
    changes.renames = [pair for document in accepted for pair in renames.get(document.source.id, ())]
    renamed = before.renamed(changes.renames)
    claims = find_claims(renamed, accepted, removals)
    takeovers = find_takeovers(renamed, claims, removals)
    for source, warnings in contest_warnings(renamed, claims, accepted, removals).items():
        changes.outcomes[source].warnings.extend(warnings)
    changes.renames += takeovers.renames
    changes.moves = takeovers.moves
    # Which of two near nodes an inferred edge leaves depends on their ids.
    changes.structure = bool(changes.renames or changes.moves)
    changes.vetoes = before.vetoes_renamed(changes.renames)
    moved = add_moves(changes, before.renamed(changes.renames))
    drafts = make_drafts(moved, accepted, changes.outcomes, removals, claims)
    add_writes(changes, moved, drafts, removals, recovering=recovering)
    move_edges(changes, before, graph)
    hold_calls(changes, before, graph)
    mark_stale_references(changes, before, graph)
    return changes


def _check_server(stored: Stored, document: SourceDocument) -> None:
    """One server's tools come from one source: their ids begin with its name."""
    source = document.source
    if source.kind in SERVERLESS:
        return
    for other in stored.sources.values():
        is_read = other.kind not in SERVERLESS and bool(other.synced_at)
        if is_read and other.name == source.name and other.id != source.id:
            raise SourceRefusedError(
                f"server {source.name!r} is the server of source {other.id!r} ({other.uri}); accepted: another"
                f" --server, or `outfitter remove {other.id}` first"
            )


def _check_shrink(
    stored: Stored, document: SourceDocument, renames: Iterable[tuple[str, str]], *, allow_shrink: bool
) -> None:
    """A source that lost more than half of its nodes is more often broken than so much smaller.

    Counted are tools with their content, methods, templates, concepts, generators and categories. An
    example's id is its text, so a corrected example is no lost node; what was rejected is not lost either.
    """
    if allow_shrink:
        return
    prior = {
        (one.kind, one.id)
        for one in stored.provisions
        if one.source == document.source.id and not one.declares and one.kind is not NodeKind.EXAMPLE
    }
    there = {(card.kind, card.id) for card in document.cards}
    there |= {(one.kind, one.id) for one in document.rejected if one.kind}
    there |= {(NodeKind.TOOL, old) for old, _ in renames}
    lost = sorted(node for _, node in prior - there)
    if 2 * len(lost) > len(prior):
        raise SourceRefusedError(
            f"{document.source.uri} lost {len(lost)} of {len(prior)} nodes ({', '.join(map(repr, lost[:3]))}"
            f"{', ...' if len(lost) > 3 else ''}); nothing of this source is changed; accepted: --allow-shrink, or another name where it is another source"
        )
