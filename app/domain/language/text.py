"""Words: how texts, requests, goals and names are cut, and how they become terms. Each a pure function.

`reference_terms` belongs to the reference rankings (`bm25`, `kg_hybrid`), `auto_terms` to `auto`.
"""

import re
import threading
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import Stemmer

from app.lexicon.lists import table, words

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_MARKS = "\ue000-\uf8ff"
"""Characters of private use: in a goal they stand for its values."""
_CAMEL_LOWER_UPPER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# Not before the s of a plural: `URLs` and `PRs` are one word. It takes no characters: a run of capitals is
# looked at once.
_CAMEL_ACRONYM = re.compile(r"(?<=[A-Z])(?![A-Z]s(?![a-z]))(?=[A-Z][a-z])")
_REFERENCE_WORD = re.compile(r"[^\W_]+")
_CJK_START = re.compile(rf"[{_CJK}]")
_SENTENCE_END = re.compile(r"(?<=[.!?。])\s|\n|(?: — )")

_REFERENCE_MIN_CHARS = 3
_RECIPE_MIN_CHARS = 2
_CACHED_WORDS = 1 << 17

COMMON_STOP_WORDS = frozenset(words("en", "stop_words", "both"))
"""Words that name nothing in requests nor in goals."""
STOP_WORDS = COMMON_STOP_WORDS.union(words("en", "stop_words", "requests"))
"""Words that `auto_terms` leaves out. `get`, `give`, `make`, `use` stay: tools have them in their names."""

FAINT_WORDS = frozenset(words("en", "phrases", "faint"))
"""Words that open a query whatever it asks for, and so say little when a tool's text holds them."""

OBJECT_PRONOUNS = frozenset(words("en", "phrases", "object_pronouns"))
PARTICLES = frozenset(words("en", "phrases", "particles"))
"""Particles of phrasal verbs: `down` of `turn it down`."""
_JOINED_PARTICLES: Mapping[str, str] = table("en")["joined_particles"]

ALIASES = {short: tuple(long.split()) for short, long in table("en")["aliases"].items()}
"""Short forms and what is read instead, in texts, requests, goals and names."""

_WORD = re.compile(
    "|".join(
        [
            # `k8s` is one word, though a digit stands in it.
            *(rf"(?<![^\W_]){re.escape(short)}(?![^\W_])" for short in ALIASES if not short.isalpha()),
            *(rf"[{_CJK}]+", rf"[^\W\d_{_CJK}]+", r"\d+", rf"[{_MARKS}]"),
        ]
    )
)

_local = threading.local()


def _stem_uncached(word: str) -> str:
    # A Snowball stemmer keeps state while it works, so each thread has its own.
    stemmer = getattr(_local, "stemmer", None)
    if stemmer is None:
        stemmer = _local.stemmer = Stemmer.Stemmer("english", 0)
    return str(stemmer.stemWord(word))


stem = lru_cache(maxsize=_CACHED_WORDS)(_stem_uncached)
"""Snowball English stem of a lower-case word."""


def _lowered(text: str) -> str:
    """`text` with identifiers split at changes of case, in lower case, in one Unicode form."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    lower = text.lower()
    # Most names and words: without a capital there is no change of case to split at.
    if lower == text:
        return text
    return _CAMEL_ACRONYM.sub(" ", _CAMEL_LOWER_UPPER.sub(" ", text)).lower()


@lru_cache(maxsize=_CACHED_WORDS)
def _reference_terms_of(word: str) -> tuple[str, ...]:
    return (stem(word),) if len(word) >= _REFERENCE_MIN_CHARS else ()


def reference_terms(text: str) -> list[str]:
    """The terms of KG-Hybrid and of `bm25`, in order, repeats kept.

    Identifiers are split at camelCase, `_`, `-`, `/`, `.`; lower case; runs of letters and digits of
    3 characters or more; Snowball English stems. No stop words.

    Source:
        PinePaper-ToolBench (2026), section 3; stems and the split of identifiers are ours.
    """
    return [term for word in _REFERENCE_WORD.findall(_lowered(text)) for term in _reference_terms_of(word)]


def split_words(text: str) -> list[str]:
    """The words of a request, a goal or a name, in order and in lower case.

    Split at changes of case, of script and between letters and digits, and at all that is neither. A mark that stands
    for a value is a word of its own.
    """
    return _WORD.findall(_lowered(text))


def long_words(text: str) -> list[str]:
    """`split_words` with the long forms of short ones: `repo` is read as `repository`, `PRs` as `pull request`."""
    return [long for word in split_words(text) for long in ALIASES.get(word, (word,))]


@lru_cache(maxsize=_CACHED_WORDS)
def _auto_terms_of(word: str) -> tuple[str, ...]:
    if _CJK_START.match(word):
        return tuple(word[i : i + 2] for i in range(len(word) - 1)) or (word,)
    if word in STOP_WORDS or len(word) < _RECIPE_MIN_CHARS:
        return ()
    return (stem(word),)


def auto_terms(text: str) -> list[str]:
    """The terms of `auto`, in order, repeats kept.

    `long_words`, then: runs of Chinese, Japanese or Korean become pairs of characters, stop words and single letters
    go, the rest is stemmed.
    """
    return [term for word in long_words(text) for term in _auto_terms_of(word)]


def term_pairs(text: str) -> list[str]:
    """Each two neighbouring `auto_terms` of a line as one term, a space between them, in order, repeats kept.

    Stop words part nothing: `rights of the user` and `user rights` differ only in the order.
    """
    return [f"{first} {second}" for line in text.splitlines() for first, second in pairwise(auto_terms(line))]


def joined_terms(words: Sequence[str]) -> dict[str, str]:
    """Stems of each two neighbouring words written together, and the words: `host pool` may be a `hostpool`.

    A pronoun within a phrasal verb does not split it: `log me into` is `login`. Words of one letter or digit are
    not joined.
    """
    found: dict[str, str] = {}
    for at, (first, second) in enumerate(pairwise(words)):
        parts = [first, second]
        if second in OBJECT_PRONOUNS and at + 2 < len(words) and particle(words[at + 2]) in PARTICLES:
            parts.append(words[at + 2])
        last = particle(parts[-1])
        if len(first) > 1 and len(last) > 1:
            found.setdefault(stem(first + last), " ".join(parts))
    return found


def particle(word: str) -> str:
    """The particle that a word is: `in` for `into`."""
    return _JOINED_PARTICLES.get(word, word)


def split_first_sentence(text: str) -> tuple[str, str]:
    """The first sentence (or line, or what stands before a spaced dash), and the rest; either may be empty."""
    parts = _SENTENCE_END.split(text.strip(), maxsplit=1)
    return parts[0], parts[1] if len(parts) > 1 else ""
