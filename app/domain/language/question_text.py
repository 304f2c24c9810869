"""The text of a question, as everything that looks at it gets it."""

import re

QUOTED = r"\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)|“([^“”]+)”"
"""What stands in quotation marks. None opens within its own: what is never closed is not read to the end again."""
_QUOTED_OR_WHITE = re.compile(rf"{QUOTED}|(?P<white>\s++)")
_LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
"""What `str.splitlines` parts lines at."""


def squeezed(text: str) -> str:
    """`text` with each run of white space as one space, or as one line break where it holds one; none at its ends.

    What stands in quotation marks stays as it is: it may be a value.
    """
    return _QUOTED_OR_WHITE.sub(_shortest, text).strip()


def _shortest(found: re.Match[str]) -> str:
    white = found["white"]
    if white is None:
        return found[0]
    return " " if _LINE_BREAKS.isdisjoint(white) else "\n"
