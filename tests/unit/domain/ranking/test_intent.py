import numpy as np
import pytest

from app.domain.language.intent_words import ACTION_WORDS, RELATED_ACTIONS
from app.domain.ranking.intent import (
    ACTIONS,
    act_matrix,
    compatibility,
    count_clauses,
    intent_scores,
    query_acts,
    tool_acts,
    verb_terms,
)
from tests.unit.catalogues import tool


def test_there_are_thirty_classes_and_every_related_action_is_one():
    assert len(ACTIONS) == 30
    for asked, related in RELATED_ACTIONS.items():
        assert asked in ACTION_WORDS
        assert related.keys() <= set(ACTIONS)


def test_compatibility_lies_in_its_interval_with_ones_on_the_diagonal():
    matrix = compatibility()

    assert matrix.min() == pytest.approx(-0.6)
    assert matrix.max() == 1.0
    assert (np.diag(matrix) == 1.0).all()


@pytest.mark.parametrize(
    ("query", "acts"),
    [
        ("delete the old branch", {"delete": 1.0}),
        ("Could you please remove it", {"delete": 1.0}),
        ("log out of the console", {"logout": 1.0}),
        ("turn the lights off", {"disable": 1.0}),
        ("turn on the lights", {"enable": 1.0}),
        ("how many users are there", {"calc": 1.0, "list": 0.7}),
        ("show open issues", {"get": 0.8, "list": 1.0}),
        ("show the issue", {"get": 1.0}),
        ("show the status", {"get": 1.0}),
        ("open a new ticket", {"open": 1.0, "create": 1.0}),
        ("bananas", {}),
        ("", {}),
    ],
)
def test_a_query_asks_for_the_first_verb_of_its_clauses(query, acts):
    assert query_acts(query) == acts


def test_each_clause_asks_for_something():
    assert query_acts("create a branch, then delete the file").keys() >= {"create", "delete"}


def test_clauses_under_three_words_do_not_count():
    assert count_clauses("one two three. four five six; seven") == 2
    assert count_clauses("hello") == 1
    assert count_clauses("a b c. " * 9) == 4


@pytest.mark.parametrize(
    ("given", "acts"),
    [
        (tool("s/delete_branch"), {"delete": 1.0}),
        (tool("s/branch_delete"), {"delete": 1.0}),
        (tool("s/mcp_branch_delete_now"), {"delete": 1.0}),
        (tool("s/branches", description="Removes a branch."), {"delete": 0.8}),
        (tool("s/branches", method="GET", path="/branches"), {"list": 0.7}),
        (tool("s/branches", method="GET", path="/branches/{id}"), {"get": 0.7}),
        (tool("s/branches", destructive=True), {"delete": 0.3}),
        (tool("s/branches", read_only=True), {"get": 0.4}),
        (tool("s/create_undo", method="DELETE"), {"create": 1.0, "delete": 0.5}),
        (tool("s/branches"), {}),
    ],
)
def test_a_tool_acts_by_its_name_then_description_then_method_then_hints(given, acts):
    assert {action: value for action, value in tool_acts(given).items() if action in acts} == acts
    assert bool(tool_acts(given)) == bool(acts)


def test_intent_scores_take_the_best_pair():
    """By hand: asked list and get (.8); a deleting tool: max(-.6, .8 * -.6) = -.48; a listing one 1; unknown 0."""
    matrix = act_matrix([{"delete": 1.0}, {"list": 1.0}, {}])

    scores = intent_scores({"list": 1.0, "get": 0.8}, matrix)

    assert scores.tolist() == pytest.approx([-0.48, 1.0, 0.0])


def test_a_query_without_a_known_verb_scores_nothing():
    assert intent_scores({}, act_matrix([{"delete": 1.0}])).tolist() == [0.0]


def test_words_that_are_nouns_too_are_no_verb_terms():
    assert "delet" in verb_terms()
    assert "email" not in verb_terms()
