"""A goal as it is read: what people write short, or say otherwise, as what it stands for."""

from collections.abc import Callable

from app.domain.tasks.exporting import with_exports
from app.domain.tasks.laid_out import laid_out
from app.domain.tasks.news import news_as_changes
from app.domain.tasks.openings.listed import with_things_listed
from app.domain.tasks.openings.politeness import without_politeness
from app.domain.tasks.spelt_out import (
    beside_quotes,
    with_conversions,
    with_direction_beside,
    with_documents_made,
    with_dues,
    with_initials_spelt_out,
    with_messages_sent,
    with_one_adverb,
    without_old_values,
    without_titles,
)
from app.domain.tasks.tagging import with_tags_added


def rewritten(
    text: str,
    *,
    is_thing: Callable[[str], bool],
    is_used: Callable[[str], bool],
    is_verb: Callable[[str], bool],
) -> str:
    """A goal in the words by which calls are found; what is quoted stays to the letter.

    Args:
        text: The goal, in English.
        is_thing: Whether calls are about what a stem names.
        is_used: Whether names of calls or inputs have a stem.
        is_verb: Whether calls begin with a stem, besides the known verbs.
    """

    def plain(text: str) -> str:
        text = with_things_listed(
            without_old_values(without_politeness(text)), is_thing=is_thing, is_verb=is_verb
        )
        text = laid_out(text, is_named=lambda word: is_thing(word) or is_used(word))
        text = with_one_adverb(with_direction_beside(with_messages_sent(text, is_used=is_used)))
        text = with_dues(with_conversions(text, is_used=is_used), is_used=is_used)
        text = without_titles(with_initials_spelt_out(text, is_used=is_used))
        text = news_as_changes(with_documents_made(text, is_thing=is_thing), is_thing=is_thing)
        return with_exports(text, is_used=is_used)

    return with_tags_added(beside_quotes(plain, text), is_thing=is_thing)
