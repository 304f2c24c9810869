"""Access tokens in JWT form, of one issuer."""

import hashlib
import json
import threading
import time
from base64 import urlsafe_b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from jwt import PyJWS
from jwt.exceptions import PyJWTError

from app.adapters.oidc.keys import IssuerKeys
from app.domain.access.claims import ALGORITHMS, ExpectedTokens, Identity, identity_of, signed_by
from app.errors import TokenRefusedError

MAX_TOKEN_CHARS: Final = 16_384
"""A longer one is not looked at; with 200 groups, as many as Microsoft puts in, it has some 10,000."""
KEPT_S: Final = 60.0
"""A token that was checked is known for as long, and not beyond its end."""
MOST_KEPT: Final = 4_096
"""Tokens that are known; of more, those that were checked last. Some 2 kB each, 160 MB if all were as long as may be."""


@dataclass(frozen=True, slots=True)
class _Kept:
    identity: Identity
    until: float
    """By a clock that nobody sets."""


class OidcTokens:
    """Fits `TokenVerifier`. A context manager: within it the issuer's keys are followed.

    Args:
        expected: Which tokens are for us.
        keys: Of the issuer.
        now: Seconds since 1970.
        clock: Seconds that only rise.
    """

    def __init__(
        self,
        expected: ExpectedTokens,
        keys: IssuerKeys,
        *,
        now: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._expected = expected
        self._keys = keys
        self._now = now
        self._clock = clock
        self._jws = PyJWS(ALGORITHMS, {"verify_signature": True, "enforce_minimum_key_length": True})
        self._kept: dict[bytes, _Kept] = {}
        self._lock = threading.Lock()

    def known(self, token: str) -> Identity | None:
        """Whom a token is about that was checked a moment ago and has not ended."""
        found = self._kept.get(_digest(token))
        if found is None or found.until <= self._clock() or found.identity.expires_at <= self._now():
            return None
        return found.identity

    def verify(self, token: str) -> Identity:
        """Whom a token is about.

        Raises:
            TokenRefusedError: it lets nobody in.
            IssuerUnavailableError: the issuer's keys are not at hand.
        """
        if len(token) > MAX_TOKEN_CHARS:
            raise TokenRefusedError(f"the token is longer than {MAX_TOKEN_CHARS:,} characters")
        signed = signed_by(_header(token))
        key = self._keys.key(signed)
        try:
            payload = self._jws.decode_complete(token, key, [signed.algorithm])["payload"]
        except (PyJWTError, ValueError, TypeError):
            # Not the library's words: they may repeat what stands in the token.
            raise TokenRefusedError("the token's signature is not that of its issuer") from None
        identity = identity_of(_object(payload), self._expected, now=self._now())
        self._keep(_digest(token), identity)
        return identity

    def _keep(self, digest: bytes, identity: Identity) -> None:
        with self._lock:
            self._kept.pop(digest, None)
            while len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[digest] = _Kept(identity, self._clock() + KEPT_S)

    def __enter__(self) -> Self:
        self._keys.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._keys.stop()


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def _header(token: str) -> Mapping[str, Any]:
    """What stands before the first dot; the library reads the same once more, strictly."""
    first, *others = token.split(".")
    if len(others) != 2 or not token.isascii():
        raise TokenRefusedError("the token is not one that the issuer or this service gives")
    try:
        return _object(urlsafe_b64decode(first + "=" * (-len(first) % 4)))
    except ValueError:
        raise TokenRefusedError("the token's header is not one of a JWT") from None


def _object(data: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise TokenRefusedError("the token does not hold what a JWT holds")
    return value
