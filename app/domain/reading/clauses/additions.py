"""What says more of the clause before and has no verb: what is left over, tells, narrows, or states a value."""

import re
from collections.abc import Callable

from app.domain.language.goal_words import all_verbs, verb_kinds
from app.domain.language.identifiers import is_plural, pieces, singular
from app.domain.language.operation_words import READING_KINDS, OperationKind
from app.domain.language.text import stem
from app.domain.reading.clauses.catalogue_words import CatalogueWords
from app.domain.reading.clauses.marks import MARKS, STRONG_VALUE, VALUE, VALUE_LAST, masked
from app.domain.reading.clauses.named_values import NAMED_VALUE, OBJECT_ONLY
from app.domain.reading.clauses.orders import asked_kind, is_order
from app.domain.reading.clauses.phrases import LED
from app.domain.reading.clauses.questions import is_question
from app.domain.reading.clauses.words import LONGEST_DESCRIPTION, is_participle
from app.domain.reading.said import SUBJECTS
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

_SWITCHED = re.compile(
    r"\w\s++(?:(?:switched|turned)\s++(?:on|off)|enabled|disabled)(?:\s++(?:too|as well|also))?+$",
    re.IGNORECASE,
)
"""How a piece ends that says of a switch where it is to stand."""
_SET = re.compile(r"(?:\w++\s++){1,2}?(?:on|off)(?:\s++(?:too|as well|also))?+", re.IGNORECASE)
"""A piece that says so in few words: `texting off too`."""


def is_left_over(piece: str, joint: str, is_catalogue_verb: Callable[[str], bool]) -> bool:
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
        (joint == "," and 0 < len(behind) < LONGEST_DESCRIPTION and not MARKS.search(piece))
        or following.lower() in value_words().prepositions
        or STRONG_VALUE.match(following)
    )


def tells_of_it(piece: str, is_thing: Callable[[str], bool]) -> bool:
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


def only_narrows(before: str, piece: str, catalogue: CatalogueWords) -> bool:
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
        0 < len(said) <= LONGEST_DESCRIPTION
        and not MARKS.search(piece)
        and not (is_order(piece, catalogue.is_verb) or is_question(piece) or LED.match(piece))
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


def states_more(before: str, piece: str, joint: str, catalogue: CatalogueWords) -> bool:
    """Whether a piece has values and no verb, and is not one more of the things that a verb is followed by.

    `create user ann, cost centre 12` says more of the user; `delete user 3, group 5 and role 7` deletes three things.
    """
    said = pieces(masked(piece))
    if joint not in (",", ":") or not said or not VALUE.search(piece) or is_order(piece, catalogue.is_verb):
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
        return not names_thing or (changes and NAMED_VALUE.match(piece) is not None)
    return not (
        names_thing and OBJECT_ONLY.match(before) and OBJECT_ONLY.match(piece) and VALUE_LAST.search(before)
    )
