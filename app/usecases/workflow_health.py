"""Write stored workflows; mark those whose steps or bindings vanished, unmark those that are whole again."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.models import NodeKind
from app.domain.workflows import (
    STEP_FORMS,
    Workflow,
    find_problems,
    step_rows,
    with_health,
    workflow_row,
)
from app.ports import GraphWriter, WriterLease


@dataclass(frozen=True, slots=True)
class WorkflowCounts:
    """What a change of the catalogue did to stored workflows."""

    broken: tuple[tuple[str, str], ...] = ()
    """(id, reason) of those that it broke."""
    mended: tuple[str, ...] = ()


def update_workflows(graph: GraphWriter, lease: WriterLease) -> WorkflowCounts:
    """Look at every stored workflow after tools have changed; write those whose state differs.

    The plan of a broken workflow stays as it was saved. Once its tools are back it is whole again.
    """
    workflows = graph.workflows()
    if not workflows:
        return WorkflowCounts()
    by_id = {one.id: one for one in workflows}
    ids = {str(step.tool_id) for one in workflows for step in one.plan.steps if step.tool_id}
    tools = {str(tool.id): tool for tool in graph.found_tools(sorted(ids))}
    looked_at = [
        with_health(one, find_problems(one.plan, tools=tools, workflows=by_id, own_id=one.id))
        for one in workflows
    ]
    changed = [one for one in looked_at if one != by_id[one.id]]
    put_workflows(lease, changed)
    return WorkflowCounts(
        broken=tuple((one.id, one.reason) for one in changed if one.broken),
        mended=tuple(one.id for one in changed if not one.broken),
    )


def put_workflows(lease: WriterLease, workflows: Sequence[Workflow]) -> None:
    """Write workflows with the edges to their steps, whatever was there."""
    if not workflows:
        return
    lease.put_nodes(NodeKind.WORKFLOW, [workflow_row(one) for one in workflows])
    ids = [one.id for one in workflows]
    for form in STEP_FORMS:
        lease.remove_edges(form, ids)
        lease.put_edges(form, [row for one in workflows for row in step_rows(one, form)])
