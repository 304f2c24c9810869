"""The filters of a request, checked once, and looked at only for the tools that are asked about."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np
import numpy.typing as npt

from app.domain.ranking.formulas import Mask, Positions
from app.domain.ranking.runs import are_among
from app.errors import InvalidInputError

_NAMED = 5
"""How many accepted values a message names."""


@dataclass(frozen=True, eq=False)
class AllowedTools:
    """The tools that pass every filter."""

    tools: int
    """How many there are in all."""
    servers: frozenset[int] | None
    """Numbers of servers; None: every server."""
    members: Positions | None
    """The tools in any of the categories, rising; None: every tool."""
    read_only: bool | None
    server_of: npt.NDArray[np.signedinteger]
    reads_only: Mask
    reviewed: bool | None = None
    unreviewed: Mask | None = None
    """Tools that a baseline alone accepted; there where `reviewed` asks for it."""

    def at(self, positions: Positions) -> Mask:
        """Which of these tools pass."""
        passed = np.ones(positions.size, np.bool_)
        if self.servers is not None:
            passed &= np.isin(self.server_of[positions], sorted(self.servers))
        if self.members is not None:
            passed &= are_among(positions, self.members)
        if self.read_only is not None:
            passed &= self.reads_only[positions] == self.read_only
        if self.unreviewed is not None:
            passed &= self.unreviewed[positions] != self.reviewed
        return passed

    def has(self, position: int) -> bool:
        """Whether one tool passes."""
        return bool(self.at(np.array([position]))[0])

    def everywhere(self) -> Positions:
        """All tools that pass, rising: work per tool, for lists of tools."""
        everything = np.arange(self.tools)
        return everything[self.at(everything)]


def union_of(members: Sequence[Positions]) -> Positions:
    """All positions of some lists of them, each of which rises, rising and each once."""
    return members[0] if len(members) == 1 else np.unique(np.concatenate(members))


def numbers_of(kind: str, asked: Iterable[str], known: Mapping[str, int]) -> frozenset[int]:
    """The numbers of the asked names.

    Raises:
        InvalidInputError: a name is not known.
    """
    refuse_unknown(kind, asked, known)
    return frozenset(known[name] for name in asked)


def refuse_unknown(kind: str, asked: Iterable[str], known: Collection[str]) -> None:
    """Name near ones, or a few others.

    Raises:
        InvalidInputError: a name is not known.
    """
    unknown = [name for name in asked if not name or name not in known]
    names = sorted(name for name in known if name) if unknown else []
    for name in unknown:
        near = get_close_matches(name, names, n=_NAMED, cutoff=0.5)
        if near:
            hint = f"near ones are {', '.join(map(repr, near))}"
        elif names:
            shown = ", ".join(map(repr, names[:_NAMED]))
            hint = f"there are {len(names)}, among them {shown}"
        else:
            hint = "the graph has nothing yet"
        raise InvalidInputError(f"filters: no {kind} {name!r} in the catalogue; {hint}")
