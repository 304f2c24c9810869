"""What is new about somebody is what is to be changed."""

import pytest

from app.domain.language.text import stem
from app.domain.tasks.news import news_as_changes


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        (
            "Osman Textiles has a new phone number, +902125550144, please update",
            "change the phone number of Osman Textiles to +902125550144",
        ),
        (
            "lena has a new address for mails: lena@posteo.de",
            "change the address for mails of lena to lena@posteo.de",
        ),
        (
            "tobias@web.de has moved, he now lives at Gartenweg 8, 50667 Köln",
            "change the address of tobias@web.de to Gartenweg 8, 50667 Köln",
        ),
        ("Ben's cost centre is now CC-620.", "change the cost centre of Ben to CC-620."),
        ("customer 12 has a new card, pm_7", "customer 12 has a new card, pm_7"),
        ("we have a new patient: Noor", "we have a new patient: Noor"),
        ("what is ben's email now?", "what is ben's email now?"),
        ("the team has moved on", "the team has moved on"),
    ],
)
def test_news_are_changes(goal: str, expected: str) -> None:
    """A new thing is made, and what is asked stays a question."""
    assert news_as_changes(goal, is_thing=lambda word: word == stem("card")) == expected
