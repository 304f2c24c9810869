"""Inferred dependencies to be read by people: a sample of the surest ones, drawn by a seed."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.domain.nodes.models import Tool
from bench.sets import jentic
from bench.sets.datasets import require
from bench.sets.openapi_tools import read_tools
from ingest.enrich.requires.dependencies import infer_dependencies
from ingest.sources.openapi.files import SUFFIXES

MEDIUM, HIGH = 0.625, 0.78
"""Confidence from which on an edge is of the medium or of the high tier."""


@dataclass(frozen=True, slots=True)
class SampledEdge:
    """An edge, and the calls at its ends."""

    set: str
    consumer: str
    consumer_call: str
    parameter: str
    required: bool
    producer: str
    producer_call: str
    field: str
    evidence: str
    tier: str


def sample_edges(data: Path, *, count: int, seed: int) -> list[SampledEdge]:
    """First producers of inputs, of the tiers high and medium: half from large documents, half from held-out ones.

    Half of `count` from the documents of `openapi/specs`, the rest from half 1 of the Jentic documents.
    """
    folder = require(data, "openapi", "specs")
    documents = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES)
    large = [tool for path in documents for tool in read_tools(path, server=path.stem)]
    held_out = [
        tool for vendor, tools in jentic.vendors(data).items() if jentic.half(vendor) == 1 for tool in tools
    ]
    chance = random.Random(seed)  # noqa: S311  # a published sample, no secret
    return [
        *_drawn("specs", large, count // 2, chance),
        *_drawn("jentic half 1", held_out, count - count // 2, chance),
    ]


def _drawn(name: str, tools: Sequence[Tool], count: int, chance: random.Random) -> list[SampledEdge]:
    by_id = {tool.id: tool for tool in tools}
    edges = [
        edge for edge in infer_dependencies(tools).requires if edge.rank == 1 and edge.confidence >= MEDIUM
    ]
    drawn = chance.sample(edges, min(count, len(edges)))
    return [
        SampledEdge(
            name,
            edge.consumer,
            _call(by_id[edge.consumer]),
            edge.parameter,
            edge.required,
            edge.producer,
            _call(by_id[edge.producer]),
            edge.field,
            edge.evidence.value,
            "high" if edge.confidence >= HIGH else "medium",
        )
        for edge in drawn
    ]


def _call(tool: Tool) -> str:
    return f"{tool.method} {tool.path}"
