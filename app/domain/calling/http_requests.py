"""A call put together with its server and its credentials: what the HTTP adapter sends, and what it got."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from app.domain.calling.addresses import check_url, shown_url
from app.domain.calling.calls import CallRules
from app.domain.calling.credentials import Credential, CredentialPlace
from app.domain.calling.http_calls import HttpCall
from app.domain.calling.http_values import percent_encoded
from app.errors import InvalidInputError

_COOKIE_SAFE = "!#$%&'()*+-./:<=>?@[]^_`{|}~,"
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Server:
    """Where calls of a source go."""

    scheme: str
    host: str
    """ASCII, lower case; an IPv6 address without brackets."""
    port: int
    path: str
    """Without a slash at its end."""
    named_by_operator: bool
    """The operator wrote it down: it may have a private address, and gets credentials."""

    @property
    def origin(self) -> str:
        """`https://host:port`, without the port that the scheme has anyway."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request, ready to be sent. What may be secret is not in its `repr`."""

    method: str
    server: Server
    target: str = field(repr=False)
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    body: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What a server answered."""

    status: int
    media_type: str
    """Without parameters, lower case."""
    charset: str
    body: bytes = field(repr=False)


def server_of(base_url: str, rules: CallRules) -> Server:
    """The server that an operation is called at: the operator's, else the one that its document names.

    Raises:
        InvalidInputError: there is no server, or its address cannot be called.
    """
    address = rules.base_url or base_url
    if not address:
        raise InvalidInputError("its document names no server; accepted: 'call.base_url' of its source")
    if "{" in address:
        raise InvalidInputError(
            "its document names a server whose variables have no value; accepted: 'call.base_url' of its source"
        )
    if address.startswith("/") or "://" not in address:
        raise InvalidInputError(
            "its document names a server by a relative address; accepted: 'call.base_url' of its source"
        )
    server = _server(address, named=bool(rules.base_url))
    named = {_server(other, named=True).origin for other in rules.servers}
    return _server(address, named=bool(rules.base_url) or server.origin in named)


def request_to(server: Server, call: HttpCall, credentials: Sequence[Credential]) -> HttpRequest:
    """The request that makes a call at a server.

    Raises:
        InvalidInputError: there are credentials, and the operator has not named this server.
    """
    if credentials and not server.named_by_operator:
        raise InvalidInputError(
            "credentials are sent only to servers that the sources file names, and this tool's is not one of them; accepted:"
            " its address in 'call.servers' of its source, or another one as 'call.base_url'"
        )
    placed = {place: [item for item in credentials if item.place is place] for place in CredentialPlace}
    own = {item.name.lower() for item in placed[CredentialPlace.HEADER]}
    headers = [("Accept", "application/json, */*;q=0.5")] if not _has(call.headers, "accept") else []
    headers += [(name, value) for name, value in call.headers if name.lower() not in own]
    headers += [(item.name, item.value.get_secret_value()) for item in placed[CredentialPlace.HEADER]]
    if call.body is not None:
        headers.append(("Content-Type", call.body.content_type))
    cookies = [
        *call.cookies,
        *((item.name, item.value.get_secret_value()) for item in placed[CredentialPlace.COOKIE]),
    ]
    if cookies:
        headers.append(
            ("Cookie", "; ".join(f"{name}={quote(value, _COOKIE_SAFE)}" for name, value in cookies))
        )
    keys = {percent_encoded(item.name): item for item in placed[CredentialPlace.QUERY]}
    query = [f"{name}={value}" for name, value in call.query if name not in keys]
    query += [f"{name}={percent_encoded(item.value.get_secret_value())}" for name, item in keys.items()]
    return HttpRequest(
        method=call.method,
        server=server,
        target=server.path + call.path + ("?" + "&".join(query) if query else ""),
        headers=tuple(headers),
        body=call.body.data if call.body else None,
    )


def _server(address: str, *, named: bool) -> Server:
    parts = check_url(address)
    if parts.query or parts.fragment:
        raise InvalidInputError(f"server {shown_url(parts)}: has a query; accepted: an address without")
    host = (parts.hostname or "").lower().rstrip(".")
    try:
        host = host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise InvalidInputError(f"server {shown_url(parts)}: no host name") from error
    path = quote(parts.path.rstrip("/"), safe="/%:@!$&'()*+,;=~")
    return Server(parts.scheme, host, parts.port or _PORTS[parts.scheme], path, named)


def _has(headers: Sequence[tuple[str, str]], name: str) -> bool:
    return any(found.lower() == name for found, _ in headers)
