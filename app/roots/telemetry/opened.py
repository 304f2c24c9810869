"""The composition root of telemetry: where spans, and how long messages of MCP take, are sent."""

import hashlib
import hmac
import importlib.util
import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Final

from app.ports.spans import TRACER_NAME, collect
from app.settings import Settings, environment

_NEEDED: Final = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http")
_HASH_CHARS: Final = 16
"""Of a SHA-256: 64 bits, which tell the callers of one process apart."""
_DURATION: Final = "mcp.server.operation.duration"
_SECONDS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""Bounds of its histogram, as the semantic conventions for MCP have them."""

_log = logging.getLogger(__name__)


@contextmanager
def opened_telemetry(settings: Settings) -> Iterator[None]:
    """Send what is collected to the address of the settings, for as long as this is open; nothing without one."""
    if not settings.otel_endpoint:
        yield
        return
    if not is_installed():
        _log.warning(
            "OTEL_EXPORTER_OTLP_ENDPOINT is set, and what sends traces is not installed: nothing is sent; accepted: pip"
            " install 'outfitter[otel]'"
        )
        yield
        return
    close = _open()
    try:
        yield
    finally:
        close()


def is_installed() -> bool:
    """Whether the extra is there."""
    try:
        return all(importlib.util.find_spec(name) is not None for name in _NEEDED)
    except ImportError:
        # A package above it is missing.
        return False


def salted(salt: bytes) -> Callable[[str], str]:
    """Makes hashes of callers' ids: the same within one process, and none that a list of names would give away."""

    def mark(caller: str) -> str:
        return hmac.new(salt, caller.encode(), hashlib.sha256).hexdigest()[:_HASH_CHARS]

    return mark


def _open() -> Callable[[], None]:
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.metrics import set_meter_provider
    from opentelemetry.propagate import set_global_textmap
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.trace import set_tracer_provider

    from app.roots.telemetry.sent_spans import IdsAlone, ListedSpans, MessageTimes

    named = environment()
    about = {"service.version": version("outfitter")}
    if not named.get("OTEL_SERVICE_NAME"):
        about["service.name"] = "outfitter"
    resource = Resource.create(about)
    # Some collectors take traces alone; "none" is how the conventions say that one is of that kind.
    has_metrics = named.get("OTEL_METRICS_EXPORTER") != "none"
    meters = MeterProvider(
        [PeriodicExportingMetricReader(OTLPMetricExporter())] if has_metrics else [], resource
    )
    duration = meters.get_meter(TRACER_NAME).create_histogram(
        _DURATION,
        unit="s",
        description="Messages of MCP, from the message to its answer.",
        explicit_bucket_boundaries_advisory=_SECONDS,
    )
    traces = TracerProvider(resource=resource)
    traces.add_span_processor(MessageTimes(duration))
    traces.add_span_processor(BatchSpanProcessor(ListedSpans(OTLPSpanExporter())))
    set_meter_provider(meters)
    set_tracer_provider(traces)
    set_global_textmap(IdsAlone())
    collect(salted(secrets.token_bytes(32)))
    _log.info("traces are sent", extra={"metrics": has_metrics})

    def close() -> None:
        traces.shutdown()
        meters.shutdown()

    return close
