"""How well a value fits an input."""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache

from app.domain.filling.bounds import date_bound, number_bound
from app.domain.filling.forms import (
    ID_STEMS,
    SHALLOW,
    UNIT_WITHIN,
    UUID,
    Form,
    OperationForm,
    speaks_of_email,
    stems,
)
from app.domain.filling.said import SaidValue
from app.domain.filling.typed import (
    LANGUAGES,
    MISSING,
    converts,
    language_code,
    member_of,
    typed,
)
from app.domain.language.goal_words import persons, verb_kinds
from app.domain.language.identifiers import singular, words
from app.domain.language.text import stem
from app.domain.language.zones import zone_names
from app.domain.reading.models import StatedValue, ValueKind
from app.domain.reading.shapes import COLOURS, is_phone, is_written_as_phone
from app.domain.reading.tokens import HOST_NAME, YEAR, value_words
from app.domain.schemas.tool_schemas import ITEM, Input
from app.lexicon.lists import table

_NOUN, _PART = 1.0, 0.55
_IMPLIED = 0.75
_EXACT = 1.3
_SURE_FIT = 0.85
_MEMBER, _FORM, KIND, _WORD_OF_KIND = 1.1, 0.9, 1.2, 0.8
_NAMED = 0.05
"""What the noun beside a value adds to its kind."""
_DEEPER = 0.1
"""Less than what tells one kind of fit from the next."""
_EPOCH_DIGITS = 10

OF_PEOPLE = (ValueKind.EMAIL, ValueKind.MENTION)
"""Kinds of values that name somebody."""
_TYPE = stem("type")
_TEXTS = ("string", "array")
"""Types of inputs that may take a text, or several."""
_SLUG = frozenset(("slug",))
_SLUGGED = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
"""What addresses of pages call things: small letters, digits and hyphens."""
_NUMBERING = (ValueKind.ID, ValueKind.NUMBER)
"""Kinds of values that number things: `order A-10887`."""
_CURRENCY = "currency"
_PHONES = ("phone", "phonenumber", "telephone")
_BY = "by"
_LANGUAGE = stems(*LANGUAGES)
_MESSAGES = 5
"""Of the names of inputs for texts, how many are for messages."""
_NETWORK = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?")
_FROM, _TO = frozenset(("from",)), frozenset(("to", "into"))
"""Prepositions of two ends, as names of inputs have them: `fromWarehouseId`."""
BECOMING = frozenset(("to", "as", "into"))
"""They lead to what a thing becomes."""
_STATES = stems(*table("inputs")["states"])
_CHANGE_OF_CASE = re.compile(r"[a-z](?=[A-Z])")
_RANDOM_CHANGES = 3
"""Capitals behind small letters from which a word of letters alone is an id: names of several words have few."""


_KIND_NAMES: Mapping[ValueKind, frozenset[str]] = {
    ValueKind.EMAIL: frozenset(("email", "mail", "upn")),
    ValueKind.URL: frozenset(("url", "uri", "link", "href")),
    ValueKind.CHANNEL: frozenset(("channel",)),
    ValueKind.MENTION: frozenset(("user", "usernam", "login", "member", "assigne")),
    ValueKind.AMOUNT: frozenset(("amount", "price", "total", "cost")),
    ValueKind.DATE: frozenset(("date", "time", "at", "due", "until", "since", "deadlin")),
    ValueKind.DURATION: frozenset(("time", "durat", "spent", "estim")),
    ValueKind.MEASURE: frozenset(),
}
"""Kind -> stems by which inputs are called that take such values."""


_CENTS = re.compile(r"[0-9][0-9,]*+\.[0-9]{2}")
"""A number with as many decimals as most currencies have (ISO 4217)."""
_VERSION = re.compile(r"v?[0-9]{1,4}(?:\.[0-9]{1,6}){1,3}+(?:-[a-z][a-z0-9.]{0,20})?", re.IGNORECASE)
"""A version, as Semantic Versioning 2.0.0 (section 2 and 9) writes it, or shorter."""
_OF_VERSIONS = frozenset((stem("version"),))
_OF_YEARS = frozenset((stem("year"),))
_COLOUR = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)
"""A colour as CSS writes it (CSS Color 4, section 5.2)."""
_SURE_COLOUR = re.compile(r"#(?=[a-f]*+[0-9])(?=[0-9]*+[a-f])[0-9a-f]{6,8}", re.IGNORECASE)
"""One that is neither a number nor a word: `#123` may be an issue, `#decade` a channel."""


