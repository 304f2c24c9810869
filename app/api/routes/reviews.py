"""GET /v1/reviews, and GET and POST /v1/reviews/{id}."""

from typing import Annotated, cast

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from app.answers.reviews import ReviewAnswer, ReviewsAnswer
from app.api.bodies import json_body, read_body
from app.api.dependencies import ComponentsDep
from app.api.problems import documented
from app.domain.access.callers import Caller
from app.domain.review.records import REASON_CHARS, Decision, Verdict
from app.service.components import Components
from app.service.reviewing import check_identified, decide, shown_review
from app.service.waiting import ask_graph
from app.usecases.review import STATES, list_reviews, states_of

router = APIRouter(prefix="/v1/reviews", tags=["reviews"])


class DecisionRequest(BaseModel):
    """What is decided of a definition that was shown."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    hash: Annotated[
        str,
        Field(pattern="^[0-9a-f]{64}$", description="Of the definition that was shown, as the list has it."),
    ]
    decision: Annotated[
        Verdict, Field(description="`approve`: it is served from now on; `block`: nothing of the tool is.")
    ]
    reason: Annotated[
        str, Field(min_length=1, max_length=REASON_CHARS, description="Kept with the decision.")
    ]


@router.get("", summary="Definitions that wait for review", responses=documented(401, 422, 503))
async def read_reviews(
    components: ComponentsDep,
    state: Annotated[
        str,
        Query(
            max_length=60,
            description=f"One of {', '.join(STATES)}; what waits (pending and changed) unless given.",
        ),
    ] = "",
    source: Annotated[str, Query(max_length=600, description="Only of this source.")] = "",
    limit: Annotated[int, Query(ge=1, le=1000, description="How many at most.")] = 100,
) -> ReviewsAnswer:
    """What looks worst comes first: hard findings, then soft ones, then what is not served meanwhile."""
    states = states_of(state)
    return await ask_graph(
        components, lambda explorer: list_reviews(explorer, states=states, source=source, limit=limit)
    )


@router.get(
    "/{tool_id:path}",
    summary="One definition, field by field",
    responses=documented(401, 404, 422, 503),
)
async def read_review(tool_id: str, components: ComponentsDep) -> ReviewAnswer:
    """What the source says now against what was agreed to, with its class, findings, and the workflows that use it."""
    return await shown_review(components, tool_id)


@router.post(
    "/{tool_id:path}",
    summary="Approve or block a definition",
    responses=documented(401, 403, 404, 412, 413, 415, 422, 503),
    openapi_extra=json_body(DecisionRequest),
)
async def decide_review(tool_id: str, raw: Request) -> ReviewAnswer:
    """Carry out what was decided of the definition with this hash; of any newer one nothing is decided (412).

    Where nobody is identified, on loopback without tokens, definitions are approved on the command line alone (403).
    """
    components = cast("Components", raw.state.components)
    caller = cast("Caller | None", getattr(raw.state, "caller", None))
    by = check_identified(caller)
    body = await read_body(raw, DecisionRequest)
    await decide(
        components,
        [Decision(id=tool_id, hash=body.hash, verdict=body.decision, reason=body.reason, by=by)],
    )
    return await shown_review(components, tool_id)
