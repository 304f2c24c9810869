"""What is in a graph, and what of it rules leave: node by node, without any of the product's masks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from app.domain.access.rules import Act, RuleBook, TrustFloor, matcher
from app.domain.flows.labels import counting, labels_of
from app.domain.nodes.edge_forms import STATED_FORMS
from app.domain.nodes.models import EdgeKind, NodeKind, Provision, Tool
from app.domain.workflows.stored import Workflow
from app.ports.graph import CatalogueReader, GraphWriter, WorkflowReader


class ReadGraph(CatalogueReader, GraphWriter, WorkflowReader, Protocol):
    """A graph that is filled, read and taken from."""


@dataclass(frozen=True, slots=True)
class Edge:
    """Between two nodes."""

    kind: EdgeKind
    source_kind: NodeKind
    source: str
    target_kind: NodeKind
    target: str


@dataclass(frozen=True)
class Contents:
    """All that rules are about."""

    sources: frozenset[str]
    nodes: Mapping[NodeKind, frozenset[str]]
    tools: Mapping[str, Tool]
    provided: Mapping[tuple[NodeKind, str], tuple[Provision, ...]]
    edges: tuple[Edge, ...]
    workflows: Mapping[str, Workflow]

    def owners(self, tool_id: str) -> set[str]:
        """The sources that describe a tool; of one that nobody describes those that name it."""
        found = self.provided.get((NodeKind.TOOL, tool_id), ())
        return {one.source for one in found if not one.declares} or {one.source for one in found}


def contents_of(graph: ReadGraph) -> Contents:
    """What is in a graph."""
    sources = [one.id for one in graph.sources()]
    provided: dict[tuple[NodeKind, str], tuple[Provision, ...]] = {}
    for one in graph.provisions(sources):
        provided[one.kind, one.id] = (*provided.get((one.kind, one.id), ()), one)
    nodes = {kind: frozenset(str(one.id) for one in graph.node_names(kind)) for kind in NodeKind}
    generators = frozenset(name for kind, name in provided if kind is NodeKind.GENERATOR)
    nodes[NodeKind.GENERATOR] = nodes[NodeKind.GENERATOR] | generators
    nodes[NodeKind.TOOL] = nodes[NodeKind.TOOL] - generators
    written = [
        Edge(EdgeKind.HAS_EXAMPLE, NodeKind.TOOL, one.tool, NodeKind.EXAMPLE, one.id)
        for one in graph.requests_of(sorted(nodes[NodeKind.TOOL]))
    ]
    return Contents(
        frozenset(map(str, sources)),
        nodes,
        {str(one.id): one for one in graph.catalogue().tools},
        provided,
        (
            *written,
            *(
                Edge(form.kind, form.source, one, form.target, other)
                for form in STATED_FORMS
                for stated in (True, False)
                for one, other, _ in graph.edge_pairs(form, stated=stated)
            ),
        ),
        {one.id: one for one in graph.workflows()},
    )


def visible_tools(contents: Contents, book: RuleBook, act: Act) -> set[str]:
    """What rules leave, tool by tool: written without any of the product's masks."""
    categories = _categories(contents)
    granted, denied = set(), set()
    for tool_id in contents.nodes[NodeKind.TOOL]:
        tool = contents.tools.get(tool_id)
        labels = counting(labels_of(tool)) if tool else frozenset()
        owners = contents.owners(tool_id)
        for rule in book.rules:
            fits = (
                (not rule.tools or any(matcher(one)(tool_id) for one in rule.tools))
                and (
                    not rule.sources or any(matcher(one)(source) for one in rule.sources for source in owners)
                )
                and (not rule.categories or bool(categories[tool_id] & set(rule.categories)))
                and (not rule.labels or not labels.isdisjoint(rule.labels))
                and (
                    rule.read_only is None or (tool is not None and tool.read_only is True) == rule.read_only
                )
                and (rule.trust is None or (tool is not None and _is_trusted(tool, rule.trust)))
            )
            if fits and act in rule.granted:
                granted.add(tool_id)
            if fits and act in rule.denied:
                denied.add(tool_id)
    return granted - denied


def _is_trusted(tool: Tool, floor: TrustFloor) -> bool:
    return tool.reviewed is not False if floor is TrustFloor.REVIEWED else tool.trust is None


