"""The index of a later generation from an earlier one: work for what changed, not for what stayed."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from app.domain.catalogue import Catalogue
from app.domain.changes import CataloguePart, with_part
from app.domain.nodes.models import NodeKind
from app.domain.packed.catalogue import PositionsOfIds, ids_of
from app.domain.ranking.formulas import NO_SERVER, Positions
from app.usecases.index.analyses import Analyses, Analysis, analyse_part
from app.usecases.index.counts import count_tool_fields, count_tool_texts
from app.usecases.index.facts import taken
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.views import CatalogueView, ReferenceViews
from app.usecases.index.whole import (
    SmallViews,
    categories_of,
    cover_of,
    methods_of_tools,
    small_views,
    with_methods_of,
    with_methods_texts,
)

MOST_CHANGED = 0.1
"""Share of the tools beyond which all are counted together again: the second segment is counted at each change."""
_FEWEST = 2_000


def changed_index(index: SearchIndex, part: CataloguePart) -> SearchIndex | None:
    """The index at the part's generation; None where building it is no more work, or what is counted changes.

    What its answers come from is of the later generation, but that weights of words in tools that stayed were computed
    with the mean lengths of fields then; `SearchIndex.build` brings them up to date. A narrowed view computes weights
    with the means of now: its answers are those of an index built from its catalogue, to the last digit.
    """
    catalogue = with_part(index.catalogue, part)
    touched = sorted(part.changes.of(NodeKind.TOOL))
    if len(touched) > max(_FEWEST, MOST_CHANGED * len(catalogue.tools)):
        return None
    positions = _positions(index, catalogue, touched)
    new = sorted(positions[tool] for tool in touched if tool in positions)
    origin = _origin(index, catalogue, touched, new)
    stayed = _same(index, catalogue, positions, touched, origin)
    only_tools = _only_tools(part)
    analyses, facts = analyse_part(catalogue, index.analyses, origin=origin, only_tools=only_tools)
    of_methods = methods_of_tools(catalogue, positions)
    if bool(of_methods.nnz) != bool(index.of_methods.nnz):
        return None
    counted_before = origin.copy()
    if not only_tools:
        for tool in _tools_of_changed(index, analyses):
            if tool in positions:
                counted_before[positions[tool]] = -1
    now = _now(index, origin)
    at = _still_at(index, now if only_tools else _now(index, counted_before))
    size = len(catalogue.tools)
    covered = np.zeros(size, np.bool_)
    covered[at[at >= 0]] = True
    new_at = np.flatnonzero(~covered)
    if new_at.size > max(_FEWEST, MOST_CHANGED * size):
        return None

    terms = len(analyses.vocabulary)
    texts = with_methods_texts(analyses)
    counted = [analyses.tools[position] for position in new_at.tolist()]
    counts = count_tool_fields(
        counted,
        texts,
        of_methods[new_at],
        fields=index.recipe.tool_fields,
        method_fields=index.recipe.method_fields_of_tool,
        terms=terms,
        with_methods=bool(of_methods.nnz),
    )
    reference = count_tool_texts(counted, texts, of_methods[new_at], terms=terms)
    whole = index.whole
    small = _unchanged(whole) if only_tools else small_views(analyses, index.recipe)
    names = [
        f"{catalogue.tools[position].name} {catalogue.tools[position].title}" for position in new_at.tolist()
    ]
    tools = whole.tools.changed(at, counts, new_at, size=size)
    reference_tools = whole.reference.tools.changed(at, reference, new_at, size=size)
    reads_only = [catalogue.tools[at].read_only is True for at in new]
    declared = [catalogue.tools[at].declared for at in new]
    servers, server_of = _servers(index, catalogue, origin, new)
    later = SearchIndex(
        catalogue=catalogue,
        recipe=index.recipe,
        analyses=analyses,
        whole=CatalogueView(
            tools=tools,
            methods=small.methods,
            common=small.common,
            templates=small.templates,
            concepts=small.concepts,
            reference=ReferenceViews(reference_tools, small.reference_methods, small.reference_templates),
            cover=cover_of(tools, analyses, index.recipe),
            server_of=server_of,
            with_methods=with_methods_of(catalogue, of_methods),
            definition_bytes=taken(whole.definition_bytes, origin, [one.definition_bytes for one in facts]),
        ),
        acts=index.acts.taken(origin, [one.acts for one in facts], index.recipe),
        objects=index.objects.taken(origin, [one.object for one in facts]),
        resources=index.resources.taken(origin, [one.resource for one in facts]),
        positions=positions,
        of_methods=of_methods,
        servers=servers,
        categories=_categories(index, catalogue, positions, of_methods, origin, now, part),
        read_only=taken(index.read_only, origin, reads_only),
        declared=taken(index.declared, origin, declared),
        names=index.names.changed(at, names, new_at, size=size),
        meaning=index.meaning.later(origin),
    )
    later.take_suggested(
        index.suggested.later(catalogue.method_by_id, positions, _places_now(index, positions, touched, now))
    )
    return later if _with_plan_index(later, index, stayed) else None


def _places_now(
    index: SearchIndex, positions: Mapping[str, int], touched: Sequence[str], now: Positions
) -> Positions:
    """Where each tool of before stands now, changed or not; -1 for one that is gone."""
    places = now.copy()
    for tool in touched:
        if tool in positions and tool in index.positions:
            places[index.positions[tool]] = positions[tool]
    return places


def _with_plan_index(later: SearchIndex, index: SearchIndex, stayed: Positions) -> bool:
    """Give the planner's index to a later one where the earlier has one; whether that is less work than to build it."""
    if not index.has_plan_index:
        return True
    # Where each tool that can be called stood among those.
    origin = stayed[later.callable_at]
    place = np.full(index.declared.size + 1, -1, np.intp)
    place[index.callable_at] = np.arange(index.callable_at.size)
    origin = place[origin]
    if origin.size == index.callable_at.size and bool((origin == np.arange(origin.size)).all()):
        later.take_plan_index(index.plan_index)
        return True
    found = index.plan_index.changed(later.callable_tools, later.callable_positions, origin)
    if found is not None:
        later.take_plan_index(found)
    return found is not None


