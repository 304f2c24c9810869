"""A catalogue as the planner sees it: what each tool is, and how well its texts fit a clause."""

from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from app.domain.filling.forms import OperationForm
from app.domain.language.goal_words import KIND_FIT
from app.domain.language.identifiers import ID_WORDS, singular, words
from app.domain.language.operation_words import LISTING_KINDS, OperationKind
from app.domain.language.text import ALIASES, stem
from app.domain.nodes.models import Tool, ToolId
from app.domain.packed.sequences import NewPlaces
from app.domain.planning.indexed.changed import ColumnsChange, CountedBefore
from app.domain.planning.indexed.chosen import chosen_columns
from app.domain.planning.indexed.columns import KINDS, PlanColumns, path_keys
from app.domain.planning.indexed.counted import counted_columns
from app.domain.planning.indexed.facts import (
    Fact,
    PlanFacts,
)
from app.domain.planning.indexed.id_shapes import IdShapes
from app.domain.planning.indexed.operations import KeptReads, ReadOperations
from app.domain.planning.indexed.shared import Reader
from app.domain.planning.operations import Operation, is_context
from app.domain.planning.traits import Traits
from app.domain.ranking.formulas import Array, Positions
from app.domain.ranking.runs import Reached, are_among
from app.domain.reading.values import is_plain_word

_COMMON_SHARE, _COMMON_FROM = 0.5, 15
"""A word in more than this share of the paths of a server with at least that number of tools does not tell them apart."""
_MOST_KNOWN = 1024
"""Answers about nouns that are kept: more than a few goals ask for, and no more memory than a few operations take."""
_MOST_PARTS = 8
"""Groups of servers whose words stay counted: a number for each stem and a bit for each tool."""


