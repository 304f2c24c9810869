"""Short ways to say what is written."""

from app.domain.nodes.models import (
    EdgeForm,
    EdgeKind,
    EdgeRow,
    NodeKind,
    NodeRow,
    Property,
    Provision,
    Source,
    SourceId,
)

TOOL, METHOD, TEMPLATE, CONCEPT = NodeKind.TOOL, NodeKind.METHOD, NodeKind.TEMPLATE, NodeKind.CONCEPT
GENERATOR, CATEGORY, EXAMPLE = NodeKind.GENERATOR, NodeKind.CATEGORY, NodeKind.EXAMPLE

IMPLEMENTS = EdgeForm(METHOD, EdgeKind.IMPLEMENTS, TOOL)
SUGGESTS = EdgeForm(METHOD, EdgeKind.SUGGESTS, TOOL)
SIMILAR = EdgeForm(METHOD, EdgeKind.SIMILAR, METHOD)
ENHANCES = EdgeForm(METHOD, EdgeKind.ENHANCES, METHOD)
USES_TOOL = EdgeForm(TEMPLATE, EdgeKind.USES, TOOL)
GENERATOR_USES = EdgeForm(GENERATOR, EdgeKind.USES, TOOL)
RELATED_TO = EdgeForm(CONCEPT, EdgeKind.RELATED_TO, METHOD)
HAS_EXAMPLE = EdgeForm(METHOD, EdgeKind.HAS_EXAMPLE, EXAMPLE)
METHOD_IN = EdgeForm(METHOD, EdgeKind.BELONGS_TO, CATEGORY)
TOOL_IN = EdgeForm(TOOL, EdgeKind.BELONGS_TO, CATEGORY)
TOOL_REQUIRES = EdgeForm(TOOL, EdgeKind.REQUIRES, TOOL)

TAXONOMY = SourceId("taxonomy:house")
MANIFEST = SourceId("manifest:web")


def node(node_id: str, **properties: Property) -> NodeRow:
    """A node."""
    return NodeRow(id=node_id, properties=properties)


def edge(source: str, target: str, **properties: Property) -> EdgeRow:
    """An edge."""
    return EdgeRow(source=source, target=target, properties=properties)


def stated(source: str, target: str, weight: float = 1.0) -> EdgeRow:
    """A SIMILAR edge that a taxonomy states."""
    return edge(source, target, weight=weight, reason="taxonomy", confidence=1.0, evidence="taxonomy")


def inferred(source: str, target: str, weight: float) -> EdgeRow:
    """A SIMILAR edge that the fingerprints gave."""
    return edge(source, target, weight=weight, reason="structure", confidence=weight, evidence="structure")


def suggested(method: str, tool: str, confidence: float) -> EdgeRow:
    """A SUGGESTS edge."""
    return edge(method, tool, weight=confidence, confidence=confidence, evidence="inferred")


def source(source_id: str, content_hash: str = "") -> Source:
    """A source."""
    kind, _, name = source_id.partition(":")
    return Source(
        id=SourceId(source_id),
        kind=kind,
        name=name,
        uri=f"/data/{name}",
        version="1",
        content_hash=content_hash,
        synced_at="2026-11-21T00:00:00Z",
    )


def provides(
    source_id: str, kind: NodeKind, node_id: str, content_hash: str = "h", *, declares: bool = False
) -> Provision:
    """A provision."""
    return Provision(
        kind=kind, id=node_id, source=SourceId(source_id), content_hash=content_hash, declares=declares
    )
