"""Documents from the web, within bounds: size, time, redirects, and whose network is asked.

A host is resolved once and the connection goes to the address that was checked, so a name that changes its
address in between leads nowhere else. Every redirect is checked like the first address.
"""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import TypeAlias
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError
from urllib3.response import HTTPResponse

from app.domain.calling.address_tables import Address
from app.domain.calling.addresses import check_address, check_url, shown_url
from app.domain.language.visible_text import excerpt
from app.errors import InvalidInputError, SourceRefusedError

Resolve: TypeAlias = Callable[[str, int], Sequence[str]]
_REDIRECTS = {301, 302, 303, 307, 308}
_CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What a fetch may take."""

    max_bytes: int = 64_000_000
    timeout_s: float = 30.0
    """From the first look-up to the last byte, redirects included."""
    max_redirects: int = 5
    allow_private: bool = False
    """Allow loopback and private addresses, for documents of one's own network; link-local ones never."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document and where it was in the end."""

    data: bytes
    url: str


def fetch(url: str, *, limits: FetchLimits, resolve: Resolve | None = None) -> Fetched:
    """The document at an http or https address.

    Args:
        url: without user name and password.
        limits: bounds of the whole fetch.
        resolve: host and port -> addresses; the system's resolver unless given.

    Raises:
        SourceRefusedError: the address may not be asked, nothing answered in time, the answer is
            no success, or it is too long. The message names the address and the reason.
    """
    deadline = time.monotonic() + limits.timeout_s
    try:
        parts = check_url(url)
    except InvalidInputError as error:
        raise SourceRefusedError(str(error)) from error
    asked, label = url, shown_url(parts)
    for hop in range(limits.max_redirects + 1):
        try:
            answer = _ask(_checked(asked), limits, resolve or _resolve, deadline)
            if isinstance(answer, bytes):
                return Fetched(answer, asked)
            asked = _redirected(asked, answer)
        except _FailedError as error:
            if hop == 0:
                raise SourceRefusedError(f"{label}: {error}") from error
            # Where a redirect leads is a stranger's text.
            raise SourceRefusedError(f"{label}: redirected: {error}", said=_shown(asked)) from error
    raise SourceRefusedError(f"{label}: more than {limits.max_redirects} redirects", said=_shown(asked))


class _FailedError(Exception):
    """Why an address gave no document, in our own words; without the address."""


def _checked(url: str) -> SplitResult:
    try:
        return check_url(url)
    except InvalidInputError as error:
        raise _FailedError("no address that is accepted: http://HOST/... and https://HOST/...") from error


def _shown(address: str) -> str:
    try:
        return excerpt(shown_url(urlsplit(address)))
    except ValueError:
        return excerpt(address.partition("?")[0])


def _redirected(asked: str, location: str) -> str:
    try:
        target = urljoin(asked, location)
        downgraded = urlsplit(asked).scheme == "https" and urlsplit(target).scheme == "http"
    except ValueError as error:
        raise _FailedError("redirects to what is no address") from error
    if downgraded:
        raise _FailedError("leads from https to http; accepted: https")
    return target


def _ask(parts: SplitResult, limits: FetchLimits, resolve: Resolve, deadline: float) -> bytes | str:
    """The body, or where a redirect leads."""
    host = _ascii_host(parts)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    addresses = _addresses(host, port, limits, resolve)
    problem = "no address"
    for address in addresses:
        connection = _connection(parts.scheme, str(address), port, host, _left(deadline))
        try:
            return _answer(connection, parts, host, limits, deadline)
        except (HTTPError, HTTPException, OSError, ValueError) as error:
            _left(deadline)
            problem = _reason(error)
        finally:
            connection.close()
    raise _FailedError(f"did not answer: {problem}")


def _ascii_host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise _FailedError("no host name") from error


def _resolve(host: str, port: int) -> list[str]:
    return [str(item[4][0]) for item in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def _addresses(host: str, port: int, limits: FetchLimits, resolve: Resolve) -> list[Address]:
    try:
        found = list(dict.fromkeys(resolve(host, port)))
    except (OSError, UnicodeError) as error:
        raise _FailedError(f"its host is not known: {error}") from error
    try:
        return [check_address(text, allow_private=limits.allow_private) for text in found]
    except ValueError as error:
        raise _FailedError(str(error)) from error


def _connection(scheme: str, address: str, port: int, host: str, timeout: float) -> HTTPConnection:
    if scheme == "http":
        return HTTPConnection(address, port, timeout=timeout)
    return HTTPSConnection(
        address, port, timeout=timeout, server_hostname=host, ssl_context=ssl.create_default_context()
    )


def _answer(
    connection: HTTPConnection, parts: SplitResult, host: str, limits: FetchLimits, deadline: float
) -> bytes | str:
    connection.connect()
    # The socket's own timeout starts again with every byte; the watchdog ends a server that drips.
    watchdog = threading.Timer(_left(deadline), _shut, args=(connection,))
    watchdog.daemon = True
    watchdog.start()
    try:
        target = urlunsplit(("", "", parts.path or "/", parts.query, ""))
        standard = parts.port in (None, 443 if parts.scheme == "https" else 80)
        named = f"[{host}]" if ":" in host else host
        headers = {
            "Host": named if standard else f"{named}:{parts.port}",
            "User-Agent": "outfitter",
            "Accept": "application/json, application/yaml;q=0.9, */*;q=0.5",
            "Accept-Encoding": "identity",
        }
        connection.request("GET", target, headers=headers, preload_content=False)
        response = connection.getresponse()
        location = response.headers.get("Location")
        if response.status in _REDIRECTS and location:
            return location
        if not 200 <= response.status < 300:
            raise _FailedError(f"answered {response.status}")
        return _body(response, limits, deadline)
    finally:
        watchdog.cancel()


def _body(response: HTTPResponse, limits: FetchLimits, deadline: float) -> bytes:
    stated = response.headers.get("Content-Length", "")
    if stated.isdigit() and int(stated) > limits.max_bytes:
        raise _FailedError(f"{int(stated):,} bytes; accepted: up to {limits.max_bytes:,}")
    data = bytearray()
    while chunk := response.read1(_CHUNK, decode_content=True):
        _left(deadline)
        data += chunk
        if len(data) > limits.max_bytes:
            raise _FailedError(f"more than {limits.max_bytes:,} bytes")
    _left(deadline)
    if stated.isdigit() and not response.headers.get("Content-Encoding") and len(data) < int(stated):
        raise _FailedError(f"ended after {len(data):,} of {int(stated):,} bytes")
    return bytes(data)


def _reason(error: Exception) -> str:
    """Words of ours and of the system; a library's may quote what the server sent."""
    if isinstance(error, ssl.SSLError):
        why = getattr(error, "verify_message", "") or error.reason or type(error).__name__
        return f"no secure connection: {why}"
    if isinstance(error, OSError) and error.strerror:
        return f"{type(error).__name__}: {error.strerror}"
    cause = error.__cause__ or error.__context__
    if isinstance(error, HTTPError) and isinstance(cause, OSError):
        return _reason(cause)
    return f"the connection broke, or what came was no HTTP ({type(error).__name__})"


def _shut(connection: HTTPConnection) -> None:
    sock = connection.sock
    if sock is not None:
        try:
            sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            return


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise _FailedError("took too long")
    return left
