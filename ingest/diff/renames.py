"""A tool that vanished while an equal one came, from the same source, is that tool under another name."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from app.domain.nodes.models import NodeKind, Property, SourceId, Tool
from ingest.cards import Card, SourceDocument, canonical_json, sha256
from ingest.diff.stored import Stored

_COMPARED = ("description", "input_schema", "output_schema", "method", "path")
_HINTS = ("read_only", "destructive", "idempotent", "open_world", "deprecated")


def vanished_tools(stored: Stored, documents: Iterable[SourceDocument]) -> dict[SourceId, list[str]]:
    """Tools that a source alone described so far and no longer has, for sources that have new ones as well."""
    by_source = stored.by_source()
    by_node = stored.by_node()
    known = _known(stored)
    found: dict[SourceId, list[str]] = {}
    for document in documents:
        source = document.source.id
        there = {card.id for card in document.cards if card.kind is NodeKind.TOOL}
        there |= {entry.id for entry in document.rejected if entry.kind is NodeKind.TOOL}
        gone = [
            node
            for (kind, node), provision in by_source.get(source, {}).items()
            if kind is NodeKind.TOOL
            and node not in there
            and not provision.declares
            and all(other.declares for of, other in by_node[kind, node].items() if of != source)
        ]
        if gone and not there <= known:
            found[source] = gone
    return found


def find_renames(
    stored: Stored,
    documents: Iterable[SourceDocument],
    vanished: Mapping[SourceId, Sequence[str]],
    tools: Mapping[str, Tool],
) -> dict[SourceId, list[tuple[str, str]]]:
    """Per source: (old id, new id) of tools that are equal but for name and title, one to one.

    Where several tools that vanished or came are equal, nobody can say which is which, and none is renamed. A
    tool without a description is equal to too many to be recognised.

    Args:
        stored: the graph before.
        documents: what sources say now.
        vanished: what `vanished_tools` found.
        tools: those tools, by id.
    """
    known = _known(stored)
    found: dict[SourceId, list[tuple[str, str]]] = {}
    for document in documents:
        gone, came = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
        for node in vanished.get(document.source.id, ()):
            if node in tools and tools[node].description:
                gone[_of_tool(tools[node])].append(node)
        for card in document.cards if gone else ():
            if card.kind is NodeKind.TOOL and card.id not in known:
                came[_of_card(card)].append(card.id)
        renames = [
            (old[0], came[key][0]) for key, old in gone.items() if len(old) == 1 and len(came[key]) == 1
        ]
        if renames:
            found[document.source.id] = sorted(renames)
    return found


def _known(stored: Stored) -> set[str]:
    return {node for kind in (NodeKind.TOOL, NodeKind.GENERATOR) for node in stored.names.get(kind, {})}


def _of_tool(tool: Tool) -> str:
    return _body({name: getattr(tool, name) for name in (*_COMPARED, *_HINTS)})


def _of_card(card: Card) -> str:
    return _body(card.properties)


def _body(properties: Mapping[str, Property]) -> str:
    """SHA-256 of all that a tool is but for its names."""
    texts = [properties.get(name) or "" for name in _COMPARED]
    return sha256(canonical_json([*texts, *(_hint(properties, name) for name in _HINTS)]))


def _hint(properties: Mapping[str, Property], name: str) -> Property:
    value = properties.get(name)
    return value or False if name == "deprecated" else value
