"""What speaks for a call besides its words, and what against any call at all."""

from collections.abc import Collection, Sequence
from itertools import takewhile

from app.domain.filling.assignment import Assignment
from app.domain.filling.fit import own_noun
from app.domain.filling.forms import Form, OperationForm
from app.domain.filling.said import SaidValue
from app.domain.language.goal_words import KIND_FIT
from app.domain.language.identifiers import pieces, singular
from app.domain.language.identifiers import words as input_words
from app.domain.language.intent_words import PHRASE_ENDS
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.planning.context import GoalContext
from app.domain.planning.index import PlanIndex
from app.domain.planning.task_words import TaskWords
from app.domain.planning.traits import Traits
from app.domain.reading.models import ValueKind
from app.domain.schemas.walk import json_pointer
from app.lexicon.lists import table

VALUES = 0.45
_MADE_DEPTH = 3
_SHORT_NAME = 3
_MESSAGES = 5
"""Of the inputs for texts, how many are for messages."""
_RANKED = 0.6
"""What a text counts that no word leads to its input."""
NAMING = frozenset(
    (ValueKind.EMAIL, ValueKind.NAME, ValueKind.QUOTED, ValueKind.ID, ValueKind.MENTION, ValueKind.CHANNEL)
)
"""Kinds of values by which things are looked up."""
UNSAID = 0.08
OBJECT = 0.15
_READING = (OperationKind.GET, OperationKind.LIST, OperationKind.SEARCH)
_HALF = 0.5
_MANY = 4
"""Words of a path that nobody said from which a change is another one than the goal's."""
_PLACES = frozenset((stem("there"), stem("here")))
_SELF = frozenset(("me", "self", "current", "user"))
"""Stems in paths that stand for whoever calls: nobody says them."""
_MOVING = (OperationKind.CREATE, OperationKind.DELETE, OperationKind.ACTION)
_OUTDATED = 0.1
_TELLING = 2
"""Nouns and values of a task from which it is clear that a call has nothing to do with it."""
_UNFILLED = 0.04
_WHOLE = 0.15
_UNASKED_DELETE = 0.8
_ONLY_READS = 0.4
_OTHER_HEAD = 0.25
_CHANGES_NOTHING = 0.2
_SHORTEST_ROOT = 5
_ENDS_WITH_VERB = 0.25
_CANNOT_TAKE = 0.3
_MAKES_THE_PLACE = 0.4
LEAST_COVERAGE = 0.1
"""Share of a task's nouns, by rarity, that a call has to know."""


def fit_of(index: PlanIndex, context: GoalContext, number: int, at: int) -> float:
    """What speaks for a call besides its words: values that it takes, against words of its path that nobody said."""
    form = index.form(at)
    found = context.assigned(number, at, form)
    local = [one for one in context.said_for(number) if one.local and not one.value.weak]
    taken: float = sum(
        _ranked(context.words[number], found.used[one.at]) if one.at in found.by_rank else 1.0
        for one in local
        if one.at in found.used
    )
    pending = sum(
        one.item.required and one.identifies and one.item.pointer not in found.known for one in form.forms
    )
    unfilled = sum(
        one.item.required
        and not one.item.has_default
        and not one.item.is_container
        and one.item.location != "path"
        and one.item.pointer not in found.known
        and one.item.pointer not in found.asked
        for one in form.forms
    )
    # What a thing is called finds its id, by a call before this one.
    resource = index.traits[at].resource
    taken += min(
        pending,
        sum(
            1
            for one in local
            if one.at not in found.used
            and (one.value.kind in NAMING or resource & {*one.nouns[-1:]})
            and not _is_of_other(index, index.traits[at], form, own_noun(one))
        ),
    )
    fit = VALUES * (taken / len(local) if local else 0.0) + 0.06 * min(4.0, found.weight)
    said = context.all_stems | _SELF
    if local:
        fit -= _UNFILLED * min(unfilled, 3)
    fit -= UNSAID * len(index.traits[at].path_words - said)
    traits = index.traits[at]
    if any(one.at not in found.used and one.implied for one in local):
        # It cannot be pointed at the thing that is named.
        fit -= _CANNOT_TAKE
    if traits.tool.deprecated:
        fit -= _OUTDATED
    if traits.tool.method == "PUT" and index.has_patch(at):
        # A part of a thing is changed by PATCH; PUT would replace the rest of it.
        fit -= _WHOLE
    words = context.words[number]
    if traits.safe and words.kind is not None and words.kind not in _READING:
        fit -= _ONLY_READS
    if (
        not traits.safe
        and traits.head not in said
        and words.object in traits.resource
        and index.is_resource(traits.tool.server, words.object)
    ):
        # A policy of branches is no branch.
        fit -= _OTHER_HEAD
    if not traits.safe and words.object not in traits.resource and _acts_on_other(words, form, found, local):
        # To move a file into a folder is not to change the folder.
        fit -= _OTHER_HEAD
    if words.verb and traits.action == words.verb:
        # `/labels/{id}/void` is what voids.
        fit += _ENDS_WITH_VERB
    fit += _making(words, traits, ends_with_parameter=bool(form.operation.ends_with_parameter))
    if _changes_nothing(form, found, words, traits):
        fit -= _CHANGES_NOTHING
    if traits.kind is OperationKind.DELETE and words.kind is not OperationKind.DELETE and not words.ends:
        fit -= _UNASKED_DELETE
    if words.object in traits.resource and words.kind not in _READING and not traits.safe:
        fit += OBJECT
    if (
        traits.kind is OperationKind.CREATE
        and words.towards in traits.resource
        and words.towards != words.object
        and any(one.nouns[-1:] == (words.towards,) and one.value.preposition for one in local)
    ):
        # To post in channel 222 is not to make a channel.
        return fit - _MAKES_THE_PLACE
    if (
        words.towards
        and words.kind in _MOVING
        and not traits.safe
        and words.towards in traits.path_words | traits.resource
    ):
        fit += OBJECT
    elif (
        words.into
        and words.kind in _MOVING
        and not traits.safe
        and words.into not in traits.spoken
        and words.into not in form.by_stem
        and index.is_part_of_resource(traits.tool.server, words.into)
    ):
        # What is added to a queue is added by a call that knows queues.
        fit -= OBJECT
    return fit


