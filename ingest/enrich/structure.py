"""`SIMILAR` edges by structure: computed over the whole stated graph, written as a difference."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.models import EdgeForm, EdgeKind, EdgeRow, NodeKind
from app.ports import GraphWriter, WriterLease
from ingest.changes import STATED_FORMS
from ingest.enrich.fingerprints import Pairs, fingerprints
from ingest.enrich.similar import similar_pairs

SIMILAR_FORMS = tuple(
    EdgeForm(kind, EdgeKind.SIMILAR, kind)
    for kind in (
        NodeKind.TOOL,
        NodeKind.GENERATOR,
        NodeKind.METHOD,
        NodeKind.CONCEPT,
        NodeKind.TEMPLATE,
        NodeKind.EXAMPLE,
    )
)
"""Forms of inferred edges. Categories have no role: only `BELONGS_TO` leads to them."""


@dataclass(frozen=True, slots=True)
class Structure:
    """What became of the inferred edges."""

    nodes: int
    """Nodes with a fingerprint."""
    edges: int
    """Inferred edges afterwards."""
    created: int
    removed: int


def infer_similar(edges: Pairs) -> dict[EdgeForm, list[EdgeRow]]:
    """The structural edges of a graph with these stated edges."""
    return {
        EdgeForm(kind, EdgeKind.SIMILAR, kind): [
            EdgeRow(
                source=pair.source,
                target=pair.target,
                properties={
                    "weight": pair.cosine,
                    "confidence": pair.cosine,
                    "reason": "structure",
                    "evidence": "structure",
                },
            )
            for pair in similar_pairs(found.ids, found.vectors)
        ]
        for kind, found in fingerprints(edges).items()
    }


def update_structure(graph: GraphWriter, lease: WriterLease) -> Structure:
    """Compute the structural edges anew and write those that differ."""
    edges = {form: graph.edge_pairs(form, stated=True) for form in STATED_FORMS}
    wanted = infer_similar(edges)
    nodes = sum(len(found.ids) for found in fingerprints(edges).values())
    created = removed = 0
    for form in SIMILAR_FORMS:
        rows = wanted.get(form, [])
        remove, put = _difference(graph.edge_pairs(form, stated=False), rows)
        if remove or put:
            lease.replace_inferred(form, remove=remove, put=put)
        created += len(put)
        removed += len(remove)
    return Structure(nodes, sum(map(len, wanted.values())), created, removed)


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
