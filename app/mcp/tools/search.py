"""`search_tools`: which tools fit."""

import time
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from app.domain.schemas.tool_formats import ToolFormat
from app.errors import InvalidInputError
from app.mcp.backend import Backend, RankedGraph
from app.mcp.tools.limits import check_length
from app.mcp.tools.served_tools import CatalogueTool
from app.usecases.documents.formats import FormattedAnswer, answers_json, formatted_json
from app.usecases.documents.search import QueryFilters, filters_of
from app.usecases.index.search_index import SearchIndex
from app.usecases.search import search
from app.usecases.search_values import MAX_PREREQUISITES, MAX_TOP_K, SearchAnswer, SearchMethod, SearchRequest

NAME = "search_tools"
MAX_QUERIES = 10

Query = Annotated[str, StringConstraints(min_length=1)]


class SearchArguments(BaseModel):
    """One of `query` and `queries`, and how to answer."""

    model_config = ConfigDict(extra="forbid")

    query: Annotated[
        str, Field(description="What is to be done, in plain words: one thing. This, or `queries`.")
    ] = ""
    queries: Annotated[
        tuple[Query, ...],
        Field(max_length=MAX_QUERIES, description="Several things to be done, each searched on its own."),
    ] = ()
    top_k: Annotated[int, Field(ge=1, le=MAX_TOP_K, description="How many tools for each query.")] = 5
    filters: Annotated[QueryFilters, Field(default_factory=QueryFilters)]
    prerequisites: Annotated[
        int,
        Field(ge=0, le=MAX_PREREQUISITES, description="How many tools that those need may be added."),
    ] = 5
    explain: Annotated[bool, Field(description="Say what gave how much of each score.")] = False
    format: Annotated[ToolFormat, Field(description="How `tools` are given.")] = ToolFormat.OUTFITTER

    @property
    def asked(self) -> tuple[str, ...]:
        """What to search for.

        Raises:
            InvalidInputError: nothing, or both ways at once.
        """
        if bool(self.query) == bool(self.queries):
            both = "both query and queries" if self.query else "neither query nor queries"
            raise InvalidInputError(
                f"{both}: query = {self.query[:100]!r}, queries = {len(self.queries)} items; accepted: either query,"
                f" a text, or queries, 1 to {MAX_QUERIES} texts"
            )
        return self.queries or (self.query,)


def search_tool(backend: Backend) -> CatalogueTool[SearchArguments]:
    """The tool."""

    async def answer(arguments: SearchArguments) -> bytes:
        begin = time.perf_counter()
        queries = arguments.asked
        for query in queries:
            check_length("queries" if arguments.queries else "query", query, backend.max_query_chars)
        found, document = await backend.ask(
            lambda index, graph: _answer(arguments, queries, index, graph, begin), what="search"
        )
        for one in found:
            backend.searched(one, SearchMethod.AUTO, time.perf_counter() - begin)
        return document

    return CatalogueTool(
        name=NAME,
        title="Find tools",
        description=(
            "Finds the tools that fit a request, best first, with their input schemas and scores. Ask in plain"
            " words for one thing to be done, or for up to 10 at once with queries. Tools that the found ones need"
            " come with them (role: prerequisite). When nothing fits, abstained is true."
        ),
        arguments=SearchArguments,
        answers=FormattedAnswer,
        answer=answer,
        describes_catalogue=True,
    )


def _answer(
    arguments: SearchArguments,
    queries: tuple[str, ...],
    index: SearchIndex,
    graph: RankedGraph,
    begin: float,
) -> tuple[list[SearchAnswer], bytes]:
    filters = filters_of(arguments.filters)
    found = [
        search(
            SearchRequest.model_construct(
                query=query,
                top_k=arguments.top_k,
                filters=filters,
                explain=arguments.explain,
                schemas=True,
                prerequisites=arguments.prerequisites,
            ),
            index=index,
            graph=graph,
        )
        for query in queries
    ]
    if arguments.queries:
        document = answers_json(
            list(zip(queries, found, strict=True)), arguments.format, index=index, begin=begin
        )
    else:
        document = formatted_json(found[0], arguments.format, index=index, begin=begin)
    return found, document
