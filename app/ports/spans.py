"""Spans: what a request, or a sync, spends its time on, for whoever collects them; nothing where nobody does.

A span has a name of ours, and facts that are counts, times and names of ours: never the text of a request, an argument,
or what an exception says. What is sent is checked once more (`app/roots/telemetry/sent_spans.py`).
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps
from typing import Final, ParamSpec, TypeAlias, TypeVar

from opentelemetry.context import attach, get_value, set_value
from opentelemetry.trace import (
    INVALID_SPAN,
    Span,
    SpanKind,
    StatusCode,
    get_current_span,
    get_tracer,
)

TRACER_NAME: Final = "outfitter"
CALLER: Final = "user.hash"
"""Who asks, as a span has it: a hash that another start of the service makes differently."""
ERROR: Final = "error.type"
"""The class of what was raised."""

P = ParamSpec("P")
T = TypeVar("T")
SpanFact: TypeAlias = str | int | float | bool

_TRACER = get_tracer(TRACER_NAME)
_CALLER_KEY: Final = "outfitter.caller"
_NOTHING: AbstractContextManager[Span] = nullcontext(INVALID_SPAN)


class _Collector:
    """Whether there is one; asked before anything else, so that a service without one pays next to nothing."""

    mark: Callable[[str], str] | None = None
    """Makes the hash of a caller's id; None: there is no collector."""


def collect(mark: Callable[[str], str]) -> None:
    """From here on spans are made, for the provider that was set.

    Args:
        mark: Makes the hash of a caller's id that spans have.
    """
    _Collector.mark = mark


def phase(name: str) -> AbstractContextManager[Span]:
    """A part of what is under way, where that is recorded; nothing where it is not."""
    return _recorded(name, SpanKind.INTERNAL, {}) if is_recording() else _NOTHING


def traced(name: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Each call of a function as a `phase`."""

    def decorated(call: Callable[P, T]) -> Callable[P, T]:
        @wraps(call)
        def traced_call(*args: P.args, **named: P.kwargs) -> T:
            if not is_recording():
                return call(*args, **named)
            with phase(name):
                return call(*args, **named)

        return traced_call

    return decorated


def note(**facts: SpanFact) -> None:
    """Facts of the span that is under way; their names begin with ours."""
    if is_recording():
        get_current_span().set_attributes({f"outfitter.{name}": value for name, value in facts.items()})


def query_of(statement: str, engine: str) -> AbstractContextManager[Span]:
    """A statement that the graph is asked; by its name, as its parameters are what somebody wants to know."""
    if not is_recording():
        return _NOTHING
    facts: dict[str, SpanFact] = {"db.system.name": engine, "db.query.summary": statement}
    return _recorded("db.client", SpanKind.CLIENT, facts)


def begun(name: str) -> AbstractContextManager[Span]:
    """Something that nobody asked for, such as a sync of a source that changed."""
    return _recorded(name, SpanKind.INTERNAL, {}) if _Collector.mark else _NOTHING


def is_recording() -> bool:
    """Whether somebody collects what is under way."""
    return _Collector.mark is not None and get_current_span().is_recording()


def asked_by(caller: str) -> None:
    """Who asks, by id, from here to the end of the span that is under way; what is collected is a hash of it."""
    if _Collector.mark is not None:
        mark = _Collector.mark(caller)
        attach(set_value(_CALLER_KEY, mark))
        get_current_span().set_attribute(CALLER, mark)


def asking_caller() -> str:
    """The hash of who asks; empty where nobody is known."""
    return str(get_value(_CALLER_KEY) or "")


@contextmanager
def _recorded(name: str, kind: SpanKind, facts: dict[str, SpanFact]) -> Iterator[Span]:
    with _TRACER.start_as_current_span(
        name, kind=kind, attributes=facts, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield span
        except BaseException as error:
            span.set_attribute(ERROR, type(error).__qualname__)
            span.set_status(StatusCode.ERROR)
            raise
