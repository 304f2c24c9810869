"""Who is signed in to the pages: a signed cookie, so that nothing is stored and every replica accepts it."""

import hashlib
import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from itsdangerous import BadData, URLSafeSerializer

OPERATOR: Final = "operator"
"""The one caller there is."""
COOKIE: Final = "outfitter_ui"
HOURS: Final = 12
_SALT: Final = "outfitter.ui.session"


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Makes and checks cookies.

    A cookie holds the caller's id, a digest of the entry that let him in, and when it ends. A caller whose entry is
    gone or was replaced is signed out with his next request.
    """

    token: str
    """What callers are let in by."""
    key: str
    """Signs cookies; the token unless a key of its own is set."""
    now: Callable[[], float] = time.time

    def cookie(self) -> str:
        """The cookie of a caller who came in now."""
        return self._signer().dumps([OPERATOR, self._entry(), int(self.now()) + HOURS * 3600])

    def caller(self, cookie: str) -> str | None:
        """Whose cookie it is; None for one that was not made here, has ended, or whose entry is not there any more."""
        try:
            found = self._signer().loads(cookie)
        except BadData:
            return None
        match found:
            case [str(caller), str(entry), int(until)] if caller == OPERATOR and until > self.now():
                return caller if hmac.compare_digest(entry, self._entry()) else None
        return None

    def lets_in(self, given: str) -> bool:
        """Whether this is the token."""
        return hmac.compare_digest(given.strip().encode(), self.token.encode())

    def _entry(self) -> str:
        return hmac.new(self.key.encode(), self.token.encode(), hashlib.sha256).hexdigest()[:32]

    def _signer(self) -> URLSafeSerializer:
        return URLSafeSerializer(
            self.key, salt=_SALT, signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256}
        )
