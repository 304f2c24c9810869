"""What the graph holds before a run, as the diff needs it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from app.domain.nodes.models import NodeKind, NodeName, Provision, Source, SourceId, ToolId
from app.domain.workflows.stored import is_saved
from app.ports.graph import GraphWriter

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
            for node in self.names.get(kind, {})
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
            for node, name in self.names.get(NodeKind.TOOL, {}).items()
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
