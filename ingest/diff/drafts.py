"""Documents on their way through the diff: references resolved, conflicts between sources settled."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from app.domain.language.accepted_text import shown
from app.domain.nodes.models import NodeKind, Provision, SourceId, StatedLabel, merged_labels
from app.errors import InvalidInputError
from ingest.cards import (
    COMMON,
    Card,
    Reference,
    Rejected,
    SourceDocument,
    card_hash,
    note_hash,
    tool_references,
)
from ingest.diff.changes import NodeKey, SourceOutcome, Stored
from ingest.diff.claims import Claims, is_bare, said_of
from ingest.diff.resolve import Names, Own, ResolvedEdge, ResolvedNote, resolve_card, resolve_note


@dataclass(frozen=True, slots=True)
class Said:
    """What a source says of one node: the node itself (`card`), or only something about it."""

    content_hash: str
    card: Card | None
    edges: tuple[ResolvedEdge, ...] = ()
    not_requires: tuple[str, ...] = ()
    not_implements: tuple[str, ...] = ()
    labels: tuple[StatedLabel, ...] = ()
    named: str = ""
    """What the source writes for a tool that it does not describe."""

    @property
    def declares(self) -> bool:
        """Whether the source only names the node."""
        return self.card is None


@dataclass(slots=True)
class Draft:
    """A document on its way through the diff."""

    document: SourceDocument
    outcome: SourceOutcome
    prior: Mapping[NodeKey, Provision]
    """What the source provides so far."""
    kept: set[NodeKey] = field(default_factory=set)
    """Nodes whose new version was rejected: the graph keeps the old one."""
    said: dict[NodeKey, Said] = field(default_factory=dict)

    @property
    def source(self) -> SourceId:
        """Its id."""
        return self.document.source.id

    def reject(self, entry: Rejected) -> None:
        """List an item or a reference; if the graph has an old version of the item, it stays."""
        self.outcome.rejected.append(entry)
        if entry.kind and (entry.kind, entry.id) in self.prior:
            self.kept.add((entry.kind, entry.id))

    def dropped(self) -> list[NodeKey]:
        """Nodes that the source provides so far, and no more.

        With the old version of a rejected node stay the tools and examples that it may point at.
        """
        return [
            key
            for key, provision in self.prior.items()
            if key not in self.said
            and key not in self.kept
            and not (self.kept and (provision.declares or key[0] is NodeKind.EXAMPLE))
        ]


def make_drafts(
    stored: Stored,
    documents: Sequence[SourceDocument],
    outcomes: Mapping[str, SourceOutcome],
    removals: Iterable[SourceId],
    claims: Claims,
) -> list[Draft]:
    """What each document says of each node, without what is rejected."""
    by_source = stored.by_source()
    drafts = [
        Draft(document, outcomes[document.source.id], by_source.get(document.source.id, {}))
        for document in documents
    ]
    for draft in drafts:
        for entry in draft.document.rejected:
            draft.reject(entry)
    names = _names(stored, drafts, removals, claims)
    own = [_own(draft, names) for draft in drafts]
    for draft, one in zip(drafts, own, strict=True):
        _say_cards(draft, names, one)
    _settle(stored, drafts, removals)
    for draft, one in zip(drafts, own, strict=True):
        _say_tools(draft, names, one)
    return drafts


def _names(stored: Stored, drafts: Sequence[Draft], removals: Iterable[SourceId], claims: Claims) -> Names:
    """The nodes that will be there: those of the graph but for what goes, and those of the documents.

    No document may name what only the common taxonomy brings: that comes and goes with what tools say.
    """
    leaving: defaultdict[NodeKey, set[SourceId]] = defaultdict(set)
    removed = set(removals)
    for provision in stored.provisions:
        if provision.source in removed:
            leaving[provision.kind, provision.id].add(provision.source)
    for draft in drafts:
        cards = {(card.kind, card.id) for card in draft.document.cards}
        for key, provision in draft.prior.items():
            if key not in cards and key not in draft.kept and not provision.declares:
                leaving[key].add(draft.source)
    by_node = stored.by_node() if leaving else {}
    gone = {key for key, sources in leaving.items() if sources >= by_node[key].keys()}
    gone |= _only_common(stored)
    names = Names(claims)
    for kind, nodes in stored.names.items():
        for node in nodes.values():
            if (kind, node.id) not in gone:
                names.add(kind, node.id, node.name)
    for one in stored.provisions:
        if one.kind is NodeKind.TOOL and one.declares and one.source not in removed:
            names.keep(said_of(one))
    for draft in drafts:
        for card in draft.document.cards:
            names.add(card.kind, card.id, str(card.properties.get("name", "")))
    return names


def _only_common(stored: Stored) -> set[NodeKey]:
    if COMMON not in stored.sources:
        return set()
    common = {(one.kind, one.id) for one in stored.provisions if one.source == COMMON}
    return common - {(one.kind, one.id) for one in stored.provisions if one.source != COMMON}


def _own(draft: Draft, names: Names) -> Own:
    """What a document decides itself of the references in it."""
    meant = {tool for text, tool in _meant(draft.document, names, Own()) if not is_bare(text)}
    return Own({node for _, node in draft.prior}, meant)


def _say_cards(draft: Draft, names: Names, own: Own) -> None:
    for card in draft.document.cards:
        try:
            _check_tool_id(card, names)
            resolved = resolve_card(card, names, source=draft.source, own=own)
        except InvalidInputError as error:
            draft.reject(Rejected(card.label, str(error), card.kind, card.id))
            continue
        draft.outcome.rejected.extend(resolved.rejected)
        said = Said(card_hash(card, resolved.dropped), card, resolved.edges)
        draft.said[card.kind, card.id] = said


def _check_tool_id(card: Card, names: Names) -> None:
    """A generator is a tool to the graph as well, so both share one space of ids."""
    if names.is_taken(card.kind, card.id):
        other = NodeKind.TOOL if card.kind is NodeKind.GENERATOR else NodeKind.GENERATOR
        raise InvalidInputError(
            f"{shown(card.id)} is the id of a {other.lower()}; accepted: an id that no tool and no generator has"
        )


def _settle(stored: Stored, drafts: Sequence[Draft], removals: Iterable[SourceId]) -> None:
    """A node has one content: who says another than a source that already provides it is rejected.

    Between documents of one run that are both new to a node, the first one counts. The common taxonomy gives way.
    """
    by_source = {draft.source: draft for draft in drafts}
    by_node = stored.by_node()
    gone = set(removals)
    claimed: dict[NodeKey, tuple[SourceId, str]] = {}
    for draft in drafts:
        for key, said in list(draft.said.items()):
            prior = draft.prior.get(key)
            if prior is not None and prior.content_hash == said.content_hash:
                continue
            owner = None
            for source, provision in by_node.get(key, {}).items():
                if source in {draft.source, COMMON} or source in gone or provision.declares:
                    continue
                if _hash_after(by_source.get(source), key, provision) not in ("", said.content_hash):
                    owner = source
            first = claimed.setdefault(key, (draft.source, said.content_hash))
            if first[1] != said.content_hash:
                owner = first[0]
            if owner is not None:
                reason = (
                    f"source {owner!r} provides it with another content; accepted: the same content, another id,"
                    f" or `outfitter remove {owner}` first"
                )
                kind, node = key
                draft.reject(Rejected(f"{kind.lower()} {shown(node)}", reason, kind, node))
                del draft.said[key]


def _hash_after(draft: Draft | None, key: NodeKey, provision: Provision) -> str:
    """What another source says of a node after this run; empty when nothing, or unknown."""
    if draft is None or key in draft.kept:
        return provision.content_hash
    said = draft.said.get(key)
    return said.content_hash if said else ""


def _say_tools(draft: Draft, names: Names, own: Own) -> None:
    """What a document says about tools that it does not describe, even if only their names."""
    notes: defaultdict[str, list[ResolvedNote]] = defaultdict(list)
    for note in draft.document.notes:
        try:
            resolved = resolve_note(note, names, source=draft.source, own=own)
        except InvalidInputError as error:
            draft.outcome.rejected.append(Rejected(f"tool {shown(note.tool.text)}", f"the id is {error}"))
            continue
        draft.outcome.rejected.extend(resolved.rejected)
        notes[resolved.tool].append(resolved)
    named = {edge.row.target for said in draft.said.values() for edge in _tool_edges(said.edges)}
    for note_list in notes.values():
        for resolved in note_list:
            named.update((resolved.tool, *resolved.not_requires))
            named.update(edge.row.target for edge in _tool_edges(resolved.edges))
    words = _words(draft.document, names, own)
    for tool in sorted(named):
        if (NodeKind.TOOL, tool) not in draft.said:
            said = _said_of_tool(notes.get(tool, []))
            draft.said[NodeKind.TOOL, tool] = replace(said, named=words.get(tool, tool))


def _words(document: SourceDocument, names: Names, own: Own) -> dict[str, str]:
    """Tool -> what a document writes for it; the id before former ones, and ids before names."""
    found: dict[str, str] = {}
    for text, tool in _meant(document, names, own):
        found[tool] = text if text == tool else found.get(tool, text)
    return found


def _meant(document: SourceDocument, names: Names, own: Own) -> Iterator[tuple[str, str]]:
    """What a document writes for a tool, ids first, and the tool that it means by that."""
    texts = {one.text for one in tool_references(document.cards, document.notes)}
    for text in sorted(texts, key=lambda text: (is_bare(text), text)):
        with suppress(InvalidInputError):
            yield text, names.resolve(Reference(NodeKind.TOOL, text), own=own)


def _tool_edges(edges: Iterable[ResolvedEdge]) -> Iterable[ResolvedEdge]:
    return (edge for edge in edges if edge.form.target is NodeKind.TOOL)


def _said_of_tool(notes: Sequence[ResolvedNote]) -> Said:
    dropped = [reference for note in notes for reference in note.dropped]
    return Said(
        content_hash=note_hash([note.note for note in notes], dropped),
        card=None,
        edges=tuple(edge for note in notes for edge in note.edges),
        not_requires=tuple(dict.fromkeys(tool for note in notes for tool in note.not_requires)),
        not_implements=tuple(dict.fromkeys(one for note in notes for one in note.note.not_implements)),
        labels=merged_labels(one for note in notes for one in note.note.labels),
    )
