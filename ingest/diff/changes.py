"""Both ends of the diff: what the graph holds before a run; what the run changes, and did for each source."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from app.domain.nodes.models import (
    EdgeForm,
    EdgeKind,
    EdgeRow,
    NodeKind,
    NodeName,
    NodeRow,
    Provision,
    Source,
    SourceId,
    ToolId,
)
from app.domain.review.records import Review
from app.domain.workflows.stored import is_saved
from app.ports.graph import GraphWriter
from ingest.cards import Rejected

NodeKey: TypeAlias = tuple[NodeKind, str]


@dataclass(frozen=True, slots=True)
class Stored:
    """Sources, who provides what, and the names of all nodes."""

    sources: Mapping[SourceId, Source]
    provisions: Sequence[Provision]
    names: Mapping[NodeKind, Mapping[str, NodeName]]

    def by_source(self) -> dict[SourceId, dict[NodeKey, Provision]]:
        """Provisions of each source."""
        found: defaultdict[SourceId, dict[NodeKey, Provision]] = defaultdict(dict)
        for provision in self.provisions:
            found[provision.source][provision.kind, provision.id] = provision
        return dict(found)

    def by_node(self) -> dict[NodeKey, dict[SourceId, Provision]]:
        """Provisions of each node."""
        found: defaultdict[NodeKey, dict[SourceId, Provision]] = defaultdict(dict)
        for provision in self.provisions:
            found[provision.kind, provision.id][provision.source] = provision
        return dict(found)

    def orphans(self) -> list[NodeKey]:
        """Nodes that no source provides; a run that was killed leaves some."""
        provided = {(one.kind, one.id) for one in self.provisions}
        return [
            (kind, node)
            for kind in NodeKind
            for node in self.names[kind]
            if (kind, node) not in provided and not (kind is NodeKind.WORKFLOW and is_saved(node))
        ]

    def renamed(self, renames: Sequence[tuple[str, str]]) -> "Stored":
        """The same with tools under their new ids."""
        new = dict(renames)
        if not new:
            return self
        tools = {
            new.get(node, node): name
            if node not in new
            else name.model_copy(update={"id": new[node], "former_ids": (node, *name.former_ids)[:10]})
            for node, name in self.names[NodeKind.TOOL].items()
        }
        vetoed = {(one.kind, one.id, one.source): one for one in self.vetoes_renamed(renames)}
        provisions = [vetoed.get((one.kind, one.id, one.source), one) for one in self.provisions]
        provisions = [
            one.model_copy(update={"id": ToolId(new[one.id])})
            if one.kind is NodeKind.TOOL and one.id in new
            else one
            for one in provisions
        ]
        return Stored(self.sources, provisions, {**self.names, NodeKind.TOOL: tools})

    def vetoes_renamed(self, renames: Sequence[tuple[str, str]]) -> list[Provision]:
        """Provisions, under their old ids, whose `not_requires` names a tool that gets another id."""
        new = dict(renames)
        return [
            one.model_copy(update={"not_requires": tuple(new.get(tool, tool) for tool in one.not_requires)})
            for one in self.provisions
            if not new.keys().isdisjoint(one.not_requires)
        ]


def read_stored(graph: GraphWriter) -> Stored:
    """Everything the diff may ask for, in a dozen statements."""
    sources = {source.id: source for source in graph.sources()}
    return Stored(
        sources=sources,
        provisions=graph.provisions(sorted(sources)) if sources else [],
        names={kind: {name.id: name for name in graph.node_names(kind)} for kind in NodeKind},
    )


class Status(StrEnum):
    """What became of a source."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    REMOVED = "removed"
    REFUSED = "refused"


@dataclass(slots=True)
class Counts:
    """What a source changed of one kind of node."""

    created: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    unchanged: int = 0


@dataclass(slots=True)
class SourceOutcome:
    """What a run did for one source."""

    source: str
    status: Status = Status.UNCHANGED
    nodes: defaultdict[str, Counts] = field(default_factory=lambda: defaultdict(Counts))
    """By label; tools that the source only names are under `declared`."""
    rejected: list[Rejected] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    """(old id, new id) of tools that got another name; they are among the updated ones."""

    @property
    def changed(self) -> bool:
        """Whether a node was created, updated or removed."""
        return any(one.created or one.updated or one.removed for one in self.nodes.values())


