"""The password of a database, given to the driver for connections to that database only."""

import threading
from collections.abc import Sequence

from neo4j import Auth, basic_auth
from neo4j.addressing import Address
from neo4j.auth_management import AuthManager
from neo4j.exceptions import Neo4jError, ServiceUnavailable

from app.adapters.graph.bolt_address import BoltAddress
from app.errors import StoreUnavailableError


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
