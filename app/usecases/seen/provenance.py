"""Which source provides which node, of one generation: what rules select by."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

from app.domain.changes import CatalogueChanges
from app.domain.nodes.models import GraphState, NodeKind, Provision, Source, SourceId

COMMON_SOURCE: Final = "common:"
"""What ids of sources that ship with Outfitter begin with; they are granted to all."""


class ProvenanceReader(Protocol):
    """The part of the graph that is asked."""

    def state(self) -> GraphState:
        """Generation, whether an ingest is at work."""

    def sources(self) -> list[Source]:
        """All sources, by id."""

    def unhealthy_sources(self) -> list[Source]:
        """Those that could not be read the last time, by id."""

    def provisions(self, sources: list[SourceId]) -> list[Provision]:
        """What these sources provide, by kind and id."""

    def providers(self, kind: NodeKind, ids: list[str]) -> list[Provision]:
        """Every provision of these nodes, whichever source."""

    def changes(self, since: int, *, stamp: str) -> CatalogueChanges | None:
        """What was touched after a generation; None when the graph cannot say."""


@dataclass(frozen=True, slots=True)
class Provided:
    """That a source provides a node."""

    source: str
    declares: bool


@dataclass(frozen=True, eq=False)
class Provenance:
    """Who provides what."""

    generation: int
    stamp: str
    sources: frozenset[str]
    providers: Mapping[tuple[NodeKind, str], tuple[Provided, ...]]
    changed: frozenset[str] | None = None
    """Ids of the tools that may not be as they were in the one that it was read after; None: all."""

    @cached_property
    def taxonomies(self) -> Mapping[str, tuple[str, ...]]:
        """Of each tool that a taxonomy says something of, which ones do."""
        found = {}
        for (kind, node_id), provided in self.providers.items():
            if kind is NodeKind.TOOL:
                some = tuple(one.source for one in provided if is_taxonomy(one.source))
                if some:
                    found[node_id] = some
        return found

    def of(self, kind: NodeKind, node_id: str) -> tuple[Provided, ...]:
        """Who provides a node."""
        return self.providers.get((kind, node_id), ())

    def owners(self, kind: NodeKind, node_id: str) -> list[str]:
        """The sources that describe a node; of one that nobody describes those that name it."""
        found = self.of(kind, node_id)
        return [one.source for one in found if not one.declares] or [one.source for one in found]


def is_taxonomy(source: str) -> bool:
    """Whether a source is a taxonomy, by its id."""
    return source.startswith("taxonomy:")


def read_provenance(reader: ProvenanceReader, before: Provenance | None) -> Provenance | None:
    """Who provides what now, read by id where the graph says what has changed; None while it is written.

    Raises:
        StoreUnavailableError: the graph does not answer.
    """
    state = reader.state()
    if state.writing and before is not None:
        return None
    sources = [one.id for one in reader.sources()]
    changes = reader.changes(before.generation, stamp=before.stamp) if before is not None else None
    if before is None or changes is None:
        providers = _grouped(reader.provisions(sources))
    else:
        kept = dict(before.providers)
        for kind, ids in changes.ids.items():
            for one in ids:
                kept.pop((kind, one), None)
            kept |= _grouped(reader.providers(kind, sorted(ids)))
        # A generator is a tool as well where it is looked up by its id.
        generators = [node_id for kind, node_id in kept if kind is NodeKind.GENERATOR]
        for one in generators:
            kept.pop((NodeKind.TOOL, one), None)
        providers = kept
    after = reader.state()
    if (after.generation, after.stamp) != (state.generation, state.stamp):
        return None
    changed = None if changes is None else changes.of(NodeKind.TOOL)
    return Provenance(state.generation, state.stamp, frozenset(map(str, sources)), providers, changed)


def _grouped(provisions: Iterable[Provision]) -> dict[tuple[NodeKind, str], tuple[Provided, ...]]:
    found: defaultdict[tuple[NodeKind, str], list[Provided]] = defaultdict(list)
    for one in provisions:
        found[one.kind, one.id].append(Provided(str(one.source), one.declares))
    return {key: tuple(group) for key, group in found.items()}
