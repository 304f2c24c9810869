"""Feedback, schemas, near names, token estimates: the smaller arithmetic around a query."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.ranking.documents import definition_bytes, estimate_tokens
from app.domain.ranking.formulas import expand_query
from app.domain.ranking.names import NameIndex
from app.domain.schemas.walk import parameters
from tests.unit.catalogues import tool


def rows(matrix):
    """The worths of the terms of some documents, each a row."""

    def worths_of(places):
        owners, terms = np.nonzero(matrix[places])
        return owners, terms, matrix[places][owners, terms]

    return worths_of


def test_feedback_expands_by_hand():
    """Shares .75 and .25; w = (.75 * 2, .25 * 4) = (1.5, 1); mass .3 * 2 = .6: .36 and .24 on top."""
    by_document = np.array([[2.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 9.0]])

    expanded = expand_query(
        {0: 2.0}, np.array([3.0, 1.0, 0.0]), worths_of=rows(by_document), term_of="abc".__getitem__
    )

    assert expanded == {0: pytest.approx(2.36), 1: pytest.approx(0.24)}


def test_feedback_without_a_found_tool_changes_nothing():
    empty = np.zeros((2, 3))

    assert expand_query({0: 2.0}, np.zeros(2), worths_of=rows(empty), term_of="abc".__getitem__) == {0: 2.0}


@given(st.permutations(range(14)))
def test_the_numbers_of_the_terms_do_not_matter_to_feedback(order):
    """14 terms of one worth: the alphabet decides which 10 are taken, whatever their numbers are."""
    names = [chr(ord("a") + number) for number in range(14)]
    terms = tuple(names[number] for number in order)

    expanded = expand_query({}, np.ones(1), worths_of=rows(np.ones((1, 14))), term_of=terms.__getitem__)

    assert sorted(terms[number] for number in expanded) == names[:10]


def test_parameters_of_nested_and_composed_schemas():
    schema = {
        "$defs": {"place": {"type": "object", "description": "Where.", "properties": {"city": {}}}},
        "properties": {
            "unit": {"description": "Of what.", "enum": ["c", "f"]},
            "where": {"$ref": "#/$defs/place"},
            "days": {"type": "array", "items": {"enum": [1, 2]}},
        },
        "allOf": [{"properties": {"language": {"anyOf": [{"description": "Spoken."}]}}}],
    }

    found = {p.name: (p.description, p.values) for p in parameters(json.dumps(schema), nested=1)}

    assert found == {
        "unit": ("Of what.", ("c", "f")),
        "where": ("Where.", ()),
        "city": ("", ()),
        "days": ("", ("1", "2")),
        "language": ("Spoken.", ()),
    }
    assert "city" not in {p.name for p in parameters(json.dumps(schema), nested=0)}


@pytest.mark.parametrize(
    "schema",
    [
        "",
        "not json",
        "[]",
        "3",
        "[" * 100_000,
        '{"properties": []}',
        '{"$ref": "#/nowhere"}',
        '{"$ref": "#"}',
        '{"$ref": "other.json#/a"}',
    ],
)
def test_a_schema_without_parameters_is_no_error(schema):
    assert parameters(schema, nested=1) == []


def test_a_schema_that_refers_to_itself_ends():
    schema = {"properties": {"next": {"$ref": "#"}}, "anyOf": [{"$ref": "#"}]}

    assert {p.name for p in parameters(json.dumps(schema), nested=1)} == {"next"}


def test_no_more_than_five_hundred_parameters_are_read():
    schema = {"properties": {f"p{number}": {} for number in range(600)}}

    assert len(parameters(json.dumps(schema), nested=1)) == 500


def test_similarity_of_names_by_hand():
    """' git ' has ' gi', 'git', 'it '; ' get ' shares none, ' gitty ' two of its five."""
    similar = NameIndex.of(["git", "get", "gitty", ""]).similar("GIT")

    assert similar.positions.tolist() == [0, 2]
    assert similar.scores.tolist() == pytest.approx([1.0, 2 * 2 / (5 + 3)])


@given(st.lists(st.text(max_size=10), max_size=6), st.text(max_size=20))
def test_similarities_lie_between_0_and_1(names, text):
    similar = NameIndex.of(names).similar(text)

    assert similar.positions.tolist() == sorted(set(similar.positions.tolist()) & set(range(len(names))))
    assert ((similar.scores > 0) & (similar.scores <= 1)).all()


@given(st.lists(st.builds(tool, st.text(min_size=1, max_size=5), st.text(max_size=20)), max_size=4))
def test_tokens_are_a_quarter_of_the_bytes_of_compact_json_rounded_up(tools):
    definitions = [{"name": each.name, "description": each.description, "inputSchema": {}} for each in tools]
    text = json.dumps(definitions, ensure_ascii=False, separators=(",", ":"))

    expected = math.ceil(len(text.encode("utf-8", "surrogatepass")) / 4)
    assert estimate_tokens(definition_bytes(each) for each in tools) == expected


def test_a_schema_counts_as_it_is_written():
    schema = '{"type":"object"}'

    with_schema = definition_bytes(tool("s/t", input_schema=schema))
    assert with_schema == definition_bytes(tool("s/t")) + len(schema) - len("{}")
