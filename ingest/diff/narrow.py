"""What a change of texts needs of the graph: the documents' own nodes, instead of everything.

What a name means depends on all that is described. Where a document of a server brings the same nodes under the same
names as before, nothing of that changes: nobody gains or loses a name, nothing is renamed, and no reference leads
elsewhere than it did. Then only these nodes, and who else provides them, are compared.
"""

from collections.abc import Collection, Mapping, Sequence

from app.domain.nodes.models import NodeKind, NodeName, Provision, Source, SourceId
from app.ports.graph import GraphWriter
from ingest.cards import SourceDocument
from ingest.diff.changes import NodeKey, Stored

_KINDS = (NodeKind.TOOL, NodeKind.CATEGORY)
"""What servers bring."""
_MOST = 200
"""Documents in a run; of more, reading everything is the shorter way."""


def read_narrow(graph: GraphWriter, documents: Sequence[SourceDocument]) -> Stored | None:
    """What the diff of these documents may ask for; None where it may ask for more than their own nodes.

    Args:
        graph: after a finished run, with nobody at work.
        documents: what sources say now.
    """
    if not documents or len(documents) > _MOST or not all(_is_plain(one) for one in documents):
        return None
    own = {document.source.id for document in documents}
    sources = _sources(graph, own)
    if not all(one in sources and sources[one].synced_at for one in own):
        return None
    prior = graph.provisions(sorted(own))
    names = _names(graph, documents)
    if not _is_same(documents, prior, names):
        return None
    tools = names[NodeKind.TOOL].values()
    bare = {text.partition("/")[2] for tool in tools for text in (tool.id, *tool.former_ids)}
    if graph.names_of(NodeKind.TOOL, sorted(bare | {tool.name for tool in tools})):
        # Several servers may bring the name, which has to be said.
        return None
    ids = {kind: sorted(names[kind]) for kind in _KINDS}
    others = [one for kind in _KINDS for one in graph.providers(kind, ids[kind]) if one.source not in own]
    sources |= _sources(graph, {one.source for one in others})
    return _stored(sources, [*prior, *others], names)


def _sources(graph: GraphWriter, ids: Collection[SourceId]) -> dict[SourceId, Source]:
    return {source.id: source for source in graph.sources(sorted(ids))} if ids else {}


def _is_plain(document: SourceDocument) -> bool:
    """Whether the document says nothing of nodes that it does not bring, and everything of it is accepted."""
    brought = {(card.kind, card.id) for card in document.cards}
    return (
        not document.rejected
        and not document.notes
        and all(card.kind in _KINDS for card in document.cards)
        and all(
            (to.kind, to.text) in brought
            for card in document.cards
            for to in (edge.target for edge in card.edges)
        )
    )


def _names(graph: GraphWriter, documents: Sequence[SourceDocument]) -> dict[NodeKind, dict[str, NodeName]]:
    ids: dict[NodeKind, list[str]] = {kind: [] for kind in _KINDS}
    for document in documents:
        for card in document.cards:
            ids[card.kind].append(card.id)
    return {
        kind: {name.id: name for name in graph.names_of(kind, list(dict.fromkeys(of)))}
        for kind, of in ids.items()
    }


def _is_same(
    documents: Sequence[SourceDocument],
    prior: Sequence[Provision],
    names: Mapping[NodeKind, Mapping[str, NodeName]],
) -> bool:
    """Whether each source goes on describing the nodes that it described, under their names."""
    described: dict[SourceId, set[NodeKey]] = {document.source.id: set() for document in documents}
    for one in prior:
        if one.declares:
            return False
        described[one.source].add((one.kind, one.id))
    for document in documents:
        if {(card.kind, card.id) for card in document.cards} != described[document.source.id]:
            return False
        for card in document.cards:
            name = names[card.kind].get(card.id)
            if name is None or name.declared or name.name != str(card.properties.get("name", "")):
                return False
    return True


def _stored(
    sources: Mapping[SourceId, Source],
    provisions: Sequence[Provision],
    names: Mapping[NodeKind, Mapping[str, NodeName]],
) -> Stored:
    return Stored(
        sources=sources,
        provisions=sorted(provisions, key=lambda one: (one.kind, one.id, one.source)),
        names={kind: names.get(kind, {}) for kind in NodeKind},
    )
