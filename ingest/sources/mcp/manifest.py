"""An MCP server's tools: the answer to `tools/list`, as a file."""

from collections.abc import Sequence
from typing import Any

from app.adapters.documents.structured_text import parse_json
from app.domain.language.accepted_text import kind_of, shown
from app.errors import SourceRefusedError
from ingest.cards import Origin, SourceDocument, sha256
from ingest.sources.mcp.tools import tool_cards

ACCEPTED = 'accepted: {"tools": [...]}, a list of tools, or the JSON-RPC answer {"result": {"tools": [...]}}'


def parse_manifest(data: bytes, origin: Origin) -> SourceDocument:
    """The tools of one server; broken ones are rejected by name, the rest goes on.

    Fields that MCP does not define are left out; MCP allows them.

    Raises:
        SourceRefusedError: the document is no tools/list answer.
    """
    document = parse_json(data, name=origin.uri)
    items, warnings = _tools(document, uri=origin.uri)
    found = tool_cards(items, server=origin.name, limits=origin.limits)
    version = document.get("version", "") if isinstance(document, dict) else ""
    return SourceDocument(
        source=origin.source(version=version, content_hash=sha256(data)),
        cards=found.cards,
        rejected=found.rejected,
        warnings=(*warnings, *found.warnings),
    )


def _tools(document: object, *, uri: str) -> tuple[Sequence[Any], list[str]]:
    answer = document
    if isinstance(answer, dict) and "error" in answer and "result" not in answer:
        raise SourceRefusedError(f"{uri}: holds the error {shown(answer['error'])}; {ACCEPTED}")
    if isinstance(answer, dict) and isinstance(answer.get("result"), dict):
        answer = answer["result"]
    warnings = []
    if isinstance(answer, dict):
        if answer.get("nextCursor"):
            warnings.append(f"{uri}: nextCursor is set: this is one page, tools of later pages are missing")
        if "tools" not in answer:
            fields = ", ".join(map(repr, list(answer)[:5])) or "no fields"
            raise SourceRefusedError(f"{uri}: an object with {fields} and without 'tools'; {ACCEPTED}")
        answer = answer["tools"]
    if not isinstance(answer, list):
        raise SourceRefusedError(
            f"{uri}: {shown(answer)} is {kind_of(answer)}, not a list of tools; {ACCEPTED}"
        )
    return answer, warnings
