"""The editor as a document: cards, panels, what the form carries."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.answers.plan_edits import PlanState
from app.domain.language.identifiers import words
from app.domain.nodes.models import Tool
from app.domain.schemas.tool_schemas import inputs_of
from app.domain.workflows.choices import BindingChoice, ChoiceKind, answer_fields, fitting_types
from app.domain.workflows.commands import AddStep, BindInput, Feed, named_in
from app.domain.workflows.places import not_before, step_at
from app.domain.workflows.plans import Plan, PlanStep, Select, StepBinding
from app.domain.workflows.stored import ProblemCode
from app.usecases.plans.editing import ChoicesRequest, choices_for, visible_tools
from app.usecases.questions import Filters, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search as find_tools
from app.web.parts.editor_cards import (
    as_json,
    free_inputs,
    input_users,
    item_fields,
    plan_as_json,
    step_cards,
)
from app.web.parts.editor_forms import Panel, PanelKind

_FOUND = 8
_NEAR = 3
_FIELDS = 40
"""Of an answer, in the panel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Editing:
    """A plan in the editor, and what it came from."""

    state: PlanState
    id: str = ""
    """Of the stored workflow; empty for a plan that is not stored."""
    etag: str = ""
    name: str = ""
    """The id that is offered to save it under."""
    read: str = ""
    """The plan as it was read from the store."""
    servers: tuple[str, ...] = ()
    source: str = ""
    """The document that brings it; such a workflow is saved as a copy."""


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool that can be added."""

    tool: Tool
    edit: str
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerField:
    """A field of an answer, which can be taken to an input."""

    path: str
    type: str
    fits: str
    """Types of the inputs that it fits; empty when its own is not known."""


@dataclass(frozen=True, slots=True)
class OfferedChoice:
    """A source for an input, with the edit that takes it."""

    choice: BindingChoice
    edit: str


def editor_document(
    editing: Editing, graph: ConsistentGraph, *, panel: Panel, search: str, at: int | None
) -> dict[str, Any]:
    """What the template draws."""
    plan = editing.state.plan
    tools = visible_tools(graph, named_in(plan, None))
    steps = {step.position: step for step in plan.steps}
    if panel.step and panel.step not in steps:
        panel = Panel()
    return {
        "plan": plan,
        "plan_json": plan_as_json(plan),
        "cards": step_cards(editing.state, tools, _replacements(editing.state, graph)),
        "inputs": input_users(plan),
        "general": [one for one in plan.warnings if one.step is None],
        "panel": panel,
        "search": search,
        "at": at,
        "found": _found(search, at, editing, graph) if panel.kind is PanelKind.ADD else [],
        "binding": _binding(panel, editing, graph, steps, tools) if panel.kind is PanelKind.BIND else None,
        "looked": _looked(panel, plan, graph, tools) if panel.kind is PanelKind.STEP else None,
    }


def _looked(panel: Panel, plan: Plan, graph: ConsistentGraph, tools: Mapping[str, Tool]) -> dict[str, Any]:
    """The panel about one step: its answer, its optional inputs, what could take its place."""
    step = step_at(plan, panel.step)
    tool = tools.get(step.tool_id)
    workflows = {one.id: one for one in graph.index.catalogue.workflows}
    # Shallow ones first: an identity is rarely deep.
    fields = sorted(answer_fields(step, tools, workflows), key=lambda field: field[1].count("/"))
    return {
        "step": step,
        "fields": [
            AnswerField(path, found, " ".join(fitting_types(found)) if found else "")
            for _, path, found in fields[:_FIELDS]
        ],
        "more": max(0, len(fields) - _FIELDS),
        "optional": [
            item.parameter
            for item in free_inputs(step, inputs_of(tool) if tool else ())
            if not item.required or item.has_default
        ],
        # Said where a field is held over an input that cannot take it.
        "refused": json.dumps(
            {other: not_before(panel.step, other) for other in range(1, panel.step + 1)},
            separators=(",", ":"),
        ),
    }


def _found(search: str, at: int | None, editing: Editing, graph: ConsistentGraph) -> list[OfferedTool]:
    if not search:
        return []
    filters = Filters(servers=editing.servers)
    answer = find_tools(
        SearchRequest(query=search[:1000], top_k=_FOUND, filters=filters, prerequisites=0), graph
    )
    tools = visible_tools(graph, [tool.id for tool in answer.tools])
    place = at if at is not None and at <= len(editing.state.plan.steps) else None
    return [
        OfferedTool(
            tools[tool.id],
            as_json(AddStep(calls=tool.id, at=place, purpose=search[:200])),
            _required(tools[tool.id]),
        )
        for tool in answer.tools
        if tool.id in tools
    ]


def _required(tool: Tool) -> tuple[str, ...]:
    return tuple(
        item.parameter
        for item in inputs_of(tool)
        if item.required and not item.has_default and len(item.pointer) == 1
    )


def _binding(
    panel: Panel,
    editing: Editing,
    graph: ConsistentGraph,
    steps: Mapping[int, PlanStep],
    tools: Mapping[str, Tool],
) -> dict[str, Any]:
    """The panel about one input: its choices, and which item of a list is meant."""
    plan, step = editing.state.plan, steps[panel.step]
    request = ChoicesRequest(plan=plan, step=panel.step, parameter=panel.parameter)
    offered = [
        OfferedChoice(choice, _edit_of(choice, panel, mutating=step.mutating))
        for choice in choices_for(request, graph).choices
    ]
    current = step.bindings.get(panel.parameter)
    selected = current if isinstance(current, StepBinding) and "*" in current.path.split("/") else None
    producer = steps.get(selected.step) if selected else None
    tool = tools.get(producer.tool_id) if producer else None
    nothing = BindInput(step=panel.step, parameter=panel.parameter, binding=None)
    return {
        "fields": [one for one in offered if one.choice.kind is ChoiceKind.FIELD],
        "additions": [one for one in offered if one.choice.kind is ChoiceKind.ADD],
        "inputs": [one for one in offered if one.choice.kind is ChoiceKind.INPUT],
        "values": [one for one in offered if one.choice.kind is ChoiceKind.VALUE],
        "bound": current is not None,
        "nothing": as_json(nothing),
        "earlier": [one for one in steps.values() if one.position < panel.step],
        "select": (selected.select or Select(by="first")) if selected else None,
        "path": selected.path if selected else "",
        "item_fields": item_fields(tool, selected.path) if selected else [],
    }


def _edit_of(choice: BindingChoice, panel: Panel, *, mutating: bool) -> str:
    if choice.kind is not ChoiceKind.ADD:
        return as_json(BindInput(step=panel.step, parameter=panel.parameter, binding=choice.binding))
    chosen = Select(by="ask" if mutating else "first") if "*" in choice.path.split("/") else None
    fed = Feed(step=panel.step, parameter=panel.parameter, path=choice.path, select=chosen)
    return as_json(AddStep(calls=choice.tool_id, at=panel.step, feeds=fed))


def _replacements(state: PlanState, graph: ConsistentGraph) -> dict[int, tuple[str, ...]]:
    """Near tools for steps whose tool is gone: by the words of its name and of what the step is for."""
    gone = {one.step for one in state.problems if one.code is ProblemCode.MISSING_TOOL}
    found = {}
    for step in state.plan.steps:
        if step.position in gone:
            said = " ".join((*words(step.tool_id.rpartition("/")[2]), step.purpose))
            if said.strip():
                request = SearchRequest(query=said[:500], top_k=_NEAR, prerequisites=0)
                found[step.position] = tuple(tool.id for tool in find_tools(request, graph).tools)
    return found