@dataclass(frozen=True, slots=True)
class Move:
    """That a source means another tool by what it writes than so far."""

    source: SourceId
    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class MovedEdge:
    """A stated edge that goes from one tool to another with what its source means."""

    form: EdgeForm
    old: EdgeRow
    new: EdgeRow | None
    """None where it is there already, or would lead from a tool to itself."""


@dataclass(slots=True)
class Changes:
    """All writes of a run, by step; each step may be repeated."""

    outcomes: dict[str, SourceOutcome] = field(default_factory=dict)
    """By source, in the order of the run."""
    vetoes: list[Provision] = field(default_factory=list)
    """Provisions, under the ids before the renames, whose `not_requires` follows them."""
    renames: list[tuple[str, str]] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    """Under the ids after the renames."""
    moved_nodes: list[NodeRow] = field(default_factory=list)
    """Declared tools that moves lead to."""
    moved_provisions: list[Provision] = field(default_factory=list)
    """What the sources of moves say of tools, under the new ids."""
    moved_edges: list[MovedEdge] = field(default_factory=list)
    opened: list[Source] = field(default_factory=list)
    """Sources about to change, without a content hash: a killed run leaves them to be read again."""
    pending: list[Provision] = field(default_factory=list)
    """Provisions about to change, without a content hash, for the same reason."""
    nodes: dict[NodeKey, NodeRow] = field(default_factory=dict)
    cleared: defaultdict[tuple[NodeKind, SourceId | None], list[str]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """Nodes whose stated edges go before new ones come: all of them, or those of one source."""
    edges: defaultdict[EdgeForm, list[EdgeRow]] = field(default_factory=lambda: defaultdict(list))
    released: defaultdict[tuple[SourceId, NodeKind], list[str]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """Nodes that a source gives up while others still provide them."""
    removed: defaultdict[NodeKind, list[str]] = field(default_factory=lambda: defaultdict(list))
    provisions: list[Provision] = field(default_factory=list)
    closed: list[Source] = field(default_factory=list)
    noted: list[Source] = field(default_factory=list)
    """Sources of which only their state is new: healthy again, or named by another file. No new generation."""
    removed_sources: list[SourceId] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    """What is known of definitions that are reviewed, where that is news."""
    removed_reviews: list[str] = field(default_factory=list)
    """Tools whose definitions are not reviewed any more."""
    unsafe: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By id: what the run changes of tools' definitions so that their calls wait for somebody to confirm it."""
    structure: bool = False
    """Whether edges that fingerprints count may have changed."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to write."""
        return not any(
            (
                self.renames,
                self.moves,
                self.opened,
                self.nodes,
                self.released,
                self.removed,
                self.provisions,
                self.closed,
                self.removed_sources,
                self.reviews,
                self.removed_reviews,
            )
        )

    def followed(self, provision: Provision) -> Provision:
        """What a source said before the run of a tool, of the tool that it means by that now."""
        if provision.kind is not NodeKind.TOOL:
            return provision
        tool = dict(self.renames).get(provision.id, provision.id)
        moved = {move.old: move.new for move in self.moves if move.source == provision.source}
        return provision.model_copy(update={"id": moved.get(tool, tool)})

    def forget_written(self) -> None:
        """Let go of nodes, edges and provisions, which may be most of the memory of a run."""
        for written in (self.nodes, self.edges, self.provisions, self.moved_edges):
            written.clear()

    def open_source(self, source: Source) -> None:
        """Let a killed run leave the source to be read again."""
        self.opened.append(source.model_copy(update={"content_hash": ""}))

    def pend(self, provision: Provision) -> None:
        """Let a killed run leave what a source says of a node to be written again."""
        if provision.content_hash:
            self.pending.append(provision.model_copy(update={"content_hash": ""}))

    @property
    def edge_count(self) -> int:
        """Stated edges to write."""
        return sum(len(rows) for rows in self.edges.values())

    def put_edges(self, form: EdgeForm, row: EdgeRow) -> None:
        """Write an edge."""
        self.edges[form].append(row)
        if form.kind not in (EdgeKind.BELONGS_TO, EdgeKind.STEP):
            self.structure = True

    def remove_nodes(self, keys: Iterable[NodeKey]) -> None:
        """Remove nodes with all their edges."""
        for kind, node in keys:
            self.removed[kind].append(node)
            self.structure = True
