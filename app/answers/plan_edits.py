"""A plan that is changed by hand."""

import json
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from app.domain.workflows.choices import BindingChoice
from app.domain.workflows.places import StepPlaces
from app.domain.workflows.plans import Plan, plan_document
from app.domain.workflows.stored import WorkflowProblem


@dataclass(frozen=True, slots=True)
class PlanState:
    """A plan and how it stands."""

    plan: Annotated[Plan, Field(description="Its steps are numbered 1, 2, 3.")]
    problems: Annotated[tuple[WorkflowProblem, ...], Field(description="What keeps it from running.")]
    places: Annotated[
        tuple[StepPlaces, ...],
        Field(description="For each step where it may stand, and what keeps it there."),
    ]
    generation: Annotated[int, Field(description="Of the snapshot whose tools it was looked at with.")]


@dataclass(frozen=True, slots=True)
class ChoiceAnswer:
    """What an input could take its value from."""

    choices: Annotated[tuple[BindingChoice, ...], Field(description="Best first.")]
    generation: int


_CHOICES = TypeAdapter(ChoiceAnswer)


def state_json(state: PlanState) -> bytes:
    """A `PlanState` as it is sent."""
    document: dict[str, Any] = {
        "plan": plan_document(state.plan),
        "problems": [one.model_dump(mode="json") for one in state.problems],
        "places": [one.model_dump(mode="json") for one in state.places],
        "generation": state.generation,
    }
    # Known values may hold half a surrogate pair, which pydantic's own JSON refuses.
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def choices_json(answer: ChoiceAnswer) -> bytes:
    """A `ChoiceAnswer` as it is sent."""
    document = _CHOICES.dump_python(answer, mode="json")
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
