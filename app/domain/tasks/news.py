"""What is new about somebody or something, as what is to be changed: `Osman Textiles has a new phone number, +90212...`."""

import re
from collections.abc import Callable

from app.domain.language.identifiers import pieces, singular
from app.domain.language.text import stem

_BEGINS = r"(?:^|(?<=[.;!?]\s))"
_WHO = r"(?!(?:we|i|you|they|there)\b)(?P<who>[^\s,;:!?][^,;:!?\n]{0,60}?)"
_NOW = r"(?:now|from\s++(?:now\s++on|today))"
_NEW = re.compile(
    rf"{_BEGINS}{_WHO}\s++(?:has|have|got|'s\s++got|has\s++got)\s++a\s++new\s++(?P<what>[a-z][a-z-]{{1,30}}+(?:\s++(?!is\b)[a-z][a-z-]{{0,30}}+){{0,3}}?)"
    r"(?:\s*+[,:]\s*+|\s++is\s++)(?:it's\s++|it\s++is\s++)?(?=[^\s,;])",
    re.IGNORECASE,
)
_MOVED = re.compile(
    rf"{_BEGINS}{_WHO}\s++(?:has\s++|have\s++)?moved(?:\s++house)?+[,;:]?\s++(?:and\s++)?(?:to\s++|(?:(?:he|she|it|they)\s++)?(?:{_NOW}\s++)?(?:lives?|is|are|sits?)\s++(?:{_NOW}\s++)?(?:at|in)\s++)(?=[^\n.;]{{0,80}}\d)",
    re.IGNORECASE,
)
_IS_NOW = re.compile(
    rf"{_BEGINS}(?P<who>[^\s,;:!?][^,;:!?\n]{{0,60}}?)(?:'s|\u2019s)\s++(?P<what>[a-z][a-z-]{{1,30}}+(?:\s++(?!is\b)[a-z-]{{1,30}}+){{0,3}}?)\s++is\s++(?:{_NOW}\s++(?P<value>[^,;\n]{{1,80}})|(?P<before>[^,;\n]{{1,80}}?)\s++{_NOW})(?=\s*+(?:[,.;!]|$))",
    re.IGNORECASE,
)
_DONE_SO = re.compile(
    r"(?<=\S),?\s++(?:please\s++|pls\s++|so\s++|and\s++)*+(?:update|change|correct|adjust|enter|note|record)(?:\s++(?:it|that|this))?+(?:\s++accordingly)?+(?=\s*+(?:[.;!]|$))",
    re.IGNORECASE,
)
"""That it is to be entered says no more than the news."""


def news_as_changes(text: str, *, is_thing: Callable[[str], bool]) -> str:
    """A goal whose sentences tell what somebody or something has now, as what sets it.

    `lena has a new address: ...` and `pat_8 has moved, he now lives at ...` set the address; `ben's cost centre is now
    CC-620` the cost centre. What only was, or is asked, stays.

    Args:
        text: The goal.
        is_thing: Whether calls are about what a stem names.
    """

    def changed(found: re.Match[str]) -> str:
        # A new card is a thing of its own.
        is_made = is_thing(stem(singular(pieces(found["what"])[-1])))
        return found[0] if is_made else f"change the {found['what']} of {found['who']} to "

    told = text
    text = _NEW.sub(changed, text)
    text = _MOVED.sub(r"change the address of \g<who> to ", text)
    text = _IS_NOW.sub(
        lambda found: f"change the {found['what']} of {found['who']} to {found['value'] or found['before']}",
        text,
    )
    return text if text == told else _DONE_SO.sub("", text)