def _kind_names(value: StatedValue) -> frozenset[str]:
    """Stems by which inputs are called that take values of a form."""
    names = names_of_kind(value.kind)
    if value.kind is ValueKind.NUMBER and _CENTS.fullmatch(value.text):
        # `book 1250.50 on it`: two decimals are money where something takes money.
        return names_of_kind(ValueKind.AMOUNT)
    # Issue #1347 is of no colour.
    if value.kind is ValueKind.NUMBER or not is_colour(value.text):
        return names
    return COLOURS if _SURE_COLOUR.fullmatch(value.text) else names | COLOURS


def is_colour(text: str) -> bool:
    """Whether a text may be a colour: `#ff8800`."""
    return _COLOUR.fullmatch(text) is not None


def names_of_kind(kind: ValueKind) -> frozenset[str]:
    """Stems by which inputs are called that take values of a kind: (url, uri, link, href)."""
    return _KIND_NAMES.get(kind, frozenset())


def holds_message(form: Form) -> bool:
    """Whether an input is called as what somebody writes: the content of a message, a comment."""
    return "".join(words(form.item.name)) in table("inputs")["texts"][:_MESSAGES]


@cache
def _same_names() -> Mapping[str, frozenset[str]]:
    """What inputs for a first name are called, by each of these names; so for last names."""
    lists = [frozenset(table("inputs")[key]) for key in ("first_names", "last_names")]
    return {name: names for names in lists for name in names}


def own_noun(one: SaidValue) -> str:
    """Stem of the noun directly before a value; empty where that is a verb or nothing."""
    last = one.nouns[-1:]
    is_verb = (
        bool(last)
        and not one.is_before_noun
        and len(one.value.nouns) == 1
        and not one.value.preposition
        and last[0] in verb_kinds()
    )
    return last[0] if last and not is_verb else ""


@cache
def _setting() -> frozenset[str]:
    reading = table("reading")
    return frozenset(stem(word) for word in (*reading["turning"], *reading["advancing"]))


def renames(one: SaidValue) -> bool:
    """Whether a value is what a thing is called from now on: `rename project 5 to "Website"`."""
    return one.value.preposition == "to" and one.verb in _renaming()


@cache
def _renaming() -> frozenset[str]:
    return frozenset(stem(verb) for verb in table("values")["renaming"].split())


def becomes(one: SaidValue, resource: AbstractSet[str]) -> bool:
    """Whether a value is the state that a thing is set to: `move ticket 12 to "In review"`, `mark it as shipped`.

    Args:
        one: The value.
        resource: Stems of the thing; what is set of it by its noun (`set the topic of the channel to ...`) is no state.
    """
    is_text = one.value.kind in (ValueKind.QUOTED, ValueKind.SAID, ValueKind.NAME)
    leads = one.value.preposition in BECOMING and not one.value.by_name
    return is_text and leads and one.verb in _setting() and own_noun(one) in {"", *resource, *_STATES}


def is_set_on(one: SaidValue, resource: AbstractSet[str]) -> bool:
    """Whether a value is the state that things are set to, and tells none of them: "Done" of `move ticket 12 to "Done"`."""
    is_other = own_noun(one) not in {"", one.object, *_STATES}
    return one.object in resource and not is_other and becomes(one, resource) and not is_of_states(resource)


def is_of_states(resource: AbstractSet[str]) -> bool:
    """Whether things are states that others may be in: (project, status)."""
    return not resource.isdisjoint(_STATES)


def may_be_a_word(one: SaidValue, resource: AbstractSet[str]) -> bool:
    """Whether what may be a name may be an ordinary word as well: `support`, but not `the group Support` where groups are listed."""
    return one.value.weak and not (one.value.text[:1].isupper() and own_noun(one) in resource)


