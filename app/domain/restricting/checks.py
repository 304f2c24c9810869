"""Which reads the conditions of a goal take."""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from pydantic import JsonValue

from app.domain.choosing.targets import PlanTarget
from app.domain.filling.forms import switch_words
from app.domain.filling.states import opposites
from app.domain.language.goal_words import STOP_WORDS
from app.domain.language.identifiers import pieces, words
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.planning.closure import Closure
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex
from app.domain.planning.lookups import share_lookups
from app.domain.planning.operations import path_pattern
from app.domain.reading.models import GoalCondition
from app.domain.schemas.walk import json_pointer


@dataclass(frozen=True, slots=True)
class Check:
    """A condition of a step."""

    target: int
    """The call that depends on it."""
    condition: GoalCondition
    at: int | None
    """The read that tells; None where none was found."""
    path: str = ""
    """JSON pointer into its answer; empty where nothing there says it."""
    value: JsonValue = None
    negated: bool = False


def checks_of(
    index: PlanIndex,
    context: GoalContext,
    targets: Sequence[PlanTarget],
    *,
    scope: AbstractSet[int] | None,
    telling: Callable[[GoalCondition], int | None],
) -> list[Check]:
    """The reads that conditions take: on the thing that the conditional call is about, or on what they speak of.

    Args:
        index: The catalogue.
        context: The goal.
        targets: The calls of its tasks.
        scope: Positions that may be used; all when None.
        telling: The read that fits a condition as if it were asked for alone, by its position.
    """
    found: list[Check] = []
    for target in targets:
        # A call that does two tasks waits for what one of them depends on: it cannot do the other alone.
        condition = next(filter(None, (context.tasks[number].condition for number in target.numbers)), None)
        if condition is None:
            continue
        earlier = next((one for one in found if one.condition is condition), None)
        if earlier is not None:
            found.append(
                Check(target.at, condition, earlier.at, earlier.path, earlier.value, earlier.negated)
            )
            continue
        found.append(_check(index, condition, target.at, scope, telling))
    return found


def look_up_for_checks(index: PlanIndex, closure: Closure, checks: Sequence[Check]) -> None:
    """A read that tells whether a condition holds is of the thing that the conditional call takes from a list."""
    for check in checks:
        if check.at is not None and check.at not in closure.members:
            closure.tasks.setdefault(check.at, closure.tasks[check.target])
            share_lookups(index, closure, check.at, check.target)


def _check(
    index: PlanIndex,
    condition: GoalCondition,
    target: int,
    scope: AbstractSet[int] | None,
    telling: Callable[[GoalCondition], int | None],
) -> Check:
    said = frozenset(stem(piece) for piece in pieces(condition.text))
    terms = [word for word in said if word not in STOP_WORDS]
    reads = _reads_of(index, target, scope)
    found = next((told for at in reads if (told := _told_by(index, at, target, condition, said))), None)
    if found is not None:
        return found
    alone = telling(condition)
    if alone is not None and (told := _told_by(index, alone, target, condition, said)):
        return told
    if alone is not None and (not reads or index.traits[alone].head in said):
        return Check(target, condition, alone)
    if not reads:
        return Check(target, condition, _listed(index, target, scope))
    text = index.text_scores(terms)
    best = max(reads, key=lambda at: (text.score(at), -reads.index(at)))
    return Check(target, condition, best)


def _told_by(
    index: PlanIndex, at: int, target: int, condition: GoalCondition, said: AbstractSet[str]
) -> Check | None:
    """The check by a read in whose answer a field says what a condition says; None where none does."""
    state = _state_in(index, at, said)
    if state is None:
        return None
    path, value, opposite = state
    negated = condition.negated != opposite
    return Check(target, condition, at, path, value, negated != ("not" in said or "no" in said))


def _reads_of(index: PlanIndex, target: int, scope: AbstractSet[int] | None) -> list[int]:
    """Reads of the item that a call is about, the item itself first, then what lies below it."""
    own = index.traits[target].tool
    parts = path_pattern(own.path).rstrip("/").split("/")
    while parts and parts[-1] != "{}":
        parts.pop()
    item = "/".join(parts)
    if not item:
        return []
    found: list[tuple[int, int]] = []
    for at in index.of_server(own.server):
        pattern = path_pattern(index.tools[at].path).rstrip("/")
        below = pattern.startswith(item + "/") and "{}" not in pattern[len(item) :]
        if (pattern == item or below) and (scope is None or at in scope) and index.traits[at].safe:
            found.append((int(below), at))
    return [at for _, at in sorted(found)]


def _listed(index: PlanIndex, target: int, scope: AbstractSet[int] | None) -> int | None:
    """The list of the things of which a call makes one: whether it is there already is seen in it."""
    own = index.traits[target]
    if own.kind is not OperationKind.CREATE or not own.tool.path:
        return None
    return next(
        (
            at
            for at in index.of_server(own.tool.server)
            if index.tools[at].path == own.tool.path
            and (scope is None or at in scope)
            and index.traits[at].safe
        ),
        None,
    )


def _state_in(index: PlanIndex, at: int, said: AbstractSet[str]) -> tuple[str, JsonValue, bool] | None:
    """A field of an answer that says what a condition says, with the value that it has to have."""
    for path, name, members in _fields_with_values(index, at):
        for member in members:
            key = frozenset(stem(word) for word in words(member))
            if key and key <= said:
                return path, member, False
        if not members and (own := switch_words(name)):
            if frozenset(own) <= said:
                return path, True, False
            if len(own) == 1 and opposites().get(own[0], frozenset()) & said:
                return path, False, False
    return None


def _fields_with_values(index: PlanIndex, at: int) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    operation = index.operation(at)
    for output in operation.answer.fields:
        if len(output.pointer) > 3:
            continue
        members = tuple(member for member in output.enum if isinstance(member, str))
        if members or output.type == "boolean":
            yield (
                json_pointer(output.pointer),
                output.name,
                members,
            )
