"""The calls that a goal takes."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated

from pydantic import Field

from app.answers.search import milliseconds_since
from app.domain.nodes.models import ToolId
from app.domain.reading.models import Reading
from app.domain.workflows.plans import (
    Binding,
    Plan,
    PlanInput,
    PlanWarning,
    StandIn,
    UnmetTask,
    UnusedValue,
    When,
    plan_document,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepAnswer:
    """One call."""

    position: Annotated[int, Field(description="From 1, in the order in which the calls work.")]
    tool_id: Annotated[ToolId, Field(examples=["shop/cancelOrder"])]
    purpose: Annotated[str, Field(description="The clause of the goal, or which input it is there for.")]
    bindings: Annotated[
        Mapping[str, Binding],
        Field(
            description="By name of the input. `{step, path, select?}`: a JSON pointer into the answer of an "
            "earlier call, where `*` is the item that `select` means: of those that `where` leaves (`field`, `op`, "
            "`value`), without the values in `except`, in the order of `sort`, by `by` the `first`, the `last`, the one "
            "that matches (`match`: also the one whose `field` is `value`), one that you choose (`ask`), or `each`: then "
            "the call is made once for every item, and `each` on the same list means the same item. `{known}`: the value. "
            "`{input}`: one of `inputs`. `{compose, parts}`: put together from these."
        ),
    ]
    when: Annotated[
        tuple[When, ...],
        Field(
            description="Make the call only where all of these hold: what `path` leads to in the answer of `step` "
            "compared with `value` by `op`. Left out where the call is always made."
        ),
    ] = ()
    alternatives: Annotated[
        tuple[ToolId, ...], Field(description="Tools that could take the place, best first.")
    ]
    mutating: bool
    may_call: Annotated[
        bool | None,
        Field(
            description="Whether you may call it; left out where no policies are about you and `only_callable` is not given."
        ),
    ] = None
    is_up: Annotated[
        bool | None,
        Field(
            description="False while every source that describes the tool has failed for 10 minutes; left out as `may_call`."
        ),
    ] = None
    instead_of: Annotated[
        StandIn | None,
        Field(
            description="The tool that fits best and cannot be called: this one does the same, as a source states, and"
            " `inputs` and `outputs` say what of it was what of that one. Left out where it is the one that fits best."
        ),
    ] = None
    ask: Annotated[
        bool,
        Field(
            description="A person has to agree before the call: it makes a change that another tool was meant to make. Left"
            " out where false."
        ),
    ] = False


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
    """False when the snapshot was known to stand alone: the graph was at work, away, or of another generation."""
    reading: Reading | None = None
    """How the goal was understood."""


@dataclass(frozen=True, slots=True)
class GoalAnswer:
    """The calls that a goal takes."""

    goal: str
    steps: Annotated[tuple[StepAnswer, ...], Field(description="Empty when no tool fits.")]
    inputs: Annotated[
        tuple[PlanInput, ...],
        Field(
            description="Values that you have to give; those that are `suggested` no document requires, but the call is "
            "thought to need them."
        ),
    ]
    warnings: Annotated[
        tuple[PlanWarning, ...],
        Field(
            description="`unused_value` first: a value of the goal goes into no call. `condition_not_checked`: the goal "
            "sets a condition that no answer is known to meet; check it before the call. `destructive`, `cycle`, "
            "`missing_tool`, `already_known`, `deprecated`, `max_steps`, `reader_unavailable`, `encoder_unavailable`; `hidden_value`: a secret "
            "value has to be put in; `toxic_flow`: somebody else could steer what is sent or destroyed, with `finding`, "
            "`severity`, `steps`, `path`, and what to do `instead`; `source_down`, `not_callable`: a tool that fits cannot be"
            " called; `instead` names what does the same, and why it does not stand in."
        ),
    ]
    unused: Annotated[
        tuple[UnusedValue, ...], Field(description="Values of the goal that no input takes, and why.")
    ]
    unmet: Annotated[
        tuple[UnmetTask, ...], Field(description="Parts of the goal for which there is no call.")
    ]
    reading: Annotated[
        Reading | None,
        Field(description="How the goal was understood: if it is not what was meant, send `tasks`."),
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
        "reading": answer.reading and answer.reading.model_dump(mode="json"),
        "workflows": [asdict(one) for one in answer.workflows],
        "generation": answer.generation,
        "took_ms": milliseconds_since(begin),
    }
    # Known values may hold half a surrogate pair, which pydantic's own JSON refuses.
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
