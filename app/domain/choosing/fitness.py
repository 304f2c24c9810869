"""What speaks for a call besides its words."""

from collections.abc import Collection
from functools import cache

from app.domain.choosing.acts import (
    SELF,
    TELLING,
    is_far,
    is_other_change,
    is_unheard_of,
    narrows_lists,
    only_looks,
    same_root,
    titled,
    writes_anywhere,
)
from app.domain.choosing.candidate import NAMING, Candidate
from app.domain.choosing.recipe import RECIPE
from app.domain.filling.fit import OF_PEOPLE, holds_message, names_of_kind, own_noun
from app.domain.filling.forms import Form, is_shaping
from app.domain.filling.said import SaidValue
from app.domain.language.goal_words import people, persons
from app.domain.language.identifiers import pieces, singular
from app.domain.language.operation_words import LISTING_KINDS, READING_KINDS, OperationKind
from app.domain.language.text import stem
from app.domain.reading.clauses.words import is_agent
from app.domain.reading.models import ValueKind
from app.lexicon.lists import table

_MOVING = (OperationKind.CREATE, OperationKind.DELETE, OperationKind.ACTION)
_MOST_UNFILLED = 3
_MOST_WEIGHT = 4.0


def fit_of(one: Candidate) -> float:
    """What speaks for a call besides its words: values that it takes, against what nobody said."""
    # Who says `rejected` speaks of the moderation status that it sets.
    set_by_words = frozenset().union(
        *(one.form.forms[one.form.by_pointer[pointer]].own for pointer in one.found.states)
    )
    unsaid = one.traits.path_words - one.context.stems_for(one.number) - SELF - set_by_words
    fit = _of_values(one) - RECIPE.unsaid * len(unsaid)
    if one.traits.tool.deprecated:
        fit -= RECIPE.outdated
    if _is_of_doers(one):
        fit -= RECIPE.other_head
    if (one.context.is_asked and _needs_unknown(one)) or _is_of_one(one):
        fit -= RECIPE.cannot_take
    if one.context.is_asked and _is_of_many(one):
        fit -= RECIPE.of_many
    if one.traits.tool.method == "PUT" and one.index.has_patch(one.at):
        # A part of a thing is changed by PATCH; PUT would replace the rest of it.
        fit -= RECIPE.replaces_whole
    if one.words.stems[:1] == ("who",) and one.traits.head in people():
        # `who is in the group` asks for its members.
        fit += RECIPE.people
    if one.words.has_pronoun and one.spoken_of:
        # `show me its refunds`: not everybody's.
        fit += RECIPE.spoken_of
    if one.traits.safe:
        doing = one.words.kind is not None and one.words.kind not in READING_KINDS
        return fit - (RECIPE.only_reads if doing else 0.0)
    return fit + _of_change(one)


def _takes_other_values(one: Candidate) -> bool:
    """Whether a change leaves what the caller gives by name and lacks what it needs itself, where neither verb nor state is said."""
    return (
        one.traits.mutating
        and not (one.is_spoken or one.found.states)
        and any(value.value.by_name for value in one.left)
        and bool(_unfilled(one))
    )


def _is_of_doers(one: Candidate) -> bool:
    """Whether a call is about those who do what a task speaks of: reviewers, where it lists reviews."""
    head = one.form.operation.resource[-1:]
    if not head or not is_agent(head[0]) or stem(head[0]) not in one.words.nouns:
        return False
    task = one.context.tasks[one.number]
    said = (*pieces(task.do), *(noun for value in task.values for noun in value.nouns))
    return not any(is_agent(word) and stem(word) == stem(head[0]) for word in said)


def _is_of_many(one: Candidate) -> bool:
    """Whether a call takes a list of things by their ids, and the task names a single one."""
    pointers = [one.found.used[value.at] for value in one.own if value.at in one.found.used]
    taken = [one.form.forms[one.form.by_pointer[pointer]] for pointer in pointers]
    lists = [form for form in taken if (form.item.is_list or form.is_joined) and form.identifies]
    return len(lists) == 1 and pointers.count(lists[0].item.pointer) == 1


