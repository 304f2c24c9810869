"""What is asked, declared once: the bodies of REST and the arguments of MCP are these models, or take their parts."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import ConfigDict, Field

from app.domain.nodes.models import Value
from app.domain.reading.models import AskedTask
from app.domain.schemas.tool_formats import ToolFormat
from app.domain.workflows.plans import FiniteJson
from app.errors import InvalidInputError
from app.usecases.bounds import (
    MAX_PREREQUISITES,
    MAX_STEPS,
    MAX_TOP_K,
    PREREQUISITES,
    PREREQUISITES_ARE,
    STEPS,
    STEPS_ARE,
    TOP_K,
    TOP_K_IS,
)

Text = Annotated[
    str, Field(min_length=1, description="What is to be done. The longest accepted length is a setting.")
]
TopK = Annotated[int, Field(ge=1, le=MAX_TOP_K, description=TOP_K_IS)]
MostPrerequisites = Annotated[int, Field(ge=0, le=MAX_PREREQUISITES, description=PREREQUISITES_ARE)]
Explained = Annotated[bool, Field(description="Say for each tool what gave how much of its score.")]
Format = Annotated[
    ToolFormat,
    Field(
        description="How the tools are given: `outfitter`, or ready for what a provider's models or a library take;"
        " then `names` leads back to the ids."
    ),
]


class SearchMethod(StrEnum):
    """How tools are ranked."""

    AUTO = "auto"
    """The service's own: BM25F with intent, methods, templates and concepts, servers, feedback."""
    KG_HYBRID = "kg_hybrid"
    """The published reference: BM25 fused with methods, their neighbours, and templates."""
    BM25 = "bm25"
    """Words alone."""


class Order(StrEnum):
    """Where prerequisites stand."""

    MATCHES = "matches"
    """Behind all matches."""
    BLOCKS = "blocks"
    """Each match has its own directly behind it."""


class Filters(Value):
    """Which tools may be found; what is left out does not restrict."""

    servers: Annotated[tuple[str, ...], Field(max_length=1000, description="Any of these servers.")] = ()
    categories: Annotated[
        tuple[str, ...],
        Field(
            max_length=1000,
            description="In any of these categories (ids), or implementing a method in one.",
        ),
    ] = ()
    read_only: Annotated[
        bool | None,
        Field(description="true: only tools that say that they change nothing; false: only the others."),
    ] = None


class SearchRequest(Value):
    """A request for tools, in the words of the person or agent that has it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"query": "Sneakers were too tight; he'd like his cash back"},
                {
                    "query": "Let loyal shoppers know about the autumn range",
                    "top_k": 3,
                    "explain": True,
                    "schemas": True,
                },
                {"query": "look up an order", "filters": {"servers": ["orders"], "read_only": True}},
            ]
        },
    )

    query: Text
    top_k: TopK = TOP_K
    filters: Filters = Field(default_factory=Filters)
    method: Annotated[
        SearchMethod,
        Field(
            description="`auto`: the service's own ranking. `kg_hybrid`: the published reference, BM25 fused "
            "with methods, their neighbours and templates. `bm25`: words alone."
        ),
    ] = SearchMethod.AUTO
    format: Format = ToolFormat.OUTFITTER
    explain: Explained = False
    schemas: Annotated[bool, Field(description="Give each tool's input schema; other formats always do.")] = (
        False
    )
    prerequisites: MostPrerequisites = PREREQUISITES
    order: Annotated[
        Order,
        Field(
            description="`matches`: prerequisites behind all matches. `blocks`: directly behind their match."
        ),
    ] = Order.MATCHES


class PlanRequest(Value):
    """A goal in the words of the person or agent that has it, and what is known already."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"goal": "cancel my order and refund the payment"},
                {"goal": "cancel the order", "known": {"order_id": "o-17"}, "max_steps": 5},
            ]
        },
    )

    goal: Text
    known: dict[str, FiniteJson] = Field(
        default_factory=dict,
        max_length=100,
        description="Values that need no call, by name: `order_id` fits `orderId`, and `id` in `/orders/{id}`.",
    )
    tasks: Annotated[
        tuple[AskedTask, ...],
        Field(
            max_length=MAX_STEPS,
            description="The goal, cut into single things to do, with their values, by whoever understands it; what"
            " they leave open is read from the goal.",
        ),
    ] = ()
    secret: Annotated[
        tuple[str, ...],
        Field(max_length=100, description="Names in `known` whose values the answer must not repeat."),
    ] = ()
    now: Annotated[
        datetime | None,
        Field(description="What `tomorrow` counts from, ISO 8601; the time of the request unless given."),
    ] = None
    timezone: Annotated[
        str, Field(max_length=64, description="Of the dates in the goal, an IANA name such as Europe/Berlin.")
    ] = "UTC"
    max_steps: Annotated[int, Field(ge=1, le=MAX_STEPS, description=STEPS_ARE)] = STEPS
    filters: Filters = Field(default_factory=Filters)


def check_length(name: str, text: str, limit: int) -> None:
    """Refuse a text that is longer than the setting; the limit stands in no schema for that reason.

    Raises:
        InvalidInputError: it is.
    """
    if len(text) > limit:
        raise InvalidInputError(
            f"{name}: {len(text)} characters; accepted: at most {limit} (OUTFITTER_MAX_QUERY_CHARS)"
        )
