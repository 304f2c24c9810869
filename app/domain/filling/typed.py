"""Values with the type of an input."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache

from app.domain.filling.forms import Form
from app.domain.filling.members import Member
from app.domain.language.identifiers import words
from app.domain.language.text import stem
from app.domain.language.zones import zone_names
from app.domain.reading.models import StatedValue, ValueKind
from app.domain.reading.shapes import COLOURS
from app.domain.schemas.tool_schemas import Input
from app.lexicon.lists import table

_CLOCK = re.compile(r"\d{1,2}(?:[:.]\d\d(?:\s?[ap]\.?m\.?)?|\s?[ap]\.?m\.?|\s?h)", re.IGNORECASE)
"""A time of the day without a day."""
_TIME = re.compile(r"T(\d\d:\d\d)")
"""The time of a date as ISO 8601 has it, to the minute."""
_CODE = 3
"""Letters of a currency's code."""
_ROOT = 4
"""Letters that two forms of a word share at least, ..."""
_ENDING = 2
"""... and letters by which the stem of one may be longer."""
MISSING = object()
_ADDRESSES = (("url",), ("uri",), ("link",), ("href",))
"""Last words of the names of inputs for an address of the web, which has no blank."""
_LANGUAGE_CODE = re.compile(r"[a-z]{2}")
LANGUAGES = frozenset(("language", "lang", "locale"))
"""What inputs for a language are called, by their last word."""
_AFTER = ("after", "than")
_PHONES = (("phone",), ("mobile",), ("telephone",))
"""Last words of the names of inputs for a telephone number, before `number`."""
_CODED = (("code",), ("number",), ("slug",), ("handle",))
"""Last words of the names of inputs for what a thing is known by beside its name."""
_LONGEST_NAME = 24
"""Characters; longer texts without a blank are ids of random letters."""
_WORD = re.compile(r"[a-z]{4,}")
"""What may be a word in a name: letters enough to tell it from a prefix, as in `prj_7f3a`."""
_HEXADECIMAL = frozenset("abcdef")
_DECIMAL = re.compile(r"\d+\.\d\d")
_PHONE = re.compile(r"\+[0-9]")
_MILLISECONDS = re.compile(r"\b(?:milliseconds|millis|ms)\b", re.IGNORECASE)


def member_of(form: Form, text: str) -> Member | None:
    """The member of an enum that a text spells; None without one."""
    wanted = tuple(stem(word) for word in words(text)) or (text.lower(),)
    for member in form.item.enum:
        if str(member).lower() == text.lower() or tuple(stem(w) for w in words(str(member))) == wanted:
            return member
    for one in form.named_members:
        if one.stems == wanted:
            return one.value
    near = [one.value for one in form.named_members if _nearly(wanted, one.stems)]
    if not near and (code := language_code(text)):
        # `in german`, of `de` or `de-DE`.
        near = [
            member
            for member in form.item.enum
            if re.split("[-_]", str(member).lower(), maxsplit=1)[0] == code
        ]
    return near[0] if len(near) == 1 else None


def language_code(text: str) -> str:
    """The code of a language (ISO 639-1) by its English name; empty where a text names none."""
    code: str = table("values")["languages"].get(text.lower(), "")
    return code


def _is_coded(item: Input) -> bool:
    """Whether an input takes the code of a language: its document shows no name of one, nor a longer tag."""
    shown = [one for one in item.examples if isinstance(one, str)]
    return all(map(_LANGUAGE_CODE.fullmatch, shown)) and not any(map(language_code, words(item.description)))


def _nearly(wanted: tuple[str, ...], found: tuple[str, ...]) -> bool:
    """Whether a member is another form of a word: `failure` for `failed`."""
    if len(wanted) != 1 or len(found) != 1:
        return False
    shorter, longer = sorted((wanted[0], found[0]), key=len)
    return len(shorter) >= _ROOT and longer.startswith(shorter) and len(longer) - len(shorter) <= _ENDING


