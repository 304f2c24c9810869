"""Find the tools that fit a request."""

import json
import logging
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from app.answers.search import FoundTool, NearbyTool, NearReason, QueryAnswer, Role, TokenSaving, Why
from app.domain.language.visible_text import squeezed, without_hidden
from app.domain.nodes.dependencies import Requirement, prerequisites
from app.domain.nodes.models import ToolId
from app.domain.ranking.documents import estimate_tokens
from app.domain.ranking.formulas import best, significant
from app.domain.ranking.prerequisite_blocks import MIN_CONFIDENCE, BlockPlace, blocks
from app.errors import RerankerError
from app.ports.spans import note, traced
from app.usecases.index.filtered import AllowedTools
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import Filters, Order, SearchMethod, SearchRequest
from app.usecases.rankings.auto_ranking import AutoRanking
from app.usecases.rankings.channels import seen_of
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.rankings.explain import UNREVIEWED
from app.usecases.rankings.first_places import answered
from app.usecases.rankings.fused import confidence_of, explain_fused, fused
from app.usecases.rankings.rankers import rank
from app.usecases.rankings.ranking import Ranking
from app.usecases.rankings.reranked import Reranked, reranked
from app.usecases.rankings.weighed import weighed
from app.usecases.rankings.words_read import words_read

_log = logging.getLogger(__name__)

NEAREST = 5
MIN_SIMILARITY = 0.2


@traced("outfitter.search")
def search(request: SearchRequest, graph: ConsistentGraph, *, rerank: bool = True) -> QueryAnswer:
    """The tools that fit a request, best first, from one generation.

    Every query comes through here, wherever it was asked: it loses hidden characters, which come along when people
    copy from pages, and its white space is squeezed.

    Args:
        request: What is asked.
        graph: What it is asked of, and whom else.
        rerank: Whether the re-ranker is asked, where there is one; it reads the request, not its phrasings.

    Raises:
        InvalidInputError: a filter names a server or category that the catalogue does not have.
        StoreUnavailableError: the graph did not answer, and must.
    """
    index = graph.index
    said = (squeezed(without_hidden(text)) for text in (request.query, *request.phrasings))
    queries = tuple(dict.fromkeys(said))
    allowed = index.allowed(request.filters)
    rankings = [rank(request.method, query, graph, allowed=allowed) for query in queries]
    ranking = weighed(fused(rankings, among=len(index.catalogue.tools)), index, allowed)
    notes = _notes(rankings)
    if rerank and request.method is SearchMethod.AUTO:
        ranking, missing = _reranked(ranking, queries[0], graph, allowed)
        notes += missing
    found = answered(ranking, request.top_k, index, request.filters, allowed)
    reasons = explain_fused(queries, rankings, found, index, graph.view) if request.explain else {}
    if isinstance(ranking, Reranked):
        reasons = ranking.explained(reasons)
    places = _places(request, found, graph, allowed)
    positions = [index.positions[place.tool] for place in places]
    returned = estimate_tokens(graph.view.definition_bytes[positions].tolist())
    whole = graph.view.catalogue_tokens
    matches = set(found)
    confidence = confidence_of(rankings)
    note(method=request.method.value, found=len(found), generation=index.generation)
    return QueryAnswer(
        tools=tuple(
            _match(
                position,
                place,
                ranking,
                index,
                request,
                reasons.get(position) or _unreviewed(position, request, index),
                is_match=position in matches,
            )
            for position, place in zip(positions, places, strict=True)
        ),
        abstained=not found or _abstains(rankings, confidence, index),
        confidence=confidence,
        nearest=() if found else _nearest(queries[0], ranking, graph, request.filters, allowed),
        tokens=TokenSaving(whole, returned, whole - returned),
        generation=index.generation,
        took_ms=0.0,
        lexicon=words_read("\n".join(queries))
        if request.explain and request.method is SearchMethod.AUTO
        else None,
        notes=notes or None,
        from_graph=graph.from_graph,
    )


def _abstains(rankings: Sequence[Ranking], confidence: float | None, index: SearchIndex) -> bool:
    """Whether what was found is no answer. Without a confidence, only where no word leads to any of it."""
    if confidence is not None:
        return confidence < index.recipe.confident
    return all(isinstance(one, AutoRanking) and not one.is_said for one in rankings)


def _notes(rankings: Sequence[Ranking]) -> tuple[str, ...]:
    """What the rankings had to do without."""
    if any(isinstance(one, AutoRanking) and one.lacks_meaning for one in rankings):
        return ("the encoder did not answer: ranked by words and graph alone",)
    return ()


