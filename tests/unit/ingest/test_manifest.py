"""Manifests: what is read, what is rejected by name, and that one broken tool costs nobody else."""

import json

import pytest

from app.domain.language.accepted_text import TextLimits
from app.domain.nodes.models import NodeKind
from app.errors import SourceRefusedError
from ingest.cards import Origin, SourceDocument
from ingest.sources.mcp.manifest import parse_manifest

GOOD = {"name": "good", "description": "Works."}


LIMITS = TextLimits(100_000, 1_000_000)


def parse(value: object, limits: TextLimits = LIMITS) -> SourceDocument:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return parse_manifest(data, Origin("manifest", "srv", "srv.json", "", limits))


def ids(document: SourceDocument) -> list[str]:
    return [card.id for card in document.cards]


@pytest.mark.parametrize(
    "answer",
    [
        {"tools": [GOOD]},
        [GOOD],
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [GOOD]}},
        {"name": "srv", "description": "x", "tools": [GOOD]},
    ],
)
def test_every_form_of_a_tools_list_answer_is_read(answer: object) -> None:
    """An object with tools, a bare list, a JSON-RPC answer."""
    assert ids(parse(answer)) == ["srv/good"]


def test_the_fields_of_mcp_become_properties() -> None:
    """Schemas are canonical text; hints keep their three states; unknown fields are left out without a word."""
    tool = {
        "name": "t",
        "title": "A tool",
        "description": "Does.",
        "inputSchema": {"type": "object", "properties": {"b": {}, "a": {}}},
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True, "destructiveHint": False, "title": "Other"},
        "_meta": {"x": 1},
        "icons": [],
    }

    document = parse([tool])
    properties = dict(document.cards[0].properties)

    assert len(str(properties.pop("content_hash"))) == 64
    assert properties == {
        "server": "srv",
        "name": "t",
        "title": "A tool",
        "description": "Does.",
        "input_schema": '{"properties":{"a":{},"b":{}},"type":"object"}',
        "output_schema": '{"type":"object"}',
        "read_only": True,
        "destructive": False,
        "deprecated": False,
        "declared": False,
    }
    assert (document.warnings, document.rejected) == ((), ())


@pytest.mark.parametrize("field", ["inputSchema", "input_schema", "parameters"])
def test_a_schema_has_three_names(field: str) -> None:
    assert parse([{"name": "t", field: {"type": "object"}}]).cards[0].properties["input_schema"] == (
        '{"type":"object"}'
    )


@pytest.mark.parametrize(
    ("tool", "message"),
    [
        ({}, "tools[1]: has no 'name'"),
        ({"name": ""}, "tools[1]: name: is empty; accepted: 1 to 256"),
        ({"name": 7}, "tools[1]: name: 7 is a number; accepted: text"),
        ({"name": "x" * 257}, "has 257 characters; accepted: 1 to 256"),
        ({"name": "a\nb"}, "holds U+000A; accepted: printable"),
        ({"name": "a\0b"}, "holds U+0000; accepted: printable"),
        ({"name": "a\ud800"}, "holds U+D800; accepted: printable"),
        ({"name": " a"}, "begins or ends with a space"),
        ("text", "tools[1]: 'text' is text; accepted: an object"),
        (None, "tools[1]: None is null"),
        ({"name": "bad", "description": 5}, "tool 'bad': description: 5 is a number; accepted: text"),
        ({"name": "bad", "description": "é" * 51}, "tool 'bad': description: 102 bytes; accepted: up to 100"),
        ({"name": "bad", "title": []}, "tool 'bad': title"),
        (
            {"name": "bad", "inputSchema": []},
            "tool 'bad': inputSchema: [] is a list; accepted: a JSON schema",
        ),
        ({"name": "bad", "inputSchema": True}, "is true or false; accepted: a JSON schema object"),
        ({"name": "bad", "inputSchema": {"a": "x" * 200}}, "inputSchema: 208 bytes; accepted: up to 200"),
        ({"name": "bad", "outputSchema": "x"}, "tool 'bad': outputSchema: 'x' is text"),
        ({"name": "bad", "inputSchema": {"\ud800": {}}}, "inputSchema: '\\u{d800}' holds U+D800"),
        ({"name": "good"}, "tool 'good': this name comes twice"),
    ],
)
def test_a_broken_tool_is_rejected_by_name_and_the_rest_goes_on(tool: object, message: str) -> None:
    document = parse([GOOD, tool, {"name": "after"}], TextLimits(100, 200))

    assert ids(document) == ["srv/good", "srv/after"]
    (entry,) = document.rejected
    assert message in f"{entry.item}: {entry.reason}"


def test_a_schema_nested_without_end_is_rejected() -> None:
    """Deeper than any schema, and yet not so deep that JSON could not be read."""
    schema: dict[str, object] = {}
    for _ in range(300):
        schema = {"a": schema}

    document = parse([{"name": "deep", "inputSchema": schema}, GOOD])

    assert ids(document) == ["srv/good"]
    assert "nested more than 200 levels" in document.rejected[0].reason


@pytest.mark.parametrize("name", ["a/b", "Hello Tool", "x" * 200, "werkzeug-ä"])
def test_names_outside_mcp_are_accepted_with_a_warning(name: str) -> None:
    document = parse([{"name": name}])

    assert ids(document) == [f"srv/{name}"]
    assert "outside MCP's names" in document.warnings[0]


def test_a_hint_that_is_no_truth_value_is_left_out_with_a_warning() -> None:
    document = parse([{"name": "t", "annotations": {"readOnlyHint": "yes", "openWorldHint": True}}])

    assert document.cards[0].properties.get("read_only") is None
    assert document.cards[0].properties["open_world"] is True
    assert "readOnlyHint is 'yes'" in document.warnings[0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not JSON"),
        (b"{", "srv.json:1:2: not JSON"),
        (b'{"tools": [{"name": "a"}, ]}', "not JSON"),
        (b'[{"name": "a", "x": NaN}]', "NaN is not a JSON number"),
        (b'["\xff"]', "srv.json:1:3: byte 2 is 0xff, which is not UTF-8"),
        (b'["a\x00b"]', "srv.json:1:4: not JSON: Invalid control character"),
        (b"[" * 100_000, "nested too deeply"),
        (b"{}", "without 'tools'"),
        (b'{"openapi": "3.0.0", "paths": {}}', "with 'openapi', 'paths' and without 'tools'"),
        (b'{"tools": {}}', "not a list of tools"),
        (b'{"tools": null}', "not a list of tools"),
        (b"3", "not a list of tools"),
        (b'{"error": {"code": -32601, "message": "no"}}', "holds the error"),
    ],
)
def test_a_file_that_is_no_manifest_is_refused_as_a_whole(data: bytes, message: str) -> None:
    with pytest.raises(SourceRefusedError, match=r"srv\.json") as found:
        parse(data)

    assert message in str(found.value)


def test_a_page_of_several_is_told() -> None:
    """A cursor means that the file lacks tools."""
    assert "nextCursor" in parse({"tools": [GOOD], "nextCursor": "x"}).warnings[0]


def test_a_rejected_tool_names_the_node_that_it_would_have_been() -> None:
    """So that the graph keeps what it has of it."""
    entry = parse([{"name": "a/b", "inputSchema": 1}]).rejected[0]

    assert (entry.kind, entry.id) == (NodeKind.TOOL, "srv/a/b")
