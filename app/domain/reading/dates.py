"""Dates and times of day in a goal, as ISO 8601: `tomorrow at 9am`, `24 December 2026`, `in two hours`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import chain, islice
from zoneinfo import ZoneInfo

from app.domain.language.zones import zone_behind

_MONTH = (
    r"(?:(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_NUMBER = (
    r"(?:[0-9]{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty"
    r"|fifty|sixty|ninety)"
)
_UNIT = r"(?:second|minute|min|hour|day|week|month|year)s?\b"
_PERIOD = r"(?:day|week|month|quarter|year)"
_ZONE = r"(?:UTC|GMT)"
_TIME = (
    r"(?:[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\s?[ap]m\b)?|[0-9]{1,2}\s?[ap]m\b|noon\b|midnight\b)"
    rf"(?:\s{_ZONE}\b)?"
)
_DAY = r"[0-9]{1,2}(?:st|nd|rd|th)?"
_WORDED = (
    rf"{_DAY}\s(?:of\s)?{_MONTH}(?:,?\s[0-9]{{4}})?"
    rf"|{_MONTH}\s{_DAY}\b(?!:)(?:,?\s[0-9]{{4}})?"
    r"|(?:the\s)?day\s(?:after\stomorrow|before\syesterday)"
    r"|(?:today|tomorrow|yesterday)(?:\s(?:morning|afternoon|evening|night))?|tonight"
    rf"|(?:(?:next|this|last)\s)?{_WEEKDAY}"
)
_CLOCK_OF_ISO = (
    r"[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
    rf"(?:Z|\s?{_ZONE}\b|[+-][0-9]{{2}}:?[0-9]{{2}})?"
)
_FOUND = re.compile(
    rf"(?<![\w/.:-])(?:(?P<iso>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:{_CLOCK_OF_ISO})?)(?:,?\s(?:at\s)?(?P<clock>{_TIME}))?"
    rf"|(?:(?P<numeric>[0-9]{{1,2}}(?:/[0-9]{{1,2}}/|\.[0-9]{{1,2}}\.)[0-9]{{4}})|{_WORDED})"
    rf"(?:,?\s(?:at\s)?(?P<time>{_TIME}))?"
    rf"|(?P<alone>(?:at\s)?{_TIME})(?:\s(?:on\s)?(?:{_WORDED}))?"
    rf"|(?P<month>{_MONTH}\s[0-9]{{4}})"
    r"|(?:next|last)\s(?:week|month|year)"
    rf"|(?:the\s)?(?P<edge>end|start|beginning)\sof\s(?:the\s|this\s)?(?P<next>next\s)?(?P<period>{_PERIOD})"
    rf"|(?P<moment>in\s{_NUMBER}\s{_UNIT}|{_NUMBER}\s{_UNIT}\s(?:ago|from\snow)\b))(?![\w/-]|:(?!\s|\Z))",
    re.IGNORECASE,
)
_HOUR = r"(?:(?:[01]?[0-9]|2[0-3])(?::[0-9]{2})?(?:\s?[ap]m\b)?|noon\b|midnight\b)"
_HOURS = rf"(?:between|from)\s(?P<first>{_HOUR})\s?(?:and|to|until|till|[-\u2013])\s?(?P<second>{_HOUR})(?![:.]?\w|\s[a-z]+s\b|\s?percent|%)"
_DAY_SAID = rf"(?P<day>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}|{_WORDED})"
_HOURS_OF_DAY = (
    re.compile(rf"(?<![\w/.:-]){_DAY_SAID},?\s{_HOURS}", re.IGNORECASE),
    re.compile(rf"(?<![\w/.:-]){_HOURS},?\s(?:on\s)?{_DAY_SAID}(?![\w/-]|:(?!\s|\Z))", re.IGNORECASE),
)
_DAYS_OF_MONTH = (
    re.compile(
        rf"(?<![\w/.:-])(?:(?P<between>between)\s)?(?P<first>{_DAY})\s(?:to|until|till|through|(?P<and>and))\s"
        rf"(?P<last>(?P<second>{_DAY})\s(?:of\s)?(?P<month>{_MONTH})(?:,?\s(?P<year>[0-9]{{4}}))?)(?![\w/-]|:(?!\s|\Z))",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:from|(?P<between>between))\s(?P<first>(?P<month>{_MONTH})\s{_DAY})\s(?:to|until|till|through|(?P<and>and))\s"
        rf"(?P<last>(?P<second>{_DAY})(?:,?\s(?P<year>[0-9]{{4}}))?)(?![\w/.:-])(?!\s[a-z]+s\b)",
        re.IGNORECASE,
    ),
)
"""Two days of one month: `from 1 to 31 May 2025`, `between May 3 and 9`."""
_UNTIL_CLOCK = re.compile(rf"\s?(?:to|until|till|and|[-\u2013])\s?{_TIME}", re.IGNORECASE)
"""The end of a period that begins with a time of day: ` to 5pm`."""
_UNTIL = re.compile(r"\s?(?:to|until|till|[-\u2013])\s?", re.IGNORECASE)
_CLOCK_ALONE = re.compile(_TIME, re.IGNORECASE)
_NAMED_ZONE = re.compile(rf"\s?{_ZONE}", re.IGNORECASE)
_PAST = re.compile(r"\b(?:was|were|did|had|been|since|happened)\b[^.,;!?]*\Z", re.IGNORECASE)
"""What stands before a day without a year that has been: `since 1 March`, `were opened on Monday`."""
_HALF = re.compile(r"[ap]m", re.IGNORECASE)
_DAYPART = re.compile(r"\b(?:morning|afternoon|evening|night|tonight)\b", re.IGNORECASE)
_SHORT = re.compile(r"second|min|hour", re.IGNORECASE)
_DATE_ONLY = len("2026-12-24")
_TWELVE = 12
_LOOKED_BACK = 80
"""Characters before a date that may say that it has been."""
_MOST_DATES = 50
"""Dates of one text that are read: each takes most of a millisecond, and no goal has as many."""


@dataclass(frozen=True, slots=True)
class FoundDate:
    """Where a date stands, and which one it is."""

    start: int
    end: int
    iso: str
    """Empty for the day of hours that are dates themselves."""


def find_dates(text: str, *, now: datetime, timezone: str) -> Iterator[FoundDate]:
    """The dates of a text, in order.

    A day alone where no time of day is said, a month alone where no day is. `12/05/2026`, which may be two days,
    is given as it stands.

    Args:
        text: The text.
        now: What `tomorrow` counts from; without a zone it is in `timezone`.
        timezone: An IANA name; an unknown one counts as UTC.
    """
    zone = _zone(timezone)
    here = now.replace(tzinfo=zone) if now.tzinfo is None else now.astimezone(zone)
    hours = [
        one
        for span in _spans(_HOURS_OF_DAY, text)
        for one in _hours_of_day(span, _there(text, span.end(), here))
    ]
    days = [one for span in _spans(_DAYS_OF_MONTH, text) for one in _days_of_month(span, here)]
    taken = [*hours, *days]
    found = sorted((*taken, *_single_dates(text, here, taken)), key=lambda one: one.start)
    for at, one in enumerate(found):
        if (
            at
            and _UNTIL.fullmatch(text, found[at - 1].end, one.start)
            and _CLOCK_ALONE.fullmatch(text, one.start, one.end)
        ):
            found[at] = one = _not_before(one, found[at - 1])
        yield one


def _not_before(one: FoundDate, begin: FoundDate) -> FoundDate:
    """The time of day at which a period ends that begins with another: on its day, or the day after where it goes on over night."""
    if "T" not in begin.iso or "T" not in one.iso:
        return one
    first, last = datetime.fromisoformat(begin.iso), datetime.fromisoformat(one.iso)
    last = datetime.combine(first.date(), last.time(), tzinfo=first.tzinfo)
    over_night = last.hour < _TWELVE <= first.hour
    return replace(one, iso=(last + timedelta(days=1) if over_night else last).isoformat())


def _there(text: str, end: int, here: datetime) -> datetime:
    """Now where a time of day is meant that ends at a position: in the zone that is named behind it, or behind the end of its period."""
    named = zone_behind(text, end)
    if named is None and (goes_on := _UNTIL_CLOCK.match(text, end)):
        named = zone_behind(text, goes_on.end())
    return here if named is None else here.astimezone(_zone(named.name))


def _spans(patterns: Sequence[re.Pattern[str]], text: str) -> Iterator[re.Match[str]]:
    return islice(chain.from_iterable(pattern.finditer(text) for pattern in patterns), _MOST_DATES)


def _days_of_month(span: re.Match[str], here: datetime) -> Sequence[FoundDate]:
    """The two days of `from 1 to 31 May 2025`; nothing where one of them is no day, or `and` joins what nothing says is a period."""
    if span["and"] and not span["between"]:
        return ()
    found = []
    for name, number in (("first", span["first"]), ("last", span["second"])):
        digits = "".join(filter(str.isdigit, number))
        day = _resolved_in(span, f"{digits} {span['month']} {span['year'] or ''}".strip(), here)
        if day is None:
            return ()
        found.append(FoundDate(*span.span(name), day.date().isoformat()))
    return found if found[0].iso <= found[1].iso else ()


def _hours_of_day(span: re.Match[str], here: datetime) -> Sequence[FoundDate]:
    """The two times of `tomorrow between 9 and 11`, and the day that is part of both; nothing where one of them is no time."""
    found = []
    half = _HALF.search(span["second"])
    for name in ("first", "second"):
        said = span[name]
        if said.isdigit():
            # `between 3 and 5pm` is in the afternoon.
            said = f"{said}{half[0]}" if half else f"{said}:00"
        time = _resolved_in(span, f"{span['day']} {said}", here)
        if time is None:
            return ()
        found.append(FoundDate(*span.span(name), time.replace(microsecond=0).isoformat()))
    return (*found, FoundDate(*span.span("day"), ""))


def _resolved_in(span: re.Match[str], said: str, here: datetime) -> datetime | None:
    """What one end of a span says; None where that is no time."""
    try:
        return _resolved(said, here, past=_has_been(span))
    except (ValueError, OverflowError):
        return None


def _single_dates(text: str, here: datetime, taken: Sequence[FoundDate]) -> Iterator[FoundDate]:
    for found in islice(_FOUND.finditer(text), _MOST_DATES):
        if any(one.start < found.end() and found.start() < one.end for one in taken):
            continue
        try:
            iso = _iso(found, _there(text, found.end(), here))
        except (ValueError, OverflowError):
            continue
        if iso:
            yield FoundDate(*found.span(), iso)


_TIME_ALONE = re.compile(
    r"(?:at\s)?[0-9]{1,2}(?::[0-9]{2}){0,2}\s?(?:[ap]\.?m\.?|o'clock)?|(?:at\s)?(?:noon|midday|midnight)",
    re.IGNORECASE,
)
"""A time of day without a day."""


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return UTC


def _iso(found: re.Match[str], here: datetime) -> str:
    if found["edge"]:
        return _edge(found, here.date()).isoformat()
    if stated := found["iso"]:
        if len(stated) > _DATE_ONLY:
            read = datetime.fromisoformat(_NAMED_ZONE.sub("Z", stated))
            if read.tzinfo is None and zone_behind(found.string, found.end()):
                read = read.replace(tzinfo=here.tzinfo)
            moment = read.isoformat()
            # As it is written: `2026-02-11T14:30:00Z`.
            return moment.replace("+00:00", "Z") if stated[-1:] in "zZ" else moment
        if not found["clock"]:
            return date.fromisoformat(stated).isoformat()
    text = f"{stated} {found['clock']}" if stated else found[0]
    if numeric := found["numeric"]:
        day = _numeric_day(numeric)
        if day is None:
            return text
        if not found["time"]:
            return day.isoformat()
        text = f"{day.isoformat()} {found['time']}"
    resolved = _resolved(text, here, past=_has_been(found))
    if resolved is None:
        return ""
    if found["month"]:
        return f"{resolved:%Y-%m}"
    said = found["time"] or found["clock"] or found["alone"] or found["moment"] or _DAYPART.search(text)
    return resolved.replace(microsecond=0).isoformat() if said else resolved.date().isoformat()


def _numeric_day(text: str) -> date | None:
    """The day of `24/12/2026` and `24.12.2026`; None where it may be two.

    With dots the day comes first everywhere, with slashes where the other would be no month.
    """
    first, second, year = (int(part) for part in text.replace("/", ".").split("."))
    if "." in text or first > _TWELVE:
        return date(year, second, first)
    return date(year, first, second) if second > _TWELVE or first == second else None


def _edge(found: re.Match[str], today: date) -> date:
    """The first or the last day of a period."""
    period = found["period"].lower()
    if period == "day":
        return today + timedelta(days=1 if found["next"] else 0)
    if period == "week":
        begin = today - timedelta(days=today.weekday())
        begin += timedelta(days=7 if found["next"] else 0)
        end = begin + timedelta(days=6)
    else:
        months = {"month": 1, "quarter": 3, "year": 12}[period]
        months_on = today.year * 12 + (today.month - 1) // months * months + (months if found["next"] else 0)
        begin = date(months_on // 12, months_on % 12 + 1, 1)
        after = months_on + months
        end = date(after // 12, after % 12 + 1, 1) - timedelta(days=1)
    return end if found["edge"].lower() == "end" else begin


def _has_been(found: re.Match[str]) -> bool:
    """Whether what stands before a date speaks of the past."""
    return _PAST.search(found.string, max(0, found.start() - _LOOKED_BACK), found.start()) is not None


def _resolved(text: str, here: datetime, *, past: bool) -> datetime | None:
    # With the tables of English it takes a tenth of a second, which most goals need not wait for.
    import dateparser

    # Two hours are two hours, also in the night in which clocks change.
    base = here.astimezone(UTC) if _SHORT.search(text) else here
    is_time = _TIME_ALONE.fullmatch(text.strip()) is not None
    found: datetime | None = dateparser.parse(
        text,
        languages=["en"],
        settings={
            "RELATIVE_BASE": base.replace(tzinfo=None),
            # Of a time alone it would go on to the next number of a day, at the end of a month to the first of the same.
            "PREFER_DATES_FROM": "current_period" if is_time else "past" if past else "future",
        },
    )
    if found is None:
        return None
    if is_time and found.tzinfo is None:
        found = _on_nearest_day(found, base.replace(tzinfo=None), past=past)
    zone = here.tzinfo
    return (found if found.tzinfo else found.replace(tzinfo=base.tzinfo)).astimezone(zone)


def _on_nearest_day(found: datetime, base: datetime, *, past: bool) -> datetime:
    """A time of day on the next day on which it is to come, or on the last on which it has been."""
    if past:
        return found - timedelta(days=1) if found > base else found
    return found + timedelta(days=1) if found < base else found
