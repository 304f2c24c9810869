"""The ways through the graph that reasons give, as links into the graph page."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from app.answers.search import WhyStep
from app.domain.nodes.graph_views import NodeRef
from app.domain.nodes.models import EdgeKind, NodeKind

_LEAVES = {EdgeKind.USES: NodeKind.TEMPLATE, EdgeKind.RELATED_TO: NodeKind.CONCEPT}
"""Kind of edge -> what it leaves on the way to a tool; all others leave methods."""


@dataclass(frozen=True, slots=True)
class PathLink:
    """A node on the way."""

    name: str
    edge: str
    query: str
    """The state of the graph page with the node in the middle."""


@dataclass(frozen=True, slots=True)
class ReasonPath:
    """The whole way."""

    links: tuple[PathLink, ...]
    query: str
    """The state of the graph page with the tool in the middle and the way opened."""


def reason_path(path: Sequence[WhyStep], tool_id: str) -> ReasonPath:
    """The nodes that lead to a tool; of edges only those of the way are shown, so that it can be seen."""
    keys = [NodeRef(_LEAVES.get(EdgeKind(step.edge), NodeKind.METHOD), step.id).key for step in path]
    kinds = [("kinds", edge) for edge in sorted({step.edge for step in path})]
    tool = NodeRef(NodeKind.TOOL, tool_id).key
    # The nearest to the tool first: what is opened has to be there already.
    opened = [("open", key) for key in reversed(keys)]
    return ReasonPath(
        tuple(
            PathLink(step.name, step.edge, urlencode([("focus", key), *kinds]))
            for step, key in zip(path, keys, strict=True)
        ),
        urlencode([("focus", tool), *opened, *kinds]),
    )
