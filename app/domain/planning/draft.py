"""From a goal to the steps of a plan: targets, what they need, and in which order. Pure."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, cached_property, partial

import numpy as np
from pydantic import JsonValue

from app.domain.choosing.servers import ServerChoice, score_by_server
from app.domain.choosing.targets import CANDIDATES, GoalScores, PlanTarget, choose_targets, score_goal
from app.domain.choosing.whole_goal import with_change_of_goal
from app.domain.filling.links import without_links
from app.domain.language.goal_words import all_verbs
from app.domain.language.text import stem
from app.domain.nodes.dependencies import Requirement
from app.domain.nodes.models import ToolId
from app.domain.planning.closing import close
from app.domain.planning.closure import LEAST, MAX_DEPTH, Closure, Needs
from app.domain.planning.context import GoalContext, read_context
from app.domain.planning.index import PlanIndex
from app.domain.planning.lookups import fill_ids
from app.domain.planning.meant import (
    MOST_COMPARED,
    FindFirst,
    Meant,
    meant_text,
    nothing_found,
    nothing_meant,
)
from app.domain.planning.values import KnownValues
from app.domain.ranking.formulas import Positions
from app.domain.ranking.runs import Reached, best_first
from app.domain.reading.clauses.cutting import MAX_CLAUSES
from app.domain.reading.clauses.words import goal_terms, opening_stems
from app.domain.reading.models import AskedTask, GoalCondition
from app.domain.restricting.checks import (
    SEE,
    AskedCondition,
    Check,
    affirmed,
    as_goal,
    checks_of,
    look_up_for_checks,
)
from app.domain.restricting.exclusions import is_excluded
from app.domain.workflows.plans import UnmetTask

Requirements = Callable[[Sequence[ToolId]], Sequence[Requirement]]
"""All edges that lead from these consumers to what they may need, `MAX_DEPTH` edges deep, at least `LEAST`.

One call per plan, and one more where a call is chosen from further down. The graph answers each in one round trip; `requirements_within` is the same in memory.
"""


@dataclass(frozen=True, eq=False)
class PlanDraft:
    """A plan before its inputs are bound; positions are those of the index."""

    context: GoalContext
    scores: GoalScores
    targets: tuple[PlanTarget, ...]
    closure: Closure
    order: tuple[int, ...]
    """Steps in the order in which they work."""
    needs: Needs
    met: tuple[PlanTarget, ...]
    """Targets that are left out because the caller has what they would find."""
    missing: tuple[ToolId, ...]
    """Producers that the graph names and the catalogue does not have."""
    cut: tuple[PlanTarget, ...] = ()
    """Targets that `max_steps` has no room for."""
    unmet: tuple[UnmetTask, ...] = ()
    """Tasks that no tool fits."""
    checks: tuple[Check, ...] = ()
    """Conditions, with the reads that they take."""
    servers: tuple[str, ...] = ()
    """Those that were planned with, as if there were no others; all when empty."""

    @property
    def goal(self) -> str:
        """The text."""
        return self.context.asked

    @property
    def ranking(self) -> list[int]:
        """Targets in clause order, what was added, then every other tool by score."""
        members = self.closure.members
        best, whole = self.scores.best_of_clauses, self.scores.whole
        at = np.union1d(best.positions, whole.positions)
        rest = best_first(Reached(at, best.at(at) + 0.3 * whole.at(at)), at.size)
        return members + [one for one in rest if one not in members]

    @cached_property
    def position(self) -> Mapping[int, int]:
        """Number of each step, from 1, by its tool's position in the index."""
        return {at: number for number, at in enumerate(self.order, start=1)}


