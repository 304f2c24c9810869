"""A goal, cut into the things that it asks for one after the other."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from app.domain.language.goal_words import ORDER_WORDS, STOP_WORDS, action_stems, all_verbs, verb_kinds
from app.domain.language.identifiers import is_plural, pieces, singular
from app.domain.language.idioms import idiom_verb
from app.domain.language.intent_words import ACTIONS_OF, ARTICLES
from app.domain.language.operation_words import READING_KINDS, OperationKind
from app.domain.language.text import stem
from app.domain.reading.said import SUBJECTS
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

MAX_CLAUSES = 50
"""How many clauses of a goal are planned: a plan has no more steps, and of 8,211 public requests none has over 45."""
_LONGEST_NOUN_LIST_ITEM = 4
_LONGEST_DESCRIPTION = 3
_VERB_WITHIN = 5
_NO_OPENING = frozenset(("all", "new"))
"""Stems that speak for a kind of call in names, and that begin no clause of a goal."""

_SENTENCE_END = re.compile(r"(?<=[a-z0-9)'\"\ue000-\uf7ff])[.;!?]+\s+")
# Real goals have up to 108 characters in brackets; without a bound, each `(` would be read to the end.
_BRACKETS = re.compile(r"\([^)\ue000-\uefff]{0,500}+\)")
_ABBREVIATIONS = re.compile(r"\be\.g\.,?|\bi\.e\.,?")
_CUT = re.compile(
    r"((?<![,;:.!?])[,;:.!?]++\s+|(?<!\s)\s++(?:and then|then|and finally|finally|and also|followed by|after which"
    r"|before|after|and|by|while|so that|to)\s+|[.;]$)",
    re.IGNORECASE,
)
_SOFT_CUT = re.compile(r"(?:by|to|while|so that|before|after)$", re.IGNORECASE)


def any_of(*phrases: str) -> str:
    """An expression for any of these phrases; the longer one where another begins it."""
    return "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))


def _opening_of(prose: Mapping[str, Sequence[str]]) -> str:
    subjects = f"{any_of(*prose['subjects'])}|an? (?:{any_of(*prose['people'])})s?"
    following = f"(?:{any_of(*prose['roles'])})s?|{any_of(*prose['fillings'])}"
    return (
        rf"^(?:{subjects})?\s*(?:(?:{any_of(*prose['orders'])}) )?(?:{any_of(*prose['verbs'])})s?\b"
        rf"(?:\s+(?:{following})\b)*\s*(?:to\s+)?"
    )


def _rationale_of(prose: Mapping[str, Sequence[str]]) -> str:
    return rf"^(?:this (?:{any_of(*prose['after_this'])})|it (?:{any_of(*prose['after_it'])})|{any_of(*prose['beginnings'])})"


_OPENING = re.compile(_opening_of(table("prose")["opening"]), re.IGNORECASE)
"""How descriptions of workflows begin before they come to the point."""
_RATIONALE = re.compile(_rationale_of(table("prose")["rationale"]), re.IGNORECASE)
"""How sentences and clauses begin that say why, not what."""
_VALUE_FIRST = re.compile(r"\w*[\ue000-\uefff]")
"""A clause that begins with a value goes on with a list of them: `invite bob and carol`."""
FIRST_OR_LAST = re.compile(
    rf"\b(?:{'|'.join((*table('reading')['last'], *table('reading')['first']))})\b", re.IGNORECASE
)
"""What says that the first or the last of many are meant; a clause may say no more: `show the logs, last 50 lines`."""
BY_AGE = re.compile(
    r"\b(?:(newest|latest|most recent)|oldest|earliest)(?: ones?| [a-z]{3,20}s)? (?:first|on top|at the top)\b",
    re.IGNORECASE,
)
"""What says that a list is sorted by when things came to be; its first group is there where the latest comes first."""
_NOUN_REPEATED = re.compile(
    r"(?:(?:the|an?)\s)?+([a-z]{2,30}+(?:\s[a-z]{2,30}+){0,2})\s[\ue000-\uefff](?:\s(?:in|of|on|from|at)\s[^,;]*)?",
    re.IGNORECASE,
)
"""A noun with its value, and where that is: `the card 12 in list 7`."""
_GERUND = "ing"
_NOUN_AND_VALUE = re.compile(r"(?:(?:the|an?)\s)?+([a-z]{2,30}+)\s[\ue000-\uefff]", re.IGNORECASE)
_NOUN_OF_VALUE = re.compile(r"(?<=[a-z]\s)([a-z]{2,30}+)\s[\ue000-\uefff]", re.IGNORECASE)
_LED = re.compile(rf"(?:{'|'.join(table('reading')['leading_prepositions'])})\b", re.IGNORECASE)
_BECAME = re.compile(
    r"\bto\s++(?:(?:[a-z]{2,30}\s)?[\w.-]{0,60}+[\ue000-\uefff]|[a-z]{3,20}+)[\s,]*+\Z", re.IGNORECASE
)
_BECOMES = re.compile(
    r"(?:(?:my|your|our|his|her|its|their)\s++[a-z-]{2,30}+\s++"
    r"|((?:(?:the|my|your|our)\s++)?+(?:[a-z-]{2,30}+\s++){1,2}?)"
    r"[\w.-]*+[\ue000-\uefff]\s++(?:in\s++[a-z -]{1,40}?(?:[\w.-]*+[\ue000-\uefff]\s++)?(?=to\s))?+)"
    r"to\s++(?:(?:[a-z]{2,30}\s)?[\w.-]*+[\ue000-\uefff]|[a-z]{3,20}+)(?:\s(?:in|of|on)\s[^,;]{1,80})?[?!. ]*+",
    re.IGNORECASE,
)
"""A clause without a verb that says what something becomes: a part of what was named, or another thing by its value."""
_ANOTHER_THING = re.compile(r"and\s++(?:the|an?)\s++([a-z]{3,30}+)\s++[\ue000-\ue3ff]", re.IGNORECASE)
"""A piece that names one more thing by its noun, with an article: `and the city Arica`."""
_ON_THINGS = (OperationKind.CREATE, OperationKind.DELETE)
_SPEAKERS = ("me", "us")
_PERMITTING = ("may", "can", "could", "might")
_OF_OTHERS = ("comment", "note", "label", "status", "q", "query")
"""Texts that may be things of their own."""
_ATTRIBUTE = re.compile(
    rf"(?:(?:and|the|with)\s)*+(?:{'|'.join(word for word in table('inputs')['texts'] if word not in _OF_OTHERS)})"
    r"(?:\s(?:is|to|of))?+[\s:]*+(?:[\ue000-\ue7ff]|[\w-]++[\ue800-\uebff]$)",
    re.IGNORECASE,
)
"""A clause that only gives a text its name says more of the one before: `subject "Your receipt"`."""
_HEADS = frozenset((*table("inputs")["texts"], *table("inputs")["written"]))
"""Words that head a text behind a colon: `reason: waiting for stock`."""
_NAMED_TEXT = re.compile(
    r"(?:with\s)?+([a-z]{3,30}+)(?:\s(?:is|to|of))?+[\s:]*+[\ue400-\ue7ff]$", re.IGNORECASE
)
"""A clause that is a word and what is quoted: where the word is no verb, it says more of the one before."""
_NAMED_VALUE = re.compile(
    r"(?:with\s)?+(?!the\s|an?\s|and\s|then\s)([a-z]{3,30}+)(?:\s(?!with\s)[a-z]{2,30}+){0,2}(?:\s(?:is|of|to))?[\s:=]*+[\ue000-\ue7ff]$",
    re.IGNORECASE,
)
"""A clause that is a few words and a value: `priority 8`."""
_NAMED_WORD = re.compile(
    r"(?!the\s|an?\s|and\s|then\s)([a-z]{3,30}+)(?:\s[a-z]{2,30}+){0,2}\s[\w-]++[\ue800-\uebff]$",
    re.IGNORECASE,
)
"""The same with a value that may be an ordinary word: `language hr`."""
_WITH = re.compile(r"\swith\s(?:\S++\s++){0,3}\S++$", re.IGNORECASE)
"""What a clause says that something is done with, at its end."""
_WRITES = re.compile(
    rf"(?:{any_of(*value_words().writing)})\s[\ue400-\ue7ff]\s(?:to|{'|'.join(table('reading')['leading_prepositions'])})\b",
    re.IGNORECASE,
)
"""An order to write a text somewhere: `comment "Fixed" on SHOP-41`."""
_TEXT_OF = re.compile(r"(?:the|an?|this)\s[a-z]{3,30}+\s?[:\s]?[\ue400-\ue7ff]$", re.IGNORECASE)
"""A piece that is a noun and what is quoted: `the comment "Fixed"`."""
_OBJECT_ONLY = re.compile(r"(?:[a-z]++\s++){1,5}+[\ue000-\uefff]?$", re.IGNORECASE)
"""A clause that is words and at most one value, at its end: `delete the user 3`."""
STRONG_VALUE = re.compile(r"[\ue000-\ue7ff]")
"""A value that is no ordinary word."""
_SWITCHED = re.compile(
    r"\w\s++(?:(?:switched|turned)\s++(?:on|off)|enabled|disabled)(?:\s++(?:too|as well|also))?+$",
    re.IGNORECASE,
)
"""How a piece ends that says of a switch where it is to stand."""
_SET = re.compile(r"(?:\w++\s++){1,2}?(?:on|off)(?:\s++(?:too|as well|also))?+", re.IGNORECASE)
"""A piece that says so in few words: `texting off too`."""
_FORGOING = re.compile(
    r"(?:(?:and|but)\s++)?no\s++(?:more\s++)?((?:[a-z-]++\s++){0,2}?[a-z-]++)"
    r"(?:\s++(?:to|for|from|in|on|with|during)\s++(?:(?:the|this|that|these|those|our|my|their)\s++)?([a-z-]++(?:\s++[a-z-]++)??))?"
    r"(?:\s++(?:please|pls|yet|though|either|this time|for now|at all))*+",
    re.IGNORECASE,
)
"""That there is to be none of something, in few words: `no refund`, `and no mails to the team please`."""
_NOT_FORGONE = frozenset(
    """longer later less fewer than one need needed matter problem problems worries rush wait sorry thanks thank please just actually instead
    way idea clue chance doubt ok okay yes no not now be been should would could can will may must""".split()
)
"""They show that `no` says something else: `no later than friday`, `no problem, close it`, `no wait, pause it`."""
_IS_IT = re.compile(r"(?:is|was|are|were)\s++(?:it|there)\s++(?:[a-z]++\s++){0,3}[a-z]++", re.IGNORECASE)
"""A question that is an order once more follows: `is it possible to`, `is there a way to`."""
MARKS = re.compile(r"[\ue000-\uf7ff]")
"""Characters for private use that stand for values, conditions and exclusions while a goal is cut."""
ADDED = ";"
"""Leads, in a clause, to what says more of it and has no verb."""
RESTRICTIONS = re.compile(r"[\uf000-\uf7ff]")
"""Of these, those for conditions and exclusions."""
_MADE_OF_VERB = re.compile(r"([a-z]{3,20})ments?")
_ACT = ("ation", "ations")
"""Endings of nouns of acts, which are no verbs: `location`, beside `locate`."""
_VALUE = re.compile(r"[\ue000-\uefff]")
_VALUE_LAST = re.compile(r"[\ue000-\uefff]$")
_ASKING = re.compile(rf"(?:then\s+)?(?:{'|'.join(table('reading')['asking'])})\b(?!.*\band\b)", re.IGNORECASE)
"""A clause that asks somebody to do something: that is part of it."""


@dataclass(frozen=True, slots=True)
class CatalogueWords:
    """What the catalogue knows of words that a goal may say."""

    is_verb: Callable[[str], bool] = lambda _stem: False
    """Whether a stem begins what calls do, beside the known verbs."""
    is_separate: Callable[[str, str], bool] = lambda _thing, _part: False
    """Whether something, the second, is made by a call of its own when the first is dealt with: a comment of an issue."""
    is_thing: Callable[[str], bool] = lambda _stem: False
    """Whether calls are about what a stem names."""
    is_attribute: Callable[[str, str], bool] = lambda _clause, _piece: False
    """Whether a piece is a value of what the clause before it makes or changes."""
    is_state: Callable[[str], bool] = lambda _state: False
    """Whether calls can set a state."""


NO_CATALOGUE = CatalogueWords()
"""Only what is known of words without one."""


@lru_cache(maxsize=1 << 12)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem(piece) for piece in pieces(text))


def goal_terms(text: str) -> list[str]:
    """Stems of the words of a goal that may name a tool, in order, repeats kept."""
    return [stem(piece) for piece in pieces(text) if piece not in STOP_WORDS and len(piece) > 1]


def split_clauses(goal: str, catalogue: CatalogueWords = NO_CATALOGUE) -> list[str]:
    """The clauses of a goal in its order; the goal itself when it has no parts.

    A cut at a comma, at `and`, `then`, `by`, `to`, `before` and the like counts where a verb follows: one that is
    known, or that calls of the catalogue begin with. Members of a list of nouns (`search for tracks, albums and
    artists`) become clauses too. What introduces a workflow and what only gives reasons is left out.
    """
    found: list[str] = []
    text = _BRACKETS.sub(" ", _ABBREVIATIONS.sub("", goal))
    for number, sentence in enumerate(_SENTENCE_END.split(text)):
        sentence = sentence.strip()
        if not sentence or (number and _RATIONALE.match(sentence)):
            continue
        _Sentence(_without_opening(sentence), found, catalogue).add_clauses()
    return _with_terms(found) or [goal]


def _with_terms(clauses: Sequence[str]) -> list[str]:
    """The clauses that say something; what restricts one that does not is said of the one before: `... . Do so only if it is open`."""
    found: list[str] = []
    for clause in clauses:
        if goal_terms(clause):
            found.append(clause)
        elif found:
            found[-1] += "".join(RESTRICTIONS.findall(clause))
    return found


def _without_opening(sentence: str) -> str:
    """A sentence without the words by which a description comes to the point: `allows users to`.

    Who says `enable hook 3` asks for it; what leads to no other verb is no such opening.
    """
    opening = _OPENING.match(sentence)
    if opening is None:
        return sentence
    asks = pieces(sentence)[0] in table("prose")["opening"]["asking"]
    leads_on = opening[0].rstrip().lower().endswith(" to")
    return sentence if asks and not leads_on else sentence[opening.end() :] or sentence


def masked(text: str) -> str:
    """`text` of a task without marks: what is left are words."""
    return MARKS.sub(" ", text)


def is_question(clause: str) -> bool:
    """Whether a clause asks something, so that it changes nothing: `did she open it?`, but not `can you close it?`."""
    said = [word for word in pieces(masked(clause)) if word not in ORDER_WORDS]
    reading = table("reading")
    if not said or STRONG_VALUE.match(clause):
        # `ABC-42 is done` tells.
        return False
    if _asks_leave(clause):
        return True
    if said[0] in reading["question_auxiliaries"]:
        if said[0] == "have" and said[1:2] and said[1] in value_words().determiners:
            # `have the code phoned to it` has it done.
            return clause.rstrip().endswith("?")
        return len(said) > 1 and said[1] not in ("you", "not")
    if said[0] in reading["anybody"]:
        return clause.rstrip().endswith("?")
    return said[0] in reading["interrogatives"]


def _asks_leave(clause: str) -> bool:
    """Whether a clause asks whether something may be deleted, which orders nothing: `may I delete it?`, `can it be deleted?`."""
    said = pieces(masked(clause))
    if said[0] not in _PERMITTING or not clause.rstrip().endswith("?"):
        return False
    is_passive = "be" in said[1:-1] and said[-1].endswith("ed")
    is_of_speaker = said[1:2] == ("i",)
    return (is_of_speaker or is_passive) and asked_kind(" ".join(said[1:])) is OperationKind.DELETE


class _Sentence:
    """A sentence while it is cut: each piece begins a clause, goes on with the one before, or says more of it."""

    def __init__(self, sentence: str, found: list[str], catalogue: CatalogueWords) -> None:
        """Cut it where it may be cut.

        Args:
            sentence: The text.
            found: The clauses of the sentences before; those of this one are added.
            catalogue: What the catalogue knows of words.
        """
        self._parts = _CUT.split(sentence)
        self._found = found
        self._catalogue = catalogue
        self._at = 0
        self._is_first = True
        self._joint = ","
        self._is_soft = False
        self._following = ("", "")

    def add_clauses(self) -> None:
        """Add what the sentence asks for, up to what only says why."""
        for at in range(0, len(self._parts), 2):
            piece = self._parts[at].strip()
            if not piece:
                continue
            self._at = at
            self._joint = self._parts[at - 1].strip() if at else ","
            self._is_soft = _SOFT_CUT.match(self._joint) is not None
            next_joint, following = (*self._parts[at + 1 : at + 3], "", "")[:2]
            self._following = (next_joint, following)
            if not self._is_first:
                piece = _with_verb(self._found[-1], piece, self._catalogue.is_thing)
                if whole := self._with_same_act(piece):
                    self._found.append(whole)
                    continue
                self._leave_heading(piece)
            if self._is_first:
                self._place_first(piece)
            elif _RATIONALE.match(piece):
                return
            else:
                self._place(piece)

    def _with_same_act(self, piece: str) -> str:
        """A piece and the next as one clause with the verb before, if that says what another thing becomes; else empty."""
        joint, following = self._following
        if self._joint.lower() != "and" or joint.strip().lower() != "to":
            return ""
        return _with_same_act(self._found[-1], piece, following, self._catalogue)

    def _leave_heading(self, piece: str) -> None:
        """Take back what stands before a colon at the start, if it only says what the order behind it is for."""
        is_behind_colon = self._at == 2 and self._joint == ":"
        if is_behind_colon and _heads(self._found[-1], piece, self._catalogue):
            self._found.pop()
            self._is_first = True

    def _place_first(self, piece: str) -> None:
        """A sentence begins a clause, unless its first piece can be nothing by itself."""
        is_left_over = self._joint in (",", ":", "and") and _is_left_over(piece, "", self._catalogue.is_verb)
        if self._found and (forgoes(piece) or is_left_over):
            self._add(piece)
        else:
            self._found.append(piece)
        self._is_first = False

    def _place(self, piece: str) -> None:
        if not self._is_soft and _does_to_thing(self._found[-1], piece, self._catalogue.is_thing):
            self._found.append(piece)
        elif _names_state(piece, self._catalogue.is_state):
            self._go_on(piece)
        elif self._is_attribute(piece) or forgoes(piece):
            self._add(piece)
        elif self._goes_on(piece):
            self._go_on(piece)
        elif self._says_more(piece):
            self._add(piece)
        elif self._begins(piece):
            self._found.append(piece)
        else:
            self._go_on(piece)

    def _add(self, piece: str) -> None:
        self._found[-1] += f"{ADDED} {piece}"

    def _go_on(self, piece: str) -> None:
        self._found[-1] += f" {self._joint} {piece}" if self._joint.isalpha() else f"{self._joint} {piece}"

    def _is_attribute(self, piece: str) -> bool:
        """Whether a piece is a value of what the clause before is about, though it reads as an order or a statement."""
        return (
            self._joint in (",", ":")
            and self._catalogue.is_attribute(self._found[-1], piece)
            and (" is " in piece or is_order(piece, self._catalogue.is_verb))
        )

    def _goes_on(self, piece: str) -> bool:
        """Whether a piece is a part of the clause before."""
        before, (next_joint, _) = self._found[-1], self._following
        return bool(
            _goes_on_with(before, piece, self._joint, self._catalogue)
            or (self._joint.lower() == "to" and _leads_to_thing(before, piece, self._catalogue.is_thing))
            or (self._is_soft and _ASKING.match(before))
            or (piece.lower() in _HEADS and next_joint == ": ")
            # `, scaled by 2`
            or (is_participle(piece) and next_joint.strip().lower() == "by")
        )

    def _says_more(self, piece: str) -> bool:
        """Whether a piece without a verb says more of the clause before."""
        before, joint, catalogue = self._found[-1], self._joint, self._catalogue
        return (
            (joint in (",", ":", "and") and _is_left_over(piece, joint, catalogue.is_verb))
            or (joint in (",", "and") and _tells_of_it(piece, catalogue.is_thing))
            or (joint == "," and _only_narrows(before, piece, catalogue))
            or _states_more(before, piece, joint, catalogue)
            or (joint == "," and _names_value(before, piece, catalogue))
        )

    def _begins(self, piece: str) -> bool:
        """Whether a piece asks for something of its own: by its verb, or as one more noun of a list."""
        is_verb = self._catalogue.is_verb
        if self._is_soft:
            return starts_with_verb(piece, is_verb)
        is_led = FIRST_OR_LAST.match(piece) or _LED.match(piece)
        return is_order(piece, is_verb) or (
            not is_led and 0 < len(goal_terms(piece)) <= _LONGEST_NOUN_LIST_ITEM
        )


def _with_verb(before: str, piece: str, is_thing: Callable[[str], bool]) -> str:
    """A piece that names one more thing, with the verb before: `add the city Arica`, behind `add the country Chile with code CL`."""
    another = _ANOTHER_THING.match(piece)
    if another is None or asked_kind(masked(before)) not in _ON_THINGS:
        return piece
    verb = next(iter(pieces(masked(before))), "")
    is_another = is_thing(stem(singular(another[1].lower()))) and stem(verb) in verb_kinds()
    return f"{verb} {piece.partition(' ')[2]}" if is_another else piece


def _with_same_act(before: str, piece: str, following: str, catalogue: CatalogueWords) -> str:
    """A piece that says what another thing becomes, with the verb before: `scale deployment web to 3 and stateful set redis to 2`.

    So does one that names something else of the same thing: `change my bio to "Cook" and my location to Porto`. Empty
    where it does not.
    """
    becomes = _BECOMES.fullmatch(f"{piece} to {following}")
    if becomes is None or not _BECAME.search(before):
        return ""
    if starts_with_verb(piece, catalogue.is_verb) and not _names_such(before, piece):
        return ""
    # The first word of an order is its verb, whether it is known as one or not.
    said = pieces(masked(before))
    verb = next((word for word in said[:_VERB_WITHIN] if word not in STOP_WORDS), "")
    nouns = [word for word in pieces(becomes[1] or "") if word not in ARTICLES]
    noun = "".join(nouns)
    is_named = becomes[1] is None or catalogue.is_thing(stem(singular(noun))) or noun in said
    return f"{verb} {piece}" if verb and is_named else ""


def _names_such(before: str, piece: str) -> bool:
    """Whether a piece begins with a noun and its value as an order has them: `issue 6 ...`, behind `move issue 5 ...`."""
    noun = _NOUN_AND_VALUE.match(piece)
    return noun is not None and noun[1].lower() in map(str.lower, _NOUN_OF_VALUE.findall(before))


def _heads(heading: str, piece: str, catalogue: CatalogueWords) -> bool:
    """Whether a few words before a colon only say what the order behind it is for: `clean up: delete all old runners`."""
    said = pieces(heading)
    names_thing = any(catalogue.is_thing(stem(singular(word))) for word in said)
    # `urgent: close ticket 7` may set a priority.
    is_short = 1 < len(said) <= _LONGEST_DESCRIPTION and not MARKS.search(heading)
    refers = any(word in table("reading")["pronouns"] for word in said)
    return is_short and not (names_thing or refers) and starts_with_verb(piece, catalogue.is_verb)


def _goes_on_with(before: str, piece: str, joint: str, catalogue: CatalogueWords) -> bool:
    """Whether a piece goes on with the clause before, behind `joint`."""
    return bool(
        (_VALUE_FIRST.match(piece) and _VALUE_LAST.search(before))
        or _goes_on_with_noun(before, piece)
        or (joint.lower() == "to" and _leads_to_no_order(before, piece))
        or (joint != "," and _ATTRIBUTE.match(piece))
        or (joint == "and" and _names_further(before, piece, catalogue))
        or (joint == "and" and _WITH.search(before) and _TEXT_OF.match(piece))
    )


def _leads_to_no_order(before: str, piece: str) -> bool:
    """Whether what `to` joins to a clause asks for nothing: `set it to approved`, `14 days to pay`, `what do we have to pay`."""
    if is_participle(piece) or (_VALUE_LAST.search(before) and len(pieces(masked(piece))) == 1):
        return True
    return is_question(f"{before} {piece}") and not _IS_IT.fullmatch(masked(before).strip())


def _leads_to_thing(before: str, piece: str, is_thing: Callable[[str], bool]) -> bool:
    """Whether what `to` joins to a clause is a thing by its value: `add the label to issue 12`, not `I want to release 1.2`."""
    first, *behind = piece.split()
    said = pieces(masked(before))
    if not is_thing(stem(singular(first.lower()))) or not behind or not STRONG_VALUE.match(behind[0]):
        return False
    reading = table("reading")
    wishes = (
        *table("prose")["situation"]["wishes"],
        *reading["asking"],
        *reading["auxiliaries"],
        "able",
        "how",
        "going",
    )
    return len(said) > 1 and said[-1] not in wishes and stem(said[0]) in all_verbs()


def _names_value(before: str, piece: str, catalogue: CatalogueWords) -> bool:
    """Whether a piece only gives a value its name."""
    return bool(
        _ATTRIBUTE.match(piece)
        or _only_names_text(piece, catalogue.is_verb)
        or _names_further(before, piece, catalogue)
    )


def _is_left_over(piece: str, joint: str, is_catalogue_verb: Callable[[str], bool]) -> bool:
    """Whether a piece can be nothing by itself, as it begins with a value, or a participle before one, and has no verb.

    `1350 high`, `installed on 2026-10-15`, `started 2026-10-15`, `price files switched on`.
    """
    said = pieces(masked(piece))
    if any(word in table("reading")["auxiliaries"] for word in said) or (joint == ":" and not said):
        # Behind a colon a value alone is that of what it stands behind: `reason: "sold out"`.
        return False
    plain = masked(piece).strip()
    if _SWITCHED.search(plain) or (_SET.fullmatch(plain) and not is_order(piece, is_catalogue_verb)):
        return said[0] not in table("reading")["holding"]
    first, *behind = piece.split()
    if STRONG_VALUE.match(first):
        return not any(stem(word) in verb_kinds() for word in said)
    following = " ".join(behind[:1])
    return is_participle(piece) and bool(
        (joint == "," and 0 < len(behind) < _LONGEST_DESCRIPTION and not MARKS.search(piece))
        or following.lower() in value_words().prepositions
        or STRONG_VALUE.match(following)
    )


def forgoes(piece: str) -> bool:
    """Whether a piece only says that there is to be none of something: `no refund`, `and no mails to the team please`."""
    return bool(forgone(piece)[0])


def forgone(piece: str) -> tuple[str, str]:
    """What there is to be none of by a piece that says no more, and where or for whom: (mails, team) for `no mails to the team`.

    Empty where it may be an order behind `no`: `no cancel it`.
    """
    found = None if MARKS.search(piece) else _FORGOING.fullmatch(piece.strip(" ,;.!"))
    if found is None:
        return "", ""
    what, whose = found[1].lower(), (found[2] or "").lower()
    reading = table("reading")
    is_other = any(
        word in _NOT_FORGONE
        or word in reading["pronouns"]
        or word in reading["auxiliaries"]
        or word in SUBJECTS
        or is_participle(word)
        for word in (*what.split(), *whose.split())
    )
    return ("", "") if is_other else (what, whose)


def _tells_of_it(piece: str, is_thing: Callable[[str], bool]) -> bool:
    """Whether a piece tells something of what stands before it: `starts on 2026-02-02`, `to be paid by 2026-04-30`."""
    said = masked(piece).split()
    if [word.lower() for word in said[:2]] == ["to", "be"]:
        return True
    verb = said[0].lower() if said else ""
    is_third_person = (
        verb.endswith("s")
        and not verb.endswith("ss")
        and stem(verb) in all_verbs()
        and verb not in table("en")["verbs"]
        and not is_thing(stem(singular(verb)))
    )
    following = piece.split()[1:2]
    words = value_words()
    return (
        is_third_person
        and bool(following)
        and bool(
            STRONG_VALUE.match(following[0])
            or following[0].lower() in words.prepositions
            or following[0].lower() in words.determiners
        )
    )


def _only_narrows(before: str, piece: str, catalogue: CatalogueWords) -> bool:
    """Whether a piece is a few words that name no thing and ask for nothing, behind what only asks: `mornings only`.

    Behind a change they say what is changed, or to what: if no call takes them, that is to be said.
    """
    if not (is_question(before) or asked_kind(before) in READING_KINDS):
        return False
    said = pieces(masked(piece))
    if len(said) == 1 and is_participle(piece) and not MARKS.search(piece):
        # `list the contacts of list 7, unsubscribed` unsubscribes nobody.
        return True
    reading, alike = table("reading"), table("en")["things"]
    return (
        0 < len(said) <= _LONGEST_DESCRIPTION
        and not MARKS.search(piece)
        and not (is_order(piece, catalogue.is_verb) or is_question(piece) or _LED.match(piece))
        and said[0] not in SUBJECTS | value_words().determiners
        and (said[-1] == "only" or not any(map(is_plural, said)))
        and not any(
            any(
                catalogue.is_thing(stem(name))
                for name in (singular(word), *alike.get(singular(word), "").split())
            )
            or stem(word) in all_verbs()
            or word in reading["auxiliaries"]
            or word in reading["pronouns"]
            for word in said
        )
    )


def _states_more(before: str, piece: str, joint: str, catalogue: CatalogueWords) -> bool:
    """Whether a piece has values and no verb, and is not one more of the things that a verb is followed by.

    `create user ann, cost centre 12` says more of the user; `delete user 3, group 5 and role 7` deletes three things.
    """
    said = pieces(masked(piece))
    if joint not in (",", ":") or not said or not _VALUE.search(piece) or is_order(piece, catalogue.is_verb):
        return False
    reading = table("reading")
    if is_question(piece) or any(
        word in reading["auxiliaries"] or word in reading["pronouns"] for word in said
    ):
        return False
    names_thing = any(catalogue.is_thing(stem(singular(word))) for word in said)
    if joint == ":":
        # Behind a colon a thing may be what is asked for: `new line: circuit 12`, but not what a change is of.
        changes = asked_kind(masked(before)) is OperationKind.UPDATE
        return not names_thing or (changes and _NAMED_VALUE.match(piece) is not None)
    return not (
        names_thing
        and _OBJECT_ONLY.match(before)
        and _OBJECT_ONLY.match(piece)
        and _VALUE_LAST.search(before)
    )


def is_order(clause: str, is_catalogue_verb: Callable[[str], bool]) -> bool:
    """Whether a clause begins with a verb: one that is known, of a turn of phrase, or by the object behind it.

    `call the visit off`, `rent them out`, `swap the tags`, `comment "Fixed" on 12`, `email me`.
    """
    if starts_with_verb(clause, is_catalogue_verb) or _WRITES.match(clause):
        return True
    said = [word for word in pieces(RESTRICTIONS.sub(" ", clause)) if stem(word) not in ORDER_WORDS]
    if idiom_verb(" ".join(said)):
        return True
    first, second = (*said, "", "")[:2]
    words = value_words()
    return first not in words.function and (
        second in table("reading")["pronouns"] or second in _SPEAKERS or second in words.determiners
    )


def _does_to_thing(before: str, piece: str, is_thing: Callable[[str], bool]) -> bool:
    """Whether a piece begins with a word that may be a verb and goes on with a thing by its value: `email sales invoice 75813`.

    Of a word that the clause before says, too, it is one more of the same: `delete test plan 3 and test run 12`.
    """
    said = [word for word in piece.split() if stem(word) not in ORDER_WORDS]
    first, behind = next(iter(said), ""), said[1:]
    if first not in table("en")["verbs"] or first in pieces(before):
        return False
    named = next((at for at, word in enumerate(behind[: _VERB_WITHIN - 1]) if STRONG_VALUE.match(word)), 0)
    return named > 0 and is_thing(stem(singular(behind[named - 1].lower())))


def _names_state(piece: str, is_state: Callable[[str], bool]) -> bool:
    """Whether a piece begins with what became of a thing, as an input takes it: `trip approved`, of TRIP_APPROVED."""
    said = pieces(MARKS.split(piece)[0])
    return any(
        is_participle(said[most - 1]) and is_state(" ".join(map(stem, said[:most])))
        for most in range(2, min(len(said), _LONGEST_DESCRIPTION) + 1)
    )


def is_participle(piece: str) -> bool:
    """Whether a clause behind `to` begins with what a thing becomes, not with what is to be done: `set it to approved`."""
    first = next(iter(pieces(piece)), "")
    return first.endswith("ed") and stem(first) != first and first not in table("en")["verbs"]


def _goes_on_with_noun(before: str, piece: str) -> bool:
    """Whether a clause is one more of what the clause before ends with: `the bank account 12` behind `delete the bank account 7`."""
    found = _NOUN_REPEATED.fullmatch(piece)
    if found is None or MARKS.match(before[-1:]) is None:
        return False
    first, *further = pieces(found[1])
    if further and stem(first) in all_verbs():
        # `delete article 5` does it again.
        return False
    return f" {before[:-1].rstrip().lower()}".endswith(f" {found[1].lower()}")


def _only_names_text(piece: str, is_catalogue_verb: Callable[[str], bool]) -> bool:
    found = _NAMED_TEXT.match(piece)
    return found is not None and not starts_with_verb(found[1], is_catalogue_verb)


def _names_further(before: str, piece: str, catalogue: CatalogueWords) -> bool:
    """Whether a clause is a word and its value, behind a clause that says more than a verb and its object.

    `post "hello" with title Nightly and priority 8` posts once; `delete user 3 and group 5` deletes two things.
    """
    is_behind_with = _WITH.search(before) is not None
    named = _NAMED_VALUE.match(piece) or (_NAMED_WORD.match(piece) if is_behind_with else None)
    if named is None or is_order(piece, catalogue.is_verb) or named[1].lower() in _OF_OTHERS:
        return False
    if any(catalogue.is_separate(noun, named[1]) for noun in pieces(masked(before))[1:]):
        return False
    return is_behind_with or not _OBJECT_ONLY.match(before)


def starts_with_verb(clause: str, is_catalogue_verb: Callable[[str], bool]) -> bool:
    """Whether a clause begins with a verb that is known, or that calls of the catalogue begin with."""
    said = _first_word(pieces(RESTRICTIONS.sub(" ", clause)))
    if (made := _MADE_OF_VERB.fullmatch(said)) and made[1] in table("en")["verbs"]:
        # `to assignment 12` names a thing, though both words have one stem.
        return False
    if said.endswith(_GERUND) and said not in table("en")["verbs"] and not is_catalogue_verb(said):
        # `tracking 0034` names a number.
        return False
    if is_participle(said):
        # `entered twice` tells.
        return False
    if (is_agent(said) or said.endswith(_ACT)) and said not in table("en")["verbs"]:
        # So does `customer 12`, beside `customize`.
        return False
    opening = stem(said)
    return (opening in verb_kinds() and opening not in _NO_OPENING) or is_catalogue_verb(opening)


def _first_word(said: Sequence[str]) -> str:
    """The first word that does more than place a clause in time; empty without one."""
    return next((word for word in said if stem(word) not in ORDER_WORDS), "")


def asked_kind(clause: str) -> OperationKind | None:
    """The kind of call that the first known verb near the start of a clause asks for."""
    known = verb_kinds()
    if _stems(clause)[:1] == ("order",):
        return OperationKind.CREATE
    said = pieces(clause)[:_VERB_WITHIN]
    if names_only(said):
        return next((known[word] for word in map(stem, said) if known.get(word) in READING_KINDS), None)
    # `recover the deleted file` deletes nothing.
    adjectives = {second for first, second in pairwise(said) if first in ARTICLES and second.endswith("ed")}
    if is_participle(clause):
        # `entered twice` enters nothing.
        adjectives.add(said[0])
    near = [stem(piece) for piece in said if not is_agent(piece) and piece not in adjectives]
    verb = _first_word(said)
    if "delete" in ACTIONS_OF.get(verb, ()) and stem(verb) not in known:
        # `unassign bob from issue 7` issues nothing.
        return OperationKind.DELETE
    found = next((known[word] for word in near if word in known), None)
    if found is None and near and near[0] in action_stems():
        # A verb that says that something is done, whatever call that is: `ban`, `mute`.
        return OperationKind.ACTION
    return found


def names_only(said: Sequence[str]) -> bool:
    """Whether a clause begins as a noun phrase does, so that what follows is no verb: `its refunds`, `the open order`."""
    return said[:1] != () and said[0] in table("values")["determiners"].split()


@lru_cache(maxsize=1 << 12)
def is_agent(word: str) -> bool:
    """Whether a word says who does something, and is no verb though it shares a stem with one: `customer`."""
    return word.endswith(("er", "ers", "or", "ors")) and stem(word) not in (word, word.rstrip("s"))


def opening_stems(clause: str, count: int) -> tuple[str, ...]:
    """Stems of the first `count` words."""
    return _stems(clause)[:count]
