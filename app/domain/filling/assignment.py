"""Which value of a goal fills which input of a call: by noun, type, enum, form and place in the path."""

from collections.abc import Mapping, Sequence
from functools import cache

from pydantic import JsonValue

from app.domain.filling.assigned import Assignment, joins, put, put_or_ask
from app.domain.filling.ends import set_ends_right
from app.domain.filling.fit import (
    BECOMING,
    KIND,
    OF_PEOPLE,
    becomes,
    candidates,
    holds_message,
    is_of_language,
    is_title,
    own_noun,
    renames,
    value_fit,
)
from app.domain.filling.forms import Form, OperationForm, stems
from app.domain.filling.leftovers import fill_ids_of_kinds, fill_pairs, fill_rest, open_required
from app.domain.filling.people import fill_full_names, fill_people, fill_whole_names
from app.domain.filling.places import fill_addresses, fill_cities, fill_coordinates
from app.domain.filling.said import PLACES, SaidValue
from app.domain.filling.typed import MISSING, spelt_like, typed
from app.domain.language.goal_words import means, persons, verb_kinds
from app.domain.language.identifiers import words
from app.domain.language.intent_words import PHRASE_ENDS
from app.domain.language.operation_words import LISTING_KINDS, OperationKind
from app.domain.language.text import stem
from app.domain.planning.operations import is_envelope
from app.domain.reading.models import THING_NAMES, ValueKind
from app.domain.schemas.tool_schemas import ITEM
from app.lexicon.lists import table

_BEHIND_COUNTS = PHRASE_ENDS | {"", *table("reading")["counting_behind"]}
"""What may stand behind a number that counts nothing by name."""
_ON = ("", "on")
"""What may lead to a day; to what ends or begins a period leads something else."""
ENOUGH = 0.5
"""Fit from which a value goes to an input without further reason."""


def assign(
    form: OperationForm,
    said: Sequence[SaidValue],
    *,
    given: Mapping[tuple[str, ...], JsonValue],
    for_another: bool = False,
) -> Assignment:
    """Fill the inputs of a call.

    Args:
        form: The inputs.
        said: Values of the goal, those of the task marked as local.
        given: What the caller knows, by pointer: no value of the goal goes there.
        for_another: Whether the call only looks up what another needs: no bare name or number goes there unasked.

    First what is named or of a form that only one input has, then free texts, then what is left over: an id for the
    only input that identifies something, a number for the only number.
    """
    found = Assignment(known=dict(given))
    if not said:
        return found
    open_values = [one for one in said if not _is_own_word(form, one)]
    counting = _fill_limit(form, open_values, found)
    open_values = [one for one in open_values if one.at not in counting]
    fill_coordinates(form, open_values, found)
    fill_addresses(form, open_values, found)
    own = [one for one in open_values if not (one.handed_over or one.is_letter)]
    _fill_runs(form, open_values, found)
    fill_full_names(form, own, found)
    fill_whole_names(form, own, found)
    _fill_key(form, own, found)
    fill_people(form, own, found)
    _fill_state(form, own, found)
    fill_ids_of_kinds(form, own, found)
    fill_pairs(form, own, found)
    _fill_named(form, open_values, found, for_another=for_another)
    fill_cities(form, own, found)
    _fill_day(form, own, found)
    _fill_texts(form, own, found)
    fill_rest(form, [one for one in own if not (for_another and _is_bare(one))], found)
    set_ends_right(form, own, found)
    _fill_same(form, found)
    return found


def _fill_same(form: OperationForm, found: Assignment) -> None:
    """A part of a body that identifies what the path leads through is that: the `vault` of a new item in `/vaults/{vaultUuid}/items`."""
    through = {one.names: one.item for one in form.forms if one.item.location == "path" and one.names}
    for one in form.forms:
        place = through.get(one.names)
        if (
            place is not None
            and one.item.location == "body"
            and one.item.required
            and one.identifies
            and len(one.item.pointer) > 1
            and place.type == one.item.type
            and place.pointer in found.known
        ):
            found.known.setdefault(one.item.pointer, found.known[place.pointer])


