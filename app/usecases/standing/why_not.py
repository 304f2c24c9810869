"""Why a tool is not in the answer to a request: which case it is, what the tools above have, what would help."""

from collections.abc import Mapping, Sequence

from app.answers.search import ReasonKind, Why
from app.answers.standing import ExplainAnswer, Lack, Remedy, RemedyKind, StandingCase, ToolStanding
from app.domain.language.text import auto_terms, reference_terms
from app.domain.language.visible_text import squeezed, without_hidden
from app.domain.ranking.formulas import significant
from app.usecases.cards import near_tools
from app.usecases.index.filtered import AllowedTools
from app.usecases.questions import ExplainRequest, Filters
from app.usecases.rankings.auto_ranking import AutoRanking
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.rankings.explain import explain, with_review
from app.usecases.rankings.first_places import answered
from app.usecases.rankings.rankers import rank
from app.usecases.rankings.ranking import Ranking
from app.usecases.rankings.reranked import Reranked
from app.usecases.rankings.weighed import weighed
from app.usecases.standing.remedies import remedies_for

_LACKS = 8
"""Parts of the tools above that are named; the rest are smaller."""
_PATHS = frozenset({ReasonKind.METHOD, ReasonKind.NEIGHBOUR, ReasonKind.TEMPLATE, ReasonKind.CONCEPT})
_Part = tuple[ReasonKind, str]
"""What two tools may both have a part of: a kind, and the word or the node where a path begins."""


def why_not(request: ExplainRequest, graph: ConsistentGraph) -> ExplainAnswer:
    """Where each of these tools stands in the answer that `search` gives to the same request and filters.

    The work is that of one search which explains as many tools as are asked about, and those of its answer. A tool
    that the view hides is unknown, and so are its methods, its words and its place: nothing is counted over it.

    Raises:
        InvalidInputError: a filter names a server or category that the catalogue does not have.
        StoreUnavailableError: the graph did not answer, and must.
    """
    index = graph.index
    query = squeezed(without_hidden(request.query))
    allowed = index.allowed(request.filters)
    ranking = rank(request.method, query, graph, allowed=allowed)
    placed = weighed(ranking, index, allowed)
    order = answered(placed, len(index.catalogue.tools), index, request.filters, allowed)
    found = order[: request.top_k]
    positions = {tool: at for tool in request.tools if (at := _position(tool, graph)) is not None}
    explained = explain(query, ranking, list({*found, *positions.values()}), index, graph.view)
    if isinstance(placed, Reranked):
        explained = placed.explained(explained)
    reasons = with_review(explained, index.catalogue.tools)
    one = _Asked(query, request.filters, ranking, order, found, reasons, graph)
    return ExplainAnswer(
        tools=tuple(
            one.standing(positions[tool], allowed) if tool in positions else unknown_tool(tool, graph)
            for tool in request.tools
        ),
        allowed=_count(allowed, graph),
        cut=significant(ranking.score(found[-1])) if found else None,
        generation=index.generation,
        took_ms=0.0,
    )


def unknown_tool(tool_id: str, graph: ConsistentGraph) -> ToolStanding:
    """What can be said of an id that no visible tool has."""
    near = tuple(near_tools(tool_id, index=graph.index, view=graph.view))
    return ToolStanding(id=tool_id, case=StandingCase.UNKNOWN, near=near)


def _position(tool_id: str, graph: ConsistentGraph) -> int | None:
    position = graph.index.positions.get(tool_id)
    visible = graph.view.visible
    return position if position is not None and (visible is None or visible[position]) else None


def _count(allowed: AllowedTools | None, graph: ConsistentGraph) -> int:
    visible = graph.view.visible
    if allowed is None:
        return len(graph.index.catalogue.tools) if visible is None else int(visible.sum())
    there = allowed.everywhere()
    return int(there.size if visible is None else visible[there].sum())


