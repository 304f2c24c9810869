"""The lease that makes one writer of many, kept in the graph."""

import os
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from types import TracebackType
from typing import Self, TypeVar

from app.adapters.cypher_files import Statements
from app.adapters.graph_connection import GraphConnection, GraphTransaction, Row
from app.errors import LeaseHeldError, LeaseLostError, StoreUnavailableError

T = TypeVar("T")

TTL_S = 15.0
_POLL_S = 0.2


def lease_owner() -> str:
    """A new name for a writer in this process: `host:pid:random`."""
    return f"{_host()}:{os.getpid()}:{secrets.token_hex(4)}"


class Lease:
    """Held from `with` to its end; renewed in the background and by every write.

    Args:
        graph: where; opened and closed by the caller.
        statements: the store's own.
        owner: who; `lease_owner()` makes one that a later writer on this host can see to be dead.
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
                    f"{row['holder']} (host:pid:writer) is writing to the graph and holds its lease until {until},"
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

    def write(self, work: Callable[[GraphTransaction], T]) -> T:
        """Do `work` in a transaction that renews the lease first.

        Raises:
            LeaseLostError: somebody else has the lease; nothing was written.
        """
        with self._lock:
            return self._write(work)

    def _write(self, work: Callable[[GraphTransaction], T]) -> T:
        if self._lost:
            raise self._lost

        def fenced(transaction: GraphTransaction) -> T:
            (row,) = transaction.run(
                self._statements.put_lease_renewal, owner=self.owner, ttl_ms=round(self._ttl_s * 1000)
            ) or [{"held": False, "holder": ""}]
            if not row["held"]:
                raise LeaseLostError(
                    f"{self.owner} no longer holds the writer's lease, {row['holder'] or 'nobody'} does: this ingest"
                    " stopped; run it again to finish what it began"
                )
            return work(transaction)

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
                self._statements.put_lease, owner=self.owner, dead=dead, ttl_ms=round(self._ttl_s * 1000)
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
                    self._write(lambda _: None)
                except LeaseLostError:
                    return
                except StoreUnavailableError:
                    # The writer meets the same at its next write and says so.
                    continue


def _host() -> str:
    return socket.gethostname().replace(":", "-")


def owner_is_dead(owner: str) -> bool:
    """Whether the owner was a process of this host that has ended."""
    host, _, rest = owner.partition(":")
    pid = rest.partition(":")[0]
    # Windows has no signal 0; there a dead owner's lease runs out.
    if host != _host() or not pid.isdecimal() or sys.platform == "win32":
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False
