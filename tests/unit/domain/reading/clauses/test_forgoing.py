"""What there is to be none of."""

import pytest

from app.domain.reading.clauses.forgoing import forgoes


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        ("no refund", True),
        ("and no mails to the team please", True),
        ("no more reminders", True),
        ("no alerts during that time", True),
        ("no later than friday", False),
        ("no problem", False),
        ("no one", False),
        ("no need to tell her", False),
        ("no cancel it", False),
        ("no please send a reminder", False),
        ("no event should be deleted", False),
        ("no messages deleted", False),
        ("no more than five", False),
        ("no", False),
        ("note it", False),
    ],
)
def test_what_there_is_to_be_none_of_is_said_in_few_words(piece: str, expected: bool) -> None:
    assert forgoes(piece) is expected
