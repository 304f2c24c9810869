"""Taxonomies: what each section states, and what is rejected by name."""

from pathlib import Path
from typing import Any

import pytest

from app.domain.language.accepted_text import TextLimits
from app.domain.nodes.models import EdgeKind, Label, NodeKind, StatedLabel
from app.errors import SourceRefusedError
from ingest.cards import Card, Origin, SourceDocument
from ingest.sources.taxonomy.reader import example_id, parse_taxonomy

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "taxonomy.yaml"


def parse(text: str | bytes, *, text_bytes: int = 100_000, is_json: bool = False) -> SourceDocument:
    data = text.encode() if isinstance(text, str) else text
    uri = "t.json" if is_json else "t.yaml"
    return parse_taxonomy(data, Origin("taxonomy", "t", uri, "", TextLimits(text_bytes, 1_000_000)))


def card(document: SourceDocument, kind: NodeKind, node: str) -> Card:
    (found,) = [one for one in document.cards if (one.kind, one.id) == (kind, node)]
    return found


def edges(card: Card) -> set[tuple[str, ...]]:
    return {(edge.kind.value, edge.target.kind.value, edge.target.text) for edge in card.edges}


def test_a_method_states_everything_that_the_schema_has() -> None:
    document = parse("""
methods:
  - id: m
    name: Method
    category: c
    implements: [tool_a, srv/tool_b]
    description: Does.
    tags: [x, y]
    parameters: [p]
    examples: [Do it, Do it, Again]
    relations:
      similar: [n, {id: o, weight: 0.5}]
      enhances: [n]
      alternative: [o]
      requires: [n]
      precedes: [o]
""")
    method = card(document, NodeKind.METHOD, "m")

    assert method.properties == {
        "name": "Method",
        "description": "Does.",
        "tags": ["x", "y"],
        "parameters": ["p"],
    }
    assert edges(method) == {
        ("IMPLEMENTS", "Tool", "tool_a"),
        ("IMPLEMENTS", "Tool", "srv/tool_b"),
        ("BELONGS_TO", "Category", "c"),
        ("HAS_EXAMPLE", "Example", example_id("Do it")),
        ("HAS_EXAMPLE", "Example", example_id("Again")),
        ("SIMILAR", "Method", "n"),
        ("SIMILAR", "Method", "o"),
        ("ENHANCES", "Method", "n"),
        ("ALTERNATIVE", "Method", "o"),
        ("REQUIRES", "Method", "n"),
        ("PRECEDES", "Method", "o"),
    }
    similar = {edge.target.text: edge.properties for edge in method.edges if edge.kind is EdgeKind.SIMILAR}
    stated = {"confidence": 1.0, "evidence": "taxonomy", "reason": "taxonomy"}
    assert similar == {"n": {**stated, "weight": 1.0}, "o": {**stated, "weight": 0.5}}
    assert card(document, NodeKind.EXAMPLE, example_id("Again")).properties == {"text": "Again"}


def test_an_example_is_called_by_its_text() -> None:
    """The first 16 hex digits of SHA-256."""
    assert example_id("abc") == "example:ba7816bf8f01cfea"


def test_templates_concepts_and_generators_state_their_order() -> None:
    document = parse("""
templates: [{id: t, name: T, surface: s, interior: i, tags: [a], uses: [u2, u1], methods: [m]}]
concepts: [{id: k, name: K, related_to: [m2, m1]}]
generators: [{id: g, name: G, tool: u1, parameters: [p]}]
categories: [{id: c, name: C, description: d}]
""")
    positions = [
        (edge.kind.value, edge.target.text, edge.properties["position"])
        for node in ((NodeKind.TEMPLATE, "t"), (NodeKind.CONCEPT, "k"))
        for edge in card(document, *node).edges
    ]

    assert positions == [
        ("USES", "u2", 0),
        ("USES", "u1", 1),
        ("USES", "m", 0),
        ("RELATED_TO", "m2", 0),
        ("RELATED_TO", "m1", 1),
    ]
    assert edges(card(document, NodeKind.GENERATOR, "g")) == {("USES", "Tool", "u1")}
    assert card(document, NodeKind.CATEGORY, "c").properties == {"name": "C", "description": "d"}


def test_a_server_prefixes_bare_tool_names_only() -> None:
    document = parse("""
server: srv
methods: [{id: m, implements: [a, other/b]}]
generators: [{id: g, tool: a}]
tools: [{id: a, requires: [b]}]
""")

    assert {
        text for kind, _, text in edges(card(document, NodeKind.METHOD, "m")) if kind == "IMPLEMENTS"
    } == {
        "srv/a",
        "other/b",
    }
    assert edges(card(document, NodeKind.GENERATOR, "g")) == {("USES", "Tool", "srv/a")}
    (note,) = document.notes
    assert (note.tool.text, note.edges[0].target.text) == ("srv/a", "srv/b")


