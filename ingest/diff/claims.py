"""Which tool a bare name is: a function of what is described, whichever came first.

A bare name is the tool of the one server that brings it; with none, or with several, it is only declared.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from app.domain.nodes.models import NodeKind, Provision, SourceId
from ingest.cards import SourceDocument, tool_references
from ingest.diff.changes import Move, Stored

_NAMED = 3
"""Ids and sources that a warning names; more would hide what to do."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The tools that bring a name, or have an id."""

    bearers: Mapping[str, tuple[str, ...]]
    """Name or id -> ids of the tools that have it, sorted: of each server what has it now, else what had it before."""

    def is_contested(self, name: str) -> bool:
        """Whether several servers bring a bare name, so that it belongs to none of them."""
        return is_bare(name) and len(self.bearers.get(name, ())) > 1

    def meant(self, text: str, written: Collection[str]) -> str:
        """The tool that a source means; where no tool has the name or id, or several, a declared one.

        Args:
            text: what the source writes.
            written: the tools that it names by their ids. It does not mean one of them by a bare name: then it
                names several of the name by their ids, or there would be no bare name (`with_ids`).
        """
        bearers = self.bearers.get(text, ())
        if len(bearers) != 1 or (is_bare(text) and bearers[0] in written):
            return text
        return bearers[0]


def find_claims(
    stored: Stored, documents: Sequence[SourceDocument], removals: Iterable[SourceId] = ()
) -> Claims:
    """Who will bring what once the documents are written and the removed sources are gone.

    Only a tool that a source describes is brought. A tool that was renamed keeps its old name and id until its
    server has another tool of them. A name with a slash is no bare name: nobody can bring by it what others write
    as an id.
    """
    generators = set(stored.names[NodeKind.GENERATOR])
    generators |= {card.id for one in documents for card in one.cards if card.kind is NodeKind.GENERATOR}
    known = stored.names[NodeKind.TOOL]
    now: defaultdict[str, list[str]] = defaultdict(list)
    before: defaultdict[str, set[str]] = defaultdict(set)
    for tool, name in dict(_described(stored, documents, set(removals))).items():
        if tool in generators:
            continue
        now[tool].append(tool)
        if is_bare(name):
            now[name].append(tool)
        for former in known[tool].former_ids if tool in known else ():
            before[former].add(tool)
            before[former.partition("/")[2]].add(tool)
    bearers = {text: tuple(sorted(tools)) for text, tools in now.items()}
    for text, tools in before.items():
        there = bearers.get(text, ())
        others = (tool for tool in tools if _server(tool) not in {_server(one) for one in there})
        bearers[text] = tuple(sorted({*there, *others}))
    return Claims(bearers)


def said_of(provision: Provision) -> str:
    """What a source writes for a tool that it only declares; empty for what it describes."""
    return (provision.named or provision.id) if provision.declares else ""


def is_bare(name: str) -> bool:
    """Whether a tool is named without its server."""
    return "/" not in name


def _described(
    stored: Stored, documents: Sequence[SourceDocument], removals: set[SourceId]
) -> Iterator[tuple[str, str]]:
    """(id, name) of each tool that a source will describe; what a document brings comes last."""
    # Where a document's item is rejected, the graph keeps the old one.
    kept = {document.source.id: {entry.id for entry in document.rejected} for document in documents}
    names = stored.names[NodeKind.TOOL]
    for one in stored.provisions:
        if one.kind is not NodeKind.TOOL or one.declares or one.source in removals or one.id not in names:
            continue
        if one.source not in kept or one.id in kept[one.source]:
            yield one.id, names[one.id].name
    for document in documents:
        for card in document.cards:
            if card.kind is NodeKind.TOOL:
                yield card.id, str(card.properties.get("name", ""))


def _server(tool: str) -> str:
    return tool.partition("/")[0]


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
    tools = stored.names[NodeKind.TOOL]
    generators = stored.names[NodeKind.GENERATOR]
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
        one.source.id: {
            reference.text for reference in tool_references(one.cards, one.notes) if is_bare(reference.text)
        }
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
                    f"tool {name!r} is only declared: several servers bring it: {some(bearers)}; accepted in"
                    f" {some(sorted(speakers[name]))}: one of these ids, or 'server'"
                )
    return warnings


def _holders(stored: Stored, removals: Collection[SourceId]) -> dict[str, list[Provision]]:
    """Name or id -> what sources that stay say of a tool for which they write it."""
    found: defaultdict[str, list[Provision]] = defaultdict(list)
    for one in stored.provisions:
        if one.kind is NodeKind.TOOL and one.declares and one.source not in removals:
            found[said_of(one)].append(one)
    return dict(found)


def some(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
