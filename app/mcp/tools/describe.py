"""`describe_tool`: all of one tool."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.answers.cards import ToolCard
from app.mcp.backend import Backend
from app.mcp.tools.served_tools import CatalogueTool
from app.usecases.cards import tool_card


class DescribeArguments(BaseModel):
    """Which tool."""

    model_config = ConfigDict(extra="forbid")

    id: Annotated[str, Field(min_length=1, description="As answers name it.", examples=["orders/get_order"])]


def describe_tool(backend: Backend) -> CatalogueTool[DescribeArguments]:
    """The tool."""

    async def answer(arguments: DescribeArguments) -> bytes:
        card = await backend.ask(lambda graph: tool_card(arguments.id, index=graph.index), what="description")
        return card.__pydantic_serializer__.to_json(card)

    return CatalogueTool(
        name="describe_tool",
        title="Describe a tool",
        description=(
            "All that is known of one tool: description, input and output schema, what it changes, categories,"
            " methods that it carries out."
        ),
        arguments=DescribeArguments,
        answers=ToolCard,
        answer=answer,
    )
