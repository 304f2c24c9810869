"""What a clause orders: whether it begins with a verb, and which kind of call that asks for."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from app.domain.language.goal_words import ORDER_WORDS, action_stems, verb_kinds
from app.domain.language.identifiers import pieces, singular
from app.domain.language.idioms import idiom_verb
from app.domain.language.intent_words import ACTIONS_OF, ARTICLES
from app.domain.language.operation_words import READING_KINDS, OperationKind
from app.domain.language.text import stem
from app.domain.reading.clauses.marks import RESTRICTIONS, STRONG_VALUE
from app.domain.reading.clauses.phrases import any_of
from app.domain.reading.clauses.words import is_agent, is_participle, names_only, opening_stems
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

VERB_WITHIN = 5
"""Words at the start of a clause among which its verb is looked for."""
_NO_OPENING = frozenset(("all", "new"))
"""Stems that speak for a kind of call in names, and that begin no clause of a goal."""
_GERUND = "ing"
_MADE_OF_VERB = re.compile(r"([a-z]{3,20})ments?")
_ACT = ("ation", "ations")
"""Endings of nouns of acts, which are no verbs: `location`, beside `locate`."""
_SPEAKERS = ("me", "us")
_WRITES = re.compile(
    rf"(?:{any_of(*value_words().writing)})\s[\ue400-\ue7ff]\s(?:to|{'|'.join(table('reading')['leading_prepositions'])})\b",
    re.IGNORECASE,
)
"""An order to write a text somewhere: `comment "Fixed" on SHOP-41`."""


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


def does_to_thing(before: str, piece: str, is_thing: Callable[[str], bool]) -> bool:
    """Whether a piece begins with a word that may be a verb and goes on with a thing by its value: `email sales invoice 75813`.

    Of a word that the clause before says, too, it is one more of the same: `delete test plan 3 and test run 12`.
    """
    said = [word for word in piece.split() if stem(word) not in ORDER_WORDS]
    first, behind = next(iter(said), ""), said[1:]
    if first not in table("en")["verbs"] or first in pieces(before):
        return False
    named = next((at for at, word in enumerate(behind[: VERB_WITHIN - 1]) if STRONG_VALUE.match(word)), 0)
    return named > 0 and is_thing(stem(singular(behind[named - 1].lower())))


def asked_kind(clause: str) -> OperationKind | None:
    """The kind of call that the first known verb near the start of a clause asks for."""
    known = verb_kinds()
    if opening_stems(clause, 1) == ("order",):
        return OperationKind.CREATE
    said = pieces(clause)[:VERB_WITHIN]
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


def _first_word(said: Sequence[str]) -> str:
    """The first word that does more than place a clause in time; empty without one."""
    return next((word for word in said if stem(word) not in ORDER_WORDS), "")