def test_tools_state_and_veto_edges_between_tools() -> None:
    document = parse("""
tools:
  - id: a
    requires: [b, {tool: c, parameter: p, optional: true}, f]
    not_requires: [d]
    precedes: [e]
    part_of: [t]
    categories: [k]
""")
    (note,) = document.notes
    manual = {"confidence": 1.0, "evidence": "manual"}

    assert [(edge.kind.value, edge.target.text, dict(edge.properties)) for edge in note.edges] == [
        ("REQUIRES", "b", {**manual, "parameter": None, "optional": None, "rank": 1}),
        ("REQUIRES", "c", {**manual, "parameter": "p", "optional": True, "rank": 1}),
        ("REQUIRES", "f", {**manual, "parameter": None, "optional": None, "rank": 2}),
        ("PRECEDES", "e", manual),
        ("PART_OF", "t", {}),
        ("BELONGS_TO", "k", {}),
    ]
    assert [reference.text for reference in note.not_requires] == ["d"]


def test_a_tool_is_said_to_have_labels_or_not_to_have_them() -> None:
    """What is left out is inferred later; a sink may name its inputs, one or more."""
    document = parse("""
tools:
  - {id: a, labels: {untrusted_content: true, private_data: no, external_sink: {to: recipients, carries: [subject, body]}}}
  - {id: b, labels: {external_sink: false}}
  - {id: c, labels: {external_snik: true}}
  - {id: d, labels: {external_sink: {too: x}}}
  - {id: e, labels: {destructive: 3}}
""")

    assert [note.labels for note in document.notes] == [
        (
            StatedLabel(label=Label.UNTRUSTED_CONTENT),
            StatedLabel(label=Label.PRIVATE_DATA, value=False),
            StatedLabel(label=Label.EXTERNAL_SINK, to=("recipients",), carries=("subject", "body")),
        ),
        (StatedLabel(label=Label.EXTERNAL_SINK, value=False),),
    ]
    snik, too, three = (one.reason for one in document.rejected)
    assert "external_snik" in snik
    assert "untrusted_content, private_data, external_sink, destructive" in snik
    assert "too" in too
    assert "value, to, carries" in too
    assert "destructive" in three
    assert "3" in three


@pytest.mark.parametrize("says_yes", [True, False])
def test_a_truth_value_may_be_written_as_yaml_1_1_has_it(says_yes: bool) -> None:
    words = ("yes", "on", "true") if says_yes else ("no", "off", "false")
    for word in (form for one in words for form in (one, one.capitalize(), one.upper())):
        document = parse(f"tools: [{{id: a, requires: [{{tool: b, optional: {word}}}]}}]")

        assert document.rejected == ()
        assert document.notes[0].edges[0].properties["optional"] is (says_yes or None)


