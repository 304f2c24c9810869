"""Structured logs on stderr: one JSON object a line, or coloured text.

A query's text is never logged, at any level: it may hold what a person would not publish. Its length is.
"""

import json
import logging
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog

from app.domain.language.visible_text import visible, visible_json

_SHARED: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
# Without local variables, which the library shows by default: they hold queries and secrets.
_TRACEBACKS = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
)


def configure(*, level: str, form: str) -> None:
    """Send everything that `logging` and `structlog` get to stderr.

    Args:
        level: debug, info, warning or error.
        form: json or console.
    """
    renderer: structlog.typing.Processor
    if form == "json":
        renderer = structlog.processors.JSONRenderer(_json, default=str)
        tail: list[structlog.typing.Processor] = [_TRACEBACKS, renderer]
    else:
        tail = [
            structlog.processors.format_exc_info,
            _visible_texts,
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[_without_own, structlog.stdlib.ProcessorFormatter.remove_processors_meta, *tail],
        )
    )
    # On the handler too: some libraries give their loggers a level of their own.
    handler.setLevel(level.upper())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # Connection chatter of the driver, the server's own start-up lines, a line for each call: nothing that we do
    # not say.
    for name in ("neo4j", "uvicorn", "bm25s", "mcp"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.captureWarnings(capture=True)


def _json(event: object, **options: Any) -> str:
    """ASCII, but for U+007F the library's own work."""
    return visible_json(json.dumps(event, **options))


def _visible_texts(_logger: object, _method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """Before colours come in: what servers and documents say may steer a terminal."""
    return {
        visible(name): value if isinstance(value, int | float | None) else visible(str(value))
        for name, value in event.items()
    }


def _without_own(_logger: object, _method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
    """Drop what the standard library's records carry for colours."""
    event.pop("color_message", None)
    return event