def typed(form: Form, value: StatedValue, *, siblings: Sequence[Form] = ()) -> object:
    """The value with the type of the input; `MISSING` where it has no such form, None where it must be asked."""
    item = form.item
    if isinstance(value.value, bool):
        return value.value if item.type == "boolean" else MISSING
    if item.is_list:
        inner = _scalar(form, item.item_type, value, siblings)
        return inner if inner is MISSING or inner is None else [inner]
    return _scalar(form, item.type, value, siblings)


def _scalar(form: Form, kind: str, value: StatedValue, siblings: Sequence[Form]) -> object:
    item = form.item
    if item.enum or form.named_members:
        member = member_of(form, value.text)
        if member is None and value.kind is ValueKind.MEASURE and kind in ("integer", "number"):
            member = _counted_member(form, value)
        if member is not None or item.enum:
            return MISSING if member is None else member
    listed = next((one for one in form.said_members if one.lower() == value.text.lower()), None)
    if listed is not None:
        # As the description spells it.
        return listed
    if form.takes_zone and isinstance(value.value, str) and value.value in zone_names():
        # As computers name it: `Europe/Berlin` for `Berlin time`.
        return value.value
    number = (
        value.value if isinstance(value.value, int | float) and not isinstance(value.value, bool) else None
    )
    if value.kind is ValueKind.AMOUNT and kind in ("integer", "number", "string"):
        if number is None:
            return MISSING
        if kind == "integer":
            counted = form.in_cents or any(one.in_cents for one in siblings)
            return round(number * minor_units(value.unit)) if counted else None
        return number if kind == "number" else f"{number:.2f}"
    if kind == "integer" and number is not None and form.in_cents and _DECIMAL.fullmatch(value.text):
        return round(number * 100)
    if value.kind is ValueKind.MEASURE and number is not None and kind in ("integer", "number"):
        number = _in_unit_of(form, number, value.unit)
    if value.kind is ValueKind.DATE and kind in ("integer", "number") and form.counts_from_epoch:
        return _since_epoch(item, str(value.value))
    if kind == "integer":
        if value.kind is ValueKind.ID or number is None or int(number) != number:
            return MISSING
        return int(number)
    if kind == "number":
        return MISSING if number is None else number
    if kind == "boolean":
        return MISSING
    if kind in ("string", "") and words(item.name)[-1:] == ("currency",) and len(value.text) == _CODE:
        return spelt_like(item, value.text.upper())
    if form.begins and not (value.by_name or value.text.startswith(form.begins)):
        # What is called otherwise is looked up.
        return MISSING
    if form.takes_uuids and not value.by_name and _is_wordy(form, value.text):
        # So is the project `prod-cluster`, and what people know as #4821.
        return MISSING
    if kind in ("string", ""):
        if (
            not LANGUAGES.isdisjoint(words(item.name)[-1:])
            and _is_coded(item)
            and (code := language_code(value.text))
        ):
            return code
        is_day = item.format == "date" or words(item.name)[-1:] == ("date",)
        if form.takes_date and (
            value.kind is not ValueKind.DATE or (is_day and _CLOCK.fullmatch(value.text))
        ):
            # A time of the day alone is no day.
            return MISSING
        if (
            value.kind is ValueKind.DATE
            and form.takes_time_of_day
            and (time := _TIME.search(str(value.value)))
        ):
            return time[1]
        if value.kind is not ValueKind.EMAIL and (
            item.format == "email" or words(item.name)[-1:] in (("email",), ("mail",))
        ):
            return MISSING
        if value.kind is ValueKind.ID and _PHONE.match(value.text) and words(item.name)[-1:] == ("name",):
            # Nobody is called +45 20112233.
            return MISSING
        name = words(item.name)
        if value.kind is ValueKind.MEASURE and value.text.endswith("%") and name[-1:] in _CODED:
            # `10% off code WINTER10`
            return MISSING
        if value.text.startswith("+") and _PHONE.match(value.text) and name == ("id",):
            # No id is +45 20112233.
            return MISSING
        if item.location == "path" and name[-1:] in _CODED and _is_spelt_out(value):
            # The account `Maple Lane` is looked up by its name, and so is `Kestrel`.
            return MISSING
        called = name[:-1] if name[-1:] == ("number",) else name
        if called[-1:] in _PHONES and value.preposition != "to" and not any(map(str.isdigit, value.text)):
            return MISSING
        if item.format in ("uri", "url") and not (value.kind is ValueKind.URL or ":" in value.text):
            return MISSING
        if words(item.name)[-1:] in _ADDRESSES and " " in value.text:
            return MISSING
        if value.kind is ValueKind.NUMBER and not value.text.lstrip("#")[:1].isdigit() and not value.by_name:
            # `one batch` counts; it names nothing.
            return MISSING
        if number is not None and value.kind in (ValueKind.NUMBER, ValueKind.MEASURE):
            return re.match(r"[\d.,]*+", value.text)[0] or str(number) if kind == "string" else number  # type: ignore[index]
        if value.text.startswith("#") and not COLOURS.isdisjoint(name[-1:]):
            return value.text
        if value.kind is ValueKind.CHANNEL and name[-1:] == ("name",):
            return without_sign(value)
        return value.value if isinstance(value.value, str) else value.text
    return MISSING


