"""What a call must not do for a task, however well its words fit."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import takewhile

from app.domain.choosing.candidate import NAMING, Candidate
from app.domain.choosing.recipe import RECIPE
from app.domain.choosing.reversals import does_the_reverse, keeps_what_is_deleted, last_words, undone
from app.domain.filling.fit import BECOMING, OF_PEOPLE, is_colour, is_title, names_of_kind, own_noun, renames
from app.domain.filling.forms import Form, OperationForm, stems
from app.domain.filling.said import PLACES, TOWARDS, SaidValue, written_stems
from app.domain.filling.states.setting import STATES, negating_verbs
from app.domain.filling.states.words import opposed
from app.domain.language.goal_words import (
    KIND_FIT,
    all_verbs,
    groups_of,
    mailing_verbs,
    only_persons,
    people,
    persons,
    verb_classes,
    verb_kinds,
)
from app.domain.language.identifiers import ID_WORDS, pieces, singular
from app.domain.language.intent_words import ARTICLES, PHRASE_ENDS
from app.domain.language.operation_words import READING_KINDS, OperationKind
from app.domain.language.text import stem
from app.domain.reading.models import ValueKind
from app.domain.tasks.task_words import after_order, phrases_behind
from app.lexicon.lists import table

SELF = frozenset(("me", "self", "current", "user"))
"""Stems in paths that stand for whoever calls: nobody says them."""
TELLING = 2
"""Nouns and values of a task from which it is clear that a call has nothing to do with it."""
_MANY = 4
"""Words of a path that nobody said from which a change is another one than the goal's."""
_SHORTEST_ROOT = 5
"""Letters that a verb and its noun share."""
_JOINING = ("and", "or")
_OPENING = 2
"""Words within which the verb of a task stands: `and share`."""
_CHANGING = (OperationKind.DELETE, OperationKind.UPDATE)
_MAKING = (OperationKind.CREATE, OperationKind.ACTION)
"""Kinds of what may make something: `/workflows/create/validation` is an action."""
_NUMBERED = (ValueKind.ID, ValueKind.NUMBER)
_NAMED = (*_NUMBERED, ValueKind.NAME)
_TITLED = (ValueKind.QUOTED, ValueKind.NAME)
MEASURED = (ValueKind.AMOUNT, ValueKind.DURATION, ValueKind.MEASURE)
_SETTING = stem("set")
"""The verb that may also add to what is there: a stock is set by an adjustment."""
_INDEFINITE = ("a", "an", "another", "new")
_PUTTING = stem("put")
"""The verb that makes something only where it says where that goes."""
_SENDING = ("send", "mail")
"""How a path of one word begins that sends something."""
_PLACES = frozenset(("of", "in", "on", "from", "at"))
_ON = "on"
_OF_OWNERS = ("of", "from", "off")
"""Before what something belongs to, or is taken from."""


def is_other_act(one: Candidate) -> bool:
    """Whether a call does what a task does not ask for.

    It changes something where the task only asks; it takes away something else, or makes what is there; it keeps
    what should go.
    """
    return is_never_meant(one) or _does_another_act(one) or _makes_other(one)


def may_be_meant(one: Candidate) -> bool:
    """Whether a call only makes what has another noun: who asks for a new page may mean a booking link."""
    return _makes_other(one) and not (_does_another_act(one) or is_never_meant(one))


def is_never_meant(one: Candidate) -> bool:
    """Whether a call does the opposite of what a task says, more than it says, or something where it only asks."""
    # `show 49 as the old price` sets one.
    only_shows = one.words.verb in _showing() and "as" not in one.words.stems and not one.is_spoken
    if (one.words.is_question or only_shows or _looks_up_what(one)) and not one.traits.safe:
        return True
    task = one.context.tasks[one.number]
    if one.traits.mutating and task.values and not task.words.strip() and not one.context.is_asked:
        # `dp_7731, don't accept it`: what is only named is not to be changed.
        return True
    if does_the_reverse(one) or keeps_what_is_deleted(one) or _takes_id_of_another(one):
        return True
    if one.traits.kind is OperationKind.DELETE:
        return _deletes_other(one) or _knows_no_people(one) or _takes_all_of_them(one)
    if one.traits.kind is OperationKind.ACTION and _deletes_owner(one):
        return True
    if one.traits.mutating and (_goes_elsewhere(one) or _does_what_should_stop(one) or _does_without(one)):
        return True
    if one.traits.mutating and _is_done_to_another(one):
        return True
    if _mails_nobody(one):
        return True
    if _acts_on_the_place(one) or _changes_what_is_new(one) or _knows_no_people(one):
        return True
    return (
        _keeps_what_should_go(one)
        or _makes_existing(one)
        or _makes_part_of_it(one)
        or _makes_other_part(one)
        or _makes_the_place(one)
        or _changes_all_of_others(one)
        or _names_all_alike(one)
        or _takes_all_of_them(one)
    )


def _is_done_to_another(one: Candidate) -> bool:
    """Whether a change leads through a thing that nobody named, and leaves the number of one that was: `comment "Fixed" on issue 95` comments on no commit."""
    left = [
        own_noun(value)
        for value in one.left
        if value.local and value.value.kind is ValueKind.NUMBER and value.value.text.isdigit()
    ]
    if not left or not _unsaid_places(one):
        return False
    traits = one.traits
    # What is looked up of an order may be its parcel.
    listed = frozenset().union(*(form.names for known in _lists(one, one.pending) for form in known.forms))
    known = traits.path_words | traits.resource | listed
    return any(noun not in known and one.index.is_resource(traits.tool.server, noun) for noun in left)


