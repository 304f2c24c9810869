"""Characters that stand for values, conditions and exclusions while a goal is cut."""

import re

MARKS = re.compile(r"[\ue000-\uf7ff]")
"""Characters for private use that stand for values, conditions and exclusions while a goal is cut."""
RESTRICTIONS = re.compile(r"[\uf000-\uf7ff]")
"""Of these, those for conditions and exclusions."""
STRONG_VALUE = re.compile(r"[\ue000-\ue7ff]")
"""A value that is no ordinary word."""
VALUE = re.compile(r"[\ue000-\uefff]")
"""A value, or an ordinary word that may be one."""
VALUE_LAST = re.compile(r"[\ue000-\uefff]$")
ADDED = ";"
"""Leads, in a clause, to what says more of it and has no verb."""


def masked(text: str) -> str:
    """`text` of a task without marks: what is left are words."""
    return MARKS.sub(" ", text)
