"""/ui/ask: the tools that fit a request, and why. Twins: POST /v1/query with `explain`, POST /v1/explain
for a tool that was expected, and GET /v1/facets for the filters."""

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated
from urllib.parse import urlencode

from pydantic import Field, field_validator
from starlette.responses import Response

from app.answers.search import FoundTool, QueryAnswer, Role, milliseconds_since
from app.answers.standing import ExplainAnswer
from app.domain.audit.events import SearchStep
from app.domain.language.visible_text import excerpt
from app.domain.nodes.models import Tool
from app.domain.schemas.tool_formats import ToolFormat
from app.errors import InvalidInputError
from app.service.given import Asker, note_given
from app.service.waiting import answered
from app.usecases.bounds import MAX_TOP_K
from app.usecases.browse.facets import facets
from app.usecases.formats import formatted_json
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import ExplainRequest, Filters, SearchMethod, SearchRequest, check_length
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from app.usecases.standing.why_not import why_not
from app.web.addresses import State
from app.web.parts.bars import UNITS, ScoreBar, WhyGroup, score_bars, why_groups
from app.web.routes import page_router
from app.web.twins import asks, reads
from app.web.visits import Visit, VisitDep

router = page_router()
SHOWN = 10
"""Tools unless the address says otherwise."""
FACETS = 100
"""Servers, and categories, that a filter offers."""
SIZES = (5, 10, 20, 50)
EXPLAINED = 20
"""Tools of an answer whose parts can be opened; a page of 50 has to stay small."""
FORMATS = (
    (ToolFormat.OPENAI, "OpenAI"),
    (ToolFormat.ANTHROPIC, "Anthropic"),
    (ToolFormat.MCP, "MCP"),
    (ToolFormat.LANGCHAIN, "LangChain"),
)
METHODS = (
    (SearchMethod.AUTO, "auto"),
    (SearchMethod.KG_HYBRID, "kg_hybrid (published)"),
    (SearchMethod.BM25, "words alone"),
)


class AskState(State):
    """A request and how it is answered."""

    q: str = ""
    k: Annotated[int, Field(ge=1, le=MAX_TOP_K)] = SHOWN
    method: SearchMethod = SearchMethod.AUTO
    server: tuple[str, ...] = ()
    category: tuple[str, ...] = ()
    read_only: bool | None = None
    reviewed: bool | None = None
    format: ToolFormat = ToolFormat.OUTFITTER
    """Of the tools, in the page's document."""
    expect: Annotated[str, Field(max_length=600)] = ""
    """A tool that was expected: where it stands, and why not higher."""

    @field_validator("server", "category", mode="before")
    @classmethod
    def _parted(cls, given: object) -> object:
        """One field of a form holds several, parted by commas."""
        if not isinstance(given, tuple):
            return given
        return tuple(part for text in given for each in text.split(",") if (part := each.strip()))

    def compare(self) -> str:
        """The same request on the page that compares rankings."""
        return urlencode({"q": self.q})

    def plan(self) -> str:
        """The same request as a goal, on the page that plans it."""
        return urlencode([("goal", self.q), *(("server", one) for one in self.server)])

    def expected(self) -> ExplainRequest | None:
        """The body of the other twin; None where no tool was expected."""
        if not self.expect.strip():
            return None
        asked = self.request()
        return ExplainRequest(
            query=asked.query,
            tools=(self.expect.strip(),),
            top_k=asked.top_k,
            method=asked.method,
            filters=asked.filters,
        )

    def request(self) -> SearchRequest:
        """The body of the twin."""
        filters = Filters(
            servers=self.server,
            categories=self.category,
            read_only=self.read_only,
            reviewed=self.reviewed,
        )
        return SearchRequest(
            query=self.q,
            top_k=self.k,
            method=self.method,
            filters=filters,
            format=self.format,
            # Whoever takes tools for a model has no use for reasons.
            explain=self.format is ToolFormat.OUTFITTER,
        )


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A match as the page shows it."""

    tool: FoundTool
    known: Tool
    bar: ScoreBar
    needs: tuple[FoundTool, ...]
    """What it needs, directly or through others of these."""
    groups: Sequence[WhyGroup]
    """What its score is made of; of the first `EXPLAINED` alone."""


@router.get("/ask")
@router.get("/ask.json")
async def ask_page(visit: VisitDep) -> Response:
    """The answer; before there is a request, the field alone."""
    begin = time.perf_counter()
    state = visit.state(AskState)
    components = visit.components
    if not state.q.strip():
        index = components.keeper.index
        if visit.as_json:
            raise InvalidInputError("q: empty; accepted: what is to be done, in anybody's words")
        return await components.memory_workers.run(lambda: _drawn(visit, state, None, None, index))
    check_length("q", state.q, components.limits.max_query_chars)
    request = state.request()

    def work(graph: ConsistentGraph) -> tuple[QueryAnswer, Response]:
        answer = search(request, graph)
        if visit.as_json:
            content = formatted_json(answer, request.format, index=graph.index, begin=begin)
            return answer, visit.document(content)
        answer = replace(answer, took_ms=milliseconds_since(begin))
        expected = state.expected()
        standing = why_not(expected, graph) if expected else None
        return answer, _drawn(visit, state, answer, standing, graph.index)

    answer, page = await answered(components, work, what="query")
    ids = (tool.id for tool in answer.tools)
    asker = Asker(visit.caller, visit.groups)
    await note_given(components, SearchStep.SEARCHED, asker, ids, answer.generation)
    return page


def _drawn(
    visit: Visit,
    state: AskState,
    answer: QueryAnswer | None,
    standing: ExplainAnswer | None,
    index: SearchIndex,
) -> Response:
    tools = len(index.catalogue.tools)
    rows = found_rows(answer, index) if answer else []
    twins = [asks("query", state.request())] if answer else []
    if expected := standing and state.expected():
        twins.append(asks("explain", expected))
    # The filters stay as they are while somebody types.
    counted = None if visit.fragment else facets(limit=FACETS, index=index, view=index.whole)
    return visit.page(
        "ask.html",
        title=f"{excerpt(state.q, length=60)} - Ask" if answer else "Ask",
        here="ask",
        twins=[*twins, reads("facets", limit=FACETS)] if answer else [],
        live=f"{len(rows)} of {tools} tools" if rows else "nothing fits",
        state=state,
        tools=tools,
        answer=answer,
        rows=rows,
        standing=standing,
        facets=counted,
        formats=FORMATS,
        units=UNITS,
        methods=METHODS,
        sizes=SIZES,
    )


def found_rows(answer: QueryAnswer, index: SearchIndex) -> list[FoundRow]:
    """The matches of an answer, each with its bar and with what it needs."""
    matches = [tool for tool in answer.tools if tool.role is Role.MATCH]
    needing = {tool.id: tool.needed_by for tool in answer.tools if tool.needed_by is not None}

    def match_of(tool_id: str) -> str:
        # Each step is a tool of the answer nearer to a match.
        for _ in needing:
            tool_id = needing.get(tool_id, tool_id)
        return tool_id

    needs: defaultdict[str, list[FoundTool]] = defaultdict(list)
    for tool in answer.tools:
        if tool.role is Role.PREREQUISITE:
            needs[match_of(tool.id)].append(tool)
    bars = score_bars(tool.why or () for tool in matches)
    return [
        FoundRow(
            tool,
            index.catalogue.tools[index.positions[tool.id]],
            bar,
            tuple(needs[tool.id]),
            why_groups(tool.why or ()) if place <= EXPLAINED else (),
        )
        for place, (tool, bar) in enumerate(zip(matches, bars, strict=True), 1)
    ]
