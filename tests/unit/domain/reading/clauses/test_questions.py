"""What a clause asks."""

import pytest

from app.domain.reading.clauses.questions import is_question


@pytest.mark.parametrize(
    "clause",
    [
        "did she open it?",
        "is the order paid?",
        "does bob know",
        "who opened it?",
        "then why is it open?",
        "anything to approve?",
        "anyone who did not pay?",
    ],
)
def test_a_question_asks_something(clause: str) -> None:
    assert is_question(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "can you close issue 12?",
        "do you close it",
        "do not close it",
        "close it",
        "then close it",
        "anyone may join it from now on",
    ],
)
def test_a_request_is_no_question(clause: str) -> None:
    assert not is_question(clause)
