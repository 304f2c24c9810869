"""A taxonomy that writes the id of a tool once means this tool by its bare name everywhere."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from app.domain.nodes.models import NodeKind
from ingest.cards import Card, Reference, StatedEdge, ToolNote, tool_references


def with_ids(
    cards: Iterable[Card], notes: Iterable[ToolNote]
) -> tuple[tuple[Card, ...], tuple[ToolNote, ...]]:
    """The same with ids instead of the bare names of which the taxonomy writes one id, and only one."""
    cards, notes = tuple(cards), tuple(notes)
    ids: defaultdict[str, set[str]] = defaultdict(set)
    for one in tool_references(cards, notes):
        _, slash, name = one.text.partition("/")
        if slash:
            ids[name].add(one.text)
    known = {name: next(iter(texts)) for name, texts in ids.items() if len(texts) == 1 and "/" not in name}
    if not known:
        return cards, notes
    return (
        tuple(replace(card, edges=_edges(card.edges, known)) for card in cards),
        tuple(
            replace(
                note,
                tool=_reference(note.tool, known),
                edges=_edges(note.edges, known),
                not_requires=tuple(_reference(one, known) for one in note.not_requires),
            )
            for note in notes
        ),
    )


def _edges(edges: Sequence[StatedEdge], known: Mapping[str, str]) -> tuple[StatedEdge, ...]:
    return tuple(replace(edge, target=_reference(edge.target, known)) for edge in edges)


def _reference(reference: Reference, known: Mapping[str, str]) -> Reference:
    if reference.kind is not NodeKind.TOOL or reference.text not in known:
        return reference
    return Reference(reference.kind, known[reference.text])
