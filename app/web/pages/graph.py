"""/ui/graph: the graph around a node, opened step by step. Twin: GET /v1/neighbours/{id} of each opened node.

A caller's view takes away the tools that he may not see, with their edges.
"""

from collections.abc import Iterable
from typing import Annotated, Literal, Self

from pydantic import Field, TypeAdapter, field_validator
from starlette.responses import Response

from app.domain.language.visible_text import excerpt
from app.domain.nodes.edge_forms import DRAWN_KINDS
from app.domain.nodes.graph_views import GraphEdge, GraphNode, Neighbourhood, NodeRef
from app.domain.nodes.models import EdgeKind, NodeKind
from app.errors import InvalidInputError, NotFoundError
from app.ports.graph import GraphExplorer
from app.service.waiting import ask_graph
from app.usecases.graph.neighbourhoods import MAX_PER_KIND, Reach, found_nodes, neighbourhood
from app.web.addresses import State
from app.web.parts.browser_link import browser_address, view_query
from app.web.parts.sketches import sketch
from app.web.parts.walks import MAX_NODES, WalkView, node_ref, read_opened, walk_view
from app.web.routes import page_router
from app.web.twins import Twin, reads
from app.web.visits import Visit, VisitDep

router = page_router()

_AT_FIRST = DRAWN_KINDS - {EdgeKind.SIMILAR, EdgeKind.ALTERNATIVE, EdgeKind.HAS_EXAMPLE}
"""What is likeness rather than use is switched on by hand: it would fill the first drawing."""
_LETTERS = {kind: kind[0] for kind in NodeKind} | {
    NodeKind.WORKFLOW: "Wf",
    NodeKind.CATEGORY: "Ct",
    NodeKind.CONCEPT: "Co",
    NodeKind.TEMPLATE: "Tp",
}
"""Kinds differ by letter and form, not by colour alone."""
_TABLE_ROWS = 300
_OPENED = 60
"""Nodes whose edges one address may show; each costs a look-up."""
_LINKS = 12_000
"""Characters that what is opened may add to the links of a drawing. With more, links without our script lead to the
node itself; the script asks for what a click opens either way."""
_NEIGHBOURHOOD = TypeAdapter(Neighbourhood)


