"""What one document says, as values: cards of nodes with the edges that it states, references as written."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from app.domain.language.accepted_text import TextLimits
from app.domain.language.visible_text import excerpt
from app.domain.nodes.models import (
    EdgeKind,
    NodeKind,
    Property,
    Source,
    SourceId,
    StatedLabel,
    Trust,
    source_id,
)

COMMON: SourceId = source_id("common", "outfitter")
"""The source of what the common taxonomy brings; no document of an operator's has this kind."""
REQUESTS: SourceId = source_id("requests", "generated")
"""The source of requests that were written for tools; removing it removes them all."""
OURS = frozenset((COMMON, REQUESTS))
"""Sources that no document is: they stay only as long as there are tools."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A node as the document names it: an id, or a name that only one node has."""

    kind: NodeKind
    text: str


@dataclass(frozen=True, slots=True)
class StatedEdge:
    """An edge that leaves a card's node."""

    kind: EdgeKind
    target: Reference
    place: str
    """Where the document says it, e.g. `relations.similar`; for messages."""
    properties: Mapping[str, Property] = field(default_factory=dict)
    required: bool = False
    """The card is nothing without this edge; other edges are dropped alone."""


@dataclass(frozen=True, slots=True)
class Card:
    """One node as one document describes it."""

    kind: NodeKind
    id: str
    properties: Mapping[str, Property]
    edges: tuple[StatedEdge, ...] = ()
    hidden: Mapping[str, str] = field(default_factory=dict)
    """Field -> the hidden characters that were taken out of it; no part of what the card says."""

    @property
    def label(self) -> str:
        """For messages: `method 'shape.circle'`."""
        return f"{self.kind.lower()} {self.id!r}"


@dataclass(frozen=True, slots=True)
class ToolNote:
    """What a taxonomy says of a tool that it does not describe: edges, and what it neither needs nor carries out.

    A tool that is merely named has an empty note, made when references are resolved.
    """

    tool: Reference
    edges: tuple[StatedEdge, ...] = ()
    not_requires: tuple[Reference, ...] = ()
    not_implements: tuple[str, ...] = ()
    """Ids of methods, whether or not anything has them."""
    labels: tuple[StatedLabel, ...] = ()
    """What it says of the flows of the tool."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """One item, or one reference of an item, that did not make it into the graph."""

    item: str
    reason: str
    kind: NodeKind | None = None
    id: str = ""
    """With `kind`: the node that the item would have been; what the graph has of it is kept."""
    said: str = ""
    """What a server said of it: an excerpt, for a field of its own. Untrusted."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Which source a document is, and what is accepted of it: what each reader is given beside the document."""

    kind: str
    name: str
    """Of the source; the server of the tools that it describes."""
    uri: str
    synced_at: str
    limits: TextLimits

    def source(self, *, version: object, content_hash: str) -> Source:
        """The source with what its document says of itself."""
        return Source(
            id=source_id(self.kind, self.name),
            kind=self.kind,
            name=self.name,
            uri=self.uri,
            version=excerpt(str(version)),
            content_hash=content_hash,
            synced_at=self.synced_at,
        )


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A parsed document: what it states, and what of it cannot be accepted."""

    source: Source
    cards: tuple[Card, ...]
    notes: tuple[ToolNote, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    warnings: tuple[str, ...] = ()
    withheld: frozenset[str] = frozenset()
    """Ids of tools that the source has and that are not served, because nobody has agreed to their definitions."""

    @property
    def is_reviewed(self) -> bool:
        """Whether definitions have to be agreed to, so that nothing of other tools goes over to them."""
        return self.source.trust is not Trust.FULL


def tool_references(cards: Iterable[Card], notes: Iterable[ToolNote]) -> Iterator[Reference]:
    """Every tool that they name, as it is written."""
    for card in cards:
        yield from (edge.target for edge in card.edges if edge.target.kind is NodeKind.TOOL)
    for note in notes:
        yield note.tool
        yield from (edge.target for edge in note.edges if edge.target.kind is NodeKind.TOOL)
        yield from note.not_requires


def canonical_json(value: object) -> str:
    """Compact JSON with sorted keys: equal values give equal texts.

    Raises:
        ValueError: a value that JSON does not have, such as NaN.
        RecursionError: nested too deeply.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def sha256(text: str | bytes) -> str:
    """SHA-256 of a text, in hex."""
    data = text.encode("utf-8") if isinstance(text, str) else text
    return hashlib.sha256(data).hexdigest()


def card_hash(card: Card, dropped: Sequence[Reference] = ()) -> str:
    """What a source says of a node, its edges included, references as written.

    References that could not be resolved are part of it, so that a card is written again once they can.
    """
    return sha256(canonical_json([dict(card.properties), _edges(card.edges), _references(dropped)]))


def note_hash(notes: Sequence[ToolNote], dropped: Sequence[Reference] = ()) -> str:
    """What a taxonomy says of a tool that it does not describe."""
    said = [
        # Notes without the last ones have the hashes that they had before these could be stated.
        [
            _edges(note.edges),
            _references(note.not_requires),
            *([list(note.not_implements)] * bool(note.not_implements or note.labels)),
            *([one.model_dump(mode="json") for one in note.labels]),
        ]
        for note in notes
    ]
    return sha256(canonical_json([said, _references(dropped)]))


def _edges(edges: Sequence[StatedEdge]) -> list[object]:
    return [[edge.kind, edge.target.kind, edge.target.text, dict(edge.properties)] for edge in edges]


def _references(references: Sequence[Reference]) -> list[object]:
    return [[reference.kind, reference.text] for reference in references]
