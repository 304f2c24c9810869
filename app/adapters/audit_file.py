"""The audit: a log line, and a line of JSON in a file that only grows, until it makes room for the next.

Each line holds the one before it (`app/domain/audit/chain.py`); where the file stands is looked up and written under one
lock, so that several processes make one chain.
"""

import logging
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Final

from app.adapters.engine.folder import FileLock
from app.domain.audit.chain import FILE, START, ChainEnd, digest_of_line, line_of, read_end
from app.domain.audit.events import AccessEvent, SearchEvent
from app.domain.calling.calls import CallEvent
from app.errors import AuditError

_log = logging.getLogger("app.calls")
_LOCK_WAIT_S: Final = 5.0
_KINDS: Final = {CallEvent: "call", AccessEvent: "access", SearchEvent: "given"}
"""What the log calls them."""
_DIGITS: Final = 4
"""Of the number of a file that made room: OUTFITTER_AUDIT_FILES ends at 1000."""
_BLOCK: Final = 65_536
"""Bytes that are read at once from the end; most lines take a few hundred."""


@dataclass(frozen=True, slots=True)
class _Tail:
    """How a file ends."""

    end: ChainEnd | None
    """Of its last whole line; None where that is of no chain."""
    last: str
    """SHA-256 of that line."""
    torn: bytes
    """The beginning of a line whose writer was killed."""


class AuditFile:
    """Fits `Audit`; several processes may share one file, and threads one object.

    A file that would grow over `max_bytes` becomes `NAME.1`, that one `NAME.2`, and so on. Only the files' owner may
    read them.

    Args:
        path: of the file; its folder is made where it is missing.
        max_bytes: the most that one file takes.
        files: how many are kept, the one that grows among them.
    """

    def __init__(self, path: Path, *, max_bytes: int, files: int) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._files = files
        self._thread = threading.Lock()
        self._end: ChainEnd | None = None

    @property
    def end(self) -> ChainEnd | None:
        """Where the chain stood after what this object wrote last; None before."""
        return self._end

    def record(self, event: CallEvent | AccessEvent | SearchEvent) -> None:
        """Append the event.

        Raises:
            AuditError: the file cannot be written; the message names it and says why.
        """
        facts = {key: value for key, value in asdict(event).items() if value not in (None, "")}
        if not facts.get("groups"):
            facts.pop("groups", None)
        facts = {"at": _now(), **facts}
        try:
            with self._thread:
                self._append(facts)
        except OSError as error:
            raise AuditError(
                f"the audit file {self._path} (OUTFITTER_AUDIT_FILE) cannot be written: {error.strerror}; nothing is"
                " called without it"
            ) from error
        said = {key: value for key, value in facts.items() if key != "event"}
        _log.info(_KINDS[type(event)], extra={**said, "step": event.event})

    def _append(self, facts: Mapping[str, object]) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(self._path):
            tail = _tail(self._path)
            lines = _lines(facts, tail, tail.end.chain) if tail and tail.end else b""
            is_full = tail is not None and self._path.stat().st_size + max(len(lines), 1) > self._max_bytes
            if is_full:
                self._rotate()
            if tail is None or is_full or not lines:
                # Where the newest file was taken away, the next one goes on from the one before it.
                lines = self._begun(tail or _tail(_numbered(self._path, 1)), facts)
            self._write(lines)
            self._end = read_end(lines[:-1].rpartition(b"\n")[2])

    def _begun(self, tail: _Tail | None, facts: Mapping[str, object]) -> bytes:
        """The line that begins a file, or the chain in a file of an earlier Outfitter, and the event's."""
        chain = tail.end.chain if tail and tail.end else token_hex(8)
        first = _lines({"at": _now(), "event": FILE, "older": len(_older(self._path))}, tail, chain)
        if not self._path.exists():
            # A line that was torn ended with its file.
            first = first.lstrip(b"\n")
        return first + line_of(facts, chain=chain, before=digest_of_line(first.strip(b"\n"))) + b"\n"

    def _write(self, lines: bytes) -> None:
        descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            written = os.write(descriptor, lines)
        finally:
            os.close(descriptor)
        if written < len(lines):
            raise OSError(None, "only a part of a line could be written")

    def _rotate(self) -> None:
        """Give each file the next number; those beyond the last go once all have it."""
        for number in range(_run(self._path), 0, -1):
            _numbered(self._path, number).replace(_numbered(self._path, number + 1))
        self._path.replace(_numbered(self._path, 1))
        for number, path in _older(self._path):
            if number >= self._files:
                path.unlink(missing_ok=True)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold the lock of an audit."""
    with FileLock(path.with_name(f"{path.name}.lock")) as lock:
        end = time.monotonic() + _LOCK_WAIT_S
        while not lock.try_exclusive():
            if time.monotonic() > end:
                raise OSError(None, "another process holds its lock")
            time.sleep(0.002)
        yield


def audit_files(path: Path) -> list[Path]:
    """The files of an audit, the oldest first."""
    return [*(found for _, found in reversed(_older(path))), *([path] if path.exists() else [])]


def read_audit(path: Path) -> list[tuple[str, list[bytes]]]:
    """Name and lines of each file, the oldest first, at one moment.

    Raises:
        AuditError: there is no file, or one cannot be read.
    """
    try:
        with _alone(path):
            found = [(one.name, _split(one.read_bytes())) for one in audit_files(path)]
    except OSError as error:
        raise AuditError(f"the audit file {path} cannot be read: {error.strerror}") from error
    if not found:
        raise AuditError(
            f"there is no audit file {path}; accepted: the one of OUTFITTER_AUDIT_FILE, or its name"
        )
    return found


def _split(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def _lines(facts: Mapping[str, object], tail: _Tail | None, chain: str) -> bytes:
    """The line of facts behind a tail; one that was torn is ended first."""
    torn = tail.torn if tail else b""
    before = tail.last if tail else START
    line = line_of(facts, chain=chain, before=before, torn=digest_of_line(torn) if torn else "")
    return (b"\n" if torn else b"") + line + b"\n"


def _tail(path: Path) -> _Tail | None:
    """How a file ends; None where there is no line."""
    data = b""
    with suppress(FileNotFoundError), path.open("rb") as file:
        at = file.seek(0, os.SEEK_END)
        # Until it has the last whole line with the end of the one before.
        while at and data.rstrip(b"\n").count(b"\n") < 2:
            step = min(_BLOCK, at)
            at = file.seek(at - step)
            data = file.read(step) + data
            file.seek(at)
    if not data:
        return None
    whole, _, torn = data.rpartition(b"\n")
    last = whole.rpartition(b"\n")[2]
    return _Tail(read_end(last), digest_of_line(last) if last else START, torn)


def _numbered(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.{number}")


def _older(path: Path) -> list[tuple[int, Path]]:
    """Files that made room, the newest first."""
    prefix = f"{path.name}."
    found = (
        [one for one in path.parent.iterdir() if one.name.startswith(prefix)] if path.parent.is_dir() else []
    )
    numbers = ((one.name.removeprefix(prefix), one) for one in found)
    return sorted(
        (int(number), one) for number, one in numbers if number.isdecimal() and len(number) <= _DIGITS
    )


def _run(path: Path) -> int:
    """How many there are from the first without a gap, which a killed writer may have left."""
    numbers = {number for number, _ in _older(path)}
    return next(number for number in range(len(numbers) + 1) if number + 1 not in numbers)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
