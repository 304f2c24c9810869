"""What a reference means: an id first, else a name that only one node has."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from app.domain.language.accepted_text import MAX_ID, check_name, shown
from app.domain.language.near import near_ones
from app.domain.nodes.models import EdgeForm, EdgeKind, EdgeRow, NodeKind, SourceId
from app.errors import InvalidInputError
from ingest.cards import Card, Reference, Rejected, StatedEdge, ToolNote
from ingest.diff.claims import Claims

_NEAR = 3


@dataclass(frozen=True, slots=True)
class Own:
    """What a source itself decides of the references in it."""

    prior: Collection[str] = ()
    """Ids that it meant before: they decide between several nodes of one name, but for tools."""
    written: Collection[str] = ()
    """Tools that it names by their ids."""


class Names:
    """The nodes that references may mean: those that the graph will hold after the run."""

    def __init__(self, claims: Claims) -> None:
        self._claims = claims
        self._names: dict[NodeKind, dict[str, str]] = defaultdict(dict)
        self._ids: dict[NodeKind, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._said: set[str] = set()

    def add(self, kind: NodeKind, node_id: str, name: str) -> None:
        """Know a node; knowing it twice is fine."""
        name_before = self._names[kind].get(node_id)
        if name_before is not None:
            self._ids[kind][name_before].discard(node_id)
        self._names[kind][node_id] = name
        self._ids[kind][name].add(node_id)

    def keep(self, text: str) -> None:
        """Keep generators from an id that sources write for a tool: it may become a declared tool again."""
        self._said.add(text)

    def is_taken(self, kind: NodeKind, node_id: str) -> bool:
        """Whether an id of the space that tools and generators share is one of the other kind."""
        if kind is NodeKind.GENERATOR:
            return self.has(NodeKind.TOOL, node_id) or node_id in self._said
        return kind is NodeKind.TOOL and self.has(NodeKind.GENERATOR, node_id)

    def has(self, kind: NodeKind, node_id: str) -> bool:
        """Whether a node of this id is known."""
        return node_id in self._names[kind]

    def resolve(self, reference: Reference, *, own: Own) -> str:
        """The id that a reference means; an unknown tool is the id itself, to be declared.

        Raises:
            InvalidInputError: it means nothing, or several nodes.
        """
        kind, text = reference.kind, reference.text
        if kind is NodeKind.TOOL:
            return self._tool(text, own.written)
        if self.has(kind, text):
            return text
        found = self._ids[kind].get(text, set())
        if len(found) > 1:
            found = found.intersection(own.prior) if len(found.intersection(own.prior)) == 1 else found
        if len(found) == 1:
            return next(iter(found))
        if len(found) > 1:
            ids = ", ".join(sorted(found)[:_NEAR])
            raise InvalidInputError(f"{shown(text)}, which {len(found)} nodes are called: write one of {ids}")
        known = near_ones(text, self._names[kind], cutoff=0.5, otherwise=f"no {kind.lower()} is near")
        raise InvalidInputError(f"{shown(text)}, which no source has; {known}")

    def _tool(self, text: str, written: Collection[str]) -> str:
        if self.has(NodeKind.GENERATOR, text):
            raise InvalidInputError(f"{shown(text)}, which is a generator; accepted: a tool")
        return self._claims.meant(check_name(text, field="a tool", max_length=MAX_ID), written)


@dataclass(frozen=True, slots=True)
class ResolvedEdge:
    """An edge whose target is known by its id."""

    form: EdgeForm
    row: EdgeRow


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a card or a note says, by id."""

    edges: tuple[ResolvedEdge, ...]
    dropped: tuple[Reference, ...]
    rejected: tuple[Rejected, ...]


def resolve_card(card: Card, names: Names, *, source: SourceId, own: Own) -> Resolved:
    """Give each edge its target; a reference that means nothing is dropped and listed.

    Edges of tools carry the source, because several sources may speak of one tool.

    Raises:
        InvalidInputError: an edge without which the card is nothing has no target.
    """
    for edge in card.edges:
        if edge.required:
            names.resolve(edge.target, own=own)
    signed_by = source if card.kind is NodeKind.TOOL else None
    return _resolve(card.kind, card.id, card.label, card.edges, names, own=own, signed_by=signed_by)


@dataclass(frozen=True, slots=True)
class ResolvedNote(Resolved):
    """What a taxonomy says of one tool, by id."""

    tool: str
    note: ToolNote
    not_requires: tuple[str, ...]


def resolve_note(note: ToolNote, names: Names, *, source: SourceId, own: Own) -> ResolvedNote:
    """Give a note's tool and edges their ids; edges carry the source, because several may speak of one tool.

    Raises:
        InvalidInputError: several tools have the name.
    """
    label = f"tool {note.tool.text!r}"
    tool = names.resolve(note.tool, own=own)
    found = _resolve(NodeKind.TOOL, tool, label, note.edges, names, own=own, signed_by=source)
    vetoes, dropped, rejected = [], list(found.dropped), list(found.rejected)
    for reference in note.not_requires:
        try:
            vetoes.append(names.resolve(reference, own=own))
        except InvalidInputError as error:
            dropped.append(reference)
            rejected.append(Rejected(label, f"not_requires names {error}"))
    return ResolvedNote(
        found.edges, tuple(dropped), tuple(rejected), tool, note, tuple(dict.fromkeys(vetoes))
    )


def _resolve(
    kind: NodeKind,
    node_id: str,
    label: str,
    edges: Iterable[StatedEdge],
    names: Names,
    *,
    own: Own,
    signed_by: SourceId | None,
) -> Resolved:
    resolved: dict[tuple[object, ...], ResolvedEdge] = {}
    dropped: list[Reference] = []
    rejected: list[Rejected] = []
    for edge in edges:
        try:
            target = names.resolve(edge.target, own=own)
            form = EdgeForm(kind, edge.kind, edge.target.kind)
            _refuse_self(form, node_id, target)
        except InvalidInputError as error:
            dropped.append(edge.target)
            rejected.append(Rejected(label, f"{edge.place} names {error}"))
            continue
        properties = {**edge.properties, "stated_by": signed_by} if signed_by else edge.properties
        row = EdgeRow(source=node_id, target=target, properties=properties)
        # Two ways to name one node are one edge; two parameters for one needed tool are two, and so are two
        # steps that call one tool.
        position = edge.properties.get("position") if edge.kind is EdgeKind.STEP else None
        resolved.setdefault(
            (form, target, edge.properties.get("parameter"), position), ResolvedEdge(form, row)
        )
    return Resolved(tuple(resolved.values()), tuple(dropped), tuple(rejected))


def _refuse_self(form: EdgeForm, source: str, target: str) -> None:
    if form.source is form.target and source == target:
        raise InvalidInputError(f"{shown(target)}, which is itself")
