"""A bare name is the tool of the one server that brings it; with none, or with several, it is only declared."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from app.domain.nodes.models import NodeKind, Provision, SourceId
from ingest.cards import SourceDocument
from ingest.diff.changes import Move
from ingest.diff.claims import Claims, is_bare, references, said_of
from ingest.diff.stored import Stored

_NAMED = 3
"""Ids and sources that a warning names; more would hide what to do."""


@dataclass(frozen=True, slots=True)
class Takeovers:
    """What becomes of the tools that sources name."""

    renames: list[tuple[str, str]] = field(default_factory=list)
    """Declared tools (old id, new id) that become a server's."""
    moves: list[Move] = field(default_factory=list)
    """What sources say of a tool, where both tools are there: it goes from one to the other."""


def find_takeovers(stored: Stored, claims: Claims, removals: Collection[SourceId] = ()) -> Takeovers:
    """Which names mean another tool than so far, given who brings them.

    A declared tool whose name one server brings becomes that server's tool. When a second server brings the name,
    or the one that brought it gives it up, what was said of the name goes back to the declared tool.
    """
    found = Takeovers()
    tools = stored.names.get(NodeKind.TOOL, {})
    generators = stored.names.get(NodeKind.GENERATOR, {})
    by_id = written_ids(stored.provisions)
    for name, holders in sorted(_holders(stored, removals).items()):
        meant = [(one, claims.meant(name, by_id[one.source])) for one in holders]
        moves = [
            Move(one.source, name, one.id, new)
            for one, new in meant
            if new != one.id and new not in generators
        ]
        goals = {move.new for move in moves}
        is_whole = len(moves) == len(holders) and all(one.id == name for one in holders)
        if is_whole and len(goals) == 1 and goals.isdisjoint(tools):
            found.renames.append((name, goals.pop()))
        else:
            found.moves.extend(moves)
    return found


def written_ids(provisions: Iterable[Provision]) -> defaultdict[SourceId, set[str]]:
    """The tools that each source names by their ids."""
    found: defaultdict[SourceId, set[str]] = defaultdict(set)
    for one in provisions:
        if one.kind is NodeKind.TOOL and one.declares and not is_bare(said_of(one)):
            found[one.source].add(one.id)
    return found


def contest_warnings(
    stored: Stored, claims: Claims, documents: Sequence[SourceDocument], removals: Collection[SourceId] = ()
) -> Mapping[SourceId, list[str]]:
    """For each document of the run: names that it brings or says, that a taxonomy says bare and several servers bring."""
    says = {
        one.source.id: {reference.text for reference in references(one) if is_bare(reference.text)}
        for one in documents
    }
    speakers: defaultdict[str, set[SourceId]] = defaultdict(set)
    for name, holders in _holders(stored, removals).items():
        speakers[name].update(one.source for one in holders if one.source not in says)
    for source, names in says.items():
        for name in names:
            speakers[name].add(source)
    contested = sorted(name for name, sources in speakers.items() if sources and claims.is_contested(name))
    warnings: defaultdict[SourceId, list[str]] = defaultdict(list)
    for document in documents if contested else ():
        source = document.source.id
        brings = {card.id for card in document.cards if card.kind is NodeKind.TOOL}
        for name in contested:
            bearers = claims.bearers[name]
            if name in says[source] or not brings.isdisjoint(bearers):
                warnings[source].append(
                    f"tool {name!r} is only declared: several servers bring it: {_some(bearers)}; accepted in"
                    f" {_some(sorted(speakers[name]))}: one of these ids, or 'server'"
                )
    return warnings


def _holders(stored: Stored, removals: Collection[SourceId]) -> dict[str, list[Provision]]:
    """Name or id -> what sources that stay say of a tool for which they write it."""
    found: defaultdict[str, list[Provision]] = defaultdict(list)
    for one in stored.provisions:
        if one.kind is NodeKind.TOOL and one.declares and one.source not in removals:
            found[said_of(one)].append(one)
    return dict(found)


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
