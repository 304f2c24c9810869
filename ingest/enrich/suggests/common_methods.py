"""Keep the methods of the common taxonomy, and what they suggest, at what the tools say of themselves."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.domain.linking.method_links import MethodLink, MethodMatcher
from app.domain.nodes.edge_forms import GUESSED
from app.domain.nodes.models import (
    EdgeForm,
    EdgeKind,
    EdgeRow,
    Method,
    NodeKind,
    NodeRow,
    Property,
    Provision,
    Source,
    Tool,
)
from app.ports.graph import GraphWriter, WriterLease
from ingest.cards import COMMON, canonical_json, sha256
from ingest.diff.changes import Changes
from ingest.enrich.read_tools import ReadTools
from ingest.sources.taxonomy.common import CommonTaxonomy

SUGGESTS = EdgeForm(NodeKind.METHOD, EdgeKind.SUGGESTS, NodeKind.TOOL)
_IMPLEMENTS = EdgeForm(NodeKind.METHOD, EdgeKind.IMPLEMENTS, NodeKind.TOOL)
_URI = "https://outfitter.invalid/taxonomies/common"
_KEPT = ("name", "description", "tags", "examples")
"""What a node keeps of its method."""


@dataclass(frozen=True, slots=True)
class SuggestionCounts:
    """What common methods suggest of the servers that were looked at, and what of it was new."""

    tools: int
    """Tools that were looked at."""
    suggested: int
    """Those of them that a method suggests."""
    created: int
    removed: int


def is_current(sources: Iterable[Source], common: CommonTaxonomy | None) -> bool:
    """Whether all that is suggested in the graph is by this taxonomy; without one, whether nothing is."""
    stored = next((source for source in sources if source.id == COMMON), None)
    if stored is None or common is None:
        return stored is None and common is None
    return stored.content_hash == common.version


def servers_to_link(changes: Changes, changed: Collection[str] | None) -> Collection[str] | None:
    """Servers whose tools are linked again: those that changed, all where a taxonomy's methods did."""
    methods = any(kind is NodeKind.METHOD for kind, _ in (*changes.nodes, *changes.cleared))
    return None if methods or changes.removed.get(NodeKind.METHOD) else changed


def update_suggestions(
    graph: GraphWriter,
    lease: WriterLease,
    servers: Collection[str] | None,
    common: CommonTaxonomy | None,
    *,
    tools: ReadTools,
    at: str,
) -> SuggestionCounts:
    """Link the tools of these servers again, and write what differs.

    All methods are there as long as there are tools, those that suggest nothing among them: what fits a request better
    than any method that suggests a tool says that no tool does it.

    A tool that a method of an operator's taxonomy is implemented by is left to that, and so is a method whose id an
    operator's taxonomy has. What a taxonomy rules out is not suggested.

    Args:
        graph: after the run's nodes, edges and provisions are written.
        lease: writes.
        servers: None: all.
        common: None: everything goes.
        tools: of the graph.
        at: when, for the source.
    """
    is_stored = bool(graph.sources([COMMON]))
    known = {one.id: one for one in graph.provisions([COMMON])} if is_stored else {}
    if common is None:
        servers = None
    near = tools.others(()) if servers is None else tools.of_servers(servers)
    there = _there(graph, servers, near)
    methods = {} if common is None else {str(method.id): method for method in common.methods()}
    taken = {
        one.id for one in graph.providers(NodeKind.METHOD, sorted({*methods, *known})) if one.source != COMMON
    }
    methods = {id_: method for id_, method in methods.items() if id_ not in taken}
    if not near and not graph.node_names(NodeKind.TOOL):
        methods = {}
    links = _links(graph, near, methods.values(), common) if common and methods else []
    wanted = {(str(link.method), str(link.tool)): link.confidence for link in links}
    remove = [pair for pair, confidence in there.items() if wanted.get(pair) != confidence]
    put = [_row(pair, confidence) for pair, confidence in wanted.items() if there.get(pair) != confidence]
    if common is not None:
        _put_methods(lease, common, methods.values(), known, at=at)
    lease.replace_inferred(SUGGESTS, remove=remove, put=put)
    if released := sorted(taken & known.keys()):
        lease.remove_provisions(COMMON, NodeKind.METHOD, released)
    if gone := [method for method in graph.idle_methods() if method not in methods]:
        lease.remove_nodes(NodeKind.METHOD, gone)
    if common is None and is_stored:
        lease.remove_sources([COMMON])
    return SuggestionCounts(
        tools=len(near),
        suggested=len({tool for _, tool in wanted}),
        created=len(put),
        removed=len(remove),
    )


def _there(
    graph: GraphWriter, servers: Collection[str] | None, tools: Sequence[Tool]
) -> dict[tuple[str, str], float]:
    if servers is None:
        found = graph.edge_pairs(SUGGESTS, stated=False)
    else:
        found = graph.suggestions([tool.id for tool in tools])
    return {(method, tool): confidence for method, tool, confidence in found}


def _links(
    graph: GraphWriter, tools: Iterable[Tool], methods: Iterable[Method], common: CommonTaxonomy
) -> list[MethodLink]:
    implemented = {tool for _, tool, _ in graph.edge_pairs(_IMPLEMENTS, stated=True)}
    tools = [tool for tool in tools if not tool.declared and tool.id not in implemented]
    refuted = graph.refuted([tool.id for tool in tools])
    links = MethodMatcher(list(methods)).links([tool for tool in tools if common.accepts(tool.server)])
    return [link for link in links if (link.method, link.tool) not in refuted]


def _row(pair: tuple[str, str], confidence: float) -> EdgeRow:
    properties: dict[str, Property] = {"weight": confidence, "confidence": confidence, "evidence": GUESSED}
    return EdgeRow(source=pair[0], target=pair[1], properties=properties)


def _put_methods(
    lease: WriterLease,
    common: CommonTaxonomy,
    methods: Iterable[Method],
    known: Mapping[str, Provision],
    *,
    at: str,
) -> None:
    """Write the methods that are not in the graph as they are."""
    lease.put_sources(
        [
            Source(
                id=COMMON,
                kind="common",
                name="outfitter",
                uri=_URI,
                version="",
                content_hash=common.version,
                synced_at=at,
            )
        ]
    )
    rows: list[NodeRow] = []
    provisions: list[Provision] = []
    for method in methods:
        properties = method.model_dump(mode="json", include=set(_KEPT)) | {"common": True}
        digest = sha256(canonical_json(properties))
        if method.id in known and known[method.id].content_hash == digest:
            continue
        rows.append(NodeRow(id=method.id, properties=properties))
        provisions.append(
            Provision(kind=NodeKind.METHOD, id=method.id, source=COMMON, content_hash=digest, declares=False)
        )
    if rows:
        lease.put_nodes(NodeKind.METHOD, rows)
        lease.put_provisions(provisions)
