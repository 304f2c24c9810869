"""How much of a connection may be taken before a request is there to answer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HttpBounds:
    """Limits of what one connection, and one address, may hold."""

    header_bytes: int = 64_000
    """Of the request line and the headers; the bound of h11, the other parser of uvicorn, is 65,536."""
    header_count: int = 200
    """Twice what Apache takes by default (LimitRequestFields)."""
    headers_s: float = 10.0
    """From the connection, or from the first byte of a further request, until its headers are there."""
    body_s: float = 30.0
    """From the headers until the whole body is there: 1 MB, the default bound, at 270 kbit/s."""
    stalled_s: float = 30.0
    """How long a peer may take nothing of what is sent to it, where the system can tell (Linux)."""
    linger_s: float = 1.0
    """How long a connection that ends stays half open, so that its peer can read why; Go's server takes 0.5 s."""
    pipelined: int = 16
    """Requests that wait for the answer before theirs. Browsers and the usual clients send none ahead."""
    per_address: int = 64
    """Connections that wait for a request or send one: ten browsers of six connections each."""
    answers_for_each: int = 4
    """Connections that get an answer or listen, for each of those that may wait: agents listen for hours and ask now
    and then."""

    @property
    def answers_per_address(self) -> int:
        """Connections of an address that get an answer or listen."""
        return self.answers_for_each * self.per_address
