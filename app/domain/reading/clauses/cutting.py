"""A goal, cut into the things that it asks for one after the other."""

import re
from collections.abc import Sequence

from app.domain.reading.clauses.catalogue_words import NO_CATALOGUE, CatalogueWords
from app.domain.reading.clauses.marks import RESTRICTIONS
from app.domain.reading.clauses.prose import RATIONALE, without_opening
from app.domain.reading.clauses.sentences import Sentence
from app.domain.reading.clauses.words import goal_terms

MAX_CLAUSES = 50
"""How many clauses of a goal are planned: a plan has no more steps, and of 8,211 public requests none has over 45."""
_SENTENCE_END = re.compile(r"(?<=[a-z0-9)'\"\ue000-\uf7ff])[.;!?]+\s+")
# Real goals have up to 108 characters in brackets; without a bound, each `(` would be read to the end.
_BRACKETS = re.compile(r"\([^)\ue000-\uefff]{0,500}+\)")
_ABBREVIATIONS = re.compile(r"\be\.g\.,?|\bi\.e\.,?")


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
        if not sentence or (number and RATIONALE.match(sentence)):
            continue
        Sentence(without_opening(sentence), found, catalogue).add_clauses()
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
