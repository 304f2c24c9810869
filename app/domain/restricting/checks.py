"""Which reads the conditions of a goal take."""

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise, takewhile

from app.domain.choosing.near import closeness
from app.domain.choosing.targets import PlanTarget
from app.domain.filling.states import DENIAL
from app.domain.language.goal_words import STOP_WORDS
from app.domain.language.identifiers import pieces, singular, words
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.planning.closure import Closure
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex
from app.domain.planning.lookups import share_lookups
from app.domain.planning.meant import NOT_COMPARED, UNKNOWN, TaskMeaning
from app.domain.planning.operations import path_pattern
from app.domain.reading.models import Exclusion, GoalCondition, GoalTask, Reading
from app.domain.restricting.telling import Told, is_compared, leaves_out, parts_of, told_by
from app.lexicon.lists import table

_PARAMETER = re.compile(r"\{([^{}]++)\}")
_NOT = re.compile(r"(?<=\bca)(n['\u2019]t)\b|n['\u2019]t\b|\s(?:not|never)\b", re.IGNORECASE)
_DENYING = re.compile(rf"{DENIAL.pattern}|\b(?:none|cannot)\b", re.IGNORECASE)
_THERE = re.compile(r"\b(?:there|has|have|had|hasn|haven|got)\b", re.IGNORECASE)
"""Words by which a condition says that something is there, or that somebody has it."""
_IS_SO = re.compile(
    r"(?:it|he|she|they|that|this)(?:['\u2019](?:s|re)|\s++(?:is|are|was|were|has been|have been|isn['\u2019]t|aren['\u2019]t|wasn['\u2019]t))\b",
    re.IGNORECASE,
)
"""What a condition says of the thing itself."""
SEE = "see whether"
"""What a condition asks for."""


@dataclass(frozen=True, slots=True, eq=False)
class AskedCondition:
    """A condition, as if it were asked for alone."""

    context: GoalContext
    """The goal with the condition as its only task."""
    at: int | None
    """The read that fits it; None where none does."""
    meaning: TaskMeaning = UNKNOWN
    """How close reads are to it."""


def affirmed(text: str) -> str:
    """A condition without what denies it: what is not there is looked up as what is. `we do have him as a user`."""
    return _NOT.sub(lambda denial: "n" if denial[1] else "", text)