def _looks_up_what(one: Candidate) -> bool:
    """Whether a task has something looked up that it asks with a clause: `find out why it failed`, `check whether it is paid`."""
    looks = one.words.reads and not one.is_spoken
    return looks and not _asking().isdisjoint(one.words.stems[1:3])


@cache
def _asking() -> frozenset[str]:
    return frozenset(map(stem, (*table("reading")["interrogatives"], "whether")))


def _does_without(one: Candidate) -> bool:
    """Whether a call is about what the task is to go without, or gives a value to it: `close it, no refund yet` refunds nothing."""
    forgone = one.words.forgone
    return bool(forgone) and (
        not forgone.isdisjoint((one.traits.head, one.traits.action))
        or any(not forgone.isdisjoint(form.own) for form in one.taking)
    )


def _mails_nobody(one: Candidate) -> bool:
    """Whether a task has something mailed, and a call neither sends nor is about what is sent: a refund is no receipt."""
    words, traits = one.words, one.traits
    if words.verb not in mailing_verbs() or one.is_spoken or not traits.mutating:
        return False
    takes_address = any(
        value.value.kind is ValueKind.EMAIL and value.at in one.found.used for value in one.own
    )
    # `mail employee 44 document 5 for signing` is no payment.
    takes_all = one.takes_all and not any(value.value.kind is ValueKind.AMOUNT for value in one.own)
    if takes_all or (takes_address and traits.kind is OperationKind.UPDATE):
        # `mail bob@acme.com the receipt`, by `receipt_email` of a change.
        return False
    known = traits.path_words.union(traits.resource, traits.qualifiers, traits.spoken)
    # `/invoice/sendtoclient`
    return known.isdisjoint(_sent()) and not any(word.startswith(_SENDING) for word in known)


@cache
def _sent() -> frozenset[str]:
    """Stems of what is mailed, and of verbs that do so."""
    return frozenset(map(stem, table("reading")["mailed"]))


@cache
def _showing() -> frozenset[str]:
    return frozenset(map(stem, table("reading")["showing"]))


def is_other_change(one: Candidate) -> bool:
    """Whether a call changes something else than what a task asks for, so that no call at all is better.

    It does where it takes none of the things that the task's ids are of, where it neither has the task's verb nor
    is of its kind, where it knows none of several nouns, or where its path speaks of much that nobody said.
    """
    words, traits, found = one.words, one.traits, one.found
    for value in one.left:
        if value.implied and not value.implied & traits.path_words and not narrows_lists(one, value):
            return True
    if not one.is_spoken and any(value.value.kind in MEASURED for value in one.left):
        return True
    if not one.is_spoken and (_leaves_named(one) or _knows_no_object(one)):
        return True
    if (
        _changes_unsaid(one)
        or leaves_person(one)
        or leaves_channel(one)
        or leaves_text(one)
        or leaves_new_state(one)
        or _lacks_new_state(one)
    ):
        return True
    if not (one.is_of_kind or one.is_spoken or one.joins_as_asked or _sets_what_is_added(one)):
        return True
    if one.strangers and not one.knows_of_strangers and not words.has_pronoun:
        told = one.is_spoken and len(one.strangers) < TELLING
        if not (one.takes_surely or found.states or told):
            return True
    return len(traits.path_words - one.context.all_stems - {*words.stems} - SELF) >= _MANY


def narrows_lists(one: Candidate, value: SaidValue) -> bool:
    """Whether what a call needs is looked up in a list that takes things such as a value is the id of."""
    if not value.implied:
        return False
    # So is the item of a line of which the quantity is said.
    parts = {pointer[:-1] for pointer in one.found.used.values() if len(pointer) > 1}
    ids = [form for form in one.form.forms if form.identifies and form.item.pointer[:-1] in parts]
    open_ids = (form for form in (*one.pending, *ids) if not one.found.has(form.item.pointer))
    return any(
        value.implied & (form.heads | form.described)
        for listed in _lists(one, open_ids)
        for form in listed.forms
    )


def _lists(one: Candidate, ids: Iterable[Form]) -> Iterator[OperationForm]:
    """The lists in which what some inputs identify is looked up."""
    server = one.traits.tool.server
    return (one.index.form(at) for form in ids for at in one.index.lists_of(server, form.names))


def _leaves_named(one: Candidate) -> bool:
    """Whether a task calls a number by a noun that a call knows nothing of: the port of `expose it on port 80`."""
    return any(
        value.value.kind is ValueKind.NUMBER
        and (noun := own_noun(value))
        and noun not in one.form.by_stem
        and noun not in one.traits.path_words
        and not _is_known_to_lists(one, noun)
        for value in one.left
    )


def _is_known_to_lists(one: Candidate, noun: str) -> bool:
    """Whether what a call needs is looked up in a list that takes such things: the project, in a workspace."""
    return any(noun in listed.by_stem for listed in _lists(one, one.pending))


def _knows_no_object(one: Candidate) -> bool:
    """Whether the object of a task is a thing of the server that a call has nothing to do with: a deployment is no pod."""
    noun, traits = one.words.object, one.traits
    if not noun or noun in traits.path_words or noun in traits.resource or noun in one.form.by_stem:
        return False
    return one.index.is_resource(traits.tool.server, noun) and not one.index.holds(noun, one.at)


def _is_found_by_rest(one: Candidate) -> bool:
    """Whether a call takes a value for sure, and what it changes is listed by all others.

    `change the tracking number of the parcel of order 7 to 1Z99` is a change of a shipment, whatever people call it.
    """
    return (
        one.takes_surely
        and bool(one.left)
        and all(_is_known_to_lists(one, own_noun(value)) for value in one.left)
    )


