"""From drafts to writes: what is created, updated and removed, step by step."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from app.domain.nodes.edge_forms import stated_forms_from
from app.domain.nodes.models import NodeKind, NodeRow, Provision, SourceId, Trust
from ingest.cards import Card
from ingest.diff.changes import Changes, NodeKey, Status, Stored
from ingest.diff.drafts import Draft, Said
from ingest.diff.renames import declared_tool

DECLARED = "declared"
"""Under this name reports count the tools that a source only names."""


def add_writes(
    changes: Changes,
    stored: Stored,
    drafts: Sequence[Draft],
    removals: Sequence[SourceId],
    *,
    recovering: bool,
) -> None:
    """Fill `changes` with what makes the graph hold what the drafts say."""
    after = _providers_after(stored, drafts, removals)
    writes = _Writes(changes, stored, after, recovering=recovering)
    # A tool that is only named needs a node only where no card brought one.
    for declares in (False, True):
        for draft in drafts:
            for key, said in draft.said.items():
                if said.declares is declares:
                    writes.say(draft, key, said)
    for draft in drafts:
        for key in draft.dropped():
            writes.drop(draft.prior[key])
    for provision in stored.provisions:
        if provision.source in removals:
            writes.drop(provision)
    # What a move leaves behind is a tool that nobody names any more.
    writes.vacate({(NodeKind.TOOL, move.old) for move in changes.moves})
    if recovering:
        changes.structure = True
        writes.vacate(stored.orphans())
    for draft in drafts:
        writes.close(draft)
    for source in removals:
        writes.close_removed(source)


class _Writes:
    """Adds to `changes`, one statement of a source at a time."""

    def __init__(
        self,
        changes: Changes,
        stored: Stored,
        after: Mapping[NodeKey, Mapping[SourceId, bool]],
        *,
        recovering: bool,
    ) -> None:
        self._changes = changes
        self._stored = stored
        self._before = stored.by_node()
        self._recovering = recovering
        self._dropped: set[NodeKey] = set()
        self._after = after
        """Node -> source -> whether it only declares the node, as it will be."""

    def say(self, draft: Draft, key: NodeKey, said: Said) -> None:
        """Write what a source says of a node, if that is new."""
        kind, node = key
        prior = draft.prior.get(key)
        counts = draft.outcome.nodes[DECLARED if said.declares else kind.value]
        if prior is not None and (prior.content_hash, prior.declares, prior.named) == (
            said.content_hash,
            said.declares,
            said.named,
        ):
            counts.unchanged += 1
            return
        (counts.created if prior is None else counts.updated).append(node)
        provision = Provision(
            kind=kind,
            id=node,
            source=draft.source,
            content_hash=said.content_hash,
            declares=said.declares,
            not_requires=said.not_requires,
            not_implements=said.not_implements,
            labels=said.labels,
            named=said.named,
        )
        self._changes.provisions.append(provision)
        if prior is not None:
            self._changes.pend(prior)
        elif node in self._stored.names[kind] and (said.card is not None or said.edges):
            # The node will hold this source's content or edges before the provision is complete.
            self._changes.pend(provision)
        if said.card is None:
            self._declare(draft.source, node, said, is_new=prior is None)
        elif not self._is_written(draft.source, key, said):
            self._describe(draft.source, said.card, said, is_new=prior is None)

    def _is_written(self, source: SourceId, key: NodeKey, said: Said) -> bool:
        """Whether another source has brought this very content."""
        return key in self._changes.nodes or any(
            provision.source != source
            and not provision.declares
            and provision.content_hash == said.content_hash
            for provision in self._before.get(key, {}).values()
        )

    def _describe(self, source: SourceId, card: Card, said: Said, *, is_new: bool) -> None:
        kind = card.kind
        self._changes.nodes[kind, card.id] = self._remembering(
            kind, NodeRow(id=card.id, properties=card.properties)
        )
        if kind is NodeKind.TOOL:
            if not is_new or self._recovering:
                self._changes.cleared[kind, source].append(card.id)
        elif stated_forms_from(kind) and card.id in self._stored.names[kind]:
            self._changes.cleared[kind, None].append(card.id)
            self._changes.structure = True
        self._put_edges(said)

    def _declare(self, source: SourceId, tool: str, said: Said, *, is_new: bool) -> None:
        key = (NodeKind.TOOL, tool)
        if key not in self._changes.nodes and tool not in self._stored.names[NodeKind.TOOL]:
            self._changes.nodes[key] = declared_tool(tool)
        if not is_new or self._recovering:
            self._changes.cleared[NodeKind.TOOL, source].append(tool)
            self._changes.structure = True
        self._put_edges(said)

    def _put_edges(self, said: Said) -> None:
        for edge in said.edges:
            self._changes.put_edges(edge.form, edge.row)

    def drop(self, provision: Provision) -> None:
        """A source says nothing more of a node, which goes with its last source."""
        key = (provision.kind, provision.id)
        outcome = self._changes.outcomes[provision.source]
        outcome.nodes[DECLARED if provision.declares else provision.kind.value].removed.append(provision.id)
        others = self._after.get(key)
        if not others:
            if key not in self._dropped:
                self._dropped.add(key)
                self._changes.remove_nodes([key])
            return
        self._changes.pend(provision)
        self._changes.released[provision.source, provision.kind].append(provision.id)
        if provision.kind is not NodeKind.TOOL:
            return
        self._changes.cleared[NodeKind.TOOL, provision.source].append(provision.id)
        self._changes.structure = True
        if not provision.declares and all(others.values()):
            self._changes.nodes[key] = self._remembering(NodeKind.TOOL, declared_tool(provision.id))

    def vacate(self, keys: Iterable[NodeKey]) -> None:
        """Remove nodes that no source provides."""
        gone = [key for key in sorted(keys) if key not in self._after and key not in self._dropped]
        self._dropped.update(gone)
        self._changes.remove_nodes(gone)

    def _remembering(self, kind: NodeKind, row: NodeRow) -> NodeRow:
        """The row with the ids that the tool had before, which no source states."""
        name = self._stored.names[kind].get(row.id)
        if name is None or not name.former_ids:
            return row
        properties = {**row.properties, "former_ids": list(name.former_ids)}
        return NodeRow(id=row.id, properties=properties)

    def close(self, draft: Draft) -> None:
        """Write the source as read, if anything of it is new."""
        outcome, source = draft.outcome, draft.document.source
        prior = self._stored.sources.get(source.id)
        if outcome.rejected:
            source = source.model_copy(update={"content_hash": ""})
        if prior is not None and prior.synced_at and prior.uri != source.uri:
            outcome.warnings.append(f"source {source.id!r} moved from {prior.uri} to {source.uri}")
        if prior is not None and not source.listed_in:
            source = source.model_copy(update={"listed_in": prior.listed_in})
        if prior is not None and not outcome.changed and prior.stated == source.stated:
            source = source.model_copy(update={"synced_at": prior.synced_at})
            if source != prior:
                self._changes.noted.append(source)
            return
        outcome.status = Status.UPDATED if prior and prior.synced_at else Status.CREATED
        if prior is None or prior.content_hash:
            # Of a source that a killed run leaves half read nothing is trusted yet.
            self._changes.open_source(prior or source.model_copy(update={"trust": Trust.FULL}))
        self._changes.closed.append(source)

    def close_removed(self, source: SourceId) -> None:
        """Remove the source itself."""
        self._changes.outcomes[source].status = Status.REMOVED
        if self._stored.sources[source].content_hash:
            self._changes.open_source(self._stored.sources[source])
        self._changes.removed_sources.append(source)


def _providers_after(
    stored: Stored, drafts: Sequence[Draft], removals: Sequence[SourceId]
) -> dict[NodeKey, dict[SourceId, bool]]:
    after: defaultdict[NodeKey, dict[SourceId, bool]] = defaultdict(dict)
    gone = set(removals)
    for provision in stored.provisions:
        if provision.source not in gone:
            after[provision.kind, provision.id][provision.source] = provision.declares
    for draft in drafts:
        for key in draft.dropped():
            del after[key][draft.source]
        for key, said in draft.said.items():
            after[key][draft.source] = said.declares
    return {key: sources for key, sources in after.items() if sources}