def candidates(form: OperationForm, one: SaidValue) -> set[int]:
    """Inputs that a value may be named for."""
    found: set[int] = set()
    if one.value.kind is ValueKind.NUMBER and len(one.value.text) == _EPOCH_DIGITS:
        found.update(at for at, shape in enumerate(form.forms) if shape.counts_from_epoch)
    if bound := date_bound(one):
        found.update(at for at, shape in enumerate(form.forms) if shape.bound == bound)
    if one.value.kind is ValueKind.EMAIL:
        found.update((*form.speaking_of_email, *form.addresses))
    if one.value.kind is ValueKind.URL:
        found.update(form.taking_urls)
    if is_phone(one.value):
        found.update(form.taking_phones)
    if is_network(one.value):
        found.update(form.taking_networks)
    if one.value.kind is ValueKind.MENTION:
        found.update(form.taking_handles)
    for preposition in _end_prepositions(own_noun(one)):
        found.update(form.by_word.get(preposition, ()))
    if one.led[-1:]:
        found.update(form.by_stem.get(stem(one.led[-1]), ()))
    if one.value.kind in _NUMBERING:
        found.update(form.by_numbered.get(own_noun(one), ()))
    if one.value.preposition:
        leading = one.value.preposition
        found.update(form.by_word.get(leading, ()), form.by_word.get(stem(leading), ()))
        for word in _end_names().get(leading, ()):
            found.update(form.by_stem.get(word, ()))
        if (described := form.described_ends.get(leading)) is not None:
            found.add(described)
    if one.value.kind in _NUMBERING and (
        YEAR.fullmatch(one.value.text) or _VERSION.fullmatch(one.value.text)
    ):
        found.update(at for word in (*_OF_VERSIONS, *_OF_YEARS) for at in form.by_stem.get(word, ()))
    if "." in one.value.text and HOST_NAME.fullmatch(one.value.text):
        found.update(form.taking_host_names)
    if _is_currency(one.value):
        found.update(form.by_stem.get(stem(_CURRENCY), ()))
    if one.value.noun_after:
        found.update(form.by_stem.get(stem(singular(one.value.noun_after)), ()))
    for word in (*one.nouns, one.joined, *one.after, *one.implied, *_kind_names(one.value)):
        found.update(form.by_stem.get(word, ()))
    same = _same_names().get("".join(one.value.nouns), frozenset()) if one.value.by_name else ()
    for name in (*one.led_names, *same):
        found.update(form.by_phrase.get(name, ()))
    if one.value.kind is ValueKind.MEASURE:
        found.update(at for at, shape in enumerate(form.forms) if _is_counted_in(shape, one.value.unit))
    if is_zone(one.value):
        found.update(form.taking_zones)
    if _says_language(one):
        found.update(at for word in _LANGUAGE for at in form.by_stem.get(word, ()))
    if form.enums:
        key = tuple(stem(word) for word in words(one.value.text))
        found.update(at for at, _ in form.enums.get(key, ()))
    found.update(
        at for at, shape in form.exemplified if shape.has_shape(one.value.text) or _is_example(shape, one)
    )
    return found