def leaves_person(one: Candidate) -> bool:
    """Whether a task deals with somebody by an e-mail address, and a call neither takes it nor anything that is found by one."""
    named = [
        value
        for value in one.left
        if value.value.kind is ValueKind.EMAIL and not own_noun(value) and not value.value.preposition
    ]
    if not named:
        return False
    index, server = one.index, one.traits.tool.server
    # Who is added to a thing is no contact of a new one.
    makes = one.traits.kind is OperationKind.CREATE
    of_people = [
        form
        for form in one.form.forms
        if form.is_of_person and not one.found.has(form.item.pointer) and (form.item.required or not makes)
    ]
    return not any(
        index.form(at).speaking_of_email
        or any("email" in field.name.lower() for field in index.operation(at).answer.fields)
        for form in (*one.pending, *of_people)
        for things in (form.names, form.heads, form.own - ID_WORDS)
        for at in index.lists_of(server, things)
    )


def leaves_channel(one: Candidate) -> bool:
    """Whether a task names a channel by its sign, and a call has no input for channels: `add her to #sales`."""
    left = [value for value in one.left if value.value.kind is ValueKind.CHANNEL]
    if all(is_colour(value.value.text) for value in left):
        return False
    channels = names_of_kind(ValueKind.CHANNEL)
    return all(channels.isdisjoint(form.names | form.own) for form in one.form.forms)


def leaves_new_state(one: Candidate) -> bool:
    """Whether a task says what a thing becomes, and a change of things that are there does not take it: `move it to "Done"`."""
    if one.traits.kind not in (OperationKind.UPDATE, OperationKind.ACTION) or one.found.states:
        return False
    if any(form.is_state and form.is_opaque for form in one.form.forms):
        # It is looked up.
        return False
    if any(form.is_state for form in one.taking):
        # `set it to offline (status 0)`
        return False
    # What a folder is called into which something goes is no state.
    places = frozenset().union(*(form.names for form in one.form.forms if form.identifies))
    texts = (ValueKind.QUOTED, ValueKind.SAID)
    return any(
        (
            value.value.kind in texts
            or (value.value.kind is ValueKind.NAME and own_noun(value) == one.words.object)
        )
        and value.value.preposition in BECOMING
        and own_noun(value) not in (places if _tells_place(one, value) else places - {one.traits.head})
        for value in one.left
    )


def _tells_place(one: Candidate, value: SaidValue) -> bool:
    """Whether a value is called by the noun before it, and no other thing goes there: `invite a@b.c to the event "Review"`."""
    return value.is_behind_noun and one.words.object in ("", own_noun(value)) and not one.words.many


def leaves_id(one: Candidate) -> bool:
    """Whether a change is of a thing that would have to be looked up, and leaves the id that a task gives: that of another."""
    if one.traits.kind not in _CHANGING or one.is_spoken or not one.pending:
        return False
    return any(
        value.value.kind is ValueKind.ID and value.implied and not narrows_lists(one, value)
        for value in one.left
    )


def _changes_unsaid(one: Candidate) -> bool:
    """Whether a call changes a thing that would have to be looked up, and of which the goal says nothing."""
    traits, context = one.traits, one.context
    if (
        traits.kind not in (OperationKind.UPDATE, OperationKind.DELETE)
        or one.is_spoken
        or _is_found_by_rest(one)
    ):
        return False
    last = one.form.operation.ends_with_parameter
    if traits.resource & persons() and any(value.value.kind is ValueKind.EMAIL for value in one.left):
        # Who is meant is said.
        return False
    if not last or not any(form.item.name == last and form.item.location == "path" for form in one.pending):
        return False
    if _is_known_by_state(one) or any(narrows_lists(one, value) for value in one.left):
        return False
    said = context.all_stems.union(*(words.nouns for words in context.words))
    return said.isdisjoint(traits.resource)


def _lacks_new_state(one: Candidate) -> bool:
    """Whether the verb of a task says what state a thing is in from now on, and a mere change of it neither says nor sets it.

    To disable an account is not to change its billing address.
    """
    words, traits = one.words, one.traits
    if traits.kind not in (OperationKind.UPDATE, OperationKind.CREATE) or one.is_spoken or one.found.states:
        return False
    if words.kind is OperationKind.CREATE or (words.verb not in negating_verbs() and not opposed(words.verb)):
        return False
    # `PUT /tickets/{id}/status` only holds the state.
    alike = verb_classes().get(words.verb, frozenset()) & traits.verb_classes
    return not alike and traits.head not in STATES


def _is_known_by_state(one: Candidate) -> bool:
    """Whether a task speaks of what a call needs by a state that its list knows: `call off everything that's booked with her`."""
    words = one.words
    if words.kind is None:
        # `not just into the trash` asks for nothing.
        return False
    becomes = frozenset().union(*one.found.states.values())
    # The draft of `the draft "Budget"` is one that is called so.
    named = frozenset(map(own_noun, one.own))
    said = words.described_by.union(words.qualifying, {words.many}) - becomes - named - {words.verb, ""}
    return any(
        not said.isdisjoint(member.stems)
        for listed in _lists(one, one.pending)
        for state in listed.forms
        if state.is_state
        for member in state.members
        if len(member.stems) == 1
    )


def _acts_on_the_place(one: Candidate) -> bool:
    """Whether a call changes the thing in which those are that a task is about: the site, not the hooks of site 3."""
    words, traits = one.words, one.traits
    if traits.safe or not words.object:
        return False
    if _changes_where_it_goes(one):
        return True
    if any(words.object in known for known in (traits.path_words, traits.resource, one.form.by_stem)):
        return False
    if not one.index.is_resource(traits.tool.server, words.object):
        return False
    return any(
        own_noun(value) == traits.head and value.value.preposition in _PLACES and value.at in one.found.used
        for value in one.own
    )


