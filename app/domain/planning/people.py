"""Who is meant by an e-mail address: the call that finds somebody by it."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from app.domain.choosing.targets import POOL
from app.domain.filling.fit import ends_of
from app.domain.filling.forms import Form, OperationForm
from app.domain.filling.said import SaidValue
from app.domain.language.goal_words import people
from app.domain.language.identifiers import ID_WORDS, id_family, words
from app.domain.language.text import stem
from app.domain.planning.closure import LIKELY, MAX_ADDED, Closure, given_to
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex
from app.domain.planning.lookups import named_edge
from app.domain.planning.made import is_id
from app.domain.ranking.runs import best_first
from app.domain.reading.models import ValueKind
from app.domain.schemas.tool_schemas import ITEM, Output
from app.domain.schemas.walk import json_pointer
from app.lexicon.lists import table

_SOUGHT = ("email", "search", "find", "lookup")
"""What such calls are called or described by, beside the thing that they find."""
_NAME = "name"
_LEADING = ("", "for", "of", "to", "from", "with", "by")
"""What may stand before the name of somebody whom a call is for."""
_DEEPEST = 3
"""Members of a JSON pointer to the id: `/values/*/id`."""


def fill_person(
    index: PlanIndex,
    context: GoalContext,
    closure: Closure,
    at: int,
    *,
    is_banned: Callable[[int], bool],
    numbers: Sequence[int] = (),
) -> None:
    """Add the call that finds a person by the e-mail address that a step has no input for: `kick a@b.c from C1`.

    So it is for a name where an input is called after whom the verb is done to: `assign it to Ann Lee`. A list that was
    added for a step is asked for what is of that person: `close all tickets of a@b.c`.

    Edges of the graph leave it out where inputs neither have to be there nor are called after what answers hold. Of
    several such calls it is the one whose path says the least that the goal does not.

    Args:
        index: The catalogue.
        context: The goal.
        closure: The plan so far; the call is added.
        at: The step.
        is_banned: Whether the goal forbids a call.
        numbers: All tasks that the step is there for, where it is a target.
    """
    form = index.form(at)
    consumer = closure.added_for.get(at, at)
    known = given_to(index, context, closure.tasks[at], at, consumer)
    left = [
        (number, one)
        for number in numbers or (closure.tasks[at],)
        for one in context.said_for(number)
        if one.local
        and not one.value.weak
        and not any(
            one.at in given_to(index, context, number, step, consumer).used for step in (at, consumer)
        )
        and (at != consumer or not index.traits[at].mutating or not context.tells_where(number, one, form))
        and _is_somebody(context, number, one, form)
    ]
    if len(left) != 1 or len(closure.added) >= MAX_ADDED:
        return
    ((number, address),) = left
    if at != consumer and any(
        address.at in given_to(index, context, number, producer, consumer).used
        for (filled, _), (producer, _) in closure.filled.items()
        if filled == consumer
    ):
        # Who gets the tickets is not who has them.
        return
    wanting = [
        one
        for one in form.forms
        if one.is_of_person
        and not _says_who(one)
        and not known.has(one.item.pointer)
        and (at, one.item.parameter) not in closure.filled
    ]
    led = ends_of(address.value.preposition)
    for one in sorted(wanting, key=lambda one: (not one.item.required, one.heads.isdisjoint(led))):
        found = [
            (
                one.persons_described.isdisjoint(index.traits[finder].resource),
                _unsaid(index, context, finder),
                len(index.traits[finder].tool.path),
                finder,
                field,
            )
            for finder in _near(index, at, one)
            if not is_banned(finder) and (field := _finds(index, context, (number, at), finder, one, address))
        ]
        if not found:
            continue
        *_, finder, field = min(found)
        edge = named_edge(index, at, finder, one.item, field, LIKELY)
        if finder in closure.members:
            closure.fill(at, one.item.parameter, [(finder, edge)])
        else:
            closure.add(at, one.item.parameter, (finder, edge))
            closure.tasks[finder] = number
        return


def _says_who(one: Form) -> bool:
    """Whether an input holds an address or a name: those whom an address names keep both."""
    inputs = table("inputs")
    names = (*inputs["whole_names"], *inputs["first_names"], *inputs["last_names"])
    return words(one.item.name)[-1:] == ("email",) or one.joined_name in names


def _is_somebody(context: GoalContext, number: int, one: SaidValue, form: OperationForm) -> bool:
    """Whether a value says who is meant: an address, or a name behind what is done to somebody, or given."""
    if one.value.kind is not ValueKind.NAME:
        return one.value.kind is ValueKind.EMAIL
    is_given = context.words[number].gives and one.value.preposition == "to" and " " in one.value.text
    return one.verb in form.doers or is_given or (one.is_full_name and one.value.preposition in _LEADING)


def _named_after(one: Form) -> frozenset[str]:
    """Stems of what calls may find for an input: (assigne), people of any kind, and whom its description names."""
    return one.heads | one.described | one.persons_described | frozenset(people())


def _near(index: PlanIndex, at: int, one: Form) -> Iterable[int]:
    """Calls of the same server that may find whom an input identifies, best first."""
    terms = [*sorted(_named_after(one)), *map(stem, _SOUGHT)]
    server = index.traits[at].tool.server
    scores = index.text_scores(terms).within(np.array(index.of_server(server), np.intp))
    return best_first(scores, POOL)


def _finds(
    index: PlanIndex,
    context: GoalContext,
    task: tuple[int, int],
    at: int,
    one: Form,
    address: SaidValue,
) -> str:
    """JSON pointer to the id of whom a call finds by an address; empty where it finds nobody so.

    `task` is the number of a task and the call for it.
    """
    number, consumer = task
    traits, form = index.traits[at], index.form(at)
    if at == consumer or not traits.safe or _named_after(one).isdisjoint(traits.resource | traits.path_words):
        return ""
    found = given_to(index, context, number, at, consumer)
    if address.at not in found.used or any(
        other.item.required and not other.is_context and not found.has(other.item.pointer)
        for other in form.forms
    ):
        return ""
    ids = [field for field in index.operation(at).answer.fields if _is_id_of(field, one)]
    best = min(ids, key=lambda field: (not _is_called(field, one), len(field.pointer)), default=None)
    return json_pointer(best.pointer) if best is not None else ""


def _is_id_of(field: Output, one: Form) -> bool:
    """Whether a field is the id of the person that an answer holds, at its top, in a list or as `/user/id`."""
    holder = field.pointer[-2:-1]
    if len(field.pointer) > _DEEPEST or field.pointer.count(ITEM) > 1:
        return False
    if _is_called(field, one):
        return True
    if one.joined_name.endswith(_NAME):
        # Nobody's user name is an id.
        return False
    return is_id(field.name) and (holder in ((), (ITEM,)) or stem(holder[0]) in _named_after(one))


def _is_called(field: Output, one: Form) -> bool:
    """Whether a field is called as an input, or after what it is described as: `accountId`."""
    # A name may have no word at all: `_`.
    *of, last = words(field.name) or ("",)
    says_what = len(one.name_stems) > 1 or one.joined_name.endswith(_NAME)
    same = says_what and field.name.lower() == one.item.name.lower()
    # The number of a patient is no `patient_id`.
    own = "".join(words(one.item.name)[-1:])
    identifies_so = last in ID_WORDS and (own not in ID_WORDS or id_family(last) == id_family(own))
    return same or (bool(of) and identifies_so and one.described.issuperset(map(stem, of)))


def _unsaid(index: PlanIndex, context: GoalContext, at: int) -> int:
    """How many words of a call's path neither the goal says nor what it finds."""
    traits = index.traits[at]
    return len(traits.path_words - traits.resource - context.all_stems)
