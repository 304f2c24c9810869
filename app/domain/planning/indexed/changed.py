"""What a catalogue is known by, carried over to its next generation."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from app.domain.language.text import stem
from app.domain.nodes.models import Tool, ToolId
from app.domain.planning.indexed.columns import Counting, PlanColumns, path_keys
from app.domain.planning.indexed.facts import NAMING, Fact, PlanFacts, word_parts
from app.domain.planning.indexed.operations import ReadOperations
from app.domain.ranking.formulas import Positions
from app.domain.ranking.runs import are_among
from app.domain.ranking.segments import FieldCounts
from app.domain.ranking.views import DocumentView

T = TypeVar("T", bound=np.generic)
MOST_CHANGED = 0.1
"""Share of the tools that may stand beside those that were counted together; beyond it all are counted again."""
_FEWEST = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class CountedBefore:
    """What the generation before is known by."""

    columns: PlanColumns
    operations: ReadOperations
    fresh: Mapping[ToolId, PlanFacts]
    """The facts of those that were not counted together with the others."""


class ColumnsChange:
    """Takes the tools of a later generation into an index."""

    def __init__(
        self, before: CountedBefore, tools: Sequence[Tool], position: Mapping[str, int], origin: Positions
    ) -> None:
        self._before = before
        self._old = before.columns
        self._position = position
        self._origin = origin
        self._touched: list[int] = np.flatnonzero(origin < 0).tolist()
        stayed = np.zeros(before.columns.size, np.bool_)
        stayed[origin[origin >= 0]] = True
        self._gone: list[int] = np.flatnonzero(~stayed).tolist()
        paths = np.zeros(origin.size, np.uint64)
        paths[origin >= 0] = self._old.paths[origin[origin >= 0]]
        paths[self._touched] = path_keys((tools[at] for at in self._touched), len(self._touched))
        self._operations = ReadOperations.of_all(tools, paths)
        self._paths = paths

    def columns(self) -> tuple[PlanColumns, Mapping[ToolId, PlanFacts]] | None:
        """The later columns, and the facts of what was not counted together with the rest; None where that is too much."""
        most = max(_FEWEST, MOST_CHANGED * len(self._operations.tools))
        if len(self._touched) > most:
            return None
        again = self._on_touched_paths()
        if len(again) > most:
            return None
        fresh = self._still_fresh(again)
        fresh |= {self._operations.tools[at].id: self._operations.facts(at) for at in again}
        counted = self._counted(fresh)
        facts = self._facts(counted)
        entering = self._entering(again, fresh, facts)
        if entering:
            more = self._with_other_parts(entering, facts)
            if len(fresh) + len(more) > most:
                return None
            ids = {at: self._operations.tools[at].id for at in more}
            added = {one: self._operations.facts(at) for at, one in ids.items() if one not in fresh}
            if added:
                fresh |= added
                counted = self._counted(fresh)
                facts = self._facts(counted)
        if len(fresh) > most:
            return None
        return self._with(fresh, facts, counted)

    def _on_touched_paths(self) -> list[int]:
        """Tools that are new, changed, or share their path with one that is, or was."""
        before, now = self._old.paths, self._paths
        keys = {*before[self._gone].tolist(), *now[self._touched].tolist()} - {0}
        beside = np.flatnonzero(np.isin(now, np.fromiter(keys, np.uint64, len(keys)))).tolist()
        return sorted({*self._touched, *beside})

    def _still_fresh(self, again: Sequence[int]) -> dict[ToolId, PlanFacts]:
        tools = self._operations.tools
        left = {tools[at].id for at in again}
        return {
            tool: facts
            for tool, facts in self._before.fresh.items()
            if tool not in left and tool in self._position
        }

    def _places(self, fresh: Mapping[ToolId, PlanFacts]) -> tuple[Positions, list[PlanFacts]]:
        """Where the fresh ones stand, rising, and the facts of each."""
        placed = sorted((self._position[tool], tool) for tool in fresh)
        return np.array([at for at, _ in placed], np.intp), [fresh[tool] for _, tool in placed]

    def _still_at(self, new_at: Positions) -> Positions:
        """Where each document of the first segment stands now, -1 for one that is gone or counted again."""
        now = np.full(self._before.columns.size, -1, np.intp)
        kept = np.flatnonzero(self._origin >= 0)
        kept = kept[~are_among(kept, new_at)]
        now[self._origin[kept]] = kept
        at = self._old.facts.segments[0].at
        if at is None:
            return now
        still = np.full(at.size, -1, np.intp)
        there = at >= 0
        still[there] = now[at[there]]
        return still

    def _counting(self, facts: Iterable[PlanFacts]) -> Counting:
        counting = Counting(self._old.words, self._old.written, self._old.category_lists)
        for one in facts:
            counting.add(one)
        return counting

    def _counted(self, fresh: Mapping[ToolId, PlanFacts]) -> tuple[Positions, Counting]:
        """Where the fresh ones stand, rising, and what they say."""
        new_at, facts = self._places(fresh)
        return new_at, self._counting(facts)

    def _facts(self, counted: tuple[Positions, Counting]) -> DocumentView:
        new_at, counting = counted
        counts: FieldCounts = counting.facts()
        return self._old.facts.changed(self._still_at(new_at), counts, new_at, size=self._origin.size)

    def _words_of(self, facts: DocumentView) -> Callable[[str], bool]:
        """Whether any tool has a word, by the facts of all."""
        has = replace(self._old, facts=facts)
        memory: dict[str, bool] = {}

        def is_known(word: str) -> bool:
            if word not in memory:
                memory[word] = has.has_fact(Fact.WORD, word)
            return memory[word]

        return is_known

    def _entering(
        self, again: Sequence[int], fresh: Mapping[ToolId, PlanFacts], facts: DocumentView
    ) -> frozenset[str]:
        """Words that the catalogue has now and had not, or had and has not."""
        tools, before = self._operations.tools, self._before
        said: set[str] = set()
        for at in self._gone:
            tool = before.operations.tools[at]
            known = before.fresh.get(tool.id) or before.operations.facts(at)
            said.update(known.facts[Fact.WORD])
        for at in again:
            said.update(fresh[tools[at].id].facts[Fact.WORD])
        had, has = (replace(self._old, facts=one) for one in (self._old.facts, facts))
        return frozenset(
            word for word in said if had.has_fact(Fact.WORD, word) != has.has_fact(Fact.WORD, word)
        )

    def _with_other_parts(self, entering: frozenset[str], facts: DocumentView) -> list[int]:
        """Tools with a word in their name or path that is read as other parts than before."""
        is_known = self._words_of(facts)

        def was_known(word: str) -> bool:
            return is_known(word) != (word in entering)

        found: set[int] = set()
        now = np.full(self._before.columns.size, -1, np.intp)
        kept = np.flatnonzero(self._origin >= 0)
        now[self._origin[kept]] = kept
        for word in self._old.written:
            if any(one in entering for one in _halves_of(word)) and (
                word_parts(word, is_known) != word_parts(word, was_known)
            ):
                number = self._old.words.get(stem(word))
                if number is None:
                    continue
                for field in NAMING:
                    for run in self._old.texts.holding(field, np.array([number], np.int64))[0]:
                        found.update(at for at in now[run].tolist() if at >= 0)
        return sorted(found)

    def _with(
        self, fresh: Mapping[ToolId, PlanFacts], facts: DocumentView, counted: tuple[Positions, Counting]
    ) -> tuple[PlanColumns, Mapping[ToolId, PlanFacts]]:
        old = self._old
        new_at, counting = counted
        texts = counting.texts(self._words_of(facts))
        stayed = self._origin >= 0

        def column(before: npt.NDArray[T], now: npt.NDArray[T]) -> npt.NDArray[T]:
            found = np.zeros(self._origin.size, before.dtype)
            found[stayed] = before[self._origin[stayed]]
            found[new_at] = now
            return found

        servers, codes = self._servers()
        columns = replace(
            old,
            texts=old.texts.changed(self._still_at(new_at), texts, new_at, size=self._origin.size),
            facts=facts,
            servers=servers,
            server_codes=codes,
            kinds=column(old.kinds, counting.kinds),
            mutating=column(old.mutating, counting.mutating),
            paths=self._paths,
            naming=old.naming.changed(
                self._still_at(new_at), counting.naming(), new_at, size=self._origin.size
            ),
            category_lists=counting.lists,
            listed=column(old.listed, counting.listed),
            lends=column(old.lends, counting.lends),
        )
        columns.keep_states(old)
        return columns, fresh

    def _servers(self) -> tuple[tuple[str, ...], npt.NDArray[np.int32]]:
        old, tools = self._old, self._operations.tools
        own = [tools[at].server for at in self._touched]
        stayed = self._origin >= 0
        codes = np.zeros(self._origin.size, np.int32)
        codes[stayed] = old.server_codes[self._origin[stayed]]
        sizes = np.bincount(codes[stayed], minlength=len(old.servers))
        there = {server for server, size in zip(old.servers, sizes.tolist(), strict=True) if size} | {*own}
        if there == {*old.servers}:
            servers = old.servers
        else:
            servers = tuple(sorted(there))
            place = {server: code for code, server in enumerate(servers)}
            moved = np.array([place.get(server, 0) for server in old.servers], np.int32)
            codes[stayed] = moved[codes[stayed]]
        place = {server: code for code, server in enumerate(servers)}
        codes[self._touched] = [place[server] for server in own]
        return servers, codes


def _halves_of(word: str) -> Iterator[str]:
    """Stems of every first and every second half of a word."""
    for at in range(3, len(word) - 2):
        yield stem(word[:at])
        yield stem(word[at:])
