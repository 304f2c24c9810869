"""Names that look like a text, for when no word or name of it is known."""

from collections.abc import Iterable
from difflib import get_close_matches


def near_names(text: str, known: Iterable[str], *, cutoff: float, most: int = 3) -> list[str]:
    """The known names whose characters are most like a text's, the nearest first, each once.

    Args:
        text: what was asked for.
        known: the names.
        cutoff: how like they must be, 0 to 1 (`difflib.SequenceMatcher.ratio`).
        most: how many at most.
    """
    return list(dict.fromkeys(get_close_matches(text, list(known), n=most, cutoff=cutoff)))


def near_ones(text: str, known: Iterable[str], *, cutoff: float, otherwise: str) -> str:
    """For messages: the known names that look like a text; `otherwise` where none does."""
    near = near_names(text, known, cutoff=cutoff)
    return f"known near ones: {', '.join(near)}" if near else otherwise