def _ranked(words: TaskWords, pointer: tuple[str, ...]) -> float:
    """What a text counts that no word leads to its input; what is posted goes to what holds messages."""
    if not words.says:
        return _RANKED
    return 1.0 if "".join(input_words(pointer[-1])) in table("inputs")["texts"][:_MESSAGES] else _RANKED / 2


def _is_of_other(index: PlanIndex, traits: Traits, form: OperationForm, noun: str) -> bool:
    """Whether a noun names things of another kind, which neither a call nor its look-ups know: a deployment is no pod."""
    server = traits.tool.server
    if not noun or noun in traits.resource or noun in form.by_stem or not index.is_resource(server, noun):
        return False
    needed = [one.names for one in form.forms if one.item.required and one.identifies]
    return not any(noun in index.form(at).by_stem for names in needed for at in index.lists_of(server, names))


def _acts_on_other(
    words: TaskWords, form: OperationForm, found: Assignment, local: Sequence[SaidValue]
) -> bool:
    """Whether the thing that a path leads to is named beside the object of a task, and not the object itself."""
    last = next((part.text for part in reversed(form.operation.segments) if part.is_parameter), "")
    by_pointer = {pointer: at for at, pointer in found.used.items()}
    led_to = next(
        (
            by_pointer.get(one.item.pointer)
            for one in form.forms
            if one.item.location == "path" and one.item.name == last
        ),
        None,
    )
    nouns = {one.at: own_noun(one) for one in local}
    return (
        led_to is not None
        and nouns.get(led_to, words.object) not in ("", words.object)
        and words.object in nouns.values()
    )


def _making(words: TaskWords, traits: Traits, *, ends_with_parameter: bool) -> float:
    """What speaks for a call whose thing is called after the verb: to invite is to make an invitation."""
    named_by_verb = _same_root(words.verb, traits.head) and words.kind not in _READING
    if traits.kind in (OperationKind.UPDATE, OperationKind.DELETE) and named_by_verb and ends_with_parameter:
        # To invite is not to change an invitation.
        return -_OTHER_HEAD
    if traits.kind is not OperationKind.CREATE:
        return 0.0
    if named_by_verb:
        # To invite is to make an invitation, to comment a comment.
        return OBJECT
    return 0.0


