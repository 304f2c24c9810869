"""/ui/reviews and /ui/reviews/{id}. Twins: GET /v1/reviews and GET /v1/reviews/{id}, and POST there for the buttons."""

from typing import Annotated

from pydantic import Field, ValidationError
from starlette.responses import Response

from app.domain.review.records import REASON_CHARS, Decision, Verdict
from app.errors import InvalidInputError
from app.service.reviewing import check_identified, decide, is_identified, shown_review
from app.service.waiting import ask_graph
from app.usecases.review import STATES, list_reviews, states_of
from app.web.addresses import State
from app.web.routes import page_router
from app.web.twins import reads
from app.web.visits import VisitDep, caller_of

router = page_router()
_ROWS = 200


class ReviewsState(State):
    """Which definitions are listed."""

    state: Annotated[str, Field(max_length=20)] = ""
    """One of `STATES`; empty: what waits."""
    source: Annotated[str, Field(max_length=600)] = ""


@router.get("/reviews")
@router.get("/reviews.json")
async def reviews_page(visit: VisitDep) -> Response:
    """What waits, what looks worst first."""
    state = visit.state(ReviewsState)
    states = states_of(state.state)
    found = await ask_graph(
        visit.components,
        lambda graph: list_reviews(graph, states=states, source=state.source, limit=_ROWS),
    )
    if visit.as_json:
        return visit.document(found.model_dump_json())
    return await visit.components.memory_workers.run(
        lambda: visit.page(
            "reviews.html",
            title="Reviews",
            here="sources",
            twins=[reads("reviews", limit=_ROWS, **dict(state))],
            state=state,
            states=STATES,
            found=found,
        )
    )


# The nearest to the function is looked at first.
@router.get("/reviews/{tool_id:path}")
@router.get("/reviews/{tool_id:path}.json")
async def review_page(tool_id: str, visit: VisitDep) -> Response:
    """One definition: what of it is new, and who may decide."""
    found = await shown_review(visit.components, tool_id)
    if visit.as_json:
        return visit.document(found.model_dump_json())
    return await visit.components.memory_workers.run(
        lambda: visit.page(
            "review.html",
            title=found.id,
            here="sources",
            twins=[reads("reviews", tool_id)],
            found=found,
            may_decide=is_identified(caller_of(visit)),
            reason_chars=REASON_CHARS,
        )
    )


@router.post("/reviews/{tool_id:path}")
async def decide_here(tool_id: str, visit: VisitDep) -> Response:
    """Carry out what was decided of the definition that the page showed, and lead back to it."""
    by = check_identified(caller_of(visit))
    form = await visit.form()
    reason = form.get("reason", "").strip()
    if not reason:
        raise InvalidInputError("reason is empty; accepted: a reason, which is kept with the decision")
    try:
        verdict = Verdict(form.get("decision", ""))
        decision = Decision(id=tool_id, hash=form.get("hash", ""), verdict=verdict, reason=reason, by=by)
    except (ValueError, ValidationError) as error:
        raise InvalidInputError(
            f"decision {form.get('decision', '')!r:.60}; accepted: {', '.join(Verdict)}"
        ) from error
    await decide(visit.components, [decision])
    return visit.leads_to("reviews")
