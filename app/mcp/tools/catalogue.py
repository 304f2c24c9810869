"""`describe_tool` and `list_sources`: what the catalogue has, without a search."""

from typing import Annotated

from pydantic import Field

from app.answers.cards import ToolCard
from app.answers.sources import SourcesAnswer, sources_answer
from app.domain.nodes.models import Value
from app.mcp.served_catalogue import ServedCatalogue
from app.mcp.tools.served_tools import CatalogueTool
from app.usecases.cards import tool_card


class DescribeArguments(Value):
    """Which tool."""

    id: Annotated[str, Field(min_length=1, description="As answers name it.", examples=["orders/get_order"])]


def describe_tool(catalogue: ServedCatalogue) -> CatalogueTool[DescribeArguments]:
    """The tool."""

    async def answer(arguments: DescribeArguments) -> bytes:
        card = await catalogue.ask(
            lambda graph: tool_card(arguments.id, index=graph.index), what="description"
        )
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


class NoArguments(Value):
    """Nothing."""


def sources_tool(catalogue: ServedCatalogue) -> CatalogueTool[NoArguments]:
    """The tool."""

    async def answer(_: NoArguments) -> bytes:
        found = sources_answer(await catalogue.sources())
        return found.__pydantic_serializer__.to_json(found)

    return CatalogueTool(
        name="list_sources",
        title="List sources",
        description="What was ingested: servers, APIs and taxonomies, when, and how many tools each provides.",
        arguments=NoArguments,
        answers=SourcesAnswer,
        answer=answer,
    )
