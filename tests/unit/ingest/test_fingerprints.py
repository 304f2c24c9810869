"""Structural fingerprints: a hand-worked example, and what is promised of the edges."""

from collections import Counter, defaultdict
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.nodes.models import EdgeForm, EdgeKind, NodeKind
from ingest.enrich.similar.fingerprints import fingerprints
from ingest.enrich.similar.similar import MIN_COSINE, similar_pairs
from ingest.enrich.similar.structure import infer_similar

IMPLEMENTS = EdgeForm(NodeKind.METHOD, EdgeKind.IMPLEMENTS, NodeKind.TOOL)
USES = EdgeForm(NodeKind.TEMPLATE, EdgeKind.USES, NodeKind.TOOL)
BELONGS = EdgeForm(NodeKind.METHOD, EdgeKind.BELONGS_TO, NodeKind.CATEGORY)
TOOL_BELONGS = EdgeForm(NodeKind.TOOL, EdgeKind.BELONGS_TO, NodeKind.CATEGORY)
REQUIRES = EdgeForm(NodeKind.TOOL, EdgeKind.REQUIRES, NodeKind.TOOL)


def test_a_fingerprint_by_hand() -> None:
    """A method that implements two tools and is in a category; a tool with two edges in and one out."""
    found = fingerprints(
        {
            IMPLEMENTS: [("m", "a", 1.0), ("m", "b", 1.0)],
            USES: [("t", "a", 1.0)],
            BELONGS: [("m", "c", 1.0)],
            REQUIRES: [("a", "b", 1.0)],
        }
    )

    method, tool = found[NodeKind.METHOD], found[NodeKind.TOOL]
    assert method.ids == ("m",)
    assert method.vectors[0] == pytest.approx(
        [0, 1, 0, 0, 0, 0, log(4), 2 / 3, 0, 0, 1 / 3, 0, 2 / 3, 0, 1 / 3, 0]
    )
    assert tool.ids == ("a", "b")
    assert tool.vectors[0] == pytest.approx(
        [1, 0, 0, 0, 0, log(3), log(2), 1 / 3, 1 / 3, 0, 0, 1 / 3, 1 / 3, 1 / 3, 0, 1 / 3]
    )


def test_a_node_with_nothing_but_a_category_has_no_fingerprint() -> None:
    found = fingerprints(
        {BELONGS: [("m", "c", 1.0)], TOOL_BELONGS: [("a", "c", 1.0)], REQUIRES: [("b", "d", 1.0)]}
    )

    assert {kind: one.ids for kind, one in found.items()} == {NodeKind.TOOL: ("b", "d")}


def test_an_inferred_edge_says_why_and_how_sure() -> None:
    ((form, (row,)),) = (
        (form, rows)
        for form, rows in infer_similar({REQUIRES: [("b", "x", 1.0), ("a", "x", 1.0)]}).items()
        if rows
    )

    assert form == EdgeForm(NodeKind.TOOL, EdgeKind.SIMILAR, NodeKind.TOOL)
    assert (row.source, row.target) == ("a", "b")
    assert row.properties == {
        "weight": pytest.approx(1.0),
        "confidence": pytest.approx(1.0),
        "reason": "structure",
        "evidence": "structure",
    }


def test_many_nodes_of_one_role_are_chained_in_a_band_of_five() -> None:
    ids = [f"n{number:02}" for number in range(40)]

    pairs = {(one.source, one.target) for one in similar_pairs(ids, np.ones((40, 3)))}

    assert pairs == {(ids[a], ids[b]) for a in range(40) for b in range(a + 1, min(a + 6, 40))}


nodes = st.integers(2, 40).flatmap(
    lambda size: st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 6)).map(
            lambda one: (float(one[0]), float(one[1]), one[2] / 3 + 1)
        ),
        min_size=size,
        max_size=size,
    )
)


@given(nodes)
@settings(max_examples=150)
def test_pairs_are_near_few_and_each_once(rows: list[tuple[float, ...]]) -> None:
    """Each pair by direct computation at .95 or above; no node with more than 10; lower id first."""
    ids = [f"n{number:02}" for number in range(len(rows))]
    unit = _unit(rows)

    pairs = similar_pairs(ids, np.array(rows))

    degree = Counter(end for one in pairs for end in (one.source, one.target))
    assert max(degree.values(), default=0) <= 10
    assert len({(one.source, one.target) for one in pairs}) == len(pairs)
    for one in pairs:
        direct = float(unit[ids.index(one.source)] @ unit[ids.index(one.target)])
        assert one.source < one.target
        assert direct >= MIN_COSINE
        assert one.cosine == pytest.approx(min(1.0, direct))


@given(nodes, st.randoms())
@settings(max_examples=60)
def test_the_order_of_the_nodes_does_not_matter(rows: list[tuple[float, ...]], random: object) -> None:
    ids = [f"n{number:02}" for number in range(len(rows))]
    order = list(range(len(rows)))
    random.shuffle(order)  # type: ignore[attr-defined]

    shuffled = similar_pairs([ids[place] for place in order], np.array([rows[place] for place in order]))

    assert shuffled == similar_pairs(ids, np.array(rows))


@given(nodes.filter(lambda rows: len(rows) <= 11))
@settings(max_examples=150)
def test_few_nodes_hang_together_as_all_pairs_would(rows: list[tuple[float, ...]]) -> None:
    """Up to 11 nodes, none is ever full: connected exactly when brute force connects them."""
    ids = [f"n{number:02}" for number in range(len(rows))]
    unit = _unit(rows)
    all_pairs = [
        (ids[a], ids[b])
        for a in range(len(ids))
        for b in range(a + 1, len(ids))
        if float(unit[a] @ unit[b]) >= MIN_COSINE
    ]

    found = [(one.source, one.target) for one in similar_pairs(ids, np.array(rows))]

    assert _parts(ids, found) == _parts(ids, all_pairs)


def _unit(rows: list[tuple[float, ...]]) -> np.ndarray:
    matrix = np.array(rows)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def _parts(ids: list[str], pairs: list[tuple[str, str]]) -> set[frozenset[str]]:
    near = defaultdict(set)
    for one, other in pairs:
        near[one].add(other)
        near[other].add(one)
    parts = set()
    for start in ids:
        part, frontier = {start}, [start]
        while frontier:
            frontier = [other for one in frontier for other in near[one] if other not in part]
            part.update(frontier)
        parts.add(frozenset(part))
    return parts
