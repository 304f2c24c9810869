"""What an access token of an identity provider says, once its signature is checked, and what that makes of a caller."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from app.domain.access.callers import Caller, CallerScope, CameBy
from app.errors import TokenRefusedError

ALGORITHMS: Final = ("RS256", "PS256", "ES256", "EdDSA")
"""Signatures with a key of which the issuer publishes one half; no other kind proves who signed."""
LEEWAY_S: Final = 30.0
"""By which clocks may differ."""
_MAX_SUBJECT_CHARS: Final = 255
"""OpenID Connect Core 1.0, section 2, of `sub`."""
_MAX_KEY_ID_CHARS: Final = 500
_LATEST_S: Final = 1e11
"""The year 5138; a number above it counts no seconds."""
_TYPES: Final = frozenset({"jwt", "at+jwt"})
"""RFC 9068, section 2.1, and what providers from before it say."""
_OTHER_KINDS: Final = frozenset({"id", "refresh", "offline", "logout"})
"""What Keycloak (`typ`) and Cognito (`token_use`) call tokens that are for others than us."""
_OF_OTHER_KINDS: Final = ("nonce", "at_hash", "c_hash", "events")
"""Claims of ID tokens (OpenID Connect Core 1.0, sections 2 and 3.3.2.11) and of logout tokens."""
_SCOPES: Final = {str(scope): scope for scope in CallerScope}


@dataclass(frozen=True, slots=True)
class ExpectedTokens:
    """Which tokens are for us."""

    issuer: str
    """As `iss` has it, character for character."""
    audiences: frozenset[str]
    """One of them has to be in `aud`."""
    groups_claim: str = "groups"
    """The claim that says which groups somebody is in."""


@dataclass(frozen=True, slots=True)
class SignedBy:
    """What the header of a token says of its signature; nothing else of it is used."""

    algorithm: str
    key_id: str | None


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom a token is about."""

    issuer: str
    subject: str
    values: frozenset[str]
    """Of the groups claim, each as `issuer|value`."""
    scopes: frozenset[CallerScope]
    expires_at: float
    """Seconds since 1970."""

    @property
    def id(self) -> str:
        """`issuer|subject`: an issuer is an address, so that nobody of the file and no operator has it."""
        return f"{self.issuer}|{self.subject}"

    def caller(self, groups: frozenset[str]) -> Caller:
        """Whoever holds the token, in these groups."""
        return Caller(
            id=self.id,
            name=self.subject,
            groups=groups,
            scopes=self.scopes,
            expires_at=self.expires_at,
            how=CameBy.OIDC,
        )


def signed_by(header: Mapping[str, object]) -> SignedBy:
    """How a token is signed, by its header.

    Whatever the header says of where a key is to be had (`jku`, `x5u`, `jwk`) is left aside.

    Raises:
        TokenRefusedError: no token with this header is accepted.
    """
    algorithm, key_id, kind = header.get("alg"), header.get("kid"), header.get("typ")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise TokenRefusedError(
            f"the token is signed by an algorithm that is not accepted; accepted: {', '.join(ALGORITHMS)}"
        )
    if "crit" in header:
        raise TokenRefusedError(
            "the token's header has extensions that have to be understood (crit); accepted: a token without"
        )
    if kind is not None and not (isinstance(kind, str) and _type_of(kind) in _TYPES):
        raise TokenRefusedError(
            "the token's type (typ) is not that of an access token; accepted: at+jwt, JWT, or no type"
        )
    if key_id is not None and not (isinstance(key_id, str) and len(key_id) <= _MAX_KEY_ID_CHARS):
        raise TokenRefusedError("the token's header names its key (kid) in a form that is not accepted")
    return SignedBy(algorithm, key_id)


def identity_of(claims: Mapping[str, object], expected: ExpectedTokens, *, now: float) -> Identity:
    """Whom a token is about whose signature is that of the issuer.

    Args:
        claims: What it says.
        expected: Which tokens are for us.
        now: Seconds since 1970.

    Raises:
        TokenRefusedError: it is not for us, not an access token, not valid now, or names nobody.
    """
    if claims.get("iss") != expected.issuer:
        raise TokenRefusedError("the token is of another issuer")
    _check_kind(claims)
    if expected.audiences.isdisjoint(_texts(claims.get("aud"))):
        raise TokenRefusedError(
            "the token was issued for another resource (aud); accepted: one for this service"
        )
    ends = _check_times(claims, now)
    subject = claims.get("sub")
    if not (isinstance(subject, str) and 0 < len(subject) <= _MAX_SUBJECT_CHARS and subject.isprintable()):
        raise TokenRefusedError("the token does not say whom it is about (sub)")
    return Identity(
        issuer=expected.issuer,
        subject=subject,
        values=frozenset(f"{expected.issuer}|{one}" for one in _texts(claims.get(expected.groups_claim))),
        scopes=_scopes(claims),
        expires_at=ends,
    )


def _type_of(text: str) -> str:
    """A media type without what may be left out (RFC 7515, section 4.1.9)."""
    return text.lower().removeprefix("application/")


def _check_kind(claims: Mapping[str, object]) -> None:
    marks = (claims.get("typ"), claims.get("token_use"))
    is_other = any(isinstance(one, str) and one.lower() in _OTHER_KINDS for one in marks)
    if is_other or any(name in claims for name in _OF_OTHER_KINDS):
        raise TokenRefusedError(
            "the token is no access token; accepted: one, not an ID, refresh or logout token"
        )
    if "cnf" in claims:
        raise TokenRefusedError(
            "the token is bound to a key (cnf), which is not checked here; accepted: a bearer token"
        )


def _check_times(claims: Mapping[str, object], now: float) -> float:
    """When it ends."""
    ends = _moment(claims, "exp")
    if ends is None:
        raise TokenRefusedError("the token does not say when it ends (exp)")
    if ends + LEEWAY_S <= now:
        raise TokenRefusedError("the token has expired")
    for name in ("nbf", "iat"):
        begins = _moment(claims, name)
        if begins is not None and begins - LEEWAY_S > now:
            raise TokenRefusedError(f"the token is not valid yet ({name})")
    return ends


def _moment(claims: Mapping[str, object], name: str) -> float | None:
    value = claims.get(name)
    if value is None:
        return None
    # `True` is a number to Python, and NaN is in no order.
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _LATEST_S:
        raise TokenRefusedError(f"the token says a time ({name}) in a form that is not accepted")
    return float(value)


def _scopes(claims: Mapping[str, object]) -> frozenset[CallerScope]:
    """Those of ours; `scp` is what Microsoft and Okta call it."""
    named = {word for name in ("scope", "scp") for text in _texts(claims.get(name)) for word in text.split()}
    return frozenset(_SCOPES[one] for one in named & _SCOPES.keys())


def _texts(value: object) -> Collection[str]:
    if isinstance(value, str):
        return (value,)
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else ()
