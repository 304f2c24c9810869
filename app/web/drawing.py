"""Templates to text: every value is escaped, and a name that a template has wrong is an error."""

import gzip
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import Response

from app.web.formats import ago, beyond, counted, number, score, signed
from app.web.frame import Frame
from app.web.parts.reason_paths import reason_path
from app.web.strangers import bdi, carried

TEMPLATES: Final = Path(__file__).parent / "templates"
_LEAST_GZIPPED: Final = 1_000
"""Bytes; fewer fit into one packet anyway."""


@cache
def templates() -> Environment:
    """The environment that all pages are drawn in."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters.update(
        bdi=bdi,
        carried=carried,
        beyond=beyond,
        number=number,
        score=score,
        signed=signed,
        ago=ago,
        counted=counted,
        reason_path=reason_path,
    )
    return environment


def drawn(template: str, ui: Frame, *, gzipped: bool, status: int = 200, **document: object) -> Response:
    """A page, or its main part, as an answer; compressed where the browser takes it."""
    text = templates().get_template(template).render(ui=ui, **document)
    content = text.encode("utf-8", "replace")
    headers = {"Vary": "Accept-Encoding, X-Fragment"}
    if gzipped and len(content) >= _LEAST_GZIPPED:
        content = gzip.compress(content, 5, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Response(content, status, headers=headers, media_type="text/html")
