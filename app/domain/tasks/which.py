"""What of a task says which of many things it means: `low` and `Ann` of `close all low tickets assigned to Ann`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile

from app.domain.language.goal_words import is_past_participle
from app.domain.language.identifiers import pieces, singular
from app.domain.language.intent_words import PHRASE_ENDS
from app.domain.language.text import COMMON_STOP_WORDS, stem
from app.domain.reading.clauses.phrases import FIRST_OR_LAST
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

_SINCE_WHEN = "|".join(table("reading")["since_when"])
_ENDS = re.compile(
    rf"[,;:!?]|\.(?=\s|$)|\b(?:because|without|using|so|then|but|now|again|please|too|(?!(?:{_SINCE_WHEN})\b)[^\W\d_]+ly)\b"
    r"|\bby\s+\d|\bwith\s+(?:an?\s+|the\s+)?(?:comment|note|message|reason|text)\b",
    re.IGNORECASE,
)
"""What stands behind one of these says how things are done, and not to which."""
_RELATIVE = frozenset(("that", "which", "who", "whose", "where"))
_WITH = re.compile(r"\bwith\b", re.IGNORECASE)


def which_phrase(text: str) -> tuple[int, int]:
    """Where in the text of a task the phrase behind `all` stands that says which things are meant: first character, end.

    (0, 0) where the task does not say that it means many.
    """
    begun = quantifier_pattern().search(text)
    if begun is None:
        return 0, 0
    end = next((found.start() for found in _ENDS.finditer(text, begun.end())), len(text))
    end = max((found.start() for found in becoming_pattern().finditer(text, begun.end(), end)), default=end)
    if next(iter(pieces(text)), "") in table("reading")["furnishing"]:
        end = max((found.start() for found in _WITH.finditer(text, begun.end(), end)), default=end)
    return begun.end(), end


@dataclass(frozen=True, slots=True)
class Which:
    """What says which of many things a task means, as words."""

    noun: str = ""
    """What the things are called."""
    words: Sequence[str] = ()
    """All that say which are meant."""
    before: Sequence[str] = ()
    """Of these, adjectives before the noun: (old) of `all old tickets`."""
    behind: Sequence[str] = ()
    """Of these, a participle behind it, or what follows a relative pronoun: (merged) of `all branches already merged`."""


def which_words(text: str, noun: str) -> Which:
    """The words of that phrase.

    Args:
        text: The task, without its values.
        noun: Its object; where the phrase is about another (`the priority of all open tickets`), its noun is the last
            word before the first preposition.
    """
    begin, end = which_phrase(text)
    said = pieces(text[begin:end])
    # `everything that is closed`: no noun stands before what says which.
    is_everything = text[:begin].lower().endswith(table("reading")["everything"])
    if is_everything:
        noun = ""
    elif noun not in said:
        noun = next(reversed([*takewhile(lambda word: word not in PHRASE_ENDS, said)]), "")
    reading = table("reading")
    since_when, neutral = reading["since_when"], (*value_words().determiners, *reading["neutral"])

    def tells(word: str) -> bool:
        return word not in COMMON_STOP_WORDS and word not in since_when and word != noun

    at = said.index(noun) if noun in said else -1 if is_everything else len(said)
    behind = [word for word in said[at + 1 :] if word not in since_when]
    if behind[:1] and behind[0] in value_words().prepositions and behind[1:2] and behind[1] in _RELATIVE:
        # What stood between them is a value: `every job in Marketing that is paused`.
        behind = behind[1:]
    relative = [word for word in behind[1:] if tells(word)] if behind[:1] and behind[0] in _RELATIVE else []
    participle = behind[:1] if behind[:1] and is_past_participle(behind[0]) else []
    return Which(
        noun,
        [word for word in said if tells(word)],
        [word for word in said[:at] if tells(word) and word not in neutral and not word.isdigit()]
        if noun in said
        else [],
        participle or relative,
    )


def ordered_noun(text: str, *, is_thing: Callable[[str], bool]) -> str:
    """Stem of the thing of which the first or last one is meant: (backup) in `roll the database back to its latest backup`."""
    found = FIRST_OR_LAST.search(text)
    behind = pieces(text[found.end() :]) if found else ()
    said = (stem(singular(word)) for word in takewhile(lambda word: word not in PHRASE_ENDS, behind))
    return next(filter(is_thing, said), "")


@cache
def quantifier_pattern() -> re.Pattern[str]:
    """What says that all of several things are meant: `every`."""
    return re.compile(rf"\b(?:{'|'.join(table('reading')['each'])})\b", re.IGNORECASE)


@cache
def becoming_pattern() -> re.Pattern[str]:
    """What leads to what things become, or where they go; behind some participles, to what they are: `assigned to Ann`."""
    leading = "".join(rf"(?<!\b{word})" for word in table("reading")["participles_with_prepositions"])
    return re.compile(rf"{leading}(?<!\s)\s++(?:to|into|onto)\b|(?<!ed)(?<!\s)\s++as\b", re.IGNORECASE)
