"""The service as OAuth knows it: a protected resource (RFC 9728)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from app.domain.access.callers import OF_MCP_TOOLS, CallerScope
from app.domain.calling.addresses import is_loopback_name
from app.errors import InvalidInputError

WELL_KNOWN: Final = "/.well-known/oauth-protected-resource"
"""RFC 9728, section 3; the path of the resource comes behind it."""
MCP_PATH: Final = "/mcp"
"""Where the resource is in this service, whatever a proxy in front of it calls it."""
_FIRST: Final = CallerScope.FIND
"""What a client without a token is asked to get: enough to begin with."""


@dataclass(frozen=True, slots=True)
class ProtectedResource:
    """What clients are to know before they have a token."""

    url: str
    """As clients know it, and as `aud` of a token names it."""
    issuer: str
    """Who issues tokens for it."""

    @property
    def metadata_url(self) -> str:
        """Where clients find `metadata`: the well-known part stands before the resource's path (section 3.1)."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}{WELL_KNOWN}{parts.path}"

    @property
    def metadata_paths(self) -> frozenset[str]:
        """Where this service answers with it: as its path is here, as it is outside, and at the root."""
        return frozenset({f"{WELL_KNOWN}{MCP_PATH}", urlsplit(self.metadata_url).path, WELL_KNOWN})

    def metadata(self) -> Mapping[str, object]:
        """The document (section 2): the same for everybody, whatever the catalogue holds."""
        return {
            "resource": self.url,
            "authorization_servers": [self.issuer],
            # What the tools take; neither what only REST takes nor offline_access, which is no affair of a resource.
            "scopes_supported": sorted(frozenset().union(*OF_MCP_TOOLS.values())),
            "bearer_methods_supported": ["header"],
            "resource_name": "Outfitter",
        }

    def challenge(self) -> str:
        """What is added to `WWW-Authenticate` of 401 (section 5.1)."""
        return f'resource_metadata="{self.metadata_url}", scope="{_FIRST}"'


def check_issuer(text: str) -> str:
    """The address of an issuer, as tokens name it.

    Raises:
        InvalidInputError: it is not one that can be trusted.
    """
    _check(text, "the issuer's address, such as https://login.example.com/realms/staff")
    return text


def check_resource(text: str) -> str:
    """The address of the MCP server, as clients know it.

    Raises:
        InvalidInputError: no client could name it that way.
    """
    accepted = "the address of /mcp, such as https://tools.example.com/mcp"
    _check(text, accepted)
    if text.endswith("/"):
        raise InvalidInputError(f"{text!r} ends with a slash; accepted: {accepted}")
    return text


def _check(text: str, accepted: str) -> None:
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        port = parts.port
    except ValueError as error:
        raise InvalidInputError(f"{text!r} is no address: {error}; accepted: {accepted}") from error
    if parts.scheme not in {"http", "https"} or not host or port == 0 or parts.username is not None:
        raise InvalidInputError(f"{text!r} is not an https address; accepted: {accepted}")
    if parts.scheme == "http" and not is_loopback_name(host):
        raise InvalidInputError(
            f"{text!r} is not an https address, so that whoever stands between reads tokens; accepted: {accepted},"
            " or http on loopback"
        )
    if "?" in text or "#" in text:
        raise InvalidInputError(f"{text!r} has a query or a fragment; accepted: {accepted}")
    # It stands in a header, in quotes.
    if not text.isascii() or not text.isprintable() or any(sign in text for sign in ' "\\|<>{}^`'):
        raise InvalidInputError(f"{text!r} has signs that no address has; accepted: {accepted}")