def _makes_existing(index: PlanIndex, context: GoalContext, number: int, at: int) -> bool:
    """Whether a call would make what a task names as something that is there: to move the site ham-1 makes none."""
    words, traits = context.words[number], index.traits[at]
    if traits.kind is not OperationKind.CREATE or words.verb in traits.spoken:
        return False
    if (words.makes and not words.is_definite) or words.towards in traits.path_words - {traits.head}:
        return False
    form = index.form(at)
    found = context.assigned(number, at, form)
    in_path = {one.item.pointer for one in form.forms if one.item.location == "path"}
    return any(
        one.local
        and one.value.kind in (ValueKind.ID, ValueKind.NUMBER, ValueKind.NAME)
        and own_noun(one) == traits.head
        and found.used.get(one.at) not in in_path
        for one in context.said_for(number)
    )


def _same_root(verb: str, noun: str) -> bool:
    """Whether a noun is made of a verb, by their stems: (subscrib) and (subscript)."""
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(verb, noun, strict=False)))
    return verb == noun or common >= max(_SHORTEST_ROOT, min(len(verb), len(noun)) - 1)


def _changes_nothing(form: OperationForm, found: Assignment, words: TaskWords, traits: Traits) -> bool:
    """Whether a change of a thing would be called with nothing to change, though it has inputs for that."""
    if (
        traits.kind is not OperationKind.UPDATE
        or words.verb in traits.spoken
        or traits.tool.method not in ("PUT", "PATCH")
    ):
        return False
    body = [one for one in form.forms if one.item.location == "body"]
    filled = {*found.known, *found.asked}
    return len(body) > 1 and not any(one.item.pointer in filled for one in body)


def fits(index: PlanIndex, context: GoalContext, number: int, at: int, chosen: Collection[int]) -> bool:
    """Whether a call is about what a task is about: it knows one of the task's nouns, or takes one of its values.

    A verb alone does not make a call fit: to transfer money to a landlord is not to transfer a playback.
    """
    words = context.words[number]
    own = [one for one in context.said_for(number) if one.local and not one.value.weak]
    typed = any(one.value.kind is not ValueKind.NAME for one in own)
    if index.traits[at].mutating and (
        (typed and _is_other_change(index, context, number, at, own))
        or (not own and _is_unheard_of(index, words, at))
    ):
        return False
    if not words.nouns:
        return True
    if len(words.nouns) + len(own) < _TELLING:
        return True
    if (
        chosen
        and words.has_pronoun
        and any(index.traits[other].resource & index.traits[at].path_words for other in chosen)
    ):
        return True
    found = context.assigned(number, at, index.form(at))
    if found.states or any(
        one.at in found.used and one.at not in found.by_rank | found.guessed for one in own
    ):
        return True
    # What a thing is called may be looked up; an amount that nothing takes speaks of something else.
    strange = any(one.at not in found.used and one.value.kind not in NAMING for one in own)
    if words.verb in index.traits[at].spoken and not strange:
        return True
    return index.coverage(at, words.nouns) >= LEAST_COVERAGE


def is_other_act(index: PlanIndex, context: GoalContext, number: int, at: int) -> bool:
    """Whether a call does what a task does not ask for, however well its words fit.

    It changes something where the task only asks; it takes away something else, or makes what is there; it keeps
    what should go.
    """
    traits = index.traits[at]
    if context.words[number].is_question and not traits.safe:
        return True
    if traits.kind is OperationKind.DELETE:
        return _deletes_other(index, context, number, at)
    return _keeps_what_should_go(index, context, number, at) or _makes_existing(index, context, number, at)


def _keeps_what_should_go(index: PlanIndex, context: GoalContext, number: int, at: int) -> bool:
    """Whether a task takes something away, and a call neither does nor sets a state that the task names."""
    words, traits = context.words[number], index.traits[at]
    if words.kind is not OperationKind.DELETE or traits.kind in (OperationKind.DELETE, OperationKind.ACTION):
        return False
    if traits.safe:
        return words.ends
    if not words.verb or words.verb in traits.spoken:
        return False
    return not context.assigned(number, at, index.form(at)).states


def _phrase_heads(title: str) -> set[str]:
    """Stems of the last words of the noun phrases of a title: (artist, user) of `Unfollow artists or users`."""
    said = pieces(title)
    return {
        stem(singular(word))
        for at, word in enumerate(said)
        if at + 1 == len(said)
        or said[at + 1] in PHRASE_ENDS
        or said[at + 1] in ("or", "to", "a", "an", "the")
    }


