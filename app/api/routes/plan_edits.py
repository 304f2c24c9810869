"""Plans that are changed by hand: /v1/plan/edit, /v1/plan/choices, and so on. Nothing is kept."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict

from app.answers.plan_edits import ChoiceAnswer, PlanState, choices_json, state_json
from app.api.bodies import json_body, read_body
from app.api.problems import documented
from app.domain.nodes.models import uris_of_servers
from app.domain.workflows.commands import named_in
from app.domain.workflows.edits import renumbered
from app.domain.workflows.plans import Plan
from app.domain.workflows.stored import WorkflowProblem
from app.service.components import Components
from app.service.waiting import answered, ask_graph, ask_workflows
from app.usecases.plans.editing import ChoicesRequest, EditRequest, choices_for, edit_plan, visible_tools
from app.usecases.plans.export import PlanFormat, plan_text

router = APIRouter(prefix="/v1/plan", tags=["plans"])

FORMAT_IS = "`json`; `arazzo` (1.0.1), for what runs workflows; or `mermaid`, to be drawn."


MERMAID: Mapping[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {"schema": {"type": "string", "title": "Mermaid"}}}}
}
"""What FastAPI's `responses=` needs where an answer may be a drawing."""


class ArazzoDocument(BaseModel):
    """A document of Arazzo 1.0.1; its fields are those of the specification."""

    model_config = ConfigDict(extra="allow")

    arazzo: str


class PlanBody(BaseModel):
    """A plan."""

    model_config = ConfigDict(extra="forbid")

    plan: Plan


class Validation(BaseModel):
    """What keeps a plan from running."""

    valid: bool
    problems: list[WorkflowProblem]


async def exported(components: Components, plan: Plan, form: PlanFormat, *, name: str) -> Response:
    """A plan as a document.

    Raises:
        StoreUnavailableError: the graph is away, which knows where the documents of servers lie; only for Arazzo.
    """
    uris = {}
    if form is PlanFormat.ARAZZO:
        uris = uris_of_servers(await ask_graph(components, lambda explorer: explorer.sources()))
    text = await answered(
        components,
        lambda graph: plan_text(
            plan, form, name=name, tools=visible_tools(graph, named_in(plan, None)), uris=uris
        ),
        what="plan",
    )
    return Response(text.encode("utf-8", "surrogatepass"), media_type=form.media_type)


@router.post(
    "/edit",
    summary="Change a plan",
    response_model=PlanState,
    responses=documented(401, 404, 413, 415, 422, 503),
    openapi_extra=json_body(EditRequest),
)
async def edit(raw: Request) -> Response:
    """The plan after one edit: its problems, and for each step the places that it may have.

    `move` gives a step another place, `add` adds a call, `remove` takes one out, `bind` says where an input takes its
    value from, `replace` calls another tool instead. An edit that would put a step before one that it needs is
    refused. Nothing is kept: save the plan as a workflow. Tools that the caller may not see count as gone.
    """
    components: Components = raw.state.components
    request = await read_body(raw, EditRequest)
    content = await answered(
        components, lambda graph: state_json(edit_plan(request, graph)), what="plan edit"
    )
    return Response(content, HTTPStatus.OK, media_type="application/json")


@router.post(
    "/choices",
    summary="What an input of a step could take its value from",
    response_model=ChoiceAnswer,
    responses=documented(401, 413, 415, 422, 503),
    openapi_extra=json_body(ChoicesRequest),
)
async def choices(raw: Request) -> Response:
    """Ranked: what sources state of earlier answers, what is inferred, fields of equal type, steps to be added before it.

    Then inputs of the plan, and values that the schema names. Tools that the caller may not see are not offered.
    """
    components: Components = raw.state.components
    request = await read_body(raw, ChoicesRequest)
    content = await answered(
        components, lambda graph: choices_json(choices_for(request, graph)), what="plan choice"
    )
    return Response(content, HTTPStatus.OK, media_type="application/json")


@router.post(
    "/export",
    summary="A plan as a document",
    responses={**MERMAID, **documented(401, 413, 415, 422, 503)},
    openapi_extra=json_body(PlanBody),
)
async def export(
    raw: Request,
    format: Annotated[PlanFormat, Query(description=FORMAT_IS)],  # noqa: A002 - the parameter's name
    name: Annotated[str, Query(max_length=200, description="Of the workflow.")] = "plan",
) -> Response:
    """A plan as it stands in the body, for tools that run workflows or draw them. Hidden tools are written by name alone."""
    components: Components = raw.state.components
    body = await read_body(raw, PlanBody)
    return await exported(components, renumbered(body.plan), format, name=name)


@router.post(
    "/validate",
    summary="Say what is wrong in a plan",
    response_model=Validation,
    responses=documented(401, 413, 415, 422, 503),
    openapi_extra=json_body(PlanBody),
)
async def validate(raw: Request) -> Validation:
    """What keeps a plan from running, with the tools that the graph has now. Unknown tools, and hidden ones, are missing."""
    components: Components = raw.state.components
    body = await read_body(raw, PlanBody)
    problems = await ask_workflows(components, lambda store: store.problems(body.plan))
    return Validation(valid=not problems, problems=list(problems))
