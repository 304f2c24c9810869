"""Names of tools and of their arguments that model providers accept."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable

MAX_NAME = 60
"""Of a tool. Below the 64 characters that providers accept: some clients put a prefix in front."""
MAX_ARGUMENT = 64
_DIGITS = 8
_OTHER = re.compile(r"[^A-Za-z0-9_-]")
_OTHER_IN_ARGUMENTS = re.compile(r"[^A-Za-z0-9_.-]")


def provider_names(ids: Iterable[str]) -> dict[str, str]:
    """A name for each id that every provider accepts; no two ids have the same.

    A character outside `[A-Za-z0-9_-]` becomes `_`. A name over 60 characters, or one that several ids would
    have, becomes its first 51 characters, `_`, and 8 hexadecimal digits of SHA-256(id). So a name depends on its
    own id, and on no other unless their names collide: given all ids of a catalogue, it is the same in every
    answer, whatever else was found.
    """
    return _unique({one: _OTHER.sub("_", one) for one in dict.fromkeys(ids)}, MAX_NAME)


def argument_names(properties: Iterable[str]) -> dict[str, str]:
    """The same for the arguments of one tool: 64 characters, and a dot is accepted."""
    return _unique(
        {one: _OTHER_IN_ARGUMENTS.sub("_", one) for one in dict.fromkeys(properties)}, MAX_ARGUMENT
    )


def _unique(plain: dict[str, str], longest: int) -> dict[str, str]:
    counts = Counter(plain.values())
    names = {
        one: name if name and len(name) <= longest and counts[name] == 1 else _hashed(one, name, longest)
        for one, name in plain.items()
    }
    # One may look like another's hashed name; then it is hashed too.
    while clashes := {name for name, count in Counter(names.values()).items() if count > 1}:
        again = [one for one, name in names.items() if name in clashes and name == plain[one]]
        if not again:
            break
        names |= {one: _hashed(one, plain[one], longest) for one in again}
    return names


def _hashed(one: str, name: str, longest: int) -> str:
    digits = hashlib.sha256(one.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{name[: longest - _DIGITS - 1]}_{digits}"
