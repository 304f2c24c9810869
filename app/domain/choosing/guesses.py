"""Which calls are not made however likely they are: what no rule has chosen has to do what a task says."""

from app.domain.choosing.acts import (
    MEASURED,
    is_unheard_of,
    leaves_channel,
    leaves_id,
    leaves_new_state,
    leaves_person,
    leaves_text,
    only_looks,
    writes_anywhere,
)
from app.domain.choosing.candidate import Candidate
from app.domain.choosing.recipe import RECIPE
from app.domain.choosing.reversals import undone
from app.domain.filling.states.setting import negating_verbs
from app.domain.language.goal_words import all_verbs, persons
from app.domain.language.operation_words import OperationKind


def is_guess(one: Candidate, sure: float) -> bool:
    """Whether a call is not made however likely it is.

    A change that leads through a thing of which the goal says nothing, that does not take what the thing becomes or
    what is to be written, that does the opposite or nothing at all, or that has neither verb, noun nor value of the
    task; a read where something is to be done.
    """
    if one.traits.safe:
        return only_looks(one)
    if leaves_new_state(one) or leaves_id(one) or leaves_channel(one) or leaves_text(one):
        return True
    if (
        _makes_for_nobody(one)
        or _ends_another(one)
        or _makes_nothing(one)
        or _makes_what_should_end(one)
        or _changes_nothing(one)
    ):
        return True
    is_strange = is_unheard_of(one) and not one.takes_surely
    return writes_anywhere(one) or (is_strange and not _is_meant_surely(one, sure))


def _is_meant_surely(one: Candidate, sure: float) -> bool:
    """Whether a change without a word of a task is very likely, and takes what the goal names, or finds it."""
    takes_all = bool(one.found.used) and all(value.value.weak for value in one.left)
    takes = takes_all or bool(one.found.states) or (bool(one.left) and bool(one.pending))
    return takes and sure >= RECIPE.sureness.without_a_word


def _makes_for_nobody(one: Candidate) -> bool:
    """Whether a call makes something, and neither takes nor looks up whom a task names by an address: a job opening is no new hire."""
    if one.traits.kind is not OperationKind.CREATE or one.pending or one.traits.head in persons():
        return False
    return leaves_person(one) and (one.words.creates or not one.is_spoken)


def _ends_another(one: Candidate) -> bool:
    """Whether a call deletes a thing that it would have to look up, and a task names more than that: a record is no zone."""
    is_deleting = one.traits.kind is OperationKind.DELETE and not one.words.has_pronoun
    return is_deleting and len(one.left) > len(one.pending) > 0


def _makes_nothing(one: Candidate) -> bool:
    """Whether a task makes something, by the very word for it or by `new`, and a call changes what is there.

    What stands at the end of a path may be made by its name: `PUT /secrets/{name}`; so may a thing that no other call makes.
    """
    words, traits = one.words, one.traits
    if traits.kind is not OperationKind.UPDATE or one.is_spoken or not (words.creates or words.new):
        return False
    if traits.tool.method == "PUT" and not _is_made(one):
        return False
    is_there = words.object == traits.head or not one.takes_surely
    return is_there and not one.form.operation.ends_with_parameter


def _is_made(one: Candidate) -> bool:
    """Whether another call makes such things as a call is about."""
    traits = one.index.traits
    return any(
        traits[at].kind is OperationKind.CREATE and traits[at].head == one.traits.head
        for at in one.index.of_server(one.traits.tool.server)
    )


def _makes_what_should_end(one: Candidate) -> bool:
    """Whether a task stops or undoes something, and a call makes one: to unblock an address is not to block it."""
    verb = one.words.verb
    if one.traits.kind is not OperationKind.CREATE or one.is_spoken:
        return False
    return verb in negating_verbs() or undone(verb) in all_verbs()


def _changes_nothing(one: Candidate) -> bool:
    """Whether a call changes a thing and sets nothing of it, and leaves an amount or a measure that a task states: to retrain for 2 hours is no update."""
    traits, found = one.traits, one.found
    if traits.kind is not OperationKind.UPDATE or one.is_spoken or found.states or found.used:
        return False
    return any(value.value.kind in MEASURED for value in one.left)
