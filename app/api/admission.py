"""Whom the gate lets in, and how it says that it does not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

from app.api.caller_limits import Slowed
from app.domain.access.callers import Caller, CallerList, CallerScope
from app.domain.access.claims import Identity
from app.domain.access.resource import MCP_PATH, ProtectedResource
from app.domain.access.rules import RuleBook
from app.errors import IssuerUnavailableError, TokenRefusedError
from app.ports.identity import TokenVerifier
from app.service.workers import Workers

CHECKING: Final = 4
"""Threads that check tokens: a signature takes some 0.1 ms, so that they check thousands in a second."""
_IN_QUERY: Final = "access_token"
"""RFC 6750, section 2.3, which OAuth 2.1 leaves out: addresses end up in logs."""


@dataclass(frozen=True, slots=True)
class NotAdmitted:
    """Why somebody is not let in."""

    status: int
    reason: str
    is_invalid: bool = False
    """A token was given, and nobody has it."""
    needed: tuple[CallerScope, ...] = ()
    """Scopes that the request takes, of status 403."""
    error: str = ""
    """What RFC 6750 calls it, where the status does not say."""
    slowed: Slowed | None = None
    """Of status 429."""

    def headers(self, resource: ProtectedResource | None) -> Mapping[str, str]:
        """Of the answer; `resource` as in `challenge`."""
        found = {
            "WWW-Authenticate": self.challenge(resource),
            "Retry-After": self.slowed.retry_after if self.slowed else None,
        }
        return {name: value for name, value in found.items() if value is not None}

    def challenge(self, resource: ProtectedResource | None) -> str | None:
        """`WWW-Authenticate` (RFC 6750); `resource` is what was asked for, where clients can find out how to get a token."""
        if self.needed:
            parts = ['error="insufficient_scope"', f'scope="{" ".join(self.needed)}"']
            if resource is not None:
                parts.append(f'resource_metadata="{resource.metadata_url}"')
        elif self.status == 401:
            parts = ['error="invalid_token"'] if self.is_invalid else []
            if resource is not None:
                parts.append(resource.challenge())
        elif self.error:
            parts = [f'error="{self.error}"']
        else:
            return None
        return f"Bearer {', '.join(parts)}".strip()


@dataclass(frozen=True, slots=True)
class UncheckedToken:
    """A token that may be one of the issuer's: whose it is takes a signature to find out."""

    text: str


@dataclass(frozen=True, slots=True)
class TrustedIssuer:
    """Whose tokens are accepted beside those of this service."""

    verifier: TokenVerifier
    resource: ProtectedResource

    def of_path(self, path: str) -> ProtectedResource | None:
        """What is asked for at a path, as clients of OAuth know it: `/mcp` alone."""
        return self.resource if path == MCP_PATH else None

    def known(self, given: bytes, admitted: "Admitted") -> Caller | NotAdmitted | None:
        """Whose token it is if it was checked a moment ago; takes microseconds."""
        identity = self.verifier.known(given.decode("latin-1"))
        return None if identity is None else admitted.who(identity)

    async def check(self, token: str, admitted: "Admitted", workers: Workers) -> "Caller | NotAdmitted":
        """Whose token it is, found out in a thread."""
        try:
            return admitted.who(await workers.run(lambda: self.verifier.verify(token)))
        except TokenRefusedError as error:
            return NotAdmitted(401, str(error), is_invalid=True)
        except IssuerUnavailableError as error:
            return NotAdmitted(503, str(error))


@dataclass(frozen=True, slots=True)
class Admitted:
    """What the files of now make of somebody whom the issuer knows."""

    callers: Callable[[], CallerList] | None
    rules: Callable[[], RuleBook] | None

    def who(self, identity: Identity) -> Caller | NotAdmitted:
        """The caller, in the groups that policies name; looked at with each request, whatever is kept of the token."""
        if self.is_blocked(identity.id):
            return NotAdmitted(401, "the token is not accepted any more", is_invalid=True)
        groups = self.rules().groups_meant_by(identity.values) if self.rules is not None else frozenset()
        return identity.caller(groups)

    def is_blocked(self, caller: str) -> bool:
        """Whether the file keeps somebody out, whatever the issuer says."""
        return self.callers is not None and caller in self.callers().blocked


def in_query(query: bytes) -> NotAdmitted | None:
    """Why a request is refused that has a token in its address, whether or not it has one in its headers."""
    if not query or all(name != _IN_QUERY for name, _ in parse_qsl(query.decode("latin-1"), True)):
        return None
    return NotAdmitted(
        400, "a token stands in the address; accepted: the header Authorization", error="invalid_request"
    )
