"""Connections of each address, by what they do."""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import Enum
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

from app.http.bounds import HttpBounds

Network: TypeAlias = IPv4Network | IPv6Network

_ONE_SITE = 64
"""A provider gives a customer 64 bits to number machines in (RFC 6177); each is free to take them all."""


class Kind(Enum):
    """What a connection is there for."""

    ASKING = "asking"
    """It waits for a request, or for the rest of one."""
    ANSWERED = "answered"
    """It waits for an answer, gets one, or listens."""
    REFUSED = "refused"
    """It may read why it was refused, and ends."""


class Connections:
    """Who has how many.

    Args:
        bounds: how many of each kind an address may have.
        exempt: addresses that are not counted: they speak for many others.
    """

    def __init__(self, bounds: HttpBounds, exempt: Sequence[Network] = ()) -> None:
        self._most: Mapping[Kind, int] = {
            Kind.ASKING: bounds.per_address,
            Kind.ANSWERED: bounds.answers_per_address,
            Kind.REFUSED: bounds.per_address,
        }
        self._exempt = tuple(exempt)
        self._open: dict[Kind, Counter[str]] = {kind: Counter() for kind in Kind}

    def place(self, address: str | None) -> str | None:
        """What this address is counted under: itself, of IPv6 its /64; None is not counted.

        Args:
            address: as the socket says; None where it has none, as a Unix socket.
        """
        if address is None:
            return None
        found = ip_address(address)
        if isinstance(found, IPv6Address):
            found = found.ipv4_mapped or IPv6Address(int(found))
        if any(found in network for network in self._exempt):
            return None
        if isinstance(found, IPv6Address):
            return str(ip_network((int(found), _ONE_SITE), strict=False))
        return str(found)

    def full(self, place: str | None, kind: Kind) -> bool:
        """Whether one more would be too many."""
        return place is not None and self._open[kind][place] >= self._most[kind]

    def enter(self, place: str | None, kind: Kind) -> bool:
        """Count one more; False where that would be too many."""
        if place is None:
            return True
        count = self._open[kind]
        if count[place] >= self._most[kind]:
            return False
        count[place] += 1
        return True

    def leave(self, place: str | None, kind: Kind) -> None:
        """Count one less."""
        if place is None:
            return
        count = self._open[kind]
        count[place] -= 1
        # An address that has gone takes no memory.
        if not count[place]:
            del count[place]
