"""How a plan is closed: required inputs are filled from its steps, else from safe calls that are added."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence

from app.domain.choosing.targets import PlanTarget
from app.domain.filling.assigned import Assignment
from app.domain.filling.fit import own_noun
from app.domain.filling.forms import OperationForm
from app.domain.filling.said import PLACES
from app.domain.language.identifiers import ID_WORDS, words
from app.domain.language.operation_words import LISTING_KINDS, OperationKind
from app.domain.nodes.dependencies import Requirement
from app.domain.planning.closure import LEAST, MAX_ADDED, MAX_DEPTH, Choice, Closure, Needs, given_to
from app.domain.planning.context import GoalContext
from app.domain.planning.handed_on import fill_handed_on
from app.domain.planning.index import PlanIndex
from app.domain.planning.kept import fill_kept
from app.domain.planning.lookups import (
    fill_each,
    fill_made,
    fill_named,
    fill_optional,
    fill_state,
    share_lookups,
)
from app.domain.planning.people import fill_person
from app.domain.ranking.runs import Reached

_CODED = ("code", "number")
"""Last words of the names of inputs for what identifies a thing, or is only a part of it."""


def close(
    index: PlanIndex,
    context: GoalContext,
    targets: Sequence[PlanTarget],
    needs: Needs,
    *,
    fit: Reached,
    is_banned: Callable[[int], bool],
) -> Closure:
    """Fill the required inputs of the targets from steps of the plan, else from safe calls that are added.

    Args:
        index: The catalogue.
        context: The goal.
        targets: What the goal asks for, in its order.
        needs: Edges of the targets and of what they may need, at least `LIKELY`.
        fit: Per tool how well it fits the goal, any scale.
        is_banned: Whether the goal forbids a call.

    Nothing is added for an input that most calls of its server share, nor deeper than 3 calls, nor more than 4 in
    all; nothing that changes anything is added.
    """
    closure = Closure([target.at for target in targets])
    closure.tasks = {target.at: target.number for target in targets}
    choice = Choice(index, context, fit.scaled(), closure)
    place = {target.at: number for number, target in enumerate(targets)}

    def is_given(at: int, parameter: str) -> bool:
        return context.is_given(closure.tasks[at], at, index.form(at), parameter)

    def asks_for_many(at: int, parameter: str) -> bool:
        # Most calls need a zone; `all zones` asks for the list of them.
        words = context.words[closure.tasks[at]]
        many = context.tasks[closure.tasks[at]].quantity.is_of_many
        return many and any(
            one.item.parameter == parameter and not one.names.isdisjoint(words.nouns)
            for one in index.form(at).forms
        )

    def is_named(at: int, parameter: str) -> bool:
        # `the project "Garden"` tells which project, though most calls need one.
        left = choice.left_for(at)
        nouns = {own_noun(one) for one in left}
        adds = index.traits[at].kind is OperationKind.CREATE
        # `in web-storefront` does so without a noun, where the path has no other place left.
        is_place = any(
            not own_noun(one)
            and not one.implied
            and (one.value.preposition in PLACES or one.is_object or (adds and one.is_place))
            for one in left
        )
        forms = index.form(at).forms
        through = (one for one in forms if is_place and one.item.location == "path")
        place = next((one for one in through if not is_given(at, one.item.parameter)), None)
        return any(
            one.item.parameter == parameter and (one is place or not one.names.isdisjoint(nouns))
            for one in forms
        )

    def is_made_later(at: int, producer: int) -> bool:
        # `delete the old webhook and create a new one`: what a later task makes is another thing.
        return (
            index.traits[producer].kind is OperationKind.CREATE
            and closure.tasks[at] < closure.tasks[producer]
        )

    def is_of_another(at: int, parameter: str, producer: int) -> bool:
        # `confirm booking 8 and decline booking 9`: what is called otherwise is found by what takes its name, or in a list of all.
        of = names_of(at, parameter)
        own = {one.at for one in context.named_in(closure.tasks[at], of) if not is_taken(at, one.at)}
        if not own:
            return False
        consumer = closure.added_for.get(producer, producer)
        used = given_to(index, context, closure.tasks[producer], producer, consumer).used
        is_list = index.traits[producer].kind in LISTING_KINDS and not used
        return not (is_list or own & used.keys())

    def names_of(at: int, parameter: str) -> frozenset[str]:
        forms = index.form(at).forms
        return frozenset().union(*(one.names for one in forms if one.item.parameter == parameter))

    def is_taken(at: int, value: int) -> bool:
        return value in context.assigned(closure.tasks[at], at, index.form(at)).used

    def open_inputs(at: int, *, required: bool = True) -> Iterable[tuple[str, list[tuple[int, Requirement]]]]:
        for parameter, edges in _by_parameter(needs.get(index.traits[at].tool.id, ()), required=required):
            known = [
                (index.position[edge.producer], edge)
                for edge in edges
                if edge.producer in index.position and not is_banned(index.position[edge.producer])
            ]
            known = [pair for pair in known if not _is_there(index, at, pair[0], parameter, pair[1].field)]
            if not known or (at, parameter) in closure.filled or is_given(at, parameter):
                continue
            if _is_of_nothing(index, at, parameter):
                continue
            if (
                not index.is_context(at, _joined(parameter))
                or asks_for_many(at, parameter)
                or is_named(at, parameter)
            ):
                yield parameter, known

    done: list[tuple[int, OperationForm, Assignment]] = []
    for target in targets:
        form = index.form(target.at)
        context.share(target.number, target.at, form, done)
        done.append((target.number, form, context.assigned(target.number, target.at, form)))
    # Clause order first: a value that an earlier clause gives is not looked for elsewhere.
    for target in targets:
        before = [one for one in targets if place[one.at] < place[target.at]]
        fill_named(index, context, closure, target, before)
        for parameter, known in open_inputs(target.at):
            earlier = [
                pair
                for pair in known
                if place.get(pair[0], len(place)) < place[target.at]
                and not is_of_another(target.at, parameter, pair[0])
            ]
            closure.fill(
                target.at, parameter, choice.of_what_is_named(target.at, earlier, known), least=LEAST
            )
        fill_handed_on(index, context, closure, target, before)
        fill_made(index, context, closure, target, before)
        fill_person(index, context, closure, target.at, is_banned=is_banned, numbers=target.numbers)
        fill_state(index, context, closure, target, choice)
        fill_kept(index, context, closure, target, is_banned=is_banned, looked_up=False)
    waiting = deque([*((target.at, 0) for target in targets), *((at, 1) for at in closure.added)])
    while waiting:
        at, depth = waiting.popleft()
        for parameter, known in open_inputs(at):
            members = set(closure.members)
            inside = [
                pair
                for pair in known
                if pair[0] in members
                and not is_made_later(at, pair[0])
                and not is_of_another(at, parameter, pair[0])
            ]
            if closure.fill(at, parameter, choice.of_what_is_named(at, inside, known)):
                continue
            if depth >= MAX_DEPTH or len(closure.added) >= MAX_ADDED:
                continue
            is_named_otherwise = any(
                is_of_another(at, parameter, pair[0])
                for pair in known
                if pair[0] in members and closure.tasks[pair[0]] < closure.tasks[at]
            )
            others = [
                pair
                for pair in known
                if pair[0] not in members
                # What the plan has of such things is not this one: only what takes its name finds it.
                and not (is_named_otherwise and not choice.takes(pair[0], closure.tasks[at], at))
            ]
            best = choice.best(at, others)
            if best is not None:
                closure.add(at, parameter, best)
                waiting.append((best[0], depth + 1))
    for at in [at for at in closure.added if index.traits[at].kind in LISTING_KINDS]:
        fill_person(index, context, closure, at, is_banned=is_banned)
    for at, consumer in list(closure.added_for.items()):
        # Where the thing is that was looked up, there it is dealt with.
        if consumer in place:
            share_lookups(index, closure, consumer, at, is_given=is_given)
    for target in targets:
        # What a task speaks of again is what the one before has looked up.
        for other in reversed([one for one in targets if place[one.at] < place[target.at]]):
            # A task that names no place is in that of an earlier one: `in Northquay make a channel and post in it`.
            again = context.speaks_again(target.number, other.number)
            if not again and any(one.value.preposition in PLACES for one in choice.left_for(target.at)):
                continue
            share_lookups(index, closure, target.at, other.at, is_given=is_given, only_places=not again)
    for target in targets:
        fill_kept(index, context, closure, target, is_banned=is_banned, looked_up=True)
        fill_each(index, context, closure, target, list(open_inputs(target.at, required=False)))
    for at in closure.members:
        inputs = list(open_inputs(at, required=False))
        while fill_optional(index, context, closure, choice, at, inputs, is_banned=is_banned):
            # Each of several things that a task names is looked up.
            continue
    return closure


def _is_there(index: PlanIndex, at: int, producer: int, parameter: str, field: str) -> bool:
    """Whether an input would be filled from what is there already of the kind that a call makes: what is there is not added.

    So are the further inputs of a change filled: the tender of payment 7 is not that of any payment.
    """
    traits, other, name = index.traits[at], index.traits[producer], parameter.rsplit("/", 1)[-1]
    is_own = words(name) == words(field.rsplit("/", 1)[-1])
    if index.operation(at).ends_with_parameter:
        in_body = any(
            item.location == "body" and item.parameter == parameter for item in index.operation(at).inputs
        )
        changes = traits.kind is OperationKind.UPDATE and in_body
        return (
            changes and is_own and other.kind in LISTING_KINDS and other.tool.path == _above(traits.tool.path)
        )
    adds = traits.kind is OperationKind.CREATE and (is_own or ID_WORDS.issuperset(words(name)))
    is_item = index.operation(producer).ends_with_parameter and _above(other.tool.path) == traits.tool.path
    return adds and other.safe and (is_item or other.tool.path == traits.tool.path)


def _is_of_nothing(index: PlanIndex, at: int, parameter: str) -> bool:
    """Whether a code or a number in a body is of no thing that its server has: the `post_code` of an address."""
    server = index.traits[at].tool.server
    return words(parameter.rsplit("/", 1)[-1])[-1] in _CODED and any(
        one.item.parameter == parameter
        and one.item.location == "body"
        and bool(one.heads)
        and not any(index.is_part_of_resource(server, head) for head in one.heads)
        for one in index.form(at).forms
    )


def _above(path: str) -> str:
    """The path of the things of which a path leads to one: `/payments` of `/payments/{id}`."""
    return path.rstrip("/").rsplit("/", 1)[0]


def _joined(parameter: str) -> str:
    return " ".join(words(parameter.rsplit("/", 1)[-1]))


def _by_parameter(
    edges: Iterable[Requirement], *, required: bool = True
) -> Iterable[tuple[str, list[Requirement]]]:
    """Required (or optional) inputs with their producers by rank; an edge without input stands under its producer."""
    found: defaultdict[str, list[Requirement]] = defaultdict(list)
    for edge in edges:
        if edge.required == required:
            found[edge.parameter or f"({edge.producer})"].append(edge)
    return [(name, sorted(group, key=lambda edge: edge.rank)) for name, group in found.items()]
