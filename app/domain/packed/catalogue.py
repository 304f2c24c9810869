"""A catalogue in a few large arrays: tools and requirements are read from them one by one, when they are asked for."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby
from typing import TypeVar, overload

import numpy as np
from pydantic import BaseModel, ConfigDict, TypeAdapter

from app.domain.catalogue import Catalogue
from app.domain.nodes.dependencies import Precedence, Requirement
from app.domain.nodes.models import Category, Concept, Generator, Method, Template, Tool
from app.domain.packed.sequences import Patched, ReadSequence
from app.domain.packed.texts import PackedTexts
from app.domain.workflows.stored import Workflow

V = TypeVar("V")
_TOOLS_KEPT = 4096
"""Tools that stay read."""
_GROUPS_KEPT = 4096
_PLACES_KEPT = 1 << 15
"""Ids whose places stay known: what the graph's channel leads to, of request after request."""
_REQUIREMENTS = TypeAdapter(tuple[Requirement, ...])


class PackedTools(ReadSequence[Tool]):
    """Tools, each as JSON, sorted by id.

    Args:
        ids: Of each.
        records: All of each.
    """

    def __init__(self, ids: PackedTexts, records: PackedTexts) -> None:
        self.ids = ids
        self.records = records
        self._read: Callable[[int], Tool] = lru_cache(maxsize=_TOOLS_KEPT)(_tool_reader(records))

    @classmethod
    def of(cls, tools: Sequence[Tool]) -> "PackedTools":
        """Pack some, sorted by id; those that are packed already are not read."""
        if isinstance(tools, PackedTools):
            return tools
        if isinstance(tools, Patched) and isinstance(tools.base, PackedTools):
            fresh = cls.of(tools.fresh)
            both = (tools.base.ids, fresh.ids), (tools.base.records, fresh.records)
            return cls(*(PackedTexts.taken(base, tools.at, more) for base, more in both))
        ids: list[str] = []

        def records() -> Iterator[bytes]:
            for tool in tools:
                ids.append(tool.id)
                yield tool.model_dump_json().encode()

        packed = PackedTexts.of_bytes(records())
        return cls(PackedTexts.of(ids), packed)

    def __len__(self) -> int:
        return len(self.ids)

    def read(self, at: int) -> Tool:
        """The tool at a place."""
        return self._read(at)


def _tool_reader(records: PackedTexts) -> Callable[[int], Tool]:
    return lambda at: Tool.model_validate_json(bytes(records.raw(at)))


