"""Graphs to back up: random ones with every kind of node, form of edge and type of property, and short ways to do it."""

import io
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from app.adapters.graph.store import GraphStore
from app.domain.nodes.edge_forms import EDGE_FORMS, EdgeProperty
from app.domain.nodes.models import (
    EdgeForm,
    EdgeRow,
    Label,
    NodeKind,
    NodeRow,
    Property,
    Provision,
    Source,
    SourceId,
    StatedLabel,
    ToolId,
)
from app.domain.nodes.syncs import Severity, SyncRecord, SyncStatus
from app.domain.review.definitions import ToolDefinition
from app.domain.review.records import Review, sighted
from app.domain.workflows.plans import Plan
from app.usecases.backup.restoring import restore_backup
from app.usecases.backup.taking import BackupReport, take_backup
from tests.fakes import InMemoryGraph

_TEXTS: Final = (
    "refund",
    "Bücher",
    "日本語",
    '"quoted" \\ud800 \\',
    "line\nend",
    "\u2028\u202e",
    "🧺" * 3,
    "x" * 500,
    "",
)
_NUMBERS: Final = {EdgeProperty.WEIGHT, EdgeProperty.CONFIDENCE}
_COUNTS: Final = {EdgeProperty.POSITION, EdgeProperty.RANK}


class Quiet:
    """Fits `BackupProgress`; shows nothing."""

    def begin(self, step: str, total: int) -> None:
        """Nothing."""

    def advance(self, units: int) -> None:
        """Nothing."""


def fill(graph: InMemoryGraph | GraphStore, rng: random.Random, *, nodes: int = 4) -> None:
    """A random graph: every kind of node, most forms of edges, some of them several times between two nodes."""
    graph.apply_schema()
    names = ("manifest:s0", "taxonomy:words", "requests:generated")
    sources = [_source(rng, name) for name in names[: rng.randint(1, 3)]]
    with graph.lease(owner="tests:1:fill", wait_s=1) as lease:
        lease.begin()
        lease.put_sources(sources)
        ids = {
            kind: [f"{kind.lower()}/{rng.choice('aäb漢')}{at}" for at in range(nodes)] for kind in NodeKind
        }
        for kind, found in ids.items():
            lease.put_nodes(kind, [_node(rng, kind, one) for one in found])
        for form in EDGE_FORMS:
            rows = [_edge(rng, form, ids) for _ in range(rng.randint(0, nodes))]
            lease.put_edges(form, rows)
        lease.put_provisions(
            [
                _provision(rng, kind, one, source.id)
                for kind, found in ids.items()
                for one in found
                for source in sources
                if rng.random() < 0.6
            ]
        )
        lease.put_reviews(
            [_review(rng, f"tool/r{at}", rng.choice(sources).id) for at in range(rng.randint(0, nodes))]
        )
        lease.put_syncs(
            [_record(rng, source.id, number) for source in sources for number in range(1, rng.randint(1, 4))]
        )
        lease.finish()


def backed_up(graph: InMemoryGraph | GraphStore) -> bytes:
    """The lines of a backup."""
    file = io.BytesIO()
    take_backup(graph, file.write, owner="tests:1:backup", lease_wait_s=1, progress=Quiet())  # type: ignore[arg-type]
    return file.getvalue()


def restored(graph: InMemoryGraph | GraphStore, data: bytes) -> BackupReport:
    """Fill a graph from the lines of a backup."""

    @contextmanager
    def opened() -> Iterator[Iterator[bytes]]:
        yield iter(io.BytesIO(data))

    return restore_backup(graph, opened, owner="tests:1:restore", lease_wait_s=1, progress=Quiet())


def _source(rng: random.Random, source_id: str) -> Source:
    kind, _, name = source_id.partition(":")
    return Source(
        id=SourceId(source_id),
        kind=kind,
        name=name,
        uri=f"/data/{name}.json",
        version=rng.choice(_TEXTS[:3]),
        content_hash="h",
        synced_at="2026-11-21T00:00:00Z",
        healthy=rng.random() < 0.5,
    )


