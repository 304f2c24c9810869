"""What a clause asks, so that it orders nothing."""

from app.domain.language.goal_words import ORDER_WORDS
from app.domain.language.identifiers import pieces
from app.domain.language.operation_words import OperationKind
from app.domain.reading.clauses.marks import STRONG_VALUE, masked
from app.domain.reading.clauses.orders import asked_kind
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

_PERMITTING = ("may", "can", "could", "might")


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
