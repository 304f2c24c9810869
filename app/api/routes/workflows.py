"""Stored workflows: /v1/workflows."""

import re
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from pydantic import BaseModel, BeforeValidator, Field

from app.api.bodies import json_body, read_body
from app.api.dependencies import ChangerDep, ComponentsDep
from app.api.problems import documented
from app.api.routes.plan_edits import FORMAT_IS, MERMAID, ArazzoDocument, PlanBody, Validation, exported
from app.domain.workflows.owners import Changer
from app.domain.workflows.plans import plan_document
from app.domain.workflows.stored import Workflow, WorkflowProblem
from app.service.components import Components
from app.service.waiting import ask_workflows
from app.usecases.plans.export import PlanFormat
from app.usecases.workflows import CheckedWorkflow

router = APIRouter(prefix="/v1/workflows", tags=["workflows"])
_STRONG_TAG = re.compile(r'(?:^|,)[ \t]*"([^"]*)"')
IfMatch = Annotated[
    str | None,
    Header(
        description="ETags, as an answer had them, or *: anything else that is there is neither replaced nor deleted."
    ),
]


class WorkflowRequest(PlanBody):
    """A plan to keep. Its steps are saved in the order in which they stand.

    `position` only names a step for the bindings of others: to reorder, send the steps in another order as they
    are; the answer has them numbered from 1.
    """

    name: Annotated[str, Field(max_length=200, description="For people; the id unless given.")] = ""


class NewWorkflow(WorkflowRequest):
    """A plan to keep under a new id."""

    id: Annotated[str, Field(description="1 to 80 letters, digits, _ and -.", examples=["cancel-and-refund"])]


def _is_nothing(value: object) -> bool:
    return not value


class WorkflowSummary(BaseModel):
    """A workflow in a list."""

    id: str
    name: str
    goal: str
    steps: Annotated[int, BeforeValidator(len), Field(description="How many.")]
    broken: Annotated[bool, Field(description="A step or a binding vanished from the catalogue.")]
    reason: str
    source: Annotated[str, Field(description="The document that brings it; empty when a user saved it.")]
    updated_at: str
    owner: Annotated[
        str,
        Field(
            description="The caller who saved it. Left out where nobody did, and for others than the owner and"
            " administrators.",
            exclude_if=_is_nothing,
        ),
    ] = ""


class WorkflowList(BaseModel):
    """All workflows, by id."""

    workflows: list[WorkflowSummary]


class WorkflowAnswer(WorkflowSummary):
    """A workflow with what is wrong in it now."""

    plan: dict[str, Any]
    problems: list[WorkflowProblem]
    generation: int


@router.get("", summary="List stored workflows", response_model=WorkflowList, responses=documented(401, 503))
async def list_workflows(components: ComponentsDep, changer: ChangerDep) -> dict[str, list[Workflow]]:
    """Those that users saved, and those that Arazzo documents bring (their ids have a `/`)."""
    found = await ask_workflows(components, lambda store: store.list())
    return {"workflows": [changer.seen(one) for one in found]}


@router.post(
    "",
    summary="Save a plan",
    status_code=HTTPStatus.CREATED,
    response_model=WorkflowAnswer,
    responses=documented(401, 413, 415, 422, 503),
    openapi_extra=json_body(NewWorkflow),
)
async def create_workflow(raw: Request, response: Response, changer: ChangerDep) -> WorkflowAnswer:
    """Keep a plan in the graph; one that has a problem is refused. A known caller owns it from then on."""
    components: Components = raw.state.components
    body = await read_body(raw, NewWorkflow)
    saved = await ask_workflows(
        components, lambda store: store.create(body.id, body.plan, name=body.name, by=changer)
    )
    response.headers["Location"] = f"/v1/workflows/{body.id}"
    return _answer(saved, response, changer)