def _is_wordy(form: Form, text: str) -> bool:
    """Whether a word stands in what may be an id, which is no name of its kind: `prod-cluster`, but not `f-901` or `file_12`."""
    return text.startswith("#") or (
        len(text) <= _LONGEST_NAME
        and any(
            not _HEXADECIMAL.issuperset(word) and stem(word) not in form.names | form.own
            for word in _WORD.findall(text.lower())
        )
    )


def _is_spelt_out(value: StatedValue) -> bool:
    """Whether a value is a name of several words, or one word as names are written."""
    is_spelt_out = " " in value.text or (value.text.isalpha() and value.text.istitle())
    return value.kind is ValueKind.NAME and is_spelt_out and not value.by_name


def without_sign(value: StatedValue) -> str:
    """What a thing is called: `general`, which people write `#general`."""
    return value.text.removeprefix("#") if value.kind is ValueKind.CHANNEL else value.text


def _counted_member(form: Form, value: StatedValue) -> Member | None:
    """The member of an enum of numbers that a measure is: 10 of `window_minutes`, for `10 minutes`."""
    if not isinstance(value.value, int | float) or not converts(value.unit, form.counted_unit):
        return None
    if value.preposition in _AFTER:
        # `mute it after 30 minutes` says when, and not for how long.
        return None
    number = _in_unit_of(form, value.value, value.unit)
    return next((member for member in form.item.enum if member == number), None)


def _since_epoch(item: Input, iso: str) -> object:
    try:
        moment = datetime.fromisoformat(iso)
    except ValueError:
        return MISSING
    seconds = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return round(seconds * 1000) if _MILLISECONDS.search(item.description) else round(seconds)


def converts(unit: str, other: str) -> bool:
    """Whether a number of one unit can be said in another: minutes in seconds."""
    return bool(_factors(unit, other))


def _in_unit_of(form: Form, number: float, unit: str) -> float:
    """A number in the unit that an input counts: 900 for 15 minutes, where it takes seconds."""
    factors = _factors(unit, form.counted_unit)
    if not factors:
        return number
    found = round(number * factors[unit] / factors[form.counted_unit], 6)
    return int(found) if found == int(found) else found


def _factors(unit: str, other: str) -> Mapping[str, float]:
    """How many of the same unit each unit of a kind is, where two units are of one kind; else nothing."""
    kinds: Iterable[Mapping[str, float]] = table("values")["factors"].values()
    return next((kind for kind in kinds if unit in kind and other in kind), {})


@lru_cache(256)
def minor_units(code: str) -> int:
    """How many of the smallest unit make one of a currency (ISO 4217)."""
    digits: int = table("inputs").get("minor_digits", {}).get(code, 2)
    return int(10**digits)


def value_is_date(target: Form, value: StatedValue) -> bool:
    """Whether an input takes a date, and the value is one."""
    takes = target.takes_date or (target.is_number and target.counts_from_epoch)
    return value.kind is ValueKind.DATE and takes


def spelt_like(item: Input, code: str) -> str:
    """A currency's code in the case that the document writes it."""
    for member in (*item.enum, *item.examples):
        if isinstance(member, str) and member.lower() == code.lower():
            return member
    return code.lower() if "lowercase" in item.description.lower() else code
