"""Countries that a text names: who says `Japan` speaks of a country, though the word is not there.

The names are in lexicon/countries.toml.
"""

import re

from app.domain.language.text import stem
from app.lexicon.lists import words

COUNTRY_TERM = stem("country")
_NAMES, _AS_WRITTEN = ("|".join(map(re.escape, words("countries", key))) for key in ("names", "as_written"))
_COUNTRY = re.compile(rf"(?<!\w)(?=\w)(?:(?:{_AS_WRITTEN})|(?i:{_NAMES}))(?!\w)")


def named_country(text: str) -> str:
    """The first country that a text names, as it stands there; empty without one."""
    found = _COUNTRY.search(text)
    return found.group() if found else ""