def _deletes_other(index: PlanIndex, context: GoalContext, number: int, at: int) -> bool:
    """Whether a call takes away something else than what a task names: the product, not the user from it."""
    words, traits = context.words[number], index.traits[at]
    form = index.form(at)
    found = context.assigned(number, at, form)
    pending = any(
        one.item.required and one.identifies and one.item.pointer not in found.known for one in form.forms
    )
    if not pending and any(
        one.local
        and one.at not in found.used
        and one.value.kind in (ValueKind.ID, ValueKind.NUMBER)
        and own_noun(one)
        for one in context.said_for(number)
    ):
        # To remove user 12 from a product is not to delete the product.
        return True
    alone = index.is_resource(traits.tool.server, words.object)
    if not (alone or index.is_part_of_resource(traits.tool.server, words.object)):
        return False
    form = index.form(at)
    found = context.assigned(number, at, form)
    named = _phrase_heads(traits.tool.title) | {
        stem(singular(word)) for word in pieces(traits.tool.name)[-1:]
    }
    if not alone:
        named |= {stem(singular(word)) for word in pieces(traits.tool.title)}
    named |= {traits.head} if alone else traits.resource
    for one in form.forms:
        if one.identifies and one.item.pointer in found.used.values():
            named |= one.heads | one.described
    return words.object not in named


def _is_unheard_of(index: PlanIndex, words: TaskWords, at: int) -> bool:
    """Whether a change has neither the verb nor a noun of a task: to order toner is not to make an advisory."""
    strangers = [noun for noun in words.nouns if noun not in _PLACES]
    return bool(strangers) and words.verb not in index.traits[at].spoken and not index.coverage(at, strangers)


def _is_other_change(
    index: PlanIndex, context: GoalContext, number: int, at: int, own: Sequence[SaidValue]
) -> bool:
    """Whether a call changes something else than what a task asks for, so that no call at all is better.

    It does where it takes none of the things that the task's ids are of, where it neither has the task's verb nor
    is of its kind, where it knows none of several nouns, or where its path speaks of much that nobody said.
    """
    words, traits = context.words[number], index.traits[at]
    found = context.assigned(number, at, index.form(at))
    pending = [
        one
        for one in index.form(at).forms
        if one.item.required and one.identifies and one.item.pointer not in found.known
    ]
    for one in own:
        if one.implied and one.at not in found.used and not one.implied & traits.path_words:
            lists = {at for form in pending for at in index.lists_of(traits.tool.server, form.names)}
            if not any(one.implied & form.heads for at in lists for form in index.form(at).forms):
                return True
    spoken = words.verb in traits.spoken
    if not spoken and any(one.value.kind is ValueKind.AMOUNT and one.at not in found.used for one in own):
        return True
    if words.kind is not None and not spoken and KIND_FIT[words.kind].get(traits.kind, 0.0) < _HALF:
        return True
    strangers = [noun for noun in words.nouns if noun not in _PLACES]
    if strangers and not index.coverage(at, strangers) and not words.has_pronoun:
        taken = any(one.at in found.used and one.at not in found.by_rank | found.guessed for one in own)
        if not (taken or found.states or (spoken and len(strangers) < _TELLING)):
            return True
    return len(traits.path_words - context.all_stems - _SELF) >= _MANY


def made_field(index: PlanIndex, made: int, form: Form) -> str:
    """JSON pointer to what an answer calls the thing that was made; empty where the input is of something else."""
    fields = index.operation(made).answer.fields
    top = {output.name: output.pointer for output in reversed(fields) if len(output.pointer) == 1}
    name = form.item.name.lower()
    creates = index.traits[made].kind is OperationKind.CREATE
    if (
        creates
        and form.names
        and form.names <= index.traits[made].resource
        and len(form.item.pointer) <= _MADE_DEPTH
    ):
        for key in ("id", "key", "number", "name"):
            if key in top:
                return "/" + key
    if form.names and len(form.item.pointer) < _MADE_DEPTH:
        # An answer often wraps what was made: `/channel/id`.
        for output in fields:
            if (
                len(output.pointer) == 2
                and output.name in ("id", "key")
                and {stem(singular(output.pointer[0]))} == form.names
            ):
                return json_pointer(output.pointer)
    if not creates:
        return ""
    short = next((key for key in top if len(key) <= _SHORT_NAME < len(name) and _abbreviates(key, name)), "")
    return "/" + short if short else ""


def _abbreviates(short: str, name: str) -> bool:
    """Whether the letters of one name stand in another in their order, the first first: `ts` in `timestamp`."""
    letters = iter(name)
    return (
        len(short) > 1 and short[0].lower() == name[0] and all(letter in letters for letter in short.lower())
    )
