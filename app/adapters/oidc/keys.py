"""An issuer's keys, kept: one thread reads them, and nobody else waits for the issuer but whoever has a new key."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from jwt import PyJWK

from app.adapters.oidc.published import KeySet
from app.domain.access.claims import SignedBy
from app.errors import IssuerUnavailableError, SourceRefusedError, TokenRefusedError

_WAITING: Final = 2
"""Of the threads that check tokens, those that may wait for a new key: the others go on with keys that are known."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeyTimes:
    """Seconds; the defaults are those of docs/security.md."""

    kept_s: float = 600.0
    """After which keys are read again."""
    again_s: float = 10.0
    """Between two readings, whoever asks for them."""
    good_s: float = 86_400.0
    """For which keys serve while the issuer is away."""
    wait_s: float = 5.0
    """That a token with a new key waits."""


class IssuerKeys:
    """The keys of an issuer. Start it before tokens come; threads may share it.

    Args:
        read: Reads them; refuses with `SourceRefusedError`.
        times: How long what is good.
    """

    def __init__(self, read: Callable[[], KeySet], times: KeyTimes | None = None) -> None:
        self._read = read
        self._times = times or KeyTimes()
        self._keys: KeySet | None = None
        self._read_at = 0.0
        self._begun_at = 0.0
        self._readings = 0
        self._reading = self._wanted = self._stopping = False
        self._problem = ""
        self._changed = threading.Condition()
        self._waiting = threading.BoundedSemaphore(_WAITING)
        self._thread: threading.Thread | None = None

    @property
    def read_at(self) -> float | None:
        """When the keys of now were read, seconds since 1970; None while none are."""
        return None if self._keys is None else time.time() - (time.monotonic() - self._read_at)

    def start(self) -> None:
        """Read them, and again from time to time; returns at once."""
        if self._thread is None:
            self._stopping = False
            self._thread = threading.Thread(target=self._run, name="issuer keys", daemon=True)
            self._thread.start()

    def stop(self, timeout_s: float = 5.0) -> None:
        """Read them no more. Safe to call twice."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(timeout_s)
            self._thread = None

    def key(self, signed: SignedBy) -> PyJWK:
        """The key that checks a signature; one that is not known is asked for, now and then.

        Raises:
            TokenRefusedError: the issuer has no such key.
            IssuerUnavailableError: nobody can say now.
        """
        found = self._found(signed)
        if found is None and self._may_be_new(signed):
            self._wait_for_a_reading()
            found = self._found(signed)
        if found is not None:
            return found
        if self._good() is None:
            raise IssuerUnavailableError("the keys of the issuer cannot be read now; ask again in a moment")
        raise TokenRefusedError("the issuer has no key that this token could be signed with")

    def _good(self) -> KeySet | None:
        return self._keys if time.monotonic() - self._read_at < self._times.good_s else None

    def _found(self, signed: SignedBy) -> PyJWK | None:
        keys = self._good()
        return keys.key(signed.key_id, signed.algorithm) if keys is not None else None

    def _may_be_new(self, signed: SignedBy) -> bool:
        """A key of that name with another algorithm is no new one, nor is one among several without a name."""
        keys = self._good()
        if keys is None:
            return True
        if signed.key_id is None:
            return not keys.by_algorithm.get(signed.algorithm)
        return signed.key_id not in keys.names

    def _wait_for_a_reading(self) -> None:
        if not self._waiting.acquire(blocking=False):
            raise IssuerUnavailableError("the keys of the issuer are being read; ask again in a moment")
        try:
            with self._changed:
                before = self._readings
                if not self._reading:
                    if self._readings and time.monotonic() - self._begun_at < self._times.again_s:
                        return
                    self._wanted = True
                    self._changed.notify_all()
                if not self._changed.wait_for(lambda: self._readings > before, self._times.wait_s):
                    raise IssuerUnavailableError("the issuer has not answered yet; ask again in a moment")
        finally:
            self._waiting.release()

    def _run(self) -> None:
        while True:
            with self._changed:
                if self._stopping:
                    return
                self._wanted, self._reading, self._begun_at = False, True, time.monotonic()
            is_read = self._is_read()
            with self._changed:
                self._reading = False
                self._readings += 1
                self._changed.notify_all()
                pause = self._times.kept_s if is_read else self._times.again_s
                self._changed.wait_for(lambda: self._wanted or self._stopping, pause)

    def _is_read(self) -> bool:
        try:
            self._keys = self._read()
        except SourceRefusedError as error:
            self._note(str(error))
            return False
        except Exception:  # noqa: BLE001 - a thread that ends unseen would keep old keys
            _log.exception("the issuer's keys are not read: a defect")
            return False
        self._read_at = time.monotonic()
        self._note("")
        return True

    def _note(self, problem: str) -> None:
        """Once for each change; what is away for hours fills no log."""
        if problem == self._problem:
            return
        self._problem = problem
        if problem:
            _log.warning(
                "the issuer's keys are not read; those from before serve", extra={"problem": problem}
            )
        else:
            _log.info("the issuer's keys are read again")
