"""The audit of calls: a log line, and a line of JSON in a file that only grows, until it makes room for the next."""

import json
import logging
import os
import threading
import time
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from app.adapters.engine.folder import FileLock
from app.domain.calling.calls import CallEvent
from app.errors import AuditError

_log = logging.getLogger("app.calls")
_LOCK_WAIT_S = 5.0


class AuditFile:
    """Fits `Audit`; several processes may share one file, and threads one object.

    A file that would grow over `max_bytes` is renamed to `NAME.1`, over the one that was there: what is kept
    is between one and two times `max_bytes`. Only the file's owner may read it.

    Args:
        path: of the file; its folder is made where it is missing.
        max_bytes: the most that one file takes.
    """

    def __init__(self, path: Path, *, max_bytes: int) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._thread = threading.Lock()

    def record(self, event: CallEvent) -> None:
        """Append the event.

        Raises:
            AuditError: the file cannot be written; the message names it and says why.
        """
        facts = {key: value for key, value in asdict(event).items() if value not in (None, "")}
        facts = {"at": datetime.now(UTC).isoformat(timespec="milliseconds"), **facts}
        line = json.dumps(facts, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        try:
            with self._thread:
                self._append(line)
        except OSError as error:
            raise AuditError(
                f"the audit file {self._path} (OUTFITTER_AUDIT_FILE) cannot be written: {error.strerror}; nothing is"
                " called without it"
            ) from error
        _log.info(
            "call",
            extra={key: value for key, value in facts.items() if key != "event"} | {"step": event.event},
        )

    def _append(self, line: bytes) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(self._path.with_name(f"{self._path.name}.lock")) as lock:
            end = time.monotonic() + _LOCK_WAIT_S
            while not lock.try_exclusive():
                if time.monotonic() > end:
                    raise OSError(None, "another process holds its lock")
                time.sleep(0.002)
            with suppress(FileNotFoundError):
                if self._path.stat().st_size + len(line) > self._max_bytes:
                    self._path.replace(self._path.with_name(f"{self._path.name}.1"))
            descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                written = os.write(descriptor, line)
            finally:
                os.close(descriptor)
            if written < len(line):
                raise OSError(None, "only a part of a line could be written")
