"""A goal, cut into what it asks for."""

import pytest

from app.domain.language.operation_words import OperationKind
from app.domain.reading.clauses import asked_kind, is_question, is_statement, split_clauses


@pytest.mark.parametrize(
    ("goal", "clauses"),
    [
        ("cancel my order and refund the payment", ["cancel my order", "refund the payment"]),
        ("find the user by email", ["find the user by email"]),
        ("search for tracks, albums, artists", ["search for tracks", "albums", "artists"]),
        ("This workflow allows users to create a list and delete it.", ["create a list", "delete it"]),
        ("Create an order. This ensures that stock is reserved.", ["Create an order"]),
        ("I'm watching a show and I want some reviews", ["I want some reviews"]),
        ("the", ["the"]),
    ],
)
def test_a_cut_counts_where_something_is_asked_for(goal: str, clauses: list[str]) -> None:
    assert [clause.rstrip(".") for clause in split_clauses(goal)] == clauses


@pytest.mark.parametrize("goal", ["enable hook 3", "enable the user ann", "allow bob to push"])
def test_a_verb_by_which_descriptions_begin_may_be_what_is_asked_for(goal: str) -> None:
    assert split_clauses(goal) == [goal]


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        ("delete the file", OperationKind.DELETE),
        ("then find the file", OperationKind.SEARCH),
        ("order a pizza", OperationKind.CREATE),
        ("the pizza", None),
    ],
)
def test_the_first_known_verb_says_what_is_asked_for(clause: str, kind: OperationKind | None) -> None:
    assert asked_kind(clause) == kind


@pytest.mark.parametrize(
    "statement",
    [
        "nobody works on it any more",
        "the customer cancelled",
        "it was fixed",
        "she wants another one",
        "our build is broken",
    ],
)
def test_what_only_says_how_things_are_is_no_task(statement: str) -> None:
    assert is_statement(statement)
    assert split_clauses(f"close issue 12, {statement}") == ["close issue 12"]


@pytest.mark.parametrize(
    "clause", ["close the order", "the customer order", "the closed issues", "he left", "it works"]
)
def test_what_names_something_or_is_short_is_no_statement(clause: str) -> None:
    assert not is_statement(clause)


def test_a_goal_that_only_says_how_things_are_is_kept() -> None:
    assert split_clauses("the customer has cancelled") == ["the customer has cancelled"]


@pytest.mark.parametrize(
    "clause",
    ["did she open it?", "is the order paid?", "does bob know", "who opened it?", "then why is it open?"],
)
def test_a_question_asks_something(clause: str) -> None:
    assert is_question(clause)


@pytest.mark.parametrize(
    "clause", ["can you close issue 12?", "do you close it", "do not close it", "close it", "then close it"]
)
def test_a_request_is_no_question(clause: str) -> None:
    assert not is_question(clause)


@pytest.mark.parametrize(
    "goal", ["export the report, as pdf", "deploy web, with two replicas", "deploy web, under another name"]
)
def test_a_piece_that_a_preposition_begins_goes_on_with_the_clause(goal: str) -> None:
    assert split_clauses(goal) == [goal]


def test_a_piece_that_a_noun_begins_is_a_clause() -> None:
    assert split_clauses("export the report, the invoice") == ["export the report", "the invoice"]


def test_a_noun_that_is_made_of_a_verb_begins_no_clause() -> None:
    assert split_clauses("list the contributions of a user to assignment 12") == [
        "list the contributions of a user to assignment 12"
    ]
    assert split_clauses("find the ticket and assign it to bob") == ["find the ticket", "assign it to bob"]


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        ("its refunds", None),
        ("the open order", None),
        ("their payment", None),
        ("a list of refunds", OperationKind.LIST),
        ("refund the order", OperationKind.ACTION),
    ],
)
def test_a_noun_phrase_asks_for_no_change(clause: str, kind: OperationKind | None) -> None:
    assert asked_kind(clause) is kind


@pytest.mark.parametrize("head", ["reason", "note", "subject"])
def test_a_text_behind_its_head_belongs_to_the_task_before(head: str) -> None:
    clause = f"put order 3 on hold, {head}: \ue000"
    assert split_clauses(clause) == [clause]


@pytest.mark.parametrize(
    ("goal", "clauses"),
    [
        ("set claim 7 to approved and print it", ["set claim 7 to approved", "print it"]),
        ("move it to archived", ["move it to archived"]),
    ],
)
def test_what_a_thing_becomes_is_part_of_its_task(goal: str, clauses: list[str]) -> None:
    assert split_clauses(goal) == clauses
