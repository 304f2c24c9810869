"""Where a step of a plan may stand: behind what it takes values from, before what takes values from it."""

from collections.abc import Iterable, Iterator

from app.domain.nodes.models import Value
from app.domain.workflows.plans import Binding, Plan, PlanStep, StepBinding, binding_parts
from app.errors import InvalidInputError


class StepPlaces(Value):
    """The places that a step may have when the others keep their order: `first` to `last`, none if those cross."""

    step: int
    first: int
    last: int
    not_before: str = ""
    """Why it may not come before `first`; empty where `first` is 1."""
    not_behind: str = ""
    """Why it may not come behind `last`; empty where `last` is the number of steps."""

    def refusal(self, place: int) -> str:
        """Why a place is not allowed; empty where it is. Of both reasons the first, where the places cross."""
        if place < self.first:
            return self.not_before
        return self.not_behind if place > self.last else ""


def allowed_places(plan: Plan) -> tuple[StepPlaces, ...]:
    """For each step the places that it may have, in the order of the steps.

    A place is allowed if the step then stands behind every step that it takes a value from or that its conditions
    are about, and before every step of which that is so the other way round. Positions are those of the plan, which
    is numbered 1, 2, 3; places count as positions do.
    """
    needs = [tuple(_needs(step)) for step in plan.steps]
    index = {step.position: at for at, step in enumerate(plan.steps)}
    users: dict[int, list[tuple[int, str]]] = {}
    for at, found in enumerate(needs):
        for source, reason in found:
            users.setdefault(source, []).append((at, reason))
    return tuple(
        _places(
            step.position,
            at,
            len(plan.steps),
            behind=[(index[source], reason) for source, reason in needs[at] if source in index],
            before=users.get(step.position, ()),
        )
        for at, step in enumerate(plan.steps)
    )


def places_of(plan: Plan, position: int) -> StepPlaces:
    """The places that one step may have.

    Raises:
        InvalidInputError: there is no such step.
    """
    step_at(plan, position)
    return next(found for found in allowed_places(plan) if found.step == position)


def step_at(plan: Plan, position: int) -> PlanStep:
    """The step with this position.

    Raises:
        InvalidInputError: no step has it.
    """
    found = next((step for step in plan.steps if step.position == position), None)
    if found is None:
        there = ", ".join(str(step.position) for step in plan.steps) or "none"
        raise InvalidInputError(f"no step {position}; the plan's steps are {there}")
    return found


def not_before(source: int, step: int) -> str:
    """Why a step cannot take a value from another: that one does not come before it."""
    return f"step {source} is not before step {step}; accepted: an earlier step"


def sources_of(*bindings: Binding) -> set[int]:
    """Positions of the steps that bindings take values from."""
    parts = (part for binding in bindings for part in binding_parts(binding))
    return {part.step for part in parts if isinstance(part, StepBinding)}


def _places(
    step: int,
    at: int,
    steps: int,
    *,
    behind: Iterable[tuple[int, str]],
    before: Iterable[tuple[int, str]],
) -> StepPlaces:
    # The place of another step once this one is taken out; a step that needs itself has no place at all.
    first, not_before = 1, ""
    for other, reason in behind:
        place = other + 2 if other < at else other + 1 if other > at else steps + 1
        if place > first:
            first, not_before = place, reason
    last, not_behind = steps, ""
    for other, reason in before:
        place = other + 1 if other < at else other if other > at else 0
        if place < last:
            last, not_behind = place, reason
    return StepPlaces(step=step, first=first, last=last, not_before=not_before, not_behind=not_behind)


def _needs(step: PlanStep) -> Iterator[tuple[int, str]]:
    """The steps that one has to come after, with the reason if it does not."""
    said = f"step {step.position} ({step.workflow_id or step.tool_id})"
    for source in sorted(sources_of(*step.bindings.values())):
        yield (
            source,
            f"{said} takes a value from step {source}, which would come after it; bind its input elsewhere first",
        )
    for when in step.when:
        yield when.step, f"{said} has a condition about step {when.step}, which would come after it"
