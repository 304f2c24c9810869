"""GET /v1/sources."""

from fastapi import APIRouter

from app.api.components import ComponentsDep
from app.api.graph_calls import ask_graph
from app.api.problems import documented
from app.usecases.source_documents import SourcesAnswer, sources_answer

router = APIRouter(prefix="/v1", tags=["sources"])


@router.get("/sources", summary="What was ingested", responses=documented(401, 503))
async def read_sources(components: ComponentsDep) -> SourcesAnswer:
    """Every source with what it provides, as the graph has it now."""
    found = await ask_graph(components, lambda explorer: explorer.source_counts())
    return sources_answer(found)