def as_goal(context: GoalContext, condition: GoalCondition) -> GoalContext:
    """A goal with one of its conditions as the only task: its values are the task's own, all others stand around it."""
    said = condition.text
    for value in condition.values:
        said = said.replace(value.text, " ", 1)
    compared = tuple(one for one in condition.values if is_compared(condition.text, one))
    task = GoalTask(
        do=f"{SEE} {condition.text}",
        words=f"{SEE} {' '.join(said.split())}",
        values=tuple(one for one in condition.values if one not in compared),
    )
    # With what an answer is compared, nothing is asked by.
    apart = (Exclusion(text="", values=compared),) if compared else ()
    return GoalContext(
        goal=context.goal,
        reading=Reading(tasks=(task,), exclusions=apart),
        values=context.values,
        known=context.known,
        is_asked=context.is_asked,
        asked=context.asked,
        implied=context.implied,
        joined=context.joined,
        is_thing=context.is_thing,
        is_condition=True,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """A condition of a step."""

    target: int
    """The call that depends on it."""
    condition: GoalCondition
    at: int | None = None
    """The read that tells; None where none was found."""
    told: tuple[Told, ...] = ()
    """What its answer says; empty where nothing there says it."""
    is_whole: bool = False
    """Whether that is all of what the condition says."""
    asked: AskedCondition | None = None
    """What was asked for; None where the caller says what has to hold."""
    of_many: bool = False
    """Whether the condition is about all of many: which of them are as it says is not what is asked for."""
    denies: bool = False
    """Whether the condition denies something: `if she is not on it yet`."""
    is_membership: bool = False
    """Whether the condition says no more than that what is changed is in a list: `unless she is on it already`."""
    is_existence: bool = False
    """Whether it says no more than that there are such things as the read lists: `if it has no comments`."""


def checks_of(
    index: PlanIndex,
    context: GoalContext,
    targets: Sequence[PlanTarget],
    *,
    scope: AbstractSet[int] | None,
    ask: Callable[[GoalCondition], AskedCondition],
) -> list[Check]:
    """The reads that conditions take: on the thing that the conditional call is about, or on what they speak of.

    Args:
        index: The catalogue.
        context: The goal.
        targets: The calls of its tasks.
        scope: Positions that may be used; all when None.
        ask: A condition as if it were asked for alone.
    """
    found: list[Check] = []
    for target in targets:
        # A call that does two tasks waits for what one of them depends on: it cannot do the other alone.
        condition = next(filter(None, (context.tasks[number].condition for number in target.numbers)), None)
        if condition is None:
            continue
        earlier = next((one for one in found if one.condition is condition), None)
        if earlier is not None:
            found.append(replace(earlier, target=target.at))
            continue
        found.append(_check(index, condition, target.at, scope, ask))
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
    ask: Callable[[GoalCondition], AskedCondition],
) -> Check:
    asked = ask(condition)
    parts, is_either = parts_of(condition)
    said = frozenset[str]().union(*(part.said for part in parts))
    reads = _reads_of(index, target, scope)
    alone = _below(index, asked, reads) or _reached(index, asked, target, scope)
    found = list(dict.fromkeys(reads if alone is None else [*reads, alone]))
    # `unless there are open invoices from it` asks for invoices, whatever the thing itself says.
    nouns = frozenset(stem(singular(piece)) for piece in pieces(condition.text) if not piece.endswith("ed"))
    named = [at for at in found if _is_about_other(index, at, target, nouns)]
    named.sort(key=lambda at: at != alone)
    others = nouns & frozenset[str]().union(*(index.traits[at].resource for at in named))
    values = {
        stem(singular(piece)) for value in condition.values if not value.weak for piece in pieces(value.text)
    }
    check = Check(
        target,
        condition,
        asked=asked,
        of_many=any(part.of_many for part in parts),
        denies=_DENYING.search(condition.text) is not None,
    )
    for at in dict.fromkeys([*named, *found]):
        # What things are called is no state of them: `a label` is not `labeled`. Nor is what others are: `open issues`.
        things = (index.traits[at].resource | index.traits[target].resource) & nouns
        if at not in named:
            things |= others | _before(condition.text, others)
        told = [told_by(index, at, part, text=condition.text, spoken=things) for part in parts]
        if any(told):
            # `if it is open or has no owner` cannot be said, and neither can `unless it is open and has one`.
            is_said = len(parts) == 1 or is_either == condition.negated
            known = values.union(
                *(traits.resource | traits.path_words for traits in (index.traits[at], index.traits[target]))
            )
            is_whole = all(
                one is not None and not leaves_out(part, one, known)
                for part, one in zip(parts, told, strict=True)
            )
            return replace(check, at=at, told=tuple(filter(None, told)) if is_said else (), is_whole=is_whole)
    telling = said - _saying_nothing() - values
    if named:
        other = index.traits[named[0]]
        says_more = check.of_many or any(part.compared for part in parts) or len(parts) > 1
        only = (
            _THERE.search(condition.text) and not says_more and telling <= other.resource | other.path_words
        )
        return replace(check, at=named[0], is_existence=bool(only))
    listed = _listed(index, target, scope)
    # `unless that code exists already`
    called = {stem(word) for item in index.operation(target).inputs for word in words(item.name)}
    is_membership = telling <= called | index.traits[target].resource and len(parts) == 1
    if listed is not None and (is_membership or listed == alone):
        return replace(check, at=listed, is_membership=is_membership)
    if telling and alone is not None and (alone in reads or not reads):
        return replace(check, at=alone)
    if listed is not None:
        return replace(check, at=listed)
    # `unless I follow it already`: who follows it stands below it.
    above = index.traits[target].path_words
    by_path = [at for at in reads if not (index.traits[at].path_words - above).isdisjoint(said)]
    if alone is not None and not by_path and (not reads or index.traits[alone].head in said):
        return replace(check, at=alone)
    if reads and not by_path and _IS_SO.match(condition.text):
        return replace(check, at=reads[0])
    return replace(check, at=_likeliest(index, asked, by_path or reads, telling))


def _likeliest(
    index: PlanIndex, asked: AskedCondition, reads: Sequence[int], telling: AbstractSet[str]
) -> int | None:
    """The read that fits the words and the meaning of a condition best, the thing itself if nothing speaks for another."""
    text = index.text_scores([*telling]) if telling else NOT_COMPARED
    near = closeness(asked.meaning.cosines) if telling else NOT_COMPARED
    peak = max((text.score(at) for at in reads), default=0.0) or 1.0
    return max(reads, key=lambda at: (text.score(at) / peak + near.score(at), -reads.index(at)), default=None)


@cache
def _saying_nothing() -> frozenset[str]:
    """Stems of words by which a condition says nothing of what it asks: `if nobody has it yet`."""
    reading = table("reading")
    lists = (
        "statement_subjects",
        "anybody",
        "everybody",
        "since_when",
        "auxiliaries",
        "pronouns",
        "membership",
    )
    return STOP_WORDS | {stem(piece) for name in lists for word in reading[name] for piece in pieces(word)}


def _below(index: PlanIndex, asked: AskedCondition, reads: Sequence[int]) -> int | None:
    """The read of such things as a condition asks for, of those that lie below the thing that is changed: its comments."""
    if asked.at is None or asked.at in reads:
        return asked.at
    head = index.traits[asked.at].head
    return next((at for at in reads if index.traits[at].head == head), None)


def _before(text: str, things: AbstractSet[str]) -> frozenset[str]:
    """Stems of the words that stand before those of things: (open) of `it still has open issues`."""
    stems = [stem(singular(piece)) for piece in pieces(text)]
    return frozenset(one for one, following in pairwise(stems) if following in things)


