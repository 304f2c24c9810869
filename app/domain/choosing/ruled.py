"""Which of the calls that may do what a task asks for rules choose: the best one that fits, or none."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from app.domain.choosing.candidate import Candidate
from app.domain.choosing.fitness import fits
from app.domain.choosing.recipe import RECIPE
from app.domain.filling.states.setting import switching_verbs
from app.domain.language.operation_words import OperationKind

_TIED = 0.85
"""Share of the best worth from which a call that is called after the verb comes first. Source: ours; a state that a general change sets
adds about as much."""


@dataclass(frozen=True, eq=False)
class RuledChoice:
    """The calls by what they are worth to the rules, and the one that they choose."""

    order: Sequence[int]
    """Positions, the best first, as many as may be looked at."""
    fitting: Sequence[int]
    """Of these, the ones that are about what the task is about."""
    worth: Mapping[int, float]
    top: int | None
    """None where no call fits well enough."""

    @property
    def others(self) -> Sequence[int]:
        """What fits and is not much worse than the best."""
        return [at for at in self.fitting if self.worth[at] >= RECIPE.next * self.worth[self.order[0]]]


def choose_by_rules(
    candidates: Mapping[int, Candidate], worth: Mapping[int, float], chosen: Collection[int], *, most: int
) -> RuledChoice:
    """The best call that fits; another in its place that leaves nothing of what the task states.

    Args:
        candidates: At least one call, by position.
        worth: Of each, its score and what else speaks for it.
        chosen: Calls of earlier tasks.
        most: Calls that may be looked at.
    """
    order = [at for _, at in sorted((-round(value, 6), at) for at, value in worth.items())][:most]
    fitting = [at for at in order if fits(candidates[at], chosen)]
    if not fitting:
        return RuledChoice(order, fitting, worth, None)
    top = fitting[0]
    first = candidates[top]
    task = first.context.tasks[first.number]
    changes = first.traits.mutating and bool(task.values)
    least = RECIPE.as_good if changes else RECIPE.near_enough
    if changes and (whole := _takes_whole(candidates, fitting)) is not None:
        leaves = (bool(first.left) or not first.takes_surely) and not first.finds_all
        if leaves and worth[whole] >= RECIPE.near_enough * worth[top]:
            # Who leaves an id that another change takes does not do what is asked for.
            top, least = whole, RECIPE.near_enough
    if first.context.is_asked and (whole := _takes_named(candidates, fitting, top)) is not None:
        top, least = whole, RECIPE.near_enough
    if candidates[top].finds_all:
        least = RECIPE.near_enough
    if (called := _called_so(candidates, fitting)) is not None and worth[called] >= _TIED * worth[top]:
        top = called
    if (switch := _switched(candidates, fitting)) is not None:
        top, least = switch, RECIPE.near_enough
    is_enough = worth[top] >= least * worth[order[0]]
    return RuledChoice(order, fitting, worth, top if is_enough else None)


def _called_so(candidates: Mapping[int, Candidate], fitting: Sequence[int]) -> int | None:
    """The best change whose path ends with the verb of the task: `/merge_requests/{id}/merge`, beside `/merge_requests/{id}` that may set it."""
    return next(
        (
            at
            for at in fitting
            if (one := candidates[at]).traits.mutating
            and one.traits.action
            and one.traits.action == one.words.verb
            and one.takes_all
        ),
        None,
    )


def _switched(candidates: Mapping[int, Candidate], fitting: Sequence[int]) -> int | None:
    """The best change with a switch that is called as what the task turns on or off: `wiki_enabled`, for `turn off the wiki`."""
    return next(
        (
            at
            for at in fitting
            if (one := candidates[at]).traits.mutating
            and one.words.verb in switching_verbs()
            and not one.pending
            and not one.left
            and any(one.words.object in words for words in one.found.states.values())
        ),
        None,
    )


def _takes_whole(candidates: Mapping[int, Candidate], fitting: Sequence[int]) -> int | None:
    """The best change that takes all values of the task; where the best of all has its verb, one that has it, too.

    What has the verb of the task is not outdone by what only has room for its values.
    """
    first = candidates[fitting[0]]
    spoken = first.words.kind in (OperationKind.ACTION, None) and first.is_spoken
    return next(
        (at for at in fitting if candidates[at].takes_all and (candidates[at].is_spoken or not spoken)), None
    )


def _takes_named(candidates: Mapping[int, Candidate], fitting: Sequence[int], top: int) -> int | None:
    """The best call with the verb of a task that takes all that the caller gives by name, where a read leaves some of it."""
    if not candidates[top].traits.safe or not any(value.value.by_name for value in candidates[top].left):
        return None
    return next(
        (
            at
            for at in fitting
            if not candidates[at].left and candidates[at].is_spoken and candidates[at].takes_surely
        ),
        None,
    )
