"""Ingest for tests: documents on disk, runs with default bounds, and what is in a graph afterwards."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from click.testing import Result

from app.adapters.graph.store import GraphStore
from app.domain.language.accepted_text import TextLimits
from app.domain.nodes.edge_forms import SIMILAR_FORMS, STATED_FORMS
from app.domain.nodes.models import NodeKind, SourceId
from ingest.run.pipeline import run_ingest
from ingest.run.report import Report
from ingest.run.request import Bounds, IngestRequest
from ingest.sources.files import IngestInput, file_input, manifest_inputs
from tests.fakes import InMemoryGraph

Graph: TypeAlias = GraphStore | InMemoryGraph
Dump: TypeAlias = dict[str, set[tuple[Any, ...]]]
Run: TypeAlias = Callable[..., Result]
"""A command with its arguments."""

BOUNDS = Bounds(TextLimits(100_000, 1_000_000), max_file_bytes=64_000_000, lease_wait_s=5.0)


def tool(name: str, description: str = "", **fields: object) -> dict[str, object]:
    """A tool as tools/list has it."""
    return {
        "name": name,
        "description": description or f"Does {name}.",
        "inputSchema": {"type": "object"},
        **fields,
    }


def manifest(folder: Path, server: str, *tools: dict[str, object]) -> IngestInput:
    """A manifest file, written anew."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{server}.json"
    path.write_text(json.dumps({"tools": tools}))
    return file_input("manifest", path)


def taxonomy(folder: Path, name: str, **sections: object) -> IngestInput:
    """A taxonomy file, written anew; JSON, which is YAML too."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.yaml"
    path.write_text(json.dumps({"version": 1, **sections}))
    return file_input("taxonomy", path)


def ingest(graph: Graph, *inputs: IngestInput, **options: Any) -> Report:
    """A run."""
    return run_ingest(graph, IngestRequest(inputs, **options), owner="tests:1:0", bounds=BOUNDS)


def ingest_folder(graph: Graph, folder: Path, **options: Any) -> Report:
    """A run over a folder of manifests."""
    return ingest(graph, *manifest_inputs([folder]), folders=[folder], **options)


def remove(graph: Graph, *sources: str, **options: Any) -> Report:
    """A run that takes sources away."""
    return ingest(graph, removals=[SourceId(source) for source in sources], **options)


def dump(graph: Graph) -> Dump:
    """All that sources, nodes and edges are, without times and generations."""
    catalogue = graph.catalogue()
    cards: Iterable[tuple[str, Sequence[Any]]] = (
        ("tools", catalogue.tools),
        ("methods", catalogue.methods),
        ("templates", catalogue.templates),
        ("concepts", catalogue.concepts),
        ("generators", catalogue.generators),
        ("categories", catalogue.categories),
    )
    found: Dump = {
        "sources": {(one.id, one.version, one.content_hash != "") for one in graph.sources()},
        "provisions": {
            (one.source, one.kind.value, one.id, one.content_hash, one.declares, one.not_requires, one.named)
            for one in graph.provisions([source.id for source in graph.sources()])
        },
        "names": {(kind.value, one.id, one.name) for kind in NodeKind for one in graph.node_names(kind)},
    }
    for name, values in cards:
        found[name] = {(one.model_dump_json(),) for one in values}
    for form in STATED_FORMS:
        found[f"{form.source}-{form.kind}-{form.target}"] = set(graph.edge_pairs(form, stated=True))
    for form in SIMILAR_FORMS:
        pairs = graph.edge_pairs(form, stated=False)
        found[f"{form.source} by structure"] = {
            (one, other, round(weight, 6)) for one, other, weight in pairs
        }
    return found


def tools(graph: Graph) -> set[tuple[str, bool]]:
    """(id, whether only declared) of all tools."""
    return {(one.id, one.declared) for one in graph.node_names(NodeKind.TOOL)}


def rejected(report: Report) -> list[str]:
    """What a run rejected, as text."""
    return [f"{one.item}: {one.reason}" for outcome in report.outcomes for one in outcome.rejected]
