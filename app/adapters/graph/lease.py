"""The lease that makes one writer of many, kept in the graph."""

import hashlib
import os
import secrets
import socket
import sys
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias

from app.adapters.graph.connection import GraphConnection, GraphTransaction, Row
from app.adapters.graph.statements import Statement, Statements
from app.errors import LeaseHeldError, LeaseLostError, StoreUnavailableError

TTL_S = 15.0
_POLL_S = 0.2


_Work: TypeAlias = Callable[[GraphTransaction], Sequence[Row]]


def _nothing(_: GraphTransaction) -> Sequence[Row]:
    return ()


def lease_owner() -> str:
    """A new name for a writer in this process: `host@place:pid:random`."""
    return f"{_home()}:{os.getpid()}:{secrets.token_hex(4)}"


class Lease:
    """Held from `with` to its end; renewed in the background and by every write.

    Args:
        graph: where; opened and closed by the caller.
        statements: the store's own.
        owner: who; `lease_owner()` makes one that a later writer in this place can see to be dead.
        wait_s: how long to wait for another writer.
        ttl_s: how long it lasts without renewal, by the database's clock.
    """

    def __init__(
        self,
        graph: GraphConnection,
        statements: Statements,
        *,
        owner: str,
        wait_s: float,
        ttl_s: float = TTL_S,
    ) -> None:
        self.owner = owner
        self._graph = graph
        self._statements = statements
        self._wait_s = wait_s
        self._ttl_s = ttl_s
        self._ttl_ms = round(ttl_s * 1000)
        self._writes = 0
        self._lock = threading.Lock()
        self._renewed = 0.0
        self._lost: LeaseLostError | None = None
        self._ended = threading.Event()
        self._heart = threading.Thread(target=self._beat, name="lease", daemon=True)

    def __enter__(self) -> Self:
        """Take the lease.

        Raises:
            LeaseHeldError: another writer held it for longer than `wait_s`.
        """
        deadline = time.monotonic() + self._wait_s
        dead: str | None = None
        while (row := self._ask(dead))["holder"] != self.owner:
            dead = row["holder"] if owner_is_dead(row["holder"]) else None
            if dead is None and time.monotonic() >= deadline:
                until = datetime.fromtimestamp(row["until_ms"] / 1000, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
                raise LeaseHeldError(
                    f"{row['holder']} (host@place:pid:writer) is writing to the graph and holds its lease until {until},"
                    f" renewed while it works; waited {self._wait_s:g} s (OUTFITTER_LEASE_WAIT_S):"
                    " try again when it has finished"
                )
            if dead is None:
                time.sleep(min(_POLL_S, max(0.0, deadline - time.monotonic())))
        self._renewed = time.monotonic()
        self._heart.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the lease back; one that cannot be given back runs out."""
        self._ended.set()
        self._heart.join()
        try:
            self._graph.write(
                lambda transaction: transaction.run(self._statements.remove_lease, owner=self.owner)
            )
        except StoreUnavailableError:
            if error is None:
                raise

    def run(self, statement: Statement, *, kept: Statement | None = None, **params: Any) -> Sequence[Row]:
        """Run a statement exactly once, in a transaction that renews the lease first.

        Args:
            statement: what to run.
            kept: run instead, for its rows, when the answer to the commit was lost with the connection and
                the transaction turns out to have been kept; none: no rows then.
            params: of `statement`.

        Raises:
            LeaseLostError: somebody else has the lease; nothing was written.
            StoreUnavailableError: the database does not answer.
        """
        with self._lock:
            return self._run(
                lambda transaction: transaction.run(statement, **params),
                lambda transaction: transaction.run(kept) if kept else (),
            )

    def _run(self, work: _Work, kept: _Work) -> Sequence[Row]:
        if self._lost:
            raise self._lost
        self._writes += 1
        renewal = {"owner": self.owner, "write": f"{self.owner}:{self._writes}", "ttl_ms": self._ttl_ms}

        def fenced(transaction: GraphTransaction) -> Sequence[Row]:
            rows = transaction.run(self._statements.put_lease_renewal, **renewal)
            if not rows or not rows[0]["held"]:
                holder = rows[0]["holder"] if rows else ""
                raise LeaseLostError(
                    f"{self.owner} no longer holds the writer's lease, {holder or 'nobody'} does: this ingest"
                    " stopped; run it again to finish what it began"
                )
            return kept(transaction) if rows[0]["done"] else work(transaction)

        try:
            result = self._graph.write(fenced)
        except LeaseLostError as error:
            self._lost = error
            raise
        self._renewed = time.monotonic()
        return result

    def _ask(self, dead: str | None) -> Row:
        rows = self._graph.write(
            lambda transaction: transaction.run(
                self._statements.put_lease, owner=self.owner, dead=dead, ttl_ms=self._ttl_ms
            )
        )
        if not rows:
            raise LeaseLostError("the graph has no catalogue node to hold the lease: apply the schema first")
        return rows[0]

    def _beat(self) -> None:
        """Renew while no write does."""
        pause = self._ttl_s / 5
        while not self._ended.wait(pause):
            with self._lock:
                if time.monotonic() - self._renewed < pause:
                    continue
                try:
                    self._run(_nothing, _nothing)
                except LeaseLostError:
                    return
                except StoreUnavailableError:
                    # The writer meets the same at its next write and says so.
                    continue


def _home() -> str:
    return f"{socket.gethostname().replace(':', '-')}@{process_place()}"


def owner_is_dead(owner: str) -> bool:
    """Whether the owner was a process that would be seen here, and has ended.

    Containers and copies of a machine may have one host name, and each its own processes of the same ids.
    """
    home, _, rest = owner.partition(":")
    pid = rest.partition(":")[0]
    # Windows has no signal 0; there a dead owner's lease runs out.
    if home != _home() or not pid.isdecimal() or sys.platform == "win32":
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


_DIGITS = 12
"""48 bits: enough to distinguish places of one host name, and a name stays readable."""


@lru_cache(maxsize=1)
def process_place() -> str:
    """A short name that processes share only if one of them can see by its id whether another lives.

    On Linux containers and clones of a machine have places of their own, and so has the machine after its next
    start; elsewhere the place is the machine. Where nothing says where a process runs, it has a place of its own.
    A machine that is copied while it runs shares its place with the copy.
    """
    return hashlib.sha256(_identity().encode()).hexdigest()[:_DIGITS]


def _identity() -> str:
    if sys.platform != "linux":
        # Without a network card the library makes a random number, which no other process has.
        return f"{uuid.getnode():x}"
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return secrets.token_hex()