class PlanIndex:
    """N tools in the order given; fixed once built.

    Args:
        tools: Those that can be called.
        position: Tool id -> its place.
        columns: What is known of them; read from the tools when None.
        fresh: The facts of those that were not counted together with the others.
        operations: The tools, read; made of them when None.
    """

    def __init__(
        self,
        tools: Sequence[Tool],
        *,
        position: Mapping[str, int] | None = None,
        columns: PlanColumns | None = None,
        fresh: Mapping[ToolId, PlanFacts] | None = None,
        operations: ReadOperations | None = None,
    ) -> None:
        self.position: Mapping[str, int] = (
            {tool.id: at for at, tool in enumerate(tools)} if position is None else position
        )
        paths = columns.paths if columns is not None else path_keys(tools, len(tools))
        operations = operations or ReadOperations.of_all(tools, paths)
        self.columns = columns if columns is not None else counted_columns(operations, paths)
        self._operations = operations
        self._fresh = fresh or {}
        kept = operations.kept
        self.operation: Callable[[int], Operation] = kept.whole.of(operations.whole)
        """A tool with its inputs and outputs; those asked for lately are kept."""
        self.traits: Reader[Traits] = kept.traits.of(_traits_reader(operations, self.columns))
        """Its traits, without the words that most paths of its server have."""
        self.form: Callable[[int], OperationForm] = kept.forms.of(
            _form_reader(self.operation, kept, self.columns)
        )
        """A tool's inputs as values see them."""
        self._parts: dict[frozenset[str], PlanIndex] = {}
        self._alone: dict[tuple[str, str], bool] = {}
        self._about: dict[tuple[str, frozenset[str], OperationKind], tuple[int, ...]] = {}

    def __len__(self) -> int:
        return self.columns.size

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools."""
        return self._operations.tools

    @property
    def servers(self) -> Sequence[str]:
        """Their servers, sorted."""
        return self.columns.servers

    def servers_at(self, positions: Positions) -> Sequence[str]:
        """The servers of the tools at some positions, sorted."""
        servers = self.servers
        return [servers[code] for code in np.unique(self.server_codes[positions]).tolist()]

    @property
    def server_codes(self) -> npt.NDArray[np.signedinteger]:
        """Per tool the place of its server in `servers`."""
        return self.columns.server_codes

    @property
    def id_shapes(self) -> IdShapes:
        """What ids look like on each server."""
        return self.columns.id_shapes

    def is_catalogue_verb(self, term: str) -> bool:
        """Whether a stem is the first word of a title, and names no resource."""
        return self.columns.is_catalogue_verb(term)

    def prepare(self) -> None:
        """Count now what is else counted by the first plan."""
        columns = self.columns
        _ = columns.states, columns.id_shapes, columns.resource_sizes
        _ = columns.named_servers
        columns.scores(())

    def changed(
        self, tools: Sequence[Tool], position: Mapping[str, int], origin: Positions
    ) -> "PlanIndex | None":
        """The index of a later generation; None where building it is no more work.

        It gives the plans of one that is built from the tools.

        Args:
            tools: The later ones.
            position: Tool id -> its place among them.
            origin: Where each stood before, -1 for one that is new or changed.
        """
        before = CountedBefore(self.columns, self._operations, self._fresh)
        found = ColumnsChange(before, tools, position, origin).columns()
        if found is None:
            return None
        columns, fresh = found
        operations = ReadOperations.of_all(tools, columns.paths, self._operations.kept)
        return PlanIndex(tools, position=position, columns=columns, fresh=fresh, operations=operations)

    def chosen(
        self,
        tools: Sequence[Tool],
        position: Mapping[str, int],
        at: Positions,
        now: NewPlaces,
        *,
        categories: AbstractSet[str] | None,
        as_seen: Callable[[Tool], Tool],
    ) -> "PlanIndex":
        """The index of some of the tools: it gives the plans of one that is built from them.

        Args:
            tools: They, as they are seen.
            position: Tool id -> its place among them.
            at: Where each stands among all, rising.
            now: Where each of all stands among them, -1 for one that is not seen.
            categories: Those that are seen of what tools are in; None: all.
            as_seen: A tool without what of it is hidden; itself where nothing is.
        """
        operations = self._operations.seen(tools, at, now, as_seen)
        columns = chosen_columns(self.columns, at, now, categories, operations.facts)
        return PlanIndex(tools, position=position, columns=columns, operations=operations)

    def within(self, servers: Collection[str]) -> "PlanIndex":
        """The same tools at the same positions, read and compared as if there were those of these servers alone.

        Whatever else the catalogue has makes no word known, and none more frequent.

        Args:
            servers: Different ones of the catalogue.
        """
        if len(servers) == len(self.servers):
            return self
        key = frozenset(servers)
        found = self._parts.pop(key, None)
        if found is None:
            found = copy(self)
            found.columns, found._parts = self.columns.within(key), {}
            found._alone, found._about = {}, {}
        self._parts[key] = found
        while len(self._parts) > _MOST_PARTS:
            # Another thread may have taken it out.
            self._parts.pop(next(iter(self._parts), key), None)
        return found

    def settled(self) -> "PlanIndex":
        """The same tools, counted together."""
        if not self._fresh and self.columns.texts.segments[0].at is None:
            return self
        columns = self.columns.settled()
        return PlanIndex(self.tools, position=self.position, columns=columns, operations=self._operations)

    def after(self, before: "PlanIndex") -> "PlanIndex":
        """The same index; tools that are as they were there need not be read again."""
        if self._operations.kept is before._operations.kept:
            return self
        operations = ReadOperations.of_all(self.tools, self.columns.paths, before._operations.kept)
        return PlanIndex(
            self.tools,
            position=self.position,
            columns=self.columns,
            fresh=self._fresh,
            operations=operations,
        )

    def coverage(self, at: int, terms: Sequence[str]) -> float:
        """Share of `terms`, each weighed by its rarity, that the texts of a tool hold; 0 to 1."""
        total = found = 0.0
        for term in dict.fromkeys(terms):
            idf = self.columns.idf(term)
            total += idf
            if self.columns.holds(term, at):
                found += idf
        return found / total if total else 0.0

    def holds(self, term: str, at: int) -> bool:
        """Whether the texts of a tool hold a stem."""
        return self.columns.holds(term, at)

    def of_server(self, server: str) -> Sequence[int]:
        """Positions of the tools of a server."""
        found: list[int] = np.flatnonzero(self.server_codes == self.columns.code(server)).tolist()
        return found

    def is_separate(self, servers: Collection[str], thing: str, part: str) -> bool:
        """Whether calls make a part of a thing that no call about the thing itself takes as an input.

        Args:
            servers: Where.
            thing: A noun.
            part: Another, or two words joined.
        """
        thing, part = stem(singular(thing)), stem(singular(part))
        making = self.columns.with_fact(Fact.MADE, part)
        if thing == part or not making.size:
            return False
        about = self.columns.with_fact(Fact.RESOURCE, thing)
        changing = about[self.columns.mutating[about]]
        taking = changing[are_among(changing, self.columns.with_fact(Fact.TAKES, part))]
        codes = self.server_codes
        return self._is_any_on(
            servers, np.setdiff1d(np.intersect1d(codes[making], codes[changing]), codes[taking])
        )

    def is_taken(self, servers: Collection[str], thing: str, name: str) -> bool:
        """Whether calls that change a thing have an input that is called so, or begins so (`Fact.BEGINS`).

        Args:
            servers: Where.
            thing: The stem of a noun.
            name: As `Fact.BEGINS` has it.
        """
        about = self.columns.with_fact(Fact.RESOURCE, thing)
        taking = about[are_among(about, self.columns.with_fact(Fact.BEGINS, name))]
        return self._is_any_on(servers, np.unique(self.server_codes[taking]))

    def is_state(self, servers: Collection[str], state: str) -> bool:
        """Whether calls can set a state, its stems joined by spaces: `trip approv`, of TRIP_APPROVED."""
        return self._is_any_on(
            servers, np.unique(self.server_codes[self.columns.with_fact(Fact.STATE, state)])
        )

    def is_thing(self, servers: Collection[str], noun: str) -> bool:
        """Whether calls of any of these servers are about what a stem names, alone or beside others."""
        codes = self.server_codes[self.columns.with_fact(Fact.RESOURCE, noun)]
        return self._is_any_on(servers, np.unique(codes))

    def written(self, noun: str) -> str:
        """A word of which this is the stem, in the singular, as a call that is about such things writes it; the stem without one."""
        for at in self.columns.with_fact(Fact.RESOURCE, noun)[:1].tolist():
            for word in self.operation(at).resource:
                for said in ("".join(words(word)), *words(word)):
                    if stem(singular(said)) == noun:
                        return singular(said)
        return noun

    def _is_any_on(self, servers: Collection[str], codes: Positions) -> bool:
        """Whether any of some codes is that of one of these servers."""
        if len(servers) == len(self.servers):
            return bool(codes.size)
        return not {*servers}.isdisjoint(self.servers[code] for code in codes.tolist())

    def is_resource(self, server: str, noun: str) -> bool:
        """Whether calls of a server are about what a stem names, alone: branches, besides rules of branches."""
        key = (server, noun)
        known = self._alone.get(key)
        if known is None:
            found = self.columns.on_server(Fact.RESOURCE, noun, server)
            if len(self._alone) >= _MOST_KNOWN:
                self._alone.clear()
            known = self._alone[key] = bool((self.columns.resource_sizes[found] == 1).any())
        return known

    def is_part_of_resource(self, server: str, noun: str) -> bool:
        """Whether calls of a server are about what a stem names, alone or beside others: IP addresses."""
        return bool(self.columns.on_server(Fact.RESOURCE, noun, server).size)

    def lists_of(self, server: str, resource: frozenset[str]) -> Sequence[int]:
        """Positions of a server's lists and searches of a resource, by its stems."""
        return self._of_kinds(server, resource, OperationKind.LIST)

    def creators_of(self, server: str, resource: frozenset[str]) -> Sequence[int]:
        """Positions of the calls of a server that make a resource, by its stems."""
        return self._of_kinds(server, resource, OperationKind.CREATE)

    def updates_of(self, server: str, resource: frozenset[str]) -> Sequence[int]:
        """Positions of the calls of a server that change a resource, by its stems."""
        return self._of_kinds(server, resource, OperationKind.UPDATE)

    def _of_kinds(self, server: str, resource: frozenset[str], kind: OperationKind) -> Sequence[int]:
        key = (server, resource, kind)
        known = self._about.get(key)
        if known is None:
            kinds = _LISTING if kind is OperationKind.LIST else _KIND_MASKS[kind]
            if len(self._about) >= _MOST_KNOWN:
                self._about.clear()
            known = self._about[key] = tuple(self._find_of_kinds(server, resource, kinds))
        return known

    def _find_of_kinds(
        self, server: str, resource: frozenset[str], kinds: npt.NDArray[np.bool_]
    ) -> Sequence[int]:
        columns = self.columns
        if resource:
            some, *others = (columns.on_server(Fact.RESOURCE, stem, server) for stem in resource)
            for other in others:
                some = some[are_among(some, other)]
        else:
            some = np.flatnonzero(columns.server_codes == columns.code(server))
        exactly = columns.resource_sizes[some] == len(resource)
        found: list[int] = some[exactly & kinds[columns.kinds[some]]].tolist()
        return found

    def has_patch(self, at: int) -> bool:
        """Whether the path of a tool can be patched."""
        return any(self.tools[other].method == "PATCH" for other in self._operations.on_path_of(at))

    def reading_of(self, at: int) -> int | None:
        """Position of the call that reads the one thing on the path of a tool; None without one, or where things are made there."""
        on_path = {self.tools[other].method: other for other in self._operations.on_path_of(at)}
        return None if "POST" in on_path else on_path.get("GET")

    def places(self, servers: Collection[str]) -> frozenset[str]:
        """Stems of what stands before parameters in the paths of these servers: (issu,) for `/issues/{number}`."""
        return self.columns.terms_on(Fact.PLACE, servers)

    def is_joined(self, word: str) -> bool:
        """Whether the catalogue has this stem of two words written together."""
        return self.columns.has_fact(Fact.WORD, word)

    def is_word(self, word: str) -> bool:
        """Whether names, paths, titles or inputs of the catalogue have a word, in the lower case."""
        long = ALIASES.get(word, (word,))
        return is_plain_word(word) or all(self.is_joined(stem(one)) for one in long)

    def text_scores(self, terms: Sequence[str]) -> Reached:
        """BM25F of every tool that holds one of these stems, each counted once."""
        return self.columns.scores(terms)

    def kind_fit(self, asked: OperationKind, *, at: Positions) -> Array:
        """How well the kind of each of these tools serves the asked one, 0 to 1."""
        fit = np.array([KIND_FIT[asked].get(kind, 0.0) for kind in KINDS], np.float64)
        return fit[self.columns.kinds[at]]

    def same_verb(self, classes: frozenset[int], *, at: Positions) -> Array:
        """1 where the verb of one of these tools means the same as one of these groups, else 0."""
        found = np.zeros(at.size, np.bool_)
        for number in classes:
            found |= are_among(at, self.columns.with_fact(Fact.CLASS, str(number)))
        return found.astype(np.float64)

    def resource_share(self, terms: Sequence[str], *, at: Positions) -> Array:
        """Share of the stems of the resource of each of these tools that are among `terms`."""
        found = np.zeros(at.size, np.float64)
        for term in dict.fromkeys(terms):
            holding = self.columns.with_fact(Fact.RESOURCE, term)
            holding = holding[are_among(holding, at)]
            found[at.searchsorted(holding)] += 1 / self.columns.resource_sizes[holding]
        return found

    def state_fit(self, terms: frozenset[str], verb: str, *, at: Positions) -> Array:
        """1 for a call among these that changes a state of these stems that the verb is part of, .5 where it is not; 0.6
        of that where it does not change what is there."""
        found = np.zeros(at.size, np.float64)
        for number, worth in self.columns.states.named(terms, verb).items():
            for holding in self.columns.facts.holding(Fact.STATE, np.array([number], np.int64))[0]:
                here = at.searchsorted(holding[are_among(holding, at)])
                found[here] = np.maximum(found[here], worth * _STATE_WORTHS[self.columns.kinds[at[here]]])
        return found

    def is_context(self, at: int, name: str) -> bool:
        """Whether most tools of the server require an input of this name (its words joined by spaces)."""
        return _is_context(self.columns, self.tools[at].server, name)


