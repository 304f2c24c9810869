"""A sentence, cut into clauses: what begins one, and what belongs to the one before."""

import re

from app.domain.language.identifiers import pieces, singular
from app.domain.language.text import stem
from app.domain.reading.clauses.additions import is_left_over, only_narrows, states_more, tells_of_it
from app.domain.reading.clauses.catalogue_words import CatalogueWords
from app.domain.reading.clauses.continuations import goes_on_with, leads_to_thing, names_state
from app.domain.reading.clauses.forgoing import forgoes
from app.domain.reading.clauses.marks import ADDED, MARKS
from app.domain.reading.clauses.named_values import names_value
from app.domain.reading.clauses.orders import does_to_thing, is_order, starts_with_verb
from app.domain.reading.clauses.phrases import FIRST_OR_LAST, LED
from app.domain.reading.clauses.prose import RATIONALE
from app.domain.reading.clauses.shared_verbs import with_same_act, with_verb
from app.domain.reading.clauses.words import LONGEST_DESCRIPTION, goal_terms, is_participle
from app.lexicon.lists import table

_LONGEST_NOUN_LIST_ITEM = 4
_CUT = re.compile(
    r"((?<![,;:.!?])[,;:.!?]++\s+|(?<!\s)\s++(?:and then|then|and finally|finally|and also|followed by|after which"
    r"|before|after|and|by|while|so that|to)\s+|[.;]$)",
    re.IGNORECASE,
)
_SOFT_CUT = re.compile(r"(?:by|to|while|so that|before|after)$", re.IGNORECASE)
_HEADS = frozenset((*table("inputs")["texts"], *table("inputs")["written"]))
"""Words that head a text behind a colon: `reason: waiting for stock`."""
_ASKING = re.compile(rf"(?:then\s+)?(?:{'|'.join(table('reading')['asking'])})\b(?!.*\band\b)", re.IGNORECASE)
"""A clause that asks somebody to do something: that is part of it."""


class Sentence:
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
        self._is_first = True
        """Whether no clause of it is found yet."""
        self._at = 0
        """Of a piece, its place among the parts; then what joins it to the one before, and what follows it."""
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
                piece = with_verb(self._found[-1], piece, self._catalogue.is_thing)
                if whole := self._with_same_act(piece):
                    self._found.append(whole)
                    continue
                self._leave_heading(piece)
            if self._is_first:
                self._place_first(piece)
            elif RATIONALE.match(piece):
                return
            else:
                self._place(piece)

    def _with_same_act(self, piece: str) -> str:
        """A piece and the next as one clause with the verb before, if that says what another thing becomes; else empty."""
        joint, following = self._following
        if self._joint.lower() != "and" or joint.strip().lower() != "to":
            return ""
        return with_same_act(self._found[-1], piece, following, self._catalogue)

    def _leave_heading(self, piece: str) -> None:
        """Take back what stands before a colon at the start, if it only says what the order behind it is for."""
        is_behind_colon = self._at == 2 and self._joint == ":"
        if is_behind_colon and _heads(self._found[-1], piece, self._catalogue):
            self._found.pop()
            self._is_first = True

    def _place_first(self, piece: str) -> None:
        """A sentence begins a clause, unless its first piece can be nothing by itself."""
        is_verb, is_joined = self._catalogue.is_verb, self._joint in (",", ":", "and")
        if self._found and (forgoes(piece) or (is_joined and is_left_over(piece, "", is_verb))):
            self._add(piece)
        else:
            self._found.append(piece)
        self._is_first = False

    def _place(self, piece: str) -> None:
        if not self._is_soft and does_to_thing(self._found[-1], piece, self._catalogue.is_thing):
            self._found.append(piece)
        elif names_state(piece, self._catalogue.is_state):
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
            goes_on_with(before, piece, self._joint, self._catalogue)
            or (self._joint.lower() == "to" and leads_to_thing(before, piece, self._catalogue.is_thing))
            or (self._is_soft and _ASKING.match(before))
            or (piece.lower() in _HEADS and next_joint == ": ")
            # `, scaled by 2`
            or (is_participle(piece) and next_joint.strip().lower() == "by")
        )

    def _says_more(self, piece: str) -> bool:
        """Whether a piece without a verb says more of the clause before."""
        before, joint, catalogue = self._found[-1], self._joint, self._catalogue
        return (
            (joint in (",", ":", "and") and is_left_over(piece, joint, catalogue.is_verb))
            or (joint in (",", "and") and tells_of_it(piece, catalogue.is_thing))
            or (joint == "," and only_narrows(before, piece, catalogue))
            or states_more(before, piece, joint, catalogue)
            or (joint == "," and names_value(before, piece, catalogue))
        )

    def _begins(self, piece: str) -> bool:
        """Whether a piece asks for something of its own: by its verb, or as one more noun of a list."""
        is_verb = self._catalogue.is_verb
        if self._is_soft:
            return starts_with_verb(piece, is_verb)
        is_led = FIRST_OR_LAST.match(piece) or LED.match(piece)
        return is_order(piece, is_verb) or (
            not is_led and 0 < len(goal_terms(piece)) <= _LONGEST_NOUN_LIST_ITEM
        )


def _heads(heading: str, piece: str, catalogue: CatalogueWords) -> bool:
    """Whether a few words before a colon only say what the order behind it is for: `clean up: delete all old runners`."""
    said = pieces(heading)
    names_thing = any(catalogue.is_thing(stem(singular(word))) for word in said)
    # `urgent: close ticket 7` may set a priority.
    is_short = 1 < len(said) <= LONGEST_DESCRIPTION and not MARKS.search(heading)
    refers = any(word in table("reading")["pronouns"] for word in said)
    return is_short and not (names_thing or refers) and starts_with_verb(piece, catalogue.is_verb)
