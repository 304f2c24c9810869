"""Whoever says whom a token of an identity provider is about."""

from typing import Protocol

from app.domain.access.claims import Identity


class TokenVerifier(Protocol):
    """Checks access tokens; threads may share it."""

    def known(self, token: str) -> Identity | None:
        """Whom a token is about that was checked a moment ago and has not ended; asks nobody, and takes microseconds."""

    def verify(self, token: str) -> Identity:
        """Whom a token is about. Takes a signature, and waits where keys have to be read: call it in a worker's thread.

        Raises:
            TokenRefusedError: it lets nobody in.
            IssuerUnavailableError: nobody can say now.
        """
