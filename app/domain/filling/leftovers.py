"""What the reasons to fill an input leave over: a value goes to the only input that is left for it."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from app.domain.filling.assigned import Assignment, put, put_or_ask
from app.domain.filling.bounds import bounds_numbers, date_bound, number_bound
from app.domain.filling.fit import (
    is_network,
    is_no_doer,
    is_title,
    may_be_id,
    names_of_kind,
    own_noun,
    says_how_many,
)
from app.domain.filling.forms import Form, OperationForm, is_shaping, stems
from app.domain.filling.said import PLACES, SaidValue, written_stems
from app.domain.filling.typed import MISSING, typed, value_is_date
from app.domain.language.goal_words import verb_kinds
from app.domain.language.identifiers import singular, words
from app.domain.language.intent_words import PHRASE_ENDS
from app.domain.language.operation_words import LISTING_KINDS, OperationKind
from app.domain.language.text import stem
from app.domain.reading.models import ValueKind
from app.domain.reading.tokens import HOST_NAME
from app.domain.schemas.tool_schemas import ITEM
from app.lexicon.lists import table

_IDENTIFYING = (ValueKind.ID, ValueKind.NAME, ValueKind.CHANNEL, ValueKind.MENTION, ValueKind.NUMBER)
_BOTH = 2
_CODE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
"""A constant of a program, as styles of most languages write it."""
_COUPON = re.compile(r"(?=[A-Z0-9]*[0-9])[A-Z]{3}[A-Z0-9]{1,20}")
_PAIRED = (("key",), ("name",))
"""What inputs are called that name what another one, `value`, holds."""
_WITHIN = frozenset(("in", "inside", "within"))
_OF_SERVER = frozenset(("status", "metadata"))
"""Objects in which a server keeps what callers do not set. Source: the API conventions of Kubernetes, objects."""
_NAMELESS = frozenset(("id", "uuid", "key", "valu"))
"""Stems of names that say nothing of what an input is of."""


def fill_rest(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """What only one input is left for: an id, the text that a new thing has to have, a number or its bound, a date, an address."""
    by_place = {one.at: one for one in said}
    for one in said:
        if one.at in found.used or not one.local:
            continue
        target = _of_list_before(form, one, by_place.get(one.at - 1), found) or _only_list(
            form, one, by_place.get(one.at + 1), found
        )
        if target is None and one.value.weak:
            target = _only_required(form, one, found) if one.is_object else None
            if target is None:
                continue
        target = (
            target
            or _added_thing(form, one, found)
            or _new_value(form, one, found)
            or _end_of_two(form, one, said, found)
            or _only_type(form, one, found)
            or _only_place(form, one, found)
            or _only_code(form, one, found)
            or _only_id(form, one, said, found)
            or _only_bound(form, one, found)
            or _only_number(form, one, found)
            or _only_count(form, one, found)
            or _only_plain_number(form, one, found)
            or _only_required(form, one, found)
            or _only_written(form, one, found)
            or _only_address(form, one, found)
            or _only_date(form, one, found)
            or _only_surname(form, one, found)
            or _only_filter(form, one, found)
        )
        if target is None:
            continue
        if one.value.kind in (ValueKind.NAME, ValueKind.NUMBER):
            found.guessed.add(one.at)
        put_or_ask(found, form, target, one, 0.6)


@cache
def written_words() -> frozenset[str]:
    """What inputs for the texts of people are called, by their last word: a comment, a reason."""
    return frozenset((*table("inputs")["written"], *table("inputs")["reasons"]))


def fill_message(form: OperationForm, one: SaidValue, found: Assignment) -> None:
    """A text goes to the only input at the top of a call that takes what somebody writes: a comment, a reason."""
    target = _only(
        form,
        one,
        found,
        lambda target: target.is_free_text and not written_words().isdisjoint(words(target.item.name)[-1:]),
    )
    if target is not None:
        put_or_ask(found, form, target, one, 0.6)


def fill_ids_of_kinds(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """The id of one of several kinds of things, by the noun before it: `subjectId` for `deal 7`, where `subjectType` may be a deal."""
    for target, partners in form.of_kinds:
        kinds = {member.stems for member in target.members}
        for one in said:
            open_ids = [other for other in partners if not found.has(other.item.pointer)]
            if one.at in found.used or not one.local or (own_noun(one),) not in kinds or not open_ids:
                continue
            if may_be_id(one.value) and typed(open_ids[0], one.value) is not MISSING:
                put_or_ask(found, form, open_ids[0], one, 0.8)


def fill_pairs(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """A name and what it stands for, where a call takes both: `key` and `value` of `RELEASE_TAG=3.2.0`."""
    for one in said:
        name, _, text = one.value.text.partition("=")
        if one.value.kind is not ValueKind.PAIR or one.at in found.used or not (one.local and name and text):
            continue
        if one.value.preposition or own_noun(one) not in {"", *form.resource}:
            # `set MODE to a=1` sets it to that text.
            continue
        texts = [
            target
            for target in form.forms
            if target.item.type == "string" and not found.has(target.item.pointer) and not target.item.enum
        ]
        values = [target for target in texts if words(target.item.name) == ("value",)]
        names = [
            target
            for target in texts
            if words(target.item.name) in _PAIRED
            and any(target.item.pointer[:-1] == other.item.pointer[:-1] for other in values)
        ]
        if len(values) == len(names) == 1:
            found.known[values[0].item.pointer] = text
            put(found, names[0], one, name, 1.0)


def fill_types(form: OperationForm, said: Sequence[SaidValue], found: Assignment) -> None:
    """What kind of thing an id is of, where a call takes ids of several: (`subjectType`, deal) beside `subjectId`, for `deal 7`."""
    for target, partners in form.of_kinds:
        if found.has(target.item.pointer):
            continue
        ids = {str(found.known.get(one.item.pointer)) for one in partners}
        nouns = {(own_noun(one),) for one in said if one.value.text in ids}
        members = [member for member in target.members if member.stems in nouns]
        if len(members) == 1:
            found.known[target.item.pointer] = members[0].value


def _of_list_before(
    form: OperationForm, one: SaidValue, before: SaidValue | None, found: Assignment
) -> Form | None:
    """The input that took the value before, where this one goes on with its list: `invite bob and carol`."""
    if before is None or not one.enumerated or before.value.kind is not one.value.kind:
        return None
    pointer = found.used.get(before.at)
    target = form.forms[form.by_pointer[pointer]] if pointer in form.by_pointer else None
    return target if target is not None and typed(target, one.value) is not MISSING else None


def _added_thing(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The input called as the things that are added, where these are known by nothing else: the tags of `add churn-risk`."""
    kinds = (ValueKind.ID, ValueKind.NAME, ValueKind.QUOTED)
    is_added = form.operation.kind is OperationKind.CREATE and one.is_object and one.value.kind in kinds
    if not is_added or one.implied or not (one.value.text.islower() or one.value.kind is ValueKind.QUOTED):
        return None
    return _only(form, one, found, lambda target: target.is_free_text and target.own == form.resource)