def _needs_unknown(one: Candidate) -> bool:
    """Whether a read needs an id that neither its task nor one before it gives: who finds something by its name has none."""
    task = one.context.tasks[one.number]
    if not one.traits.safe or task.after:
        return False
    return _gives_one_of_many(one) or len(one.pending) > sum(value.value.kind in NAMING for value in one.left)


def _is_of_one(one: Candidate) -> bool:
    """Whether a read gives one thing by its id, where a task asks for many and gives none: `which courses are drafts`."""
    if not one.traits.safe or one.words.has_pronoun or not _gives_one_of_many(one):
        return False
    # `show me the pods in namespace shop` names a place, and no pod.
    return not one.own or one.context.speaks_of_several(one.number, one.form.operation.resource)


def _gives_one_of_many(one: Candidate) -> bool:
    """Whether a call gives one thing by an id that is not known, where a task asks for many."""
    last = one.form.operation.ends_with_parameter
    if not any(form.item.name == last for form in one.pending):
        return False
    return one.words.kind in LISTING_KINDS or one.context.speaks_of_several(
        one.number, one.form.operation.resource
    )


def fits(one: Candidate, chosen: Collection[int]) -> bool:
    """Whether a call is about what a task is about: it knows one of the task's nouns, or takes one of its values.

    A verb alone does not make a call fit: to transfer money to a landlord is not to transfer a playback.
    """
    words, traits = one.words, one.traits
    typed = any(value.value.kind is not ValueKind.NAME for value in one.own)
    if traits.mutating and ((typed and is_other_change(one)) or (not one.own and is_unheard_of(one))):
        return False
    if one.context.is_asked and _takes_other_values(one):
        return False
    spoken_of = words.has_pronoun and any(one.index.traits[at].resource & traits.path_words for at in chosen)
    if spoken_of and (one.is_of_kind or not one.is_compared):
        return True
    if (traits.mutating and (is_far(one) or writes_anywhere(one))) or only_looks(one):
        return False
    if not words.nouns or len(words.nouns) + len(one.own) < TELLING:
        return True
    if one.found.states or one.takes_surely or (traits.safe and one.suggested >= RECIPE.clearly_suggested):
        return True
    # What a thing is called may be looked up; an amount that nothing takes speaks of something else.
    if one.is_spoken and not any(value.value.kind not in NAMING for value in one.left):
        return True
    return one.index.coverage(one.at, words.nouns) >= RECIPE.coverage


def _of_values(one: Candidate) -> float:
    """For the values that it takes, and those by which what it needs is looked up; against what stays open."""
    found, resource = one.found, one.traits.resource
    taken: float = sum(
        _text_share(one, found.used[value.at]) if value.at in found.by_rank else 1.0
        for value in one.own
        if value.at in found.used
    )
    taken += min(
        len(one.pending),
        sum(
            (value.value.kind in NAMING or bool(resource & {*value.nouns[-1:]}))
            and not _is_of_other(one, own_noun(value))
            and (value.value.kind not in OF_PEOPLE or any(map(_is_a_person, one.pending)))
            for value in one.left
        ),
    )
    addresses = sum(value.value.kind is ValueKind.EMAIL for value in one.left)
    if addresses and _is_for_somebody(one) and not any(map(_is_a_person, one.pending)):
        # Who is named by an address is found for an input that need not be there, too.
        people_open = sum(form.is_of_person and not found.has(form.item.pointer) for form in one.form.forms)
        taken += min(addresses, people_open)
    channels = sum(value.value.kind is ValueKind.CHANNEL for value in one.left)
    if channels and not one.pending:
        # So is a channel.
        channels_open = sum(
            not form.names.isdisjoint(names_of_kind(ValueKind.CHANNEL)) and not found.has(form.item.pointer)
            for form in one.form.forms
        )
        taken += min(channels, channels_open)
    taken += one.context.is_asked and sum(_tells_item(one, value) for value in one.left)
    fit = RECIPE.weight * min(_MOST_WEIGHT, found.weight)
    if one.own:
        fit += RECIPE.values * taken / len(one.own) - RECIPE.unfilled * min(_unfilled(one), _MOST_UNFILLED)
    if any(value.implied and not narrows_lists(one, value) for value in one.left):
        fit -= RECIPE.cannot_take
    return fit


