"""What the catalogue knows of the words of a goal, passed on where one is cut."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CatalogueWords:
    """What the catalogue knows of words that a goal may say."""

    is_verb: Callable[[str], bool] = lambda _stem: False
    """Whether a stem begins what calls do, beside the known verbs."""
    is_separate: Callable[[str, str], bool] = lambda _thing, _part: False
    """Whether something, the second, is made by a call of its own when the first is dealt with: a comment of an issue."""
    is_thing: Callable[[str], bool] = lambda _stem: False
    """Whether calls are about what a stem names."""
    is_attribute: Callable[[str, str], bool] = lambda _clause, _piece: False
    """Whether a piece is a value of what the clause before it makes or changes."""
    is_state: Callable[[str], bool] = lambda _state: False
    """Whether calls can set a state."""


NO_CATALOGUE = CatalogueWords()
"""Only what is known of words without one."""