def _is_about_other(index: PlanIndex, at: int, target: int, nouns: AbstractSet[str]) -> bool:
    """Whether a read is of things that a condition names, and that are not what is changed."""
    traits, own = index.traits[at], index.traits[target]
    place = _item(own.tool.path).removesuffix("/{}").rpartition("/")[2]
    things = {own.head, *(stem(singular(piece)) for piece in pieces(place)[-1:])} - {""}
    is_own = any(traits.head.startswith(one) or one.startswith(traits.head) for one in things)
    return traits.head in nouns and not is_own and not traits.resource <= own.resource


def _item(path: str) -> str:
    """The path of the thing that a call is about, with `{}` for parameters: up to its last parameter; empty without one."""
    parts = path_pattern(path).rstrip("/").split("/")
    while parts and parts[-1] != "{}":
        parts.pop()
    return "/".join(parts)


def _reached(
    index: PlanIndex, asked: AskedCondition, target: int, scope: AbstractSet[int] | None
) -> int | None:
    """The read that a condition asks for by itself, or the list of such things where nobody says which: `if there are open deals`.

    None where it takes the id of something else that nobody says.
    """
    if asked.at is None:
        return None
    # What is to be made has no id yet.
    is_made = path_pattern(index.tools[asked.at].path) == f"{path_pattern(index.tools[target].path)}/{{}}"
    if not is_made and _is_given(index, asked, asked.at, target):
        return asked.at
    operation = index.operation(asked.at)
    if not operation.ends_with_parameter:
        return None
    path = path_pattern(operation.tool.path).rstrip("/").rpartition("/")[0].rstrip("/")
    lists = _reads_at(index, operation.tool.server, path, scope)
    return next((at for at in lists if _is_given(index, asked, at, target)), asked.at)


def _is_given(index: PlanIndex, asked: AskedCondition, at: int, target: int) -> bool:
    """Whether all parameters of a path are what a condition says, or those of what is changed."""
    own = path_pattern(index.tools[target].path).split("/")
    parts = path_pattern(index.tools[at].path).split("/")
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(own, parts, strict=False)))
    places = [number for number, part in enumerate(parts) if "{}" in part and number >= shared]
    form = index.form(at)
    names = _PARAMETER.findall(index.tools[at].path)
    before = sum(part.count("{}") for part in parts[:shared])
    return not places or all(asked.context.is_given(0, at, form, name) for name in names[before:])


def _reads_at(index: PlanIndex, server: str, path: str, scope: AbstractSet[int] | None) -> list[int]:
    """Positions of the reads of a server at a path in which every parameter is `{}`."""
    return [
        at
        for at in index.of_server(server)
        if path_pattern(index.tools[at].path).rstrip("/") == path
        and (scope is None or at in scope)
        and index.traits[at].safe
    ]


def _reads_of(index: PlanIndex, target: int, scope: AbstractSet[int] | None) -> list[int]:
    """Reads of the item that a call is about, the item itself first, then what lies below it."""
    own = index.traits[target].tool
    item = _item(own.path)
    if not item:
        return _alike(index, target, scope)
    found: list[tuple[int, int]] = []
    for at in index.of_server(own.server):
        pattern = path_pattern(index.tools[at].path).rstrip("/")
        below = pattern.startswith(item + "/") and "{}" not in pattern[len(item) :]
        if (pattern == item or below) and (scope is None or at in scope) and index.traits[at].safe:
            found.append((int(below), at))
    return [at for _, at in sorted(found)]


def _alike(index: PlanIndex, target: int, scope: AbstractSet[int] | None) -> list[int]:
    """Reads whose paths differ from that of a call in one word: `GET /statuses/show/{id}.json` beside `POST /statuses/retweet/{id}.json`."""
    found = [
        at
        for at in index.of_server(index.traits[target].tool.server)
        if index.traits[at].safe and (scope is None or at in scope) and is_alike(index, at, target)
    ]
    return sorted(found, key=lambda at: index.traits[at].kind is not OperationKind.GET)


def is_alike(index: PlanIndex, at: int, target: int) -> bool:
    """Whether the paths of two calls have a parameter, and differ in one word."""
    own, parts = (path_pattern(index.tools[one].path).split("/") for one in (target, at))
    if len(own) != len(parts) or not any("{}" in part for part in own):
        return False
    unlike = [pair for pair in zip(own, parts, strict=True) if pair[0] != pair[1]]
    return len(unlike) == 1 and not any("{}" in part for part in unlike[0])


def _listed(index: PlanIndex, target: int, scope: AbstractSet[int] | None) -> int | None:
    """The list to which a call adds something, or from which it takes it: whether that is in it already is seen there."""
    own = index.traits[target]
    path = path_pattern(own.tool.path).rstrip("/")
    if path.endswith("/{}"):
        # `PUT /channels/{id}/members/{id}`; what can be read itself is.
        if _reads_at(index, own.tool.server, path, scope):
            return None
        path = path.removesuffix("/{}")
    elif own.kind is not OperationKind.CREATE:
        return None
    return next(iter(_reads_at(index, own.tool.server, path, scope)), None) if path else None
