"""Write stored workflows; mark those whose steps or bindings vanished, unmark those that are whole again."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from app.domain.flows.warnings import flow_warnings
from app.domain.nodes.edge_forms import STEP_FORMS
from app.domain.nodes.models import NodeKind
from app.domain.workflows.stored import (
    Workflow,
    find_problems,
    step_rows,
    with_health,
    with_renamed_tools,
    workflow_row,
)
from app.ports.graph import GraphWriter, WriterLease


@dataclass(frozen=True, slots=True)
class WorkflowCounts:
    """What a change of the catalogue did to stored workflows."""

    broken: tuple[tuple[str, str], ...] = ()
    """(id, reason) of those that it broke."""
    mended: tuple[str, ...] = ()
    followed: tuple[str, ...] = ()
    """Those whose steps call tools by their new ids now."""
    toxic: tuple[tuple[str, str], ...] = ()
    """(id, message) of those with a flow of high severity, the first of each."""
    tools_of: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The tools that the broken ones call."""


def update_workflows(graph: GraphWriter, lease: WriterLease) -> WorkflowCounts:
    """Look at every stored workflow after tools have changed; write those whose state differs.

    A step whose tool was renamed calls it by its new id. Otherwise the plan of a broken workflow stays as it was
    saved. Once its tools are back it is whole again.
    """
    stored = graph.workflows()
    if not stored:
        return WorkflowCounts()
    ids = _tools_of(stored)
    tools = {str(tool.id): tool for tool in graph.labelled_tools(sorted(ids))}
    workflows = stored
    if missing := ids - tools.keys():
        new_ids = _new_ids(graph, missing)
        workflows = [with_renamed_tools(one, new_ids) for one in stored]
        tools |= {str(tool.id): tool for tool in graph.labelled_tools(sorted(new_ids.values()))}
    before = {one.id: one for one in stored}
    by_id = {one.id: one for one in workflows}
    looked_at = [
        with_health(one, find_problems(one.plan, tools=tools, workflows=by_id, own_id=one.id))
        for one in workflows
    ]
    changed = [one for one in looked_at if one != before[one.id]]
    put_workflows(lease, changed)
    broken = [one for one in changed if one.broken]
    return WorkflowCounts(
        broken=tuple((one.id, one.reason) for one in broken),
        mended=tuple(one.id for one in changed if not one.broken and before[one.id].broken),
        followed=tuple(one.id for one in changed if one.plan != before[one.id].plan),
        toxic=tuple(
            (one.id, found[0].message)
            for one in looked_at
            if (found := [flow for flow in flow_warnings(one.plan, tools) if flow.severity == "high"])
        ),
        tools_of={one.id: frozenset(_tools_of([one])) for one in broken},
    )


def _tools_of(workflows: Sequence[Workflow]) -> set[str]:
    return {str(step.tool_id) for one in workflows for step in one.plan.steps if step.tool_id}


def _new_ids(graph: GraphWriter, missing: Collection[str]) -> dict[str, str]:
    """Former id -> the id of the one tool that had it."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name in graph.node_names(NodeKind.TOOL):
        for former in name.former_ids:
            found[former].add(name.id)
    return {former: next(iter(found[former])) for former in missing if len(found[former]) == 1}


def put_workflows(lease: WriterLease, workflows: Sequence[Workflow]) -> None:
    """Write workflows with the edges to their steps, whatever was there."""
    if not workflows:
        return
    lease.put_nodes(NodeKind.WORKFLOW, [workflow_row(one) for one in workflows])
    ids = [one.id for one in workflows]
    for form in STEP_FORMS:
        lease.remove_edges(form, ids)
        lease.put_edges(form, [row for one in workflows for row in step_rows(one, form)])
