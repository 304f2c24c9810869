"""What the values of a request are by their form."""

import pytest

from app.domain.reading.values import value_nouns


@pytest.mark.parametrize(
    ("text", "nouns"),
    [
        ("who is bob@example.com", {"email": "bob@example.com"}),
        ("say hello in #general", {"channel": "#general"}),
        ("what does https://example.com/a say?", {"url": "https://example.com/a"}),
        ("invite a@b.de and c@d.de to #ops", {"email": "a@b.de", "channel": "#ops"}),
        ('write "bob@example.com" down', {}),
        ("close #12", {}),
        ("", {}),
    ],
)
def test_a_value_with_a_form_of_its_own_has_a_noun(text: str, nouns: dict[str, str]) -> None:
    assert value_nouns(text) == nouns
