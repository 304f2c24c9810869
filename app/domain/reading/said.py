"""Free text that a goal announces: `with a comment saying fixed`, `tell them that the build is broken`."""

import re
from functools import cache
from itertools import dropwhile, pairwise, takewhile

from app.domain.reading.models import ValueKind
from app.domain.reading.names import is_verb
from app.domain.reading.tokens import GoalToken, ValueWords
from app.lexicon.lists import table

_ADDRESSED = 6
"""Tokens between `tell` and `that`."""
_WRITTEN_WITHIN = 8
"""Tokens between `write` and `that`."""
_PLACES = frozenset(("on", "in", "to", "at", "under"))
_WRITTEN_AT = frozenset((*_PLACES, "for"))
_HEADED_WITHIN = 10
"""Tokens between what a text is called and its colon: `comment on the task 12:`."""
_BEFORE_NOUNS = frozenset((*table("reading")["each"], "a", "an", "the", "this", "no"))
"""What makes `warning` or `answer` a noun: `mute every warning that fires`."""
_TOLD_WITHIN = 10
"""Tokens between `tell` and the colon."""
_SAYS = "says"
_SAID_BY_TEXT = frozenset(("that", "which", "it", "and", "also"))
"""Before `says`, what stands for a text."""
_TELL = "tell"
_LETTING, _KNOW = ("let", "letting"), "know"
"""They lead to what somebody is to hear only with this verb: `let them know that`."""
_CONTAINING = frozenset(("about", "containing", "mentioning", "regarding", "concerning"))
"""They lead to what a search is for."""
_SEARCHING = frozenset(("find", "search", "look", "show", "list"))
_BEFORE_SEARCH = frozenset(("please", "can", "could", "you", "and", "then", "me"))
_MOST_SEARCHED = 4
"""Words of what is searched for without quotation marks."""
_THE_FOLLOWING = frozenset(("this", "following"))
_POSTED = frozenset((*_THE_FOLLOWING, "the", "it"))
_DOING = frozenset(("do", "the", "for", "run", "try"))
_TOLD = frozenset(("him", "her", "them", "everyone", "everybody"))
SUBJECTS = frozenset(("i", "we", "it", "they", "he", "she", "you", "there"))
"""Pronouns that a statement begins with."""
_ENDS = frozenset(".;!?")
_GOES_ON = frozenset(("and", "then", "but"))


def with_said(text: str, tokens: list[GoalToken], words: ValueWords) -> list[GoalToken]:
    """The tokens, each announced text as one."""
    lead = words.announcing | words.telling | words.writing | _CONTAINING
    if not any(token.lower in lead or token.text == ":" for token in tokens):
        return tokens
    found: list[GoalToken] = []
    at = 0
    while at < len(tokens):
        begin = _begin(tokens, at, words)
        if begin is None:
            found.append(tokens[at])
            at += 1
            continue
        end = _end(text, tokens, begin)
        found.extend(tokens[at:begin])
        if end > begin:
            start, stop = tokens[begin].start, tokens[end - 1].end
            said = GoalToken(text[start:stop], start, stop)
            said.becomes(ValueKind.SAID)
            found.append(said)
        at = end
    return found


def _begin(tokens: list[GoalToken], at: int, words: ValueWords) -> int | None:
    """The first token of the text that a word announces; None where it announces none."""
    token = tokens[at]
    if _is_headed(tokens, at) or _is_told(tokens, at, words):
        return at + 1
    if not token.plain:
        return None
    begins = at == 1 or (at > 1 and tokens[at - 2].text in (".", ";", "!", "?"))
    if token.lower == _SAYS and begins and tokens[at - 1].lower not in _SAID_BY_TEXT:
        # `Marketing says they are finished` tells, and `a comment that says "Done"` is one.
        return None
    if token.lower in _CONTAINING and _is_searched(tokens, at, words):
        return at + 1
    if token.lower in words.announcing:
        behind = at + 1
        while behind < len(tokens) and behind < at + 3 and (tokens[behind].text in (":", ",", "that")):
            behind += 1
        answered = [token.lower for token in tokens[behind : behind + 2]]
        # `say yes to the request` says nothing, but does something.
        return None if answered in (["yes", "to"], ["no", "to"]) else behind
    if token.lower == _TELL and _tells_statement(tokens[at + 1 : at + 3]):
        return at + 2
    if token.lower in words.telling and not (at and tokens[at - 1].lower in _BEFORE_NOUNS):
        for behind in range(at + 1, min(at + 1 + _ADDRESSED, len(tokens))):
            if tokens[behind].mark:
                return None
            if tokens[behind].plain and tokens[behind].lower == "that":
                # `let every issue that is open point to it` tells nobody anything.
                is_let = token.lower in _LETTING and tokens[behind - 1].lower != _KNOW
                return None if is_let else behind + 1
    return _behind_writing(tokens, at) if token.lower in words.writing else None


def _tells_statement(behind: list[GoalToken]) -> bool:
    """Whether a sentence follows whom `tell` speaks to, without `that`: `tell her we're full that week`."""
    if len(behind) < 2 or not all(token.plain for token in behind):
        return False
    subject = re.split("['\u2019]", behind[1].lower, maxsplit=1)[0]
    return behind[0].lower in _TOLD and subject in SUBJECTS