def _changes_where_it_goes(one: Candidate) -> bool:
    """Whether a call changes what a thing goes into, and takes the thing for nothing of its kind: `move file 7 into folder 3`."""
    words, last, taken = one.words, one.form.last_place, one.found.used
    if last is None or one.traits.kind is not OperationKind.UPDATE:
        return False
    if words.object in last.names | one.traits.path_words:
        return False
    goes_there = any(
        value.value.preposition in TOWARDS
        and own_noun(value) in last.names
        and taken.get(value.at) == last.item.pointer
        for value in one.own
    )
    takes_it = any(words.object in form.own for form in one.form.forms if form.item.pointer in taken.values())
    has_own = one.index.updates_of(one.traits.tool.server, frozenset((words.object,)))
    return goes_there and not takes_it and bool(has_own)


def _changes_what_is_new(one: Candidate) -> bool:
    """Whether a task puts something into a thing that it wants made, and a call changes one that is there."""
    if (
        one.traits.kind is OperationKind.CREATE
        or one.traits.safe
        or not one.form.operation.ends_with_parameter
    ):
        return False
    return one.traits.head in one.words.new


def _knows_no_people(one: Candidate) -> bool:
    """Whether a task is about people, and a change takes none: `add everyone in the channel to the group`, `add her to it`.

    What somebody is called where the server has no users is not known.
    """
    words, server = one.words, one.traits.tool.server
    somebody = words.is_of_somebody and any(one.index.is_resource(server, noun) for noun in people())
    if one.traits.safe or not (words.is_of_people or somebody):
        return False
    about = one.traits.resource | one.traits.path_words
    return about.isdisjoint(only_persons()) and (about | one.form.by_stem.keys()).isdisjoint(people())


def _goes_elsewhere(one: Candidate) -> bool:
    """Whether a task puts something into a thing of the server that a call does not know: a queue, not the library."""
    words, traits = one.words, one.traits
    if words.kind is not OperationKind.CREATE or not words.into or words.into == words.object:
        return False
    known = (traits.spoken, traits.path_words, traits.resource, one.form.by_stem)
    return not any(words.into in one_of for one_of in known) and one.index.is_part_of_resource(
        traits.tool.server, words.into
    )


def _does_what_should_stop(one: Candidate) -> bool:
    """Whether a call does what a task turns off: to turn off auto renew is not to renew."""
    words, traits = one.words, one.traits
    if words.verb not in negating_verbs() or one.is_spoken or one.found.states:
        return False
    # `stop sharing it`: what shares is called after that, wherever it stands in a path.
    stopped = after_order(pieces(one.context.tasks[one.number].words))[1:2]
    gerund = stem(stopped[0]) if stopped and stopped[0].endswith("ing") else ""
    return traits.action in words.nouns or (bool(gerund) and gerund in traits.spoken)


def _does_another_act(one: Candidate) -> bool:
    """Whether a call is called after an act that is not the task's, and others come closer: to ask a corpus is not to reset it."""
    words, traits = one.words, one.traits
    if traits.kind is not OperationKind.ACTION or traits.safe or one.is_spoken or one.found.states:
        return False
    # Who writes "Hello" in a channel sends it there.
    asked = verb_classes().get(words.verb, frozenset()) | (groups_of("saying") if words.says else frozenset())
    if asked & traits.verb_classes:
        return False
    if not one.is_compared:
        # Nothing else says what it does: to assign a ticket is not to merge it.
        is_known = words.verb in all_verbs() and traits.action in all_verbs()
        return is_known and traits.action not in words.stems
    return one.cosine < RECIPE.closest * one.close.highest


def leaves_text(one: Candidate) -> bool:
    """Whether a task writes something, and a call does not take what: to write "Hello" in a channel is not to archive it."""
    words = one.words
    if not words.says or one.is_spoken:
        return False
    return any(
        value.value.kind in (ValueKind.QUOTED, ValueKind.SAID) and own_noun(value) in ("", words.verb)
        for value in one.left
    )


def is_unheard_of(one: Candidate) -> bool:
    """Whether a change has neither the verb nor a noun of a task: to order toner is not to make an advisory."""
    return bool(one.strangers) and not one.is_spoken and not one.knows_of_strangers


def is_far(one: Candidate) -> bool:
    """Whether a change is far from a task in meaning, and neither its verb nor a state that it sets is the task's.

    Where it knows none of the task's nouns, or nothing says what the verb does, it has to be among the closest. A common
    method that suggests it brings it near.
    """
    # What a thing is numbered with is taken by the list in which it is looked up.
    is_found = bool(one.left) and all(narrows_lists(one, value) for value in one.left)
    takes_all = one.takes_all or (one.takes_surely and is_found)
    if takes_all and (one.traits.head == one.words.object or _has_object(one)):
        # Nothing but the verb is another one: `push a message "..." with priority 8`, `set the domain of site 3 to a.com`.
        return False
    if one.traits.head == one.words.object and one.is_of_kind and one.words.kind and one.takes_surely:
        # `rename the site my-blog to new-blog` where the document says nothing but `PATCH /sites/{id}`.
        return False
    if one.words.has_pronoun and one.spoken_of and one.is_of_kind and one.own and not one.left:
        # `rename it to "Blue"`, where the thing was named before.
        return False
    if not one.is_compared or one.is_spoken or one.found.states or one.suggested >= RECIPE.clearly_suggested:
        return False
    if one.is_given:
        return False
    best = one.close.highest
    if one.words.kind is None or not one.index.coverage(one.at, one.words.nouns):
        return one.cosine < max(RECIPE.clearly_near, RECIPE.among_closest * best)
    return one.cosine < max(RECIPE.not_far, RECIPE.half_as_near * best)


