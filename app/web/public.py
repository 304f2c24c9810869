"""Where the pages are seen from outside: behind a prefix, behind a proxy that speaks TLS."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from app.errors import ServeRefusedError


@dataclass(frozen=True, slots=True)
class PublicAddress:
    """The address that browsers know the service by."""

    origin: str
    """Scheme and host, with its port where that is not the scheme's own."""
    host: str
    """The name alone."""
    prefix: str
    """What the proxy takes off before it passes a request on; empty, or begins with a slash and ends without."""

    @property
    def secure(self) -> bool:
        """Whether browsers reach it by TLS."""
        return self.origin.startswith("https:")


def public_address(text: str) -> PublicAddress:
    """The parts of OUTFITTER_PUBLIC_URL.

    Raises:
        ServeRefusedError: it is no such address.
    """
    accepted = "accepted: scheme, host and prefix, such as https://tools.example.com/outfitter"
    try:
        found = urlsplit(text.strip())
        host, port = found.hostname or "", found.port
    except ValueError as error:
        raise ServeRefusedError(f"OUTFITTER_PUBLIC_URL {text!r}: {error}; {accepted}") from error
    prefix = found.path.rstrip("/")
    wrong = (
        found.scheme not in {"http", "https"}
        or not host
        or found.username is not None
        or bool(found.query or found.fragment)
        or not (text.isascii() and text.isprintable())
        or any(part in {"", ".", ".."} for part in prefix.split("/")[1:])
        or any(sign in prefix for sign in "%;\\\"'<> ")
    )
    if wrong:
        raise ServeRefusedError(f"OUTFITTER_PUBLIC_URL {text!r} is not an address of the service; {accepted}")
    own_port = {"http": 80, "https": 443}[found.scheme]
    shown = f"[{host}]" if ":" in host else host
    named = shown if port in (None, own_port) else f"{shown}:{port}"
    return PublicAddress(f"{found.scheme}://{named}", shown, prefix)