def _same(
    index: SearchIndex,
    catalogue: Catalogue,
    positions: Mapping[str, int],
    touched: Sequence[str],
    origin: Positions,
) -> Positions:
    """Where each tool stood before, -1 for one that differs: one that only has another edge is the same."""
    same = origin.copy()
    for tool in touched:
        now, before = positions.get(tool), index.positions.get(tool)
        if now is not None and before is not None and catalogue.tools[now] == index.catalogue.tools[before]:
            same[now] = before
    return same


def _unchanged(whole: CatalogueView) -> SmallViews:
    reference = whole.reference
    return SmallViews(
        whole.methods,
        whole.common,
        whole.templates,
        whole.concepts,
        reference.methods,
        reference.templates,
    )


def _only_tools(part: CataloguePart) -> bool:
    """Whether nothing of a taxonomy was touched."""
    kinds = (NodeKind.METHOD, NodeKind.TEMPLATE, NodeKind.CONCEPT, NodeKind.GENERATOR)
    return not any(part.changes.of(kind) for kind in kinds)


def _positions(index: SearchIndex, catalogue: Catalogue, touched: Sequence[str]) -> Mapping[str, int]:
    """`SearchIndex.positions` of the later generation."""
    if not isinstance(index.positions, dict):
        return PositionsOfIds(ids_of(catalogue.tools))
    ids, are_same = list(index.positions), True
    for tool in touched:
        place = bisect_left(catalogue.tools, tool, key=lambda one: one.id)
        is_there = place < len(catalogue.tools) and catalogue.tools[place].id == tool
        if is_there == (tool in index.positions):
            continue
        # Ids are sorted, too.
        before, are_same = bisect_left(ids, tool), False
        if is_there:
            ids.insert(before, tool)
        else:
            del ids[before]
    return index.positions if are_same else dict(zip(ids, range(len(ids)), strict=True))


