"""`list_sources`: what was ingested."""

from pydantic import BaseModel, ConfigDict

from app.answers.sources import SourcesAnswer, sources_answer
from app.mcp.backend import Backend
from app.mcp.tools.served_tools import CatalogueTool


class NoArguments(BaseModel):
    """Nothing."""

    model_config = ConfigDict(extra="forbid")


def sources_tool(backend: Backend) -> CatalogueTool[NoArguments]:
    """The tool."""

    async def answer(_: NoArguments) -> bytes:
        found = sources_answer(await backend.sources())
        return found.__pydantic_serializer__.to_json(found)

    return CatalogueTool(
        name="list_sources",
        title="List sources",
        description="What was ingested: servers, APIs and taxonomies, when, and how many tools each provides.",
        arguments=NoArguments,
        answers=SourcesAnswer,
        answer=answer,
    )
