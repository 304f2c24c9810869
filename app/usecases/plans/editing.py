"""A plan that is changed by hand: what an edit makes of it, what is wrong then, where each step may stand."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import ConfigDict, Field

from app.answers.plan_edits import ChoiceAnswer, PlanState
from app.domain.flows.warnings import with_flow_warnings
from app.domain.nodes.models import Tool, Value
from app.domain.workflows.choices import binding_choices
from app.domain.workflows.commands import ParameterName, PlanEdit, Position, edited, named_in
from app.domain.workflows.edits import renumbered
from app.domain.workflows.places import allowed_places, step_at
from app.domain.workflows.plans import Plan
from app.domain.workflows.stored import Workflow, find_problems
from app.usecases.index.search_index import SearchIndex
from app.usecases.rankings.consistent import ConsistentGraph


class EditRequest(Value):
    """A plan and what is to be done to it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "plan": {
                        "goal": "look at an order",
                        "steps": [
                            {"position": 1, "tool_id": "shop/listOrders"},
                            {
                                "position": 2,
                                "tool_id": "shop/getOrder",
                                "bindings": {
                                    "orderId": {"step": 1, "path": "/items/*/id", "select": {"by": "first"}}
                                },
                            },
                        ],
                    },
                    "edit": {"edit": "bind", "step": 2, "parameter": "orderId", "binding": {"known": "o-17"}},
                }
            ]
        }
    )

    plan: Plan
    edit: PlanEdit | None = Field(default=None, description="null only says how the plan stands.")
    own_id: str = Field(
        default="",
        max_length=1000,
        description="Id under which the plan is stored; a workflow may not run itself.",
    )


class ChoicesRequest(Value):
    """An input of a step, which is to take its value from somewhere."""

    plan: Plan
    step: Position
    parameter: ParameterName


@dataclass(frozen=True, slots=True)
class _Known:
    """Tools and workflows of one generation that whoever asks may see, by id."""

    tools: Mapping[str, Tool]
    workflows: Mapping[str, Workflow]


def edit_plan(request: EditRequest, graph: ConsistentGraph) -> PlanState:
    """The plan after an edit; everything comes from the snapshot, so that a gesture waits for no round trip.

    Raises:
        InvalidInputError: the edit is refused; nothing is changed.
        NotFoundError: what a step should call is not in the catalogue.
    """
    known = _known(graph, named_in(request.plan, request.edit))
    if request.edit is None:
        plan = renumbered(request.plan)
    else:
        plan = edited(request.plan, request.edit, tools=known.tools, workflows=known.workflows)
    plan = with_flow_warnings(plan, known.tools)
    problems = find_problems(plan, tools=known.tools, workflows=known.workflows, own_id=request.own_id)
    return PlanState(
        plan=plan,
        problems=tuple(problems),
        places=allowed_places(plan),
        generation=graph.index.generation,
    )


def choices_for(request: ChoicesRequest, graph: ConsistentGraph) -> ChoiceAnswer:
    """What an input could take its value from, best first; from the snapshot.

    Raises:
        InvalidInputError: there is no such step.
    """
    plan = renumbered(request.plan)
    step = step_at(plan, request.step)
    edges = graph.visible_requirements.get(step.tool_id, ())
    producers = (str(edge.producer) for edge in edges if edge.parameter == request.parameter)
    known = _known(graph, {*named_in(plan, None), *producers})
    choices = binding_choices(
        plan,
        request.step,
        request.parameter,
        tools=known.tools,
        workflows=known.workflows,
        requirements=edges,
    )
    return ChoiceAnswer(choices=choices, generation=graph.index.generation)


def visible_tools(graph: ConsistentGraph, ids: Iterable[str]) -> dict[str, Tool]:
    """Tools by id, as the snapshot has them; unknown ones, and those that the view takes away, are left out."""
    index: SearchIndex = graph.index
    found = {tool: index.positions[tool] for tool in ids if tool in index.positions}
    seen = graph.view.visible
    return {
        tool: index.catalogue.tools[position]
        for tool, position in found.items()
        if seen is None or bool(seen[position])
    }


def _known(graph: ConsistentGraph, ids: Iterable[str]) -> _Known:
    workflows = {one.id: one for one in graph.index.catalogue.workflows}
    return _Known(visible_tools(graph, ids), workflows)
