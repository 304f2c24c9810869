"""Workflows as cards."""

from dataclasses import dataclass, replace

from app.domain.language.visible_text import refuse_hidden
from app.domain.nodes.models import EdgeKind, NodeKind, Property
from app.domain.workflows.plans import Plan, bindings_text
from ingest.cards import Card, Reference, StatedEdge, card_hash
from ingest.sources.hidden_text import Cleaner


@dataclass(frozen=True, slots=True)
class Workflow:
    """One workflow of a document, as a plan."""

    name: str
    description: str
    plan: Plan


def workflow_card(workflow: Workflow, *, source: str) -> Card:
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
    cleaned = plan.model_copy(
        update={
            "goal": cleaner.text(plan.goal, "summary"),
            "steps": tuple(
                step.model_copy(update={"purpose": cleaner.text(step.purpose, f"steps/{index}/description")})
                for index, step in enumerate(plan.steps)
            ),
            "inputs": tuple(
                one.model_copy(
                    update={"description": cleaner.text(one.description, f"inputs/{index}/description")}
                )
                for index, one in enumerate(plan.inputs)
            ),
            "warnings": tuple(
                one.model_copy(update={"message": cleaner.text(one.message, f"warnings/{index}")})
                for index, one in enumerate(plan.warnings)
            ),
        }
    )
    refuse_hidden(cleaned.model_dump(), field="workflow")
    return cleaned
