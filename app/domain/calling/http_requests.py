"""A call put together with its server and its credentials: what the HTTP adapter sends, and what it got."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, quote_plus

from app.domain.calling.addresses import check_url, shown_url
from app.domain.calling.calls import CallAnswer, CallRules
from app.domain.calling.credentials import Credential, Place
from app.domain.calling.http_calls import HttpCall
from app.domain.calling.http_values import percent_encoded
from app.errors import InvalidInputError

REDACTED = "(secret)"
_SHORTEST_SECRET = 4
_COOKIE_SAFE = "!#$%&'()*+-./:<=>?@[]^_`{|}~,"
_PORTS = {"http": 80, "https": 443}
_MEDIA_TYPE = re.compile(r"[a-z0-9.+-]{1,40}/[a-z0-9.+-]{1,80}")
"""RFC 6838, section 4.2, in lower case; the longest registered one has 73 characters behind the slash."""


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
            f"its document names the server {address!r:.200}, whose variables have no value; accepted:"
            " 'call.base_url' of its source"
        )
    if address.startswith("/") or "://" not in address:
        raise InvalidInputError(
            f"its document names the server {address!r:.200}, which is relative; accepted: 'call.base_url' of its source"
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
            f"credentials are sent only to servers that the sources file names, and {server.origin} is not one of them; accepted:"
            " that address in 'call.servers' of its source, or another one as 'call.base_url'"
        )
    placed = {place: [item for item in credentials if item.place is place] for place in Place}
    own = {item.name.lower() for item in placed[Place.HEADER]}
    headers = [("Accept", "application/json, */*;q=0.5")] if not _has(call.headers, "accept") else []
    headers += [(name, value) for name, value in call.headers if name.lower() not in own]
    headers += [(item.name, item.value.get_secret_value()) for item in placed[Place.HEADER]]
    if call.body is not None:
        headers.append(("Content-Type", call.body.content_type))
    cookies = [*call.cookies, *((item.name, item.value.get_secret_value()) for item in placed[Place.COOKIE])]
    if cookies:
        headers.append(
            ("Cookie", "; ".join(f"{name}={quote(value, _COOKIE_SAFE)}" for name, value in cookies))
        )
    keys = {percent_encoded(item.name): item for item in placed[Place.QUERY]}
    query = [f"{name}={value}" for name, value in call.query if name not in keys]
    query += [f"{name}={percent_encoded(item.value.get_secret_value())}" for name, item in keys.items()]
    return HttpRequest(
        method=call.method,
        server=server,
        target=server.path + call.path + ("?" + "&".join(query) if query else ""),
        headers=tuple(headers),
        body=call.body.data if call.body else None,
    )


def answer_of(answer: HttpAnswer, secrets: Sequence[str]) -> CallAnswer:
    """What a server answered, as MCP has it: status and body, as text and structured.

    Secrets that the server repeats are struck out. Bytes that are no text are counted, not passed on.
    """
    text, body = _read(answer, secrets)
    structured = {"status": answer.status, "body": body if text else None}
    shown = text if answer.status < 300 and text else f"HTTP status {answer.status}\n{text}".strip()
    return CallAnswer(
        content=({"type": "text", "text": shown},),
        structured=structured,
        is_error=answer.status >= 300,
        status=answer.status,
    )


def secret_forms(values: Iterable[str]) -> tuple[str, ...]:
    """Secrets as they may come back, longest first: whole, without their scheme, encoded for a query or JSON."""
    found: set[str] = set()
    for value in values:
        for part in (value, value.partition(" ")[2]):
            found |= {part, quote(part, safe=""), quote_plus(part), json.dumps(part)[1:-1]}
    return tuple(
        sorted((item for item in found if len(item) >= _SHORTEST_SECRET), key=lambda item: (-len(item), item))
    )


def redacted(text: str, secrets: Sequence[str]) -> str:
    """The text without these."""
    for secret in secrets:
        text = text.replace(secret, REDACTED)
    return text


def sendable(value: Any) -> bool:
    """Whether a value can be written as JSON that others read: no NaN, no half of a character.

    Raises:
        RecursionError: it nests too deeply.
    """
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return False
    return True


def cleared(value: Any, secrets: Sequence[str]) -> Any:
    """JSON without these, in keys, texts and numbers.

    Raises:
        RecursionError: it nests too deeply.
    """
    if not secrets:
        return value
    if isinstance(value, str):
        return redacted(value, secrets)
    if isinstance(value, Mapping):
        return {redacted(key, secrets): cleared(item, secrets) for key, item in value.items()}
    if isinstance(value, list):
        return [cleared(item, secrets) for item in value]
    if isinstance(value, int | float) and any(secret in json.dumps(value) for secret in secrets):
        return REDACTED
    return value


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


def _read(answer: HttpAnswer, secrets: Sequence[str]) -> tuple[str, Any]:
    """The body as text and as data, without the secrets; what is no sound JSON is text as data, too."""
    text = _text(answer)
    if "json" in answer.media_type and text:
        try:
            found = json.loads(text)
            body = cleared(found, secrets)
            if sendable(body):
                # As text it may hold secrets in other words: `\u0061`.
                return (text if body == found else json.dumps(body, ensure_ascii=False)), body
        except (ValueError, RecursionError):
            pass
    text = redacted(text, secrets)
    return text, text


def _text(answer: HttpAnswer) -> str:
    if not answer.body:
        return ""
    kind = answer.media_type
    if (
        kind.startswith("text/")
        or not kind
        or any(word in kind for word in ("json", "xml", "yaml", "form", "script"))
    ):
        try:
            return answer.body.decode(answer.charset or "utf-8", errors="replace")
        except LookupError:
            return answer.body.decode("utf-8", errors="replace")
    # A type is a stranger's text, too.
    named = kind if _MEDIA_TYPE.fullmatch(kind) else "a type that is no media type"
    return f"({len(answer.body):,} bytes of {named}, which are not passed on)"
