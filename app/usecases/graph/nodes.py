"""Cards of nodes that are not tools."""

from collections.abc import Iterable

from app.answers.cards import NodeCard
from app.domain.language.near import near_ones
from app.domain.nodes.models import Category, Concept, Generator, Method, NodeKind, Template
from app.errors import NotFoundError
from app.usecases.index.search_index import SearchIndex

TOOLS_LISTED = 100
"""Ids of tools in a card; `tool_count` has their number."""


def node_card(kind: NodeKind, node_id: str, *, index: SearchIndex) -> NodeCard:
    """The card of a method, template, concept, category or generator, from the snapshot.

    Raises:
        NotFoundError: there is no such node; the message names near ids, or where nodes of the kind are found.
    """
    catalogue = index.catalogue
    match kind:
        case NodeKind.METHOD:
            nodes: Iterable[Method | Template | Concept | Generator | Category] = catalogue.methods
        case NodeKind.TEMPLATE:
            nodes = catalogue.templates
        case NodeKind.CONCEPT:
            nodes = catalogue.concepts
        case NodeKind.CATEGORY:
            nodes = catalogue.categories
        case NodeKind.GENERATOR:
            nodes = catalogue.generators
        case NodeKind.TOOL | NodeKind.WORKFLOW | NodeKind.EXAMPLE:
            raise NotFoundError(
                f"no card of kind {kind}: tools are at /v1/tools, workflows at /v1/workflows, and examples on the cards"
                " of their methods"
            )
    ids = []
    for node in nodes:
        if node.id == node_id:
            return _card(kind, node, index)
        ids.append(str(node.id))
    raise NotFoundError(
        f"no {kind.lower()} {node_id!r}; {near_ones(node_id, ids, cutoff=0.5, otherwise=f'there are {len(ids)}')}"
    )


def _card(
    kind: NodeKind, node: Method | Template | Concept | Generator | Category, index: SearchIndex
) -> NodeCard:
    match node:
        case Method():
            tools = tuple(map(str, node.implements))
        case Template():
            tools = tuple(map(str, node.uses))
        case Generator():
            tools = (str(node.tool),)
        case Category():
            positions = index.categories.get(node.id)
            found = () if positions is None else positions.tolist()
            tools = tuple(str(index.catalogue.tools[at].id) for at in found)
        case Concept():
            tools = ()
    return NodeCard(
        kind=kind,
        id=str(node.id),
        name=node.name,
        description=node.surface if isinstance(node, Template) else node.description,
        interior=node.interior if isinstance(node, Template) else "",
        category=node.category if isinstance(node, Method) else "",
        tags=[] if isinstance(node, Generator | Category) else list(node.tags),
        parameters=list(node.parameters) if isinstance(node, Method | Generator) else [],
        examples=list(node.examples) if isinstance(node, Method) else [],
        methods=list(map(str, node.related_to)) if isinstance(node, Concept) else [],
        tools=list(tools[:TOOLS_LISTED]),
        tool_count=len(tools),
        generation=index.generation,
    )
