"""Plans as JSON for people, files and clients: what is not said is left out."""

import json
from typing import Any

from app.domain.workflows.plans import Plan, PlanStep, bindings_text


def plan_document(plan: Plan) -> dict[str, Any]:
    """The plan as a JSON object; `Plan.model_validate` reads it back to the same plan."""
    document: dict[str, Any] = {
        "goal": plan.goal,
        "steps": [_step(step) for step in plan.steps],
        "inputs": [item.model_dump(mode="json") for item in plan.inputs],
        "warnings": [warning.model_dump(mode="json", exclude_none=True) for warning in plan.warnings],
    }
    if plan.outputs:
        document["outputs"] = json.loads(bindings_text(plan.outputs))
    return document


def _step(step: PlanStep) -> dict[str, Any]:
    called = {"workflow_id": step.workflow_id} if step.workflow_id else {"tool_id": step.tool_id}
    return {
        "position": step.position,
        **called,
        "purpose": step.purpose,
        "bindings": json.loads(bindings_text(step.bindings)),
        "alternatives": list(step.alternatives),
        "mutating": step.mutating,
    }
