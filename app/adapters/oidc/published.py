"""What an issuer publishes: where its keys are, and the keys. Read by our own fetch, within bounds."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from jwt import PyJWK
from jwt.exceptions import PyJWTError

from app.adapters.http.fetch import FetchLimits, fetch
from app.domain.access.claims import ALGORITHMS
from app.domain.calling.addresses import is_loopback_name
from app.errors import SourceRefusedError

_MAX_BYTES: Final = 1_000_000
_TIMEOUT_S: Final = 5.0
_MAX_KEYS: Final = 100
"""Of a set; issuers have two to five."""
_PUBLIC_PARTS: Final[Mapping[tuple[str, str | None], tuple[str, ...]]] = {
    ("RSA", None): ("n", "e"),
    ("EC", "P-256"): ("crv", "x", "y"),
    ("OKP", "Ed25519"): ("crv", "x"),
}
"""Type and curve of a key -> what of it is used: RFC 7518, section 6, and RFC 8037."""
_SIGN_WITH: Final[Mapping[str, tuple[str, str | None]]] = {
    "RS256": ("RSA", None),
    "PS256": ("RSA", None),
    "ES256": ("EC", "P-256"),
    "EdDSA": ("OKP", "Ed25519"),
}


@dataclass(frozen=True, slots=True)
class KeySet:
    """The keys of an issuer that check signatures of ours."""

    by_id: Mapping[tuple[str, str], PyJWK]
    """By name and algorithm."""
    by_algorithm: Mapping[str, tuple[PyJWK, ...]]
    names: frozenset[str]

    def key(self, name: str | None, algorithm: str) -> PyJWK | None:
        """The key of this name; of a token that names none, the only one of its algorithm."""
        if name is not None:
            return self.by_id.get((name, algorithm))
        fitting = self.by_algorithm.get(algorithm, ())
        return fitting[0] if len(fitting) == 1 else None


def read_keys(issuer: str) -> KeySet:
    """The keys of now.

    Raises:
        SourceRefusedError: the issuer does not answer, or not with what it has to; says why.
    """
    address = _address_of_keys(issuer)
    _check_scheme(address, issuer)
    own = urlsplit(address).netloc == urlsplit(issuer).netloc
    # The operator named the issuer, which may be in a network of one's own; whatever it names is not.
    return parse_keys(_document(address, allow_private=own))


def parse_keys(document: Mapping[str, Any]) -> KeySet:
    """The usable keys of a set (RFC 7517); others are left out. A set without any is one: it lets nobody in.

    Raises:
        SourceRefusedError: it is no set of keys.
    """
    listed = document.get("keys")
    if not isinstance(listed, list):
        raise SourceRefusedError("the issuer's keys are not a JSON Web Key Set: it has no list 'keys'")
    by_id: dict[tuple[str, str], PyJWK] = {}
    by_algorithm: dict[str, list[PyJWK]] = {one: [] for one in ALGORITHMS}
    for item in listed[:_MAX_KEYS]:
        if not isinstance(item, dict):
            continue
        for algorithm, key in _usable(item):
            by_algorithm[algorithm].append(key)
            name = item.get("kid")
            if isinstance(name, str):
                by_id.setdefault((name, algorithm), key)
    return KeySet(
        by_id,
        {algorithm: tuple(keys) for algorithm, keys in by_algorithm.items()},
        frozenset(name for name, _ in by_id),
    )


def _usable(item: Mapping[str, Any]) -> Iterator[tuple[str, PyJWK]]:
    """The key under each algorithm that it may be used with."""
    uses = item.get("key_ops")
    if item.get("use", "sig") != "sig" or (isinstance(uses, list) and "verify" not in uses):
        return
    for algorithm, (kind, curve) in _SIGN_WITH.items():
        if item.get("kty") != kind or item.get("alg", algorithm) != algorithm:
            continue
        if curve is not None and item.get("crv") != curve:
            continue
        parts = {name: item.get(name) for name in _PUBLIC_PARTS[kind, curve]}
        try:
            yield algorithm, PyJWK({"kty": kind, **parts}, algorithm)
        except (PyJWTError, ValueError, TypeError):
            continue


def _address_of_keys(issuer: str) -> str:
    problems = []
    for address in metadata_addresses(issuer):
        try:
            document = _document(address, allow_private=True)
        except SourceRefusedError as error:
            problems.append(str(error))
            continue
        # Else whoever is asked could speak for another issuer (RFC 8414, section 3.3).
        if document.get("issuer") != issuer:
            problems.append(
                f"{address}: is about another issuer; accepted: one whose 'issuer' is OUTFITTER_OIDC_ISSUER, character"
                " for character"
            )
            continue
        keys = document.get("jwks_uri")
        if isinstance(keys, str):
            return keys
        problems.append(f"{address}: does not say where the keys are (jwks_uri)")
    raise SourceRefusedError("; ".join(problems))


def metadata_addresses(issuer: str) -> tuple[str, str]:
    """Where an issuer may describe itself: OpenID Connect Discovery 1.0, section 4, and RFC 8414, section 3.1."""
    parts, path = urlsplit(issuer), urlsplit(issuer).path.rstrip("/")
    origin = f"{parts.scheme}://{parts.netloc}"
    return (
        f"{origin}{path}/.well-known/openid-configuration",
        f"{origin}/.well-known/oauth-authorization-server{path}",
    )


def _check_scheme(address: str, issuer: str) -> None:
    try:
        parts, host = urlsplit(address), urlsplit(address).hostname or ""
    except ValueError as error:
        raise SourceRefusedError("the issuer's jwks_uri is no address") from error
    on_loopback = urlsplit(issuer).scheme == "http" and is_loopback_name(host)
    if parts.scheme != "https" and not on_loopback:
        raise SourceRefusedError("the issuer's jwks_uri is not an https address; accepted: one that is")


def _document(address: str, *, allow_private: bool) -> Mapping[str, Any]:
    limits = FetchLimits(
        max_bytes=_MAX_BYTES, timeout_s=_TIMEOUT_S, max_redirects=0, allow_private=allow_private
    )
    try:
        value = json.loads(fetch(address, limits=limits).data)
    except (ValueError, RecursionError) as error:
        raise SourceRefusedError(f"{address}: is not JSON") from error
    if not isinstance(value, dict):
        raise SourceRefusedError(f"{address}: is not a JSON object")
    return value
