"""Ports for services that have to know theirs before they listen."""

import random
import socket
from typing import Final

_LOWEST: Final = 20_000
_GIVEN_OUT: Final = 32_768
"""From here on Linux gives ports to connections as they come, so that one that was free is soon somebody's."""


def free_ports(count: int) -> list[int]:
    """Some that nobody has now; whoever asks next is most likely given others."""
    found: list[int] = []
    for port in random.sample(range(_LOWEST, _GIVEN_OUT), _GIVEN_OUT - _LOWEST):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        found.append(port)
        if len(found) == count:
            break
    return found
