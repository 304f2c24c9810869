"""Find the tools that fit a request."""

from app.domain.ranking import Mask, best, significant
from app.domain.tokens import estimate_tokens
from app.ports import GraphRanker
from app.usecases.explain import Ranking, explain
from app.usecases.filters import allowed_tools
from app.usecases.rankers import rank_auto, rank_bm25, rank_kg_hybrid
from app.usecases.search_index import SearchIndex
from app.usecases.search_values import (
    Match,
    NearReason,
    NearTool,
    Reason,
    SearchAnswer,
    SearchMethod,
    SearchRequest,
    TokenEstimate,
)

NEAREST = 5
MIN_SIMILARITY = 0.2


def search(request: SearchRequest, *, index: SearchIndex, graph: GraphRanker) -> SearchAnswer:
    """The tools that fit a request, best first, from one generation.

    One round trip to the graph. Where the graph is being written, or has another generation than the index,
    the same scores are computed from the index; the answer is that of the index's generation either way.

    Raises:
        InvalidInputError: a filter names a server or category that the catalogue does not have.
        StoreUnavailableError: the graph did not answer.
    """
    allowed = allowed_tools(request.filters, index)
    ranking = _rank(request, index, graph, allowed)
    found = best(ranking.scores, request.top_k, allowed=allowed).tolist()
    reasons = explain(request.query, ranking, found, index) if request.explain else {}
    returned = estimate_tokens(index.definition_bytes[found].tolist())
    return SearchAnswer(
        tools=tuple(_match(position, ranking, index, request, reasons.get(position)) for position in found),
        abstained=not found,
        nearest=() if found else _nearest(request.query, ranking, index, allowed),
        tokens=TokenEstimate(index.catalogue_tokens, returned, index.catalogue_tokens - returned),
        generation=index.generation,
        graph_generation=ranking.graph.generation,
        from_graph=ranking.graph.from_graph,
    )


def _rank(request: SearchRequest, index: SearchIndex, graph: GraphRanker, allowed: Mask | None) -> Ranking:
    if request.method is SearchMethod.BM25:
        return rank_bm25(request.query, index=index, graph=graph)
    if request.method is SearchMethod.KG_HYBRID:
        return rank_kg_hybrid(request.query, index=index, graph=graph, allowed=allowed)
    return rank_auto(request.query, index=index, graph=graph)


def _match(
    position: int,
    ranking: Ranking,
    index: SearchIndex,
    request: SearchRequest,
    why: tuple[Reason, ...] | None,
) -> Match:
    tool = index.catalogue.tools[position]
    return Match(
        id=tool.id,
        server=tool.server,
        name=tool.name,
        title=tool.title,
        description=tool.description,
        score=significant(float(ranking.scores[position])),
        input_schema=tool.input_schema if request.schemas else None,
        why=why,
    )


def _nearest(query: str, ranking: Ranking, index: SearchIndex, allowed: Mask | None) -> tuple[NearTool, ...]:
    """What fits outside the filters, else allowed tools with names that look like the query."""
    outside = best(ranking.scores, NEAREST).tolist() if allowed is not None else []
    if outside:
        return tuple(_near(position, NearReason.OUTSIDE_FILTERS, 1.0, index) for position in outside)
    similarities = index.names.similarities(query)
    similarities[similarities < MIN_SIMILARITY] = 0.0
    return tuple(
        _near(position, NearReason.SIMILAR_NAME, float(similarities[position]), index)
        for position in best(similarities, NEAREST, allowed=allowed).tolist()
    )


def _near(position: int, reason: NearReason, similarity: float, index: SearchIndex) -> NearTool:
    tool = index.catalogue.tools[position]
    return NearTool(tool.id, tool.name, tool.description, reason, round(similarity, 3))