def _behind_writing(tokens: list[GoalToken], at: int) -> int | None:
    """The text behind `that` of a verb of writing: `note that ...`, `write a comment that ...`, `comment on issue 7 that ...`.

    Behind another noun, `that` says which one is meant: `post the file that bob made`.
    """
    for behind in range(at + 1, min(at + 1 + _WRITTEN_WITHIN, len(tokens))):
        token, before = tokens[behind], tokens[behind - 1]
        if token.mark:
            return None
        if token.plain and token.lower == "that":
            is_new = tokens[behind - 2].lower in ("a", "an")
            names_text = is_new and before.lower in table("inputs")["written"]
            is_place = before.kind is not None and tokens[at + 1].lower in _PLACES
            return behind + 1 if behind == at + 1 or names_text or is_place else None
    return None


def _is_headed(tokens: list[GoalToken], at: int) -> bool:
    """Whether a colon leads from what texts are called to a text: `reason: waiting for stock`, `leave a comment on it: sold out`.

    One word may be a state or a label, but not behind what somebody writes: `note: flu`.
    """
    behind = tokens[at + 1 : at + 3]
    if tokens[at].text != ":" or not at or not behind:
        return False
    written = table("inputs")["written"]
    is_long = len(behind) > 1 and behind[1].plain
    is_written = tokens[at - 1].plain and tokens[at - 1].lower in written
    if not behind[0].plain:
        # `memo: Q4 events`
        return is_written and is_long and behind[0].kind is ValueKind.ID and behind[1].text.isalpha()
    if is_written or (is_long and tokens[at - 1].plain and tokens[at - 1].lower in _texts()):
        return True
    phrase = [*takewhile(lambda token: not token.mark, reversed(tokens[max(0, at - _HEADED_WITHIN) : at]))]
    if is_long:
        return any(token.plain and token.lower in written for token in phrase)
    # `note for patient 7: flu`, but not `message 5, state: read`.
    return any(
        token.plain and token.lower in written and led.lower in _WRITTEN_AT for led, token in pairwise(phrase)
    )


def _is_searched(tokens: list[GoalToken], at: int, words: ValueWords) -> bool:
    """Whether a few words without a value end a search: `quarterly report` of `find messages about quarterly report`."""
    begin = next((back for back in range(at - 1, -1, -1) if tokens[back].mark), -1) + 1
    verb = next((token.lower for token in tokens[begin:at] if token.lower not in _BEFORE_SEARCH), "")
    behind = [*takewhile(lambda token: not token.mark, tokens[at + 1 :])]
    rest = tokens[at + 1 + len(behind) :]
    is_last = not rest or rest[0].text in _ENDS
    return (
        verb in _SEARCHING
        and is_last
        and 0 < len(behind) <= _MOST_SEARCHED
        and all(token.plain and token.text.isalpha() for token in behind)
        and behind[0].lower not in words.determiners | SUBJECTS | _TOLD
        and not any(token.lower in words.prepositions | words.joining for token in behind)
    )


def _is_told(tokens: list[GoalToken], at: int, words: ValueWords) -> bool:
    """Whether a colon leads from a verb of telling to the text: `tell everyone in the cohort Berlin: no session today`."""
    if tokens[at].text != ":" or len(tokens[at + 1 : at + 3]) < 2 or not tokens[at + 1].plain:
        return False
    clause = [*takewhile(lambda token: not token.mark, reversed(tokens[max(0, at - _TOLD_WITHIN) : at]))]
    if clause and clause[0].lower in _THE_FOLLOWING and len(clause) > 1:
        # `tweet this: Just landed`, but not `do this: close ticket 7`.
        return tokens[at + 1].text[:1].isupper() and clause[1].lower not in _DOING
    return any(token.plain and token.lower in words.telling for token in clause) or _is_posted(
        clause[::-1], words
    )


def _is_posted(clause: list[GoalToken], words: ValueWords) -> bool:
    """Whether words say where something is written, and not what: `post to #general`, `write to ann@acme.com`, `message @bob`."""
    said = [*dropwhile(lambda token: token.lower in _BEFORE_SEARCH, clause)]
    if len(said) < 2 or not said[0].plain or said[0].lower not in words.posting:
        return False
    behind = [*dropwhile(lambda token: token.lower in _POSTED, said[1:])]
    return bool(behind) and (behind[0].lower in _PLACES or (len(behind) == 1 and not behind[0].plain))


@cache
def _texts() -> frozenset[str]:
    return frozenset(table("inputs")["texts"])


def _end(text: str, tokens: list[GoalToken], begin: int) -> int:
    """Behind the last token of a text that begins here."""
    # `(reason: sent twice)`
    within = any(token.text == "(" for token in tokens[max(0, begin - _HEADED_WITHIN) : begin])
    for at in range(begin, len(tokens)):
        token = tokens[at]
        if token.kind is ValueKind.QUOTED or (at > begin and "\n" in text[tokens[at - 1].end : token.start]):
            return at
        if token.mark and (token.text in _ENDS or (token.text == ")" and within)):
            return at
        behind = tokens[at + 1].lower if at + 1 < len(tokens) else ""
        if token.text == "," and behind in _GOES_ON:
            return at
        if token.plain and token.lower in ("and", "then") and (behind == "then" or _opens_clause(behind)):
            return at
    return len(tokens)


def _opens_clause(word: str) -> bool:
    return word.isalpha() and not word.endswith(("s", "ed", "ing")) and is_verb(word)
