"""Which states words name, and which name the same state or its opposite."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache

from app.domain.filling.forms import is_shaping, is_switch, switch_words
from app.domain.filling.members import named_members, negated_roots
from app.domain.language.identifiers import words
from app.domain.language.text import stem
from app.domain.schemas.tool_schemas import Input
from app.lexicon.lists import table

_FURTHER_WORD = 0.5
"""What each further word of a state adds to it. Source: `bench goals`, a round weight."""
_DEEPEST = 3
"""Properties that a state may lie below the top of a body."""
LONGEST = 4
"""Words of a name that says a state."""
_SHORTEST_ROOT = 4
"""Letters of what a negating prefix stands before: `deactivate`, but not `under`."""


@cache
def contrary(name: str) -> Mapping[str, frozenset[str]]:
    """Stem -> stems of what stands against it in a list of `reading.toml`, whichever of both is named first."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for first, *others in table("reading")[name]:
        for other in others:
            found[stem(first)].add(stem(other))
            found[stem(other)].add(stem(first))
    return {word: frozenset(others) for word, others in found.items()}


def opposites() -> Mapping[str, frozenset[str]]:
    """Stem -> stems that mean the opposite."""
    return contrary("opposites")


@cache
def _same_states() -> Mapping[str, frozenset[str]]:
    groups = [frozenset(map(stem, group)) for group in table("reading")["same_states"]]
    return {word: group for group in groups for word in group}


def alike(word: str) -> frozenset[str]:
    """Stems that name the same state as one, itself among them: (complet) for done."""
    return _same_states().get(word, frozenset((word,)))


def with_alike(words_said: AbstractSet[str]) -> frozenset[str]:
    """Stems with all that name the same states."""
    groups = _same_states()
    return frozenset(words_said).union(*(groups[word] for word in words_said if word in groups))


@lru_cache(1 << 12)
def opposed(word: str) -> frozenset[str]:
    """Stems that mean the opposite of one: those of the list, and the root behind a prefix that negates (deactiv, activ)."""
    roots = (root for root in negated_roots(word) if len(root) >= _SHORTEST_ROOT)
    return opposites().get(word, frozenset()).union(roots)


class StateIndex:
    """Which states words name.

    Args:
        states: Each by its number, the stems of its words joined by spaces.
    """

    def __init__(self, states: Iterable[tuple[int, str]]) -> None:
        self._sizes: dict[int, int] = {}
        self._by_word: defaultdict[str, list[int]] = defaultdict(list)
        for number, state in states:
            found = state.split(" ")
            self._sizes[number] = len(found)
            for word in {*found}:
                self._by_word[word].append(number)

    def named(self, terms: AbstractSet[str], verb: str) -> Mapping[int, float]:
        """The states all of whose words are said, or their opposites: 1 for one that the verb is part of, else .5.

        Half as much again for each further word: who says all of `cancel at period end` means nothing else.
        """
        matched: Counter[int] = Counter()
        by_verb: set[int] = set()
        for term in terms:
            hit = {number for word in alike(term) | opposed(term) for number in self._by_word.get(word, ())}
            matched.update(hit)
            if term == verb:
                by_verb |= hit
        return {
            number: (1.0 if number in by_verb else 0.5) * (1 + _FURTHER_WORD * (self._sizes[number] - 1))
            for number, count in matched.items()
            if count >= self._sizes[number]
        }


def states_of(inputs: Iterable[Input]) -> Iterable[tuple[str, ...]]:
    """The states that inputs can set, as stems: switches, and members of enums."""
    for item in inputs:
        if len(item.pointer) > _DEEPEST or item.location in ("header", "cookie") or is_shaping(item):
            continue
        if is_switch(item):
            name = switch_words(item.name)
            if 0 < len(name) <= LONGEST:
                yield name
        elif item.is_container and 1 < len(words(item.name)) <= LONGEST:
            yield switch_words(item.name)
        for name_of, _ in named_members(item):
            if 0 < len(words(name_of)) <= LONGEST:
                yield tuple(stem(word) for word in words(name_of))


def share_beginning(root: str, other: str) -> bool:
    """Whether one of two roots begins the other: stems cut off more of `inactive` than of `deactivate`."""
    return root.startswith(other) or other.startswith(root)


def is_said(word: str, said: AbstractSet[str]) -> bool:
    """Whether one of some stems says what another does: itself, one that begins it or that it begins, or `deactivate` for `inactive`."""
    if any(
        share_beginning(root, other)
        for root in negated_roots(word)
        for one in said
        for other in negated_roots(one)
    ):
        return True
    return word in said or (
        len(word) > 3 and any(len(one) > 3 and (word.startswith(one) or one.startswith(word)) for one in said)
    )
