"""Connections of each address, by what they do."""

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

from app.http.bounds import HttpBounds

AddressRange: TypeAlias = IPv4Network | IPv6Network

_KNOWN = 1_000
"""Addresses whose place is remembered: 100 kB."""
_ONE_SITE = 64
"""A provider gives a customer 64 bits to number machines in (RFC 6177); each is free to take them all."""


class Kind(IntEnum):
    """What a connection is there for."""

    ASKING = 0
    """It waits for a request, or for the rest of one."""
    ANSWERED = 1
    """It waits for an answer, gets one, or listens."""
    REFUSED = 2
    """It may read why it was refused, and ends."""


class AddressPlace:
    """What connections are counted under: an address, of IPv6 its /64.

    Args:
        name: for messages.
        most: how many there may be of each kind.
    """

    def __init__(self, name: str, most: Sequence[int]) -> None:
        self.name = name
        self._most = most
        self._open = [0] * len(Kind)

    def full(self, kind: Kind) -> bool:
        """Whether one more would be too many."""
        return self._open[kind] >= self._most[kind]

    def move(self, before: Kind | None, after: Kind | None) -> bool:
        """Count a connection as another kind; None is one that is not there. False where that would be too many."""
        if after is not None:
            if self._open[after] >= self._most[after]:
                return False
            self._open[after] += 1
        if before is not None:
            self._open[before] -= 1
        return True

    @property
    def empty(self) -> bool:
        """Whether no connection is left."""
        return not any(self._open)


class OpenConnections:
    """The places of all connections.

    Args:
        bounds: how many of each kind an address may have.
        exempt: addresses that are not counted: they speak for many others.
    """

    def __init__(self, bounds: HttpBounds, exempt: Sequence[AddressRange] = ()) -> None:
        self._most = (bounds.per_address, bounds.answers_per_address, bounds.per_address)
        self._exempt = tuple(exempt)
        self._places: dict[str, AddressPlace] = {}
        # Reading an address takes as long as all else that is done for a connection.
        self._name = lru_cache(_KNOWN)(self._name_of)

    def place(self, address: str | None) -> AddressPlace | None:
        """Where a connection of this address is counted; None where it is not.

        Args:
            address: as the socket says; None where it has none, as a Unix socket.
        """
        name = None if address is None else self._name(address)
        if name is None:
            return None
        place = self._places.get(name)
        if place is None:
            place = self._places[name] = AddressPlace(name, self._most)
        return place

    def left(self, place: AddressPlace) -> None:
        """Forget a place that has no connection any more."""
        if place.empty:
            self._places.pop(place.name, None)

    def _name_of(self, address: str) -> str | None:
        found = ip_address(address)
        if isinstance(found, IPv6Address):
            found = found.ipv4_mapped or found
        if any(found in network for network in self._exempt):
            return None
        if isinstance(found, IPv6Address):
            return str(ip_network((int(found), _ONE_SITE), strict=False))
        return str(found)