def _is_for_somebody(one: Candidate) -> bool:
    """Whether a call may be for whom an address names: it looks, it is called after what is done to people, or that is done to the address."""
    is_object = any(
        value.value.kind is ValueKind.EMAIL and [*map(stem, value.value.nouns[-1:])] == [one.words.verb]
        for value in one.left
    )
    return one.traits.safe or one.words.verb in one.form.doers or one.is_given or is_object


def _unfilled(one: Candidate) -> int:
    """How many required inputs beside the path stay open."""
    return sum(
        form.item.required
        and not form.item.has_default
        and not form.item.is_container
        and form.item.location != "path"
        and not one.found.has(form.item.pointer)
        for form in one.form.forms
    )


def _tells_item(one: Candidate, value: SaidValue) -> bool:
    """Whether a value tells which item of a list a task looks for: `{"shed name": "Nook"}` of `find the shed`."""
    return (
        one.words.kind in LISTING_KINDS
        and one.traits.kind in LISTING_KINDS
        and not one.pending
        and value.value.kind in NAMING
        and one.traits.head in (one.words.object, *value.nouns)
        and value.value.nouns[-1:] != ()
        and value.value.nouns[-1] in table("inputs")["called"]
    )


def _is_a_person(form: Form) -> bool:
    """Whether an input identifies somebody, as its name or its description says."""
    said = form.own.union(stem(singular(word)) for word in pieces(form.item.description))
    return not _holders().isdisjoint(said)


@cache
def _holders() -> frozenset[str]:
    return persons().union(map(stem, table("inputs")["addresses"]))


def _text_share(one: Candidate, pointer: tuple[str, ...]) -> float:
    """What a text counts that no word leads to its input; what is posted goes to what holds messages."""
    if not one.words.says:
        return RECIPE.ranked
    is_message = holds_message(one.form.forms[one.form.by_pointer[pointer]])
    return 1.0 if is_message else RECIPE.ranked / 2


def _is_of_other(one: Candidate, noun: str) -> bool:
    """Whether a noun names things of another kind, which neither a call nor its look-ups know: a deployment is no pod."""
    server = one.traits.tool.server
    known = not noun or noun in one.traits.resource or noun in one.form.by_stem
    if known or not one.index.is_resource(server, noun):
        return False
    needed = [form.names for form in one.form.forms if form.item.required and form.identifies]
    return not any(
        noun in one.index.form(at).by_stem for names in needed for at in one.index.lists_of(server, names)
    )


def _of_change(one: Candidate) -> float:
    """For a change of the object by the verb; against one of what only stands beside it."""
    words, traits = one.words, one.traits
    fit = 0.0
    if words.object in traits.resource:
        if words.kind not in READING_KINDS:
            fit += RECIPE.object
        said = one.context.stems_for(one.number) | SELF
        if traits.head not in said and one.index.is_resource(traits.tool.server, words.object):
            # A policy of branches is no branch.
            fit -= RECIPE.other_head
    elif _acts_on_other(one) and words.object not in titled(one):
        # To move a file into a folder is not to change the folder.
        fit -= RECIPE.other_head
    if (
        words.object not in ("", words.towards)
        and words.towards in titled(one)
        and traits.head != words.towards
    ):
        # To move an appointment to a resource is not to `Reassign Resource`, though that has appointments in its path.
        fit -= RECIPE.other_head
    if words.verb and traits.action == words.verb:
        # `/labels/{id}/void` is what voids.
        fit += RECIPE.ends_with_verb
    elif _is_set_by_verb(one):
        # `enabled: false` is what disables, where nothing else does.
        fit += RECIPE.sets_verb
    if _is_named_by_verb(one) and words.kind not in READING_KINDS:
        of_thing = traits.kind is OperationKind.ACTION and bool(one.form.operation.last_parameter)
        if of_thing or traits.kind is OperationKind.CREATE:
            # To comment is to make a comment, and to refund a charge makes one of its refunds.
            fit += RECIPE.object
        elif (
            traits.kind in (OperationKind.UPDATE, OperationKind.DELETE)
            and one.form.operation.ends_with_parameter
        ):
            # To invite is not to change an invitation.
            fit -= RECIPE.other_head
    if one.found.states and not _is_set_by_verb(one):
        fit += RECIPE.narrow * _filled_share(one)
    about = traits.path_words | traits.resource
    if any(
        which and which <= about and traits.action not in which
        for which in (words.narrowing, words.qualifying, words.described_by)
    ):
        # `/merged_branches` are not all that `/branches` are.
        fit += RECIPE.narrowed
    if one.joins_as_asked:
        fit += RECIPE.ends_with_verb
    if _changes_nothing(one):
        fit -= RECIPE.changes_nothing
    if traits.kind is OperationKind.DELETE and words.kind is not OperationKind.DELETE and not words.ends:
        fit -= RECIPE.unasked_delete
    return fit + _of_place(one)