def _new_value(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The input `value` of a change, for what something is changed to: `set the variable MODE to fast`."""
    if one.value.preposition != "to" or form.operation.kind is not OperationKind.UPDATE:
        return None
    return next(
        (
            target
            for target in form.forms
            if target.item.pointer not in found.known
            and words(target.item.name) == ("value",)
            and len(target.item.pointer) == 1
            and typed(target, one.value) is not MISSING
        ),
        None,
    )


def _end_of_two(
    form: OperationForm, one: SaidValue, said: Sequence[SaidValue], found: Assignment
) -> Form | None:
    """The one of two things alike that a call joins, by what leads to it: 12 of `merge 7 into 12` for the target of the path's."""
    open_ids = [
        target
        for target in open_required(form, found)
        if target.identifies and not target.is_context and typed(target, one.value) is not MISSING
    ]
    last = form.last_place
    if last is None or last not in open_ids or len(open_ids) != _BOTH:
        return None
    if form.operation.safe or own_noun(one):
        return None
    if not may_be_id(one.value) or sum(other.local and may_be_id(other.value) for other in said) != _BOTH:
        return None
    other = next(target for target in open_ids if target is not last)
    if last.heads.isdisjoint(other.heads | other.own):
        return None
    sources = stems(*table("inputs")["ends"]["from"].split(), *table("inputs")["joined"])
    leads = one.value.preposition in ("into", "to", "with", "onto")
    if not leads and one.value.preposition:
        return None
    # A path leads to what is merged, unless the other end is called that.
    return other if leads != bool(other.own & sources) else last


def _only_type(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The filter for what type things are of, for a code before their noun: `the LOGIN_ERROR events`."""
    noun = stem(singular(one.value.noun_after))
    if (
        form.operation.kind not in LISTING_KINDS
        or noun not in form.resource
        or not _CODE.fullmatch(one.value.text)
    ):
        return None
    return _only(form, one, found, lambda target: target.name_stems in (("type",), (noun, "type")))


def _only_place(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The one place that a path still leads through, for where something is: the namespace of `the web service in shop`."""
    kinds = (ValueKind.NAME, ValueKind.ID, ValueKind.SLUG)
    if one.value.kind not in kinds or one.value.preposition not in _WITHIN or one.nouns or one.implied:
        return None
    places = [
        target
        for target in form.forms
        if target.item.location == "path"
        and not found.has(target.item.pointer)
        # What a path ends with is the thing itself.
        and target.item.name != form.operation.ends_with_parameter
    ]
    if len(places) != 1:
        return None
    (place,) = places
    is_host = "." in one.value.text and HOST_NAME.fullmatch(one.value.text) is not None
    is_known = not place.is_opaque or may_be_id(one.value) or (place.is_context and is_host)
    return place if is_known and not place.is_number and typed(place, one.value) is not MISSING else None


def _only_id(
    form: OperationForm, one: SaidValue, said: Sequence[SaidValue], found: Assignment
) -> Form | None:
    """The only input left that identifies something; a required one comes first."""
    if one.value.kind not in _IDENTIFYING or is_network(one.value) or says_how_many(one):
        return None
    noun = own_noun(one)
    if noun and any(noun in place.names for place in _open_places(form, found)):
        # `on server localhost` says which server, and no key of it.
        return None
    if (
        one.value.kind is ValueKind.NUMBER
        and one.value.noun_after
        and not noun
        and one.value.noun_after not in PHRASE_ENDS
        and stem(one.value.noun_after) != one.verb
    ):
        # `50 lines` counts something, `on 50 drop the tag` and `quote 433 fell through` do not.
        return None
    open_ids = [
        target
        for target in form.forms
        if target.item.pointer not in found.known
        and target.identifies
        # `rename C0LAN2Q65 to x` in a chat, of which most calls take a channel.
        and not (target.is_context and not (one.is_object and one.value.kind is ValueKind.ID))
        and not target.is_unavailable
        and len(target.item.pointer) == 1
        and target.item.location in ("path", "query", "body")
        and not is_shaping(target.item)
        and typed(target, one.value) is not MISSING
        and (may_be_id(one.value) or not target.is_opaque)
        and not _is_named_by_other(form, target, one, said, found)
        and not (_goes_there(form, target, one) or is_no_doer(target, one))
        # `apt_3Kd9` is no invoice, where ids of appointments begin so.
        and not (one.implied and target.heads and one.implied.isdisjoint(target.heads | target.described))
    ]
    needed = [target for target in open_ids if target.item.required]
    if (
        len(needed) > 1
        and one.value.preposition not in PLACES
        and all(one.item.location == "path" for one in needed)
    ):
        # What a path ends with is what the call is about.
        places = {
            segment.text: at for at, segment in enumerate(form.operation.segments) if segment.is_parameter
        }
        needed = [max(needed, key=lambda target: places.get(target.item.name, -1))]
    chosen = needed if len(needed) == 1 else open_ids if len(open_ids) == 1 and not needed else []
    return chosen[0] if chosen and not _belongs_to_other(form, one, chosen[0]) else None


def _open_places(form: OperationForm, found: Assignment) -> Iterator[Form]:
    """The ids on the way of a path that nothing fills, and that no value can be without being looked up."""
    last = form.operation.ends_with_parameter
    return (
        one
        for one in open_required(form, found)
        if one.item.location == "path" and one.is_context and one.item.name != last
    )


def _goes_there(form: OperationForm, target: Form, one: SaidValue) -> bool:
    """Whether a value is what goes into the place that a path leads to: the beanie of `put the merino beanie into a collection`."""
    is_place = form.operation.kind is OperationKind.CREATE and target.item.location == "path"
    takes_ids = any(
        other.item.required and other.identifies and other.item.location == "body" for other in form.forms
    )
    return is_place and takes_ids and one.is_object and not one.value.preposition


def _is_named_by_other(
    form: OperationForm, target: Form, one: SaidValue, said: Sequence[SaidValue], found: Assignment
) -> bool:
    """Whether another value of the task that nothing has taken stands behind the noun of an input, and is looked up for it: `my shelf "Summer"`."""
    if own_noun(one):
        return False
    place = form.operation.place(target.item)
    nouns = target.names | ({stem(place.noun[-1])} if place.adjacent and place.noun else set())
    return any(
        other is not one and other.local and other.at not in found.used and own_noun(other) in nouns
        for other in said
    )


def open_required(form: OperationForm, found: Assignment) -> Iterator[Form]:
    """The inputs that a call has to have and that nothing fills."""
    return (one for one in form.forms if one.item.required and one.item.pointer not in found.known)


def _only_required(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The only text that a call still has to have: the domain of `flush the cache for shop.example.com`."""
    kinds = (ValueKind.ID, ValueKind.NAME, ValueKind.QUOTED, ValueKind.SLUG, ValueKind.PAIR)
    if one.value.kind not in kinds or own_noun(one) or form.operation.kind is OperationKind.SEARCH:
        return None
    needed = [
        target
        for target in open_required(form, found)
        if target.item.pointer not in found.asked
        and not (target.is_context or target.item.is_container or target.item.enum)
        and not _goes_there(form, target, one)
    ]
    if len(needed) != 1 or needed[0].item.type != "string" or _takes_no_words(needed[0], one):
        return None
    if needed[0].is_opaque and not (one.value.kind is ValueKind.ID and may_be_id(one.value)):
        return None
    fitting = typed(needed[0], one.value) is not MISSING and len(needed[0].item.pointer) == 1
    return needed[0] if fitting and not one.implied and not _belongs_to_other(form, one, needed[0]) else None


def _takes_no_words(target: Form, one: SaidValue) -> bool:
    """Whether an input is called as a time or a duration, and a value is a text of words: "Duplicate of 80", but not "2h 30m"."""
    is_time = target.takes_date or bool(target.own & names_of_kind(ValueKind.DURATION))
    return is_time and " " in one.value.text and not one.value.text[0].isdigit()


def _only_written(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The only text that a change still has to have, for what is written: the `Details` of a note saying "They were late".

    What is called as the things that are made holds what they say, required or not: the `template` of a template.
    """
    is_text = one.value.kind in (ValueKind.QUOTED, ValueKind.SAID) and own_noun(one) in written_stems()
    if not ((one.is_sentence or is_text) and form.operation.mutating):
        return None
    texts = [
        target
        for target in form.forms
        if (target.item.required or target.own == form.resource)
        and not found.has(target.item.pointer)
        and target.item.location == "body"
        and target.item.type == "string"
        and not (target.item.enum or target.identifies or target.takes_date or target.item.format)
        and not _takes_no_words(target, one)
    ]
    return texts[0] if len(texts) == 1 and typed(texts[0], one.value) is not MISSING else None


def _only_list(
    form: OperationForm, one: SaidValue, following: SaidValue | None, found: Assignment
) -> Form | None:
    """The only list that a call has to have, for the first of several values of one kind: `export images 7, 8 and 9`.

    Ordinary words are such values where the list is what the task is about: `the tags should be python and data`.
    """
    if following is None or not following.enumerated:
        return None
    lists = [
        target
        for target in form.forms
        if target.item.is_list
        and not target.item.is_container
        and (target.item.required or target.is_whole)
        and not found.has(target.item.pointer)
        and not (one.value.weak and one.object not in target.own)
        and typed(target, one.value) is not MISSING
    ]
    return lists[0] if len(lists) == 1 else None


def _only_number(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The only number, or date, that is required and open."""
    if one.value.kind not in (ValueKind.NUMBER, ValueKind.MEASURE, ValueKind.AMOUNT, ValueKind.DATE):
        return None
    makes = (
        form.operation.kind is OperationKind.CREATE and verb_kinds().get(one.verb) is not OperationKind.CREATE
    )
    if makes and one.value.kind is ValueKind.NUMBER and own_noun(one) in form.resource:
        # `vm 87: 4 cpus`: what has a number is there, where nobody says `create`, and is no part of a new one.
        return None
    numbers = [
        target
        for target in open_required(form, found)
        if (target.is_number or value_is_date(target, one.value))
        and typed(target, one.value) is not MISSING
        # Two years are no price.
        and not (
            one.value.kind is ValueKind.MEASURE
            and (target.identifies or target.own & names_of_kind(ValueKind.AMOUNT))
        )
    ]
    return numbers[0] if len(numbers) == 1 and not numbers[0].is_opaque else None


def _only_count(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The only number that counts what a noun beside a value names: `2 people`, by the `headcount` of a change, or `seat 12`."""
    said = one.counted if form.operation.mutating else {own_noun(one)} - {"", *form.resource}
    if not said or one.value.kind is not ValueKind.NUMBER:
        return None
    return _only(form, one, found, lambda target: not target.counted.isdisjoint(said))


def _only_plain_number(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The only number of a change that counts no unit, for what something is raised or set to: `raise its limit to -15`."""
    is_plain = one.value.kind is ValueKind.NUMBER and not one.value.noun_after
    if form.operation.kind is not OperationKind.UPDATE or one.value.preposition != "to" or not is_plain:
        return None

    def takes_it(target: Form) -> bool:
        is_plain = not (target.identifies or target.item.enum or target.counted_unit or target.item.is_list)
        return target.is_number and target.item.location == "body" and is_plain

    fitting = [
        target
        for target in form.forms
        if takes_it(target)
        and not found.has(target.item.pointer)
        and _OF_SERVER.isdisjoint(target.item.pointer)
        and ITEM not in target.item.pointer
    ]
    # `scale it to 3` sets the only number that is not the server's, wherever it lies.
    return _only(form, one, found, takes_it) or (fitting[0] if len(fitting) == 1 else None)


def _only_code(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The only code that a change takes, or the only one that is given out, for a word in capitals and digits: `put FRIENDS10 on his subscription`."""
    is_code = form.operation.mutating and _COUPON.fullmatch(one.value.text) and not one.value.noun_after
    if not is_code or own_noun(one) or one.implied:
        return None

    def takes_codes(target: Form) -> bool:
        return (
            target.item.type == "string"
            and not target.item.enum
            and target.item.location in ("body", "query")
            and words(target.item.name)[-1:] == ("code",)
            and target.own.isdisjoint(_codes("standard_codes"))
        )

    # `switch it to PRO2`
    given_out = _codes("codes_given_out") if one.value.preposition != "to" else frozenset()
    return _only(
        form, one, found, lambda target: takes_codes(target) and not target.own.isdisjoint(given_out)
    ) or _only(form, one, found, takes_codes)


@cache
def _codes(name: str) -> frozenset[str]:
    """Stems of one of the lists of kinds of codes."""
    return stems(*table("inputs")[name])


def _belongs_to_other(form: OperationForm, one: SaidValue, chosen: Form) -> bool:
    """Whether a noun before a value, or its form, says that it is another thing than the input's."""
    noun = own_noun(one)
    own = chosen.names | chosen.own | chosen.described
    if noun:
        # What is called by no noun may be any thing of the path: the `id` of `/image/background/tags`.
        if chosen.own <= _NAMELESS and form.operation.mutating:
            own |= form.noun_stems
        is_unknown = one.strange and noun not in form.noun_stems
        return noun not in own and one.joined not in own and not (is_unknown and chosen.identifies)
    return bool(one.implied) and not one.implied & ((chosen.heads or chosen.names) | chosen.described)


def _only_bound(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The only filter, or limit of what is made or changed, that takes the bound which a number is: `over 5000`, `max 12 uses`."""
    bound = number_bound(one)
    if not bound or form.operation.kind in (OperationKind.ACTION, OperationKind.DELETE):
        return None
    return _only(form, one, found, lambda target: target.is_number and bounds_numbers(target.item) == bound)


def _only_address(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The only input that takes an address of the web, as its description says: `callback`, a URL that is sent to."""
    if one.value.kind is not ValueKind.URL or own_noun(one) in form.by_stem:
        return None
    return _only(
        form,
        one,
        found,
        lambda target: target.item.type == "string" and target.takes_url,
    )


def _only_date(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The only input of a change that takes a date, or of a list that takes a moment: `who is on call on 2026-12-24 at 20:00`."""
    if one.value.kind is not ValueKind.DATE:
        return None
    if not form.operation.mutating:
        is_moment = "T" in str(one.value.value) and not date_bound(one)
        return (
            _only(form, one, found, lambda target: value_is_date(target, one.value) and not target.bound)
            if is_moment
            else None
        )
    # `push it to 2026-02-11` says when it begins, where nothing else takes a date.
    bounds = (0, 1, -1) if one.value.preposition == "to" else (0, date_bound(one))
    return _only(form, one, found, lambda target: value_is_date(target, one.value) and target.bound in bounds)


def _only_surname(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The filter for last names, where people are known by nothing else: `the appointments of Okafor`."""
    if one.value.kind is not ValueKind.NAME or " " in one.value.text or own_noun(one):
        return None
    if form.operation.kind not in LISTING_KINDS or not one.value.text[:1].isupper():
        return None
    return _only(form, one, found, lambda target: target.joined_name in table("inputs")["last_names"])


def _only_filter(form: OperationForm, one: SaidValue, found: Assignment) -> Form | None:
    """The filter of a list that is called by the id of its things, where no other names them: `client web-shop`, `clientId`."""
    noun = own_noun(one)
    resource = form.operation.resource
    if form.operation.kind not in LISTING_KINDS or not resource or noun != stem(resource[-1]):
        return None
    if any(is_title(other) or other.joined_name in table("inputs")["searches"] for other in form.forms):
        return None
    return _only(
        form, one, found, lambda target: target.item.location == "query" and target.own == {noun, "id"}
    )


def _only(
    form: OperationForm, one: SaidValue, found: Assignment, takes: Callable[[Form], bool]
) -> Form | None:
    """The only open input at the top of a call that takes a value."""
    fitting = [
        target
        for target in form.forms
        if not found.has(target.item.pointer)
        and not target.is_unavailable
        and not target.item.is_container
        and len(target.item.pointer) - (target.item.pointer[0] == form.whole) <= 1
        and typed(target, one.value) is not MISSING
        and takes(target)
    ]
    return fitting[0] if len(fitting) == 1 else None
