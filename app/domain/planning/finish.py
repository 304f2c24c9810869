"""From the steps of a plan to a plan: inputs bound, other tools named, warnings. Pure."""

from collections.abc import Mapping

from pydantic import JsonValue

from app.domain.nodes.dependencies import Requirement
from app.domain.nodes.models import ToolId
from app.domain.planning.bindings import OpenInputs, Source, bind
from app.domain.planning.closure import CLEAR_LEAD, SURE, Closure
from app.domain.planning.draft import Draft
from app.domain.planning.index import PlanIndex
from app.domain.planning.known_values import KnownValues
from app.domain.planning.targets import Target
from app.domain.planning.warnings import plan_warnings
from app.domain.workflows.plans import Plan, PlanStep

_ALTERNATIVES = 3
_ALTERNATIVE_FROM = 0.7


def finish_plan(index: PlanIndex, draft: Draft, *, known: Mapping[str, JsonValue]) -> Plan:
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


def _sources(index: PlanIndex, draft: Draft, at: int, position: Mapping[int, int]) -> dict[str, Source]:
    """What fills the inputs of a step: the closure's choice, and earlier steps for optional inputs."""
    found: dict[str, Source] = {}

    def source(producer: int, edge: Requirement) -> Source:
        return Source(
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


def _leads_to_change(index: PlanIndex, draft: Draft, producer: int) -> bool:
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


def _alternatives(index: PlanIndex, draft: Draft, at: int, target: Target | None) -> tuple[ToolId, ...]:
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
