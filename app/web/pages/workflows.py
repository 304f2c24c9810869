"""/ui/workflows: the stored plans; /ui/workflows/{id}: one of them in the editor. Twins: /v1/workflows and below.

A caller's view takes away the workflows that call tools that he may not see.
"""

import json
from typing import Any

from starlette.responses import Response

from app.domain.workflows.plans import plan_document
from app.domain.workflows.stored import Workflow, is_saved
from app.service.waiting import answered, ask_workflows
from app.web.addresses import State
from app.web.pages.plans import stored_page
from app.web.routes import page_router
from app.web.twins import reads
from app.web.visits import VisitDep

router = page_router()
_ROWS = 200
"""On the page; who has more narrows them by words."""


class ListState(State):
    """Which workflows."""

    q: str = ""
    broken: bool = False

    def fits(self, workflow: Workflow) -> bool:
        """Whether a workflow is among them."""
        said = f"{workflow.id} {workflow.name} {workflow.goal}".casefold()
        return (workflow.broken or not self.broken) and self.q.strip().casefold() in said


@router.get("/workflows")
@router.get("/workflows.json")
async def workflows_page(visit: VisitDep) -> Response:
    """All stored plans, the broken ones first."""
    state = visit.state(ListState)
    found = await ask_workflows(visit.components, lambda store: store.list())
    if visit.as_json:
        listed = {"workflows": [_summary(visit.changer.seen(one)) for one in found]}
        return visit.document(_json(listed))
    shown = sorted((one for one in found if state.fits(one)), key=lambda one: (not one.broken, one.id))

    def drawn() -> Response:
        return visit.page(
            "workflows.html",
            title="Workflows",
            here="plan",
            twins=[reads("workflows")],
            live=f"{len(shown)} workflows",
            state=state,
            workflows=shown[:_ROWS],
            shown=len(shown),
            total=len(found),
            broken=sum(one.broken for one in found),
            is_saved=is_saved,
        )

    return await visit.components.memory_workers.run(drawn)


@router.get("/workflows/{workflow_id:path}")
@router.get("/workflows/{workflow_id:path}.json")  # the last is asked first
async def workflow_page(workflow_id: str, visit: VisitDep) -> Response:
    """The editor; what is wrong now stands at the steps."""
    found = await ask_workflows(visit.components, lambda store: store.load(workflow_id))
    if visit.as_json:
        summary = _summary(visit.changer.seen(found.workflow))
        return visit.document(_json({**summary, "plan": plan_document(found.workflow.plan)}))
    return await answered(visit.components, lambda graph: stored_page(visit, found, graph), what="page")


def _summary(workflow: Workflow) -> dict[str, Any]:
    """As the twin lists it."""
    return {
        "id": workflow.id,
        "name": workflow.name,
        "goal": workflow.goal,
        "steps": len(workflow.steps),
        "broken": workflow.broken,
        "reason": workflow.reason,
        "source": workflow.source,
        "updated_at": workflow.updated_at,
        **({"owner": workflow.owner} if workflow.owner else {}),
    }


def _json(document: dict[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
