"""What a live server lists, as cards: the same as of a manifest, and the same hash whatever the order."""

import json
from dataclasses import replace

import pytest

from app.domain.calling.mcp_endpoints import McpListing
from app.domain.language.accepted_text import TextLimits
from app.errors import SourceRefusedError
from ingest.cards import Origin, SourceDocument
from ingest.sources.mcp.manifest import parse_manifest
from ingest.sources.mcp.server import mcp_document, server_name
from tests.ingest_cases import tool

LISTING = McpListing(
    "name/of it", "1.2", "2026-07-28", (tool("a", title="A"), tool("b"), {"name": 5}, tool("a"))
)


def document(listing: McpListing, limits: TextLimits = TextLimits(1_000, 1_000)) -> SourceDocument:  # noqa: B008
    return mcp_document(listing, Origin("mcp", "s", "https://x/mcp", "now", limits))


def test_cards_and_rejections_are_those_of_a_manifest() -> None:
    data = json.dumps({"tools": LISTING.tools}).encode()
    written = parse_manifest(data, Origin("manifest", "s", "s.json", "now", TextLimits(1_000, 1_000)))

    found = document(LISTING)

    assert (found.cards, found.rejected, found.warnings) == (
        written.cards,
        written.rejected,
        written.warnings,
    )
    assert [card.id for card in found.cards] == ["s/a", "s/b"]
    assert (found.source.id, found.source.kind, found.source.version) == ("mcp:s", "mcp", "1.2")


def test_the_hash_is_that_of_what_is_kept() -> None:
    """Order, time to live, unknown fields and keys' order do not change it; a tool, the version or an error do."""
    said = document(LISTING).source.content_hash
    first, *others = LISTING.tools
    assert isinstance(first, dict)
    same = [
        replace(LISTING, tools=(*reversed(LISTING.tools[:2]), *LISTING.tools[2:])),
        replace(LISTING, ttl_ms=5, protocol="2025-11-25", server_name="x"),
        replace(LISTING, tools=({**first, "_meta": {"now": 1}, "color": "red"}, *others)),
        replace(LISTING, tools=(dict(reversed(first.items())), *others)),
    ]
    different = [
        replace(LISTING, tools=LISTING.tools[1:]),
        replace(LISTING, tools=LISTING.tools[:2]),
        replace(LISTING, server_version="1.3"),
        replace(LISTING, tools=({**first, "annotations": {"readOnlyHint": True}}, *others)),
    ]

    assert {document(one).source.content_hash for one in same} == {said}
    hashes = {document(one).source.content_hash for one in different}
    assert len(hashes) == len(different)
    assert said not in hashes


def test_what_is_too_large_or_no_json_is_rejected_alone() -> None:
    huge = tool("huge", inputSchema={"description": "x" * 5_000_000})
    listing = replace(
        LISTING,
        tools=(
            huge,
            tool("long", "y" * 2_000),
            tool("nan", inputSchema={"minimum": float("nan")}),
            tool("fine"),
        ),
    )

    found = document(listing)

    assert [card.id for card in found.cards] == ["s/fine"]
    assert [one.item for one in found.rejected] == ["tool 'huge'", "tool 'long'", "tool 'nan'"]
    assert "accepted: up to 1,000" in found.rejected[0].reason
    assert "JSON does not have" in found.rejected[2].reason


def test_a_server_is_called_as_it_calls_itself() -> None:
    assert server_name(LISTING) == "name-of it"
    for name in ("", "  ", "a\nb", "x" * 257):
        with pytest.raises(SourceRefusedError, match="--server NAME"):
            server_name(replace(LISTING, server_name=name))


def test_a_version_is_short_and_visible() -> None:
    """It is the server's own text, and stands in a field of its own."""
    assert document(replace(LISTING, server_version="1\x1b[2J")).source.version == "1\\u{1b}[2J"
    assert document(replace(LISTING, server_version="1" * 5_000)).source.version == f"{'1' * 77}..."
