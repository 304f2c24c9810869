"""Files that are asked for by their format: `an excel of all expenses` exports them."""

import re
from collections.abc import Callable

from app.domain.language.text import stem

_FORMAT = r"(?P<format>csv|tsv|excel|xlsx?|spreadsheet)\b(?:\s++(?:file|sheet|export|download|list))?+(?:\s*+\((?P<exact>csv|tsv|xlsx?)\))?+"
_ASKING = r"(?:(?:i|we|he|she|they|our\s++[a-z]{2,20})\s++(?:needs?|wants?)|i'd\s++like|(?:get|give|send|make)\s++(?:me|us)|can\s++(?:i|we)\s++have)"
_WHAT = r"(?P<what>(?![^,;.\n]{0,120}\b(?:is|was|are|were|should|must|will)\b)[^,;.\n]{3,120}?)"
"""What is exported; a sentence about a file has a verb of its own."""
_BEGINS = r"(?:^|(?<=[.;]\s))(?:please\s++)?+"
_OF = re.compile(
    rf"{_BEGINS}(?:{_ASKING}\s++)?+(?:an?\s++|the\s++)?+{_FORMAT}\s++of\s++{_WHAT}(?=\s++(?:please|pls)\b|\s*+(?:[,;.\n]|$))",
    re.IGNORECASE,
)
_AS = re.compile(
    rf"{_BEGINS}{_ASKING}\s++{_WHAT}\s++(?:as|in)\s++(?:an?\s++)?+{_FORMAT}(?=\s*+(?:[,;.!\n]|$)|\s++(?:and|please|pls)\b)",
    re.IGNORECASE,
)
_SENT = re.compile(
    r"(\bas\s(?:csv|tsv|xlsx)(?:[\s,]++(?:please|pls|from|to|until|till|[\d:T.-]{4,25}))*+)[,;.]?+\s++(?:and\s++)?+(?:then\s++)?+(?:e-?mail|mail|send|have)\s++(?:it|them|that|the\s++(?:link|file|result))\s++(?:e?mailed\s++|sent\s++)?+to\s++([\w.+-]{1,60}+@[\w.-]{1,80}\w)(?:\s++(?:when|once|as\s++soon\s++as)\s++(?:it|that)(?:'s|\s++is)\s++(?:done|ready|finished|through)\b)?+",
    re.IGNORECASE,
)
"""Who gets the file is said of the export, which may have an input for it."""
_FORMATS = {"excel": "xlsx", "spreadsheet": "xlsx", "xls": "xlsx"}
"""What people call a format, and what inputs call it."""


def with_exports(text: str, *, is_used: Callable[[str], bool]) -> str:
    """A goal that asks for things in a format of files as what exports them, where calls are called so.

    Args:
        text: The goal.
        is_used: Whether names of calls or inputs have a stem.
    """
    if not is_used(stem("export")):
        return text
    exported = _AS.sub(_exported, _OF.sub(_exported, text))
    return text if exported == text else _SENT.sub(r"\1 to \2", exported)


def _exported(found: re.Match[str]) -> str:
    name = (found["exact"] or found["format"]).lower()
    return f"export {found['what']} as {_FORMATS.get(name, name)}"
