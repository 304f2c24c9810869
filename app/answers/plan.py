"""The calls that a goal takes."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated

from pydantic import Field

from app.answers.search import milliseconds_since
from app.domain.nodes.models import ToolId
from app.domain.workflows.plans import Binding, Plan, PlanInput, PlanWarning, plan_document


@dataclass(frozen=True, slots=True)
class StepAnswer:
    """One call."""

    position: Annotated[int, Field(description="From 1, in the order in which the calls work.")]
    tool_id: Annotated[ToolId, Field(examples=["shop/cancelOrder"])]
    purpose: Annotated[str, Field(description="The clause of the goal, or which input it is there for.")]
    bindings: Annotated[
        Mapping[str, Binding],
        Field(
            description="By name of the input. `{step, path, select?}`: a JSON pointer into the answer of an "
            "earlier call, where `*` is the item that `select` means: the first, the one whose `field` is "
            "`value`, or one that you choose (ask). `{known}`: the value. `{input}`: one of `inputs`. "
            "`{compose, parts}`: put together from these."
        ),
    ]
    alternatives: Annotated[
        tuple[ToolId, ...], Field(description="Tools that could take the place, best first.")
    ]
    mutating: bool


@dataclass(frozen=True, slots=True)
class LikeWorkflow:
    """A stored workflow for a similar goal."""

    id: str
    goal: str
    similarity: Annotated[float, Field(description="Share of the words that both goals have, 0 to 1.")]
    broken: bool


@dataclass(frozen=True, slots=True)
class PlanAnswer:
    """A plan, from one generation."""

    plan: Plan
    workflows: tuple[LikeWorkflow, ...]
    """Most similar first."""
    generation: int
    """The generation of the snapshot that the plan comes from."""
    from_graph: bool
    """False when the snapshot gave the edges: the graph was at work, away, or of another generation."""


@dataclass(frozen=True, slots=True)
class GoalAnswer:
    """The calls that a goal takes."""

    goal: str
    steps: Annotated[tuple[StepAnswer, ...], Field(description="Empty when no tool fits.")]
    inputs: Annotated[tuple[PlanInput, ...], Field(description="Values that you have to give.")]
    warnings: Annotated[
        tuple[PlanWarning, ...],
        Field(
            description="`destructive`, `cycle`, `missing_tool`, `already_known`, `deprecated`, `max_steps`,"
            " `reader_unavailable`."
        ),
    ]
    workflows: Annotated[
        tuple[LikeWorkflow, ...],
        Field(description="Stored workflows for a similar goal, most similar first."),
    ]
    generation: Annotated[int, Field(description="The generation of the graph that the plan comes from.")]
    took_ms: float


def plan_json(answer: PlanAnswer, begin: float) -> bytes:
    """An answer as it is sent, a `GoalAnswer`; `begin` is when the request came, by `time.perf_counter`."""
    document = {
        **plan_document(answer.plan),
        "workflows": [asdict(one) for one in answer.workflows],
        "generation": answer.generation,
        "took_ms": milliseconds_since(begin),
    }
    # Known values may hold half a surrogate pair, which pydantic's own JSON refuses.
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
