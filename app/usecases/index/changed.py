"""The index of a later generation from an earlier one: work for what changed, not for what stayed."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from app.domain.changes import CataloguePart, with_part
from app.domain.nodes.models import NodeKind
from app.domain.ranking.formulas import Positions
from app.usecases.index.analyses import Analyses, Analysis, analyse
from app.usecases.index.counts import count_tool_fields, count_tool_texts
from app.usecases.index.facts import taken
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.views import CatalogueView, ReferenceViews
from app.usecases.index.whole import (
    SmallViews,
    categories_of,
    cover_of,
    methods_of_tools,
    numbers_of_servers,
    servers_of,
    small_views,
    with_methods_of,
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
    analyses = analyse(catalogue, index.analyses)
    positions: dict[str, int] = {tool.id: position for position, tool in enumerate(catalogue.tools)}
    of_methods = methods_of_tools(catalogue, positions)
    if bool(of_methods.nnz) != bool(index.of_methods.nnz):
        return None
    origin = _origin(index, analyses, positions)
    at = _still_at(index, origin)
    size = len(catalogue.tools)
    covered = np.zeros(size, np.bool_)
    covered[at[at >= 0]] = True
    new_at = np.flatnonzero(~covered)
    if new_at.size > max(_FEWEST, MOST_CHANGED * size):
        return None

    terms = len(analyses.vocabulary)
    texts: list[Analysis[Any]] = [*analyses.methods, *analyses.generators]
    new = [analyses.tools[position] for position in new_at.tolist()]
    counts = count_tool_fields(
        new,
        texts,
        of_methods[new_at],
        fields=index.recipe.tool_fields,
        method_fields=index.recipe.method_fields_of_tool,
        terms=terms,
        with_methods=bool(of_methods.nnz),
    )
    reference = count_tool_texts(new, texts, of_methods[new_at], terms=terms)
    whole = index.whole
    small = _unchanged(whole) if _same_kinds(part) else small_views(analyses, index.recipe)
    names = [f"{catalogue.tools[position].name} {catalogue.tools[position].title}" for position in new_at]
    tools = whole.tools.changed(at, counts, new_at, size=size)
    reference_tools = whole.reference.tools.changed(at, reference, new_at, size=size)
    servers = numbers_of_servers(catalogue)
    facts = [analyses.facts[at] for at in np.flatnonzero(origin < 0).tolist()]
    reads_only = [catalogue.tools[at].read_only is True for at in np.flatnonzero(origin < 0).tolist()]
    return SearchIndex(
        catalogue=catalogue,
        recipe=index.recipe,
        analyses=analyses,
        whole=CatalogueView(
            tools=tools,
            methods=small.methods,
            templates=small.templates,
            concepts=small.concepts,
            reference=ReferenceViews(reference_tools, small.reference_methods, small.reference_templates),
            cover=cover_of(tools, analyses, index.recipe),
            server_of=servers_of(catalogue, servers),
            with_methods=with_methods_of(catalogue, of_methods),
            definition_bytes=taken(whole.definition_bytes, origin, [one.definition_bytes for one in facts]),
        ),
        acts=index.acts.taken(origin, [one.acts for one in facts], index.recipe),
        objects=index.objects.taken(origin, [one.object for one in facts]),
        terms=tuple(analyses.vocabulary),
        positions=positions,
        of_methods=of_methods,
        servers=servers,
        categories=categories_of(catalogue, positions),
        read_only=taken(index.read_only, origin, reads_only),
        names=index.names.changed(at, names, new_at, size=size),
    )


def _unchanged(whole: CatalogueView) -> SmallViews:
    reference = whole.reference
    return SmallViews(whole.methods, whole.templates, whole.concepts, reference.methods, reference.templates)


def _same_kinds(part: CataloguePart) -> bool:
    """Whether nothing of a taxonomy was touched."""
    kinds = (NodeKind.METHOD, NodeKind.TEMPLATE, NodeKind.CONCEPT)
    return not any(part.changes.of(kind) for kind in kinds)


def _origin(index: SearchIndex, analyses: Analyses, positions: Mapping[str, int]) -> Positions:
    """Where the document of each tool stood before, the texts of its methods included; -1 for a new one."""
    before = {id(analysis): position for position, analysis in enumerate(index.analyses.tools)}
    origin = np.array([before.get(id(analysis), -1) for analysis in analyses.tools], np.intp)
    for tool in _tools_of_changed(index, analyses):
        if tool in positions:
            origin[positions[tool]] = -1
    return origin


def _tools_of_changed(index: SearchIndex, analyses: Analyses) -> Iterable[str]:
    """Tools whose document has or had the texts of a method or generator that changed."""
    for method in _changed(index.analyses.methods, analyses.methods):
        yield from method.node.implements
    for generator in _changed(index.analyses.generators, analyses.generators):
        yield generator.node.tool


def _changed(old: Sequence[Analysis[Any]], new: Sequence[Analysis[Any]]) -> list[Analysis[Any]]:
    both = {id(one) for one in old} & {id(one) for one in new}
    return [one for one in (*old, *new) if id(one) not in both]


def _still_at(index: SearchIndex, origin: Positions) -> Positions:
    """Where each document of the first segment stands now, -1 for one that is gone or changed."""
    before = len(index.catalogue.tools)
    now = np.full(before, -1, np.intp)
    kept = np.flatnonzero(origin >= 0)
    now[origin[kept]] = kept
    at = index.whole.tools.segments[0].at
    if at is None:
        return now
    return np.where(at >= 0, now[at], -1)
