"""Connections of each address, by what they do."""

from ipaddress import ip_network

import pytest

from app.http.bounds import HttpBounds
from app.http.connections import Kind, OpenConnections


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "192.0.2.8", False),
        # A host has as many addresses of its /64 as it likes.
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        # A listener for both families sees one of IPv4 so.
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("::ffff:192.0.2.7", "::ffff:192.0.2.8", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
    ],
)
def test_what_is_counted_together(one: str, other: str, together: bool) -> None:
    """An address of IPv4, a /64 of IPv6."""
    connections = OpenConnections(HttpBounds(per_address=1))
    first, second = connections.place(one), connections.place(other)
    assert first
    assert second

    assert first.move(None, Kind.ASKING)
    assert second.move(None, Kind.ASKING) is not together


@pytest.mark.parametrize(
    ("address", "counted"),
    [("10.1.2.3", False), ("::ffff:10.1.2.3", False), ("11.1.2.3", True), ("fd00::9", False), (None, False)],
)
def test_trusted_proxies_and_unix_sockets_are_not_counted(address: str | None, counted: bool) -> None:
    """However the socket writes the address."""
    connections = OpenConnections(HttpBounds(), [ip_network("10.0.0.0/8"), ip_network("fd00::/64")])

    assert (connections.place(address) is not None) is counted


def test_each_kind_has_its_own_bound_and_what_goes_makes_room() -> None:
    """One that asks may become one that is answered, and come back only where there is room."""
    place = OpenConnections(HttpBounds(per_address=1, answers_for_each=2)).place("192.0.2.7")
    assert place

    moves = [
        place.move(None, Kind.ASKING),
        place.move(None, Kind.ASKING),
        place.move(Kind.ASKING, Kind.ANSWERED),
        place.move(None, Kind.ASKING),
        place.move(Kind.ANSWERED, Kind.ASKING),
        place.move(Kind.ASKING, None),
        place.move(Kind.ANSWERED, Kind.ASKING),
    ]

    assert moves == [True, False, True, True, False, True, True]
    assert not place.full(Kind.ANSWERED)


def test_an_address_that_has_gone_takes_no_memory() -> None:
    """Its place is new when it comes again; one that still has a connection keeps its own."""
    connections = OpenConnections(HttpBounds())
    place = connections.place("192.0.2.7")
    assert place
    place.move(None, Kind.ASKING)
    connections.left(place)
    assert connections.place("192.0.2.7") is place

    place.move(Kind.ASKING, None)
    connections.left(place)
    assert connections.place("192.0.2.7") is not place
