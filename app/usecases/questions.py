"""What is asked, declared once: the bodies of REST and the arguments of MCP are these models, or take their parts."""

from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import ConfigDict, Field, ValidationInfo, field_validator
from pydantic.json_schema import SkipJsonSchema

from app.domain.access.asked_for import GROUP
from app.domain.nodes.models import Value
from app.domain.reading.models import AskedTask
from app.domain.schemas.tool_formats import ToolFormat
from app.domain.workflows.plans import FiniteJson
from app.errors import InvalidInputError
from app.usecases.bounds import (
    MAX_EXPLAINED,
    MAX_NAME_CHARS,
    MAX_PHRASINGS,
    MAX_PREREQUISITES,
    MAX_STEPS,
    MAX_TOP_K,
    ONLY_CALLABLE_IS,
    PREREQUISITES,
    PREREQUISITES_ARE,
    STEPS,
    STEPS_ARE,
    TOP_K,
    TOP_K_IS,
)

_YEARS = 1900, 9000
"""What comes before and after any date of a goal is then a date as well."""
Text = Annotated[
    str, Field(min_length=1, description="What is to be done. The longest accepted length is a setting.")
]
Phrasings = Annotated[
    tuple[Annotated[str, Field(min_length=1)], ...],
    Field(
        max_length=MAX_PHRASINGS,
        description="Other ways to say the same wish, in other words; all are asked, and a tool's score is the mean.",
    ),
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


RankedBy = Annotated[
    SearchMethod,
    Field(
        description="`auto`: the service's own ranking. `kg_hybrid`: the published reference, BM25 fused "
        "with methods, their neighbours and templates. `bm25`: words alone."
    ),
]


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
    reviewed: SkipJsonSchema[bool | None] = None
    """true: none that a baseline alone accepted; false: only these. Not in schemas, which are read where no source is reviewed."""


class ListFilters(Filters):
    """Which tools are listed."""

    q: Annotated[
        str,
        Field(
            max_length=200,
            description="Only tools whose id, name or title holds each of these words, or parts of words.",
        ),
    ] = ""
    declared: Annotated[
        bool | None,
        Field(
            description="true: only tools that a taxonomy names and no source describes; false: only the others."
        ),
    ] = None
    deprecated: Annotated[
        bool | None,
        Field(description="true: only tools that their publisher calls deprecated; false: only the others."),
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
    phrasings: Phrasings = ()
    top_k: TopK = TOP_K
    filters: Filters = Field(default_factory=Filters)
    method: RankedBy = SearchMethod.AUTO
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


ToolText = Annotated[str, Field(min_length=1, max_length=600)]
"""An id that somebody writes; ids are shorter."""


class ExplainRequest(Value):
    """Where tools stand in the answer to a request, and why not higher."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"query": "the customer wants to be reimbursed", "tools": ["orders/cancel_order"]}]
        },
    )

    query: Text
    tools: Annotated[
        tuple[ToolText, ...],
        Field(min_length=1, max_length=MAX_EXPLAINED, description="Ids of the tools to say it of."),
    ]
    top_k: TopK = TOP_K
    method: RankedBy = SearchMethod.AUTO
    filters: Filters = Field(default_factory=Filters)
    as_caller: Annotated[
        str | None,
        Field(
            alias="as",
            min_length=1,
            max_length=len(GROUP) + MAX_NAME_CHARS,
            description="Name of the caller to answer for, or group:NAME, with what keeps a tool from it; takes `catalogue:admin`.",
        ),
    ] = None


class PlanRequest(Value):
    """A goal in the words of the person or agent that has it, and what is known already."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"goal": "cancel my order and refund the payment"},
                {"goal": "cancel the order", "known": {"order_id": "o-17"}, "max_steps": 5},
                {
                    "goal": "refund order o-17 unless it was cancelled, and write to the customer tomorrow",
                    "tasks": [
                        {"do": "look up the order", "values": {"order_id": "o-17"}},
                        {
                            "do": "refund the payment",
                            "if": "its status is not cancelled",
                            "after": [1],
                        },
                        {"do": "write to the customer", "values": {"date": "2026-03-02"}, "after": [2]},
                    ],
                    "known": {"api_key": "k-1"},
                    "secret": ["api_key"],
                    "now": "2026-03-01T09:00:00",
                    "timezone": "Europe/Berlin",
                },
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
    timezone: Annotated[
        str, Field(max_length=64, description="Of the dates in the goal, an IANA name such as Europe/Berlin.")
    ] = "UTC"
    now: Annotated[
        datetime | None,
        Field(
            description="What `tomorrow` counts from, ISO 8601, in `timezone` where it names no offset; the time of the"
            " request unless given."
        ),
    ] = None
    max_steps: Annotated[int, Field(ge=1, le=MAX_STEPS, description=STEPS_ARE)] = STEPS
    only_callable: Annotated[bool | None, Field(description=ONLY_CALLABLE_IS)] = None
    filters: Filters = Field(default_factory=Filters)

    @field_validator("tasks")
    @classmethod
    def _have_an_order(cls, tasks: tuple[AskedTask, ...]) -> tuple[AskedTask, ...]:
        """Each comes after others that there are, and no two after each other."""
        waiting = dict(enumerate(tasks, 1))
        for at, task in waiting.items():
            wrong = [one for one in task.after if one == at or one not in waiting]
            if wrong:
                raise ValueError(
                    f"task {at} comes after {wrong[0]}; accepted: other tasks, from 1 to {len(tasks)}"
                )
        while waiting:
            ready = [at for at, task in waiting.items() if waiting.keys().isdisjoint(task.after)]
            if not ready:
                circle = ", ".join(map(str, waiting))
                raise ValueError(f"tasks {circle} come after each other; accepted: an order without a circle")
            for at in ready:
                del waiting[at]
        return tasks

    @field_validator("secret")
    @classmethod
    def _in_known(cls, secret: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        """A name that is misspelt would leave its value in the answer."""
        known = info.data.get("known", {})
        for name in secret if "known" in info.data else ():
            if name not in known:
                there = ", ".join(known) or "none, as nothing is known"
                raise ValueError(f"{name!r:.100} is no name in `known`; accepted: {there:.300}")
        return secret

    @field_validator("timezone")
    @classmethod
    def _is_zone(cls, timezone: str) -> str:
        zone_named(timezone)
        return timezone

    @field_validator("now", mode="before")
    @classmethod
    def _is_time(cls, now: object) -> object:
        if now is None or isinstance(now, datetime):
            return now
        try:
            return datetime.fromisoformat(now) if isinstance(now, str) else _no_time(now)
        except ValueError:
            return _no_time(now)

    @field_validator("now")
    @classmethod
    def _in_zone(cls, now: datetime | None, info: ValidationInfo) -> datetime | None:
        if now is None:
            return None
        if not _YEARS[0] <= now.year <= _YEARS[1]:
            raise ValueError(f"the year {now.year} is out of bounds; accepted: {_YEARS[0]} to {_YEARS[1]}")
        if now.tzinfo or "timezone" not in info.data:
            return now
        return now.replace(tzinfo=zone_named(info.data["timezone"]))

    def moment(self) -> datetime:
        """What `tomorrow` counts from, in the time zone of the request's dates."""
        zone = zone_named(self.timezone)
        return datetime.now(zone) if self.now is None else self.now.astimezone(zone)


def zone_named(name: str) -> tzinfo:
    """The time zone of an IANA name; `UTC` needs no data of the system.

    Raises:
        ValueError: no zone has this name.
    """
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(
            f"{name!r:.100} is no time zone; accepted: an IANA name such as Europe/Berlin, or UTC"
        ) from error


def _no_time(given: object) -> object:
    raise ValueError(f"{given!r:.100} is no time; accepted: ISO 8601, such as 2026-03-01T09:00:00+01:00")


def check_length(name: str, text: str, limit: int) -> None:
    """Refuse a text that is longer than the setting; the limit stands in no schema for that reason.

    Raises:
        InvalidInputError: it is.
    """
    if len(text) > limit:
        raise InvalidInputError(
            f"{name}: {len(text)} characters; accepted: at most {limit} (OUTFITTER_MAX_QUERY_CHARS)"
        )
