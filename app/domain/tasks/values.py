"""The values that a goal, or a task of it, states: what it looks like, and what stands around it."""

from collections.abc import Callable, Sequence
from datetime import datetime

from app.domain.language.goal_words import verb_kinds
from app.domain.language.identifiers import is_plural, pieces, singular
from app.domain.language.intent_words import ARTICLES, PHRASE_ENDS
from app.domain.language.text import stem
from app.domain.reading.models import StatedValue, ValueKind
from app.domain.reading.values import find_values
from app.domain.tasks.described import compound_names, described_things
from app.domain.tasks.postal import with_addresses

_NOUN_WITHIN = 60
"""Characters before a word in which an article and its noun stand."""
_CALLING = ("called", "named", "titled")
_SEARCHED = ("about", "for", "with")
_CHANNEL = stem("channel")


def goal_values(
    goal: str,
    *,
    now: datetime,
    timezone: str,
    is_word: Callable[[str], bool],
    joined: Callable[[str], bool] = lambda _: False,
    is_thing: Callable[[str], bool] = lambda _: False,
) -> list[StatedValue]:
    """The values of a goal. Of bare words only those that stand where nothing but a name can.

    A word behind an article, or before a noun, is no name (`a specific author`), nor is one behind `of`, but for one
    that the catalogue does not use behind a noun that it does (`the members of acme`); what the catalogue does not use
    anywhere is no ordinary word.
    """
    found = []
    for value in with_addresses(
        goal, [*find_values(goal, now=now, timezone=timezone, is_word=is_word)], is_thing=is_thing
    ):
        if _is_compound(goal, value, is_thing):
            continue
        if value.weak and value.nouns and joined(stem(singular(value.nouns[-1]) + singular(value.text))):
            # `invoice item`: the catalogue writes both together, as one thing.
            continue
        if (
            value.kind is ValueKind.NAME
            and value.noun_after == ""
            and goal[value.end :].startswith(" of ")
            and (
                (value.weak and is_word(value.text))
                or (
                    value.text.islower()
                    and _is_determined(goal[max(0, value.start - _NOUN_WITHIN) : value.start], value.nouns)
                )
            )
        ):
            # `the custom domain of the site`: a name has nothing of its own.
            continue
        if value.kind is ValueKind.CHANNEL and value.preposition in _SEARCHED and not joined(_CHANNEL):
            # `search tweets for #rain`, where nobody speaks of channels.
            value = value.model_copy(update={"kind": ValueKind.NAME})
        if value.weak and value.preposition in _CALLING:
            # What a thing is called is a name, whatever else it means.
            value = value.model_copy(update={"weak": False})
        if value.kind is ValueKind.NAME and value.text.islower():
            *_, owned, before = ("", "", *pieces(goal[: value.start]))
            behind = goal[value.end : value.end + 1]
            follows = value.noun_after if behind.isspace() else ""
            # `the members of acme`, but nobody knows what `the newsletter of spring` is.
            named_by_of = before == "of" and not value.weak and is_word(owned)
            if (before in ARTICLES and value.preposition not in _CALLING and not named_by_of) or (
                follows
                and (value.weak or not value.nouns)
                and follows not in PHRASE_ENDS
                and follows not in ("to", "then")
                and follows not in ARTICLES
            ):
                continue
            alone = not value.nouns or (len(value.nouns) == 1 and stem(value.nouns[0]) in verb_kinds())
            value = value.model_copy(update={"weak": value.weak if not alone else is_word(value.text)})
        found.append(value)
    named = [*described_things(goal, found, is_word=is_word, is_thing=is_thing, is_used=joined)]
    named += compound_names(goal, found, is_joined=joined)
    # Words that might be names are words of what is named.
    plain = [one for one in found if not any(name.start <= one.start < name.end for name in named)]
    return sorted([*plain, *named], key=lambda one: one.start)


def _is_determined(before: str, nouns: Sequence[str]) -> bool:
    """Whether an article and one noun end a text: what follows is a part of that noun, as in `the subject line of it`."""
    return len(nouns) > 0 and pieces(before)[-2:] == ("the", nouns[-1])


def _is_compound(goal: str, value: StatedValue, is_thing: Callable[[str], bool]) -> bool:
    """Whether what looks like an id only says what kind of thing is meant: `the on-call engineer`, but not `the pg-data volume`."""
    letters = value.kind is ValueKind.ID and value.text.replace("-", "").isalpha() and "-" in value.text
    if not letters or not value.noun_after or value.noun_after in PHRASE_ENDS:
        return False
    if not is_plural(value.noun_after) and is_thing(stem(value.noun_after)):
        return False
    before = pieces(goal[: value.start])[-1:]
    return bool(before) and before[0] in ARTICLES