def _has_object(one: Candidate) -> bool:
    """Whether an input that takes a value of the task is called as the object of the task."""
    taken = set(one.found.used.values())
    return any(one.words.object in form.own for form in one.form.forms if form.item.pointer in taken)


def writes_anywhere(one: Candidate) -> bool:
    """Whether a change leads through a thing of which the goal says nothing: a comment on a commit, where an issue was spoken of."""
    if one.is_spoken or any(value.value.kind in NAMING for value in one.left) or _is_found_by_rest(one):
        return False
    if _is_known_by_state(one):
        return False
    return any(not form.is_context for form in _unsaid_places(one))


def _unsaid_places(one: Candidate) -> list[Form]:
    """What a path leads through that is not known yet, and of which the goal says nothing."""
    said = one.context.all_stems.union(*(words.terms for words in one.context.words))
    return [form for form in one.pending if form.item.location == "path" and form.names.isdisjoint(said)]


def only_looks(one: Candidate) -> bool:
    """Whether a call only reads where a task does something, and nothing but shared nouns speaks for it."""
    kind, traits = one.words.kind, one.traits
    if not (one.is_compared and traits.safe) or kind is None or kind in READING_KINDS or one.is_spoken:
        return False
    return not KIND_FIT[kind].get(traits.kind, 0.0)


def same_root(verb: str, noun: str) -> bool:
    """Whether a noun is made of a verb, by their stems: (subscrib) and (subscript)."""
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(verb, noun, strict=False)))
    return verb == noun or common >= max(_SHORTEST_ROOT, min(len(verb), len(noun)) - 1)


def _takes_all_of_them(one: Candidate) -> bool:
    """Whether a call changes all things of a collection, where a task means some: `delete all old pods`, `all pods but web-1`."""
    words, traits = one.words, one.traits
    if traits.kind not in _CHANGING or not words.many or one.form.operation.ends_with_parameter:
        return False
    forms = one.form.forms
    if any(form.identifies and (form.item.is_list or words.many in form.names) for form in forms):
        # It takes one of them, or those that are listed.
        return False
    if any(exclusion.keeps and exclusion.values for exclusion in one.context.reading.exclusions):
        return True
    filters = {form.item.pointer for form in forms if form.item.location == "query"}
    if any(value.at in one.found.used and one.found.used[value.at] in filters for value in one.own):
        # A label says which.
        return False
    meant = words.qualifying | words.denied | words.described_by | one.context.left_out(one.number)
    known = traits.path_words | traits.resource | frozenset().union(*one.found.states.values())
    return not meant <= known


def _keeps_what_should_go(one: Candidate) -> bool:
    """Whether a task takes something away, and a call neither does nor sets a state that the task names."""
    kind = one.traits.kind
    if kind is OperationKind.CREATE and one.words.takes_back:
        # `revoke every consent` makes none.
        return not one.is_spoken and not one.found.states
    if one.words.kind is not OperationKind.DELETE or kind in (OperationKind.DELETE, OperationKind.ACTION):
        return False
    if one.traits.safe:
        return one.words.ends
    return bool(one.words.verb) and not one.is_spoken and not one.found.states


def makes_the_whole(one: Candidate, others: Iterable[Candidate]) -> bool:
    """Whether a call makes that into which a task puts something, though another puts it there.

    `add a fee of 12.00 to the newest draft invoice` makes a line of an invoice, and no invoice.
    """
    words, head = one.words, one.traits.head
    if one.traits.kind is not OperationKind.CREATE or one.form.operation.ends_with_parameter:
        return False
    if words.into != head or head in (words.object, *words.new):
        return False
    return any(
        other.traits.kind in _MAKING
        and other.traits.head != head
        and head in other.traits.path_words
        and bool(other.form.operation.last_parameter)
        for other in others
    )


def _makes_existing(one: Candidate) -> bool:
    """Whether a call would make what a task names as something that is there: to move the site ham-1 makes none."""
    words, traits = one.words, one.traits
    if traits.kind is not OperationKind.CREATE:
        return False
    if any(
        value.value.kind is ValueKind.NUMBER
        and own_noun(value) == traits.head
        and (value.value.preposition == _ON or value.at not in one.found.used)
        for value in one.own
    ):
        # `log 3h on issue 15`: what has a number that the call does not take is there, and so is what something is put on.
        return True
    if any(_is_called_by_id(one, value) for value in one.own):
        return True
    if _is_made_of_statement(one):
        return True
    opens = one.is_spoken and words.verb in words.stems[:_OPENING]
    if opens or words.creates:
        return False
    if words.gives and traits.head in persons() and any(v.value.kind is ValueKind.EMAIL for v in one.own):
        # `give a@b.c the viewer role`: whoever has an address is there.
        return True
    if _only_changes(one) or _names_what_is_there(one):
        return True
    is_there = (words.is_definite and not words.makes) or (
        _is_of_all(one) and (words.gives or not words.makes)
    )
    if is_there and traits.head in (words.object, words.many):
        return True
    through = [form for form in one.form.forms if form.item.location == "path"]
    places = (traits.path_words - {traits.head}).union(*(form.names for form in through))
    # Nor is a thing what its path or its type is called: `run the monthly report`, by `report_type`.
    other = {form.item.pointer for form in one.form.forms if form.says_type}
    other |= {form.item.pointer for form in through}
    named = [
        value
        for value in one.context.said_for(one.number)
        if value.local
        and value.value.kind in (*_NAMED, ValueKind.EMAIL)
        and own_noun(value) == traits.head
        and one.found.used.get(value.at) not in other
    ]
    # `add the variable MODE to project 61` makes a variable of the project, and so does `add the country Chile`, which goes nowhere;
    # but `add the Developers role to Ann` speaks of one that is there.
    goes = bool(words.into) or any(value.value.preposition in TOWARDS for value in one.own)
    is_made = words.makes and (not words.is_definite or words.into in places or not goes)
    is_of_one = bool(one.form.operation.ends_with_parameter)
    return any((value.is_before_noun and not is_of_one) or not is_made for value in named)


