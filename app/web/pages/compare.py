"""/ui/compare: one request, two rankings side by side. Twin: POST /v1/query twice."""

import time
from typing import Annotated

from pydantic import Field
from starlette.responses import Response

from app.answers.search import QueryAnswer, Role, answer_json
from app.domain.language.visible_text import excerpt
from app.service.waiting import answered
from app.usecases.bounds import MAX_TOP_K
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchMethod, SearchRequest, check_length
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from app.web.addresses import State
from app.web.pages.ask import METHODS, SHOWN, SIZES, found_rows
from app.web.parts.bars import UNITS, kinds_of
from app.web.parts.rankings import ranked_pairs, share_in_common
from app.web.routes import page_router
from app.web.twins import asks
from app.web.visits import Visit, VisitDep

router = page_router()


class CompareState(State):
    """A request and two ways to rank."""

    q: str = ""
    k: Annotated[int, Field(ge=1, le=MAX_TOP_K)] = SHOWN
    a: SearchMethod = SearchMethod.BM25
    b: SearchMethod = SearchMethod.AUTO

    def request(self, method: SearchMethod) -> SearchRequest:
        """The body of a twin."""
        return SearchRequest(query=self.q, top_k=self.k, method=method, explain=True, prerequisites=0)


@router.get("/compare")
@router.get("/compare.json")
async def compare_page(visit: VisitDep) -> Response:
    """Both answers, of one generation."""
    begin = time.perf_counter()
    state = visit.state(CompareState)
    components = visit.components
    if not state.q.strip():
        return await components.memory_workers.run(
            lambda: _drawn(visit, state, None, components.keeper.index)
        )
    check_length("q", state.q, components.limits.max_query_chars)

    def work(graph: ConsistentGraph) -> Response:
        answers = search(state.request(state.a), graph), search(state.request(state.b), graph)
        if visit.as_json:
            return visit.document(b'{"a":%b,"b":%b}' % tuple(answer_json(each, begin) for each in answers))
        return _drawn(visit, state, answers, graph.index)

    return await answered(components, work, what="comparison")


def _drawn(
    visit: Visit, state: CompareState, answers: tuple[QueryAnswer, QueryAnswer] | None, index: SearchIndex
) -> Response:
    found = answers or ()
    ids = [_matches(answer) for answer in found]
    rows = [{row.tool.id: row for row in found_rows(answer, index)} for answer in found]
    return visit.page(
        "compare.html",
        title=f"{excerpt(state.q, length=60)} - Compare" if state.q else "Compare",
        here="ask",
        twins=[asks("query", state.request(method)) for method in (state.a, state.b)] if answers else [],
        state=state,
        methods=METHODS,
        sizes=SIZES,
        pairs=ranked_pairs(*ids) if answers else None,
        share=share_in_common(*ids) if answers else 0.0,
        sides=rows,
        kinds=kinds_of(row.bar for side in rows for row in side.values()),
        units=UNITS,
    )


def _matches(answer: QueryAnswer) -> list[str]:
    return [tool.id for tool in answer.tools if tool.role is Role.MATCH]