def requirements_within(edges: Sequence[Requirement], *, depth: int = MAX_DEPTH) -> Requirements:
    """`Requirements` over edges in memory."""
    by_consumer: defaultdict[ToolId, list[Requirement]] = defaultdict(list)
    for edge in edges:
        if edge.confidence >= LEAST:
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
    tasks: Sequence[AskedTask] = (),
    now: datetime | None = None,
    timezone: str = "UTC",
    closed: AbstractSet[int] = frozenset(),
    left_out: AbstractSet[int] = frozenset(),
    yields: Callable[[int], bool] | None = None,
    meant: Meant = nothing_meant,
    find: FindFirst = nothing_found,
) -> PlanDraft:
    """Choose the steps of a plan and their order.

    Args:
        index: The catalogue.
        goal: What is to be done, in the user's words.
        requirements: Where edges come from.
        known: Values that the caller has.
        scope: Positions that may be used; all when None. With tools of several servers in it, the plan uses
            those of the one server that the goal speaks to.
        max_steps: Targets at the end are left out, with what only they need, until the plan is no longer.
        tasks: The goal, cut by the caller; read from its text when empty.
        now: What dates count from; the present when None.
        timezone: Of the dates, an IANA name.
        closed: Positions of tools that no step may call; the rest is planned with as if there were nothing else.
        left_out: Tasks that get no call, by their numbers from 0.
        yields: Whether a tool gives way to others that fit a task about as well, at a position.
        meant: Compares tasks and tools in meaning; asked once, for all tasks together.
        find: Finds the first tool for the text of the goal, where no task leads to a change.

    Returns:
        A draft, without targets when no tool shares a word with the goal.
    """
    if closed:
        scope = (frozenset(range(len(index))) if scope is None else scope) - closed
    servers = _servers(index, scope)
    read = partial(context_over, goal=goal, known=known, tasks=tasks, now=now, timezone=timezone)
    index = index.within(servers)
    context = read(index, servers=servers)
    choice = ServerChoice(index, context, scope)
    if not choice.voted:
        # Nothing but meaning can say where.
        compare(context, meant, choice.positions)
    asked = choice.asked
    if len(asked) < len(servers):
        # Documents about other things do not say what is a word, or what two words are together.
        context = read(index.within(asked), servers=asked)
        inside = {at for server in asked for at in index.of_server(server)}
        scope = inside if scope is None else inside & scope
    if not context.meant:
        is_much = choice.positions.size > MOST_COMPARED and scope is not None
        compare(context, meant, np.array(sorted(scope or ()), np.intp) if is_much else choice.positions)

    @cache
    def excluded(at: int) -> bool:
        return at in closed or is_excluded(index, context, at)

    def may_not_be_found(at: int) -> bool:
        gives_way = yields is not None and yields(at)
        return gives_way or (scope is not None and at not in scope) or excluded(at)

    scores = score_by_server(index, context, choice, yields)
    candidates = dict.fromkeys(at for clause in scores.clauses for at in clause.candidates[:CANDIDATES])
    edges = requirements([index.traits[at].tool.id for at in candidates])
    needs: defaultdict[ToolId, list[Requirement]] = defaultdict(list)
    for edge in edges:
        needs[edge.consumer].append(edge)
    targets, unmet = choose_targets(
        index,
        context,
        scores,
        lambda at: needs.get(index.traits[at].tool.id, ()),
        banned=excluded,
    )
    targets, unmet = with_change_of_goal(
        index, context, scores, (targets, unmet), find=find, banned=may_not_be_found
    )
    targets = [one for target in targets for one in _without(target, left_out, context)]
    context.hand_over(
        {number for target in targets for number in target.numbers},
        whole=next((target.number for target in targets if target.by_goal), None),
    )
    late = [target.at for target in targets if target.at not in candidates]
    if late:
        # Chosen for its inputs from further down the list: its edges were not among those asked for.
        found = requirements([index.traits[at].tool.id for at in late])
        more = [edge for edge in found if edge.consumer not in needs]
        edges = [*edges, *more]
        for edge in more:
            needs[edge.consumer].append(edge)
    wanted, met = _without_met(index, context, targets, needs)
    for target in wanted:
        fill_ids(index, context, target, needs)

    @cache
    def asked_alone(condition: GoalCondition) -> AskedCondition:
        alone = read(index.within(asked), servers=asked, goal=f"{SEE} {affirmed(condition.text)}", tasks=())
        alone.is_condition = True
        at = _only_read(index, alone, meant, scope)
        return AskedCondition(as_goal(context, condition), at, alone.meaning(0))

    # Each target is a step: those that no plan has room for need not be tried.
    cut = wanted[max_steps:] if max_steps is not None else []
    wanted = wanted[:max_steps]
    while True:
        closure = close(
            index,
            context,
            wanted,
            needs,
            fit=scores.best_of_clauses,
            is_banned=excluded,
        )
        checks = checks_of(index, context, wanted, scope=scope, ask=asked_alone)
        reads = {check.at for check in checks if check.at is not None} - set(closure.members)
        if max_steps is None or len(closure.members) + len(reads) <= max_steps or not wanted:
            break
        cut.insert(0, wanted.pop())
    look_up_for_checks(index, closure, checks)
    before: defaultdict[int, set[int]] = defaultdict(set)
    for (consumer, _), (producer, _) in closure.filled.items():
        before[consumer].add(producer)
    for check in checks:
        if check.at is not None and check.at != check.target and check.target not in before.get(check.at, ()):
            before[check.target].add(check.at)
    by_number = {number: target.at for target in wanted for number in target.numbers}
    for target in wanted:
        for number in context.tasks[target.number].after:
            first = by_number.get(number - 1, target.at)
            if first != target.at and not closure.depends_on(first, target.at):
                before[target.at].add(first)
    closure.added += sorted(reads)
    order = order_steps(closure.targets, closure.added, before)
    steps = {index.traits[at].tool.id for at in order}
    missing = {
        edge.producer for edge in edges if edge.consumer in steps and edge.producer not in index.position
    }
    return PlanDraft(
        context,
        scores,
        tuple(wanted),
        closure,
        tuple(order),
        dict(needs),
        tuple(met),
        tuple(sorted(missing)),
        tuple(cut),
        tuple(unmet),
        tuple(checks),
        tuple(asked),
    )