def _names_what_is_there(one: Candidate) -> bool:
    """Whether a call makes something by the name of what is there: `publish the draft "Budget"` makes no article."""
    words = one.words
    states = any(
        word in table("reading")["statement_determiners"]
        for word in pieces(one.context.tasks[one.number].words)[:1]
    )
    if not states and (words.verb in _making_verbs() or words.verb not in verb_kinds()):
        # `write the article "Budget"`, `plan the meeting "Standup"`
        return False
    if words.verb == _PUTTING and words.places:
        # `put the event "Review" on my calendar`
        return False
    return any(
        value.is_named_definitely
        and value.value.kind in _TITLED
        and (pointer := one.found.used.get(value.at)) is not None
        and own_noun(value) not in written_stems()
        and (
            own_noun(value) == one.traits.head
            or own_noun(value) not in one.form.forms[one.form.by_pointer[pointer]].names
        )
        for value in one.own
    )


@cache
def _making_verbs() -> frozenset[str]:
    """Stems of the verbs that make something, or pass it on, whatever stands behind them."""
    reading = table("reading")
    named = {stem(verb) for key in ("making", "saying", "opening") for verb in reading[key]}
    made = {verb for verb, kind in verb_kinds().items() if kind is OperationKind.CREATE}
    return frozenset(named | made) - {_PUTTING}


def _only_changes(one: Candidate) -> bool:
    """Whether a task changes something, and a call makes one among all: `rename the canned reply "A" to "B"` makes no macro.

    To put somebody on a list adds an entry, to set a stock books an adjustment, and `make cus_7 an invoice` makes one.
    """
    words = one.words
    if words.kind is not OperationKind.UPDATE or words.makes or words.verb == _SETTING:
        return False
    return not (one.form.operation.last_parameter or _speaks_of_new(one))


def _is_called_by_id(one: Candidate, value: SaidValue) -> bool:
    """Whether a call would make what something is for, with its id as a name: `new price for item it_4`."""
    if value.value.kind not in _NUMBERED or own_noun(value) != one.traits.head or not _has_digit(value):
        return False
    taken = one.found.used.get(value.at)
    is_named = taken is not None and is_title(one.form.forms[one.form.by_pointer[taken]])
    return is_named and value.value.preposition in PLACES


def _is_made_of_statement(one: Candidate) -> bool:
    """Whether a task only tells of what is there, and a call makes one among all: `he's an editor now` makes no author.

    Behind a task that makes something it may tell of that: `create a coupon, it lasts forever`.
    """
    words = one.context.words
    goes_on = one.number > 0 and words[one.number - 1].makes
    return one.words.tells and not (goes_on or one.form.operation.last_parameter or _speaks_of_new(one))


def _speaks_of_new(one: Candidate) -> bool:
    """Whether a task speaks of a thing that a call makes as one that is not there yet: `she needs an account`."""
    made = phrases_behind(pieces(one.context.tasks[one.number].words), _INDEFINITE)
    return any(stem(singular(word)) == one.traits.head for phrase in made for word in phrase)


def _is_of_all(one: Candidate) -> bool:
    """Whether a task does something with all of what is there, and says nothing of what a new one needs.

    To complete all tasks of project 7 makes none.
    """
    all_of_them = one.context.tasks[one.number].quantity.is_of_many
    lacks = any(
        form.item.required and form.item.location == "body" and not one.found.has(form.item.pointer)
        for form in one.form.forms
    )
    return all_of_them and lacks and (one.words.kind is OperationKind.ACTION or one.words.gives)


def _makes_other(one: Candidate) -> bool:
    """Whether a call makes something else than what a task wants made: a milestone, where a bug is to be opened."""
    words, traits = one.words, one.traits
    spoken = traits.resource | traits.path_words | traits.spoken
    return _makes_another(one) and words.object not in spoken and words.object not in one.form.by_stem


def _makes_part_of_it(one: Candidate) -> bool:
    """Whether a call makes something else than a thing that a call of its own makes: a note of a ticket is no ticket."""
    words, traits = one.words, one.traits
    return (
        _makes_another(one)
        and words.object not in traits.resource
        and bool(one.index.creators_of(traits.tool.server, frozenset((words.object,))))
    )


def _sets_what_is_added(one: Candidate) -> bool:
    """Whether a call changes a thing that a task names, and what is added to that is an input of it: `add the priority high to ticket 5`."""
    words, last = one.words, one.form.last_place
    is_added = (
        words.kind is OperationKind.CREATE and not words.creates and one.traits.kind is OperationKind.UPDATE
    )
    is_there = last is not None and last.item.pointer in one.found.used.values()
    return is_added and is_there and _has_object(one)


def _makes_other_part(one: Candidate) -> bool:
    """Whether a call makes one thing of another, where what a task adds is set by a change of that: an attendee for the description of an event."""
    words, traits, last = one.words, one.traits, one.form.last_place
    if traits.kind is not OperationKind.CREATE or words.creates or last is None:
        return False
    known = traits.resource | traits.path_words | one.form.by_stem.keys()
    if words.object in known or not words.object:
        return False
    server = traits.tool.server
    return any(
        words.object in form.own
        for at in one.index.updates_of(server, last.names)
        for form in one.index.form(at).forms
        if form.item.location == "body" and not form.identifies
    )


