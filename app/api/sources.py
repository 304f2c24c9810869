"""GET /v1/sources."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from app.api.components import ComponentsDep
from app.api.graph_calls import ask_graph
from app.api.problems import documented
from app.domain.graph_views import SourceCounts
from app.domain.models import NodeKind

router = APIRouter(prefix="/v1", tags=["sources"])


class SourceEntry(BaseModel):
    """One thing that was ingested."""

    id: Annotated[str, Field(description="`kind:name`.", examples=["manifest:orders"])]
    kind: Annotated[str, Field(examples=["manifest"])]
    name: str
    uri: str
    version: str
    content_hash: Annotated[
        str, Field(description="SHA-256 of the document; empty when some of its items were rejected.")
    ]
    synced_at: Annotated[str, Field(description="UTC, ISO 8601.")]
    nodes: Annotated[dict[NodeKind, int], Field(description="How many nodes of each kind it provides.")]
    declared: Annotated[int, Field(description="How many of its tools it only names.")]


class SourcesAnswer(BaseModel):
    """All sources, by id."""

    sources: list[SourceEntry]


@router.get("/sources", summary="What was ingested", responses=documented(401, 503))
async def read_sources(components: ComponentsDep) -> SourcesAnswer:
    """Every source with what it provides, as the graph has it now."""
    found = await ask_graph(components, lambda explorer: explorer.source_counts())
    return SourcesAnswer(sources=[_entry(counts) for counts in found])


def _entry(counts: SourceCounts) -> SourceEntry:
    source = counts.source
    return SourceEntry(
        id=source.id,
        kind=source.kind,
        name=source.name,
        uri=source.uri,
        version=source.version,
        content_hash=source.content_hash,
        synced_at=source.synced_at,
        nodes=dict(counts.nodes),
        declared=counts.declared,
    )
