"""Words of goals: which verb asks for which kind of call, which verbs mean the same, which words say nothing.

The words are in lexicon/en.toml.
"""

from functools import cache, lru_cache

from app.domain.language.identifiers import singular
from app.domain.language.intent_words import ACTIONS_OF, NOUNS_FIRST, READING_ACTIONS
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import COMMON_STOP_WORDS, stem
from app.lexicon.lists import table, words

KIND_FIT = {
    OperationKind.GET: {OperationKind.GET: 1.0, OperationKind.LIST: 0.8, OperationKind.SEARCH: 0.5},
    OperationKind.LIST: {OperationKind.LIST: 1.0, OperationKind.SEARCH: 0.7, OperationKind.GET: 0.4},
    OperationKind.SEARCH: {OperationKind.SEARCH: 1.0, OperationKind.LIST: 0.8, OperationKind.GET: 0.3},
    OperationKind.CREATE: {OperationKind.CREATE: 1.0, OperationKind.UPDATE: 0.4, OperationKind.ACTION: 0.4},
    OperationKind.UPDATE: {OperationKind.UPDATE: 1.0, OperationKind.CREATE: 0.3, OperationKind.ACTION: 0.4},
    OperationKind.DELETE: {OperationKind.DELETE: 1.0, OperationKind.ACTION: 0.3},
    OperationKind.ACTION: {
        OperationKind.ACTION: 1.0,
        OperationKind.UPDATE: 0.6,
        OperationKind.CREATE: 0.5,
        OperationKind.DELETE: 0.3,
    },
    OperationKind.AUTH: {OperationKind.AUTH: 1.0, OperationKind.CREATE: 0.2, OperationKind.GET: 0.2},
}
"""Asked kind -> kinds of calls that serve it, and how well."""

STOP_WORDS = COMMON_STOP_WORDS.union(words("en", "stop_words", "goals"))
"""Words of a goal that name no tool."""
ORDER_WORDS = frozenset(stem(word) for word in words("en", "phrases", "order"))
"""Stems before the verb of a clause that only place it in time."""


@lru_cache(maxsize=1)
def verb_kinds() -> dict[str, OperationKind]:
    """Stem of a verb -> the kind of call that it asks for."""
    verbs = table("en")["verbs"].items()
    found = {
        stem(verb): OperationKind(says["kind"])
        for verb, says in verbs
        if {"kind", "asks"} & says.keys() == {"kind"}
    }
    for verb, says in verbs:
        if "asks" in says:
            found.setdefault(stem(verb), OperationKind(says["asks"]))
    return found


@lru_cache(maxsize=1)
def verb_classes() -> dict[str, frozenset[int]]:
    """Stem of a verb -> numbers of the groups of verbs that mean the same."""
    found: dict[str, set[int]] = {}
    numbers: dict[str, int] = {}
    for verb, says in table("en")["verbs"].items():
        for group in says.get("like", "").split():
            found.setdefault(stem(verb), set()).add(numbers.setdefault(group, len(numbers)))
    return {verb: frozenset(groups) for verb, groups in found.items()}


@cache
def groups_of(name: str) -> frozenset[int]:
    """Numbers of the groups of verbs that a list of `reading.toml` names: `saying`, of to post, to send and to write."""
    return frozenset().union(
        *(verb_classes().get(stem(verb), frozenset()) for verb in table("reading")[name])
    )


def means(verb: str, name: str) -> bool:
    """Whether a verb, by its stem, means the same as one of a list of `reading.toml`."""
    return not groups_of(name).isdisjoint(verb_classes().get(verb, frozenset()))


@lru_cache(maxsize=1)
def action_stems() -> frozenset[str]:
    """Stems of verbs that change something, whatever the kind of the call."""
    return frozenset(
        stem(verb)
        for verb, actions in ACTIONS_OF.items()
        if verb not in NOUNS_FIRST and not READING_ACTIONS.intersection(actions)
    )


@lru_cache(maxsize=1)
def all_verbs() -> frozenset[str]:
    """Stems of all words that may start a clause."""
    known = {stem(verb) for verb, says in table("en")["verbs"].items() if "class" in says}
    return frozenset(verb_kinds()) | known


@cache
def mailing_verbs() -> frozenset[str]:
    """Stems of the verbs that have something mailed."""
    return frozenset(map(stem, table("reading")["mailing"]))


@cache
def persons() -> frozenset[str]:
    """Stems of the words by which inputs call somebody: (user), (assigne)."""
    return frozenset(map(stem, table("inputs")["holders"]))


@cache
def only_persons() -> frozenset[str]:
    """Stems of the words that name nobody but people: things have accounts, too."""
    return persons() - {stem("account")}


@cache
def people() -> tuple[str, ...]:
    """Stems of the words for collections of people."""
    return tuple(stem(singular(word)) for word in table("reading")["people"])


def is_past_participle(word: str) -> bool:
    """Whether a word behind a noun says what was done to it: `assigned`, `taken`."""
    return word.endswith("ed") or word in table("reading")["irregular_participles"]
