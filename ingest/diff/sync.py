"""The diff: what documents say against what the graph holds, and what that means for what they do not write.

It reads; `run/writing.py` writes. Calls of a tool may have to wait to be confirmed, references to be read again.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from app.domain.calling.definitions import Definition, definition_of, unsafe_changes
from app.domain.nodes.edge_forms import STATED_FORMS
from app.domain.nodes.models import NodeKind, NodeRow, Property, SourceId
from app.errors import SourceRefusedError
from app.ports.graph import GraphWriter
from ingest.cards import Rejected, SourceDocument
from ingest.diff.changes import Changes, NodeKey, SourceOutcome, Status, Stored, read_stored
from ingest.diff.claims import Takeovers, contest_warnings, find_claims, find_takeovers, some
from ingest.diff.drafts import make_drafts
from ingest.diff.narrow import read_narrow
from ingest.diff.renames import add_moves, find_renames, move_edges
from ingest.diff.writes import add_writes

SERVERLESS = {"taxonomy", "arazzo", "common"}
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
    changes = Changes()
    narrow = None if removals or recovering else read_narrow(graph, documents)
    before = narrow or read_stored(graph)
    renames = find_renames(before, documents, graph)
    accepted: list[SourceDocument] = []
    for document in documents:
        source = document.source.id
        try:
            _check_server(before, document)
            _check_shrink(before, document, renames.get(source, ()), allow_shrink=allow_shrink)
        except SourceRefusedError as error:
            changes.outcomes[source] = SourceOutcome(
                source, Status.REFUSED, rejected=[Rejected(f"source {source!r}", str(error))]
            )
        else:
            accepted.append(document)
            changes.outcomes[source] = SourceOutcome(
                source, warnings=list(document.warnings), renamed=renames.get(source, [])
            )
    for source in removals:
        changes.outcomes[source] = SourceOutcome(source)
    changes.renames = [pair for document in accepted for pair in renames.get(document.source.id, ())]
    renamed = before.renamed(changes.renames)
    claims = find_claims(renamed, accepted, removals)
    takeovers = find_takeovers(renamed, claims, removals) if narrow is None else Takeovers()
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
    agreed = {card.id for one in accepted if one.is_reviewed for card in one.cards}
    hold_calls(changes, before, graph, agreed=agreed)
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
    there |= {(NodeKind.TOOL, tool) for tool in document.withheld}
    lost = sorted(node for _, node in prior - there)
    if 2 * len(lost) > len(prior):
        raise SourceRefusedError(
            f"{document.source.uri} lost {len(lost)} of {len(prior)} nodes ({', '.join(map(repr, lost[:3]))}"
            f"{', ...' if len(lost) > 3 else ''}); nothing of this source is changed; accepted: --allow-shrink, or another name where it is another source"
        )


_TARGETS = frozenset((NodeKind.METHOD, NodeKind.CATEGORY, NodeKind.TEMPLATE))
"""Kinds of nodes that another source may point at without providing them; a tool that it names it provides as well."""


def hold_calls(changes: Changes, stored: Stored, graph: GraphWriter, *, agreed: Collection[str] = ()) -> None:
    """Keep with each tool the definition that was trusted last, where the new one is another.

    The first definition that a source gives is trusted. A later one that may send calls elsewhere, or makes a tool
    look more harmless, waits, through renames and while no source describes the tool, until it is confirmed or is
    again what it was.

    Args:
        changes: gets the properties of tools, and a warning for each source.
        stored: the graph before.
        graph: has the definitions so far.
        agreed: tools whose definitions are reviewed as a whole, so that what is written of them is agreed to.
    """
    new_id = dict(changes.renames)
    old_id = {new: old for old, new in changes.renames}
    there = stored.names[NodeKind.TOOL]
    ids = (old_id.get(node, node) for kind, node in changes.nodes if kind is NodeKind.TOOL)
    waiting: set[str] = set()
    for known in graph.definitions(sorted(node for node in ids if node in there)):
        trusted = known.trusted
        if trusted is None:
            continue
        tool = new_id.get(known.id, known.id)
        if tool in agreed:
            continue
        row = changes.nodes[NodeKind.TOOL, tool]
        properties, reasons = _held(trusted, row.properties)
        changes.nodes[NodeKind.TOOL, tool] = NodeRow(id=tool, properties=properties)
        if reasons:
            waiting.add(tool)
        if not row.properties.get("declared") and not known.declared:
            changes.unsafe[tool] = tuple(unsafe_changes(known.now, definition_of(row.properties)))
    for outcome in changes.outcomes.values() if waiting else ():
        _warn(outcome, waiting)


def _held(
    trusted: Definition, properties: Mapping[str, Property]
) -> tuple[Mapping[str, Property], tuple[str, ...]]:
    """The properties of a tool with what was trusted and what is not, and the latter."""
    now = definition_of(properties)
    if properties.get("declared"):
        return {**properties, "confirmed": trusted.model_dump_json()}, ()
    if now == trusted:
        return properties, ()
    reasons = tuple(unsafe_changes(trusted, now))
    return {
        **properties,
        "confirmed": trusted.model_dump_json(),
        "unconfirmed": list(reasons) or None,
    }, reasons


def _warn(outcome: SourceOutcome, waiting: set[str]) -> None:
    counts = outcome.nodes.get(NodeKind.TOOL.value)
    tools = sorted(waiting.intersection((*counts.created, *counts.updated))) if counts else []
    if tools:
        outcome.warnings.append(
            f"calls of {some(tools)} are refused until `outfitter confirm --source"
            f" {outcome.source}`: where they go, or what the tools promise, has changed"
        )


def mark_stale_references(changes: Changes, stored: Stored, graph: GraphWriter) -> None:
    """Take the hashes from what states an edge to a node that goes, and from the sources of it.

    So the next sync of these sources, though nothing in them has changed, says that the reference means nothing, and
    writes the edge again once the node is back.

    Args:
        changes: gets the provisions and sources.
        stored: the graph before.
        graph: has the stated edges so far.
    """
    gone = {kind: set(nodes) for kind, nodes in changes.removed.items() if nodes}
    stale: set[NodeKey] = {
        (form.source, source)
        for form in STATED_FORMS
        if form.target in _TARGETS and form.target in gone
        for source, target, _ in graph.edge_pairs(form, stated=True)
        if target in gone[form.target] and source not in gone.get(form.source, ())
    }
    if not stale:
        return
    written: defaultdict[NodeKey, set[str]] = defaultdict(set)
    for one in changes.provisions:
        written[one.kind, one.id].add(one.source)
    handled = {source.id for source in (*changes.opened, *changes.closed)} | set(changes.removed_sources)
    for provision in stored.provisions:
        if (provision.kind, provision.id) not in stale or not provision.content_hash:
            continue
        now = changes.followed(provision)
        if provision.source in written[now.kind, now.id]:
            continue
        changes.pend(now)
        source = stored.sources[provision.source]
        if source.id not in handled and source.content_hash:
            handled.add(source.id)
            changes.open_source(source)
