"""From a goal to a plan: targets, what they need, in which order, with which inputs. Pure."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pydantic import JsonValue

from app.domain.clauses import goal_terms, opening_stems
from app.domain.closure import CLEAR_LEAD, LIKELY, MAX_DEPTH, SURE, Closure, Needs, close
from app.domain.dependencies import Requirement
from app.domain.goal_words import all_verbs
from app.domain.models import ToolId
from app.domain.operation_words import OperationKind
from app.domain.plan_bindings import OpenInputs, Source, bind
from app.domain.plan_index import PlanIndex
from app.domain.plan_order import order_steps
from app.domain.plan_values import KnownValues
from app.domain.plans import Plan, PlanStep, PlanWarning
from app.domain.source_vote import vote
from app.domain.targets import CANDIDATES, ClauseScores, GoalScores, Target, choose_targets, score_goal
from app.domain.text import stem

Requirements = Callable[[Sequence[ToolId]], Sequence[Requirement]]
"""All edges that lead from these consumers to what they may need, `MAX_DEPTH` edges deep, at least `LIKELY`.

One call per plan. The graph answers it in one round trip; `requirements_within` is the same in memory.
"""

RIVALS = 2
"""Servers beside the one that the goal speaks to which a clause may go to."""
RIVAL_SHARE = 0.5
"""They have at least this share of its votes."""
AWAY = 2.2
"""A clause goes to a rival whose best tool fits it so many times better."""
_ALTERNATIVES = 3
_ALTERNATIVE_FROM = 0.7


@dataclass(frozen=True, eq=False)
class Draft:
    """A plan before its inputs are bound; positions are those of the index."""

    goal: str
    scores: GoalScores
    targets: tuple[Target, ...]
    closure: Closure
    order: tuple[int, ...]
    """Steps in the order in which they work."""
    needs: Needs
    met: tuple[Target, ...]
    """Targets that are left out because the caller has what they would find."""
    missing: tuple[ToolId, ...]
    """Producers that the graph names and the catalogue does not have."""
    cut: tuple[Target, ...] = ()
    """Targets that `max_steps` has no room for."""

    @property
    def ranking(self) -> list[int]:
        """Targets in clause order, what was added, then every other tool by score."""
        members = self.closure.members
        scores = self.scores.best_of_clauses + 0.3 * self.scores.whole
        rest = np.argsort(-np.round(scores, 6), kind="stable")
        return members + [int(at) for at in rest if scores[at] > 0 and at not in members]


def requirements_within(edges: Sequence[Requirement], *, depth: int = MAX_DEPTH) -> Requirements:
    """`Requirements` over edges in memory."""
    by_consumer: defaultdict[ToolId, list[Requirement]] = defaultdict(list)
    for edge in edges:
        if edge.confidence >= LIKELY:
            by_consumer[edge.consumer].append(edge)

    def reached(consumers: Sequence[ToolId]) -> list[Requirement]:
        found: list[Requirement] = []
        seen: set[ToolId] = set()
        frontier = list(dict.fromkeys(consumers))
        for _ in range(depth + 1):
            seen.update(frontier)
            edges_here = [edge for consumer in frontier for edge in by_consumer.get(consumer, ())]
            found += edges_here
            frontier = [t for t in dict.fromkeys(edge.producer for edge in edges_here) if t not in seen]
        return found

    return reached


def draft_plan(
    index: PlanIndex,
    goal: str,
    *,
    requirements: Requirements,
    known: Mapping[str, JsonValue],
    scope: AbstractSet[int] | None = None,
    max_steps: int | None = None,
) -> Draft:
    """Choose the steps of a plan and their order.

    Args:
        index: The catalogue.
        goal: What is to be done, in the user's words.
        requirements: Where edges come from.
        known: Values that the caller has.
        scope: Positions that may be used; all when None. With tools of several servers in it, the plan uses
            those of the one server that the goal speaks to.
        max_steps: Targets at the end are left out, with what only they need, until the plan is no longer.

    Returns:
        A draft, without targets when no tool shares a word with the goal.
    """
    scores = _scored(index, goal, scope)
    candidates = dict.fromkeys(at for clause in scores.clauses for at in clause.candidates)
    edges = requirements([index.traits[at].tool.id for at in candidates])
    needs: defaultdict[ToolId, list[Requirement]] = defaultdict(list)
    for edge in edges:
        needs[edge.consumer].append(edge)
    values = KnownValues(goal, known)
    targets = choose_targets(index, scores, lambda at: needs.get(index.traits[at].tool.id, ()))
    wanted, met = _without_met(index, targets, needs, values)

    cut: list[Target] = []

    def is_given(at: int, parameter: str) -> bool:
        operation = index.operation(at)
        item = next((item for item in operation.inputs if item.parameter == parameter), None)
        return item is not None and values.binding(operation, item) is not None

    while True:
        closure = close(
            index,
            [target.at for target in wanted],
            needs,
            goal=goal,
            fit=scores.best_of_clauses,
            is_given=is_given,
        )
        if max_steps is None or len(closure.members) <= max_steps or not wanted:
            break
        cut.insert(0, wanted.pop())
    before: defaultdict[int, set[int]] = defaultdict(set)
    for (consumer, _), (producer, _) in closure.filled.items():
        before[consumer].add(producer)
    order = order_steps(closure.targets, closure.added, before)
    steps = {index.traits[at].tool.id for at in order}
    missing = {
        edge.producer for edge in edges if edge.consumer in steps and edge.producer not in index.position
    }
    return Draft(
        goal,
        scores,
        tuple(wanted),
        closure,
        tuple(order),
        dict(needs),
        tuple(met),
        tuple(sorted(missing)),
        tuple(cut),
    )


def finish_plan(index: PlanIndex, draft: Draft, *, known: Mapping[str, JsonValue]) -> Plan:
    """Bind the inputs of a draft's steps, and say what a caller should know before running it."""
    values = KnownValues(draft.goal, known)
    opened = OpenInputs()
    position = {at: number for number, at in enumerate(draft.order, start=1)}
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
    warnings = [*_warnings_of_steps(index, draft, position), *_warnings_of_goal(index, draft)]
    return Plan(goal=draft.goal, steps=tuple(steps), inputs=opened.inputs, warnings=tuple(warnings))