def _only_read(
    index: PlanIndex, context: GoalContext, meant: Meant, scope: AbstractSet[int] | None
) -> int | None:
    """The read that a goal of one task asks for, by its position; None where none takes a value of it or is called after it."""
    at = np.arange(len(index)) if scope is None else np.array(sorted(scope), np.intp)
    reads = at[~index.columns.mutating[at]]
    compare(context, meant, reads)
    targets, _ = choose_targets(
        index,
        context,
        score_goal(index, context, scope=reads),
        lambda _: (),
        banned=lambda one: not index.traits[one].safe,
    )
    for target in targets[:1]:
        is_named = not index.traits[target.at].resource.isdisjoint(context.all_stems)
        if is_named or context.assigned(target.number, target.at, index.form(target.at)).used:
            return target.at
    return None


def compare(context: GoalContext, meant: Meant, positions: Positions) -> None:
    """Let a goal know how close tools at these positions are to its tasks."""
    context.meant = meant(
        [meant_text(task, context.called_by_form) for task in context.tasks[:MAX_CLAUSES]], positions
    )


def context_over(
    index: PlanIndex,
    goal: str,
    *,
    servers: Sequence[str],
    known: Mapping[str, JsonValue],
    tasks: Sequence[AskedTask] = (),
    now: datetime | None = None,
    timezone: str = "UTC",
) -> GoalContext:
    """A goal as it reads for the tools of these servers."""
    return read_context(
        goal,
        known=known,
        tasks=tasks,
        now=now,
        timezone=timezone,
        is_catalogue_verb=index.is_catalogue_verb,
        is_word=index.is_word,
        implied=partial(index.id_shapes.implied, servers=servers),
        joined=index.is_joined,
        is_separate=partial(index.is_separate, servers),
        is_thing=partial(index.is_thing, servers),
        is_taken=partial(index.is_taken, servers),
        is_state=partial(index.is_state, servers),
        written=index.written,
        written_out=partial(_without_links, index, servers),
    )


def _without_links(index: PlanIndex, servers: Sequence[str], text: str) -> str:
    if "://" not in text:
        return text
    implied = partial(index.id_shapes.implied, servers=servers)
    return without_links(text, servers=servers, places=index.places(servers), implied=implied)


