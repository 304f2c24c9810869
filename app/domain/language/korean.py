"""Korean requests over tools that are described in English: the words that name what tools do and work on.

The words are in lexicon/ko.toml.
"""

import re
from collections.abc import Mapping

from app.lexicon.lists import table

_HANGUL = re.compile("[\uac00-\ud7a3]+")
_ACTION_OF: Mapping[str, str] = table("ko")["actions"]
_THING_OF: Mapping[str, str] = table("ko")["things"]
_LONGEST = max(map(len, (*_ACTION_OF, *_THING_OF)))
_SHORTEST = 2


def korean_words(text: str) -> list[tuple[str, str]]:
    """The known Korean words of a text with their English ones: first what is wanted, then what with.

    Korean says the verb last, English first. Words are found inside longer ones, which carry particles and
    endings; the longest counts. `결제` is both to pay and a payment.
    """
    actions: list[tuple[str, str]] = []
    things: list[tuple[str, str]] = []
    for run in _HANGUL.findall(text):
        at = 0
        while at < len(run):
            word = next(
                (
                    run[at : at + length]
                    for length in range(min(_LONGEST, len(run) - at), _SHORTEST - 1, -1)
                    if run[at : at + length] in _ACTION_OF or run[at : at + length] in _THING_OF
                ),
                "",
            )
            if word in _ACTION_OF:
                actions.append((word, _ACTION_OF[word]))
            if word in _THING_OF:
                things.append((word, _THING_OF[word]))
            at += len(word) or 1
    # Of several verbs the last is what is wanted: `searched orders, cancel`.
    return [*reversed(actions), *things]


def in_english(text: str) -> str:
    """The English words of a Korean request, as a request; empty without a known one."""
    return " ".join(english for _, english in korean_words(text))