class _Asked:
    """One request with its ranking."""

    def __init__(
        self,
        query: str,
        filters: Filters,
        ranking: Ranking,
        order: Sequence[int],
        found: Sequence[int],
        reasons: Mapping[int, tuple[Why, ...]],
        graph: ConsistentGraph,
    ) -> None:
        self._query = query
        self._filters = filters
        self._ranking = ranking
        self._places = {one: place for place, one in enumerate(order, start=1)}
        self._found = found
        self._reasons = reasons
        self._graph = graph

    def standing(self, position: int, allowed: AllowedTools | None) -> ToolStanding:
        """That of one tool of the catalogue."""
        tool = self._graph.index.catalogue.tools[position]
        place = self._places.get(position)
        outside = self._outside(position) if allowed is not None else ()
        case = self._case(position, place, outside=bool(outside), declared=tool.declared)
        above = [one for one in self._found if one != position]
        if position in self._found:
            above = above[: self._found.index(position)]
        lacks = () if outside else self._lacks(position, above)
        return ToolStanding(
            id=tool.id,
            case=case,
            place=place,
            score=significant(self._ranking.score(position)),
            why=self._reasons.get(position, ()),
            filters=outside or None,
            missing_words=self._missing(position),
            lacks=lacks,
            remedies=self._remedies(position, case, outside, lacks),
        )

    def _case(self, position: int, place: int | None, *, outside: bool, declared: bool) -> StandingCase:
        if position in self._found:
            return StandingCase.FOUND
        if outside:
            return StandingCase.OUTSIDE_FILTERS
        if declared:
            return StandingCase.DECLARED
        return StandingCase.NOT_REACHED if place is None else StandingCase.BELOW_CUT

    def _outside(self, position: int) -> tuple[str, ...]:
        """The filters that leave a tool out, each looked at alone."""
        index, found = self._graph.index, []
        for name in Filters.model_fields:
            alone = index.allowed(Filters.model_validate({name: getattr(self._filters, name)}))
            if alone is not None and not alone.has(position):
                found.append(name)
        return tuple(found)

    def _lacks(self, position: int, above: Sequence[int]) -> tuple[Lack, ...]:
        """Of each part that a tool above has, how much more the one has that has most of it."""
        own = _by_part(self._reasons.get(position, ()))
        most: dict[_Part, tuple[float, int, Why]] = {}
        for one in above:
            for part, (value, why) in _by_part(self._reasons.get(one, ())).items():
                if part not in most or value > most[part][0]:
                    most[part] = value, one, why
        tools = self._graph.index.catalogue.tools
        lacks = [
            Lack(significant(gap), tools[one].id, why)
            for part, (value, one, why) in most.items()
            if (gap := value - own.get(part, (0.0, why))[0]) > 0
        ]
        lacks.sort(key=lambda lack: (-lack.gap, lack.why.kind, lack.why.term or "", lack.tool))
        return tuple(lacks[:_LACKS])

    def _missing(self, position: int) -> tuple[str, ...]:
        """Words of the request of which no term stands in a tool's texts, each once."""
        index = self._graph.index
        if isinstance(self._ranking, AutoRanking):
            held, terms_of = set(index.document(position).terms.tolist()), auto_terms
        else:
            held, terms_of = set(index.reference_document(position).tolist()), reference_terms
        vocabulary = index.analyses.vocabulary
        words = (word.strip(".,;:!?\"'()[]") for word in self._query.split())
        return tuple(
            word
            for word in dict.fromkeys(words)
            if (terms := terms_of(word)) and not any(vocabulary.get(term) in held for term in terms)
        )

    def _remedies(
        self, position: int, case: StandingCase, outside: tuple[str, ...], lacks: Sequence[Lack]
    ) -> tuple[Remedy, ...]:
        if outside:
            return (Remedy(RemedyKind.FILTERS, f"the request without the filter {' and '.join(outside)}"),)
        if case is StandingCase.FOUND:
            return ()
        methods = [
            lack.why.path[0].id for lack in lacks if lack.why.kind is ReasonKind.METHOD and lack.why.path
        ]
        return remedies_for(position, self._query, self._graph.index, found_by=methods)


def _by_part(reasons: Sequence[Why]) -> dict[_Part, tuple[float, Why]]:
    """Of each part the sum of a tool's reasons, and the largest of them."""
    found: dict[_Part, tuple[float, Why]] = {}
    for why in reasons:
        path = why.path if why.kind in _PATHS else None
        part = why.kind, path[0].id if path else why.term or ""
        value, first = found.get(part, (0.0, why))
        found[part] = value + why.contribution, first
    return found
