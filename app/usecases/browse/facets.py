"""How many tools there are of each server and category, and with each mark."""

import heapq
from collections.abc import Iterable

import numpy as np

from app.answers.browse import FacetsAnswer, FacetValue
from app.domain.ranking.formulas import NO_SERVER, Mask, Positions
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.views import CatalogueView


def facets(*, limit: int, index: SearchIndex, view: CatalogueView) -> FacetsAnswer:
    """Numbers of visible tools; servers and categories without one are left out, the largest come first."""
    seen = np.ones(len(index.catalogue.tools), np.bool_) if view.visible is None else view.visible
    sizes = np.bincount(view.server_of[seen & (view.server_of != NO_SERVER)], minlength=len(index.servers))
    names = {category.id: category.name for category in index.catalogue.categories}
    servers, servers_total = _largest(
        ((name, name, int(sizes[number])) for name, number in index.servers.items()), limit
    )
    categories, categories_total = _largest(
        (
            (category, names.get(category) or category, _count(seen, tools))
            for category, tools in index.categories.items()
        ),
        limit,
    )
    listing = index.listing
    return FacetsAnswer(
        tools=int(np.count_nonzero(seen)),
        servers=servers,
        servers_total=servers_total,
        categories=categories,
        categories_total=categories_total,
        read_only=_count(seen, np.flatnonzero(index.read_only)),
        declared=_count(seen, np.flatnonzero(listing.declared)),
        deprecated=_count(seen, np.flatnonzero(listing.deprecated)),
        generation=index.generation,
    )


def _count(seen: Mask, tools: Positions) -> int:
    return int(np.count_nonzero(seen[tools]))


def _largest(found: Iterable[tuple[str, str, int]], limit: int) -> tuple[tuple[FacetValue, ...], int]:
    """The first, and how many there are: a catalogue may have thousands of servers."""
    ranked = [(-tools, value, name) for value, name, tools in found if tools]
    largest = heapq.nsmallest(limit, ranked)
    return tuple(FacetValue(value, name, -tools) for tools, value, name in largest), len(ranked)
