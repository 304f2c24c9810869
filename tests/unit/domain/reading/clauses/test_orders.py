"""What a clause orders."""

import pytest

from app.domain.language.operation_words import OperationKind
from app.domain.reading.clauses.orders import asked_kind, starts_with_verb


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


def test_who_does_something_is_no_verb() -> None:
    assert not starts_with_verb("customer \ue000", lambda _: False)
    assert starts_with_verb("register \ue000", lambda _: False)


@pytest.mark.parametrize("goal", ["unassign bob from issue 91", "detach the post from record 7"])
def test_the_noun_behind_a_verb_that_takes_something_away_is_no_verb(goal: str) -> None:
    assert asked_kind(goal) is OperationKind.DELETE
