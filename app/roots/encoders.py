"""Where the encoder and the re-ranker of the settings are opened."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import InvalidInputError
from app.roots.reading import named_key, named_server, opened_ranking_model
from app.settings import Settings

if TYPE_CHECKING:
    from app.domain.ranking.field_vectors import FieldWeights
    from app.ports.encoding import Encoder
    from app.usecases.index.encoding import ToolEncoder
    from app.usecases.rankings.outside import Outside

TABLE_WEIGHT = 0.4
"""What closeness counts by vectors of a table, where that of `onnx` counts 1. Source: TUNE and LONG, R@5 / MRR .689 / .763 and
.624 / .798 with 0, .697 / .761 and .630 / .802 with .4; an earlier table .696 / .749 and .629 / .807 with 1."""
_LOCAL = frozenset({"onnx", "static"})


def open_encoder(settings: Settings) -> "ToolEncoder | None":
    """What encodes tools and requests, and keeps vectors in the data folder; None where meaning is off.

    Raises:
        InvalidInputError: as for `encoder_of`.
    """
    encoder = encoder_of(settings)
    if encoder is None:
        return None
    from app.adapters.encoders.static import StaticEncoder
    from app.adapters.encoders.vector_file import VectorFile
    from app.usecases.index.encoding import AT_ONCE, ToolEncoder

    # Indexes wait for a few texts, but never for an endpoint, nor until a framework is loaded.
    at_once = AT_ONCE if settings.encoder in _LOCAL else 0
    store = VectorFile(settings.data_dir / "vectors.sqlite")
    weights = field_weights(settings)
    # The table that comes with Outfitter has vectors in seconds, until the others are there.
    table = ToolEncoder(StaticEncoder(), weights=weights, weight=TABLE_WEIGHT)
    return ToolEncoder(
        encoder,
        store,
        at_once=at_once,
        weights=weights,
        weight=closeness_weight(settings),
        stand_in=None if settings.encoder == "static" else table,
    )


def closeness_weight(settings: Settings) -> float:
    """What closeness in meaning counts by the vectors of the encoder, where that of `onnx` counts 1."""
    return TABLE_WEIGHT if settings.encoder == "static" else 1.0


def field_weights(settings: Settings) -> "FieldWeights | None":
    """What fields of tools count in their vectors; None where one text has them all.

    Raises:
        InvalidInputError: `OUTFITTER_VECTOR_WEIGHTS` has one below 0, or all are 0.
    """
    from app.domain.ranking.field_vectors import FieldWeights

    return None if settings.vector_weights is None else FieldWeights(*settings.vector_weights)


def encoder_of(settings: Settings) -> "Encoder | None":
    """The encoder of `OUTFITTER_ENCODER`; None where that is `none`.

    Raises:
        InvalidInputError: its model, address, key or package is missing, or is not what is accepted.
    """
    if settings.encoder == "none":
        return None
    if settings.encoder == "openai":
        return _endpoint(settings)
    if settings.encoder == "sentence-transformers":
        from app.adapters.encoders.transformers import TransformersEncoder

        if not settings.encoder_model:
            raise InvalidInputError(
                "OUTFITTER_ENCODER = 'sentence-transformers' takes OUTFITTER_ENCODER_MODEL: a model's name, or a folder"
            )
        return TransformersEncoder(settings.encoder_model)
    return _on_this_machine(settings)


def _on_this_machine(settings: Settings) -> "Encoder":
    """That of a folder, or what comes with Outfitter."""
    folder = Path(settings.encoder_model) if settings.encoder_model else None
    if settings.encoder == "static":
        from app.adapters.encoders.static import SHIPPED_TABLE, StaticEncoder

        return StaticEncoder(folder or SHIPPED_TABLE)
    from app.adapters.encoders.onnx import SHIPPED, OnnxEncoder

    return OnnxEncoder(folder or SHIPPED)


def _endpoint(settings: Settings) -> "Encoder":
    if not (settings.encoder_url and settings.encoder_model):
        raise InvalidInputError(
            "OUTFITTER_ENCODER = 'openai' takes OUTFITTER_ENCODER_URL, an endpoint's base URL such as"
            " http://127.0.0.1:11434/v1, and OUTFITTER_ENCODER_MODEL, the model's name there"
        )
    from app.adapters.encoders.endpoint import EndpointEncoder
    from app.adapters.llm.chat import ModelEndpoint

    return EndpointEncoder(
        ModelEndpoint(
            server=named_server(settings.encoder_url, setting="OUTFITTER_ENCODER_URL"),
            model=settings.encoder_model,
            key=named_key(
                settings.encoder_key_variable,
                settings.encoder_url,
                setting="OUTFITTER_ENCODER_KEY_VARIABLE",
                address="OUTFITTER_ENCODER_URL",
            ),
            timeout_s=settings.encoder_timeout_s,
            max_tokens=settings.encoder_max_tokens,
        )
    )


@contextmanager
def opened_outside(settings: Settings) -> "Iterator[Outside]":
    """Whom answers ask beside the graph, and how long they wait. Leaving it closes the connections of a re-ranker.

    Raises:
        InvalidInputError: the re-ranker's model, address, key or package is missing.
    """
    from app.usecases.rankings.outside import Outside

    asks_encoder, asks_reranker = settings.encoder == "openai", settings.reranker != "none"
    patience_s = asks_encoder * settings.encoder_timeout_s + asks_reranker * settings.reranker_timeout_s
    outside = Outside(
        first=settings.reranker_first,
        timeout_s=settings.reranker_timeout_s,
        patience_s=patience_s or math.inf,
    )
    if settings.reranker == "cross-encoder":
        from app.adapters.encoders.cross_encoder import CrossEncoderReranker

        if not settings.reranker_model:
            raise InvalidInputError(
                "OUTFITTER_RERANKER = 'cross-encoder' takes OUTFITTER_RERANKER_MODEL: a model's name, or a folder"
            )
        yield replace(outside, reranker=CrossEncoderReranker(settings.reranker_model))
    elif settings.reranker == "llm":
        with opened_ranking_model(settings) as reranker:
            yield replace(outside, reranker=reranker)
    else:
        yield outside


def outside_s(settings: Settings) -> float:
    """The most seconds that an answer may spend with encoder and re-ranker."""
    asks_encoder, asks_reranker = settings.encoder == "openai", settings.reranker != "none"
    # A question that begins before the patience ends may take its whole time.
    return 2 * asks_encoder * settings.encoder_timeout_s + asks_reranker * settings.reranker_timeout_s
