"""Which documents are Arazzo, of a version that is read."""

import re

from app.adapters.documents.structured_text import JsonValue
from app.domain.language.accepted_text import kind_of, shown
from app.errors import SourceRefusedError

ACCEPTED = "accepted: Arazzo 1.0 ('arazzo: 1.0.x')"


def check_arazzo(document: JsonValue, *, name: str) -> dict[str, JsonValue]:
    """The document, if it is one of Arazzo 1.0.

    Raises:
        SourceRefusedError: it is something else; the message says what.
    """
    if not isinstance(document, dict):
        raise SourceRefusedError(f"{name}: #: {shown(document)} is {kind_of(document)}; {ACCEPTED}")
    for key, called in (("asyncapi", "AsyncAPI"), ("openapi", "OpenAPI"), ("swagger", "Swagger")):
        if key in document and "arazzo" not in document:
            raise SourceRefusedError(
                f"{name}: #/{key}: {called} {shown(document[key])}, not Arazzo; {ACCEPTED}"
            )
    version = str(document.get("arazzo", ""))
    if not re.fullmatch(r"1\.0(\.\d+.*)?", version):
        found = f"version {version!r:.60} is not read" if "arazzo" in document else "missing"
        raise SourceRefusedError(f"{name}: #/arazzo: {found}; {ACCEPTED}")
    workflows = document.get("workflows")
    if not isinstance(workflows, list) or not workflows:
        raise SourceRefusedError(f"{name}: #/workflows: {shown(workflows)}; accepted: a list of workflows")
    return document
