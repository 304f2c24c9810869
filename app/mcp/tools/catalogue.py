"""`describe_tool` and `list_sources`: what the catalogue has, without a search."""

from typing import Annotated

from pydantic import Field

from app.answers.cards import ToolCard
from app.answers.sources import SourcesAnswer, sources_answer
from app.answers.standing import ToolStanding
from app.domain.nodes.graph_views import ToolOrigin
from app.domain.nodes.models import Value
from app.mcp.served_catalogue import ServedCatalogue
from app.mcp.tools.served_tools import CatalogueTool
from app.usecases.cards import tool_card
from app.usecases.questions import ExplainRequest, check_length
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.standing.why_not import why_not


class DescribeArguments(Value):
    """Which tool."""

    id: Annotated[str, Field(min_length=1, description="As answers name it.", examples=["orders/get_order"])]
    request: Annotated[
        str | None,
        Field(
            min_length=1, description="Say also where the tool stands for this request, and why not higher."
        ),
    ] = None


class DescribedTool(ToolCard):
    """All that is known of a tool, and where it stands for a request."""

    standing: Annotated[
        ToolStanding | None,
        Field(
            description="For `request`, as `POST /v1/explain` says it.",
            exclude_if=lambda value: value is None,
        ),
    ] = None


def describe_tool(catalogue: ServedCatalogue) -> CatalogueTool[DescribeArguments]:
    """The tool."""

    async def answer(arguments: DescribeArguments) -> bytes:
        if arguments.request is not None:
            check_length("request", arguments.request, catalogue.components.limits.max_query_chars)
        origin = await catalogue.origin(arguments.id)
        card = await catalogue.ask(lambda graph: _described(arguments, origin, graph), what="description")
        return card.__pydantic_serializer__.to_json(card)

    return CatalogueTool(
        name="describe_tool",
        title="Describe a tool",
        description=(
            "All that is known of one tool: description, input and output schema, what it changes, categories,"
            " methods that it carries out. With request, also why a search for that does not find it, or not first."
        ),
        arguments=DescribeArguments,
        answers=DescribedTool,
        answer=answer,
    )


def _described(
    arguments: DescribeArguments, origin: ToolOrigin | None, graph: ConsistentGraph
) -> DescribedTool:
    card = tool_card(arguments.id, index=graph.index, origin=origin)
    if arguments.request is None:
        return DescribedTool.model_construct(**dict(card))
    asked = ExplainRequest.model_construct(query=arguments.request, tools=(arguments.id,))
    (standing,) = why_not(asked, graph).tools
    return DescribedTool.model_construct(**dict(card), standing=standing)


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