def value_fit(form: Form, one: SaidValue) -> float:
    """How well a value fits an input, 0 where its type excludes it; from `ENOUGH` on, it may stand there."""
    value, item = one.value, form.item
    if form.is_unavailable or (one.is_letter and not (item.enum or form.named_members)):
        return 0.0
    name = form.name_stems
    is_called_so = one.nouns == name and (len(name) > 1 or one.value.by_name)
    if (is_called_so or _is_led_by_name(form, one)) and not item.is_container:
        # Called by its own name, as callers call what they send.
        return _EXACT if typed(form, value) is not MISSING else 0.0
    if one.value.by_name and form.joined_name in _same_names().get("".join(one.value.nouns), frozenset()):
        return _EXACT if typed(form, value) is not MISSING else 0.0
    if one.local and _is_led_by_phrase(form, one) and not item.is_container:
        return KIND if typed(form, value) is not MISSING else 0.0
    if one.implied and form.identifies and not _is_implied(form, one):
        return 0.0
    if value.kind is ValueKind.EMAIL and not _takes_email(form, one):
        return 0.0
    if value.kind is ValueKind.URL and form.is_opaque and not form.takes_url:
        # What goes by an address is looked up.
        return 0.0
    if value.kind is ValueKind.DATE and form.takes_zone:
        return 0.0
    if form.own == _SLUG and not item.required and not _SLUGGED.fullmatch(value.text):
        # `the category Outdoor` is looked for by its name.
        return 0.0
    if _is_other_end(form, one) or is_no_doer(form, one) or _is_no_type(form, one):
        return 0.0
    if form.identifies and (one.counted & form.names or says_how_many(one)):
        # `6 jobs` are not job 6.
        return 0.0
    if is_network(value) and form.identifies and not (form.takes_network or own_noun(one) in form.own):
        return 0.0
    bound = date_bound(one)
    if bound and (form.bound == -bound or (one.is_since_when_not and not _is_last_time(form, one))):
        return 0.0
    if (
        one.local
        and _is_led_by(form, one)
        and not (item.is_container or value.kind in (ValueKind.DATE, ValueKind.QUOTED))
    ):
        # `from +15550001`: some documents call an input by its preposition, or `tagged welcome` by the noun.
        return KIND
    is_digits = value.kind in _NUMBERING and value.text.lstrip("#").isdigit()
    if (is_digits or UUID.fullmatch(value.text)) and item.type == "string" and is_title(form):
        return 0.0
    is_written = value.kind in (ValueKind.QUOTED, ValueKind.SAID)
    # What is put there `with "x9Kd"` is no place.
    is_put = value.preposition == "with" and not one.nouns
    if is_written and item.location == "path" and (" " in value.text or is_put):
        return 0.0
    if _is_phrase(value) and form.identifies and form.own != {own_noun(one)} and not is_title(form):
        # What is written to a channel is not the channel.
        return 0.0
    if isinstance(value.value, bool) and item.type == "boolean":
        return (
            _PART + (_NOUN - _PART) * len(form.own & {*one.nouns}) / len(form.own)
            if form.own & {*one.nouns}
            else 0.0
        )
    if (item.is_container and not item.is_list) or item.type == "boolean":
        return 0.0
    if typed(form, value) is MISSING:
        return 0.0
    if (
        value.kind is ValueKind.AMOUNT
        and not form.is_number
        and not form.own & names_of_kind(ValueKind.AMOUNT)
    ):
        # A text that nobody calls money takes none, whatever noun stands beside it.
        return _NOUN if form.own == {*one.nouns[-1:]} else 0.0
    is_called = (
        form.own == {*one.nouns[-1:]}
        and form.own.isdisjoint(ID_STEMS)
        and value.kind not in (ValueKind.NAME, ValueKind.CHANNEL)
    )
    if form.is_opaque and not (item.enum or is_called or may_be_id(value) or form.has_shape(value.text)):
        return 0.0
    member = member_of(form, value.text)
    fit = 0.0
    if item.enum:
        # A measure that is a member is one by its number.
        is_member = member is not None or value.kind is ValueKind.MEASURE
        if not is_member or _says_longer_member(item, one):
            return 0.0
        fit = _MEMBER if one.local else 0.0
    elif (
        form.has_shape(value.text) and not (_only_digits(form, one) or _is_begun_otherwise(form, one))
    ) or _is_example(form, one):
        fit = _FORM
    if bound and form.bound == bound:
        fit = max(fit, KIND + _NAMED)
    kind_names = _kind_names(value)
    if form.own & kind_names and not _is_other_money(form, one):
        fit = max(fit, KIND if len(form.own - kind_names) == 0 else _WORD_OF_KIND)
        if own_noun(one) in form.own | form.compounds:
            # `due 2026-04-20` is the due date before it is the date.
            fit += _NAMED
        if len(item.pointer) > 1 and not _is_spoken_of(form, one):
            # The address of a part of the body that nobody speaks of.
            fit = min(fit, _WORD_OF_KIND) - _DEEPER
    if form.takes_host_name and HOST_NAME.fullmatch(value.text):
        fit = max(fit, KIND)
    if value.kind is ValueKind.EMAIL and item.format == "email":
        fit = max(fit, KIND)
    if one.local and _is_currency(value) and words(item.name)[-1:] == (_CURRENCY,):
        fit = max(fit, KIND)
    if form.takes_phone and is_phone(value):
        fit = max(fit, KIND)
    if form.is_phone and one.local and is_written_as_phone(value):
        # The telephone number before that of the mobile.
        fit = max(fit, KIND + (_NAMED if form.joined_name in _PHONES else 0.0))
    if one.local and form.own == _OF_VERSIONS and _VERSION.fullmatch(value.text):
        fit = max(fit, KIND)
    if one.local and _OF_YEARS & form.own and value.kind is ValueKind.NUMBER and YEAR.fullmatch(value.text):
        fit = max(fit, KIND)
    if is_of_language(form, one):
        fit = max(fit, KIND)
    if form.takes_zone and is_zone(value):
        fit = max(fit, KIND)
    if form.takes_network and is_network(value):
        fit = max(fit, _WORD_OF_KIND)
    if value.kind is ValueKind.MENTION and form.takes_handle:
        # `@ann` is what she is called, and no id.
        fit = max(fit, _WORD_OF_KIND)
    if value.kind is ValueKind.URL and one.local and form.takes_url:
        fit = max(fit, _WORD_OF_KIND)
    if one.local and value.kind in _NUMBERING and own_noun(one) in form.numbered:
        fit = max(fit, _IMPLIED)
    is_needed = item.location == "path" or (item.required and len(item.pointer) <= SHALLOW)
    if value.kind is ValueKind.EMAIL and one.local and is_needed and _says_email(item):
        # `The user ID or email address`.
        fit = max(fit, _WORD_OF_KIND)
    if value.kind is ValueKind.EMAIL and one.local and _is_mailed_to(form, one):
        fit = max(fit, KIND)
    if value.kind is ValueKind.EMAIL and "".join(words(item.name)) in table("inputs")["searches"]:
        # It searches, and the document says that it looks at addresses.
        fit = max(fit, _WORD_OF_KIND)
    if value.kind is ValueKind.NUMBER and len(value.text) == _EPOCH_DIGITS and form.counts_from_epoch:
        fit = max(fit, _FORM)
    if one.local and value.kind is ValueKind.MEASURE and _is_counted_in(form, value.unit):
        # `4 days` are days before they are hours.
        fit = max(fit, _FORM if value.unit == form.counted_unit else _WORD_OF_KIND)
    fit = max(fit, _noun_fit(form, one))
    if one.local and not one.nouns and not form.is_opaque and _is_end_for(form, one):
        fit = max(fit, _WORD_OF_KIND)
    if not one.local and fit < _SURE_FIT and item.location != "path":
        # A value of another task goes only where it is called by name.
        return fit if one.implied and item.required else 0.0
    return fit


