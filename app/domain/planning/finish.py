"""From the steps of a plan to a plan: inputs bound, other tools named, and what a caller should know first. Pure."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from app.domain.binding.described import fill_described
from app.domain.binding.late import fill_late, still_unmet
from app.domain.binding.reasons import with_reasons
from app.domain.binding.steps import BoundStep, bound_steps
from app.domain.choosing.targets import PlanTarget
from app.domain.filling.fit import is_zone
from app.domain.language.goal_words import verb_kinds
from app.domain.language.identifiers import is_plural, pieces, singular
from app.domain.language.operation_words import LISTING_KINDS
from app.domain.language.text import stem
from app.domain.nodes.models import ToolId
from app.domain.planning.closure import CLEAR_LEAD, SURE, Closure
from app.domain.planning.context import MAX_VALUES
from app.domain.planning.draft import PlanDraft
from app.domain.planning.index import PlanIndex
from app.domain.planning.traits import Traits
from app.domain.reading.clauses.cutting import MAX_CLAUSES
from app.domain.reading.models import ValueKind
from app.domain.workflows.plans import ASKS_NOTHING, Plan, PlanStep, PlanWarning, UnusedValue

_TITLES = (ValueKind.QUOTED, ValueKind.NAME)
_ALTERNATIVES = 3
_ALTERNATIVE_FROM = 0.7


def finish_plan(index: PlanIndex, draft: PlanDraft) -> Plan:
    """Bind the inputs of a draft's steps, and say what a caller should know before running it."""
    index = index.within(draft.servers or index.servers)
    fill_described(index, draft)
    draft = with_reasons(index, draft)
    steps, inputs, used = bound_steps(index, draft)
    late = fill_late(index, draft, used)
    if late:
        draft = replace(draft, unmet=still_unmet(draft, late))
        steps, inputs, used = bound_steps(index, draft)
    set_beside = _set_beside(index, draft, used)
    if set_beside:
        done = {draft.context.tasks[number].do for number in set_beside}
        draft = replace(draft, unmet=tuple(one for one in draft.unmet if one.task not in done))
        starts = {value.start for number in set_beside for value in draft.context.tasks[number].values}
        used |= {at for at, value in enumerate(draft.context.values) if value.start in starts}
    return Plan(
        goal=draft.goal,
        steps=tuple(
            PlanStep(
                position=step.position,
                tool_id=index.traits[step.at].tool.id,
                purpose=_purpose(index, draft, step.at),
                bindings=step.bindings,
                when=step.when,
                alternatives=_alternatives(index, draft, step.at, _target(draft, step.at)),
                mutating=index.traits[step.at].mutating,
            )
            for step in steps
        ),
        inputs=inputs,
        warnings=plan_warnings(index, draft, steps),
        unused=_unused(index, draft, steps, used),
        unmet=draft.unmet,
    )


def _set_beside(index: PlanIndex, draft: PlanDraft, used: AbstractSet[int]) -> frozenset[int]:
    """Numbers of the tasks without a verb that say nothing but a state which the call beside them sets: `window seats and vegan food`."""
    context = draft.context
    unmet = {one.task for one in draft.unmet}
    by_number = {number: target for target in draft.targets for number in target.numbers}
    found = set()
    for number, task in enumerate(context.tasks):
        heard = context.heard_by(number) if task.do in unmet else None
        target = by_number.get(heard) if heard is not None else None
        if target is None or heard is None:
            continue
        form = index.form(target.at)
        states = frozenset().union(*context.assigned(heard, target.at, form).states.values())
        starts = {value.start for value in task.values if not value.weak}
        is_taken = all(at in used for at, value in enumerate(context.values) if value.start in starts)
        if is_taken and not states.isdisjoint(context.words[number].stems):
            found.add(number)
    return frozenset(found)


def _unused(
    index: PlanIndex, draft: PlanDraft, steps: Sequence[BoundStep], used: AbstractSet[int]
) -> tuple[UnusedValue, ...]:
    """Every value of the goal that nothing in the plan takes, and what those are called that no call goes by, or that stand in a task without one.

    What may be a name is an ordinary word where a step is called by it; without any step, it stands in what is unmet.
    """
    values = draft.context.values
    texts = {values[at].text for at in used}
    called = {term for step in steps for term in _called(index, step.at)}
    left = [
        (at, value)
        for at, value in enumerate(values)
        if at not in used
        and value.text not in texts
        and not (is_zone(value) and at and at - 1 in used and values[at - 1].kind is ValueKind.DATE)
        and not (value.weak and (not steps or _is_word(index, value.text, called)))
    ]
    planned = {number for target in (*draft.targets, *draft.met, *draft.cut) for number in target.numbers}
    without = {
        value.start
        for number, task in enumerate(draft.context.tasks)
        if number not in planned
        for value in task.values
    }
    said = {str(one.value) for _, one in left}
    kinds = [
        noun
        for _, value in left
        if value.kind in _TITLES
        for noun in value.nouns[-1:]
        if (value.start in without or stem(noun) not in called)
        and stem(noun) not in verb_kinds()
        and noun not in said
    ]
    return (
        # With its unit, as it was said.
        *(
            UnusedValue(
                value=value.text if value.unit else value.value,
                reason="no input of the plan takes it"
                if at < MAX_VALUES
                else f"only the first {MAX_VALUES} values of a goal are placed",
            )
            for at, value in left
        ),
        *(UnusedValue(value=noun, reason="no call takes what is called so") for noun in dict.fromkeys(kinds)),
        *_kinds_made(index, draft),
        *_denied(index, draft),
    )


