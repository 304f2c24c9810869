"""`SIMILAR` edges by structure: computed over the whole stated graph, written as a difference."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.nodes.edge_forms import SIMILAR_FORMS, STATED_FORMS, STRUCTURE
from app.domain.nodes.models import EdgeForm, EdgeKind, EdgeRow, NodeKind
from app.ports.graph import GraphWriter, WriterLease
from ingest.diff.changes import Changes
from ingest.enrich.similar.fingerprints import Fingerprints, WeightedPairs, fingerprints
from ingest.enrich.similar.similar import similar_pairs


@dataclass(frozen=True, slots=True)
class Structure:
    """What became of the inferred edges."""

    nodes: int
    """Nodes with a fingerprint."""
    edges: int
    """Inferred edges afterwards."""
    created: int
    removed: int


def infer_similar(edges: WeightedPairs) -> dict[EdgeForm, list[EdgeRow]]:
    """The structural edges of a graph with these stated edges."""
    return _infer(fingerprints(edges))


def _infer(prints: Mapping[NodeKind, Fingerprints]) -> dict[EdgeForm, list[EdgeRow]]:
    return {
        EdgeForm(kind, EdgeKind.SIMILAR, kind): [
            EdgeRow(
                source=pair.source,
                target=pair.target,
                properties={
                    "weight": pair.cosine,
                    "confidence": pair.cosine,
                    "reason": STRUCTURE,
                    "evidence": STRUCTURE,
                },
            )
            for pair in similar_pairs(found.ids, found.vectors)
        ]
        for kind, found in prints.items()
    }


def update_structure(graph: GraphWriter, lease: WriterLease) -> Structure:
    """Compute the structural edges again and write those that differ."""
    found = _compare(_stated(graph), {form: graph.edge_pairs(form, stated=False) for form in SIMILAR_FORMS})
    for form, (remove, put) in found.differences.items():
        if remove or put:
            lease.replace_inferred(form, remove=remove, put=put)
    return found.structure


def foresee_structure(graph: GraphWriter, changes: Changes) -> Structure:
    """What `update_structure` would find once these changes are written.

    Who stated an edge between tools is not asked for: where several taxonomies speak of one tool and one
    of them changes, the edges of all of them count as replaced.
    """
    return _compare(
        edges_after(_stated(graph), changes),
        _kept({form: graph.edge_pairs(form, stated=False) for form in SIMILAR_FORMS}, changes),
    ).structure


def edges_after(before: WeightedPairs, changes: Changes) -> WeightedPairs:
    """The stated edges once these changes are written."""
    cleared = {(kind, node) for (kind, _), nodes in changes.cleared.items() for node in nodes}
    after: dict[EdgeForm, list[tuple[str, str, float]]] = {
        form: [pair for pair in pairs if (form.source, pair[0]) not in cleared]
        for form, pairs in _kept(before, changes).items()
    }
    for form, rows in changes.edges.items():
        after.setdefault(form, []).extend((row.source, row.target, 1.0) for row in rows)
    return after


def _kept(before: WeightedPairs, changes: Changes) -> dict[EdgeForm, list[tuple[str, str, float]]]:
    """Edges under the new ids of their ends, moved ones at their new ends, without those of nodes that go."""
    new = dict(changes.renames)
    gone = {(kind, node) for kind, nodes in changes.removed.items() for node in nodes}

    def named(kind: NodeKind, node: str) -> str:
        return new.get(node, node) if kind is NodeKind.TOOL else node

    moved: defaultdict[EdgeForm, dict[tuple[str, str], EdgeRow | None]] = defaultdict(dict)
    for edge in changes.moved_edges:
        moved[edge.form][edge.old.source, edge.old.target] = edge.new

    def followed(form: EdgeForm, one: str, other: str, weight: float) -> tuple[str, str, float] | None:
        source, target = named(form.source, one), named(form.target, other)
        if (source, target) in moved[form]:
            edge = moved[form][source, target]
            return (edge.source, edge.target, weight) if edge else None
        return source, target, weight

    return {
        form: [
            pair
            for pair in (followed(form, *pair) for pair in pairs)
            if pair and (form.source, pair[0]) not in gone and (form.target, pair[1]) not in gone
        ]
        for form, pairs in before.items()
    }


def _stated(graph: GraphWriter) -> WeightedPairs:
    return {
        form: graph.edge_pairs(form, stated=True) for form in STATED_FORMS if form.kind is not EdgeKind.STEP
    }


@dataclass(frozen=True, slots=True)
class _Comparison:
    structure: Structure
    differences: Mapping[EdgeForm, tuple[list[tuple[str, str]], list[EdgeRow]]]


def _compare(stated: WeightedPairs, inferred: WeightedPairs) -> _Comparison:
    prints = fingerprints(stated)
    wanted = _infer(prints)
    differences = {form: _difference(inferred[form], wanted.get(form, [])) for form in SIMILAR_FORMS}
    return _Comparison(
        Structure(
            nodes=sum(len(found.ids) for found in prints.values()),
            edges=sum(map(len, wanted.values())),
            created=sum(len(put) for _, put in differences.values()),
            removed=sum(len(remove) for remove, _ in differences.values()),
        ),
        differences,
    )


def _difference(
    before: Sequence[tuple[str, str, float]], wanted: Sequence[EdgeRow]
) -> tuple[list[tuple[str, str]], list[EdgeRow]]:
    """Edges to remove and to create; one whose weight differs is both."""
    there = {(source, target): round(weight, 9) for source, target, weight in before}
    wants = {(row.source, row.target): round(_weight(row), 9) for row in wanted}
    remove = [ends for ends, weight in there.items() if wants.get(ends) != weight]
    put = [row for row in wanted if there.get((row.source, row.target)) != wants[row.source, row.target]]
    return remove, put


def _weight(row: EdgeRow) -> float:
    weight = row.properties["weight"]
    assert isinstance(weight, float)  # noqa: S101 - made above
    return weight
