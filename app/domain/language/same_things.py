"""What people call things, and what documents call them: a song is a track. The words are in lexicon/en.toml."""

from collections.abc import Callable
from functools import cache

from app.domain.language.identifiers import singular
from app.domain.language.text import stem
from app.lexicon.lists import table


@cache
def thing_words() -> frozenset[str]:
    """The words for things that documents may call otherwise."""
    return frozenset(table("en")["things"])


def as_called(
    word: str, *, is_thing: Callable[[str], bool], is_used: Callable[[str], bool] = lambda _: False
) -> str:
    """A lower-case noun as the catalogue calls such things; the noun itself where it has them, or knows none of its others.

    Args:
        word: The noun, in the singular or the plural.
        is_thing: Whether calls are about what a stem names.
        is_used: Whether names of calls or inputs have a stem: what they call by it is no other thing.
    """
    one = singular(word)
    others = table("en")["things"].get(one, "").split()
    if not others or is_thing(stem(one)) or is_used(stem(one)):
        return word
    found = next((other for other in others if is_thing(stem(other))), "")
    if not found:
        return word
    return f"{found}s" if one != word else found
