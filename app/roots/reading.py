"""The composition root of the language model that reads goals, where one is set, writes requests and orders tools."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import SecretStr

from app.domain.calling.addresses import check_clear
from app.domain.calling.calls import CallRules
from app.domain.calling.http_requests import Server, server_of
from app.errors import InvalidInputError
from app.settings import Settings, environment

if TYPE_CHECKING:
    from app.adapters.llm.author import ModelAuthor, ModelDescriber
    from app.adapters.llm.chat import ModelEndpoint
    from app.adapters.llm.reader import ModelReader
    from app.adapters.llm.reranker import ModelReranker


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


@contextmanager
def opened_ranking_model(settings: Settings) -> "Iterator[ModelReranker]":
    """The language model that puts found tools into order: `reranker_model`, or that of `llm_model`.

    Raises:
        InvalidInputError: there is no address or no model, or as for `opened_reader`.
    """
    from app.adapters.http.caller import PooledHttpCaller
    from app.adapters.llm.reranker import ModelReranker

    model = settings.reranker_model or settings.llm_model
    if not (settings.llm_url and model):
        raise InvalidInputError(
            "OUTFITTER_RERANKER = 'llm' takes OUTFITTER_LLM_URL, and OUTFITTER_RERANKER_MODEL or OUTFITTER_LLM_MODEL"
        )
    endpoint = replace(_endpoint(settings, settings.llm_url, model), max_tokens=settings.reranker_max_tokens)
    with PooledHttpCaller() as http:
        yield ModelReranker(endpoint, http)


def _named_endpoint(settings: Settings, model: str | None, otherwise: str) -> "ModelEndpoint":
    named = model or settings.llm_model
    if not (settings.llm_url and named):
        raise InvalidInputError(
            f"no language model is set; accepted: OUTFITTER_LLM_URL with OUTFITTER_LLM_MODEL or --model{otherwise}"
        )
    return _endpoint(settings, settings.llm_url, named)


def _endpoint(settings: Settings, url: str, model: str) -> "ModelEndpoint":
    from app.adapters.llm.chat import ModelEndpoint

    return ModelEndpoint(
        server=named_server(url, setting="OUTFITTER_LLM_URL"),
        model=model,
        key=named_key(
            settings.llm_key_variable, url, setting="OUTFITTER_LLM_KEY_VARIABLE", address="OUTFITTER_LLM_URL"
        ),
        timeout_s=settings.llm_timeout_s,
        max_tokens=settings.llm_max_tokens,
    )


def named_server(url: str, *, setting: str) -> Server:
    """The server of an address that an operator wrote down: it may be a private one.

    Raises:
        InvalidInputError: it is no address.
    """
    try:
        return server_of("", CallRules(base_url=url))
    except InvalidInputError as error:
        raise InvalidInputError(f"{setting}: {error}") from error


def named_key(variable: str | None, url: str, *, setting: str, address: str) -> SecretStr | None:
    """The key that a variable has; None where none is named.

    Args:
        variable: Its name.
        url: Where the key is sent.
        setting: What names the variable, for messages.
        address: What names the url, likewise.

    Raises:
        InvalidInputError: the variable is not set, cannot be sent, or would be readable on its way.
    """
    if not variable:
        return None
    key = environment().get(variable, "").strip()
    if not key or not (key.isascii() and key.isprintable()) or " " in key:
        raise InvalidInputError(
            f"{setting} = {variable!r}: that variable is not set, or cannot be sent in a header;"
            " accepted: the name of a variable with printable ASCII characters and no space"
        )
    try:
        check_clear(url, what="the key", plain_http=False)
    except InvalidInputError as error:
        raise InvalidInputError(
            f"{setting}: the key would be sent to {address} unencrypted; accepted: https, or a"
            " loopback or private address"
        ) from error
    return SecretStr(key)
