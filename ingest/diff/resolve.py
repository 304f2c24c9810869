"""What a reference means: an id first, else a name that only one node has."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from app.domain.language.accepted_text import MAX_ID, check_name, shown
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
        self.discard(kind, node_id)
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

    def discard(self, kind: NodeKind, node_id: str) -> None:
        """Forget a node."""
        name = self._names[kind].pop(node_id, None)
        if name is not None:
            self._ids[kind][name].discard(node_id)

    def has(self, kind: NodeKind, node_id: str) -> bool:
        """Whether a node of this id is known."""
        return node_id in self._names[kind]

    def named(self, kind: NodeKind, name: str) -> set[str]:
        """Ids of the nodes with this name."""
        return self._ids[kind].get(name, set())

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
        found = self.named(kind, text)
        if len(found) > 1:
            found = found.intersection(own.prior) if len(found.intersection(own.prior)) == 1 else found
        if len(found) == 1:
            return next(iter(found))
        if len(found) > 1:
            ids = ", ".join(sorted(found)[:_NEAR])
            raise InvalidInputError(f"{shown(text)}, which {len(found)} nodes are called: write one of {ids}")
        near = get_close_matches(text, self._names[kind], n=_NEAR, cutoff=0.5)
        known = f"known near ones: {', '.join(near)}" if near else f"no {kind.lower()} is near"
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
class ResolvedCard:
    """A card with its edges by id."""

    card: Card
    edges: tuple[ResolvedEdge, ...]
    dropped: tuple[Reference, ...]
    rejected: tuple[Rejected, ...]


def resolve_card(card: Card, names: Names, *, source: SourceId, own: Own) -> ResolvedCard:
    """Give each edge its target; a reference that means nothing is dropped and listed.

    Edges of tools carry the source, because several sources may speak of one tool.

    Raises:
        InvalidInputError: an edge without which the card is nothing has no target.
    """
    for edge in card.edges:
        if edge.required:
            _target(edge, names, own=own)
    edges, dropped, rejected = _resolve(card.kind, card.id, card.label, card.edges, names, own=own)
    if card.kind is NodeKind.TOOL:
        edges = _signed(edges, source)
    return ResolvedCard(card, edges, dropped, rejected)


@dataclass(frozen=True, slots=True)
class ResolvedNote:
    """What a taxonomy says of one tool, by id."""

    tool: str
    note: ToolNote
    edges: tuple[ResolvedEdge, ...]
    not_requires: tuple[str, ...]
    dropped: tuple[Reference, ...]
    rejected: tuple[Rejected, ...]


def resolve_note(note: ToolNote, names: Names, *, source: SourceId, own: Own) -> ResolvedNote:
    """Give a note's tool and edges their ids; edges carry the source, because several may speak of one tool.

    Raises:
        InvalidInputError: several tools have the name.
    """
    label = f"tool {note.tool.text!r}"
    tool = names.resolve(note.tool, own=own)
    edges, dropped, rejected = _resolve(NodeKind.TOOL, tool, label, note.edges, names, own=own)
    vetoes = []
    for reference in note.not_requires:
        try:
            vetoes.append(names.resolve(reference, own=own))
        except InvalidInputError as error:
            dropped = (*dropped, reference)
            rejected = (*rejected, Rejected(label, f"not_requires names {error}"))
    return ResolvedNote(tool, note, _signed(edges, source), tuple(dict.fromkeys(vetoes)), dropped, rejected)


def _signed(edges: Iterable[ResolvedEdge], source: SourceId) -> tuple[ResolvedEdge, ...]:
    return tuple(
        ResolvedEdge(
            edge.form,
            EdgeRow(
                source=edge.row.source,
                target=edge.row.target,
                properties={**edge.row.properties, "stated_by": source},
            ),
        )
        for edge in edges
    )


def _resolve(
    kind: NodeKind,
    node_id: str,
    label: str,
    edges: Iterable[StatedEdge],
    names: Names,
    *,
    own: Own,
) -> tuple[tuple[ResolvedEdge, ...], tuple[Reference, ...], tuple[Rejected, ...]]:
    resolved: dict[tuple[object, ...], ResolvedEdge] = {}
    dropped: list[Reference] = []
    rejected: list[Rejected] = []
    for edge in edges:
        try:
            target = _target(edge, names, own=own)
            form = EdgeForm(kind, edge.kind, edge.target.kind)
            _refuse_self(form, node_id, target)
        except InvalidInputError as error:
            dropped.append(edge.target)
            rejected.append(Rejected(label, f"{edge.place} names {error}"))
            continue
        row = EdgeRow(source=node_id, target=target, properties=edge.properties)
        # Two ways to name one node are one edge; two parameters for one needed tool are two, and so are two
        # steps that call one tool.
        position = edge.properties.get("position") if edge.kind is EdgeKind.STEP else None
        resolved.setdefault(
            (form, target, edge.properties.get("parameter"), position), ResolvedEdge(form, row)
        )
    return tuple(resolved.values()), tuple(dropped), tuple(rejected)


def _target(edge: StatedEdge, names: Names, *, own: Own) -> str:
    return names.resolve(edge.target, own=own)


def _refuse_self(form: EdgeForm, source: str, target: str) -> None:
    if form.source is form.target and source == target:
        raise InvalidInputError(f"{shown(target)}, which is itself")
