"""Requests in the graph: put there for tools as they are, and taken out once a tool is another or gone."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.domain.nodes.edge_forms import GENERATED
from app.domain.nodes.models import (
    EdgeForm,
    EdgeKind,
    EdgeRow,
    KeptRequest,
    NodeKind,
    NodeRow,
    Property,
    Provision,
    Source,
    Tool,
    ToolRequest,
)
from app.domain.requests.basis import request_basis
from app.errors import NotReadyError
from app.ports.graph import GraphWriter, WriterLease
from ingest.cards import REQUESTS, sha256

HAS_REQUEST = EdgeForm(NodeKind.TOOL, EdgeKind.HAS_EXAMPLE, NodeKind.EXAMPLE)
_URI = "https://outfitter.invalid/requests"


@dataclass(frozen=True, slots=True)
class RequestCounts:
    """Requests that a run took out of the graph, by tool id, and why."""

    changed: Mapping[str, int]
    """What they were written from is another now: name, title, description, inputs, method or path."""
    gone: Mapping[str, int]
    """The tool is not there any more; the id is that of the time when they were written."""

    @property
    def removed(self) -> int:
        """How many."""
        return sum(self.changed.values()) + sum(self.gone.values())


def has_requests(graph: GraphWriter) -> bool:
    """Whether requests are kept for any tool."""
    return bool(graph.sources([REQUESTS]))


def is_current(kept: Sequence[KeptRequest], tool: Tool) -> bool:
    """Whether requests were written for the tool as it is; where there are no requests, nothing is out of date."""
    return not kept or kept[0].basis == request_basis(tool)


def update_requests(graph: GraphWriter, lease: WriterLease, changed: Collection[str] | None) -> RequestCounts:
    """Take out the requests of tools that are others now or gone.

    Args:
        graph: after the run's nodes are written; requests are kept for some tool.
        lease: writes.
        changed: ids of the tools whose nodes were written; None: any may have been.
    """
    if changed is None:
        changed = [name.id for name in graph.node_names(NodeKind.TOOL)]
    tools = graph.found_tools(sorted(changed))
    of_tool = by_tool(graph.requests_of([tool.id for tool in tools]))
    stale = {
        tool.id: of_tool[tool.id]
        for tool in tools
        if tool.id in of_tool and not is_current(of_tool[tool.id], tool)
    }
    idle = graph.idle_requests()
    gone: defaultdict[str, int] = defaultdict(int)
    for _, was in idle:
        gone[was] += 1
    ids = sorted({one for one, _ in idle}.union(one.id for kept in stale.values() for one in kept))
    if ids:
        lease.remove_nodes(NodeKind.EXAMPLE, ids)
    _leave_if_empty(graph, lease)
    return RequestCounts({tool: len(kept) for tool, kept in stale.items()}, dict(gone))


def put_requests(
    graph: GraphWriter,
    written: Mapping[str, tuple[Tool, Sequence[ToolRequest]]],
    *,
    owner: str,
    lease_wait_s: float,
    at: str,
) -> list[str]:
    """Keep these requests in place of those that their tools had, as one new generation.

    Args:
        graph: to be changed.
        written: Tool id -> the tool that they were written for, and the requests; none take away what it had.
        owner: who does it, for others that wait.
        lease_wait_s: how long another writer is waited for.
        at: when, for the source.

    Returns:
        Ids of tools that are others by now, or gone: nothing is kept for them.

    Raises:
        NotReadyError: an ingest was killed and has to be finished first.
        LeaseHeldError: another writer is at work for longer than that.
    """
    with graph.lease(owner=owner, wait_s=lease_wait_s) as lease:
        if graph.state().writing:
            raise NotReadyError("an ingest was killed before its end; run it again first")
        now = {str(tool.id): request_basis(tool) for tool in graph.found_tools(list(written))}
        passed = [one for one, (tool, _) in written.items() if now.get(one) != request_basis(tool)]
        fresh = {one: requests for one, (_, requests) in written.items() if one not in set(passed)}
        old = [one.id for one in graph.requests_of(list(fresh))]
        if not old and not any(fresh.values()):
            return passed
        lease.begin()
        if old:
            lease.remove_nodes(NodeKind.EXAMPLE, old)
        _put(lease, fresh, now, at=at)
        _leave_if_empty(graph, lease)
        lease.finish()
        return passed


def by_tool(kept: Iterable[KeptRequest]) -> dict[str, list[KeptRequest]]:
    """The requests of each tool."""
    found: defaultdict[str, list[KeptRequest]] = defaultdict(list)
    for one in kept:
        found[one.tool].append(one)
    return dict(found)


def _put(
    lease: WriterLease, fresh: Mapping[str, Sequence[ToolRequest]], bases: Mapping[str, str], *, at: str
) -> None:
    rows: list[NodeRow] = []
    edges: list[EdgeRow] = []
    for tool, requests in fresh.items():
        # Of the time, too: another tool may get this one's id once it is renamed.
        own = sha256(f"{tool}\n{at}")[:16]
        for place, request in enumerate(requests):
            properties: dict[str, Property] = {
                **request.model_dump(),
                "evidence": GENERATED,
                "basis": bases[tool],
                "tool": tool,
            }
            rows.append(NodeRow(id=f"request:{own}:{place:02}", properties=properties))
            edges.append(EdgeRow(source=tool, target=rows[-1].id, properties={"evidence": GENERATED}))
    if not rows:
        return
    lease.put_sources(
        [
            Source(
                id=REQUESTS,
                kind="requests",
                name="generated",
                uri=_URI,
                version="",
                content_hash="",
                synced_at=at,
            )
        ]
    )
    lease.put_nodes(NodeKind.EXAMPLE, rows)
    lease.put_provisions(
        [
            Provision(
                kind=NodeKind.EXAMPLE,
                id=row.id,
                source=REQUESTS,
                content_hash=str(row.properties["basis"]),
                declares=False,
            )
            for row in rows
        ]
    )
    lease.replace_inferred(HAS_REQUEST, remove=[], put=edges)


def _leave_if_empty(graph: GraphWriter, lease: WriterLease) -> None:
    if has_requests(graph) and not graph.provisions([REQUESTS]):
        lease.remove_sources([REQUESTS])