def _reranked(
    ranking: Ranking, query: str, graph: ConsistentGraph, allowed: AllowedTools | None
) -> tuple[Ranking, tuple[str, ...]]:
    """The ranking in the order of the re-ranker, where there is one, else as it was; and what to say of it."""
    try:
        with graph.waiting():
            left_s = graph.patience_s
            return reranked(ranking, query, graph.index, allowed, graph.outside, left_s=left_s), ()
    except RerankerError as error:
        _log.warning("tools stay in the order of their scores", extra={"problem": str(error)})
        return ranking, ("the re-ranker did not answer: in the order of scores",)


def _places(
    request: SearchRequest, found: Sequence[int], graph: ConsistentGraph, allowed: AllowedTools | None
) -> list[BlockPlace]:
    """The matches and what they need, in the order asked for."""
    index = graph.index
    tools = index.catalogue.tools
    matches = [tools[position].id for position in found]
    if not request.prerequisites:
        return [BlockPlace(match, None) for match in matches]

    def unusable(tool: ToolId) -> bool:
        position = index.positions.get(tool)
        return position is None or tools[position].read_only is False

    def is_allowed(tool: ToolId) -> bool:
        position = index.positions.get(tool)
        return position is not None and (allowed is None or allowed.has(position))

    edges_of = {
        consumer: [edge for edge in edges if is_allowed(edge.producer)]
        for consumer, edges in _needed(matches, graph).items()
    }
    places = blocks(matches, edges_of, limit=request.prerequisites, changes=unusable)
    if request.order is Order.BLOCKS:
        return places
    among = set(matches)
    by_tool = {place.tool: place for place in places}
    return [
        *(by_tool[match] for match in matches),
        *(place for place in places if place.tool not in among),
    ]


def _needed(matches: Sequence[ToolId], graph: ConsistentGraph) -> dict[str, list[Requirement]]:
    """Requirements by consumer of everything that the matches need; hidden tools are not walked through."""
    edges_of = graph.visible_requirements
    found: defaultdict[str, list[Requirement]] = defaultdict(list)
    for edge in prerequisites(edges_of, matches, min_confidence=MIN_CONFIDENCE, optional=True):
        found[edge.consumer].append(edge)
    return found


def _unreviewed(position: int, request: SearchRequest, index: SearchIndex) -> tuple[Why, ...] | None:
    """What is there because something needs it has no parts of a score; that nobody has reviewed it is said all the same."""
    return (UNREVIEWED,) if request.explain and index.catalogue.tools[position].reviewed is False else None


def _match(
    position: int,
    place: BlockPlace,
    ranking: Ranking,
    index: SearchIndex,
    request: SearchRequest,
    why: tuple[Why, ...] | None,
    *,
    is_match: bool,
) -> FoundTool:
    tool = index.catalogue.tools[position]
    return FoundTool(
        id=tool.id,
        server=tool.server,
        name=tool.name,
        title=tool.title,
        description=tool.description,
        score=significant(ranking.score(position)),
        role=Role.MATCH if is_match else Role.PREREQUISITE,
        needed_by=place.edge.consumer if place.edge else None,
        parameter=place.edge.parameter or None if place.edge else None,
        input_schema=json.loads(tool.input_schema) if request.schemas and tool.input_schema else None,
        why=why,
        declared=tool.declared,
    )


def _nearest(
    query: str, ranking: Ranking, graph: ConsistentGraph, filters: Filters, allowed: AllowedTools | None
) -> tuple[NearbyTool, ...]:
    """What fits outside the filters, else allowed tools with names that look like the query.

    Whoever wants nothing that nobody reviewed is not offered it either.
    """
    index = graph.index
    wider = Filters(reviewed=filters.reviewed)
    outside = answered(ranking, NEAREST, index, wider, index.allowed(wider)) if allowed is not None else []
    if outside:
        return tuple(_near(position, NearReason.OUTSIDE_FILTERS, 1.0, index) for position in outside)
    similar = seen_of(index.names.similar(query), graph.view)
    scores = np.where(similar.scores < MIN_SIMILARITY, 0.0, similar.scores)
    passed = allowed.at(similar.positions) if allowed is not None else None
    return tuple(
        _near(int(similar.positions[at]), NearReason.SIMILAR_NAME, float(scores[at]), index)
        for at in best(scores, NEAREST, allowed=passed).tolist()
    )


def _near(position: int, reason: NearReason, similarity: float, index: SearchIndex) -> NearbyTool:
    tool = index.catalogue.tools[position]
    return NearbyTool(tool.id, tool.name, tool.description, reason, round(similarity, 3))
