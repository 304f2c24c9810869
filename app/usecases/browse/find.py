"""Nodes by the beginning of what they are called, for whoever types it."""

from collections.abc import Callable, Collection, Iterable
from heapq import nsmallest

from app.domain.nodes.graph_views import GraphNode
from app.domain.nodes.models import NodeKind, Tool
from app.domain.ranking.formulas import Mask
from app.usecases.index.listing import begun_by, folded_words
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.views import CatalogueView

FOUND = 10
"""Nodes that are found at most: what a list below a field holds."""
FOUND_KINDS = (
    NodeKind.TOOL,
    NodeKind.METHOD,
    NodeKind.CATEGORY,
    NodeKind.CONCEPT,
    NodeKind.TEMPLATE,
    NodeKind.GENERATOR,
    NodeKind.WORKFLOW,
)
"""Kinds of nodes that have names; an example is a text."""


def find_nodes(
    text: str, *, kinds: Collection[NodeKind], index: SearchIndex, view: CatalogueView
) -> list[GraphNode]:
    """At most `FOUND` visible nodes, the nearest first.

    First those with this id or name, then those whose id or name begins with it, then those of whose names a word
    does; among equals the shortest id first. Work for each node of these kinds: about 10 ms for 50,000.
    """
    words = folded_words(text)
    if not words:
        return []
    listing, tools = index.listing, index.catalogue.tools
    visible = view.visible
    found: list[tuple[int, Tool | GraphNode]] = []
    if NodeKind.TOOL in kinds:
        at_tools = begun_by(words, listing.tools)
        found += [(how, tools[at]) for how, at in at_tools if visible is None or visible[at]]
    if not set(kinds) <= {NodeKind.TOOL}:
        sees = _seen_by(index, view)
        at_others = begun_by(words, listing.names)
        found += [
            (how, node) for how, at in at_others if (node := listing.others[at]).kind in kinds and sees(node)
        ]
    nearest = nsmallest(FOUND, found, key=lambda one: (one[0], len(one[1].id), one[1].id))
    return [_node(one) for _, one in nearest]


def _node(one: Tool | GraphNode) -> GraphNode:
    if isinstance(one, GraphNode):
        return one
    return GraphNode(kind=NodeKind.TOOL, id=one.id, name=one.title or one.name)


def _seen_by(index: SearchIndex, view: CatalogueView) -> Callable[[GraphNode], bool]:
    """Whether a view shows a node that is no tool: by the tools that it leads to."""
    if view.visible is None:
        return lambda _: True
    visible, catalogue = view.visible, index.catalogue

    def seen(tools: Iterable[str]) -> list[bool]:
        return [bool(visible[index.positions[one]]) for one in tools if one in index.positions]

    shown: dict[tuple[NodeKind, str], bool] = {
        **{(NodeKind.GENERATOR, one.id): any(seen([one.tool])) for one in catalogue.generators},
        **{(NodeKind.CATEGORY, one): bool(visible[tools].any()) for one, tools in index.categories.items()},
        **{
            (NodeKind.WORKFLOW, one.id): all(seen(step.tool_id for step in one.steps))
            for one in catalogue.workflows
        },
        **_marked(NodeKind.METHOD, [one.id for one in catalogue.methods], view.methods.visible),
        **_marked(NodeKind.TEMPLATE, [one.id for one in catalogue.templates], view.templates.visible),
        **_marked(NodeKind.CONCEPT, [one.id for one in catalogue.concepts], view.concepts.visible),
    }
    return lambda node: shown.get((node.kind, node.id), False)


def _marked(kind: NodeKind, ids: list[str], visible: Mask | None) -> dict[tuple[NodeKind, str], bool]:
    return {(kind, one): visible is None or bool(visible[at]) for at, one in enumerate(ids)}
