"""What a text denies: (urgent) in `tickets that are not urgent`, and what stands behind such words."""

import re
from collections.abc import Sequence
from functools import cache

from app.domain.language.text import stem
from app.lexicon.lists import table

DENIAL = re.compile(
    r"\b(?:not?|never|nobody|none|nothing|neither|without|cannot|(?:do|does|did|is|are|was|were|has|have|had|wo|ca|could|would|should|must|need)nt)\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)
"""A statement that denies something: `it was not damaged` names no damage."""
_AUXILIARIES = frozenset(("isn", "aren", "wasn", "weren", "hasn", "haven", "hadn"))
"""What is left of negated auxiliaries before their `t`; `don't` forbids as often as it denies."""
_DENYING = frozenset(("not", "never"))
_WITHOUT_ANY = _DENYING | frozenset(
    map(
        stem,
        "no none nobody nothing neither without cannot lacks isnt arent wasnt werent hasnt havent hadnt dont doesnt didnt "
        "wont cant".split(),
    )
)
"""In a condition these deny, too."""
CONTRACTED = _AUXILIARIES | frozenset("don doesn didn won can couldn wouldn shouldn mustn needn ain".split())
"""And so does the `t` of all of these."""
_PARTS = frozenset(("and", "but"))
"""They end what is denied."""
_BETWEEN = frozenset(
    map(
        stem,
        "be been being yet already ever currently fully even really still any the a an i you we they he she it".split(),
    )
)
"""What may stand between a denial and what it denies."""
_ENDS = frozenset(
    map(
        stem,
        "and or nor but then only if in on of as at by from with to under for have has had having got gotten get".split(),
    )
)
"""Where these stand, no state is denied: `not in region 7` and `never had one`."""
_BECOMING = frozenset(("as", "to", "into"))
_OR = frozenset(("or", "nor"))
_WITHIN = 5
"""Words behind a denial in which stands what it denies."""
_BEFORE_VALUE = r"""
    \b(?:(?:is|are|was|were|has|have|had)(?:n['\u2019]t|\s++not)
        |(?:do|does|did)(?:n['\u2019]t|\s++not)\s++(?:have|carry|contain|belong|include|match|mention|show)
        |not(?=\s++(?:yet\s++)?(?:[a-z]{2,20}ed|in|on|by|from|of|under|with)\b)|never|no\s++longer|without)
    (?:\s++(?!(?:and|but|or|then|to|with|because|until|as|for|from)\b)[\w'@#.-]{1,40}+){0,4}?
    (?:\s++(?:PARTICIPLES)\s++(?:to|with|from|as|for)|(?<=\bnot)\s++(?:from|with))?+
    (?:\s++(?:the|an?|our|my)\b)?+\s*+["\u201c'\u2018]?+$
"""
_LOOKED_BACK = 80
"""Characters before a value in which such words are looked for."""


def denied(stems: Sequence[str], *, becoming: bool = False) -> frozenset[str]:
    """What the stems of a text deny: (paid) of `which invoices haven't we paid yet`, both of `not open or pending`.

    With `becoming` what things are not to be from now on (`mark it as not spam`), else what those that are meant are not.
    """
    found: set[str] = set()
    for at, word in enumerate(stems):
        before = stems[at - 1] if at else ""
        denies = word in _DENYING or (word == "t" and before in _AUXILIARIES)
        if not (denies or (word == "longer" and before == "no")) or becoming != (before in _BECOMING):
            continue
        behind = [one for one in stems[at + 1 : at + 1 + _WITHIN] if one not in _BETWEEN]
        while behind and behind[0] not in _ENDS:
            found.add(behind[0])
            # `not open or pending` is neither.
            behind = behind[2:] if behind[1:2] and behind[1] in _OR else []
    return frozenset(found)


def denied_in_condition(stems: Sequence[str]) -> frozenset[str]:
    """What the stems of a condition deny: (merg) of `it is open and not merged`, (approv, it) of `nobody approved it`.

    Who sets a condition forbids nothing: whatever stands behind a denial is denied, up to `and` or `but`.
    """
    found: set[str] = set()
    denies = False
    for at, word in enumerate(stems):
        if word in _WITHOUT_ANY or (word == "t" and stems[at - 1 : at] and stems[at - 1] in CONTRACTED):
            denies = True
        elif word in _PARTS:
            denies = False
        elif denies:
            found.add(word)
    return frozenset(found)


def is_denied(text: str, start: int) -> bool:
    """Whether what begins at a character of a text is denied: 7 of `all tickets that are not in project 7`."""
    clause = re.split(r"[,;:!?\n]|\.\s", text[max(0, start - _LOOKED_BACK) : start])[-1]
    return _before_value().search(clause) is not None


@cache
def _before_value() -> re.Pattern[str]:
    participles = "|".join(table("reading")["participles_with_prepositions"])
    return re.compile(_BEFORE_VALUE.replace("PARTICIPLES", participles), re.IGNORECASE | re.VERBOSE)


def first_denial(text: str) -> int:
    """Where what denies something first stands in a text: a negation, or a verb such as `skip`; its length without one."""
    found = _denying().search(text)
    return found.start() if found else len(text)


def denials(text: str) -> int:
    """How often a text denies something."""
    return sum(1 for _ in _denying().finditer(text))


@cache
def _denying() -> re.Pattern[str]:
    verbs = "|".join(re.escape(verb) for verb in table("reading")["negating"])
    return re.compile(rf"{DENIAL.pattern}|\b(?:{verbs})\b", re.IGNORECASE)
