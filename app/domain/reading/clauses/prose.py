"""How descriptions of workflows put what is asked for: what they begin with, and what only says why."""

import re
from collections.abc import Mapping, Sequence

from app.domain.language.identifiers import pieces
from app.domain.reading.clauses.phrases import any_of
from app.lexicon.lists import table


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
RATIONALE = re.compile(_rationale_of(table("prose")["rationale"]), re.IGNORECASE)
"""How sentences and clauses begin that say why, not what."""


def without_opening(sentence: str) -> str:
    """A sentence without the words by which a description comes to the point: `allows users to`.

    Who says `enable hook 3` asks for it; what leads to no other verb is no such opening.
    """
    opening = _OPENING.match(sentence)
    if opening is None:
        return sentence
    asks = pieces(sentence)[0] in table("prose")["opening"]["asking"]
    leads_on = opening[0].rstrip().lower().endswith(" to")
    return sentence if asks and not leads_on else sentence[opening.end() :] or sentence
