"""MCP servers as they are reached, and what they answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias
from urllib.parse import parse_qsl, urlsplit

from pydantic import SecretStr

from app.domain.calling.addresses import check_clear, check_url, shown_url
from app.domain.calling.secret_words import command_secrets
from app.domain.calling.wire_names import is_token, is_variable_name
from app.errors import InvalidInputError

SecretPairs: TypeAlias = tuple[tuple[str, SecretStr], ...]
_OWN_HEADERS = {
    *("accept", "accept-encoding", "connection", "content-length", "content-type", "host"),
    *("last-event-id", "transfer-encoding", "upgrade"),
}
_SECRET_LENGTH = 8
"""Shorter values are no secrets, and striking them out would make texts unreadable."""


class Era(StrEnum):
    """How a server is spoken to."""

    AUTO = "auto"
    """As of 2026-07-28 where it answers `server/discover`, else with the handshake of 2025-11-25."""
    LEGACY = "2025-11-25"
    MODERN = "2026-07-28"


@dataclass(frozen=True, slots=True)
class McpEndpoint:
    """An MCP server: an address, or a command that is run, with what it is given. Equal ones are one server.

    Made by `http_endpoint` and `stdio_endpoint`, which check what they are given.
    """

    name: str
    """The name of the source; empty to take the server's own name."""
    url: str = field(default="", repr=False)
    command: tuple[str, ...] = field(default=(), repr=False)
    """The program and its arguments, without a shell."""
    cwd: str = ""
    """The folder in which it runs; this program's own where empty."""
    env: SecretPairs = ()
    """Variables of the command, beside the few that every program gets (PATH, HOME, ...)."""
    headers: SecretPairs = ()
    era: Era = Era.AUTO
    allow_private: bool = False
    """Allow a host whose address is loopback or private; a host that is loopback by name always is."""

    @property
    def uri(self) -> str:
        """What the graph keeps: the address without its query, or the program without its arguments."""
        if self.url:
            return shown_url(urlsplit(self.url))
        return f"stdio:{self.command[0].replace(chr(92), '/').rpartition('/')[2]}"

    @property
    def label(self) -> str:
        """For messages."""
        return f"{self.name} ({self.uri})" if self.name else self.uri

    def secrets(self) -> list[str]:
        """What may stand in no text that others see, longest first."""
        values = [value.get_secret_value() for _, value in (*self.env, *self.headers)]
        values += command_secrets(self.command)
        values += [value for _, value in parse_qsl(urlsplit(self.url).query)] if self.url else []
        parts = {part for value in values for part in (value, *value.split())}
        return sorted(
            (part for part in parts if len(part) >= _SECRET_LENGTH), key=lambda part: (-len(part), part)
        )


@dataclass(frozen=True, slots=True)
class McpLimits:
    """What a server may take."""

    connect_s: float = 10.0
    """Until the server has said which protocol it speaks."""
    total_s: float = 30.0
    """For all pages, connecting included."""
    max_pages: int = 100
    max_tools: int = 10_000
    max_bytes: int = 64_000_000
    """Of one answer, and of all pages together."""
    at_once: int = 32
    """Servers that are asked at the same time."""


@dataclass(frozen=True, slots=True)
class McpListing:
    """All tools of a server, at one time."""

    server_name: str
    """The name that the server gives itself; may be empty. Untrusted."""
    server_version: str
    protocol: str
    """The revision of MCP that it speaks, e.g. `2025-11-25`."""
    tools: tuple[object, ...]
    """As the server sent them, fields that MCP does not define included; a broken one may be no mapping."""
    ttl_ms: int | None = None
    """How long the server says that this stays true."""
    announces: bool = False
    """Whether the server says that it reports changes."""


@dataclass(frozen=True, slots=True)
class McpFailure:
    """Why a server's tools are not known; for people, without secrets."""

    reason: str
    said: str = ""
    """What the server said of it: an excerpt, for a field of its own. Untrusted."""


class McpChange(StrEnum):
    """What a subscription reports."""

    CHANGED = "changed"
    """The server's tools have changed: list them again."""
    LOST = "lost"
    """The subscription has ended and changes may have been missed: listen and list again."""


def http_endpoint(
    url: str,
    *,
    name: str = "",
    headers: Mapping[str, str] | None = None,
    environ: Mapping[str, str],
    era: Era = Era.AUTO,
    allow_private: bool = False,
    plain_http: bool = False,
) -> McpEndpoint:
    """A server at an http or https address.

    Args:
        url: its endpoint, without user name and password.
        name: of the source; the host unless given.
        headers: header -> the variable of `environ` that holds its value.
        environ: the environment.
        era: how to speak to it.
        allow_private: see `McpEndpoint`.
        plain_http: headers may be sent unencrypted to a host that is not one's own.

    Raises:
        InvalidInputError: the address or a header is not what is accepted, or a variable is not set.
    """
    parts = check_url(url)
    if headers:
        check_clear(url, what=f"header {next(iter(headers))!r:.100}", plain_http=plain_http)
    found: list[tuple[str, SecretStr]] = []
    for header, variable in (headers or {}).items():
        if not is_token(header) or header.lower() in _OWN_HEADERS or header.lower().startswith("mcp-"):
            raise InvalidInputError(
                f"header {header!r:.100}: accepted: a header's name that is not the protocol's own"
            )
        value = _variable(environ, variable, use=f"header {header}")
        if not value.isascii() or not value.isprintable():
            raise InvalidInputError(f"header {header}: the value of {variable} cannot be a header's value")
        found.append((header, SecretStr(value)))
    return McpEndpoint(
        name=(name or parts.hostname or "").replace("/", "-"),
        url=url,
        headers=tuple(found),
        era=era,
        allow_private=allow_private,
    )


def stdio_endpoint(
    command: Sequence[str],
    *,
    name: str = "",
    env: Mapping[str, str] | None = None,
    environ: Mapping[str, str],
    cwd: str = "",
    era: Era = Era.AUTO,
) -> McpEndpoint:
    """A server that is a command.

    Args:
        command: the program and its arguments.
        name: of the source; the server's own name where empty.
        env: variable of the command -> the variable of `environ` that holds its value.
        environ: the environment.
        cwd: the folder in which it runs.
        era: how to speak to it.

    Raises:
        InvalidInputError: the command is empty, or a variable is not set.
    """
    if not command or not command[0] or any("\0" in word for word in command):
        raise InvalidInputError(
            f"command {' '.join(command[:1])!r:.100}: accepted: a program and its arguments"
        )
    found: list[tuple[str, SecretStr]] = []
    for variable, source in (env or {}).items():
        if not is_variable_name(variable):
            raise InvalidInputError(f"variable {variable!r:.100}: accepted: letters, digits and _")
        found.append((variable, SecretStr(_variable(environ, source, use=f"variable {variable}"))))
    return McpEndpoint(
        name=name.replace("/", "-"), command=tuple(command), cwd=cwd, env=tuple(found), era=era
    )


def _variable(environ: Mapping[str, str], name: str, *, use: str) -> str:
    if not is_variable_name(name):
        # A secret that was written here by mistake must not reach a log.
        raise InvalidInputError(f"{use}: accepted: the name of an environment variable that holds the value")
    value = environ.get(name)
    if value is None or "\0" in value:
        raise InvalidInputError(f"{use}: the environment variable {name} is not set")
    return value