def _is_bare(one: SaidValue) -> bool:
    """Whether a value is a name, or a number to which nothing leads: 25 of `move 25 of BX-2210`."""
    leads = one.value.preposition or own_noun(one) or one.implied
    return one.value.kind is ValueKind.NAME or (one.value.kind is ValueKind.NUMBER and not leads)


def _fill_day(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """A day is both ends of the only period that a list is asked for: `the appointments on 2026-03-16`."""
    if form.operation.kind not in LISTING_KINDS:
        return
    begins, ends = (
        [one for one in form.forms if one.bound == bound and one.item.format == "date"] for bound in (1, -1)
    )
    if len(begins) != 1 or len(ends) != 1:
        return
    ((first,), (last,)) = begins, ends
    days = [
        one
        for one in said
        if one.local
        and one.at not in found.used
        and one.value.kind is ValueKind.DATE
        and one.value.preposition in _ON
        and own_noun(one) not in form.by_stem
        and "T" not in str(one.value.value)
    ]
    if len(days) == 1 and not {first.item.pointer, last.item.pointer} & found.known.keys():
        day = typed(first, days[0].value)
        if day is not MISSING:
            put(found, first, days[0], day, KIND)  # type: ignore[arg-type]
            found.known[last.item.pointer] = found.known[first.item.pointer]


def _fill_limit(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> frozenset[int]:
    """How many of a list are meant goes to the input that bounds its answer; the values that say so, which name nothing."""
    if not form.operation.safe:
        return frozenset()
    resource = frozenset(stem(word) for word in form.operation.resource)
    counting = [
        one
        for one in said
        if one.local
        and (
            (one.counts and (one.value.noun_after in _BEHIND_COUNTS or one.counted)) or one.counted & resource
        )
        # `5 seats` goes where seats are counted, but `5 promotions` of a list of them is for no `promoted_by`.
        and (one.counted not in form.owns or (form.limit is not None and bool(one.counted & resource)))
    ]
    if len(counting) == 1:
        (one,) = counting
        counted = [target for target in form.forms if target.counted & one.counted]
        # `the last 200 lines` of a log, by `tail`: the number of lines from the end.
        limit = form.limit or (counted[0] if len(counted) == 1 else None)
        if limit is not None and limit.item.pointer not in found.known:
            put_or_ask(found, form, limit, one, KIND)
    return frozenset(one.at for one in counting)


def _is_own_word(form: OperationForm, one: SaidValue) -> bool:
    """Whether what may be a name is a word that the operation itself is called by: no value of it."""
    if one.value.text in _adverbs() and (stem(one.value.text),) not in form.enums:
        # `delete that code permanently`, but `cancel it immediately` where a member is called so.
        return True
    if one.value.weak and frozenset((own_noun(one),)) in form.owns and (stem(one.value.text),) in form.enums:
        # `the approvals with status approved`
        return False
    last = form.last_place
    names = last.names if last is not None and not last.is_opaque else frozenset()
    if one.value.weak and own_noun(one) in names and stem(one.value.text) not in names:
        # `scale the deployment api`, by the name of it; but `redeem a gift card`.
        return False
    # A capital A is no article.
    return one.value.weak and len(one.value.text) > 1 and stems(one.value.text) <= form.spoken


@cache
def _adverbs() -> frozenset[str]:
    return frozenset(adverb for _, adverb in table("reading")["adverbials"])


def _fill_runs(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """`owner/name` fills two path parameters that stand side by side."""
    # Where something is comes before what it is made of: `from release/2.0 in acme/api`.
    for one in sorted(
        said,
        key=lambda one: (
            # So does what the caller calls by its name.
            bool(own_noun(one)) and not one.value.by_name,
            not one.local,
            one.value.preposition not in _INSIDE and not one.value.by_name,
        ),
    ):
        if one.value.kind is not ValueKind.SLUG:
            continue
        parts = one.value.text.split("/")
        for run in form.runs:
            if len(run) == len(parts) and all(_is_open_name(form.forms[at], found) for at in run):
                noun = own_noun(one)
                named = form.forms[run[-1]].names | form.forms[run[0]].names
                if not noun or noun in named:
                    for at, part in zip(run, parts, strict=True):
                        found.known[form.forms[at].item.pointer] = part
                    found.used[one.at] = form.forms[run[0]].item.pointer
                    found.weight += KIND if one.local else KIND / 2
                    break


def _is_open_name(target: Form, found: Assignment) -> bool:
    return target.item.pointer not in found.known and not target.is_opaque and not target.is_number


def _fill_key(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """The one text that a new thing has to have takes what the goal calls it: `publish release v1.4.0`."""
    if form.operation.kind in (OperationKind.CREATE, OperationKind.ACTION):
        for one in said:
            if one.at in found.used or not one.local or _is_of_open_id(form, one, found):
                continue
            named = frozenset((own_noun(one),)) in form.owns
            if not named and (target := _only_text(form, one, found)) is not None:
                put(found, target, one, typed(target, one.value), 0.8)  # type: ignore[arg-type]


def _is_of_open_id(form: OperationForm, one: SaidValue, found: Assignment) -> bool:
    """Whether a value has the form of the ids that another input takes: `bld_7`, where a deployment needs a `buildId`."""
    return bool(one.implied) and any(
        not one.implied.isdisjoint(target.heads) and target.identifies and not found.has(target.item.pointer)
        for target in form.forms
    )


def _fill_state(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """What a change sets a thing to is its state, not what it is called: `move ticket 12 to "In review"`."""
    if form.operation.kind not in (OperationKind.UPDATE, OperationKind.ACTION):
        return
    for one in said:
        if one.at in found.used or not one.local or not _is_set_to(form, one):
            continue
        for target in form.forms:
            if target.is_state and not target.is_opaque and not found.has(target.item.pointer):
                put_or_ask(found, form, target, one, KIND)
            if one.at in found.used:
                break


def _is_set_to(form: OperationForm, one: SaidValue) -> bool:
    """Whether a value is the state of the thing that a call changes, and not what one of its inputs is called after."""
    return becomes(one, form.resource) and frozenset((own_noun(one),)) not in form.owns


def _fill_named(
    form: OperationForm, said: Sequence[SaidValue], found: Assignment, *, for_another: bool
) -> None:
    pairs = []
    names = form.item_names
    changes = form.operation.kind in _ON_EXISTING
    called = any(one.local and one.value.preposition in _CALLING for one in said)
    titles = [len(other.item.pointer) for other in form.titles if other.item.pointer not in found.known]
    has_title = bool(titles) and not form.chooses_id
    new_names = [one for one in said if one.local and renames(one)] if changes and has_title else []
    for place, one in enumerate(said):
        if one.at in found.used or (not (one.local or one.handed_over) and one.value.kind in _OF_ONE_TASK):
            continue
        is_set_to = changes and _is_set_to(form, one)
        for at in candidates(form, one):
            if for_another and one.value.preposition == "in" and is_of_language(form.forms[at], one):
                # `write a note in German` looks for nobody who speaks it.
                continue
            if called and not one.local and is_title(form.forms[at]):
                # What this thing is called is said: it is not called as the thing of another task.
                continue
            if form.forms[at].item.location == "body" and _names_what_is_changed(form, one):
                continue
            if _is_what_is_set(form, one, form.forms[at], said):
                continue
            if is_set_to and not form.forms[at].is_state:
                continue
            own_title = is_title(form.forms[at]) and len(form.forms[at].item.pointer) == min(
                titles, default=0
            )
            if form.forms[at].is_message and not (
                one.local and (not one.handed_over or one.value.kind in _WRITTEN)
            ):
                # What is written here is not what another task is about.
                continue
            if has_title and not own_title and _is_its_name(form, one, form.forms[at]):
                # `create a template called Summer`: no part of it is called so.
                continue
            if own_title and _is_called_otherwise(form.forms[at], one, new_names, said):
                # `rename #sales to deals`: it is called the other from now on.
                continue
            if _is_whose(form.forms[at], one, said):
                continue
            fit = value_fit(form.forms[at], one)
            if fit >= ENOUGH:
                item = form.forms[at].item
                if one.value.text.isdigit() and f"{item.name}_id" in names:
                    # Where both are there, `site` is for the name and `site_id` for the number.
                    fit -= _BESIDE_ID
                if not (one.local or for_another or item.required or item.location == "path"):
                    # What another task says of itself is no option of this one.
                    continue
                if one.beside or not one.local:
                    # What the task says itself comes before what others say.
                    fit *= _OF_OTHERS
                # Of inputs that fit alike, the one that is called by the noun, and whose whole name is said.
                is_other = bool(one.nouns) and own_noun(one) not in (
                    form.forms[at].heads or form.forms[at].names
                )
                unsaid = len(form.forms[at].own.difference(one.nouns)) if one.nouns else 0
                order = (-round(fit, 4), not item.required, len(item.pointer), is_other, unsaid, at, place)
                pairs.append((order, one))
    for (negative, *_, at, _), one in sorted(pairs, key=lambda pair: pair[0]):
        target = form.forms[at]
        if one.at in found.used or _is_other_name(form, target, found):
            continue
        busy = target.item.pointer in found.known
        if busy and not joins(found, target, one):
            continue
        put_or_ask(found, form, target, one, -negative)
    for one in said:
        if one.value.kind is ValueKind.AMOUNT and one.at in found.used and one.value.unit:
            _fill_currency(form, one.value.unit, found, beside=found.used[one.at])


def _is_what_is_set(form: OperationForm, one: SaidValue, target: Form, said: Sequence[SaidValue]) -> bool:
    """Whether a value is what something is changed to, and another one says which thing: `User 7 forgot it. Set it to fast`."""
    if form.operation.kind is not OperationKind.UPDATE or target.item.location != "path":
        return False
    if one.value.preposition != "to" or one.value.nouns:
        return False
    if not (renames(one) or target.own.isdisjoint(one.nouns)):
        return False
    return any(other is not one and other.local and own_noun(other) in target.names for other in said)


def _is_its_name(form: OperationForm, one: SaidValue, target: Form) -> bool:
    """Whether a value is what the thing that a call makes is called, and an input is for something else of it."""
    if one.local and form.operation.kind in _ON_EXISTING and renames(one):
        # `rename contact 7 to "Ivy Court"` changes no code of it.
        return own_noun(one) in {"", *form.resource} and target.item.location == "body"
    if not one.local or form.operation.kind is not OperationKind.CREATE:
        return False
    if (
        one.value.kind in (ValueKind.QUOTED, ValueKind.NAME)
        and not one.value.preposition
        and not one.value.weak
    ):
        # `create an incident "DB down"`; `post a message "hello"` where there is a message to fill.
        return _is_of_resource(form, one) and target.own != {own_noun(one)}
    resource = form.resource
    return one.value.preposition in _NAMED and (own_noun(one) in resource or one.joined in resource)


def _is_called_otherwise(
    target: Form, one: SaidValue, new_names: Sequence[SaidValue], said: Sequence[SaidValue]
) -> bool:
    """Whether another value says what a thing is called: Ann of `add a contact called Ann to the account Northgate`."""
    if one in new_names or one.value.preposition in _CALLING or target.own == {*one.nouns[-1:]}:
        return False
    return bool(new_names) or any(other.local and other.value.preposition in _CALLING for other in said)


def _is_whose(target: Form, one: SaidValue, said: Sequence[SaidValue]) -> bool:
    """Whether a value says of whom or what an input is, and another what that is set to: `change the last name of Ann to Ray`."""
    is_of = one.value.preposition == "of" and target.item.location == "body" and not one.nouns
    if not is_of or not target.own <= stems(*one.led):
        return False
    return any(other is not one and other.local and other.value.preposition == "to" for other in said)


def _is_other_name(form: OperationForm, target: Form, found: Assignment) -> bool:
    """Whether an object that is known by its key or by its id has one of them already."""
    parent = target.item.pointer[:-1]
    return (
        bool(parent)
        and target.identifies
        and any(
            pointer[:-1] == parent
            and pointer != target.item.pointer
            and form.forms[form.by_pointer[pointer]].identifies
            for pointer in found.known
            if pointer in form.by_pointer
        )
    )


def _fill_currency(form: OperationForm, code: str, found: Assignment, *, beside: tuple[str, ...]) -> None:
    """The currency of an amount, beside it or in what holds it."""
    holding = [
        one
        for one in form.forms
        if words(one.item.name)[-1:] == ("currency",)
        and one.item.pointer[:-1] == beside[: len(one.item.pointer) - 1]
    ]
    nearest = max((len(one.item.pointer) for one in holding), default=0)
    for one in holding:
        if len(one.item.pointer) == nearest:
            found.known.setdefault(one.item.pointer, spelt_like(one.item, code))


def _fill_texts(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """Quoted and announced texts go to the inputs that take free text, names to titles."""
    texts = table("inputs")["texts"]
    titles, searches = table("inputs")["titles"], table("inputs")["searches"]
    kind = form.operation.kind
    quoted = [one for one in said if one.local and one.value.kind in (ValueKind.QUOTED, ValueKind.SAID)]
    # What something is to be called from now on comes first: `tag main as v2`.
    for one in sorted(
        said,
        key=lambda one: (
            one.value.preposition not in _CALLING,
            # What says something is a text before anything else is.
            not one.is_sentence,
            # People are searched for by their names before anything else that is said.
            not (one.is_full_name and not form.resource.isdisjoint(persons())),
            # A list of templates is searched for what is called one.
            kind in LISTING_KINDS and own_noun(one) not in form.resource,
        ),
    ):
        value = one.value
        if (
            one.at in found.used
            or not one.local
            or not (
                value.kind in (ValueKind.QUOTED, ValueKind.SAID, ValueKind.NAME)
                or (
                    value.kind in (ValueKind.ID, ValueKind.SLUG)
                    and (value.preposition in _TOWARDS or _is_of_list(form, one))
                )
            )
            or (
                value.weak
                and value.preposition not in ("called", "named", "to")
                and not _names_new(form, one)
            )
            or (one.implied and value.preposition not in ("called", "named", "as"))
            or (value.preposition == "as" and value.text.islower() and value.kind is ValueKind.NAME)
            or _is_looked_up(form, one, found)
            or (kind is OperationKind.CREATE and _is_for_somebody(form, one))
            or (kind is OperationKind.CREATE and one.is_place and _has_open_place(form, found))
            or (kind in _ON_EXISTING and _is_set_to(form, one))
        ):
            continue
        best: tuple[float, int] | None = None
        for at, target in enumerate(form.forms):
            if target.item.pointer in found.known or not target.is_free_text or target.is_number:
                continue
            if target.is_opaque:
                continue
            is_written = quoted == [one] and _is_written(one, target)
            if kind in _ON_EXISTING and not is_written and _names_the_thing(form, one, target):
                continue
            is_named_of_other = value.preposition in PLACES and ITEM in target.item.pointer
            if (value.kind in (ValueKind.ID, ValueKind.SLUG) or is_named_of_other) and _is_other_thing(
                form, one, target
            ):
                continue
            if typed(target, value) is MISSING or len(target.item.pointer) > 3:
                continue
            name = target.filters_by
            last = words(target.item.name)[-1:]
            order = texts
            if kind in (OperationKind.SEARCH, OperationKind.LIST):
                order = [*titles, *searches] if _is_of_list(form, one) else searches
                if target.item.location == "body" and kind is OperationKind.LIST:
                    continue
            elif (
                value.preposition in _CALLING
                or renames(one)
                or value.kind
                in (
                    ValueKind.NAME,
                    ValueKind.ID,
                    ValueKind.SLUG,
                )
            ):
                order = titles
            if _is_far_inside(form, target, one):
                continue
            key = name if name in order else last[0] if last and last[0] in order else ""
            if not key or (key != name and not _is_part_spoken_of(target, one)):
                continue
            if kind in LISTING_KINDS and key in titles and _is_of_another(form, one):
                continue
            rank = order.index(key) / len(order) + _DEEPER * (len(target.item.pointer) - 1)
            rank -= 1.0 if target.item.required else 0.0
            if key != name:
                rank += 0.1
            if target.item.location == "path":
                rank += 0.5
            if best is None or rank < best[0]:
                best = (rank, at)
        if best is not None:
            target = form.forms[best[1]]
            value_there = typed(target, value)
            found.by_rank.add(one.at)
            put(found, target, one, value_there, 0.7 if target.item.required else 0.55)  # type: ignore[arg-type]


def _has_open_place(form: OperationForm, found: Assignment) -> bool:
    """Whether what a call makes goes into something that is not known yet: an attendee, into an event."""
    return form.last_place is not None and form.last_place.item.pointer not in found.known


def _is_of_another(form: OperationForm, one: SaidValue) -> bool:
    """Whether a value is called after another thing than a list is of: the team of `add a@b.c to the team Support`, for users."""
    noun = own_noun(one)
    return bool(noun) and not one.strange and noun not in form.resource


def _is_part_spoken_of(target: Form, one: SaidValue) -> bool:
    """Whether a name of something else (`BuildingName`) is at the top of a body, or the goal speaks of what it is of."""
    if len(target.item.pointer) == 1 or target.item.required:
        return True
    qualifying = stems(
        *words(target.item.name)[:-1], *(part for part in target.item.pointer[:-1] if part != ITEM)
    )
    return not qualifying.isdisjoint({*one.nouns, one.object})


def _is_far_inside(form: OperationForm, target: Form, one: SaidValue) -> bool:
    """Whether a text is that of a thing inside a thing of which nobody speaks: what the actor of a history is called."""
    path = [
        part for part in target.item.pointer[:-1] if part not in (ITEM, form.whole) and not is_envelope(part)
    ]
    if len(path) < _FAR or target.item.required:
        return False
    return stems(*(word for part in path for word in words(part))).isdisjoint({*one.nouns, one.object})


def _is_other_thing(form: OperationForm, one: SaidValue, target: Form) -> bool:
    """Whether an id stands behind the noun of another thing than a call or an input is about: `to user PX7` is no title."""
    noun = own_noun(one)
    if _is_new_name(one):
        return False
    known = target.names | target.own | form.resource
    return bool(noun) and noun not in known and one.value.preposition not in _NAMED


def _is_new_name(one: SaidValue) -> bool:
    """Whether a value is what a thing is called from now on, without a noun of its own: `rename channel C0LAN to old-stuff`."""
    return renames(one) and not one.value.nouns


def _is_looked_up(form: OperationForm, one: SaidValue, found: Assignment) -> bool:
    """Whether a name stands behind the noun of what a call takes the id of: `plan "Gold"`, where it takes a `planId`."""
    noun = own_noun(one)
    if not noun or one.value.preposition in _CALLING or _is_new_name(one):
        return False
    tells_which = one.value.preposition not in BECOMING or one.is_behind_noun
    if _is_of_resource(form, one) and not (form.operation.kind in _ON_EXISTING and tells_which):
        return False
    return any(
        other.identifies
        and (other.is_opaque or other.is_number)
        and noun in other.names
        and other.item.pointer not in found.known
        for other in form.forms
    )


def _is_of_list(form: OperationForm, one: SaidValue) -> bool:
    """Whether a value is what a thing of a list is called: `site ham-1` in a list of sites."""
    return form.operation.kind in (OperationKind.SEARCH, OperationKind.LIST) and _is_of_resource(form, one)


def _names_new(form: OperationForm, one: SaidValue) -> bool:
    """Whether a word stands behind the noun of what a call makes: `create namespace staging`."""
    return form.operation.kind is OperationKind.CREATE and _is_of_resource(form, one)


def _is_of_resource(form: OperationForm, one: SaidValue) -> bool:
    """Whether the noun before a value is what a call is about."""
    resource = form.operation.resource
    return bool(resource) and own_noun(one) == stem(resource[-1])


_DEEPER = 0.4
"""Against each level of a body: more than what tells the likeliest text from the seventh."""
_OF_OTHERS = 0.8
_BESIDE_ID = 0.2
"""Less than what tells one noun from another, more than what tells apart two inputs of one noun."""
_OF_ONE_TASK = (
    ValueKind.QUOTED,
    ValueKind.SAID,
    ValueKind.AMOUNT,
    ValueKind.DATE,
    ValueKind.MEASURE,
    ValueKind.DURATION,
)
"""Kinds of values that say something of one task; the others may name a thing that several are about."""
_WRITTEN = (ValueKind.QUOTED, ValueKind.SAID)
_NAMING = (*THING_NAMES, *OF_PEOPLE)
_ON_EXISTING = (OperationKind.UPDATE, OperationKind.DELETE, OperationKind.ACTION)
_FAR = 2
"""Objects around a text within which nobody looks for it."""
_TOWARDS = frozenset(("to", "as", "called", "named", "titled", "into"))
_NAMED = frozenset(("called", "named", "titled"))
_CALLING = _NAMED | {"as"}
_FOR_SOMEBODY = frozenset(("for", "of", "with", "by", "from"))
"""They lead to whom something is for, and not to what it is called."""
_INSIDE = frozenset(("in", "of", "on", "at", "inside", "within"))


def _names_what_is_changed(form: OperationForm, one: SaidValue) -> bool:
    """Whether a value stands behind the noun of the thing that a call changes: `archive the project "Website"`.

    So does what stands behind the verb alone: `move the "Supplier call" to Friday`, `call off Standup`.
    """
    last = form.last_place
    if last is None or form.operation.kind not in _ON_EXISTING or one.value.kind not in _NAMING:
        return False
    noun = own_noun(one)
    if one.value.preposition == "of" and noun in last.names and not one.value.by_name:
        # `change the window of the alert "CPU high"`.
        return True
    if one.value.preposition or one.value.by_name:
        return False
    is_person = _is_address(one) and not last.names.isdisjoint(persons())
    return noun in last.names or is_person or (one.is_object and not noun)


def _is_for_somebody(form: OperationForm, one: SaidValue) -> bool:
    """Whether a full name says whom something is for, and not who is made known: `create a learner for Ann Lee`."""
    value = one.value
    makes_somebody = (
        value.preposition == "for" and not value.noun_after and not form.resource.isdisjoint(persons())
    )
    return one.is_full_name and value.preposition in _FOR_SOMEBODY and not makes_somebody


def _is_address(one: SaidValue) -> bool:
    """Whether a value is somebody by an address, without a noun: `make a@b.c an admin`."""
    return one.value.kind in OF_PEOPLE and not own_noun(one)


def _is_written(one: SaidValue, target: Form) -> bool:
    """Whether a value stands behind a verb of writing, and an input is for what has to be written: `write "Hello" in it`."""
    return one.is_object and means(one.verb, "saying") and target.item.required and holds_message(target)


def _names_the_thing(form: OperationForm, one: SaidValue, target: Form) -> bool:
    """Whether a text says which thing is to be changed, not what it is to be called from now on."""
    if _names_what_is_changed(form, one):
        return True
    if words(target.item.name)[-1:] and words(target.item.name)[-1] not in table("inputs")["titles"]:
        return False
    if one.value.preposition == "to" and not one.value.nouns and not renames(one):
        # `assign it to Ann Lee` gives it no other name, `change it to "Beta"` may.
        return verb_kinds().get(one.verb) is not OperationKind.UPDATE
    return one.value.preposition not in _TOWARDS


def _only_text(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The only text that a thing has to have, where a value says which: `publish release v1.4.0`."""
    resource = {stem(word) for word in form.operation.resource}
    if (
        one.value.kind not in (ValueKind.ID, ValueKind.NAME, ValueKind.QUOTED)
        or own_noun(one) not in resource
    ):
        return None
    open_texts = [
        target
        for target in open_required(form, found)
        if target.item.location in ("body", "query")
        and target.is_free_text
        and not target.item.is_list
        and not target.is_opaque
        and typed(target, one.value) is not MISSING
    ]
    is_text = " " in one.value.text or own_noun(one) in stems(*table("inputs")["written"])
    if len(open_texts) != 1 or (is_text and _is_text_elsewhere(form, open_texts[0], found)):
        return None
    return open_texts[0]


def _is_text_elsewhere(form: OperationForm, target: Form, found: Assignment) -> bool:
    """Whether another input than this one is for what is written: the text of a message, not its channel."""
    texts = table("inputs")["texts"]
    return "".join(words(target.item.name)) not in texts and any(
        other.is_free_text
        and "".join(words(other.item.name)) in texts
        and other.item.pointer not in found.known
        and len(other.item.pointer) == 1
        for other in form.forms
    )
