"""The connection to the graph database, and its password. The only module that imports the driver."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from threading import Condition, Lock
from typing import Any, Self, TypeAlias, TypeVar

from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    Auth,
    Driver,
    GraphDatabase,
    ManagedTransaction,
    NotificationMinimumSeverity,
    Query,
    Result,
    basic_auth,
)
from neo4j.addressing import Address
from neo4j.auth_management import AuthManager
from neo4j.exceptions import (
    AuthError,
    BrokenRecordError,
    ConfigurationError,
    ConstraintError,
    DriverError,
    Neo4jError,
    ResultError,
    ServiceUnavailable,
    SessionError,
    SessionExpired,
    TransactionError,
)

from app.adapters.graph.bolt_address import BoltAddress
from app.adapters.graph.statements import Statement
from app.errors import StoreUnavailableError
from app.ports.spans import query_of

Row: TypeAlias = Mapping[str, Any]
T = TypeVar("T")

_CONNECT_S = 5.0
_LAST_CALLS_S = 2.0
"""What is under way is waited for this long before its connections are closed."""
_WRITE_RETRY_S = 1.0
"""Short, because the driver's own retries do not start the embedded engine again; ours do."""
_SCHEMES = {f"{scheme}{tls}" for scheme in ("bolt", "neo4j") for tls in ("", "+s", "+ssc")}
_ACCEPTED = "accepted: bolt://host:port or neo4j://host:port, with +s or +ssc for TLS (NEO4J_URI)"
_MISTAKES = (SessionError, TransactionError, ResultError, BrokenRecordError)
"""The driver's errors about how it is used; all others are about the server, or that it cannot be worked with."""
_ALL_ROWS = -1
"""Ask the server for the whole answer at once; an answer is held in memory either way."""


class GraphEngine(StrEnum):
    """Which database answers; the value is the folder of its schema files."""

    EMBEDDED = "embedded"
    NEO4J = "neo4j"


class UniqueIdError(Exception):
    """A write would give two nodes of a label one id; nothing of its transaction was written."""


class GraphTransaction:
    """A write transaction; what its work does is kept as a whole or not at all."""

    def __init__(self, transaction: ManagedTransaction, engine: GraphEngine) -> None:
        self._transaction = transaction
        self._engine = engine

    def run(self, statement: Statement, **params: Any) -> Sequence[Row]:
        """Run a statement; its rows."""
        with query_of(statement.name, self._engine):
            return _rows(self._transaction.run(statement.text, params))

    def run_text(self, text: str) -> None:
        """Run a statement of a schema file."""
        self._transaction.run(text).consume()


