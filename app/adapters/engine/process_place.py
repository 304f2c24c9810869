"""Where a process id means what it says: one boot of one machine, and one namespace of process ids."""

import hashlib
import secrets
import sys
import uuid
from functools import lru_cache
from pathlib import Path

_DIGITS = 12
"""48 bits: enough to distinguish places of one host name, and a name stays readable."""


@lru_cache(maxsize=1)
def process_place() -> str:
    """A short name that processes share only if one of them can see by its id whether another lives.

    On Linux containers and clones of a machine have places of their own, and so has the machine after its next
    start; elsewhere the place is the machine. Where nothing says where a process runs, it has a place of its own.
    A machine that is copied while it runs shares its place with the copy.
    """
    return hashlib.sha256(_identity().encode()).hexdigest()[:_DIGITS]


def _identity() -> str:
    if sys.platform != "linux":
        # Without a network card the library makes a random number, which no other process has.
        return f"{uuid.getnode():x}"
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return secrets.token_hex()
