"""Who is signed in to the pages: a signed cookie, so that nothing is stored and every replica accepts it."""

import hashlib
import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from itsdangerous import BadData, URLSafeSerializer

from app.domain.access.callers import OPERATOR, Caller, CallerEntry, CallerList, digest_of

COOKIE: Final = "outfitter_ui"
HOURS: Final = 12
_SALT: Final = "outfitter.ui.session"


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Makes and checks cookies.

    A cookie holds the caller's id, a digest of the entry that let him in, and when it ends. A caller whose entry is
    gone or was replaced is signed out with his next request.
    """

    token: str | None
    """What the operator is let in by; None: only the others come in."""
    key: str
    """Signs cookies; the token unless a key of its own is set."""
    now: Callable[[], float] = time.time
    callers: Callable[[], CallerList] | None = None
    """Who else may come in."""
    used: Callable[[CallerEntry], None] | None = None
    """Is notified of each token of theirs that is given; returns at once."""

    def cookie(self, caller: Caller) -> str:
        """The cookie of a caller who came in now."""
        until = self.now() + HOURS * 3600
        until = until if caller.expires_at is None else min(until, caller.expires_at)
        return self._signer().dumps([caller.id, self._entry(self._secret_of(caller.id) or ""), int(until)])

    def caller(self, cookie: str) -> Caller | None:
        """Whose cookie it is; None for one that was not made here, has ended, or whose entry is not there any more."""
        try:
            found = self._signer().loads(cookie)
        except BadData:
            return None
        match found:
            case [str(caller), str(entry), int(until)] if until > self.now():
                secret = self._secret_of(caller)
                if secret is None or not hmac.compare_digest(entry, self._entry(secret)):
                    return None
                return self._by_id(caller)
        return None

    def lets_in(self, given: str) -> Caller | None:
        """Whose token this is; None: nobody's, or it has expired."""
        given = given.strip()
        if self.token is not None and hmac.compare_digest(given.encode(), self.token.encode()):
            return OPERATOR
        entry = self.callers().by_digest.get(digest_of(given)) if self.callers is not None else None
        if entry is None or self._has_ended(entry):
            return None
        if self.used is not None:
            self.used(entry)
        return entry.caller()

    def _has_ended(self, entry: CallerEntry) -> bool:
        return entry.expires_at is not None and entry.expires_at <= self.now()

    def _listed(self, caller: str) -> CallerEntry | None:
        if self.callers is None or not caller.startswith("caller:"):
            return None
        found = self.callers().named(caller.removeprefix("caller:"))
        return None if found is None or self._has_ended(found) else found

    def _by_id(self, caller: str) -> Caller | None:
        if caller == OPERATOR.id:
            return OPERATOR
        entry = self._listed(caller)
        return entry.caller() if entry else None

    def _secret_of(self, caller: str) -> str | None:
        if caller == OPERATOR.id:
            return self.token
        entry = self._listed(caller)
        return entry.sha256 if entry else None

    def _entry(self, secret: str) -> str:
        return hmac.new(self.key.encode(), secret.encode(), hashlib.sha256).hexdigest()[:32]

    def _signer(self) -> URLSafeSerializer:
        return URLSafeSerializer(
            self.key, salt=_SALT, signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256}
        )