def _makes_the_place(one: Candidate) -> bool:
    """Whether a call makes what something should go into, and leaves what goes there: `add 1555 to the group g1` makes no group."""
    traits = one.traits
    if traits.kind is not OperationKind.CREATE or one.form.last_place is not None or one.words.new:
        return False
    is_place = any(
        value.at in one.found.used
        and value.value.preposition in ("to", "into", "in", "onto")
        and own_noun(value) == traits.head != one.words.object
        for value in one.own
    )
    return is_place and any(not value.value.weak and not own_noun(value) for value in one.left)


def _changes_all_of_others(one: Candidate) -> bool:
    """Whether each of some things would be changed where all of others are meant, of which a call knows nothing: no company, for `all deals of o_1`."""
    traits, many = one.traits, one.words.many
    if traits.kind is not OperationKind.UPDATE or not one.form.operation.ends_with_parameter or not many:
        return False
    last = one.form.last_place
    is_named = last is not None and last.item.pointer in one.found.used.values()
    if is_named or not one.context.tasks[one.number].quantity.is_of_many:
        return False
    known = traits.resource | traits.path_words | one.form.by_stem.keys()
    return many not in known and one.index.is_resource(traits.tool.server, many)


def _names_all_alike(one: Candidate) -> bool:
    """Whether each of many things would be called the same, where nothing is renamed: `reassign all deals of o_1 to o_2`."""
    traits, many = one.traits, one.words.many
    # `create a segment "A" with all customers` makes one.
    is_given = traits.kind is OperationKind.UPDATE or (
        traits.kind is OperationKind.CREATE and many in traits.resource
    )
    if not (is_given and one.context.tasks[one.number].quantity.is_of_many):
        return False
    titles = {form.item.pointer: form.own for form in one.form.forms if is_title(form)}
    return any(
        (own := titles.get(one.found.used.get(value.at, ()))) is not None
        and own_noun(value) not in own
        and not renames(value)
        for value in one.own
    )


def _makes_another(one: Candidate) -> bool:
    """Whether nothing but its own noun speaks for a call where a task wants something made."""
    words, traits = one.words, one.traits
    if traits.kind not in _MAKING or not words.creates or not words.object:
        return False
    # That it stands in a project says nothing of what is made.
    states = [stems for stems in one.found.states.values() if not stems <= {words.towards, words.into}]
    if any(words.object in stems for stems in states) or (states and one.index.holds(words.object, one.at)):
        return False
    # `/conversations.open` opens a direct message, though others are posted.
    return not (words.verb in traits.qualifiers and one.index.holds(words.object, one.at))


def _deletes_other(one: Candidate) -> bool:
    """Whether a call takes away something else than what a task names: the product, not the user from it."""
    words, traits = one.words, one.traits
    if _deletes_the_place(one) or _deletes_everywhere(one) or _deletes_unasked(one) or _deletes_owner(one):
        return True
    if not one.pending and any(value.value.kind in _NUMBERED and own_noun(value) for value in one.left):
        return True
    if _deletes_part_of_it(one) or _deletes_what_is_closed(one):
        return True
    alone = one.index.is_resource(traits.tool.server, words.object)
    if not (alone or one.index.is_part_of_resource(traits.tool.server, words.object)):
        return False
    named = _phrase_heads(traits.tool.title) | _phrase_heads(traits.tool.name) | last_words(one)
    if alone:
        named.add(traits.head)
    else:
        named |= traits.resource | {stem(singular(word)) for word in pieces(traits.tool.title)}
    for form in one.form.forms:
        # What the path only goes through stays.
        leads = form.item.location != "path" or form.item.name == one.form.operation.last_parameter
        if not leads or form.item.pointer not in one.found.used.values():
            continue
        named |= form.numbered | (form.heads | form.described if form.identifies else frozenset())
    return words.object not in named


def _deletes_what_is_closed(one: Candidate) -> bool:
    """Whether a call deletes what is to be closed, where a change of such a thing says in which state it is: `close ticket 5`."""
    if one.words.verb not in _closing():
        return False
    changes = one.index.updates_of(one.traits.tool.server, one.traits.resource)
    return any(form.own <= STATES for at in changes for form in one.index.form(at).forms if form.own)


@cache
def _closing() -> frozenset[str]:
    return frozenset(map(stem, ("close", "disable", "end")))


def _deletes_part_of_it(one: Candidate) -> bool:
    """Whether a call takes away what a thing has, of which nobody speaks, and the thing stays: `delete document 55`, by `/documents/{id}/payments`."""
    words, operation, last = one.words, one.form.operation, one.form.last_place
    if last is None or operation.ends_with_parameter or words.object not in last.names:
        return False
    places = {form.item.pointer for form in one.form.forms if form.item.location == "path"}
    if not places.issuperset(one.found.used.values()):
        return False
    part = last_words(one)
    verb = undone(words.verb) or words.verb
    # `unfollow playlist 7`, by `/playlists/{id}/followers`.
    is_said = any(same_root(verb, noun) for noun in (one.traits.head, *part)) or verb in _emptying()
    return not is_said and part.isdisjoint({*words.stems} | last.names)


@cache
def _emptying() -> frozenset[str]:
    """Stems of the verbs after which a thing is there, and what it held is not: to clear a cart."""
    return stems(*table("reading")["emptying"])


def _takes_id_of_another(one: Candidate) -> bool:
    """Whether a change is done to a thing by the number that another one has: partner 91, where invoice 91 is meant."""
    last, server = one.form.last_place, one.traits.tool.server
    if last is None or not one.traits.mutating:
        return False
    if one.traits.kind is not OperationKind.DELETE and not any(
        own_noun(value) in last.names for value in one.own
    ):
        # People may call a document an invoice.
        return False
    known = last.names | last.own | last.described | last.heads | one.traits.resource
    return any(
        value.value.kind in _NUMBERED
        and _has_digit(value)
        and one.found.used.get(value.at) == last.item.pointer
        and (noun := own_noun(value))
        and noun not in known
        and one.index.is_resource(server, noun)
        for value in one.own
    )


