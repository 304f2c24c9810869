"""Hidden characters of documents: out of texts, with a warning; items whose names or values hold them are rejected."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.domain.calling.mcp_endpoints import McpListing
from app.domain.language.accepted_text import TextLimits
from app.domain.language.visible_text import HIDDEN, has_hidden
from ingest.cards import Origin, SourceDocument
from ingest.commands.cli import ingest_app
from ingest.sources.arazzo.operations import KnownOperations
from ingest.sources.arazzo.reader import parse_arazzo
from ingest.sources.hidden_text import Cleaner, Removals
from ingest.sources.mcp.manifest import parse_manifest
from ingest.sources.mcp.server import mcp_document
from ingest.sources.openapi.reader import parse_openapi
from ingest.sources.taxonomy.reader import parse_taxonomy

LIMITS = TextLimits(100_000, 1_000_000)
FOLDER = Path("/nowhere")
ALL = "".join(chr(first) for first, last, _ in HIDDEN) + "".join(chr(last) for _, last, _ in HIDDEN)
"""Both ends of every range."""
WELL_FORMED = "".join(each for each in ALL if not 0xD800 <= ord(each) <= 0xDFFF)
"""OpenAPI and Arazzo documents are refused as a whole where they hold half of a surrogate pair."""
LEFT = ALL.count("\r") + sum(ALL.count(each) for each in "\x1f\x0b\x85\u2028\u2029")


def manifest(text: str, name: str = "refund", **schema: Any) -> SourceDocument:
    data = json.dumps({"tools": [*_tools(text, name, schema), {"name": "other"}]}).encode()
    return parse_manifest(data, Origin("manifest", "s", "s.json", "", LIMITS))


def mcp(text: str, name: str = "refund", **schema: Any) -> SourceDocument:
    listing = McpListing("s", "1", "2026-07-28", (*_tools(text, name, schema), {"name": "other"}))
    return mcp_document(listing, Origin("mcp", "s", "https://s/mcp", "", LIMITS))


def openapi(text: str, name: str = "refund", **schema: Any) -> SourceDocument:
    text = "".join(each for each in text if not 0xD800 <= ord(each) <= 0xDFFF)
    body = {"type": "object", "description": text, "properties": {"order": {"description": text, **schema}}}
    answer = {"description": "ok", "content": {"application/json": {"schema": {"title": f"A{text}", **body}}}}
    operation = {
        "operationId": name,
        "summary": f"Refunds{text}",
        "description": f"Refunds an order{text}",
        "tags": ["money"],
        "parameters": [{"name": "id", "in": "query", "description": text, "schema": {"type": "string"}}],
        "requestBody": {"content": {"application/json": {"schema": body}}},
        "responses": {"200": answer},
    }
    document = {
        "openapi": "3.1.0",
        "info": {"title": f"t{text}", "version": f"1{text}"},
        "tags": [{"name": "money", "description": f"About money{text}"}],
        "paths": {"/refunds": {"post": operation}, "/others": {"get": {"operationId": "other"}}},
    }
    data = json.dumps(document).encode()
    return parse_openapi(data, Origin("openapi", "s", str(FOLDER / "s.json"), "", LIMITS))


def taxonomy(text: str, name: str = "refund", **_: Any) -> SourceDocument:
    document = {
        "version": f"1{text}",
        "categories": [{"id": "money", "description": f"About money{text}"}],
        "methods": [
            {"id": name, "description": f"Refunds{text}", "examples": [f"give it{text} back"]},
            {"id": "other"},
        ],
        "templates": [{"id": "t", "surface": f"s{text}", "interior": f"i{text}"}],
        "concepts": [{"id": "c", "description": f"c{text}"}],
        "generators": [{"id": "g", "tool": "pay", "description": f"g{text}"}],
    }
    data = json.dumps(document).encode()
    return parse_taxonomy(data, Origin("taxonomy", "s", "s.json", "", LIMITS))


def arazzo(text: str, name: str = "refund", **schema: Any) -> SourceDocument:
    text = "".join(each for each in text if not 0xD800 <= ord(each) <= 0xDFFF)
    value = schema.get("default", "x")
    step = {"stepId": "a", "operationId": "pay", "description": f"pays{text}"}
    workflow = {
        "workflowId": name,
        "summary": f"Refunds{text}",
        "description": f"Refunds an order{text}",
        "inputs": {"type": "object", "properties": {"order": {"type": "string", "description": text}}},
        "steps": [{**step, "parameters": [{"name": "x", "in": "query", "value": value}]}],
    }
    document = {
        "arazzo": "1.0.1",
        "info": {"title": "t", "version": f"1{text}"},
        "sourceDescriptions": [{"name": "s", "url": "https://example.com/s.json", "type": "openapi"}],
        "workflows": [workflow, {**workflow, "workflowId": "other", "steps": [step]}],
    }
    data = json.dumps(document).encode()
    sources = KnownOperations(FOLDER, LIMITS)
    return parse_arazzo(data, Origin("arazzo", "s", str(FOLDER / "s.json"), "", LIMITS), sources=sources)


def _tools(text: str, name: str, schema: Any) -> list[dict[str, Any]]:
    properties = {"order": {"type": "string", "description": f"Its id{text}", "title": text, **schema}}
    return [
        {
            "name": name,
            "title": f"Refund{text}",
            "description": f"Refunds an order{text}",
            "inputSchema": {"type": "object", "$comment": text, "properties": properties},
            "outputSchema": {"type": "object", "properties": {"of": {"items": {"description": text}}}},
        }
    ]


READERS: dict[str, Callable[..., SourceDocument]] = {
    "manifest": manifest,
    "mcp": mcp,
    "openapi": openapi,
    "taxonomy": taxonomy,
    "arazzo": arazzo,
}


def texts(value: object) -> Iterator[str]:
    """Every text of a document, those inside of JSON properties decoded."""
    if isinstance(value, str):
        yield value
        if value.startswith("{"):
            yield from texts(json.loads(value))
    elif isinstance(value, dict):
        for key, child in value.items():
            yield from (*texts(key), *texts(child))
    elif isinstance(value, list | tuple):
        for child in value:
            yield from texts(child)


def said(document: SourceDocument) -> list[str]:
    """What the graph would get."""
    cards = [
        [card.id, dict(card.properties), *(dict(edge.properties) for edge in card.edges)]
        for card in document.cards
    ]
    return list(texts([cards, document.source.model_dump(), list(document.warnings)]))


def ids(document: SourceDocument) -> set[str]:
    return {card.id.rpartition("/")[2] for card in document.cards}


def test_every_kind_of_source_is_looked_at() -> None:
    assert set(READERS) == {command.name for command in ingest_app.registered_commands}


@pytest.mark.parametrize("kind", READERS)
def test_texts_lose_hidden_characters_at_any_depth(kind: str) -> None:
    """Titles, summaries, descriptions, those inside of schemas, examples; and versions, which show them."""
    document = READERS[kind](ALL)

    assert [text for text in said(document) if has_hidden(text)] == []
    assert document.rejected == ()
    assert {"refund", "other"} <= ids(document)


@pytest.mark.parametrize("kind", READERS)
def test_a_warning_names_the_item_the_fields_and_the_characters(kind: str) -> None:
    lines = [line for line in READERS[kind]("\u202e\x1b").warnings if "taken out" in line]

    item = {"openapi": "'POST /refunds'"}.get(kind, "'refund'")
    (line,) = (line for line in lines if item in line)
    assert "description" in line
    assert "U+202E, U+001B taken out" in line
    assert not has_hidden(line)


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("hidden", ["\x1b", "\u202e", "\U000e0041", "\u200b"])
def test_an_item_with_a_hidden_character_in_its_name_is_rejected_by_name(kind: str, hidden: str) -> None:
    document = READERS[kind]("", f"re{hidden}fund")

    (entry,) = document.rejected
    assert "other" in ids(document)
    assert not {one for one in ids(document) if "fund" in one}
    assert f"U+{ord(hidden):04X}" in entry.reason
    assert not has_hidden(f"{entry.item}{entry.reason}")


@pytest.mark.parametrize("kind", ["manifest", "mcp", "openapi"])
@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ({"enum": ["a", "b\x9b"]}, "order/enum/1"),
        ({"const": "b\u200b"}, "order/const"),
        ({"default": {"title": "b\u2066"}}, "order/default/title"),
        ({"default": {"b\u2066": 1}}, "order/default"),
        ({"pattern": "^b\U000e0041$"}, "order/pattern"),
        ({"properties": {"b\u200e": {}}}, "order/properties"),
        ({"type": "object", "required": ["b\x1b"]}, "order/required/0"),
    ],
)
def test_a_value_that_programs_go_by_rejects_its_item(kind: str, schema: dict[str, Any], place: str) -> None:
    """Enum, const, default, pattern, names of properties: without the character it would be another value."""
    document = READERS[kind]("", **schema)

    (entry,) = document.rejected
    assert "refund" in entry.item or "/refunds" in entry.item
    assert place in entry.reason
    assert "other" in ids(document)
    assert not has_hidden(entry.reason)


def test_a_constant_of_a_workflow_rejects_it() -> None:
    (entry,) = arazzo("", default="b\x9b").rejected

    assert (entry.item, "bindings/x/known" in entry.reason) == ("workflow 'refund'", True)


@pytest.mark.parametrize("kind", READERS)
def test_clean_texts_are_kept_to_the_letter(kind: str) -> None:
    """Line ends, tabs, spaces of all widths, joiners, right-to-left letters: they are writing."""
    text = "a\n\tb\u00a0\u3000\u200c\u200d\ufe0f שלום 漢 \\r \\u001b"

    document = READERS[kind](text)

    assert not [line for line in document.warnings if "taken out" in line]
    assert any(text in one for one in said(document))


@pytest.mark.parametrize("kind", READERS)
def test_a_line_end_of_two_characters_is_one_without_a_warning(kind: str) -> None:
    document = READERS[kind]("one\r\ntwo", default="one\r\ntwo", enum=["one\r\ntwo"])

    assert (document.rejected, [line for line in document.warnings if "taken out" in line]) == ((), [])
    assert any("one\ntwo" in text for text in said(document))


def test_examples_are_texts() -> None:
    """Real ones hold stray controls, and nothing compares them."""
    cleaner = Cleaner()
    schema = {
        "examples": ["America\x92s", {"default": "a\x1b", "deep": [{"enum": "b\u200b"}]}],
        "example": "\x9b",
    }

    cleaned = json.loads(cleaner.schema(json.dumps(schema), "input"))

    assert cleaned == {"examples": ["Americas", {"default": "a", "deep": [{"enum": "b"}]}], "example": ""}
    assert cleaner.found["input/examples/0"] == ("U+0092",)


def test_a_property_may_be_called_like_a_keyword() -> None:
    schema = json.dumps(
        {"properties": {"default": {"description": "a\u200b"}, "description": {"default": "b"}}}
    )

    cleaned = json.loads(Cleaner().schema(schema, "input"))

    assert cleaned["properties"] == {"default": {"description": "a"}, "description": {"default": "b"}}


def test_warnings_are_bounded() -> None:
    """A document of many thousand such items is told of in a hundred lines."""
    removals = Removals()
    for number in range(5_000):
        cleaner = Cleaner()
        for field in range(9):
            cleaner.text("a\x1b", f"field {field}")
        removals.add(f"tool {number}", cleaner)

    first, *_, last = lines = removals.lines()
    assert len(lines) == 101
    assert "field 4 and 4 more: U+001B" in first
    assert "4,900 more items" in last


def test_the_same_text_with_and_without_hidden_characters_is_one_content() -> None:
    """A server that spells its hidden words anew each time changes nothing in the graph."""
    one, other = mcp("\u200b"), mcp("\u2060\x1b")

    assert [card.properties["content_hash"] for card in one.cards] == [
        card.properties["content_hash"] for card in other.cards
    ]
    assert one.source.content_hash == other.source.content_hash
