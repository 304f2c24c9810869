"""What role a node plays, in sixteen numbers (PinePaper, section 3.1)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from app.domain.nodes.models import EdgeForm, EdgeKind, NodeKind

Vectors: TypeAlias = npt.NDArray[np.float64]
WeightedPairs: TypeAlias = Mapping[EdgeForm, Sequence[tuple[str, str, float]]]
"""Stated edges: (source id, target id, weight) by form."""

SIZE = 16
_LABELS = (NodeKind.TOOL, NodeKind.METHOD, NodeKind.TEMPLATE, NodeKind.CONCEPT)
_EDGES = (EdgeKind.IMPLEMENTS, EdgeKind.USES, EdgeKind.RELATED_TO, EdgeKind.BELONGS_TO)
_NEIGHBOURS = (NodeKind.TOOL, NodeKind.METHOD, NodeKind.CATEGORY)
_IN, _OUT = 5, 6
_FIRST_EDGE, _FIRST_NEIGHBOUR = 7, 12


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """The nodes of one label that have a role, and a row for each."""

    ids: tuple[str, ...]
    """Sorted."""
    vectors: Vectors
    """Shape (nodes, 16)."""


def fingerprints(edges: WeightedPairs) -> dict[NodeKind, Fingerprints]:
    """A fingerprint for each node with an edge other than `BELONGS_TO`, by label.

    0-4: one-hot Tool, Method, Template, Concept, other. 5: ln(1 + edges in). 6: ln(1 + edges out).
    7-11: shares of IMPLEMENTS, USES, RELATED_TO, BELONGS_TO, other among the node's edges.
    12-15: shares of Tool, Method, Category, other among the other ends of these edges.
    Parallel edges count each; `PROVIDED_BY` is not among them. A generator is `other`.

    Args:
        edges: all stated edges of the graph.
    """
    ids = _ids(edges)
    place = {kind: {node: row for row, node in enumerate(nodes)} for kind, nodes in ids.items()}
    vectors = {kind: np.zeros((len(nodes), SIZE)) for kind, nodes in ids.items()}
    roles = {kind: np.zeros(len(nodes), dtype=np.bool_) for kind, nodes in ids.items()}
    for form, pairs in edges.items():
        if not pairs:
            continue
        edge = _FIRST_EDGE + _index(_EDGES, form.kind)
        for kind, other, nodes, degree in (
            (form.source, form.target, [source for source, _, _ in pairs], _OUT),
            (form.target, form.source, [target for _, target, _ in pairs], _IN),
        ):
            rows = np.fromiter((place[kind][node] for node in nodes), np.intp, len(nodes))
            counts = np.bincount(rows, minlength=len(ids[kind]))
            vectors[kind][:, degree] += counts
            vectors[kind][:, edge] += counts
            vectors[kind][:, _FIRST_NEIGHBOUR + _index(_NEIGHBOURS, other)] += counts
            if form.kind is not EdgeKind.BELONGS_TO:
                roles[kind] |= counts > 0
    return {
        kind: Fingerprints(
            tuple(node for node, has_role in zip(ids[kind], roles[kind], strict=True) if has_role),
            _scaled(vectors[kind][roles[kind]], _index(_LABELS, kind)),
        )
        for kind in sorted(ids)
        if roles[kind].any()
    }


def _ids(edges: WeightedPairs) -> dict[NodeKind, list[str]]:
    found: defaultdict[NodeKind, set[str]] = defaultdict(set)
    for form, pairs in edges.items():
        found[form.source].update(pair[0] for pair in pairs)
        found[form.target].update(pair[1] for pair in pairs)
    return {kind: sorted(nodes) for kind, nodes in found.items()}


def _index(known: Iterable[str], one: str) -> int:
    """Place among the known ones, or one past them."""
    places = list(known)
    return places.index(one) if one in places else len(places)


def _scaled(counts: Vectors, label: int) -> Vectors:
    degree = (counts[:, _IN] + counts[:, _OUT])[:, None]
    counts[:, _FIRST_EDGE:] /= degree
    counts[:, _IN : _OUT + 1] = np.log1p(counts[:, _IN : _OUT + 1])
    counts[:, label] = 1.0
    return counts