class PositionsOfIds(Mapping[str, int]):
    """Key -> its place among keys that rise; those found lately are kept."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = keys
        self._place = _place_finder(keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __getitem__(self, key: str) -> int:
        found = self._place(key)
        if found is None:
            raise KeyError(key)
        return found


def _place_finder(keys: Sequence[str]) -> Callable[[str], int | None]:
    # Not a method: a cache of one holds its object, and an index is large.
    def place(key: str) -> int | None:
        found = bisect_left(keys, key)
        return found if found < len(keys) and keys[found] == key else None

    return lru_cache(maxsize=_PLACES_KEPT)(place)


class GroupedRequirements(Sequence[Requirement]):
    """Requirements by consumer, parameter and rank, in groups of one consumer.

    Args:
        consumers: Those that have any, sorted.
        groups: Of each its requirements, as JSON.
        changed: Consumers whose requirements are others now; none, where the group is empty.
    """

    def __init__(
        self,
        consumers: PackedTexts,
        groups: PackedTexts,
        changed: Mapping[str, tuple[Requirement, ...]] | None = None,
    ) -> None:
        self.consumers = consumers
        self.groups = groups
        self.by_consumer = ByConsumer(consumers, groups, changed or {})

    @classmethod
    def of(cls, requirements: Iterable[Requirement]) -> "GroupedRequirements":
        """Pack some, sorted; those that are packed already are not read."""
        if isinstance(requirements, GroupedRequirements):
            return requirements._packed()
        consumers: list[str] = []

        def groups() -> Iterator[bytes]:
            for consumer, group in groupby(requirements, key=lambda edge: edge.consumer):
                consumers.append(consumer)
                yield _REQUIREMENTS.dump_json(tuple(group))

        packed = PackedTexts.of_bytes(groups())
        return cls(PackedTexts.of(consumers), packed)

    def _packed(self) -> "GroupedRequirements":
        """The same, with what changed among the others."""
        changed = self.by_consumer.changed
        if not changed:
            return self
        consumers = list(self.by_consumer)

        def groups() -> Iterator[bytes]:
            for consumer in consumers:
                if consumer in changed:
                    yield _REQUIREMENTS.dump_json(changed[consumer])
                else:
                    yield bytes(self.groups.raw(bisect_left(self.consumers, consumer)))

        packed = PackedTexts.of_bytes(groups())
        return GroupedRequirements(PackedTexts.of(consumers), packed)

    def with_changed(self, changed: Mapping[str, tuple[Requirement, ...]]) -> "GroupedRequirements":
        """With other requirements of these consumers."""
        return GroupedRequirements(self.consumers, self.groups, {**self.by_consumer.changed, **changed})

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Requirement]:
        return chain.from_iterable(self.by_consumer[one] for one in self.by_consumer)

    @overload
    def __getitem__(self, at: int) -> Requirement: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Requirement]: ...
    def __getitem__(self, at: int | slice) -> Requirement | Sequence[Requirement]:
        return tuple(self)[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


class ByConsumer(Mapping[str, tuple[Requirement, ...]]):
    """`Catalogue.requirements_of`, read one by one; arguments as for `GroupedRequirements`."""

    def __init__(
        self,
        consumers: PackedTexts,
        groups: PackedTexts,
        changed: Mapping[str, tuple[Requirement, ...]],
    ) -> None:
        self.changed = changed
        self._place = PositionsOfIds(consumers)
        self._read: Callable[[int], tuple[Requirement, ...]] = lru_cache(maxsize=_GROUPS_KEPT)(
            lambda at: _REQUIREMENTS.validate_json(bytes(groups.raw(at)))
        )

    def __getitem__(self, consumer: str) -> tuple[Requirement, ...]:
        found = self.changed.get(consumer)
        if found is None:
            found = self._read(self._place[consumer])
        if not found:
            raise KeyError(consumer)
        return found

    def __iter__(self) -> Iterator[str]:
        if not self.changed:
            return iter(self._place)
        return iter(sorted({one for one in {*self._place, *self.changed} if self.changed.get(one, True)}))

    def __len__(self) -> int:
        return len(self._place) if not self.changed else sum(1 for _ in self)


class Taxonomy(BaseModel):
    """What of a catalogue is neither tool nor requirement: little, and read at once."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    generation: int
    stamp: str
    methods: tuple[Method, ...]
    templates: tuple[Template, ...]
    concepts: tuple[Concept, ...]
    generators: tuple[Generator, ...]
    categories: tuple[Category, ...]
    precedences: tuple[Precedence, ...]
    workflows: tuple[Workflow, ...]


@dataclass(frozen=True)
class PackedCatalogue:
    """The parts of a catalogue."""

    tools: PackedTools
    requirements: GroupedRequirements
    rest: Taxonomy

    @classmethod
    def of(cls, catalogue: Catalogue) -> "PackedCatalogue":
        """Pack one."""
        fields = {name: getattr(catalogue, name) for name in Taxonomy.model_fields}
        return cls(
            PackedTools.of(catalogue.tools),
            GroupedRequirements.of(catalogue.requirements),
            Taxonomy.model_construct(**fields),
        )

    def catalogue(self) -> Catalogue:
        """The catalogue, read where it is asked for."""
        rest = {name: getattr(self.rest, name) for name in Taxonomy.model_fields}
        return Catalogue(tools=self.tools, requirements=self.requirements, **rest)


def ids_of(tools: Sequence[Tool]) -> Sequence[str]:
    """The ids of tools, of packed ones without reading them."""
    if isinstance(tools, PackedTools):
        return tools.ids
    if isinstance(tools, Patched) and isinstance(tools.base, PackedTools):
        return Patched(tools.base.ids, tools.at, [one.id for one in tools.fresh])
    return [one.id for one in tools]


def spliced(values: Sequence[V], keys: Sequence[str], changed: Mapping[str, Sequence[V]]) -> Sequence[V]:
    """Values whose keys rise, with others in place of those of the changed keys."""
    parts: list[np.ndarray[tuple[int], np.dtype[np.intp]]] = []
    fresh: list[V] = []
    begin = 0
    for key in sorted(changed):
        at = bisect_left(keys, key, lo=begin)
        parts.append(np.arange(begin, at))
        fresh += changed[key]
        parts.append(np.full(len(changed[key]), -1, np.intp))
        begin = at + (at < len(keys) and keys[at] == key)
    parts.append(np.arange(begin, len(keys)))
    return Patched.taken(values, np.concatenate(parts), fresh)
