"""A plan as JSON, the same over every interface."""

import json
import time
from typing import Annotated, Any

from pydantic import BaseModel, Field

from app.domain.workflows.plans import Binding, PlanInput, PlanWarning, plan_document
from app.usecases.plan import PlanAnswer


class StepAnswer(BaseModel):
    """One call."""

    position: Annotated[int, Field(description="From 1, in the order in which the calls work.")]
    tool_id: Annotated[str, Field(examples=["shop/cancelOrder"])]
    purpose: Annotated[str, Field(description="The clause of the goal, or which input it is there for.")]
    bindings: Annotated[
        dict[str, Binding],
        Field(
            description="By name of the input. `{step, path, select?}`: a JSON pointer into the answer of an "
            "earlier call, where `*` is the item that `select` means: the first, the one whose `field` is "
            "`value`, or one that you choose (ask). `{known}`: the value. `{input}`: one of `inputs`. "
            "`{compose, parts}`: put together from these."
        ),
    ]
    alternatives: Annotated[list[str], Field(description="Tools that could take the place, best first.")]
    mutating: bool


class LikeWorkflowAnswer(BaseModel):
    """A stored workflow for a similar goal."""

    id: str
    goal: str
    similarity: float
    broken: bool


class GoalAnswer(BaseModel):
    """The calls that a goal takes."""

    goal: str
    steps: Annotated[list[StepAnswer], Field(description="Empty when no tool fits.")]
    inputs: Annotated[list[PlanInput], Field(description="Values that you have to give.")]
    warnings: Annotated[
        list[PlanWarning],
        Field(
            description="`destructive`, `cycle`, `missing_tool`, `already_known`, `deprecated`, `max_steps`."
        ),
    ]
    workflows: Annotated[list[LikeWorkflowAnswer], Field(description="Stored workflows for a similar goal.")]
    generation: Annotated[int, Field(description="The generation of the graph that the plan comes from.")]
    took_ms: float


def plan_json(answer: PlanAnswer, begin: float) -> bytes:
    """An answer as JSON. `begin` is when the request came, by `time.perf_counter`."""
    document: dict[str, Any] = plan_document(answer.plan)
    document["workflows"] = [
        {"id": one.id, "goal": one.goal, "similarity": one.similarity, "broken": one.broken}
        for one in answer.workflows
    ]
    document["generation"] = answer.generation
    document["took_ms"] = round(1000 * (time.perf_counter() - begin), 3)
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
