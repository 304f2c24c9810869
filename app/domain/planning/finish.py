"""From the steps of a plan to a plan: inputs bound, other tools named, and what a caller should know first. Pure."""

from collections.abc import Mapping

from pydantic import JsonValue

from app.domain.language.operation_words import OperationKind
from app.domain.nodes.dependencies import Requirement
from app.domain.nodes.models import ToolId
from app.domain.planning.bindings import BindingSource, OpenInputs, bind
from app.domain.planning.clauses import MAX_CLAUSES
from app.domain.planning.closure import CLEAR_LEAD, SURE, Closure
from app.domain.planning.draft import PlanDraft
from app.domain.planning.index import PlanIndex
from app.domain.planning.targets import PlanTarget
from app.domain.planning.values import KnownValues
from app.domain.workflows.plans import Plan, PlanStep, PlanWarning

_ALTERNATIVES = 3
_ALTERNATIVE_FROM = 0.7


def finish_plan(index: PlanIndex, draft: PlanDraft, *, known: Mapping[str, JsonValue]) -> Plan:
    """Bind the inputs of a draft's steps, and say what a caller should know before running it."""
    values = KnownValues(draft.goal, known)
    opened = OpenInputs()
    position = draft.position
    purposes = {target.at: target for target in draft.targets}
    steps = []
    for at in draft.order:
        traits = index.traits[at]
        target = purposes.get(at)
        steps.append(
            PlanStep(
                position=position[at],
                tool_id=traits.tool.id,
                purpose=target.clause if target else _purpose_of_added(index, draft.closure, at),
                bindings=bind(
                    index.operation(at),
                    step=position[at],
                    sources=_sources(index, draft, at, position),
                    values=values,
                    opened=opened,
                ),
                alternatives=_alternatives(index, draft, at, target),
                mutating=traits.mutating,
            )
        )
    return Plan(
        goal=draft.goal, steps=tuple(steps), inputs=opened.inputs, warnings=plan_warnings(index, draft)
    )


def _sources(
    index: PlanIndex, draft: PlanDraft, at: int, position: Mapping[int, int]
) -> dict[str, BindingSource]:
    """What fills the inputs of a step: the closure's choice, and earlier steps for optional inputs."""
    found: dict[str, BindingSource] = {}

    def source(producer: int, edge: Requirement) -> BindingSource:
        return BindingSource(
            position[producer], index.operation(producer), edge, _leads_to_change(index, draft, producer)
        )

    for edge in sorted(draft.needs.get(index.traits[at].tool.id, ()), key=lambda edge: edge.rank):
        producer = index.position.get(edge.producer)
        if producer is None or position.get(producer, len(position)) >= position[at]:
            continue
        if not edge.required and edge.confidence >= SURE and edge.parameter not in found:
            found[edge.parameter] = source(producer, edge)
    for (consumer, parameter), (producer, edge) in draft.closure.filled.items():
        if consumer == at:
            found[parameter] = source(producer, edge)
    return found


def _leads_to_change(index: PlanIndex, draft: PlanDraft, producer: int) -> bool:
    return any(
        index.traits[at].mutating and draft.closure.depends_on(at, producer)
        for at in draft.order
        if at != producer
    )


def _purpose_of_added(index: PlanIndex, closure: Closure, at: int) -> str:
    return "; ".join(
        f"find {parameter} for {index.traits[consumer].tool.name}"
        for (consumer, parameter), (producer, _) in closure.filled.items()
        if producer == at
    )


def _alternatives(
    index: PlanIndex, draft: PlanDraft, at: int, target: PlanTarget | None
) -> tuple[ToolId, ...]:
    """Other tools for the clause of a target; other producers of what an added step is there for."""
    used = set(draft.order)
    found: dict[ToolId, None] = {}
    if target is not None:
        clause = next(clause for clause in draft.scores.clauses if clause.clause == target.clause)
        least = _ALTERNATIVE_FROM * float(clause.scores[clause.candidates[0]])
        others = [
            other for other in target.alternatives if other not in used and clause.scores[other] >= least
        ]
        found.update(dict.fromkeys(index.traits[other].tool.id for other in others))
    else:
        for (consumer, parameter), (producer, _) in draft.closure.filled.items():
            if producer != at:
                continue
            for edge in draft.needs.get(index.traits[consumer].tool.id, ()):
                other = index.position.get(edge.producer)
                usable = other is not None and other not in used and index.traits[other].safe
                if usable and edge.parameter == parameter and edge.confidence >= SURE - CLEAR_LEAD:
                    found[edge.producer] = None
    return tuple(found)[:_ALTERNATIVES]


def plan_warnings(index: PlanIndex, draft: PlanDraft) -> tuple[PlanWarning, ...]:
    """Of its steps, in their order, then of its goal."""
    return (*_of_steps(index, draft), *_of_goal(index, draft))


def _of_steps(index: PlanIndex, draft: PlanDraft) -> list[PlanWarning]:
    position = draft.position
    found = []
    for at in draft.order:
        traits = index.traits[at]
        name = traits.tool.name
        if traits.kind is OperationKind.DELETE or (traits.tool.destructive and not traits.safe):
            found.append(
                PlanWarning(code="destructive", message=f"{name} cannot be undone", step=position[at])
            )
        if traits.tool.deprecated:
            found.append(PlanWarning(code="deprecated", message=f"{name} is deprecated", step=position[at]))
    for edge in dict.fromkeys(draft.closure.cyclic):
        consumer, producer = index.position[edge.consumer], index.position[edge.producer]
        if (consumer, edge.parameter) not in draft.closure.filled:
            found.append(
                PlanWarning(
                    code="cycle",
                    message=f"{edge.parameter} of {index.traits[consumer].tool.name} could only come from "
                    f"{index.traits[producer].tool.name}, which needs it first: it is left open",
                    step=position[consumer],
                )
            )
    return found


def _of_goal(index: PlanIndex, draft: PlanDraft) -> list[PlanWarning]:
    found = [
        PlanWarning(
            code="already_known",
            message=f"{target.clause!r} needs no call of {index.traits[target.at].tool.name}: its result is given",
        )
        for target in draft.met
    ]
    found += [
        PlanWarning(
            code="max_steps",
            message=f"no room for {target.clause!r}, for which there is {index.traits[target.at].tool.name}",
        )
        for target in draft.cut
    ]
    if draft.scores.left_out:
        first, count = draft.scores.left_out[0], len(draft.scores.left_out)
        found.append(
            PlanWarning(
                code="max_steps",
                message=f"no room for {count:,} more parts of the goal, from {first!r:.200} on; a goal has at most"
                f" {MAX_CLAUSES} that are planned",
            )
        )
    found += [
        PlanWarning(code="missing_tool", message=f"no tool fits {clause.clause!r}")
        for clause in draft.scores.clauses
        if not clause.candidates
    ]
    found += [
        PlanWarning(code="missing_tool", message=f"{tool!r} could fill an input, but is not in the catalogue")
        for tool in draft.missing
    ]
    return found
