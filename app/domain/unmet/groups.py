"""Which requests belong together: those that share a rare word."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.domain.language.text import FAINT_WORDS, auto_terms
from app.domain.unmet.entries import UnmetEntry, total

_COMMON_SHARE = 0.2
"""A word of more requests than this share of them says nothing of what one is about. Source: a judgement."""
_FEW = 5
"""Requests that may share a word whatever their share is. Source: a judgement."""


@dataclass(frozen=True, slots=True)
class UnmetGroup:
    """Requests that share a word; of numbers alone, those near one tool."""

    key: str
    """Names the group among others of the same entries."""
    word: str
    """What they share, as one of them writes it; empty for one request alone, and for numbers."""
    entries: Sequence[UnmetEntry]
    """The most frequent first, then by id."""

    @property
    def count(self) -> int:
        """How often nothing was found."""
        return total(self.entries)


def grouped(entries: Iterable[UnmetEntry]) -> list[UnmetGroup]:
    """The groups, the most frequent first, then by key.

    A request belongs to the rarest of its words that another one has too, and that is not common; of equally rare ones
    to the first in the alphabet. The result does not depend on the order of the entries.
    """
    whole = sorted(entries, key=lambda one: (-one.count, one.id))
    words = {one.id: _words(one.text) for one in whole}
    holding = Counter(term for terms in words.values() for term in terms)
    most = max(_FEW, _COMMON_SHARE * len(whole))
    members: defaultdict[str, list[UnmetEntry]] = defaultdict(list)
    shared: dict[str, str] = {}
    for one in whole:
        rare = [(holding[term], term) for term in words[one.id] if 1 < holding[term] <= most]
        if rare:
            term = min(rare)[1]
            key = f"word {term}"
            shared.setdefault(key, words[one.id][term])
        else:
            key = f"one {one.id}" if one.text else f"near {(*one.near, '')[0]}"
        members[key].append(one)
    groups = [UnmetGroup(key, shared.get(key, ""), found) for key, found in members.items()]
    return sorted(groups, key=lambda one: (-one.count, one.key))


def _words(text: str) -> dict[str, str]:
    """The terms of a text, each with the word that it stands for."""
    found: dict[str, str] = {}
    for word in text.split():
        for term in _terms(word):
            found.setdefault(term, word.strip(".,;:!?\"'()[]"))
    return found


@lru_cache(maxsize=20_000)
def _terms(word: str) -> tuple[str, ...]:
    """Requests are grouped again at each look at them, and share most of their words."""
    return tuple(term for term in auto_terms(word) if term not in FAINT_WORDS)
