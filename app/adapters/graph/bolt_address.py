"""Where a graph database listens and how to log in."""

from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pydantic import SecretStr

from app.domain.calling.addresses import is_loopback_name


@dataclass(frozen=True, slots=True)
class BoltAddress:
    """Address, credentials and database name for the Bolt driver; equal ones are one database."""

    uri: str
    username: str
    password: SecretStr
    database: str
    vouch: Callable[[], None] | None = field(default=None, compare=False, repr=False)
    """Asked once a connection is made and before the password is sent.

    Raises StoreUnavailableError where what listens there is not known to be the database any more.
    """

    @property
    def is_clear(self) -> bool:
        """Whether the password travels unencrypted to another machine; False for what is no Bolt address."""
        try:
            parts = urlsplit(self.uri)
        except ValueError:
            return False
        return parts.scheme in ("bolt", "neo4j") and not is_loopback_name(parts.hostname or "")