def _is_led_by_name(form: Form, one: SaidValue) -> bool:
    """Whether all words of an input's name, of which there are several, stand before a value: `from date 2026-03-05`."""
    name = form.name_stems
    return one.local and len(name) > 1 and tuple(map(stem, one.led[-len(name) :])) == name


def _only_digits(form: Form, one: SaidValue) -> bool:
    """Whether a bare number is all that makes a value look like the example of a part of a body: 450 is no account code."""
    is_bare = one.value.text.isdigit() and not one.nouns and one.value.preposition in ("", "for")
    return is_bare and len(form.item.pointer) > 1


def _is_last_time(form: Form, one: SaidValue) -> bool:
    """Whether an input is about when something was so for the last time: `last_active_before`, or `updatedBefore` for `not updated since`."""
    return "last" in words(form.item.name) or not form.own.isdisjoint(map(stem, one.led))


def is_no_doer(form: Form, one: SaidValue) -> bool:
    """Whether an input takes who did something, and a value stands behind the noun of what was done: no `deployedBy` for deployment 7."""
    _, *behind = words(form.item.name) or ("",)
    return behind[-1:] == [_BY] and own_noun(one) not in {"", *persons()} and one.value.preposition != _BY


def _is_begun_otherwise(form: Form, one: SaidValue) -> bool:
    """Whether a value is the number of another thing, and begins in another way than the examples: no order is VN-300, where one is SO-11800."""
    start, mark, _ = one.value.text.partition("-")
    is_key = bool(mark) and start.isupper() and one.implied.isdisjoint(form.own | form.names)
    return bool(one.implied) and is_key and not any(text.startswith(start) for text in form.item.examples)


