"""What somebody says will not or should not be done, in the words of what must not be done: `do not refund 7` for `we won't refund 7`."""

import re
from collections.abc import Callable
from functools import cache

from app.domain.language.goal_words import action_stems, all_verbs, is_past_participle, verb_kinds
from app.domain.language.identifiers import pieces
from app.domain.language.negation import first_denial
from app.domain.language.operation_words import READING_KINDS
from app.domain.language.text import stem
from app.domain.reading.clauses.marks import masked
from app.domain.reading.restrictions.conditions import condition_pattern
from app.domain.reading.restrictions.marked import phrase_pattern
from app.domain.reading.restrictions.topics import NAMED_THING
from app.lexicon.lists import table

_BEGINS = r"(?:\A\s*+|(?<=[.,;!?:]\s)|(?<=\b(?:and|but)\s)|(?<=\bso\s))"
"""Where a clause begins."""
_SPACE = r"[\ue800-\uefff]?+\s++"
"""Between two words, of which the first may be taken for a name as well."""
_ADVERB = rf"(?:(?:ever|really|just|actually|simply|even|now){_SPACE})?+"
_CLAUSE_ENDS = re.compile(r"[.,;!?:]\s")
_WITHIN = 120
"""Characters before or behind a denial in which its clause begins or ends."""
_NO_LONGER = re.compile(r"\b(?:any[\s-]?more|any longer)\b", re.IGNORECASE)
"""What is done no longer is to end."""
_NEEDLESS = re.compile(
    rf"\b(?:no|against|refrain|hold|avoid|forget|mistake|idea|refuse|rather|unsure|{phrase_pattern(table('reading')['guarding'])})\b",
    re.IGNORECASE,
)
"""Words of a denial that has no negation."""
_UNLESS = re.compile(r"\b(?:unless|until|till)\b", re.IGNORECASE)
_SUBORDINATE = frozenset(
    "that which who whose whether where when because why once until since as while after before".split()
)
"""Behind one of these a clause says which, why or when."""
_DONT_FORGET = re.compile(
    r"\b(?:please\s++)?(?:(?:do\s++not|don['\u2019]?t|never)\s++forget|remember)\s++to\s++(?=[a-z])",
    re.IGNORECASE,
)
"""It asks for what follows."""
_STATIVE = frozenset(
    "be have know see like mind get forget hesitate worry bother care want need use find keep say think able ask tell explain".split()
)
"""Verbs that say what somebody has, knows or wants, rather than what is done to a thing. Source: stative verbs (Quirk et al., 4.28-4.30)."""


def with_denied_acts(text: str) -> str:
    """A text in which what somebody will not do, or what should not become of something, is forbidden.

    `we are not going to merge 5`, `no need to void it`, `nobody archives 7` and `order 7 won't be cancelled` forbid as
    `do not merge 5` does; what somebody cannot do, what is so no longer and what is not so forbid nothing.
    """
    text = _DONT_FORGET.sub("", text)
    if first_denial(text) == len(text) and _NEEDLESS.search(text) is None:
        return text
    for pattern, forbidden in _denials():
        text = pattern.sub(_in(text, forbidden), text)
    return text


def _in(text: str, forbidden: Callable[[re.Match[str]], str]) -> Callable[[re.Match[str]], str]:
    def said(found: re.Match[str]) -> str:
        before = _CLAUSE_ENDS.split(text[max(0, found.start() - _WITHIN) : found.start()])[-1]
        behind = _CLAUSE_ENDS.split(text[found.start() : found.end() + _WITHIN])[0]
        depends = condition_pattern().search(before) or not _SUBORDINATE.isdisjoint(pieces(masked(before)))
        # `we won't refund it unless it comes back` refunds it then.
        restricts = _NO_LONGER.search(behind) or _UNLESS.search(behind)
        return found[0] if depends or restricts else forbidden(found)

    return said


