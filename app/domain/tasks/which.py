"""What of a task says which of many things it means: `low` and `Ann` of `close all low tickets assigned to Ann`."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import takewhile

from app.domain.language.identifiers import pieces, singular
from app.domain.language.intent_words import PHRASE_ENDS
from app.domain.language.text import COMMON_STOP_WORDS, stem
from app.domain.reading.clauses import FIRST_OR_LAST
from app.lexicon.lists import table

_ENDS = re.compile(
    r"[,;:!?]|\.(?=\s|$)|\b(?:because|without|using|so|then|but|now|again|please|too|[^\W\d_]+ly)\b"
    r"|\bby\s+\d|\bwith\s+(?:an?\s+|the\s+)?(?:comment|note|message|reason|text)\b",
    re.IGNORECASE,
)
"""What stands behind one of these says how things are done, and not to which."""
_BECOMING = re.compile(r"(?<!ed)(?<!ing)(?<!due)(?<!sent)(?<!\s)\s++(?:to|into|onto|as)\b", re.IGNORECASE)
"""They lead to what things become, or where they go; behind a participle, to what they are: `assigned to Ann`."""
_WITH = re.compile(r"\bwith\b", re.IGNORECASE)


def which_phrase(text: str) -> tuple[int, int]:
    """Where in the text of a task the phrase behind `all` stands that says which things are meant: first character, end.

    (0, 0) where the task does not say that it means many.
    """
    begun = quantifier_pattern().search(text)
    if begun is None:
        return 0, 0
    end = next((found.start() for found in _ENDS.finditer(text, begun.end())), len(text))
    end = max((found.start() for found in _BECOMING.finditer(text, begun.end(), end)), default=end)
    if next(iter(pieces(text)), "") in table("reading")["furnishing"]:
        end = max((found.start() for found in _WITH.finditer(text, begun.end(), end)), default=end)
    return begun.end(), end


def which_words(text: str, noun: str) -> tuple[str, Sequence[str]]:
    """The noun of that phrase, and the words that say which are meant of what it names.

    Args:
        text: The task, without its values.
        noun: Its object; where the phrase is about another (`the priority of all open tickets`), its noun is the last
            word before the first preposition.
    """
    begin, end = which_phrase(text)
    said = pieces(text[begin:end])
    if noun not in said:
        noun = next(reversed([*takewhile(lambda word: word not in PHRASE_ENDS, said)]), "")
    return noun, [word for word in said if word != noun and word not in COMMON_STOP_WORDS]


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