def _filled_share(one: Candidate) -> float:
    """Share of its inputs that are filled: `/orders/{id}/status` does what `/orders/{id}` does among much else."""
    top = [form for form in one.form.forms if len(form.item.pointer) == 1 or not form.item.pointer[1:-1]]
    inputs = [form for form in top if not (form.item.is_container or is_shaping(form.item))]
    return sum(form.item.pointer in one.found.known for form in inputs) / max(1, len(inputs))


def _is_named_by_verb(one: Candidate) -> bool:
    """Whether what a call is about is called after the verb: a comment, or a role binding where a role is to be bound."""
    words, head = one.words, one.traits.head
    return same_root(words.verb, head) or (bool(words.object) and head == words.object + words.verb)


def _is_set_by_verb(one: Candidate) -> bool:
    """Whether a call about the object of a task sets the state that its verb names."""
    words, traits = one.words, one.traits
    return words.object == traits.head and any(words.verb in stems for stems in one.found.states.values())


def _of_place(one: Candidate) -> float:
    """For a call that knows where the object goes; against one that makes the place."""
    words, traits = one.words, one.traits
    if one.makes_the_place:
        # To post in channel 222 is not to make a channel.
        return -RECIPE.makes_the_place
    if words.kind not in _MOVING:
        return 0.0
    if words.towards and words.towards in traits.path_words | traits.resource:
        return RECIPE.object
    if (
        words.into
        and words.into not in traits.spoken
        and words.into not in one.form.by_stem
        and one.index.is_part_of_resource(traits.tool.server, words.into)
    ):
        # What is added to a queue is added by a call that knows queues.
        return -RECIPE.object
    return 0.0


def _acts_on_other(one: Candidate) -> bool:
    """Whether the thing that a path leads to is named beside the object of a task, and not the object itself."""
    by_pointer = {pointer: at for at, pointer in one.found.used.items()}
    led_to = next(
        (
            by_pointer.get(form.item.pointer)
            for form in one.form.forms
            if form.item.location == "path" and form.item.name == one.form.operation.last_parameter
        ),
        None,
    )
    nouns = {value.at: own_noun(value) for value in one.own}
    led_noun = nouns.get(led_to, "") if led_to is not None else ""
    return led_noun not in ("", one.words.object) and one.words.object in nouns.values()


def _changes_nothing(one: Candidate) -> bool:
    """Whether a change of a thing would be called with nothing to change, though it has inputs for that."""
    traits = one.traits
    if traits.kind is not OperationKind.UPDATE or one.is_spoken or traits.tool.method not in ("PUT", "PATCH"):
        return False
    body = [form for form in one.form.forms if form.item.location == "body"]
    filled = {*one.found.known, *one.found.asked}
    return len(body) > 1 and not (one.is_given or any(form.item.pointer in filled for form in body))
