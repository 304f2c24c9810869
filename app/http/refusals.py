"""Why a connection is answered before the application sees its request."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.http.bounds import HttpBounds

_COLON_AND_LINE_END = len(b": \r\n")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A status and what is accepted."""

    status: int
    detail: str


NOT_HTTP = Refusal(400, "this is no HTTP/1.1 request, or a part of one is malformed")

UPGRADE_WITH_BODY = Refusal(
    400, "it asks for another protocol and has a body; accepted: HTTP/1.1 without the header Upgrade"
)
"""The parser takes such a body for the other protocol, and so perhaps for a request."""


def too_many_ahead(bounds: HttpBounds) -> Refusal:
    """More requests were sent ahead than wait for their turn."""
    return Refusal(
        429, f"{bounds.pipelined} requests of this connection wait already; accepted: one after the other"
    )


def too_large(bounds: HttpBounds, *, in_url: bool = False) -> Refusal:
    """The parser keeps more than the bound, and no part of a request is whole."""
    if in_url:
        return Refusal(
            414, f"the address is larger than {bounds.header_bytes} bytes; accepted: that, with all headers"
        )
    return Refusal(
        431,
        f"the request line and the headers, or what stands around a body, are larger than {bounds.header_bytes}"
        " bytes; accepted: up to that",
    )


def headers_refusal(bounds: HttpBounds, url: bytes, headers: Sequence[tuple[bytes, bytes]]) -> Refusal | None:
    """What is wrong with the size of a request's headers, now that they are whole."""
    if len(headers) > bounds.header_count:
        return Refusal(431, f"{len(headers)} headers; accepted: up to {bounds.header_count}")
    size = len(url)
    for name, value in headers:
        size += len(name) + len(value) + _COLON_AND_LINE_END
    return too_large(bounds, in_url=2 * len(url) > size) if size > bounds.header_bytes else None


def late(bounds: HttpBounds, *, body: bool) -> Refusal:
    """The rest of a request did not come."""
    if body:
        return Refusal(
            408, f"the body was not there {bounds.body_s:g} s after the headers; accepted: up to that"
        )
    return Refusal(408, f"the headers were not there after {bounds.headers_s:g} s; accepted: up to that")