def is_of_language(form: Form, one: SaidValue) -> bool:
    """Whether a value says in which language something is, and an input takes one."""
    return not _LANGUAGE.isdisjoint(form.own) and _says_language(one)


def _says_language(one: SaidValue) -> bool:
    """Whether a value is the name of the language of something: `taught in German`, `a Spanish quote`, `who speaks German`."""
    if one.value.kind is not ValueKind.NAME or one.value.preposition not in ("", "in"):
        return False
    # What stands behind a noun is called so, unless it may be an ordinary word: `the course English`.
    is_called = bool(one.nouns) and not one.value.noun_after
    if is_called and (not one.value.weak or own_noun(one) == one.object):
        return False
    return bool(language_code(one.value.text))


def is_zone(value: StatedValue) -> bool:
    """Whether a value names a time zone: `Europe/Lisbon`, or `Berlin time`."""
    return value.kind is ValueKind.SLUG and value.value in zone_names()


def _is_example(form: Form, one: SaidValue) -> bool:
    """Whether a value is what a document itself gives as an example: the branch `main`, in `a build on main`."""
    return one.local and one.value.kind is ValueKind.NAME and one.value.text in form.item.examples


def _says_longer_member(item: Input, one: SaidValue) -> bool:
    """Whether a value is the end of another member, which stands there: `extra large`, and not `large`."""
    value = tuple(stem(word) for word in words(one.value.text))
    leading = tuple(stem(word) for word in one.led)
    return any(
        len(said) > len(value) and said == (*leading, *value)[-len(said) :]
        for member in item.enum
        if isinstance(member, str)
        for said in [tuple(stem(word) for word in words(member))]
    )


def _is_currency(value: StatedValue) -> bool:
    """Whether a value is the code of a currency, in capitals."""
    return value.kind is ValueKind.NAME and value.text.isupper() and value.text in value_words().leading_codes


def _is_phrase(value: StatedValue) -> bool:
    """Whether a value is a text of several words."""
    return value.kind in (ValueKind.QUOTED, ValueKind.SAID) and " " in value.text


def _is_counted_in(form: Form, unit: str) -> bool:
    """Whether a document says that an input is a number of a unit: `Number of years to extend the domain`."""
    if form.is_number and converts(unit, form.counted_unit):
        return True
    described = words(form.item.description[:UNIT_WITHIN])
    if form.is_number and unit and any(word.startswith(unit) for word in words(form.item.name)):
        # `percentage` counts percents.
        return True
    return form.is_number and bool(unit) and any(_names_unit(word, unit) for word in described)


def _names_unit(word: str, unit: str) -> bool:
    """Whether a word of a description names a unit, in full or in short: `Memory (MB)`, but not `Min. length`."""
    return word in (unit, singular(unit)) or (word != "min" and value_words().units.get(word) == unit)


def _is_spoken_of(form: Form, one: SaidValue) -> bool:
    """Whether the words before a value name an input, or what holds it."""
    parents = [part for part in form.item.pointer[:-1] if part != ITEM and not form.is_whole]
    return form.item.required or not {*one.nouns}.isdisjoint(form.own | stems(*parents))


def _is_other_money(form: Form, one: SaidValue) -> bool:
    """Whether an input takes money of a kind that nobody spoke of: a fee, or the amount of `transfer_data`."""
    if one.value.kind is not ValueKind.AMOUNT or form.item.required:
        return False
    spoken = {*one.nouns, *one.after, *_KIND_NAMES[ValueKind.AMOUNT]}
    if (form.own - spoken) & stems(*table("inputs")["special_amounts"]):
        return True
    parents = [] if form.is_whole else [part for part in form.item.pointer[:-1] if part != ITEM]
    return bool(parents) and stems(parents[-1]).isdisjoint(spoken)


def _is_led_by(form: Form, one: SaidValue) -> bool:
    """Whether an input is called by the word that leads to a value: `from`, which is `sender` too, or `tag` for `tagged`."""
    leading = one.value.preposition
    if form.item.name.lower() in _end_prepositions(own_noun(one)):
        return True
    return bool(leading) and not form.called.isdisjoint((leading, stem(leading)))


