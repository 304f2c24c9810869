"""Where a graph database listens and how to log in."""

from dataclasses import dataclass

from pydantic import SecretStr


@dataclass(frozen=True, slots=True)
class BoltAddress:
    """Address, credentials and database name for the Bolt driver."""

    uri: str
    username: str
    password: SecretStr
    database: str
