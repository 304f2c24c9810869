"""Which reads the conditions of a goal take."""

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from app.domain.choosing.near import closeness
from app.domain.choosing.targets import PlanTarget
from app.domain.language.identifiers import pieces, singular, words
from app.domain.language.negation import DENIAL
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.planning.closure import Closure
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex
from app.domain.planning.lookups import share_lookups
from app.domain.planning.meant import NOT_COMPARED, UNKNOWN, TaskMeaning
from app.domain.planning.operations import path_pattern
from app.domain.reading.models import Exclusion, GoalCondition, GoalTask, Reading
from app.domain.restricting.telling import (
    ConditionPart,
    Told,
    is_compared,
    leaves_out,
    parts_of,
    saying_nothing,
    told_by,
)

_PARAMETER = re.compile(r"\{([^{}]++)\}")
_NOT = re.compile(r"(?<=\bca)(n['\u2019]t)\b|n['\u2019]t\b|\s(?:not|never)\b", re.IGNORECASE)
"""What denies; of `can't`, what belongs to it."""
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


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a condition."""

    parts: Sequence[ConditionPart]
    is_either: bool
    """Whether one of the parts is enough."""
    said: frozenset[str]
    """All stems."""
    nouns: frozenset[str]
    """Those that are no participles."""
    values: frozenset[str]
    """Those of its values."""

    @property
    def telling(self) -> frozenset[str]:
        """Those that say what is asked for."""
        return self.said - saying_nothing() - self.values

    @property
    def is_plain(self) -> bool:
        """Whether it says one thing, and none of all of many or of how many there are."""
        return len(self.parts) == 1 and not any(part.compared or part.of_many for part in self.parts)


def _words_of(condition: GoalCondition) -> _Words:
    parts, is_either = parts_of(condition)
    values = (one.text for one in condition.values if not one.weak)
    return _Words(
        parts,
        is_either,
        said=frozenset[str]().union(*(part.said for part in parts)),
        nouns=frozenset(stem(singular(one)) for one in pieces(condition.text) if not one.endswith("ed")),
        values=frozenset(stem(singular(piece)) for text in values for piece in pieces(text)),
    )


def _check(
    index: PlanIndex,
    condition: GoalCondition,
    target: int,
    scope: AbstractSet[int] | None,
    ask: Callable[[GoalCondition], AskedCondition],
) -> Check:
    """Where a condition is looked up: what an answer tells comes first, then what is named, and what is meant last."""
    asked, spoken = ask(condition), _words_of(condition)
    reads = _reads_of(index, target, scope)
    alone = _below(index, asked, reads) or _reached(index, asked, target, scope)
    found = list(dict.fromkeys(reads if alone is None else [*reads, alone]))
    # `unless there are open invoices from it` asks for invoices, whatever the thing itself says.
    named = [at for at in found if _is_about_other(index, at, target, spoken.nouns)]
    named.sort(key=lambda at: at != alone)
    check = Check(
        target,
        condition,
        asked=asked,
        of_many=any(part.of_many for part in spoken.parts),
        denies=_DENYING.search(condition.text) is not None,
    )
    for at in dict.fromkeys([*named, *found]):
        told = _with_told(index, check, at, spoken, named)
        if told is not None:
            return told
    if named:
        other = index.traits[named[0]]
        is_only = spoken.is_plain and spoken.telling <= other.resource | other.path_words
        return replace(check, at=named[0], is_existence=is_only and _THERE.search(condition.text) is not None)
    return _untold(index, check, spoken, reads, alone, scope)


def _with_told(index: PlanIndex, check: Check, at: int, spoken: _Words, named: Sequence[int]) -> Check | None:
    """A check with what the answer of a read tells; None where it tells nothing."""
    traits, own = index.traits[at], index.traits[check.target]
    # What things are called is no state of them: `a label` is not `labeled`. Nor is what others are: `open issues`.
    things = (traits.resource | own.resource) & spoken.nouns
    if at not in named:
        others = spoken.nouns & frozenset[str]().union(*(index.traits[one].resource for one in named))
        things |= others | _before(check.condition.text, others)
    text = check.condition.text
    told = [told_by(index, at, part, text=text, spoken=things) for part in spoken.parts]
    if not any(told):
        return None
    # `if it is open or has no owner` cannot be said, and neither can `unless it is open and has one`.
    is_said = len(told) == 1 or spoken.is_either == check.condition.negated
    known = spoken.values.union(traits.resource, traits.path_words, own.resource, own.path_words)
    is_whole = all(
        one is not None and not leaves_out(part, one, known)
        for part, one in zip(spoken.parts, told, strict=True)
    )
    return replace(check, at=at, told=tuple(filter(None, told)) if is_said else (), is_whole=is_whole)


def _untold(
    index: PlanIndex,
    check: Check,
    spoken: _Words,
    reads: Sequence[int],
    alone: int | None,
    scope: AbstractSet[int] | None,
) -> Check:
    """Where a condition is looked up that no answer tells: the list of what is made or added, what is asked for, or the thing."""
    listed, target = _listed(index, check.target, scope), index.traits[check.target]
    # `unless that code exists already`
    called = {stem(word) for item in index.operation(check.target).inputs for word in words(item.name)}
    is_membership = len(spoken.parts) == 1 and spoken.telling <= called | target.resource
    if listed is not None and (is_membership or listed == alone):
        return replace(check, at=listed, is_membership=is_membership)
    if spoken.telling and alone is not None and (alone in reads or not reads):
        return replace(check, at=alone)
    if listed is not None:
        return replace(check, at=listed)
    # `unless I follow it already`: who follows it stands below it.
    by_path = [
        at for at in reads if not (index.traits[at].path_words - target.path_words).isdisjoint(spoken.said)
    ]
    if alone is not None and not by_path and (not reads or index.traits[alone].head in spoken.said):
        return replace(check, at=alone)
    if reads and not by_path and _IS_SO.match(check.condition.text):
        return replace(check, at=reads[0])
    asked = check.asked
    meaning = asked.meaning if asked is not None else UNKNOWN
    return replace(check, at=_likeliest(index, meaning, by_path or reads, spoken.telling))


def _likeliest(
    index: PlanIndex, meaning: TaskMeaning, reads: Sequence[int], telling: AbstractSet[str]
) -> int | None:
    """The read that fits the words and the meaning of a condition best, the thing itself if nothing speaks for another."""
    text = index.text_scores([*telling]) if telling else NOT_COMPARED
    near = closeness(meaning.cosines) if telling else NOT_COMPARED
    peak = max((text.score(at) for at in reads), default=0.0) or 1.0
    return max(reads, key=lambda at: (text.score(at) / peak + near.score(at), -reads.index(at)), default=None)


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
