"""What the values of a request are, by their form alone: an e-mail address, a channel, an address of the web.

The nouns are in lexicon/values.toml.
"""

from app.domain.reading.shapes import shape
from app.domain.reading.tokens import tokenised, value_words
from app.lexicon.lists import table


def value_nouns(text: str) -> dict[str, str]:
    """Noun -> the first value of a text that is one: {"email": "bob@example.com"}; what is quoted is a text."""
    nouns = table("values")["kinds"]
    found: dict[str, str] = {}
    for token in tokenised(text):
        if token.plain:
            shape(token, value_words(), lambda _: True)
        if token.kind is not None and token.kind.value in nouns:
            found.setdefault(nouns[token.kind.value], token.text)
    return found
