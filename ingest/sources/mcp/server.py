"""A live MCP server: what it answers to `tools/list`, as a document."""

from app.domain.calling.mcp_endpoints import McpListing
from app.domain.language.accepted_text import MAX_NAME, check_name
from app.domain.language.visible_text import excerpt
from app.errors import InvalidInputError, SourceRefusedError
from ingest.cards import Origin, SourceDocument, canonical_json, sha256
from ingest.sources.mcp.tools import ToolCards, tool_cards


def server_name(listing: McpListing) -> str:
    """What the server calls itself, as the name of a source.

    Raises:
        SourceRefusedError: it is no name of a source.
    """
    name = listing.server_name.strip().replace("/", "-")
    if not name:
        raise SourceRefusedError("the server does not say its name; accepted: --server NAME")
    try:
        return check_name(name, field="the name of the server")
    except InvalidInputError as error:
        raise SourceRefusedError(
            "the server's name for itself is no name of a source; accepted: --server NAME", said=excerpt(name)
        ) from error


def mcp_document(listing: McpListing, origin: Origin) -> SourceDocument:
    """The tools of a server as it lists them now; broken ones are rejected by name, the rest goes on.

    Its hash is that of what is kept of it, in any order: servers repeat themselves in other words.
    """
    found = tool_cards(listing.tools, server=origin.name, limits=origin.limits)
    version = listing.server_version[:MAX_NAME]
    source = origin.source(version=version, content_hash=_content_hash(found, version))
    return SourceDocument(source=source, cards=found.cards, rejected=found.rejected, warnings=found.warnings)


def _content_hash(found: ToolCards, version: str) -> str:
    cards = sorted(str(card.properties["content_hash"]) for card in found.cards)
    rejected = sorted([one.item, one.reason] for one in found.rejected)
    return sha256(canonical_json([version, cards, rejected]))
