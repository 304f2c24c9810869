"""Tools of OpenAPI documents, as ingest reads them, without a graph."""

from pathlib import Path

from app.domain.language.accepted_text import TextLimits
from app.domain.nodes.models import EdgeKind, NodeKind, Tool, ToolId
from ingest.cards import Card, Origin
from ingest.sources.openapi.reader import parse_openapi

_NO_LIMIT = 64_000_000


def read_tools(path: Path, *, server: str) -> list[Tool]:
    """The operations of one document, in the order of their ids."""
    document = parse_openapi(
        path.read_bytes(),
        Origin("openapi", server, str(path), "", TextLimits(text_bytes=_NO_LIMIT, schema_bytes=1_000_000)),
    )
    tools = [_tool(card) for card in document.cards if card.kind is NodeKind.TOOL]
    return sorted(tools, key=lambda tool: tool.id)


def _tool(card: Card) -> Tool:
    fields = card.properties
    flags = {name: fields.get(name) for name in ("read_only", "destructive", "idempotent", "open_world")}
    texts = ("title", "description", "input_schema", "output_schema", "method", "path", "content_hash")
    return Tool.model_validate(
        {
            "id": ToolId(card.id),
            "server": fields["server"],
            "name": fields["name"],
            **{name: fields.get(name) or "" for name in texts},
            **flags,
            "deprecated": fields.get("deprecated") is True,
            "declared": False,
            "categories": tuple(
                sorted(edge.target.text for edge in card.edges if edge.kind is EdgeKind.BELONGS_TO)
            ),
        }
    )