_LISTING = np.array([kind in LISTING_KINDS for kind in KINDS], np.bool_)
_KIND_MASKS = {
    wanted: np.array([kind is wanted for kind in KINDS], np.bool_)
    for wanted in (OperationKind.CREATE, OperationKind.UPDATE)
}
_STATE_WORTHS = np.array([1.0 if kind is OperationKind.UPDATE else 0.6 for kind in KINDS], np.float64)
"""A verb that names a state changes what is there rather than making it."""


def _is_context(columns: PlanColumns, server: str, name: str) -> bool:
    return name not in ID_WORDS and is_context(*columns.requiring(server, name))


def _traits_reader(operations: ReadOperations, columns: PlanColumns) -> Callable[[int], Traits]:
    def read(at: int) -> Traits:
        found = operations.kept.traits_of(operations.read(at))
        said_by_server = columns.common(
            found.tool.server, found.path_words, share=_COMMON_SHARE, least=_COMMON_FROM
        )
        if not said_by_server:
            return found
        return replace(found, path_words=found.path_words - said_by_server)

    return read


def _form_reader(
    operation: Callable[[int], Operation], kept: KeptReads, columns: PlanColumns
) -> Callable[[int], OperationForm]:
    # Holds not the index itself: one that does is never freed once the collector leaves it alone.
    def read(at: int) -> OperationForm:
        found = operation(at)
        server = found.tool.server
        names = {
            " ".join(words(item.name)) for item in found.inputs if item.required and len(item.pointer) == 1
        }
        return kept.form_of(
            found,
            frozenset(name for name in names if _is_context(columns, server, name)),
            in_cents=bool(columns.on_server(Fact.CENTS, Fact.CENTS.name, server).size),
        )

    return read