def _is_led_by_phrase(form: Form, one: SaidValue) -> bool:
    """Whether the words right before a value are an input's whole name of several: `last name Novak`."""
    return len(one.led) > 1 and form.joined_name in one.led_names


@cache
def _end_names() -> Mapping[str, frozenset[str]]:
    """Stems of the names of inputs for where something comes from, and where it goes, by preposition."""
    return {leading: stems(*names.split()) for leading, names in table("inputs")["ends"].items()}


def ends_of(preposition: str) -> frozenset[str]:
    """Stems of what inputs are called that hold what a preposition leads to: (sender, requester) for `from`."""
    return _end_names().get(preposition, frozenset())


@cache
def _end_prepositions(noun: str) -> tuple[str, ...]:
    """The prepositions by which inputs are called that a noun, by its stem, names otherwise: (from) for the sender."""
    return tuple(preposition for preposition, names in _end_names().items() if noun and noun in names)


def _is_end_for(form: Form, one: SaidValue) -> bool:
    """Whether an input is one of two ends, by its name or its description, and a value is led to it.

    `from feature/cart` is led to `source_branch`, and to what a branch is created from.
    """
    if form.end_described and one.value.preposition == form.end_described:
        return True
    ends = frozenset() if renames(one) else ends_of(one.value.preposition)
    return form.item.type in ("string", "") and not form.own.isdisjoint(ends)


def _is_other_end(form: Form, one: SaidValue) -> bool:
    """Whether a value is led to one end, and an input is the other, or stands in it: `from warehouse 1` is no `toWarehouseId`."""
    if one.value.preposition not in _FROM | _TO:
        return False
    parts = ({*words(part)} for part in (form.item.name, *reversed(form.item.pointer[:-1])))
    own = next((part for part in parts if part & (_FROM | _TO)), set[str]())
    return any(
        one.value.preposition in leading and own & other and not own & leading
        for leading, other in ((_FROM, _TO), (_TO, _FROM))
    )


def is_network(value: StatedValue) -> bool:
    """Whether a value is the address of a machine, or of a network: `198.51.100.0/24`."""
    return _NETWORK.fullmatch(value.text) is not None


def may_be_id(value: StatedValue) -> bool:
    """Whether a value may be an id: neither a name, nor a text, nor a number in words, nor `#general`, nor a version."""
    if value.kind is ValueKind.CHANNEL:
        return is_colour(value.text)
    if value.kind is ValueKind.ID and _VERSION.fullmatch(value.text):
        return False
    if is_network(value):
        return False
    if value.kind in (ValueKind.NAME, ValueKind.SAID, ValueKind.QUOTED):
        return value.kind is ValueKind.QUOTED and " " not in value.text and any(map(str.isdigit, value.text))
    if value.kind is ValueKind.ID and not any(map(str.isdigit, value.text)) and "_" not in value.text:
        # `anna.berg` is what people call somebody, and `nightlyReport` something; `zyTCAlFPjgYC` is drawn by chance.
        return len(_CHANGE_OF_CASE.findall(value.text)) >= _RANDOM_CHANGES
    # `issue #7` is issue 7.
    return value.kind is not ValueKind.NUMBER or value.text.lstrip("#").isdigit()


def is_title(form: Form) -> bool:
    """Whether an input holds what a thing is called."""
    return form.joined_name in table("inputs")["titles"]


def _is_implied(form: Form, one: SaidValue) -> bool:
    """Whether an input is of a thing that values of this form are: an issue, but no scheme of issue types."""
    if one.implied & form.described:
        return True
    return not form.heads.isdisjoint(one.implied)


def _takes_email(form: Form, one: SaidValue) -> bool:
    """Whether an address may stand in an input: it says so, it searches, or the goal names it."""
    name = words(form.item.name)
    if form.item.format == "email" or "upn" in name or ("email" in name and name[-1] in ("email", "address")):
        return True
    if len(form.item.pointer) <= SHALLOW and (_says_email(form.item) or _is_mailed_to(form, one)):
        return True
    noun = own_noun(one) if one.value.nouns else ""
    is_other = form.own.isdisjoint(_KIND_NAMES[ValueKind.MENTION]) or form.is_opaque
    if form.item.location == "path" and is_other:
        # A customer of a path is an id; people may go by their addresses where nothing says that it is one.
        return False
    return bool(noun) and noun in form.own


