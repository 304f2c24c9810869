"""The composition root of the language model that reads goals, where one is set, and writes requests."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pydantic import SecretStr

from app.domain.calling.addresses import check_clear
from app.domain.calling.calls import CallRules
from app.domain.calling.http_requests import server_of
from app.errors import InvalidInputError
from app.settings import Settings, environment

if TYPE_CHECKING:
    from app.adapters.llm.author import ModelAuthor, ModelDescriber
    from app.adapters.llm.chat import ModelEndpoint
    from app.adapters.llm.reader import ModelReader


@contextmanager
def opened_reader(settings: Settings) -> "Iterator[ModelReader | None]":
    """The reader of `llm_url` and `llm_model`; None unless both are set. Leaving it closes its connections.

    Raises:
        InvalidInputError: the address is not one, or the key is not there, cannot be sent, or would be readable
            on its way.
    """
    if not (settings.llm_url and settings.llm_model):
        yield None
        return
    from app.adapters.http.caller import PooledHttpCaller
    from app.adapters.llm.reader import ModelReader

    endpoint = _endpoint(settings, settings.llm_url, settings.llm_model)
    with PooledHttpCaller() as http:
        yield ModelReader(endpoint, http)


@contextmanager
def opened_author(settings: Settings, *, model: str | None = None) -> "Iterator[ModelAuthor]":
    """The author of requests behind `llm_url`: the model of this name, or that of `llm_model`.

    Raises:
        InvalidInputError: there is no address or no model, or as for `opened_reader`.
    """
    from app.adapters.http.caller import PooledHttpCaller
    from app.adapters.llm.author import ModelAuthor

    endpoint = _named_endpoint(settings, model, ", or --from FILE with requests that are written already")
    with PooledHttpCaller() as http:
        yield ModelAuthor(endpoint, http)


@contextmanager
def opened_describer(settings: Settings, *, model: str | None = None) -> "Iterator[ModelDescriber]":
    """The author of descriptions, as `opened_author`."""
    from app.adapters.http.caller import PooledHttpCaller
    from app.adapters.llm.author import ModelDescriber

    endpoint = _named_endpoint(settings, model, "; without --ask-model descriptions are put together")
    with PooledHttpCaller() as http:
        yield ModelDescriber(endpoint, http)


def _named_endpoint(settings: Settings, model: str | None, otherwise: str) -> "ModelEndpoint":
    named = model or settings.llm_model
    if not (settings.llm_url and named):
        raise InvalidInputError(
            f"no language model is set; accepted: OUTFITTER_LLM_URL with OUTFITTER_LLM_MODEL or --model{otherwise}"
        )
    return _endpoint(settings, settings.llm_url, named)


def _endpoint(settings: Settings, url: str, model: str) -> "ModelEndpoint":
    from app.adapters.llm.chat import ModelEndpoint

    try:
        # The operator's own address: it may be a private one.
        server = server_of("", CallRules(base_url=url))
    except InvalidInputError as error:
        raise InvalidInputError(f"OUTFITTER_LLM_URL: {error}") from error
    return ModelEndpoint(
        server=server,
        model=model,
        key=_key(settings.llm_key_variable, url),
        timeout_s=settings.llm_timeout_s,
        max_tokens=settings.llm_max_tokens,
    )


def _key(variable: str | None, url: str) -> SecretStr | None:
    if not variable:
        return None
    key = environment().get(variable, "").strip()
    if not key or not (key.isascii() and key.isprintable()) or " " in key:
        raise InvalidInputError(
            f"OUTFITTER_LLM_KEY_VARIABLE = {variable!r}: that variable is not set, or cannot be sent in a header;"
            " accepted: the name of a variable with printable ASCII characters and no space"
        )
    try:
        check_clear(url, what="the key", plain_http=False)
    except InvalidInputError as error:
        raise InvalidInputError(
            "OUTFITTER_LLM_KEY_VARIABLE: the key would be sent to OUTFITTER_LLM_URL unencrypted; accepted: https, or a"
            " loopback or private address"
        ) from error
    return SecretStr(key)
