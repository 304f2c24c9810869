"""`search_tools`: which tools fit."""

import time
from typing import Annotated

from pydantic import Field, StringConstraints

from app.answers.search import FormattedAnswer, QueryAnswer
from app.domain.audit.events import SearchStep
from app.domain.nodes.models import Value
from app.domain.schemas.tool_formats import ToolFormat
from app.errors import InvalidInputError
from app.mcp.served_catalogue import ServedCatalogue
from app.mcp.tools.served_tools import CatalogueTool
from app.service.given import note_given
from app.usecases.bounds import PREREQUISITES, TOP_K
from app.usecases.formats import answers_json, formatted_json
from app.usecases.questions import (
    Explained,
    Filters,
    Format,
    MostPrerequisites,
    Phrasings,
    SearchMethod,
    SearchRequest,
    TopK,
    check_length,
)
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search

NAME = "search_tools"
MAX_QUERIES = 10

Query = Annotated[str, StringConstraints(min_length=1)]


class SearchArguments(Value):
    """One of `query` and `queries`, and how to answer."""

    query: Annotated[
        str, Field(description="What is to be done, in plain words: one thing. This, or `queries`.")
    ] = ""
    queries: Annotated[
        tuple[Query, ...],
        Field(max_length=MAX_QUERIES, description="Several things to be done, each searched on its own."),
    ] = ()
    phrasings: Phrasings = ()
    top_k: TopK = TOP_K
    filters: Filters = Field(default_factory=Filters)
    prerequisites: MostPrerequisites = PREREQUISITES
    explain: Explained = False
    format: Format = ToolFormat.OUTFITTER

    @property
    def asked(self) -> tuple[str, ...]:
        """What to search for.

        Raises:
            InvalidInputError: nothing, both ways at once, or phrasings of no query.
        """
        if bool(self.query) == bool(self.queries):
            both = "both query and queries" if self.query else "neither query nor queries"
            raise InvalidInputError(
                f"{both}: query = {self.query[:100]!r}, queries = {len(self.queries)} items; accepted: either query,"
                f" a text, or queries, 1 to {MAX_QUERIES} texts"
            )
        if self.phrasings and not self.query:
            raise InvalidInputError(
                f"phrasings: {len(self.phrasings)} items without query; accepted: with query, whose other ways they are"
            )
        return self.queries or (self.query,)


def search_tool(catalogue: ServedCatalogue) -> CatalogueTool[SearchArguments]:
    """The tool."""

    async def answer(arguments: SearchArguments) -> bytes:
        begin = time.perf_counter()
        queries = arguments.asked
        name = "queries" if arguments.queries else "query"
        for field, text in (
            *((name, query) for query in queries),
            *(("phrasings", one) for one in arguments.phrasings),
        ):
            check_length(field, text, catalogue.components.limits.max_query_chars)
        found, document = await catalogue.ask(
            lambda graph: _answer(arguments, queries, graph, begin), what="search"
        )
        for one in found:
            ids = (tool.id for tool in one.tools)
            await note_given(catalogue.components, SearchStep.SEARCHED, catalogue.asker, ids, one.generation)
        for query, one in zip(queries, found, strict=True):
            catalogue.components.unmet.note_search(query, one)
            catalogue.components.metrics.count_query(
                one, SearchMethod.AUTO.value, time.perf_counter() - begin
            )
        return document

    return CatalogueTool(
        name=NAME,
        title="Find tools",
        description=(
            "Finds the tools that fit a request, best first, with their input schemas and scores. Ask in plain"
            " words for one thing to be done, or for up to 10 at once with queries. Better: send query with 2 or 3"
            " phrasings of the same wish - the user's own words, the outcome, the term of the trade - which are ranked"
            " together. Tools that the found ones need"
            " come with them (role: prerequisite). When nothing fits, abstained is true."
        ),
        arguments=SearchArguments,
        answers=FormattedAnswer,
        answer=answer,
        describes_catalogue=True,
    )


def _answer(
    arguments: SearchArguments, queries: tuple[str, ...], graph: ConsistentGraph, begin: float
) -> tuple[list[QueryAnswer], bytes]:
    found = [
        search(
            SearchRequest.model_construct(
                query=query,
                phrasings=arguments.phrasings,
                top_k=arguments.top_k,
                filters=arguments.filters,
                explain=arguments.explain,
                schemas=True,
                prerequisites=arguments.prerequisites,
            ),
            graph,
        )
        for query in queries
    ]
    if arguments.queries:
        asked = list(zip(queries, found, strict=True))
        document = answers_json(asked, arguments.format, index=graph.index, begin=begin)
    else:
        document = formatted_json(found[0], arguments.format, index=graph.index, begin=begin)
    return found, document