class WalkState(State):
    """Where one stands in the graph, and what is opened."""

    focus: Annotated[str, Field(max_length=1100)] = ""
    open: Annotated[tuple[str, ...], Field(max_length=_OPENED)] = ()
    kinds: tuple[str, ...] = ()
    """Kinds of edges; empty: those of `_AT_FIRST`."""
    min: Annotated[float, Field(ge=0, le=1)] = 0.0
    view: Literal["drawing", "table"] = "drawing"
    toggle: Annotated[str, Field(max_length=1200)] = ""
    """What a click opens, or closes where it is open; the address that the page is at then no longer says it."""

    @field_validator("kinds")
    @classmethod
    def _known(cls, kinds: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [kind for kind in kinds if kind not in DRAWN_KINDS]
        if unknown:
            raise ValueError(
                f"{unknown[0]!r:.50} is no kind of edge; accepted: {', '.join(sorted(DRAWN_KINDS))}"
            )
        return tuple(sorted(set(kinds)))

    @property
    def shown_kinds(self) -> frozenset[EdgeKind]:
        """Kinds of the edges that are shown."""
        return frozenset(map(EdgeKind, self.kinds)) if self.kinds else _AT_FIRST

    def toggled(self) -> Self:
        """The state after the click."""
        if not self.toggle:
            return self
        is_open = self.toggle in self.open
        query = self.closing(self.toggle) if is_open else self.opening(self.toggle)
        return type(self).of(query)

    def opening(self, *more: str) -> str:
        """The address with something else opened; of a group, how many is said once."""
        groups = {text.rpartition("~")[0] for text in more if "~" in text}
        kept = [
            text for text in self.open if text not in more and text.rpartition("~")[0] not in groups - {""}
        ]
        return self.query(open=(*kept, *more), toggle="")

    def closing(self, key: str) -> str:
        """The address with a node closed again."""
        kept = [text for text in self.open if text != key and not text.startswith(f"{key}~")]
        return self.query(open=tuple(kept), toggle="")

    def about(self, key: str) -> str:
        """The address with another node in the middle."""
        return self.query(focus=key, open=(), toggle="")


@router.get("/graph")
@router.get("/graph.json")
async def graph_page(visit: VisitDep) -> Response:
    """The drawing or the table; without a focus, where to begin."""
    state = visit.state(WalkState).toggled()
    if not state.focus:
        return await visit.components.memory_workers.run(lambda: _beginning(visit, state))
    focus = _focus(state.focus, visit)
    if visit.as_json:
        reach = Reach(min_confidence=state.min, kinds=state.shown_kinds)
        found = await ask_graph(
            visit.components, lambda explorer: neighbourhood(explorer, focus.id, kind=focus.kind, reach=reach)
        )
        return visit.document(_NEIGHBOURHOOD.dump_json(found))
    state = state.model_copy(update={"focus": focus.key})
    return await ask_graph(visit.components, lambda explorer: _drawn(visit, state, focus, explorer))


def _focus(text: str, visit: Visit) -> NodeRef:
    """The node that is asked for: `Kind:id`, or the id of a tool as people type it."""
    if text.partition(":")[0] in set(NodeKind):
        return node_ref(text)
    if text in visit.components.keeper.index.positions:
        return node_ref(f"{NodeKind.TOOL}:{text}")
    raise NotFoundError(
        f"no tool {text[:80]!r}; another node is named with its kind, such as Method:{text[:80]}"
    )


def _beginning(visit: Visit, state: WalkState) -> Response:
    """The tools that most others need: a good place to begin."""
    catalogue = visit.components.keeper.index.catalogue
    users: dict[str, set[str]] = {}
    for edge in catalogue.requirements:
        users.setdefault(edge.producer, set()).add(edge.consumer)
    hubs = sorted(users, key=lambda tool: (-len(users[tool]), tool))[:12]
    return visit.page(
        "graph_begin.html",
        title="Graph",
        here="graph",
        state=state,
        tools=len(catalogue.tools),
        hubs=[(tool, len(users[tool])) for tool in hubs],
    )


def _drawn(visit: Visit, state: WalkState, focus: NodeRef, explorer: GraphExplorer) -> Response:
    (node,) = found_nodes(explorer, focus.id, focus.kind)
    opened = read_opened(focus, state.open)
    if len(opened.nodes) > _OPENED:
        raise InvalidInputError(f"{len(opened.nodes)} opened nodes; accepted: at most {_OPENED}")
    touching = explorer.touching(
        opened.nodes,
        kinds=DRAWN_KINDS,
        per_kind=min(MAX_PER_KIND, max([12, *opened.shown.values()])),
        min_confidence=state.min,
    )
    view = walk_view(node, touching, opened, state.shown_kinds)
    return visit.page(
        "graph.html",
        title=f"{node.name or node.id} - Graph",
        here="graph",
        twins=_twins(state, opened.nodes),
        live=f"{len(view.nodes)} nodes, {len(view.edges)} edges around {node.name or node.id}",
        state=state,
        walk=view,
        sketch=sketch(view) if state.view == "drawing" else None,
        edges=view.edges[:_TABLE_ROWS],
        kinds=_kinds(view, state),
        letters=_LETTERS,
        label=_label,
        words=edge_words,
        most=MAX_NODES,
        opens=len(view.nodes) * len(state.query()) <= _LINKS,
        browser=_browser(visit, view, state),
    )


def _kinds(view: WalkView, state: WalkState) -> list[tuple[EdgeKind, int, bool]]:
    """Each kind of edge that the focus has or the view shows: how many, and whether it is shown."""
    there = {*view.counts, *(edge.kind for edge in view.edges), *map(EdgeKind, state.kinds)}
    return [(kind, view.counts.get(kind, 0), kind in state.shown_kinds) for kind in EdgeKind if kind in there]


def _twins(state: WalkState, nodes: Iterable[NodeRef]) -> list[Twin]:
    return [
        reads(
            *("neighbours", ref.id),
            kind=ref.kind.value,
            kinds=",".join(sorted(state.shown_kinds)),
            min_confidence=state.min or None,
        )
        for ref in nodes
    ]


def _browser(visit: Visit, view: WalkView, state: WalkState) -> str:
    """The address of Neo4j Browser with the query that shows the same; empty without a Neo4j."""
    neo4j = visit.face.neo4j
    if neo4j is None:
        return ""
    query = view_query((one.ref for one in view.nodes.values()), state.shown_kinds, min_confidence=state.min)
    return browser_address(neo4j, query)


def edge_words(edge: GraphEdge) -> str:
    """What an edge says, in one line."""
    said = [edge.kind.value]
    if edge.parameter:
        place = f" <- {edge.field}" if edge.field else ""
        said.append(f"{edge.parameter}{place}")
    if edge.evidence or edge.reason:
        said.append(f"evidence {edge.evidence or edge.reason}")
    if edge.confidence < 1:
        said.append(f"confidence {edge.confidence:.2f}")
    if edge.rank is not None:
        said.append(f"rank {edge.rank}")
    if edge.required is not None:
        said.append("required" if edge.required else "optional")
    return ", ".join(said)


def _label(node: GraphNode, length: int) -> str:
    """A node's name for SVG, which knows no `<bdi>`: hidden characters are shown by name."""
    name = node.name or node.id
    if node.kind is NodeKind.TOOL and length < len(node.id):
        name = node.id.rpartition("/")[2] or name
    if len(name) > length:
        # Names of one server begin alike and end apart.
        name = f"{name[: length // 2]}…{name[-(length // 2 - 1) :]}"
    return excerpt(name, length=length)