def _categories(contents: Contents) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {one: set() for one in contents.nodes[NodeKind.TOOL]}
    of_method = {
        edge.source: edge.target
        for edge in contents.edges
        if edge.kind is EdgeKind.BELONGS_TO and edge.source_kind is NodeKind.METHOD
    }
    for edge in contents.edges:
        if edge.kind is EdgeKind.BELONGS_TO and edge.source_kind is NodeKind.TOOL:
            found[edge.source].add(edge.target)
        if edge.kind is EdgeKind.IMPLEMENTS and edge.source in of_method:
            found[edge.target].add(of_method[edge.source])
        if edge.kind is EdgeKind.IMPLEMENTS and edge.target in of_method:
            found[edge.source].add(of_method[edge.target])
    return found


@dataclass(frozen=True, slots=True)
class Hidden:
    """What rules do not leave."""

    nodes: Mapping[NodeKind, frozenset[str]]
    untold: frozenset[str]
    """Tools of which no label is shown: a taxonomy that is not granted says something of them."""
    callable: frozenset[str]
    """Tools that may be found and called."""
    granted: frozenset[str] | None
    """Sources that rules name, where a tool that is left has a taxonomy of others alone to say of it; else None."""


def hidden_from(contents: Contents, book: RuleBook, act: Act) -> Hidden:
    """What may not be found, or planned with."""
    tools = visible_tools(contents, book, Act.FIND) & visible_tools(contents, book, act)
    sources = {
        source
        for source in contents.sources
        for rule in book.rules
        if rule.granted and any(matcher(one)(source) for one in rule.sources)
    }
    seen: dict[NodeKind, set[str]] = {NodeKind.TOOL: tools}
    for kind, leads_by in (
        (NodeKind.METHOD, EdgeKind.IMPLEMENTS),
        (NodeKind.TEMPLATE, EdgeKind.USES),
        (NodeKind.CONCEPT, EdgeKind.RELATED_TO),
        (NodeKind.CATEGORY, EdgeKind.BELONGS_TO),
        (NodeKind.EXAMPLE, EdgeKind.HAS_EXAMPLE),
        (NodeKind.GENERATOR, EdgeKind.USES),
    ):
        seen[kind] = {
            one
            for one in contents.nodes[kind]
            if _is_provided(contents, kind, one, sources) and _leads_to(contents, kind, one, leads_by, seen)
        }

    # The common ones are the same everywhere, and granted to all.
    seen[NodeKind.METHOD] |= {
        node
        for (kind, node), provided in contents.provided.items()
        if kind is NodeKind.METHOD and any(one.source.startswith("common:") for one in provided)
    }

    def is_whole(one: Workflow) -> bool:
        return all(
            is_whole(contents.workflows[step.workflow_id]) if step.workflow_id else step.tool_id in tools
            for step in one.steps
        )

    seen[NodeKind.WORKFLOW] = {name for name, one in contents.workflows.items() if is_whole(one)}
    gone = {kind: frozenset(contents.nodes[kind] - left) for kind, left in seen.items()}
    untold = {
        node
        for (kind, node), provided in contents.provided.items()
        if kind is NodeKind.TOOL
        and any(one.source.startswith("taxonomy:") and one.source not in sources for one in provided)
    }
    owners = {one for tool in tools for one in contents.owners(tool) if one.startswith("taxonomy:")}
    return Hidden(
        gone,
        frozenset(untold),
        callable=frozenset(tools & visible_tools(contents, book, Act.CALL)),
        granted=None if owners <= sources else frozenset(sources),
    )


def take_out(graph: GraphWriter, hidden: Hidden) -> None:
    """Remove what is hidden; what it was filled with must leave out the labels that are not shown."""
    if not any(hidden.nodes.values()):
        return
    with graph.lease(owner="hidden:1:0", wait_s=5.0) as lease:
        lease.begin()
        for kind, ids in hidden.nodes.items():
            lease.remove_nodes(kind, sorted(ids))
        lease.finish()


def _is_provided(contents: Contents, kind: NodeKind, node: str, sources: set[str]) -> bool:
    provided = [one.source for one in contents.provided.get((kind, node), ())]
    # Examples hang on their methods, and categories may be named alone.
    return kind is NodeKind.EXAMPLE or any(one in sources for one in provided)


def _leads_to(
    contents: Contents, kind: NodeKind, node: str, by: EdgeKind, seen: Mapping[NodeKind, set[str]]
) -> bool:
    for edge in contents.edges:
        if edge.kind is not by:
            continue
        ends = {(edge.source_kind, edge.source), (edge.target_kind, edge.target)}
        if (kind, node) in ends:
            ((other_kind, other),) = ends - {(kind, node)}
            if other in seen.get(other_kind, ()):
                return True
    return False