def _denied(index: PlanIndex, draft: PlanDraft) -> Iterator[UnusedValue]:
    """What a list should leave out and its call cannot: those that are paid, of `which invoices are not paid`."""
    for target in draft.targets:
        words = draft.context.words[target.number]
        if words.kind not in LISTING_KINDS or not index.traits[target.at].safe:
            continue
        found = draft.context.assigned(target.number, target.at, index.form(target.at))
        if any(one.is_since_when_not and one.at in found.used for one in draft.context.said):
            # Since when it has not been so is asked for.
            continue
        left = words.denied.difference(*found.states.values())
        said = (one for one in pieces(draft.context.tasks[target.number].words) if stem(one) in left)
        for word in dict.fromkeys(said):
            yield UnusedValue(value=f"not {word}", reason="no input of the plan leaves out what is so")


def _kinds_made(index: PlanIndex, draft: PlanDraft) -> Iterator[UnusedValue]:
    """Which kind of thing is made, where the call for it takes no kind: it makes an issue where a bug was asked for."""
    for target in draft.targets:
        words = draft.context.words[target.number]
        kind = stem(singular(words.kind_of_object))
        states = draft.context.assigned(target.number, target.at, index.form(target.at)).states
        if words.makes and kind and kind not in _called(index, target.at).union(*states.values()):
            yield UnusedValue(
                value=words.kind_of_object,
                reason=f"it is read as what {index.traits[target.at].tool.name} makes, and no input says of which kind",
            )


def _is_word(index: PlanIndex, text: str, called: AbstractSet[str]) -> bool:
    """Whether what may be a name is an ordinary word of a plan: one that its calls go by, or a plural of the catalogue."""
    return all(stem(piece) in called for piece in pieces(text)) or (is_plural(text) and index.is_word(text))


def _called(index: PlanIndex, at: int) -> frozenset[str]:
    """Stems by which a call and its inputs go."""
    traits = index.traits[at]
    return traits.spoken | traits.path_words | traits.resource | index.form(at).by_stem.keys()


def _target(draft: PlanDraft, at: int) -> PlanTarget | None:
    return next((target for target in draft.targets if target.at == at), None)


def _purpose(index: PlanIndex, draft: PlanDraft, at: int) -> str:
    target = _target(draft, at)
    if target is None:
        return _purpose_of_added(index, draft.closure, at) or _purpose_of_check(draft, at)
    return "; ".join([target.clause, *(draft.context.tasks[number].do for number in target.also)])


def _purpose_of_check(draft: PlanDraft, at: int) -> str:
    return "; ".join(
        dict.fromkeys(f"see whether {check.condition.text}" for check in draft.checks if check.at == at)
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
        clause = next(clause for clause in draft.scores.clauses if clause.number == target.number)
        best = max((clause.scores.score(one) for one in clause.candidates[:1]), default=0.0)
        least = _ALTERNATIVE_FROM * best
        others = [
            other
            for other in target.alternatives
            if other not in used and clause.scores.score(other) >= least
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


def plan_warnings(index: PlanIndex, draft: PlanDraft, steps: Sequence[BoundStep]) -> tuple[PlanWarning, ...]:
    """Of its steps, in their order, then of its goal."""
    return (*_of_steps(index, draft, steps), *_of_goal(index, draft))


def _of_steps(index: PlanIndex, draft: PlanDraft, steps: Sequence[BoundStep]) -> list[PlanWarning]:
    position = {step.at: step.position for step in reversed(steps)}
    found = [
        PlanWarning(
            code="condition_not_checked",
            message=f"{'answers say only a part of' if step.when else 'nothing in an answer says'} whether "
            f"{step.unchecked.text!r}: look before this step runs",
            step=step.position,
        )
        for step in steps
        if step.unchecked is not None
    ]
    for step in steps:
        found += warnings_of_call(index.traits[step.at], step.position)
    found += [
        PlanWarning(
            code="by_whole_goal",
            message=f"{index.traits[target.at].tool.name} is what the whole goal is closest to; no part of it by itself says so:"
            " look before it runs",
            step=position[target.at],
        )
        for target in draft.targets
        if target.by_goal and target.at in position
    ]
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


def warnings_of_call(traits: Traits, position: int) -> list[PlanWarning]:
    """What a caller should know of a tool before a step calls it."""
    found, name = [], traits.tool.name
    if traits.is_final:
        found.append(PlanWarning(code="destructive", message=f"{name} cannot be undone", step=position))
    if traits.tool.deprecated:
        found.append(PlanWarning(code="deprecated", message=f"{name} is deprecated", step=position))
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
        PlanWarning(code="missing_tool", message=f"no tool fits {unmet.task!r}")
        for unmet in draft.unmet
        if unmet.fits is None and unmet.reason != ASKS_NOTHING
    ]
    found += [
        PlanWarning(code="missing_tool", message=f"{tool!r} could fill an input, but is not in the catalogue")
        for tool in draft.missing
    ]
    return found