def _without(target: PlanTarget, left_out: AbstractSet[int], context: GoalContext) -> Sequence[PlanTarget]:
    """The target for those of its tasks that get a call; nothing where none does."""
    if left_out.isdisjoint(target.numbers):
        return (target,)
    numbers = [number for number in target.numbers if number not in left_out]
    return [
        replace(target, number=number, clause=context.tasks[number].do, also=tuple(numbers[1:]))
        for number in numbers[:1]
    ]


def _servers(index: PlanIndex, scope: AbstractSet[int] | None) -> Sequence[str]:
    return index.servers if scope is None else index.servers_at(np.array(sorted(scope), np.intp))


def _without_met(
    index: PlanIndex, context: GoalContext, targets: Sequence[PlanTarget], needs: Needs
) -> tuple[list[PlanTarget], list[PlanTarget]]:
    """Targets that are still to be called, and reads whose result the caller has already.

    A read is left out when a later target takes values from it and the caller has all of them, or when the goal
    asks for nothing but a value that the caller has.
    """
    wanted: list[PlanTarget] = []
    met: list[PlanTarget] = []
    for number, target in enumerate(targets):
        traits = index.traits[target.at]
        used = [
            (later, edge)
            for later in targets[number + 1 :]
            for edge in needs.get(index.traits[later.at].tool.id, ())
            if edge.producer == traits.tool.id and edge.required
        ]
        known = (
            traits.safe
            # What a later task speaks of again is asked for itself.
            and not target.also
            and (used and all(_has(index, context, later, edge) for later, edge in used))
            # Nor what tells whether a later task is done: `see whether it is listed, and if not, add it`.
            and all(context.tasks[later.number].condition is None for later, _ in used)
            and not _looks_for_others(index, context, target, [later for later, _ in used])
        )
        alone = (
            traits.safe and len(targets) == 1 and _asks_only_for_known(target.clause, context.known_values)
        )
        (met if known or alone else wanted).append(target)
    return wanted, met


def _looks_for_others(
    index: PlanIndex, context: GoalContext, target: PlanTarget, users: Sequence[PlanTarget]
) -> bool:
    """Whether a read is of other things than later tasks deal with, by what it takes: `list the orders of Ann, then cancel order 7`.

    A later task that names its own thing does not need the read; that takes nothing of what the read takes.
    """
    taken = {
        one.at: one
        for one in context.said_for(target.number)
        if one.local
        and not one.value.weak
        and one.at in context.assigned(target.number, target.at, index.form(target.at)).used
    }
    for user in users:
        used = context.assigned(user.number, user.at, index.form(user.at)).used
        if not used or not taken.keys().isdisjoint(used):
            return False
    return bool(taken)


def _has(index: PlanIndex, context: GoalContext, target: PlanTarget, edge: Requirement) -> bool:
    return context.is_given(target.number, target.at, index.form(target.at), edge.parameter)


def _asks_only_for_known(clause: str, values: KnownValues) -> bool:
    asked = {
        term for term in goal_terms(clause) if term not in all_verbs() or term not in opening_stems(clause, 1)
    }
    return bool(asked) and any(asked == {stem(word) for word in slot} for slot in values.slots)


def order_steps(
    targets: Sequence[int], added: Sequence[int], before: Mapping[int, AbstractSet[int]]
) -> list[int]:
    """Targets in their order, each directly after what has to come before it.

    `before` maps a step to the steps that it needs; it holds no circle. Several steps that one step needs come
    in the order of the targets; those that are no targets come before those that are.
    """
    place = {at: number for number, at in enumerate(targets)}
    ordered: dict[int, None] = {}

    def visit(at: int) -> None:
        for earlier in sorted(before.get(at, ()), key=lambda other: (place.get(other, -1), other)):
            if earlier not in ordered:
                visit(earlier)
        ordered[at] = None

    for at in [*targets, *added]:
        if at not in ordered:
            visit(at)
    return list(ordered)
