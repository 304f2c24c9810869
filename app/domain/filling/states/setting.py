"""What words of a task set: switches (`make it private`) and members of enums (`close`, `failed`)."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import pairwise, takewhile

from app.domain.filling.assigned import Assignment
from app.domain.filling.forms import Form, OperationForm, stems
from app.domain.filling.members import Member, NamedMember, beginnings
from app.domain.filling.said import PLACES, TOWARDS, SaidValue
from app.domain.filling.states.words import LONGEST, is_said, opposed, share_beginning, with_alike
from app.domain.language.goal_words import all_verbs, mailing_verbs, verb_kinds
from app.domain.language.intent_words import PHRASE_ENDS
from app.domain.language.negation import DENIAL
from app.domain.language.operation_words import LISTING_KINDS, OperationKind
from app.domain.language.text import stem
from app.domain.reading.models import ValueKind
from app.domain.schemas.tool_schemas import ITEM
from app.lexicon.lists import table

_NONE = re.compile(r"[`'\"]none[`'\"]")
"""A document says so where an input takes `none` for what is not there."""
_QUANTITIES = frozenset(stem(word) for word in table("reading")["each"])
_SWITCHED = frozenset(("switch", "turn"))
"""Stems before `on` or `off` that say no more than these."""
_OFF = frozenset(("off", "disabl"))
"""Stems behind what is off."""
_WITH, _WITHOUT = frozenset(("with", "includ", "plu")), frozenset(("without", "no"))
"""Stems that lead to what something comes with, and without."""
_TO = frozenset(("to", "till", "until", "through"))
"""They lead to the last of several members."""
_PHRASE_ENDS = PHRASE_ENDS | _WITHOUT
_PHRASE = 3
"""Words of such a phrase that are looked at: an article, an adjective and a noun."""
SHORTEST = 3
"""Letters of what names a member of an enum."""
STATES = frozenset(("status", "state"))
"""Stems of what the state of a thing is called."""
_AGAIN = "re"
"""Leads, in a verb, to what is done once more: `reopen`."""
_SEVERAL = 2
TELLING = 5
"""Letters of a word that tells a member of an enum by itself."""


def set_states(
    form: OperationForm,
    found: Assignment,
    *,
    task_stems: Sequence[str],
    verb: str,
    beside: AbstractSet[str] = frozenset(),
    narrowing: AbstractSet[str] = frozenset(),
    making: bool = False,
    naming: AbstractSet[str] = frozenset(),
    not_so: AbstractSet[str] = frozenset(),
) -> None:
    """Fill switches and enums that words of the task name, and that no value has filled.

    Words that already say what the call is about or what it does set nothing: to list comments is not to sort by
    them. An input takes a member only if no other member fits as well.

    Args:
        form: The inputs.
        found: What is filled already; the states are added.
        task_stems: Stems of the task, in order.
        verb: Stem of its verb.
        beside: For a call that only looks something up: stems of what it lists. A word narrows the list only if it
            stands before one of them (`the failed run`).
        narrowing: Stems of further words that narrow such a list, wherever they stand.
        making: Whether the task makes something: `open a bug` sets no state.
        naming: Stems of the nouns of its values, which alone set none: `account 4711` is no kind of purpose.
        not_so: Stems of what the task denies: `not closed`.
    """
    operation = form.operation
    said = frozenset(task_stems) - _QUANTITIES
    absent = {word for before, word in pairwise(task_stems) if before == "no"}
    off = absent | not_so | _switched_off(task_stems)
    spoken = form.noun_stems
    free = said - spoken - naming
    if operation.kind is OperationKind.UPDATE:
        free |= {verb} & said
    if beside:
        said &= _leading_up(task_stems, beside) | narrowing
        free &= said
    elif making or operation.kind is OperationKind.CREATE:
        # `open a bug` makes one: that it is open need not be said.
        free -= {verb}
    said, free = with_alike(said), with_alike(free)
    # A list that is looked through comes with nothing.
    is_done = bool(form.switches) and not beside
    with_it, without_it = (
        _behind(task_stems, leading) - naming if is_done else frozenset() for leading in (_WITH, _WITHOUT)
    )
    # What `off` sets itself switches nothing else off: `turn server 7 off gracefully`.
    sets_off = not _OFF.isdisjoint(said) and any("off" in map(str, one.item.enum) for one in form.settable)
    negates = verb in negating_verbs() and not sets_off
    for one in form.settable if absent else _may_be_set(form, said, free):
        item = one.item
        if found.has(item.pointer):
            continue
        if absent & one.own and not item.is_container and _NONE.search(item.description):
            found.known[item.pointer] = "none"
            found.states[item.pointer] = frozenset(absent & one.own)
        elif one.switch:
            # `remove the backups from server 7`, where a server has them or not, but not `removeBackups`.
            takes_away = (
                operation.kind is OperationKind.UPDATE
                and verb_kinds().get(verb) is OperationKind.DELETE
                and one.own.isdisjoint(with_alike({verb}))
            )
            is_off = takes_away or negates or bool(off.intersection(one.switch))
            _set_switch(one, found, free, said, off=is_off)
            if item.pointer not in found.known:
                _set_accompanying(one, found, with_it, without_it)
        elif one.members:
            # A call that takes a decision on what is there is called with the verb: `approve`.
            decides = item.required and item.location == "body" and bool(operation.last_parameter)
            of_verb = with_alike({verb}) if decides and not beside and verb in said else frozenset()
            so = with_alike(not_so)
            if one in form.reasons and verb in form.action_stems:
                # To cancel a trip is not to say that a meeting was.
                so |= {verb}
            if one.said_members:
                # `update the image` says nothing of what a description lists beside `RollingUpdate`.
                so = frozenset(so | ({verb} - of_verb))
            _set_member(one, found, (free | of_verb) - so, said - so, spoken | {verb})
            if not_so and item.pointer not in found.known:
                _set_opposite(one, found, so, is_filter=operation.kind in LISTING_KINDS)
    first = next(iter(task_stems), "")
    again = first[len(_AGAIN) :] if first.startswith(_AGAIN) else ""
    if operation.kind is OperationKind.UPDATE and again in all_verbs():
        # `reopen ticket 6` has it open, beside what says that it was closed before.
        for one in form.settable:
            if one.members and one.own <= STATES and not found.has(one.item.pointer):
                _set_member(one, found, frozenset((again,)), frozenset((again,)), spoken)
    _leave_states_of_parts(form, found, said)
    if operation.mutating and verb in switching_verbs():
        _set_whole(form, found, said, off=verb in negating_verbs())
    _set_conditions(form, found)


def _leave_states_of_parts(form: OperationForm, found: Assignment, said: AbstractSet[str]) -> None:
    """Leave what the same words set of a part that nobody speaks of, beside the thing itself: `payment_status`, for `order 42 is open`."""
    own = [
        words for one in form.settable if one.own <= STATES and (words := found.states.get(one.item.pointer))
    ]
    for one in form.settable if own else ():
        qualifying = one.own - STATES
        of_part = bool(one.own & STATES) and bool(qualifying) and qualifying.isdisjoint(said)
        if of_part and found.states.get(one.item.pointer) in own:
            del found.states[one.item.pointer], found.known[one.item.pointer]


def _set_whole(form: OperationForm, found: Assignment, said: AbstractSet[str], *, off: bool) -> None:
    """Fill the only switch that a call has to have with whether what the call is about is turned on: `turn off shuffle`, by a `state`."""
    needed = [one for one in form.forms if one.item.required and one.switch]
    # `turn off the player` does something else than `/player/shuffle`.
    last = next((part.text for part in reversed(form.operation.segments) if not part.is_parameter), "")
    about = frozenset(said & stems(last))
    if len(needed) == 1 and about and not found.has(needed[0].item.pointer):
        found.known[needed[0].item.pointer] = needed[0].switched(on=not off)
        found.states[needed[0].item.pointer] = about


def set_ranges(form: OperationForm, found: Assignment, said: Sequence[str]) -> None:
    """Fill lists of members from the first to the last one: `mon to thu`, in the order of the enum.

    `from mon to thu` may say from which to which something is moved.

    Args:
        form: The inputs.
        found: What is filled already; a list that has one of both ends, or is open, gets all between them.
        said: Words of the task, in order.
    """
    ranges = [
        (stem(first), stem(last))
        for before, first, between, last in zip(("", *said), said, said[1:], said[2:], strict=False)
        if between in _TO and before != "from"
    ]
    lists = [one for one in form.settable if one.item.is_list] if ranges else []
    for one in lists:
        pointer = one.item.pointer
        for first, last in ranges:
            begin, end = (_place_of(word, one.members) for word in (first, last))
            if begin < 0 or end <= begin:
                continue
            values = [member.value for member in one.members[begin : end + 1]]
            known = found.known.get(pointer, [])
            # What the caller knows stays as it is.
            is_said = not known or pointer in found.states or pointer in found.used.values()
            if is_said and isinstance(known, list) and all(value in values for value in known):
                found.known[pointer] = [*values]
                found.states[pointer] = frozenset((first, last))


def set_examples(form: OperationForm, found: Assignment, said: Sequence[str]) -> None:
    """Fill a text that a call has to have with the document's own example, where the task leads to it: `ship it to staging`.

    Args:
        form: The inputs.
        found: What is filled already.
        said: Words of the task, in order.
    """
    led = {word for before, word in pairwise(said) if before in PLACES | TOWARDS}
    if not led or DENIAL.search(" ".join(said)):
        return
    shown = [
        (one.item.pointer, word)
        for one in form.forms
        if one.item.required and one.is_free_text and not (one.identifies or found.has(one.item.pointer))
        for word in one.item.examples
        if isinstance(word, str) and word in led and stem(word) not in form.noun_stems
    ]
    if len(shown) == 1:
        ((pointer, word),) = shown
        found.known[pointer] = word
        found.states[pointer] = frozenset((stem(word),))


def _place_of(word: str, members: Sequence[NamedMember]) -> int:
    """Where the only member stands that a stem is, or begins, or that begins it; -1 without one."""
    names = [member.stems[0] if len(member.stems) == 1 else "" for member in members]
    found = [at for at, name in enumerate(names) if name == word] or [
        at
        for at, name in enumerate(names)
        if min(len(name), len(word)) >= SHORTEST and share_beginning(name, word)
    ]
    return found[0] if len(found) == 1 else -1


def _may_be_set(form: OperationForm, said: AbstractSet[str], free: AbstractSet[str]) -> list[Form]:
    """The inputs that words may set: those of which a word begins as one of these does, or as an opposite."""
    by_beginning = form.settable_by_beginning
    if not by_beginning:
        return []
    words_said = frozenset(said).union(*map(opposed, free))
    places = {at for word in words_said for begun in beginnings(word) for at in by_beginning.get(begun, ())}
    return [form.settable[at] for at in sorted(places)]


def _leading_up(task_stems: Sequence[str], beside: AbstractSet[str]) -> frozenset[str]:
    """Stems of the noun phrases that end with one of some nouns: (queued, workflow) of `the queued workflow runs`."""
    found: set[str] = set()
    for at, word in enumerate(task_stems):
        if word in beside:
            before = reversed(task_stems[max(0, at - _PHRASE) : at])
            found.update(takewhile(lambda one: one not in _PHRASE_ENDS, before))
    return frozenset(found)


def _switched_off(task_stems: Sequence[str]) -> frozenset[str]:
    """Stems directly before what says that something is off: `price files switched off`."""
    found = [word for word in task_stems if word not in _SWITCHED]
    return frozenset(word for word, behind in pairwise(found) if behind in _OFF)


def _set_conditions(form: OperationForm, found: Assignment) -> None:
    """What a filled input presupposes: `required only if duration is repeating`."""
    for pointer in list(found.known) if form.conditions else ():
        other, value = form.conditions.get(pointer, (None, ""))
        if other is not None and other.item.pointer not in found.known:
            found.known[other.item.pointer] = value
            found.states[other.item.pointer] = frozenset()


def is_state(form: OperationForm, one: SaidValue) -> bool:
    """Whether what may be a name is the word of a switch of the call: `private` in `make the list private`."""
    value = one.value
    if (
        value.kind is not ValueKind.NAME
        or not value.text.isalpha()
        or not value.text.islower()
        or value.by_name
    ):
        return False
    said = stem(value.text)
    return not form.single_switches.isdisjoint((said, *opposed(said)))


def use_states(found: Assignment, said: Iterable[SaidValue]) -> None:
    """What looked like a value and set a state is used."""
    for one in said:
        if one.local and one.at not in found.used and one.value.kind is ValueKind.NAME:
            spoken = stems(one.value.text)
            pointer = next(
                (at for at, words_of in found.states.items() if spoken and spoken <= words_of), None
            )
            if pointer is not None:
                found.used[one.at] = pointer


@cache
def negating_verbs() -> frozenset[str]:
    """Stems of the verbs that turn off what the rest of a task names."""
    return frozenset(stem(word) for word in table("reading")["negating"])


@cache
def switching_verbs() -> frozenset[str]:
    """Stems of the verbs that turn on or off what the rest of a task names."""
    return negating_verbs() | frozenset(map(stem, ("enable", "activate", "allow", "permit")))


def keep_states(found: Assignment, kept: AbstractSet[tuple[str, ...]]) -> None:
    """Take back what words have set but for some inputs."""
    for pointer in found.states.keys() - kept:
        del found.states[pointer]
        found.known.pop(pointer, None)


def unset_states(
    form: OperationForm, found: Assignment, *, excluded: AbstractSet[str], is_without: bool = False
) -> None:
    """Turn off the switches that an exclusion names: `and do not track opens`, `dont email the watchers`, or `dont mail her an invite`."""
    told_by, beside = telling("telling_of"), telling("telling_beside")
    for one in form.switches:
        is_told = not told_by.isdisjoint(excluded) and not told_by.isdisjoint(one.switch)
        named = excluded | told_by | beside if is_told else excluded
        if one.item.pointer in found.known or ITEM in one.item.pointer:
            # Of what is listed in a body nobody says that it is deleted.
            continue
        if named >= {*one.switch}:
            found.known[one.item.pointer] = one.switched(on=False)
            found.states[one.item.pointer] = frozenset(one.switch)
        elif is_without or not mailing_verbs().isdisjoint(excluded):
            _set_accompanying(one, found, frozenset(), with_alike(named))


@cache
def telling(name: str) -> frozenset[str]:
    """Stems of one of the lists of what tells people of a change."""
    return frozenset(stem(word) for word in table("reading")[name])


def _set_switch(
    one: Form, found: Assignment, free: AbstractSet[str], said: AbstractSet[str], *, off: bool
) -> None:
    name = one.switch
    if not name or len(name) > LONGEST:
        return
    if all(word in said for word in name) and any(word in free for word in name):
        found.known[one.item.pointer] = one.switched(on=not off or bool(negating_verbs().intersection(name)))
        found.states[one.item.pointer] = frozenset(name)
        return
    if len(name) == 1 and (others := {word for word in free if name[0] in opposed(word)}):
        found.known[one.item.pointer] = one.switched(on=False)
        found.states[one.item.pointer] = frozenset(others)


def _set_accompanying(
    one: Form, found: Assignment, with_it: AbstractSet[str], without_it: AbstractSet[str]
) -> None:
    """`with breakfast` turns on `breakfastIncluded`, and `no join notice` turns off `send_notice`: what they come with is named."""
    what = frozenset(one.switch) - _coming_along()
    for named, on in ((without_it, False), (with_it, True)):
        if what and what <= named and len(one.switch) > 1:
            turns_off = bool(negating_verbs().intersection(one.switch))
            found.known[one.item.pointer] = one.switched(on=on != turns_off)
            found.states[one.item.pointer] = what
            return


def _behind(task_stems: Sequence[str], leading: AbstractSet[str]) -> frozenset[str]:
    """Stems of the phrases behind some words, up to three words long, with those that name the same."""
    found = {
        word
        for at, before in enumerate(task_stems)
        if before in leading
        # `unhappy with the refund` speaks of a refund that is there.
        if "the" not in task_stems[at + 1 : at + 2]
        for word in takewhile(lambda one: one not in _PHRASE_ENDS, task_stems[at + 1 : at + 1 + _PHRASE])
    }
    return with_alike(found)


@cache
def _coming_along() -> frozenset[str]:
    """Stems of the verbs by which names of switches say no more than that something comes along."""
    return frozenset(stem(word) for word in table("inputs")["coming_along"])


def _set_member(
    one: Form, found: Assignment, free: AbstractSet[str], said: AbstractSet[str], spoken: AbstractSet[str]
) -> None:
    fitting: list[tuple[int, Member, frozenset[str]]] = []
    shared = _shared_beginning(one.members)
    for member in one.members:
        if len(member.name) < SHORTEST:
            continue
        name = member.stems[shared:]
        if (
            # The stem of AED is an article.
            not any(len(word) >= SHORTEST for word in name)
            or any(not is_said(word, said) for word in name)
            or not any(is_said(w, free) for w in name)
        ):
            continue
        fitting.append((len(name), member.value, frozenset(name)))
    fitting = fitting or _told_by_last_word(one.members, free)
    if not fitting:
        return
    most = max(count for count, _, _ in fitting)
    best = [pair for pair in fitting if pair[0] == most]
    if len(best) > 1:
        # `merge with squash`: the verb says what is done, the other word how.
        best = [pair for pair in best if not pair[2] <= spoken] or best
    if len(best) == 1:
        put_member(one, found, best[0][1], best[0][2])
    elif one.item.is_list and most > 1:
        # `trip approved and trip cancelled`
        found.known[one.item.pointer] = [member for _, member, _ in best]
        found.states[one.item.pointer] = frozenset().union(*(name for _, _, name in best))


def put_member(one: Form, found: Assignment, member: Member, said: frozenset[str]) -> None:
    """Fill an enum, or a list of its members, with one, which words say."""
    found.known[one.item.pointer] = [member] if one.item.is_list else member
    found.states[one.item.pointer] = said


def _set_opposite(one: Form, found: Assignment, not_so: AbstractSet[str], *, is_filter: bool) -> None:
    """What is not so is the only other member; a filter that takes several gets all others. One of many would say more."""
    said = [member for member in one.members if member.stems and not_so >= {*member.stems}]
    rest = [member for member in one.members if member not in said]
    if not said or not rest:
        return
    if len(rest) == 1:
        value = rest[0].value
        found.known[one.item.pointer] = [value] if one.item.is_list else value
    elif is_filter and one.item.is_list:
        found.known[one.item.pointer] = [member.value for member in rest]
    else:
        return
    found.states[one.item.pointer] = frozenset(not_so)


def _told_by_last_word(
    members: Sequence[NamedMember], free: AbstractSet[str]
) -> list[tuple[int, Member, frozenset[str]]]:
    """The members whose last word is said, and is no other's: `permanently`, of `REDIRECT_PERMANENT` and `REDIRECT_TEMPORARY`."""
    counts = Counter(one.stems[-1] for one in members if one.stems)
    return [
        (1, one.value, frozenset((word,)))
        for one in members
        for word in one.stems[-1:]
        if len(one.stems) > 1 and counts[word] == 1 and len(word) >= TELLING and is_said(word, free)
    ]


def _shared_beginning(members: Sequence[NamedMember]) -> int:
    """How many words all members of an enum begin with, which tell none from another: `KEY_TYPE__READ`, `KEY_TYPE__WRITE`."""
    if len(members) < _SEVERAL:
        return 0
    columns = zip(*(member.stems for member in members), strict=False)
    return sum(1 for _ in takewhile(lambda column: len({*column}) == 1, columns))
