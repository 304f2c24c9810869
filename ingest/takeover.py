"""A tool that was only named gets the id of the one server that brings it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.domain.models import NodeKind, SourceId
from ingest.cards import SourceDocument
from ingest.stored import Stored


@dataclass(frozen=True, slots=True)
class Takeovers:
    """Tools to rename (old id, new id), and why others keep their bare names."""

    renames: list[tuple[str, str]]
    warnings: dict[SourceId, list[str]]


def find_takeovers(stored: Stored, documents: Sequence[SourceDocument]) -> Takeovers:
    """Which declared tools the documents' tools take over.

    A declared tool is taken over by a new tool whose name is its id, if no other tool has this name.
    """
    tools = stored.names.get(NodeKind.TOOL, {})
    declared = {node for node, name in tools.items() if name.declared}
    if not declared:
        return Takeovers([], {})
    bearers: defaultdict[str, set[str]] = defaultdict(set)
    for known in tools.values():
        if not known.declared and known.name in declared:
            bearers[known.name].add(known.id)
    brought = [
        (source, name, node)
        for document in documents
        for source, name, node in _tools(document)
        if name in declared and node != name
    ]
    for _, name, node in brought:
        bearers[name].add(node)
    renames: list[tuple[str, str]] = []
    warnings: defaultdict[SourceId, list[str]] = defaultdict(list)
    for source, name, node in brought:
        if len(bearers[name]) > 1:
            ids = ", ".join(sorted(bearers[name]))
            warnings[source].append(
                f"tool {name!r} stays as it was declared: several servers bring it: {ids}"
            )
        elif node in declared:
            warnings[source].append(
                f"tool {name!r} stays as it was declared, because {node!r} was declared as well: remove the"
                " taxonomy that says the bare name and ingest it again"
            )
        elif node not in tools:
            renames.append((name, node))
    return Takeovers(renames, dict(warnings))


def _tools(document: SourceDocument) -> Iterator[tuple[SourceId, str, str]]:
    for card in document.cards:
        if card.kind is NodeKind.TOOL:
            yield document.source.id, str(card.properties["name"]), card.id
