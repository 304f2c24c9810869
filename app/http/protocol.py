"""The protocol class of the server."""

import asyncio
import socket
from collections.abc import Sequence
from importlib.util import find_spec

from prometheus_client import Counter

from app.http.bounds import HttpBounds
from app.http.connections import Connections, Network


def http_protocol(
    bounds: HttpBounds, *, exempt: Sequence[Network] = (), refused: Counter, parser: str = "auto"
) -> type[asyncio.Protocol]:
    """A class for `uvicorn.Config(http=...)`; all connections that it is made for are counted together.

    Args:
        bounds: what a connection, and an address, may take.
        exempt: addresses whose connections are not counted.
        refused: counts what is refused, by status.
        parser: httptools, h11, or auto for the first of them that is installed.
    """
    facts = {"bounds": bounds, "held": Connections(bounds, exempt), "refused": refused}
    if parser == "httptools" or (parser == "auto" and find_spec("httptools")):
        from app.http.over_httptools import BoundedHttptools

        return type("BoundedHttptools", (BoundedHttptools,), facts)
    from app.http.over_h11 import BoundedH11

    return type("BoundedH11", (BoundedH11,), facts)


def cut_off_stalled(listener: socket.socket, bounds: HttpBounds) -> None:
    """Let the system end connections of this listener whose peers take nothing of what is sent to them.

    Only the system sees what they take: megabytes of an answer may wait in its own buffers. Connections have the
    option from their listener (Linux; others keep such a connection, as one of the answers of its address).
    """
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is not None:
        listener.setsockopt(socket.IPPROTO_TCP, option, round(1000 * bounds.stalled_s))
