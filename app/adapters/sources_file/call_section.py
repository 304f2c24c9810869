"""`call:` of a source in `sources.yaml`: what may be called, where, and with which credentials.

A source without it is searched and planned with, and never called.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, StrictBool, model_validator

from app.adapters.sources_file.fields import Variable
from app.domain.calling.addresses import check_clear, check_url, shown_url
from app.domain.calling.calls import CallRules
from app.domain.calling.credentials import GivenCredential, check_send
from app.domain.language.accepted_text import kind_of, shown
from app.errors import InvalidInputError

_LONGEST_TIMEOUT_S = 600.0
_MAX_PATTERN = 600


def _pattern(value: object) -> object:
    if not isinstance(value, str) or not value or len(value) > _MAX_PATTERN:
        raise ValueError(
            f"{shown(value)} is {kind_of(value)}; accepted: a tool's id, such as github/get_me, or github/*"
        )
    return value


def _server(value: object) -> object:
    try:
        parts = check_url(value if isinstance(value, str) else "")
    except InvalidInputError as error:
        raise ValueError(str(error)) from error
    if parts.query or parts.fragment:
        raise ValueError(f"{shown_url(parts)} has a query; accepted: http(s)://HOST/path")
    return value


def _send(value: object) -> object:
    try:
        return check_send(value if isinstance(value, str) else "")
    except InvalidInputError as error:
        raise ValueError(str(error)) from error


def _credentials(value: object) -> object:
    # Not shown: somebody may have written a secret where the names of its variables belong.
    if not isinstance(value, dict) or not all(isinstance(item, dict) for item in value.values()):
        raise ValueError("accepted: an object of scheme: {env: NAME OF A VARIABLE}")
    return value


Pattern: TypeAlias = Annotated[str, BeforeValidator(_pattern)]
ServerField: TypeAlias = Annotated[str, BeforeValidator(_server)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class CredentialSection(_Section):
    """A credential, by the names of the variables that hold it."""

    env: Variable | None = None
    """A token or key."""
    username_env: Variable | None = None
    password_env: Variable | None = None
    send: Annotated[str, BeforeValidator(_send)] | None = None
    """`bearer`, `basic`, `header NAME`, `query NAME`, `cookie NAME`: sent so with every call of the source."""

    @model_validator(mode="after")
    def _one_form(self) -> "CredentialSection":
        pair = (self.username_env, self.password_env)
        has_pair = None not in pair
        has_one = any(pair)
        if (self.env is not None and has_one) or (self.env is None and not has_pair):
            raise ValueError("accepted: env, or username_env and password_env")
        if has_pair and self.send not in (None, "basic"):
            raise ValueError("username_env and password_env are sent as 'basic'")
        return self

    def given(self, environ: Mapping[str, str], *, place: str) -> GivenCredential:
        """The credential itself.

        Raises:
            InvalidInputError: a variable is not set.
        """
        send = self.send or ""
        if self.env is not None:
            return GivenCredential(_value(self.env, environ, place), send=send)
        return GivenCredential(
            _value(self.password_env or "", environ, place),
            username=_value(self.username_env or "", environ, place),
            send=send,
        )


class CallSection(_Section):
    """What may be called of an MCP server's tools."""

    allow: tuple[Pattern, ...] = ()
    deny: tuple[Pattern, ...] = ()
    trust_annotations: StrictBool = False
    after_untrusted: Literal["allow", "deny"] = "allow"
    """`deny`: no call that sends out or destroys, by a caller that was lately given what others wrote."""
    timeout: Annotated[float, Field(gt=0, le=_LONGEST_TIMEOUT_S)] | None = None
    """Seconds."""

    def rules(self) -> CallRules:
        """As calls are held to them."""
        return CallRules(
            allow=self.allow,
            deny=self.deny,
            trust_annotations=self.trust_annotations,
            guards_flows=self.after_untrusted == "deny",
            timeout_s=self.timeout,
        )


class ApiCallSection(CallSection):
    """What may be called of an API's operations, where, and with which credentials."""

    base_url: ServerField | None = None
    servers: tuple[ServerField, ...] = ()
    credentials: Annotated[Mapping[str, CredentialSection], BeforeValidator(_credentials)] = {}
    """By the name of the document's security scheme."""
    plain_http: StrictBool = False
    """Send the credentials unencrypted to a host that is neither loopback nor private."""

    @model_validator(mode="after")
    def _credentials_have_a_place(self) -> "ApiCallSection":
        if self.credentials and not (self.base_url or self.servers):
            raise ValueError(
                "credentials without base_url or servers; accepted: the addresses that they may be sent to"
            )
        for address in (self.base_url, *self.servers) if self.credentials else ():
            try:
                check_clear(address or "", what="credentials", plain_http=self.plain_http)
            except InvalidInputError as error:
                raise ValueError(str(error)) from error
        return self

    def rules(self) -> CallRules:
        """As calls are held to them."""
        return replace(super().rules(), base_url=self.base_url or "", servers=self.servers)

    def given(self, environ: Mapping[str, str], *, place: str) -> dict[str, GivenCredential]:
        """The credentials themselves.

        Raises:
            InvalidInputError: a variable is not set.
        """
        return {
            name: section.given(environ, place=f"{place}: call.credentials.{name}")
            for name, section in self.credentials.items()
        }


def _value(variable: str, environ: Mapping[str, str], place: str) -> SecretStr:
    value = environ.get(variable)
    if not value:
        raise InvalidInputError(f"{place}: environment variable {variable} is not set")
    return SecretStr(value)