# Before the route that takes any id, which would take this for one.
@router.post(
    "/{workflow_id:path}/validate",
    summary="Say what is wrong in a plan",
    response_model=Validation,
    responses=documented(401, 404, 413, 415, 422, 503),
    openapi_extra={**json_body(WorkflowRequest), "description": "Without a body: the stored workflow."},
)
async def validate_workflow(workflow_id: str, raw: Request) -> Validation:
    """What keeps a plan from running as this workflow; nothing is written. Without a body: the stored one."""
    components: Components = raw.state.components
    if await raw.body():
        plan = (await read_body(raw, WorkflowRequest)).plan
        problems = await ask_workflows(components, lambda store: store.problems(plan, own_id=workflow_id))
    else:
        problems = (await ask_workflows(components, lambda store: store.load(workflow_id))).problems
    return Validation(valid=not problems, problems=list(problems))


@router.get(
    "/{workflow_id:path}",
    summary="One workflow",
    response_model=WorkflowAnswer | ArazzoDocument,
    responses={**MERMAID, **documented(401, 404, 422, 503)},
)
async def read_workflow(
    workflow_id: str,
    components: ComponentsDep,
    changer: ChangerDep,
    response: Response,
    format: Annotated[PlanFormat, Query(description=FORMAT_IS)] = PlanFormat.JSON,  # noqa: A002
) -> WorkflowAnswer | Response:
    """A workflow, and what is wrong in it now; its `ETag` names what was saved. As Arazzo or Mermaid, the plan alone."""
    found = await ask_workflows(components, lambda store: store.load(workflow_id))
    if format is PlanFormat.JSON:
        return _answer(found, response, changer)
    return await exported(components, found.plan, format, name=workflow_id)


@router.put(
    "/{workflow_id:path}",
    summary="Replace a workflow",
    response_model=WorkflowAnswer,
    responses=documented(401, 403, 404, 412, 413, 415, 422, 503),
    openapi_extra=json_body(WorkflowRequest),
)
async def replace_workflow(
    workflow_id: str, raw: Request, response: Response, changer: ChangerDep, if_match: IfMatch = None
) -> WorkflowAnswer:
    """Keep another plan: reordered, longer, shorter, with other bindings. Only the owner and administrators may.

    It is refused when it has a problem that the stored one does not have, and, with `If-Match`, when somebody
    else changed the workflow meanwhile.
    """
    components: Components = raw.state.components
    body = await read_body(raw, WorkflowRequest)
    expected = _expected(if_match)
    return _answer(
        await ask_workflows(
            components,
            lambda store: store.replace(
                workflow_id, body.plan, name=body.name, expected=expected, by=changer
            ),
        ),
        response,
        changer,
    )


@router.delete(
    "/{workflow_id:path}",
    summary="Delete a workflow",
    status_code=HTTPStatus.NO_CONTENT,
    responses=documented(401, 403, 404, 412, 422, 503),
)
async def delete_workflow(
    workflow_id: str, components: ComponentsDep, changer: ChangerDep, if_match: IfMatch = None
) -> None:
    """Remove it; one that another workflow runs, that a document brings, or that another caller owns, is refused."""
    expected = _expected(if_match)
    await ask_workflows(components, lambda store: store.delete(workflow_id, expected=expected, by=changer))


def _expected(if_match: str | None) -> list[str] | None:
    """What `If-Match` accepts (RFC 9110, section 13.1.1); weak tags match nothing there."""
    if if_match is None or if_match.strip() == "*":
        return None
    return _STRONG_TAG.findall(if_match)


def _answer(found: CheckedWorkflow, response: Response, changer: Changer) -> WorkflowAnswer:
    response.headers["ETag"] = f'"{found.workflow.etag}"'
    summary = WorkflowSummary.model_validate(changer.seen(found.workflow), from_attributes=True)
    return WorkflowAnswer.model_construct(
        **dict(summary),
        plan=plan_document(found.plan),
        problems=list(found.problems),
        generation=found.generation,
    )