def _has_digit(value: SaidValue) -> bool:
    return any(map(str.isdigit, value.value.text))


def _deletes_unasked(one: Candidate) -> bool:
    """Whether a call takes the very thing away that a task does something else with: to disable a hook is not to delete it."""
    words, traits = one.words, one.traits
    if words.tells and words.verb == traits.head and words.kind is not OperationKind.DELETE:
        # `account 5 is not in use`: its noun is written like a verb.
        return not words.ends
    if words.kind in (OperationKind.DELETE, None) or one.is_spoken:
        return False
    if words.ends and words.verb not in negating_verbs():
        return False
    alike = verb_classes().get(words.verb, frozenset()) & traits.verb_classes
    return not alike and traits.head == words.object


def _deletes_the_place(one: Candidate) -> bool:
    """Whether a call takes away the thing out of which something else should go: the group, not bob from it.

    `POST /batches/{id}/remove` takes out of it what its body names.
    """
    words = one.words
    if words.towards != one.traits.head or words.object == words.towards or words.object in one.form.by_stem:
        return False
    if not last_words(one).isdisjoint({*words.stems} - {words.towards}):
        # `revoke the invite of group 7`, by `/groups/{id}/invite`: its noun is a verb.
        return False
    return any(not value.value.preposition and not own_noun(value) for value in one.own) or bool(words.object)


def _deletes_owner(one: Candidate) -> bool:
    """Whether a call takes away what something belongs to that should go: the patient, to `delete the phone number of pat_7`.

    Of that it says nothing, so it is not what the call takes away by another name, as an account of somebody is. Where it
    is set by a change of its owner, no other part of that goes instead: no card, to `delete the email of cus_7`.
    """
    words, traits, last = one.words, one.traits, one.form.last_place
    if not words.object or words.kind is not OperationKind.DELETE or words.object in _wholes():
        return False
    itself = {words.object, stem(singular(words.kind_of_object))} - {""}
    # `get rid of the page p-7` gets rid of the page.
    of_owners = [of for of in _OF_OWNERS if f"rid {of} " not in one.context.tasks[one.number].do.lower()]
    owners = [
        value for value in one.own if value.value.preposition in of_owners and own_noun(value) not in itself
    ]
    if not owners:
        return False
    title = map(stem, map(singular, pieces(f"{traits.tool.title} {traits.tool.name}")))
    takes = frozenset().union(*(form.own for form in one.taking if form.item.location != "path"))
    known = traits.resource | traits.path_words | traits.spoken | takes | {*title}
    if words.object in known:
        return False
    if last is not None and traits.kind is OperationKind.DELETE:
        taken = any(one.found.used.get(value.at) == last.item.pointer for value in owners)
        sought = last in one.pending and any(value.value.kind in OF_PEOPLE for value in owners)
        if (taken and words.object not in last.names) or (sought and traits.head in persons()):
            return True
    return any(_is_set_by(one, value) for value in owners)


def _is_set_by(one: Candidate, owner: SaidValue) -> bool:
    """Whether a change of what a value names sets the object of a task."""
    form, server = one.form, one.traits.tool.server
    taken = one.found.used.get(owner.at)
    resources = {frozenset((own_noun(owner),)) - {""}}
    if taken is not None:
        resources.add(form.forms[form.by_pointer[taken]].names)
    return any(
        one.words.object in one.index.form(at).by_stem
        for resource in resources - {frozenset()}
        for at in one.index.updates_of(server, resource)
    )


def _deletes_everywhere(one: Candidate) -> bool:
    """Whether a call takes a thing away for good that should only leave a place, or a state: `take it out of maintenance`."""
    words, said = one.words, f" {one.context.tasks[one.number].words.lower()} "
    is_taken_out = " out of " in said
    leaves = is_taken_out or (words.verb in leaving_verbs() and " from " in said)
    if not leaves or not words.towards or words.towards == words.object:
        return False
    known = one.traits.path_words | one.traits.resource | one.form.by_stem.keys()
    if words.towards in known or _is_known_to_lists(one, words.towards) or _has_place_in_title(one):
        return False
    return is_taken_out or one.index.is_resource(one.traits.tool.server, words.towards)


def _has_place_in_title(one: Candidate) -> bool:
    """Whether a title says the whole place that a thing leaves: `Clears an entry from the access control database`."""
    said = one.context.tasks[one.number].words.lower()
    place = pieces(said.rpartition(" out of " if " out of " in said else " from ")[2])
    nouns = {stem(singular(word)) for word in place if word not in ARTICLES}
    return bool(nouns) and nouns <= {stem(singular(word)) for word in pieces(one.traits.tool.title)}


@cache
def _wholes() -> frozenset[str]:
    """Stems of what is all there is of somebody or something: its account."""
    return frozenset(map(stem, table("reading")["wholes"]))


@cache
def leaving_verbs() -> frozenset[str]:
    """Stems of the verbs after which a thing may still be there, elsewhere."""
    return frozenset(stem(word) for word in table("reading")["leaving"])


def titled(one: Candidate) -> set[str]:
    """Stems of the last words of the noun phrases of a call's title: what it is done to."""
    return _phrase_heads(one.traits.tool.title)


def _phrase_heads(title: str) -> set[str]:
    """Stems of the last words of the noun phrases of a title: (artist, user) of `Unfollow artists or users`.

    What stands behind a preposition is where it is done.
    """
    said = tuple(takewhile(lambda word: word in _JOINING or word not in PHRASE_ENDS, pieces(title)))
    return {
        stem(singular(word))
        for at, word in enumerate(said)
        if at + 1 == len(said) or said[at + 1] in _JOINING
    }
