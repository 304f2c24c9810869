"""Documents from the web, within bounds: size, time, redirects, and whose network is asked.

Every redirect is checked like the first address.
"""

import ssl
import time
from contextlib import closing
from dataclasses import dataclass
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

import httpx2

from app.adapters.http.guarded import (
    FAILURES,
    AddressGuard,
    GuardedTransport,
    RefusedAddressError,
    Resolve,
    UnknownHostError,
    causes,
    system_addresses,
)
from app.domain.calling.addresses import check_url, shown_url
from app.domain.language.visible_text import excerpt
from app.errors import InvalidInputError, SourceRefusedError

_REDIRECTS = {301, 302, 303, 307, 308}


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


def fetch(url: str, *, limits: FetchLimits, resolve: Resolve = system_addresses) -> Fetched:
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
            answer = _ask(_checked(asked), limits, resolve, deadline)
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
    guard = AddressGuard(allow_private=limits.allow_private, resolve=resolve)
    tls = ssl.create_default_context() if parts.scheme == "https" else None
    headers = {
        "User-Agent": "outfitter",
        "Accept": "application/json, application/yaml;q=0.9, */*;q=0.5",
        "Accept-Encoding": "identity",
    }
    try:
        with GuardedTransport(guard, tls) as transport:
            response = transport.ask(
                "GET",
                httpx2.URL(scheme=parts.scheme, host=_ascii_host(parts), port=parts.port),
                urlunsplit(("", "", parts.path or "/", parts.query, "")),
                headers,
                deadline=deadline,
            )
            with closing(response):
                return _answer(response, limits, deadline)
    except FAILURES as error:
        _left(deadline)
        raise _FailedError(_reason(error)) from error


def _ascii_host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise _FailedError("no host name") from error


def _answer(response: httpx2.Response, limits: FetchLimits, deadline: float) -> bytes | str:
    location = response.headers.get("Location")
    if response.status_code in _REDIRECTS and location:
        return location
    if not 200 <= response.status_code < 300:
        raise _FailedError(f"answered {response.status_code}")
    stated = response.headers.get("Content-Length", "")
    if stated.isdigit() and int(stated) > limits.max_bytes:
        raise _FailedError(f"{int(stated):,} bytes; accepted: up to {limits.max_bytes:,}")
    data = bytearray()
    # Unpacked piece by piece, where the server compressed it all the same.
    for chunk in response.iter_bytes():
        _left(deadline)
        data += chunk
        if len(data) > limits.max_bytes:
            raise _FailedError(f"more than {limits.max_bytes:,} bytes")
    return bytes(data)


def _reason(error: Exception) -> str:
    """Words of ours and of the system; a library's may quote what the server sent."""
    if isinstance(error, httpx2.TimeoutException):
        return "took too long"
    for cause in causes(error):
        if isinstance(cause, UnknownHostError):
            return f"its host is not known: {cause}"
        if isinstance(cause, RefusedAddressError):
            return str(cause)
        if isinstance(cause, ssl.SSLError):
            why = getattr(cause, "verify_message", "") or cause.reason or type(cause).__name__
            return f"did not answer: no secure connection: {why}"
        if isinstance(cause, OSError) and cause.strerror:
            return f"did not answer: {type(cause).__name__}: {cause.strerror}"
    return f"did not answer: the connection broke, or what came was no HTTP ({type(error).__name__})"


def _left(deadline: float) -> None:
    if time.monotonic() >= deadline:
        raise _FailedError("took too long")