@pytest.mark.parametrize("word", ["y", "1", "oN", "maybe", "2024-01-01"])
def test_any_other_word_is_no_truth_value(word: str) -> None:
    (rejected,) = parse(f"tools: [{{id: a, requires: [{{tool: b, optional: {word}}}]}}]").rejected

    assert "accepted: true or false" in rejected.reason


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("{name: x}", "methods[1]: has no 'id'; accepted: id, name, category"),
        ("{id: 7}", "id: 7 is a number; accepted: text (numbers"),
        ("{id: true}", "id: True is true or false; accepted: text"),
        ("{id: ''}", "methods[1]: id: is empty; accepted: 1 to 520"),
        ('{id: "a\\u0007"}', "holds U+0007; accepted: text without"),
        ("text", "methods[1]: 'text' is text; accepted: id, name"),
        ("null", "methods[1]: None is null"),
        ("{id: bad, tagz: [x]}", "method 'bad': unknown field 'tagz'; accepted: id, name"),
        ("{id: bad, relations: {near: [x]}}", "relations: unknown field 'near'; accepted: similar, enhances"),
        ("{id: bad, tags: x}", "method 'bad': tags: 'x' is text; accepted: a list"),
        ("{id: bad, tags: [3]}", "method 'bad': tags[0]: 3 is a number; accepted: text (numbers"),
        ("{id: bad, implements: {a: b}}", "implements: {'a': 'b'} is an object; accepted: a list"),
        ("{id: bad, relations: {similar: [{id: x, weight: 2}]}}", "relations.similar[0].weight: 2"),
        ("{id: bad, relations: {similar: [{id: x, weight: .nan}]}}", "relations.similar[0].weight"),
        ("{id: bad, relations: {similar: [{weight: 1}]}}", "has no 'relations.similar[0].id'"),
        ('{id: bad, tags: ["a\\0b"]}', "tags[0]: 'a\\u{0}b' holds U+0000; accepted: text without"),
        (f"{{id: bad, description: {'x' * 101}}}", "description: 101 bytes; accepted: up to 100"),
        ("{id: good}", "method 'good': this id comes twice"),
        ("{id: bad, 3: x}", "unknown field '3'; accepted: id, name"),
    ],
)
def test_a_broken_item_is_rejected_by_name_and_the_rest_goes_on(item: str, message: str) -> None:
    document = parse(f"methods:\n- {{id: good}}\n- {item}\n- {{id: after}}\n", text_bytes=100)

    assert [card.id for card in document.cards] == ["good", "after"]
    (entry,) = document.rejected
    assert message in f"{entry.item}: {entry.reason}"


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join(['*' + old] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("a: [", "not YAML"),
        ("a: b: c", "not YAML"),
        ("", "empty; accepted: an object with version"),
        ("- a", "a list; accepted: an object"),
        ("3", "a number; accepted: an object"),
        ("methodz: []", "unknown field 'methodz'; accepted: version, domain"),
        ("methods: {a: b}", "methods: {'a': 'b'} is an object; accepted: a list"),
        ("methods: []\nmethods: []", "'methods' comes twice"),
        ("!!python/object/apply:os.system ['true']", "['true'], a list; accepted: an object"),
        ("a: 1\n---\nb: 2", "t.yaml:2:1: a second YAML document"),
        ("server: ' x'", "begins or ends with a space"),
        (b"domain: \xff", "t.yaml:1:9: byte 8 is 0xff, which is not UTF-8"),
        (b"domain: a\x00b", "t.yaml:1:1: not YAML: control characters are not allowed"),
        ("[" * 100_000, "t.yaml:1:201: values nest deeper than 200 levels"),
        ("# é𝄞\n" + "[" * 100_000, "t.yaml:2:201: values nest deeper than 200 levels"),
        ("[" * 201, "t.yaml:1:201: values nest deeper than 200 levels"),
        ("{a: " * 100_000, "values nest deeper than 200 levels"),
        (BOMB, "more than 1,000,000 values"),
        ("a: &a [*a]", "t.yaml:1:8: alias *a contains itself"),
    ],
)
def test_a_file_that_is_no_taxonomy_is_refused_as_a_whole(data: str | bytes, message: str) -> None:
    """Among them what would exhaust the stack or the memory of a careless reader."""
    with pytest.raises(SourceRefusedError, match=r"t\.yaml") as found:
        parse(data)

    assert message in str(found.value)


def test_dates_and_words_for_truth_are_the_texts_that_were_written() -> None:
    """As in every other YAML document that is read, but where a field is true or false."""
    document = parse("version: 2024-13-45\nmethods: [{id: yes, tags: [2024-01-01, off, 12:30]}]")

    assert document.source.version == "2024-13-45"
    assert card(document, NodeKind.METHOD, "yes").properties["tags"] == ["2024-01-01", "off", "12:30"]


def test_aliases_within_bounds_are_read() -> None:
    document = parse("methods: [{id: a, tags: &tags [x]}, {id: b, tags: *tags}]")

    assert [one.properties["tags"] for one in document.cards] == [["x"], ["x"]]


def test_json_is_read_too() -> None:
    assert parse('{"methods": [{"id": "m"}]}', is_json=True).cards[0].id == "m"


def test_empty_sections_are_empty() -> None:
    """`tags:` with nothing behind it is null in YAML."""
    document = parse("methods:\n- id: m\n  tags:\n  relations:\nconcepts:\n")

    assert (document.cards[0].properties, document.rejected) == ({"name": "m"}, ())


def test_the_example_is_read_without_a_word() -> None:
    document = parse(EXAMPLE.read_bytes())

    assert (document.rejected, document.warnings) == ((), ())
    assert {card.kind for card in document.cards} == set(NodeKind) - {NodeKind.TOOL, NodeKind.WORKFLOW}


@pytest.mark.parametrize("change", [{"name": "y"}, {"tags": ["t"]}, {"implements": ["a"]}, {"category": "c"}])
def test_every_field_and_edge_counts_for_the_hash(change: dict[str, Any]) -> None:
    """What is not hashed would never be written again."""
    import json

    from ingest.cards import card_hash

    before, after = (
        parse(json.dumps({"methods": [{"id": "m", **fields}]}), is_json=True).cards[0]
        for fields in ({}, change)
    )

    assert card_hash(before) != card_hash(after)
