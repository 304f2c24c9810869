"""Turns of phrase: several words that stand for one verb, `switch it off` for `disable it`.

They are in lexicon/idioms.toml.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache

from app.domain.language.identifiers import pieces
from app.domain.language.intent_words import PHRASE_ENDS
from app.domain.language.text import stem
from app.lexicon.lists import table

_AGAIN = re.compile(r"re-?([a-z]{4,30}+)")
_STOPPING = 2
"""Words: a verb of stopping, and what is stopped."""
_NOUN = 3
"""Words of a noun of two words and its article."""
_ARTICLES = (("the",), ("a",), ("an",))
_IN = ("in",)
_GAP = 6
"""Words that may stand between a verb and its particle."""


@cache
def _idioms() -> Mapping[str, Sequence[tuple[tuple[str, ...], str]]]:
    """First word -> the turns of phrase that begin with it, and their verbs: those of most words first, of these what has no gap."""
    found: defaultdict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
    for verb, phrases in table("idioms")["verbs"].items():
        for phrase in phrases:
            found[phrase.split()[0]].append((tuple(phrase.split()), verb))
    for one in found.values():
        one.sort(key=lambda pair: (len(pair[0]) - pair[0].count("*"), "*" not in pair[0]), reverse=True)
    return found


@cache
def idiom_compounds() -> frozenset[str]:
    """Nouns of two words that end turns of phrase, as they are also written: `go-ahead` of `give * the go ahead`."""
    phrases = (words for found in _idioms().values() for words, _ in found)
    return frozenset(
        "-".join(words[-2:])
        for words in phrases
        if words[-_NOUN:-2] in _ARTICLES and words[-1] not in {*PHRASE_ENDS, "to"}
    )


def without_idioms(plain: Sequence[str], *, leading: Collection[str] = ()) -> tuple[str, ...]:
    """The words of a task with the verb that a turn of phrase at its start stands for: (disable, it) for `turn it off`.

    Args:
        plain: The words.
        leading: Prepositions that stand before values, which are no words: `in`, of `send it in 7`.
    """
    verb, rest = _taken_apart(tuple(plain), leading)
    return (*verb.split(), *rest) if verb else without_again(rest)


def without_again(plain: tuple[str, ...]) -> tuple[str, ...]:
    """Words that begin with a verb that is no word of its own, as the verb that is done once more: `activate` for `reactivate`."""
    again = _AGAIN.fullmatch(plain[0]) if plain else None
    verbs = table("en")["verbs"]
    if again is None or plain[0] in verbs or again[1] not in verbs:
        return plain
    return (again[1], *plain[1:])


def with_opposite(plain: tuple[str, ...], *, is_used: Callable[[str], bool]) -> tuple[str, ...]:
    """Words with the verb that undoes what they say to stop, where the catalogue has it: `unshare it` for `stop sharing it`."""
    reading = table("reading")
    if len(plain) < _STOPPING or plain[0] not in reading["stopping"] or not plain[1].endswith("ing"):
        return plain
    undone = (prefix + plain[1] for prefix in reading["negating_prefixes"])
    opposite = next((word for word in undone if is_used(stem(word))), "")
    return (opposite, *plain[_STOPPING:]) if opposite else plain


def stopped(stems: Sequence[str]) -> frozenset[str]:
    """What the stems of a task begin by stopping: (renew) of `stop renewing 12`, which is no noun of 12."""
    return frozenset(stems[1:2] if stems[:1] and stems[0] in _stopping() else ())


@cache
def _stopping() -> frozenset[str]:
    return frozenset(map(stem, table("reading")["stopping"]))


def idiom_verb(text: str) -> str:
    """The verb that a turn of phrase at the start of a text stands for: `transfer` for `hand it over`; or empty."""
    return _taken_apart(pieces(text))[0]


def turns_what_is_there(plain: Sequence[str]) -> bool:
    """Whether words begin with a verb that changes what is there rather than making it: `make the lamp red`."""
    reading = table("reading")
    return len(plain) > 2 and plain[0] in reading["turning"] and plain[1] in reading["statement_determiners"]


def _taken_apart(plain: tuple[str, ...], leading: Collection[str] = ()) -> tuple[str, tuple[str, ...]]:
    """The verb of the turn of phrase that some words begin with, and the words without it; an empty verb and all words.

    The `in` of `send it in` ends what is said, and that of `send it in channel 7` leads on.
    """
    for phrase, verb in _idioms().get(plain[0], ()) if plain else ():
        before: tuple[str, ...] = phrase
        after: tuple[str, ...] = ()
        if "*" in phrase:
            gap = phrase.index("*")
            before, after = phrase[:gap], phrase[gap + 1 :]
        start = len(before)
        if plain[:start] != before:
            continue
        for at in range(start, min(len(plain), start + _GAP) + 1):
            ends = at > start and (plain[at - 1] in PHRASE_ENDS or plain[at - 1] == "to")
            if after and ends and not (at - 1 == start and plain[start] == "that"):
                # `switch to the lamp that went off` switches nothing off, but `take that lamp out` does.
                break
            behind = plain[at + len(after) :]
            if plain[at : at + len(after)] == after:
                if after == _IN and _leads_on(plain[start:at], behind, leading):
                    break
                if not (phrase[0] == "ask" and plain[start] in ("me", "us")):
                    return verb, (*plain[start:at], *_place(verb, behind))
            if not after:
                break
    return "", plain


def _leads_on(between: tuple[str, ...], behind: tuple[str, ...], leading: Collection[str]) -> bool:
    """Whether an `in` behind a verb and its object leads to a place: a noun stands behind it, or a value, which is no word."""
    if _IN[0] in leading and not (between and behind):
        return True
    reading = table("reading")
    ends = (*PHRASE_ENDS, *reading["polite"], *reading["adverbs_of_time"])
    return bool(between and behind) and behind[0] not in ends


def _place(verb: str, behind: tuple[str, ...]) -> tuple[str, ...]:
    """What stands behind a particle; where the thing is that leaves it: `take runner 31 off project 512`."""
    leads = bool(behind) and behind[0] not in PHRASE_ENDS and verb in table("reading")["leaving"]
    return ("from", *behind) if leads else behind