def _node(rng: random.Random, kind: NodeKind, node_id: str) -> NodeRow:
    properties: dict[str, Property] = {"name": rng.choice(_TEXTS), "description": rng.choice(_TEXTS)}
    if kind is NodeKind.TOOL:
        properties |= {
            "server": "s0",
            "read_only": rng.choice((True, False, None)),
            "deprecated": False,
            "declared": rng.random() < 0.2,
            "former_ids": [f"old{at}" for at in range(rng.randint(0, 3))],
            "input_schema": '{"type":"object"}',
        }
    elif kind is NodeKind.EXAMPLE:
        said = {"language": "en", "model": "m", "at": "2026-11-21T00:00:00Z", "basis": "b"}
        properties = {"text": rng.choice(_TEXTS[:3]), "evidence": "generated", "tool": "tool/a0", **said}
    elif kind is NodeKind.WORKFLOW:
        document = Plan(goal=rng.choice(_TEXTS[:3]), steps=()).model_dump_json()
        properties = {"name": "kept", "goal": "x", "document": document, "broken": rng.random() < 0.5}
    else:
        properties |= {"tags": [rng.choice(_TEXTS) for _ in range(rng.randint(0, 3))]}
    return NodeRow(id=node_id, properties=properties)


def _edge(rng: random.Random, form: EdgeForm, ids: dict[NodeKind, list[str]]) -> EdgeRow:
    properties: dict[str, Property] = {}
    for name in EDGE_FORMS[form].properties:
        if name in _NUMBERS:
            properties[name] = rng.choice((1.0, 0.5, rng.random()))
        elif name in _COUNTS:
            properties[name] = rng.randint(0, 2**40)
        elif name is EdgeProperty.EVIDENCE:
            properties[name] = rng.choice(sorted(EDGE_FORMS[form].inferred) or ["taxonomy"])
        elif name is EdgeProperty.OPTIONAL:
            properties[name] = rng.random() < 0.5
        else:
            properties[name] = rng.choice(_TEXTS)
    return EdgeRow(
        source=rng.choice(ids[form.source]), target=rng.choice(ids[form.target]), properties=properties
    )


def _provision(rng: random.Random, kind: NodeKind, node_id: str, source: SourceId) -> Provision:
    is_tool, is_taxonomy = kind is NodeKind.TOOL, source.startswith("taxonomy:")
    return Provision(
        kind=kind,
        id=node_id,
        source=source,
        content_hash=f"{rng.random()}",
        declares=rng.random() < 0.3,
        not_requires=("tool/a0",) if rng.random() < 0.3 else (),
        labels=(StatedLabel(label=Label.PRIVATE_DATA),)
        if is_tool and is_taxonomy and rng.random() < 0.5
        else (),
        named=rng.choice(("", "a")) if is_tool else "",
    )


def _review(rng: random.Random, tool_id: str, source: SourceId) -> Review:
    """Below full trust: pending, or agreed to and changed since."""
    seen = ToolDefinition({"name": rng.choice(_TEXTS), "description": rng.choice(_TEXTS)})
    found = sighted(
        None,
        ToolDefinition({"name": "first"}),
        tool_id=ToolId(tool_id),
        source=source,
        at="2026-11-21T00:00:00Z",
        findings=(),
        accept=rng.random() < 0.5,
    )
    return sighted(
        found,
        seen,
        tool_id=ToolId(tool_id),
        source=source,
        at="2026-11-22T00:00:00Z",
        findings=(),
        accept=False,
    )


def _record(rng: random.Random, source: SourceId, number: int) -> SyncRecord:
    return SyncRecord(
        source=source,
        number=number,
        at=f"2026-11-21T00:00:0{number}Z",
        status=SyncStatus.CHANGED,
        generation=number,
        severity=rng.choice((None, Severity.BREAKING)),
        problem=rng.choice(_TEXTS[:3]),
    )
