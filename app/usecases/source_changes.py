"""What the syncs of a source changed, page by page."""

from app.answers.sources import ChangesAnswer
from app.domain.language.near import near_ones
from app.domain.language.visible_text import visible
from app.errors import NotFoundError
from app.ports.graph import GraphExplorer


def list_changes(
    source_id: str, *, before: int | None = None, limit: int, graph: GraphExplorer
) -> ChangesAnswer:
    """The newest records of a source that are older than number `before`.

    Raises:
        NotFoundError: the graph has no such source.
    """
    sources = {str(source.id): source for source in graph.sources()}
    if source_id not in sources:
        lists = "GET /v1/sources and `outfitter sources` list all"
        known = near_ones(source_id, sources, cutoff=0.4, otherwise=lists)
        raise NotFoundError(f"no source {source_id!r}; {known}")
    source = sources[source_id]
    found = [one for one in graph.syncs(source_id) if before is None or one.number < before]
    return ChangesAnswer(
        source=source.id,
        healthy=source.healthy,
        problem=visible(source.problem),
        problem_said=source.problem_said,
        problem_at=source.problem_at,
        changes=tuple(found[:limit]),
        next_cursor=str(found[limit - 1].number) if len(found) > limit else None,
    )