def _is_no_type(form: Form, one: SaidValue) -> bool:
    """Whether a value is what a thing is called, and an input takes what kinds of things are meant: `the channel announcements`."""
    if not form.says_type or one.value.kind is not ValueKind.NAME or one.is_before_noun:
        return False
    return own_noun(one) not in ("", _TYPE) and not (form.item.enum or form.said_members)


def _is_mailed_to(form: Form, one: SaidValue) -> bool:
    """Whether an input is an address by its name, and the goal leads to it: `toAddress`, for `to ann@example.com`."""
    *ends, last = words(form.item.name) or ("",)
    return singular(last) == "address" and ends == [one.value.preposition] and form.item.type in _TEXTS


def _says_email(item: Input) -> bool:
    return speaks_of_email(item.description)


def _noun_fit(form: Form, one: SaidValue) -> float:
    nouns, names = one.nouns, form.names
    if not names:
        return 0.0
    best = 0.0
    if one.local and one.led[-1:] and form.own == {stem(one.led[-1]), "id"}:
        # `api key zqt_U` is a `keyId`.
        best = _NOUN
    by_name = one.value.preposition == "with" and form.own == {*nouns[-1:]}
    if one.value.weak and item_is_loose(form.item) and not by_name:
        return 0.0
    is_called_so = bool(one.implied and form.own) and form.own <= one.implied
    if is_called_so or (one.implied and form.may_identify and _is_implied(form, one)):
        # A channel may be called `channel`, whatever the document says of it, and devices be known by `serialNumbers`.
        best = _IMPLIED
    if form.identifies and (
        (one.implied and _is_implied(form, one)) or (nouns and nouns[-1] in form.described)
    ):
        best = _IMPLIED - (0.06 if form.is_opaque and len(form.item.pointer) > 1 else 0.0)
    if nouns and (nouns[-1] in names | form.own or nouns[-2:][0] in names or one.joined in names):
        # `pull request 88` is the number of a pull, `cron job nightly` the name of a cronjob.
        covered = len(names & {*nouns, one.joined}) / len(names)
        best = _PART + (_NOUN - _PART) * covered
        # `repository acme` names the path's own noun better than a body's.
        if form.item.location == "path":
            best += 0.1
        if form.own == {nouns[-1]}:
            best += 0.1
            if form.item.required:
                # `the key newCheckout`, whatever the key is of.
                best = max(best, _WORD_OF_KIND)
        if len(form.item.pointer) > 1:
            best -= 0.05 * (len(form.item.pointer) - 1) + (0.06 if form.is_opaque else 0.0)
    elif nouns and nouns[-1] in form.compounds:
        # `the checkout` is a `checkOutDate`.
        best = max(best, _PART + (_NOUN - _PART) * min(1.0, 2 / len(names)))
    if (
        one.local
        and one.value.kind is ValueKind.ID
        and one.value.noun_after
        and (one.is_before_noun or not nouns)
    ):
        # `a standard_xl ride` is the type of a ride.
        before = {stem(singular(one.value.noun_after))} & form.own
        best = max(best, _PART + (_NOUN - _PART) * len(before) / len(form.own)) if before else best
    after = [word for word in one.after if word in form.own]
    if (
        after
        and one.value.kind in (ValueKind.NUMBER, ValueKind.MEASURE)
        and (form.is_number or not form.item.enum)
    ):
        best = max(best, _PART + (_NOUN - _PART) * len(after) / max(1, len(form.own)))
    return best


def says_how_many(one: SaidValue) -> bool:
    """Whether a number is no id, since it is written as a word (`all three`), or bounds others (`up to 250`)."""
    counts = one.value.text.isalpha() and bool(one.counted or one.led[-1:] == ("all",))
    return one.value.kind is ValueKind.NUMBER and (counts or number_bound(one) != 0)


def item_is_loose(item: Input) -> bool:
    """Whether an input is one that a call can do without: an ordinary word does not fill it."""
    return not item.required and item.location != "path"
