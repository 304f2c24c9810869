"""What the syncs of a source changed, page by page."""

from dataclasses import dataclass

from app.domain.language.near import near_ones
from app.domain.nodes.models import Source
from app.domain.nodes.syncs import SyncRecord
from app.errors import NotFoundError
from app.ports.graph import GraphExplorer


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """Some records of a source's syncs, the newest first."""

    source: Source
    records: tuple[SyncRecord, ...]
    more: bool
    """Whether older ones are kept."""


def list_changes(
    source_id: str, *, before: int | None = None, limit: int, graph: GraphExplorer
) -> ChangesPage:
    """The newest records of a source that are older than number `before`.

    Raises:
        NotFoundError: the graph has no such source.
    """
    sources = {str(source.id): source for source in graph.sources()}
    if source_id not in sources:
        lists = "GET /v1/sources and `outfitter sources` list all"
        known = near_ones(source_id, sources, cutoff=0.4, otherwise=lists)
        raise NotFoundError(f"no source {source_id!r}; {known}")
    found = [one for one in graph.syncs(source_id) if before is None or one.number < before]
    return ChangesPage(sources[source_id], tuple(found[:limit]), more=len(found) > limit)
