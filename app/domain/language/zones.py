"""Time zones as people write them behind a time of day: `9am Berlin time`, `14:00 EST`, `09:00 Europe/Lisbon`."""

import re
from dataclasses import dataclass
from functools import cache
from zoneinfo import available_timezones

from app.lexicon.lists import table

_REGIONS = frozenset(
    ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
)
"""What names of zones begin with that are called by a city (theory.html of the tz database, `Names of timezones`)."""
_BEHIND_CLOCK = re.compile(
    r"[\s,]{0,2}\(?(?:(?P<iana>[A-Z][A-Za-z]{2,19}(?:/[A-Z][A-Za-z_-]{1,29}){1,2})"
    r"|(?P<short>[A-Z]{2,5})(?!\w|\s(?:local\s)?time)"
    r"|(?P<place>[A-Za-z.]{2,20}(?:\s[A-Za-z.]{2,20}){0,2}?)\s(?:local\s|standard\s|daylight\s|summer\s)?time\b)\)?"
)


@dataclass(frozen=True, slots=True)
class ZoneMention:
    """Where a zone is named, and which one it is."""

    start: int
    end: int
    name: str
    """Its name of the tz database (IANA)."""


def zone_behind(text: str, end: int) -> ZoneMention | None:
    """The zone that a text names directly behind a time of day that ends at a position; None without one."""
    found = _BEHIND_CLOCK.match(text, end)
    if found is None:
        return None
    if found["iana"]:
        name = found["iana"] if found["iana"] in zone_names() else ""
    elif found["short"]:
        name = table("values")["zones"].get(found["short"].lower(), "")
    else:
        place = found["place"].lower().replace(".", "")
        name = table("values")["zones"].get(place, "") or _cities().get(place, "")
    start, stop = found.span(found.lastgroup or 0)
    if found["place"]:
        stop = found.end() - found[0].endswith(")")
    return ZoneMention(start, stop, name) if name else None


@cache
def zone_names() -> frozenset[str]:
    """The names of time zones (IANA)."""
    return frozenset(available_timezones())


@cache
def _cities() -> dict[str, str]:
    """City in the lower case -> its zone: `new york`, for America/New_York."""
    named = (name for name in sorted(zone_names(), reverse=True) if name.split("/")[0] in _REGIONS)
    return {name.rsplit("/", 1)[-1].replace("_", " ").lower(): name for name in named}