@cache
def _denials() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...]:
    """Each form of a denial, with what it forbids."""
    leading = rf"{_BEGINS}(?:(?:{_phrase('leading_up')})[\ue800-\uefff]?+,?+\s++){{0,3}}+"
    speakers = rf"{leading}(?:{_phrase('denying_speakers')})"
    nobody = (
        rf"{leading}(?:(?:make{_SPACE}sure|ensure)(?:{_SPACE}that)?+{_SPACE})?+(?:nobody|no{_SPACE}one|noone)"
    )
    be = rf"(?:'(?:m|re)|{_SPACE}(?:am|are))"
    verb = "(?P<verb>[a-z]++)"
    return (
        (
            _pattern(
                rf"{speakers}(?:{be}|'(?:ll|ve|d)|{_SPACE}(?:have|would))?+{_SPACE}(?:{_phrase('unwilling')}){_SPACE}{_ADVERB}{verb}"
            ),
            _if_act,
        ),
        (
            # `we will definitely not do it`
            _pattern(
                rf"{speakers}(?:{be}|'ll|{_SPACE}(?:{_phrase('modals')})){_SPACE}[a-z]{{2,20}}ly{_SPACE}not{_SPACE}(?:going{_SPACE}to{_SPACE})?+{verb}"
            ),
            _if_act,
        ),
        (
            # `we don't want customers to see it`
            _pattern(
                rf"{speakers}{_SPACE}(?:don't|dont|do{_SPACE}not){_SPACE}want{_SPACE}(?:[a-z]++{_SPACE}){{1,2}}to{_SPACE}{verb}"
            ),
            _of_others,
        ),
        (
            _pattern(rf"{_BEGINS}(?:[a-z]++{_SPACE}){{1,3}}(?:{_phrase('disinclined')}){_SPACE}{verb}"),
            _if_act,
        ),
        (
            _pattern(
                rf"{speakers}(?:{be}{_SPACE}not|{_SPACE}aren't){_SPACE}{_ADVERB}(?P<verb>[a-z]{{2,20}}ing)\b"
            ),
            _if_change,
        ),
        (
            _pattern(
                rf"{leading}(?:(?:{_phrase('denying_speakers')}|there|it)(?:{be}|'s|'ve|'d{_SPACE}be|{_SPACE}(?:is|have|has|had|see|would{_SPACE}be))?+{_SPACE})?+(?:{_phrase('needless')}){_SPACE}{verb}"
            ),
            _if_act,
        ),
        (_pattern(rf"{nobody}{_SPACE}(?:{_phrase('obliging')}){_SPACE}{_ADVERB}{verb}"), _if_act),
        (
            _pattern(
                rf"{nobody}{_SPACE}(?P<verb>[a-z]{{2,20}}s)(?={_SPACE}(?:(?:the|our|my|it|them|this|that)\b|(?:[a-z]++{_SPACE}){{0,2}}[\w.-]*+[\ue000-\uefff]))"
            ),
            _if_change,
        ),
        (
            _pattern(
                rf"(?:{nobody}{_SPACE}wants|{speakers}{_SPACE}(?:don't|do{_SPACE}not){_SPACE}want){_SPACE}({NAMED_THING}){_SPACE}(?:to{_SPACE}be{_SPACE})?+{verb}"
            ),
            _of_thing,
        ),
        (_pattern(rf"\b(?:{_phrase('not_to_become')}){_SPACE}(?:ever{_SPACE})?+{verb}"), _to_thing),
        (
            # `protect server 5 from being deleted`, `make sure that server 5 can't be deleted`
            _pattern(
                rf"{_BEGINS}(?:{_phrase('guarding')}){_SPACE}({NAMED_THING}){_SPACE}(?:from|against){_SPACE}(?:being|getting|accidentally{_SPACE}being){_SPACE}{verb}"
            ),
            _of_thing,
        ),
        (
            _pattern(
                rf"{_BEGINS}(?:make{_SPACE}sure|ensure|see{_SPACE}to{_SPACE}it){_SPACE}(?:that{_SPACE})?+({NAMED_THING}){_SPACE}(?:can't|cannot|can{_SPACE}not|isn't|is{_SPACE}not|won't|can{_SPACE}never|is{_SPACE}never){_SPACE}(?:be{_SPACE})?+{verb}"
            ),
            _of_thing,
        ),
        (
            # `can you please not delete it`
            _pattern(
                rf"{_BEGINS}(?:(?:can|could|would|will){_SPACE}you{_SPACE}(?:please{_SPACE})?+|please{_SPACE})not{_SPACE}{verb}"
            ),
            _if_act,
        ),
        (
            # `we keep it, no archiving`
            _pattern(rf"{_BEGINS}no{_SPACE}(?P<verb>[a-z]{{2,20}}ing)(?=\s*+(?:\Z|[.;!,]))"),
            _if_change,
        ),
        (
            # `it should be held, not cancelled`
            _pattern(r"(?<=,\s)not\s++(?P<verb>[a-z]{2,20}ed)(?=\s*+(?:\Z|[.;!,]))"),
            _if_change,
        ),
    )


def _pattern(expression: str) -> re.Pattern[str]:
    """An expression in which an apostrophe may be a curly one."""
    return re.compile(expression.replace("'", "['\u2019]"), re.IGNORECASE)


def _phrase(name: str) -> str:
    return phrase_pattern(table("reading")[name]).replace(r"\s++", _SPACE)


def _is_change(verb: str) -> bool:
    """Whether a form of a verb says that something is changed: `merging`, `archives`."""
    found = verb_kinds().get(stem(verb.lower()))
    return (found is not None and found not in READING_KINDS) or stem(verb.lower()) in action_stems()


def _if_act(found: re.Match[str]) -> str:
    """Behind an auxiliary, or `to`, any word is a verb; behind a preposition or an adverb one that is known, or in -ing."""
    verb = found["verb"].lower()
    before = pieces(found[0][: found.start("verb") - found.start()])[-1:]
    is_led = not {*before}.isdisjoint(table("reading")["before_verbs"])
    is_verb = is_led or verb.endswith("ing") or stem(verb) in all_verbs() or _is_change(verb)
    return f"do not {found['verb']}" if is_verb and verb not in _STATIVE and first_denial(verb) else found[0]


def _of_others(found: re.Match[str]) -> str:
    return f"do not {found['verb']}"


def _if_change(found: re.Match[str]) -> str:
    return f"do not {found['verb']}" if _is_change(found["verb"]) else found[0]


def _of_thing(found: re.Match[str]) -> str:
    return (
        f"{found[1]} must not be {found['verb']}" if is_past_participle(found["verb"].lower()) else found[0]
    )


def _to_thing(found: re.Match[str]) -> str:
    return f"must not be {found['verb']}" if is_past_participle(found["verb"].lower()) else found[0]