class GraphConnection:
    """One connection pool to one graph database; safe to share between threads.

    Args:
        connect: returns where the database listens; called when the store opens and again when the
            database has gone away, so that it may start it again.
        engine: which database it is.
        notifications: let the server's warnings about statements reach the log; tests fail on them.
    """

    def __init__(
        self, connect: Callable[[], BoltAddress], *, engine: GraphEngine, notifications: bool = False
    ) -> None:
        self.engine = engine
        self._connect = connect
        self._notifications = notifications
        self._lock = Lock()
        self._opened: tuple[BoltAddress, Driver] | None = None
        self._closed = False
        self._calls = 0
        """Under way now."""
        self._ended = Condition()

    def __enter__(self) -> Self:
        """Open the pool and see whether the database answers.

        Raises:
            StoreUnavailableError: it does not, or refuses the credentials or the database's name.
        """
        self._closed = False
        try:
            self._probe()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Close the pool."""
        self.close()

    def close(self) -> None:
        """Close the pool; a call that comes later, from a thread that goes on, is refused and opens no other.

        Calls under way end first, unless they take long: the driver leaves a connection open that is being opened while
        its pool is closed.
        """
        with self._lock:
            opened, self._opened = self._opened, None
            self._closed = True
        if opened:
            with self._ended:
                self._ended.wait_for(lambda: not self._calls, _LAST_CALLS_S)
            opened[1].close()

    def read(self, statement: Statement, *, timeout_s: float | None = None, **params: Any) -> Sequence[Row]:
        """The rows of a reading statement, in one round trip and outside a transaction.

        Once more after any failure of the database: a statement that reads may meet what a writer is just
        removing, and not every engine calls that transient.

        Raises:
            StoreUnavailableError: the database does not answer, or not within `timeout_s`.
        """
        with query_of(statement.name, self.engine):
            return self._read(statement, timeout_s, params)

    def _read(self, statement: Statement, timeout_s: float | None, params: Row) -> Sequence[Row]:
        if timeout_s is None:
            return self._twice(lambda address, driver: _fetch(address, driver, statement.text, params))
        query, begin = Query(statement.text, timeout=timeout_s), time.monotonic()
        try:
            return self._twice(lambda address, driver: _fetch(address, driver, query, params))
        except Neo4jError as error:
            # An error after so long is the server's own limit, whatever its engine calls it.
            if time.monotonic() - begin < timeout_s:
                raise
            raise StoreUnavailableError(f"no answer to a query within {timeout_s:g} s: {error}") from error

    def write(self, work: Callable[[GraphTransaction], T]) -> T:
        """Do `work` in a transaction, again when the database asks for it; it must be repeatable.

        Raises:
            StoreUnavailableError: the database does not answer.
            UniqueIdError: an id would not be unique.
        """
        return self._twice(
            lambda address, driver: _execute(address, driver, work, self.engine), reading=False
        )

    def _probe(self) -> None:
        """Ask for 1; whatever else the server objects to has to do with the address, not with the statement."""
        try:
            self._twice(lambda address, driver: _fetch(address, driver, "RETURN 1", {}))
        except ValueError as error:
            address, _ = self._open()
            raise StoreUnavailableError(
                f"{address.uri!r} is not a Bolt address: {error}; {_ACCEPTED}"
            ) from error
        except (Neo4jError, DriverError) as error:
            address, _ = self._open()
            raise StoreUnavailableError(
                f"{address.uri}: database {address.database!r} cannot be used: {getattr(error, 'message', error)};"
                " check NEO4J_DATABASE"
            ) from error

    def _twice(self, call: Callable[[BoltAddress, Driver], T], *, reading: bool = True) -> T:
        with self._counted():
            return self._tried_twice(call, reading=reading)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        with self._ended:
            self._calls += 1
        try:
            yield
        finally:
            with self._ended:
                self._calls -= 1
                self._ended.notify_all()

    def _tried_twice(self, call: Callable[[BoltAddress, Driver], T], *, reading: bool) -> T:
        address, driver = self._open()
        try:
            return call(address, driver)
        except DriverError as error:
            if isinstance(error, _MISTAKES):
                raise
            address, driver = self._reopen(driver)
        except Neo4jError as error:
            if isinstance(error, AuthError) or not (reading or error.is_retryable()):
                with _translated(address):
                    raise
        with _translated(address):
            return call(address, driver)

    def _open(self) -> tuple[BoltAddress, Driver]:
        opened = self._opened
        if opened is not None:
            return opened
        with self._lock:
            self._refuse_if_closed()
            if self._opened is None:
                self._opened = self._new()
            return self._opened

    def _reopen(self, failed: Driver) -> tuple[BoltAddress, Driver]:
        """The database has gone away: ask again where it is; the pool is kept when it is still there."""
        with self._lock:
            self._refuse_if_closed()
            if self._opened is None or self._opened[1] is failed:
                address = self._connect()
                if self._opened is None or self._opened[0] != address:
                    self._opened = self._new(address)
                    with suppress(DriverError):
                        failed.close()
            return self._opened

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreUnavailableError("the connections to the graph database are closed")

    def _new(self, address: BoltAddress | None = None) -> tuple[BoltAddress, Driver]:
        address = address or self._connect()
        if address.uri.partition("://")[0] not in _SCHEMES:
            raise StoreUnavailableError(f"{address.uri!r} is not a Bolt address: {_ACCEPTED}")
        severity = NotificationMinimumSeverity.INFORMATION
        password = VouchedPassword(address)
        try:
            driver = GraphDatabase.driver(
                address.uri,
                auth=password,
                resolver=password.resolve,
                connection_timeout=_CONNECT_S,
                connection_acquisition_timeout=4 * _CONNECT_S,
                max_transaction_retry_time=_WRITE_RETRY_S,
                notifications_min_severity=severity
                if self._notifications
                else NotificationMinimumSeverity.OFF,
                user_agent="outfitter",
            )
        except (ConfigurationError, ValueError) as error:
            raise StoreUnavailableError(
                f"{address.uri!r} is not a Bolt address: {error}; {_ACCEPTED}"
            ) from error
        return address, driver


def _rows(result: Result) -> Sequence[Row]:
    """Rows as dicts: the driver's own look a column's name up each time, which shows at 50,000 rows."""
    columns = result.keys()
    return [dict(zip(columns, record.values(), strict=True)) for record in result]


def _fetch(address: BoltAddress, driver: Driver, query: str | Query, params: Row) -> Sequence[Row]:
    with driver.session(
        database=address.database, default_access_mode=READ_ACCESS, fetch_size=_ALL_ROWS
    ) as session:
        # The driver asks for a literal, against queries made of user's text; ours come from files.
        return _rows(session.run(query, params))  # type: ignore[arg-type]


def _execute(
    address: BoltAddress, driver: Driver, work: Callable[[GraphTransaction], T], engine: GraphEngine
) -> T:
    with driver.session(database=address.database, default_access_mode=WRITE_ACCESS) as session:
        return session.execute_write(lambda transaction: work(GraphTransaction(transaction, engine)))


@contextmanager
def _translated(address: BoltAddress) -> Iterator[None]:
    """Turn what a caller can act on into our errors; a mistake in a statement stays the driver's error."""
    try:
        yield
    except AuthError as error:
        raise StoreUnavailableError(_refused(address)) from error
    except ConstraintError as error:
        raise UniqueIdError(str(error.message)) from error
    except (ServiceUnavailable, SessionExpired) as error:
        raise StoreUnavailableError(
            f"the graph database at {address.uri} does not answer: {error}; check that it runs and that"
            " NEO4J_URI names its Bolt port"
        ) from error
    except DriverError as error:
        if isinstance(error, _MISTAKES):
            raise
        raise StoreUnavailableError(
            f"the graph database at {address.uri} cannot be used: {error}; accepted: the Bolt port of an Outfitter"
            " engine, or of a Neo4j from 5.26 on (NEO4J_URI)"
        ) from error
    except Neo4jError as error:
        if not error.is_retryable():
            raise
        raise StoreUnavailableError(
            f"the graph database at {address.uri} gave up twice: {error}; try again later"
        ) from error