def _scored(index: PlanIndex, goal: str, scope: AbstractSet[int] | None) -> GoalScores:
    """The goal over the server that it speaks to; a clause that another one serves far better goes there."""
    codes = index.server_codes if scope is None else index.server_codes[sorted(scope)]
    votes = vote(index, goal, scope=scope) if np.unique(codes).size > 1 else []
    if not votes:
        return score_goal(index, goal, scope=scope)
    winner = _positions(index, votes[0][0], scope)
    inside = score_goal(index, goal, scope=winner)
    rivals = [server for server, worth in votes[1 : 1 + RIVALS] if worth >= RIVAL_SHARE * votes[0][1]]
    if len(inside.clauses) == 1 or not rivals:
        return inside
    others: set[int] = set().union(*(_positions(index, server, scope) for server in rivals))
    wide = score_goal(index, goal, scope=winner | others)
    at_home, away = np.array(sorted(winner)), np.array(sorted(others))
    clauses = [
        _only(found, away)
        if found.scores[away].max(initial=0.0) >= AWAY * found.scores[at_home].max(initial=0.0) > 0
        else own
        for own, found in zip(inside.clauses, wide.clauses, strict=True)
    ]
    return GoalScores(goal, tuple(clauses), np.maximum(inside.whole, wide.whole))


def _only(clause: ClauseScores, positions: npt.NDArray[np.intp]) -> ClauseScores:
    """The clause scored over these tools alone."""
    scores = np.zeros_like(clause.scores)
    scores[positions] = clause.scores[positions]
    order = np.argsort(-np.round(scores, 6), kind="stable")[:CANDIDATES]
    return ClauseScores(clause.clause, scores, tuple(int(at) for at in order if scores[at] > 0))


def _positions(index: PlanIndex, server: str, scope: AbstractSet[int] | None) -> set[int]:
    found = {int(at) for at in np.flatnonzero(index.server_codes == index.servers.index(server))}
    return found if scope is None else found & scope


def _without_met(
    index: PlanIndex, targets: Sequence[Target], needs: Needs, values: KnownValues
) -> tuple[list[Target], list[Target]]:
    """Targets that are still to be called, and reads whose result the caller has already.

    A read is left out when a later target takes values from it and the caller has all of them, or when the goal
    asks for nothing but a value that the caller has.
    """
    wanted: list[Target] = []
    met: list[Target] = []
    for number, target in enumerate(targets):
        traits = index.traits[target.at]
        used = [
            (later.at, edge)
            for later in targets[number + 1 :]
            for edge in needs.get(index.traits[later.at].tool.id, ())
            if edge.producer == traits.tool.id and edge.required
        ]
        known = traits.safe and (used and all(_has(index, values, at, edge) for at, edge in used))
        alone = traits.safe and len(targets) == 1 and _asks_only_for_known(target.clause, values)
        (met if known or alone else wanted).append(target)
    return wanted, met


def _has(index: PlanIndex, values: KnownValues, at: int, edge: Requirement) -> bool:
    operation = index.operation(at)
    return any(
        item.parameter == edge.parameter and values.binding(operation, item) is not None
        for item in operation.inputs
    )


def _asks_only_for_known(clause: str, values: KnownValues) -> bool:
    asked = {
        term for term in goal_terms(clause) if term not in all_verbs() or term not in opening_stems(clause, 1)
    }
    return bool(asked) and any(asked == {stem(word) for word in slot} for slot in values.slots)


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


def _warnings_of_steps(index: PlanIndex, draft: Draft, position: Mapping[int, int]) -> list[PlanWarning]:
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


def _warnings_of_goal(index: PlanIndex, draft: Draft) -> list[PlanWarning]:
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
