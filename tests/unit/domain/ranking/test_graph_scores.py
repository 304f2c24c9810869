import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.nodes.models import EdgeKind, MethodId, MethodSeed, ScoredId
from app.domain.ranking.graph_scores import auto_contributions, channel_sums, kg_hybrid_contributions
from tests.unit.catalogues import catalogue, concept, method, template, tool

SHOP = catalogue(
    [tool("s/pay"), tool("s/ship"), tool("s/refund")],
    methods=[
        method("buy", ["s/pay", "s/ship"], similar=[("return", 0.5)], enhances=[("return", 1.0)]),
        method("return", ["s/refund"]),
    ],
    templates=[template("order", ["s/ship", "s/pay"])],
    concepts=[concept("trust", ["return", "buy"])],
)


def seed(node: str, score: float) -> ScoredId:
    return ScoredId(id=node, score=score)


def method_seed(node: str, power: float, total: float) -> MethodSeed:
    return MethodSeed(id=MethodId(node), power=power, sum=total)


def test_kg_hybrid_by_hand():
    """buy 10: pay, ship 6 each; its two edges to return give refund 10 * (.5 + 1) * .12; order 5: 3 each."""
    sums = channel_sums(
        kg_hybrid_contributions(SHOP, methods=[seed("buy", 10.0)], templates=[seed("order", 5.0)])
    )

    assert sums == {
        "graph": {
            "s/pay": pytest.approx(9.0),
            "s/ship": pytest.approx(9.0),
            "s/refund": pytest.approx(10 * 1.5 * 0.12),
        }
    }


def test_only_outgoing_edges_carry_a_score():
    sums = channel_sums(kg_hybrid_contributions(SHOP, methods=[seed("return", 10.0)], templates=[]))

    assert sums == {"graph": {"s/refund": pytest.approx(6.0)}}


def test_auto_by_hand():
    """order 2: ship first 2, pay second 2 / 1.3; trust 3: return first 3, buy second 3 / 1.2 for both its tools."""
    sums = channel_sums(
        auto_contributions(
            SHOP,
            methods=[method_seed("buy", 1.0, 8.0), method_seed("return", 0.125, 4.0)],
            templates=[seed("order", 2.0)],
            concepts=[seed("trust", 3.0)],
        )
    )

    assert sums["power"] == {"s/pay": 1.0, "s/ship": 1.0, "s/refund": 0.125}
    assert sums["sum"] == {"s/pay": 8.0, "s/ship": 8.0, "s/refund": 4.0}
    assert sums["template"] == {"s/ship": 2.0, "s/pay": pytest.approx(2 / 1.3)}
    assert sums["concept"] == {
        "s/refund": 3.0,
        "s/pay": pytest.approx(3 / 1.2),
        "s/ship": pytest.approx(3 / 1.2),
    }


def test_a_path_names_every_node_and_edge_before_the_tool():
    paths = {
        (path.via, path.edges)
        for path in kg_hybrid_contributions(SHOP, methods=[seed("buy", 1.0)], templates=[])
        if path.tool == "s/refund"
    }

    assert paths == {
        (("buy", "return"), (EdgeKind.SIMILAR, EdgeKind.IMPLEMENTS)),
        (("buy", "return"), (EdgeKind.ENHANCES, EdgeKind.IMPLEMENTS)),
    }


def test_seeds_that_the_catalogue_does_not_know_add_nothing():
    assert channel_sums(kg_hybrid_contributions(SHOP, methods=[seed("x", 1)], templates=[seed("y", 1)])) == {}
    assert (
        channel_sums(
            auto_contributions(
                SHOP, methods=[method_seed("x", 1, 1)], templates=[seed("y", 1)], concepts=[seed("z", 1)]
            )
        )
        == {}
    )


@given(st.permutations(["buy", "return"]), st.floats(0.001, 1e6), st.floats(0.001, 1e6))
def test_the_order_of_the_seeds_does_not_matter(order, first, second):
    scores = {"buy": first, "return": second}
    given_order = [seed(name, scores[name]) for name in order]

    sums = channel_sums(kg_hybrid_contributions(SHOP, methods=given_order, templates=[]))

    assert sums == channel_sums(
        kg_hybrid_contributions(SHOP, methods=sorted(given_order, key=lambda s: s.id), templates=[])
    )
