"""Which credentials a call carries, and where: as the document's security schemes say, or as the operator does."""

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import SecretStr

from app.domain.calling.argument_messages import listed
from app.domain.calling.wire_names import LONGEST_ARGUMENT_NAME, is_token
from app.errors import InvalidInputError

_KIND = re.compile(
    r" \((?P<kind>(?:http|apiKey|oauth2|openIdConnect|basic|mutualTLS|not described)[^()]*+)\)(?: \+ |$)"
)
"""What stands behind the name of a scheme; names may hold anything, brackets too."""
_PLACED = re.compile(r"(?:apiKey in )?(?P<place>header|query|cookie) (?P<name>\S+)")
_NEVER = {
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "content-type",
    "upgrade",
    "te",
    "trailer",
}
NOBODY_ASKED = "none"


class CredentialPlace(StrEnum):
    """Where a credential is sent."""

    HEADER = "header"
    QUERY = "query"
    COOKIE = "cookie"


@dataclass(frozen=True, slots=True)
class GivenCredential:
    """A credential of the operator's, read from the environment."""

    secret: SecretStr
    """A token or key; for basic authentication the password."""
    username: SecretStr | None = None
    send: str = ""
    """`bearer`, `basic`, `header NAME`, `query NAME` or `cookie NAME`; empty: as the document's scheme says."""


@dataclass(frozen=True, slots=True)
class Credential:
    """A credential on its way."""

    place: CredentialPlace
    name: str
    value: SecretStr


def credentials_for(security: Sequence[str], given: Mapping[str, GivenCredential]) -> tuple[Credential, ...]:
    """What a call carries.

    Credentials with `send` go with every call of their source. The others go where the operation asks for
    the scheme of their name, in the first of its ways that can be satisfied.

    Args:
        security: the ways to be let in, each `name (kind)` joined by ` + `, as ingest wrote them.
        given: by the name of the scheme.

    Raises:
        InvalidInputError: no way can be satisfied, or a credential cannot be sent where it is asked for.
    """
    always = [_placed(name, item, item.send) for name, item in given.items() if item.send]
    ways = [schemes_of(way) for way in security]
    for way in ways:
        if way and all(name in given for name, _ in way):
            asked = [_placed(name, given[name], kind) for name, kind in way if not given[name].send]
            return (*always, *asked)
    if always or not security or NOBODY_ASKED in security:
        return tuple(always)
    raise InvalidInputError(
        f"the tool needs credentials: {listed(list(security))}; configured in 'call.credentials' of its source:"
        f" {listed(list(given)) or 'nothing'}"
    )


def schemes_of(way: str) -> list[tuple[str, str]]:
    """Names and kinds of the schemes that one way to be let in needs: `name (kind)`, joined by ` + `.

    Each name reaches to the next kind, so that the text is read once, however long the names are.
    """
    found: list[tuple[str, str]] = []
    at = 0
    # A name has one character at least.
    while match := _KIND.search(way, at + 1):
        found.append((way[at : match.start()], match["kind"]))
        at = match.end()
    return found


def check_send(text: str) -> str:
    """What `send` may say.

    Raises:
        InvalidInputError: it says something else.
    """
    if text in ("bearer", "basic"):
        return text
    match = _PLACED.fullmatch(text)
    if match is None or text.startswith("apiKey") or not _sendable(match["place"], match["name"]):
        raise InvalidInputError(
            f"{text!r:.60}; accepted: bearer, basic, header NAME, query NAME, cookie NAME"
        )
    return text


def _placed(name: str, given: GivenCredential, kind: str) -> Credential:
    secret = given.secret.get_secret_value()
    lowered = kind.lower()
    if lowered in ("basic", "http basic"):
        user = given.username.get_secret_value() if given.username else ""
        text = f"{user}:{secret}" if given.username else secret
        return _checked(
            name, CredentialPlace.HEADER, "Authorization", f"Basic {b64encode(text.encode()).decode()}"
        )
    if given.username is not None:
        raise InvalidInputError(
            f"credential {name!r:.100} is a user name and a password, and the document asks for {kind!r:.100}"
        )
    if lowered in ("bearer", "http bearer", "http", "oauth2", "openidconnect"):
        return _checked(name, CredentialPlace.HEADER, "Authorization", f"Bearer {secret}")
    match = _PLACED.fullmatch(kind)
    if match is None:
        raise InvalidInputError(
            f"security scheme {name!r:.100} is {kind!r:.100}, which is not sent; accepted: http bearer, http basic, apiKey,"
            " oauth2, openIdConnect, or 'send' in the credential"
        )
    return _checked(name, CredentialPlace(match["place"]), match["name"], secret)


def _checked(scheme: str, place: CredentialPlace, name: str, value: str) -> Credential:
    if not _sendable(place, name):
        raise InvalidInputError(
            f"security scheme {scheme!r:.100} names {place} {name!r:.100}, which a call does not set"
        )
    if place is not CredentialPlace.QUERY and not (value.isascii() and value.isprintable()):
        raise InvalidInputError(
            f"credential {scheme!r:.100} cannot be sent: it is not printable ASCII in one line"
        )
    if place is CredentialPlace.COOKIE and any(character in ' ",;\\' for character in value):
        raise InvalidInputError(f"credential {scheme!r:.100} cannot be sent as a cookie")
    return Credential(place, name, SecretStr(value))


def _sendable(place: str, name: str) -> bool:
    if place == CredentialPlace.QUERY:
        return name.isprintable()
    return (
        len(name) <= LONGEST_ARGUMENT_NAME
        and is_token(name)
        and not (place == CredentialPlace.HEADER and name.lower() in _NEVER)
    )
