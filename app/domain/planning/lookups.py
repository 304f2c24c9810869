"""Inputs that no edge of the graph fills: what the goal makes, what a value names, each of many."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

import numpy as np

from app.domain.choosing.targets import POOL, PlanTarget
from app.domain.filling.filters import ask_for
from app.domain.filling.fit import OF_PEOPLE, becomes, is_of_states, is_title, may_be_id, own_noun
from app.domain.filling.forms import Form, OperationForm
from app.domain.filling.said import SaidValue
from app.domain.filling.typed import MISSING, typed
from app.domain.language.identifiers import ID_WORDS, singular, words
from app.domain.language.operation_words import LISTING_KINDS, OperationKind
from app.domain.language.text import stem
from app.domain.nodes.dependencies import Evidence, Requirement
from app.domain.planning.closure import LEAST, LIKELY, MAX_ADDED, Choice, Closure, Needs, given_to
from app.domain.planning.context import GoalContext, place_in_path
from app.domain.planning.index import PlanIndex
from app.domain.planning.made import is_id, made_field
from app.domain.ranking.runs import best_first
from app.domain.reading.models import ValueKind
from app.domain.schemas.tool_schemas import ITEM, Input
from app.domain.schemas.walk import json_pointer
from app.lexicon.lists import table

_LISTING = stem("list")
"""What lists are called or described by, beside what they hold."""


def fill_ids(index: PlanIndex, context: GoalContext, target: PlanTarget, needs: Needs) -> None:
    """What names a thing is its id where people know it by that: `server localhost`, `pool gpu-pool`."""
    form, server = index.form(target.at), index.traits[target.at].tool.server
    assigned = context.assigned(target.number, target.at, form)
    left = [
        one
        for one in context.said_for(target.number)
        if one.at not in assigned.used
        and one.value.kind in (ValueKind.NAME, ValueKind.ID)
        and not one.value.weak
        and " " not in one.value.text
    ]
    for one in form.forms if left else ():
        item = one.item
        if item.location != "path" or item.pointer in assigned.known or item.type != "string":
            continue
        named = next((value for value in left if own_noun(value) in one.heads), None)
        is_found = any(
            edge.parameter == item.parameter for edge in needs.get(index.traits[target.at].tool.id, ())
        )
        if named is None or typed(one, named.value) is MISSING:
            continue
        if _is_called_by_id(index, server, one) or _is_chosen(index, server, one, is_found=is_found):
            assigned.known[item.pointer] = named.value.text
            assigned.used[named.at] = item.pointer


def _is_called_by_id(index: PlanIndex, server: str, one: Form) -> bool:
    """Whether the things that an input identifies have no other name: their lists give an id and nothing beside it.

    A DNS server is called `localhost` and has the id `localhost`; what lists give names of is looked up by them.
    """
    lists = index.lists_of(server, one.heads or one.names)
    called = table("inputs")["called"]
    return any(_item_id(index, at) for at in lists) and not any(
        "".join(words(output.name)) in called and ITEM in output.pointer
        for at in lists
        for output in index.operation(at).answer.fields
    )


def _is_chosen(index: PlanIndex, server: str, one: Form, *, is_found: bool) -> bool:
    """Whether a caller chooses the id of a thing when it is made, or no call gives it: then who names it means its id."""
    if one.item.format == "uuid":
        return False
    joined = frozenset((stem("".join(word for word in words(one.item.name) if word not in ID_WORDS)),))
    resources = {one.heads, one.names, joined}
    makers = {at for resource in resources if resource for at in index.creators_of(server, resource)}
    if any(
        item.name.lower() in ("id", one.item.name.lower())
        and item.required
        and item.location == "body"
        and len(item.pointer) == 1
        and item.type == "string"
        and item.format != "uuid"
        for at in makers
        for item in index.operation(at).inputs
    ):
        return True
    return not is_found and not any(index.lists_of(server, resource) for resource in resources if resource)


def fill_made(
    index: PlanIndex,
    context: GoalContext,
    closure: Closure,
    target: PlanTarget,
    earlier: Sequence[PlanTarget],
) -> None:
    """What an earlier task makes fills the input that is called after it: the price of a line, the channel of a message.

    Documents whose answers say little have no edge for it. Of answers without such an id a short name will do: `ts`
    for `timestamp`.
    """
    form = index.form(target.at)
    assigned = context.assigned(target.number, target.at, form)
    named = context.named_for(target.number, assigned)
    for one in form.forms:
        item = one.item
        if (
            assigned.has(item.pointer)
            or not one.names.isdisjoint(named)
            or item.is_container
            or (is_title(one) and item.location != "path")
            or item.type == "boolean"
            or (target.at, item.parameter) in closure.filled
        ):
            continue
        if item.location not in ("path", "query", "body") or item.enum:
            continue
        depth = len(item.pointer) - (item.pointer[0] == form.whole)
        if depth > 1 and not item.required and not context.words[target.number].has_pronoun:
            # A part of a body that the call can do without, and that nobody speaks of.
            continue
        latest = earlier[::-1]
        for made in sorted(latest, key=lambda made: not _makes(index, made)):
            if not (item.required or _is_handed_on(index, context, made, target, one)):
                continue
            field = made_field(index, made.at, one) or _found_field(index, context, made, target, one)
            if field:
                fill_from(index, closure, target.at, made.at, item, field, LEAST)
                break


def _is_handed_on(
    index: PlanIndex, context: GoalContext, made: PlanTarget, target: PlanTarget, one: Form
) -> bool:
    """Whether what a call can do without may come from an earlier task: where one of both only looks, it is spoken of.

    `list the racks of site 14` after `create a VLAN` asks for no racks of it. What is made takes nothing from the others of
    its kind that were looked at.
    """
    traits, other = index.traits[target.at], index.traits[made.at]
    if traits.kind is OperationKind.CREATE and other.safe and other.resource == traits.resource:
        return False
    is_of_it = context.speaks_of(target.number, one.names) or context.deals_with_one(made.number, one.names)
    return is_of_it or not (traits.safe or other.safe)


def _found_field(
    index: PlanIndex, context: GoalContext, found: PlanTarget, target: PlanTarget, one: Form
) -> str:
    """JSON pointer to the id of what an earlier task looks for, where this one speaks of it by its noun: `the file`."""
    traits, words_of = index.traits[found.at], context.words[target.number]
    is_spoken_of = bool(one.names) and one.names <= traits.resource and one.names <= {*words_of.stems}
    if not (traits.safe and is_spoken_of and len(one.item.pointer) == 1 and one.item.type in ("string", "")):
        return ""
    return _item_id(index, found.at)


def fill_named(
    index: PlanIndex,
    context: GoalContext,
    closure: Closure,
    target: PlanTarget,
    earlier: Sequence[PlanTarget],
) -> None:
    """What an earlier task finds or makes by a name is called by its id later: the file `budget.xlsx`.

    Callers say the name again with each task that is about the thing.
    """
    form = index.form(target.at)
    assigned = context.assigned(target.number, target.at, form)
    for at, pointer in list(assigned.used.items()):
        known, value = assigned.known.get(pointer), context.said[at].value
        if len(pointer) > 1 or not isinstance(known, str):
            continue
        one = form.forms[form.by_pointer[pointer]]
        if is_title(one):
            # What it is called is no id.
            continue
        server = index.traits[target.at].tool.server
        if not (one.identifies or index.id_shapes.is_formed(one.names, server)):
            continue
        # `make a channel ops-2026 and add her to it`: what is new has the id that it is given. An id that the caller gives by its name is kept.
        is_stated_id = may_be_id(value)
        for other in reversed(earlier):
            if is_stated_id and (value.by_name or not _makes(index, other)):
                continue
            field = _called(index, context, other, value.text, one)
            if field:
                del assigned.known[pointer]
                fill_from(index, closure, target.at, other.at, one.item, field, LIKELY)
                break


def _makes(index: PlanIndex, made: PlanTarget) -> bool:
    return index.traits[made.at].kind is OperationKind.CREATE


def _called(index: PlanIndex, context: GoalContext, other: PlanTarget, name: str, one: Form) -> str:
    """JSON pointer to the id of what an earlier task finds or makes by a name; empty where it does neither."""
    traits, form = index.traits[other.at], index.form(other.at)
    if not (traits.safe or _makes(index, other)):
        return ""
    used = context.assigned(other.number, other.at, form).used
    named = [
        form.forms[form.by_pointer[place]]
        for at, place in used.items()
        if context.said[at].value.text.casefold() == name.casefold()
    ]
    if not named or any(place.identifies for place in named):
        return ""
    field = made_field(index, other.at, one)
    if not field and traits.safe and one.names <= traits.resource:
        field = _item_id(index, other.at)
    return "" if field.endswith("/name") else field


def share_lookups(
    index: PlanIndex,
    closure: Closure,
    at: int,
    like: int,
    *,
    is_given: Callable[[int, str], bool] = lambda _at, _parameter: False,
    only_places: bool = False,
) -> None:
    """Fill open parameters of a path with what another step takes from a list at the same place: one thing, one item.

    Args:
        index: The catalogue.
        closure: What fills which input.
        at: The step whose parameters may be open.
        like: The other one.
        is_given: Whether a parameter of a step is given already.
        only_places: Whether the last parameter, which says what is dealt with, stays as it is.
    """
    form, other = index.form(at), index.form(like)
    last = form.operation.last_parameter if only_places else ""
    for item in (one.item for one in form.forms if one.item.location == "path" and one.item.name != last):
        place = place_in_path(form, item)
        same = next((one.item for one in other.forms if place_in_path(other, one.item) == place), None)
        filled = closure.filled.get((like, same.parameter)) if same is not None else None
        if filled is None or filled[0] == at or closure.depends_on(filled[0], at):
            continue
        own = closure.filled.get((at, item.parameter))
        if own is not None and (own[0], own[1].field) == (filled[0], filled[1].field):
            closure.like.setdefault((at, item.parameter), like)
        if (at, item.parameter) not in closure.filled and not is_given(at, item.parameter):
            edge = replace(filled[1], consumer=index.traits[at].tool.id, parameter=item.parameter)
            closure.filled[at, item.parameter] = (filled[0], edge)
            closure.like[at, item.parameter] = like


def fill_each(
    index: PlanIndex,
    context: GoalContext,
    closure: Closure,
    target: PlanTarget,
    inputs: Sequence[tuple[str, list[tuple[int, Requirement]]]],
) -> None:
    """To take away all members of a list is to take away each: the list is read first.

    Documents leave the input optional that says which member; without it such a call does nothing, or too much.
    """
    traits = index.traits[target.at]
    quantity = context.tasks[target.number].quantity
    if not quantity.is_of_many or traits.kind is not OperationKind.DELETE:
        return
    if index.operation(target.at).ends_with_parameter:
        return
    for parameter, known in inputs:
        for producer, edge in known:
            if index.traits[producer].safe and index.traits[producer].tool.path == traits.tool.path:
                if producer in closure.members:
                    closure.filled[target.at, parameter] = (producer, edge)
                else:
                    closure.add(target.at, parameter, (producer, edge))
                return


def fill_optional(
    index: PlanIndex,
    context: GoalContext,
    closure: Closure,
    choice: "Choice",
    at: int,
    inputs: Sequence[tuple[str, list[tuple[int, Requirement]]]],
    *,
    is_banned: Callable[[int], bool],
) -> bool:
    """Look up what a value of the task names, for an optional input (the account behind an e-mail address): whether there was one."""
    form = index.form(at)
    things = frozenset().union(*(one.names | one.described for one in form.forms if one.identifies))
    changes = form.operation.mutating
    left = [
        one
        for one in choice.left_for(at)
        # `order 500 of TW-118`: an item is looked up by what only items are numbered with.
        if one.value.kind in OF_PEOPLE or (changes and one.implied) or things & {*one.nouns[-1:]}
    ]
    # What a look-up that is there takes needs no further one.
    for producer in (one for one in closure.added if closure.added_for.get(one) == at):
        taken = given_to(index, context, closure.tasks[at], producer, at).used
        left = [one for one in left if one.at not in taken]
    if len(closure.added) >= MAX_ADDED:
        return False
    found = []
    inputs = inputs if left else ()
    for parameter, known in inputs:
        if "/" in parameter or (at, parameter) in closure.filled:
            continue
        for producer, edge in known:
            traits = index.traits[producer]
            if not traits.safe or edge.confidence < LIKELY or producer in closure.members:
                continue
            taken = given_to(index, context, closure.tasks[at], producer, at).used
            named = [one for one in left if one.at in taken]
            if all(one.value.kind in OF_PEOPLE for one in named) and not _is_of(
                form, parameter, traits.resource
            ):
                # Who is named is no team, though people have teams.
                continue
            nouns = {own_noun(one) for one in named}
            if nouns & {"", *choice.heads_of(at, parameter), *traits.resource}:
                # A template is looked up among templates, and not among campaigns that have one.
                sure = edge.confidence + bool(nouns & traits.resource)
                found.append((sure, -edge.rank, parameter, producer, edge))
    if not found:
        looked_up = _looked_up(index, context, closure, choice, at) if left else ()
        found = [one for one in looked_up if not is_banned(one[3])]
    if not found:
        found = [one for one in _looked_through(index, closure, at, left) if not is_banned(one[3])]
    if not found:
        found = [one for one in _named_alone(index, context, closure, choice, at) if not is_banned(one[3])]
    if found:
        _, _, parameter, producer, edge = max(found, key=lambda one: one[:2])
        if producer not in closure.members and not closure.depends_on(producer, at):
            closure.add(at, parameter, (producer, edge))
            return True
    return False


def _is_of(form: OperationForm, parameter: str, resource: AbstractSet[str]) -> bool:
    """Whether an input identifies a person, or what is called so."""
    return any(
        one.is_of_person or not resource.isdisjoint(one.heads | one.described)
        for one in form.forms
        if one.item.parameter == parameter
    )


def fill_state(
    index: PlanIndex, context: GoalContext, closure: Closure, target: PlanTarget, choice: "Choice"
) -> None:
    """Look up the id of the state that a thing is set to by its name: `move project 7 to "Ready for billing"`."""
    traits, form = index.traits[target.at], index.form(target.at)
    if not traits.mutating or len(closure.added) >= MAX_ADDED:
        return
    known = context.assigned(target.number, target.at, form)
    if not any(becomes(one, traits.resource) for one in choice.left_for(target.at)):
        return
    for one in form.forms:
        if not (one.is_state and one.is_opaque) or known.has(one.item.pointer):
            continue
        server = traits.tool.server
        lists = (*index.lists_of(server, one.names), *index.lists_of(server, one.heads))
        for producer in lists:
            field = _item_id(index, producer)
            if field and producer not in closure.members and is_of_states(index.traits[producer].resource):
                edge = named_edge(index, target.at, producer, one.item, field, LIKELY)
                closure.add(target.at, one.item.parameter, (producer, edge))
                return


def _looked_up(
    index: PlanIndex, context: GoalContext, closure: Closure, choice: "Choice", at: int
) -> list[tuple[float, int, str, int, Requirement]]:
    """Lists that take a value of the task, for an input that is called after their items: `customer`.

    The inference of edges leaves out inputs that neither have to be there nor are called an id.
    """
    form = index.form(at)
    found = []
    known = context.assigned(closure.tasks[at], at, form).known
    said_parts = {pointer[:-1] for pointer in known}
    for one in form.forms:
        item = one.item
        if (
            item.pointer[:-1] not in said_parts | {()}
            or item.pointer in known
            or (at, item.parameter) in closure.filled
            or not one.names
        ):
            continue
        is_number = item.type == "integer" or item.is_list
        if item.enum or not (item.type in ("string", "") or (is_number and one.identifies)):
            continue
        for producer in index.lists_of(index.traits[at].tool.server, one.names):
            if producer == at or not choice.takes(producer, closure.tasks[at], at):
                continue
            field = _item_id(index, producer)
            if field:
                edge = named_edge(index, at, producer, item, field, LIKELY)
                found.append((LIKELY + choice.fit.score(producer), 0, item.parameter, producer, edge))
    return found


def _looked_through(
    index: PlanIndex, closure: Closure, at: int, left: Sequence[SaidValue]
) -> list[tuple[float, int, str, int, Requirement]]:
    """Lists that hold what a sign tells from all else, for an input that is called after it: `archive #general`.

    They need no filter by name, and may be called otherwise than their items: `/conversations` with `channels` in the answer.
    """
    nouns = {own_noun(one) for one in left if one.value.kind is ValueKind.CHANNEL}
    if not nouns:
        return []
    mine = np.array(index.of_server(index.traits[at].tool.server), np.intp)
    near = best_first(index.text_scores([*sorted(nouns), _LISTING]).within(mine), POOL)
    return [
        (
            LIKELY,
            -len(index.traits[producer].tool.path),
            one.item.parameter,
            producer,
            named_edge(index, at, producer, one.item, field, LIKELY),
        )
        for one in index.form(at).forms
        if one.is_opaque and one.names & nouns and (at, one.item.parameter) not in closure.filled
        for producer in near
        if index.traits[producer].safe and not any(need.item.required for need in index.form(producer).forms)
        if (field := _id_among(index, producer, one.names & nouns))
    ]


def _id_among(index: PlanIndex, producer: int, nouns: AbstractSet[str]) -> str:
    """JSON pointer to the id of items that an answer holds under their noun, with what they are called; empty without one."""
    fields = [
        one.pointer
        for one in index.operation(producer).answer.fields
        if one.pointer[1:-1] == (ITEM,) and stem(singular(one.pointer[0])) in nouns
    ]
    called = any("".join(words(pointer[-1])) in table("inputs")["called"] for pointer in fields)
    return next((json_pointer(pointer) for pointer in fields if called and is_id(pointer[-1])), "")


def _named_alone(
    index: PlanIndex, context: GoalContext, closure: Closure, choice: "Choice", at: int
) -> list[tuple[float, int, str, int, Requirement]]:
    """The list that a name without a noun is looked up in: that of the only other things that narrow a list.

    `shipments out of Ghent` are those of a warehouse, where they are narrowed by nothing else that has a name.
    """
    traits, form = index.traits[at], index.form(at)
    if not (traits.safe and traits.kind in LISTING_KINDS):
        return []
    named = [
        one
        for one in choice.left_for(at)
        if one.value.kind in (ValueKind.NAME, ValueKind.QUOTED)
        and not (one.nouns or own_noun(one) or one.implied)
    ]
    if not named:
        return []
    task = closure.tasks[at]
    taken = {
        place
        for other in closure.members
        if closure.tasks[other] == task
        for place in given_to(index, context, task, other, closure.added_for.get(other, other)).used
    }
    named = [one for one in named if one.at not in taken]
    if len(named) != 1:
        return []
    lists = {
        one.item.parameter: (producer, one)
        for one in form.forms
        if one.item.location == "query" and one.identifies and one.names.isdisjoint(traits.resource)
        for producer in index.lists_of(traits.tool.server, one.names)
        if _item_id(index, producer) and not any(need.item.required for need in index.form(producer).forms)
    }
    if len(lists) != 1:
        return []
    ((parameter, (producer, one)),) = lists.items()
    if (at, parameter) in closure.filled or context.is_given(task, at, form, parameter):
        return []
    asked = given_to(index, context, task, producer, at)
    for place in taken & asked.used.keys():
        # What another call takes says nothing of this list.
        asked.known.pop(asked.used.pop(place), None)
    if named[0].at not in asked.used and not ask_for(index.form(producer), named[0], asked):
        return []
    edge = named_edge(index, at, producer, one.item, _item_id(index, producer), LIKELY)
    return [(LIKELY, 0, parameter, producer, edge)]


def _item_id(index: PlanIndex, producer: int) -> str:
    """JSON pointer to the id of the items of a list; empty without one."""
    for output in index.operation(producer).answer.fields:
        if is_id(output.name) and output.pointer[-2:-1] == (ITEM,) and output.pointer.count(ITEM) == 1:
            return json_pointer(output.pointer)
    return ""


def fill_from(
    index: PlanIndex,
    closure: Closure,
    consumer: int,
    producer: int,
    item: Input,
    field: str,
    confidence: float,
) -> None:
    """Fill an input with a field of another call's answer, though the graph has no edge for it."""
    edge = named_edge(index, consumer, producer, item, field, confidence)
    closure.filled[consumer, item.parameter] = (producer, edge)


def named_edge(
    index: PlanIndex, consumer: int, producer: int, item: Input, field: str, confidence: float
) -> Requirement:
    """An edge that the graph does not have: an input is called after what another call gives."""
    return Requirement(
        consumer=index.traits[consumer].tool.id,
        producer=index.traits[producer].tool.id,
        parameter=item.parameter,
        required=item.required,
        field=field,
        confidence=confidence,
        evidence=Evidence.NAME,
        rank=1,
    )
