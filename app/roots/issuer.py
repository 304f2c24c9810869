"""The issuer of the settings, whose tokens let people in."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from app.api.admission import TrustedIssuer
from app.domain.access.claims import ExpectedTokens
from app.domain.access.resource import ProtectedResource, check_issuer, check_resource
from app.errors import InvalidInputError, ServeRefusedError
from app.settings import Settings

if TYPE_CHECKING:
    from app.adapters.oidc.keys import IssuerKeys

_MAX_AUDIENCE_CHARS = 2_000
"""As long as an address that browsers take."""


class OpenIdIssuer(NamedTuple):
    """Who is trusted, and the keys, which have to be started."""

    trusted: TrustedIssuer
    keys: "IssuerKeys"


def read_issuer(settings: Settings) -> OpenIdIssuer | None:
    """The issuer; None where the settings name none. Nobody is asked yet.

    Raises:
        ServeRefusedError: a setting is not what is accepted, or says nothing without another one.
    """
    issuer, resource = settings.oidc_issuer or "", settings.resource or ""
    if not issuer:
        for name, value in (
            ("OUTFITTER_RESOURCE", resource),
            ("OUTFITTER_OIDC_AUDIENCES", settings.oidc_audiences),
        ):
            if value:
                raise ServeRefusedError(
                    f"{name} is set and OUTFITTER_OIDC_ISSUER is not: tokens are of somebody; set it to the address of"
                    " the issuer, or leave both out"
                )
        return None
    if not resource:
        raise ServeRefusedError(
            "OUTFITTER_OIDC_ISSUER is set and OUTFITTER_RESOURCE is not: tokens are for somebody; set it to the address"
            " by which clients know /mcp, such as https://tools.example.com/mcp"
        )
    # Importing the library takes as long as the rest of the start.
    from app.adapters.oidc.keys import IssuerKeys
    from app.adapters.oidc.published import read_keys
    from app.adapters.oidc.tokens import OidcTokens

    known = ProtectedResource(
        url=_checked("OUTFITTER_RESOURCE", check_resource, resource),
        issuer=_checked("OUTFITTER_OIDC_ISSUER", check_issuer, issuer),
    )
    if not settings.oidc_groups_claim:
        raise ServeRefusedError(
            "OUTFITTER_OIDC_GROUPS_CLAIM is empty; accepted: the name of a claim, such as groups"
        )
    expected = ExpectedTokens(known.issuer, _audiences(settings, known), settings.oidc_groups_claim)
    keys = IssuerKeys(partial(read_keys, known.issuer))
    return OpenIdIssuer(TrustedIssuer(OidcTokens(expected, keys), known), keys)


def _audiences(settings: Settings, known: ProtectedResource) -> frozenset[str]:
    for one in settings.oidc_audiences:
        if not (0 < len(one) <= _MAX_AUDIENCE_CHARS and one.isprintable()):
            raise ServeRefusedError(
                f"OUTFITTER_OIDC_AUDIENCES has {one!r}; accepted: texts that tokens name us by (aud), such as"
                f' ["{known.url}"]'
            )
    return frozenset(settings.oidc_audiences or (known.url,))


def _checked(name: str, check: Callable[[str], str], text: str) -> str:
    try:
        return check(text)
    except InvalidInputError as error:
        raise ServeRefusedError(f"{name}: {error}") from error