def _refused(address: BoltAddress) -> str:
    return (
        f"{address.uri} refuses user {address.username!r}: check NEO4J_USERNAME and NEO4J_PASSWORD"
        " (after several wrong passwords Neo4j refuses every one for a while)"
    )


class VouchedPassword(AuthManager):
    """Asks the address to vouch for its listener whenever the driver has connected, before it sends the password.

    The driver calls `resolve` before it connects and `get_auth` once both sides have agreed on a version, in one
    thread; for connections that it has open it calls `get_auth` alone and sends nothing.
    """

    def __init__(self, address: BoltAddress) -> None:
        self._vouch = address.vouch
        self._auth = basic_auth(address.username, address.password.get_secret_value())
        self._thread = threading.local()
        self._resolves = False

    def resolve(self, address: Address) -> Sequence[Address]:
        """The address as it is; from here on this thread is connecting."""
        self._resolves = self._thread.connecting = True
        return [address]

    def get_auth(self) -> Auth:
        """The password.

        Raises:
            ServiceUnavailable: the listener is not the database.
        """
        # A driver that did not call `resolve` would be asked about each time.
        connecting = getattr(self._thread, "connecting", not self._resolves)
        if self._vouch is not None and connecting:
            try:
                self._vouch()
            except (StoreUnavailableError, OSError) as error:
                raise ServiceUnavailable(str(error)) from error
        self._thread.connecting = False
        return self._auth

    def handle_security_exception(self, auth: object, error: Neo4jError) -> bool:  # noqa: ARG002 - the driver's
        """No other password is to be had."""
        return False
