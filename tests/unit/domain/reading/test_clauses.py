"""A goal, cut into what it asks for."""

import pytest

from app.domain.language.operation_words import OperationKind
from app.domain.reading.clauses import asked_kind, split_clauses


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
