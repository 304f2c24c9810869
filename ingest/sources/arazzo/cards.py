"""Workflows as cards, and the dependencies between tools that they state."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.domain.language.visible_text import refuse_hidden
from app.domain.nodes.models import EdgeKind, NodeKind, Property, Value
from app.domain.workflows.plans import Plan, StepBinding, binding_parts, bindings_text
from ingest.cards import Card, Reference, StatedEdge, ToolNote, card_hash
from ingest.sources.hidden_text import Cleaner

EVIDENCE = "arazzo"


@dataclass(frozen=True, slots=True)
class ArazzoWorkflow:
    """One workflow of a document, as a plan."""

    name: str
    description: str
    plan: Plan


def workflow_card(workflow: ArazzoWorkflow, *, source: str) -> Card:
    """The workflow with a `STEP` edge per step."""
    plan = workflow.plan
    properties: dict[str, Property] = {
        "name": workflow.name,
        "goal": plan.goal,
        "document": plan.model_dump_json(),
        "broken": False,
    }
    if workflow.description:
        properties["description"] = workflow.description
    edges = tuple(
        StatedEdge(
            EdgeKind.STEP,
            Reference(NodeKind.WORKFLOW, step.workflow_id)
            if step.workflow_id
            else Reference(NodeKind.TOOL, step.tool_id),
            f"steps[{step.position - 1}]",
            {"position": step.position, "bindings": bindings_text(step.bindings)},
        )
        for step in plan.steps
    )
    card = Card(kind=NodeKind.WORKFLOW, id=f"{source}/{workflow.name}", properties=properties, edges=edges)
    return replace(card, properties={**properties, "content_hash": card_hash(card)})


def without_hidden_texts(plan: Plan, cleaner: Cleaner) -> Plan:
    """The plan with clean texts.

    Raises:
        InvalidInputError: anything else in it holds a hidden character.
    """

    def cleaned_each(values: Sequence[Value], field: str, place: str) -> tuple[Value, ...]:
        return tuple(
            one.model_copy(update={field: cleaner.text(getattr(one, field), place.format(index))})
            for index, one in enumerate(values)
        )

    cleaned = plan.model_copy(
        update={
            "goal": cleaner.text(plan.goal, "summary"),
            "steps": cleaned_each(plan.steps, "purpose", "steps/{}/description"),
            "inputs": cleaned_each(plan.inputs, "description", "inputs/{}/description"),
            "warnings": cleaned_each(plan.warnings, "message", "warnings/{}"),
            "unused": cleaned_each(plan.unused, "reason", "unused/{}/reason"),
            "unmet": cleaned_each(
                cleaned_each(plan.unmet, "task", "unmet/{}/task"), "reason", "unmet/{}/reason"
            ),
        }
    )
    refuse_hidden(cleaned.model_dump(), field="workflow")
    return cleaned


def tool_notes(plans: Sequence[Plan]) -> tuple[ToolNote, ...]:
    """What the plans say of each tool that they call, by the tool's id.

    A tool requires another where one of its inputs is bound to the other's answer; one parameter may have
    several such tools, ranked in the order of the plans. Of two calls in a row without such a binding the
    first precedes the second.
    """
    requires: dict[tuple[str, str, str], StatedEdge] = {}
    producers: dict[tuple[str, str], int] = {}
    for consumer, parameter, producer, field in (need for plan in plans for need in _needs(plan)):
        if (consumer, producer, parameter) in requires:
            continue
        rank = producers[consumer, parameter] = producers.get((consumer, parameter), 0) + 1
        properties: dict[str, Property] = {
            "parameter": parameter, "field": field, "confidence": 1.0, "evidence": EVIDENCE, "rank": rank,
        }  # fmt: skip
        requires[consumer, producer, parameter] = StatedEdge(
            EdgeKind.REQUIRES, Reference(NodeKind.TOOL, producer), "steps", properties
        )
    needed = {(producer, consumer) for consumer, producer, _ in requires}
    precedes = dict.fromkeys(
        pair for plan in plans for pair in _rows(plan) if pair not in needed and pair[0] != pair[1]
    )
    edges: dict[str, list[StatedEdge]] = {
        step.tool_id: [] for plan in plans for step in plan.steps if step.tool_id
    }
    for (consumer, _, _), edge in requires.items():
        edges[consumer].append(edge)
    for first, second in precedes:
        properties = {"confidence": 1.0, "evidence": EVIDENCE}
        edges[first].append(
            StatedEdge(EdgeKind.PRECEDES, Reference(NodeKind.TOOL, second), "steps", properties)
        )
    return tuple(
        ToolNote(tool=Reference(NodeKind.TOOL, tool), edges=tuple(stated))
        for tool, stated in sorted(edges.items())
    )


def _needs(plan: Plan) -> Iterator[tuple[str, str, str, str]]:
    """(tool, parameter, tool whose answer gives it, JSON pointer into that answer)."""
    tools = {step.position: step.tool_id for step in plan.steps}
    for step in plan.steps:
        for parameter, binding in step.bindings.items():
            for part in binding_parts(binding):
                if isinstance(part, StepBinding) and step.tool_id:
                    producer = tools.get(part.step, "")
                    if producer and producer != step.tool_id:
                        yield step.tool_id, parameter, producer, part.path


def _rows(plan: Plan) -> Iterator[tuple[str, str]]:
    for first, second in zip(plan.steps, plan.steps[1:], strict=False):
        if first.tool_id and second.tool_id:
            yield first.tool_id, second.tool_id
