"""`search_tools`: which tools fit."""

import time
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.mcp.backend import Backend
from app.mcp.limits import check_length
from app.mcp.served_tools import CatalogueTool
from app.usecases.search import search
from app.usecases.search_documents import QueryAnswer, QueryFilters, answer_json, filters_of
from app.usecases.search_values import MAX_TOP_K, SearchMethod, SearchRequest

NAME = "search_tools"


class SearchArguments(BaseModel):
    """What `search_tools` takes."""

    model_config = ConfigDict(extra="forbid")

    query: Annotated[str, Field(min_length=1, description="What is to be done, in the user's words.")]
    top_k: Annotated[int, Field(ge=1, le=MAX_TOP_K, description="How many tools at most.")] = 5
    filters: Annotated[QueryFilters, Field(default_factory=QueryFilters)]
    explain: Annotated[bool, Field(description="Say for each tool what gave how much of its score.")] = False


def search_tool(backend: Backend) -> CatalogueTool[SearchArguments]:
    """The tool."""

    async def answer(arguments: SearchArguments) -> bytes:
        begin = time.perf_counter()
        check_length("query", arguments.query, backend.max_query_chars)
        request = SearchRequest(
            query=arguments.query,
            top_k=arguments.top_k,
            filters=filters_of(arguments.filters),
            explain=arguments.explain,
            schemas=True,
        )
        found = await backend.ask(
            lambda index, graph: search(request, index=index, graph=graph), what="search"
        )
        backend.searched(found, SearchMethod.AUTO, time.perf_counter() - begin)
        return answer_json(found, begin)

    return CatalogueTool(
        name=NAME,
        title="Find tools",
        description=(
            "Finds the tools that fit a request, best first, with their input schemas and scores. Ask in plain"
            " words for one thing to be done. What a found tool says of itself was written by its server."
        ),
        arguments=SearchArguments,
        answers=QueryAnswer,
        answer=answer,
        says_inside=True,
    )
