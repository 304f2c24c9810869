"""The protocol class of the server."""

import asyncio
import socket
from collections.abc import Sequence

from prometheus_client import Counter

from app.http.bounds import HttpBounds
from app.http.connections import AddressRange, OpenConnections
from app.http.over_httptools import BoundedHttptools


def http_protocol(
    bounds: HttpBounds, *, exempt: Sequence[AddressRange] = (), refused: Counter
) -> type[asyncio.Protocol]:
    """A class for `uvicorn.Config(http=...)`; all connections that it is made for are counted together.

    Args:
        bounds: what a connection, and an address, may take.
        exempt: addresses whose connections are not counted.
        refused: counts what is refused, by status.
    """
    facts = {"bounds": bounds, "held": OpenConnections(bounds, exempt), "refused": refused}
    return type("BoundedHttptools", (BoundedHttptools,), facts)


def cut_off_stalled(listener: socket.socket, bounds: HttpBounds) -> None:
    """Let the system end connections of this listener whose peers take nothing of what is sent to them.

    Only the system sees what they take: megabytes of an answer may wait in its own buffers. Connections have the
    option from their listener (Linux; others keep such a connection, as one of the answers of its address).
    """
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is not None:
        listener.setsockopt(socket.IPPROTO_TCP, option, round(1000 * bounds.stalled_s))