def _origin(
    index: SearchIndex, catalogue: Catalogue, touched: Sequence[str], new: Sequence[int]
) -> Positions:
    """Where each tool stood before, -1 for one that is new or was touched."""
    gone = [index.positions[tool] for tool in touched if tool in index.positions]
    origin = np.full(len(catalogue.tools), -1, np.intp)
    stayed = np.ones(origin.size, np.bool_)
    stayed[new] = False
    origin[stayed] = np.delete(np.arange(len(index.catalogue.tools)), gone)
    return origin


def _servers(
    index: SearchIndex, catalogue: Catalogue, origin: Positions, changed: Sequence[int]
) -> tuple[Mapping[str, int], Positions]:
    """The number of each server, which it keeps, and of each tool's."""
    servers = dict(index.servers)
    for at in changed:
        if server := catalogue.tools[at].server:
            servers.setdefault(server, max(servers.values(), default=-1) + 1)
    numbers = [servers.get(catalogue.tools[at].server, NO_SERVER) for at in changed]
    server_of = taken(index.whole.server_of, origin, numbers)
    sizes = np.bincount(server_of[server_of != NO_SERVER], minlength=max(servers.values(), default=-1) + 1)
    return {server: number for server, number in servers.items() if sizes[number]}, server_of


def _categories(
    index: SearchIndex,
    catalogue: Catalogue,
    positions: Mapping[str, int],
    of_methods: sp.csr_matrix,
    origin: Positions,
    now: Positions,
    part: CataloguePart,
) -> Mapping[str, Positions]:
    """`whole.categories_of`, from what it was where no method and no category was touched."""
    if part.changes.of(NodeKind.METHOD) or part.changes.of(NodeKind.CATEGORY):
        return categories_of(catalogue, positions)
    added: defaultdict[str, list[int]] = defaultdict(list)
    for at in np.flatnonzero(origin < 0).tolist():
        row = of_methods.indices[of_methods.indptr[at] : of_methods.indptr[at + 1]].tolist()
        implemented = [
            catalogue.methods[number].category for number in row if number < len(catalogue.methods)
        ]
        for category in {*catalogue.tools[at].categories, *filter(None, implemented)}:
            added[category].append(at)
    stated = {category.id for category in catalogue.categories}
    members = {}
    for category in index.categories.keys() | added.keys():
        moved = now[index.categories[category]] if category in index.categories else np.empty(0, np.intp)
        found = np.sort(np.append(moved[moved >= 0], added[category]).astype(np.intp))
        if found.size or category in stated:
            members[category] = found
    return members


def _now(index: SearchIndex, origin: Positions) -> Positions:
    """Where each tool of before stands now, -1 for one that is gone or changed."""
    now = np.full(len(index.catalogue.tools), -1, np.intp)
    kept = np.flatnonzero(origin >= 0)
    now[origin[kept]] = kept
    return now


def _tools_of_changed(index: SearchIndex, analyses: Analyses) -> Iterable[str]:
    """Tools whose document has or had the texts of a method or generator that changed."""
    for method in _changed(index.analyses.methods, analyses.methods):
        yield from method.node.implements
    for generator in _changed(index.analyses.generators, analyses.generators):
        yield generator.node.tool


def _changed(old: Sequence[Analysis[Any]], new: Sequence[Analysis[Any]]) -> list[Analysis[Any]]:
    both = {id(one) for one in old} & {id(one) for one in new}
    return [one for one in (*old, *new) if id(one) not in both]


def _still_at(index: SearchIndex, now: Positions) -> Positions:
    """Where each document of the first segment stands now, -1 for one that is gone or changed."""
    at = index.whole.tools.segments[0].at
    if at is None:
        return now
    still = np.full(at.size, -1, np.intp)
    there = at >= 0
    still[there] = now[at[there]]
    return still
