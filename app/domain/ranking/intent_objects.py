"""What a query is about, and what a tool works on: the one noun of each that says it.

`keys in the key vault` is about keys; `keyvault_key_list` works on keys, `keyvault_admin_settings_get` does not.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from app.domain.language.intent_words import (
    ARTICLES,
    DETERMINERS,
    NAME_PREFIXES,
    NAME_PREPOSITIONS,
    NOUNS_FIRST,
    PARTS_OF_THINGS,
    PHRASE_ENDS,
)
from app.domain.language.text import auto_terms, split_words, stem
from app.domain.ranking.formulas import Array
from app.domain.ranking.intent import asked_clauses, says_action


def query_objects(query: str) -> frozenset[str]:
    """Terms of what the clauses of a query are about: the last word of each one's first noun phrase.

    The last two words written together count, too (`host pool`, hostpool). Of `details of a pod` it is the pod.
    """
    objects: set[str] = set()
    for clause in asked_clauses(query):
        phrase = _object_phrase(split_words(clause))
        objects.update(_term(word) for word in phrase[-1:])
        if len(phrase) > 1 and phrase[-2] not in ARTICLES:
            objects.add(stem("".join(phrase[-2:])))
    return frozenset(objects - {""})


def _object_phrase(words: Sequence[str]) -> list[str]:
    phrase: list[str] = []
    begun = False
    for at, word in enumerate(words):
        if (at == 0 and says_action(word)) or (not begun and (word in ARTICLES or word in DETERMINERS)):
            continue
        if word in ("of", "about") and phrase and phrase[-1] in PARTS_OF_THINGS:
            phrase, begun = [], False
        elif word in PHRASE_ENDS:
            break
        else:
            phrase.append(word)
            begun = True
    return phrase


def tool_object(name: str) -> str:
    """Term of what a tool works on: the last noun of its name, or the last before a preposition; may be empty."""
    words = split_words(name)
    start = next((at for at, word in enumerate(words) if word not in NAME_PREFIXES), len(words))
    found = ""
    for at, word in enumerate(words[start:]):
        if found and word in NAME_PREPOSITIONS:
            break
        is_verb = says_action(word) and (at == 0 or word not in NOUNS_FIRST)
        if not is_verb and not word.isdigit():
            found = word
    return _term(found)


def path_terms(path: str) -> tuple[str, ...]:
    """Terms of what the last literal of a path names, each once: (issu,) for `/repos/{owner}/issues/{number}`."""
    literals = [part for part in path.split("/") if part and "{" not in part]
    return tuple(dict.fromkeys(auto_terms(literals[-1]))) if literals else ()


def object_matches(
    objects: frozenset[str], numbers: Mapping[str, int], tools: npt.NDArray[np.int32]
) -> Array:
    """1 for each tool that works on one of these objects, else 0.

    Args:
        objects: `query_objects`.
        numbers: Term of what a tool works on -> its number.
        tools: The number of what each tool works on; one that is in no term for none.
    """
    matches: Array = np.zeros(tools.size)
    for term in objects:
        if term in numbers:
            matches[tools == numbers[term]] = 1.0
    return matches


def _term(word: str) -> str:
    return next(reversed(auto_terms(word)), "")
