"""The statements that rank compute what the pure functions compute."""

import random

import pytest

from app.adapters.graph.store import GraphStore
from app.domain.nodes.models import ConceptId, MethodId, MethodSeed, ScoredId
from app.domain.ranking.graph_scores import auto_contributions, channel_sums, kg_hybrid_contributions
from tests.contract.rows import (
    CONCEPT,
    ENHANCES,
    IMPLEMENTS,
    METHOD,
    RELATED_TO,
    SIMILAR,
    SUGGESTS,
    TEMPLATE,
    TOOL,
    USES_TOOL,
    edge,
    inferred,
    node,
    stated,
    suggested,
)
from tests.fakes import InMemoryGraph


def test_kg_hybrid_by_hand(graph: InMemoryGraph | GraphStore) -> None:
    """0.6 of a seed to its tools, score x weight x 0.12 to the tools of its neighbours, templates alike."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(TOOL, [node("t1"), node("t2"), node("t3"), node("t4")])
        lease.put_nodes(METHOD, [node("m"), node("near"), node("shape")])
        lease.put_nodes(TEMPLATE, [node("p")])
        lease.put_edges(
            IMPLEMENTS, [edge("m", "t1"), edge("near", "t2"), edge("near", "t1"), edge("shape", "t4")]
        )
        lease.put_edges(SIMILAR, [stated("m", "near", 0.5)])
        lease.replace_inferred(SIMILAR, remove=[], put=[inferred("m", "shape", 0.99)])
        lease.put_edges(ENHANCES, [edge("near", "m", confidence=1.0, evidence="taxonomy")])
        lease.put_edges(USES_TOOL, [edge("p", "t3", position=0), edge("p", "t1", position=1)])
        lease.finish()

    scores = graph.kg_hybrid_scores(
        methods=[ScoredId(id="m", score=10.0), ScoredId(id="unknown", score=5.0)],
        templates=[ScoredId(id="p", score=2.0)],
    )

    assert (scores.generation, scores.consistent) == (1, True)
    assert scores.channels["graph"] == pytest.approx(
        {"t1": 6.0 + 10 * 0.5 * 0.12 + 1.2, "t2": 10 * 0.5 * 0.12, "t3": 1.2}
    )


def test_places_are_those_of_the_taxonomy(graph: InMemoryGraph | GraphStore) -> None:
    """A method that went with another source leaves a gap: the next ones keep their places."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(TOOL, [node("t1"), node("t2")])
        lease.put_nodes(METHOD, [node("a"), node("b"), node("c")])
        lease.put_nodes(CONCEPT, [node("calm")])
        lease.put_edges(IMPLEMENTS, [edge("b", "t1"), edge("c", "t2")])
        lease.put_edges(RELATED_TO, [edge("calm", one, position=place) for place, one in enumerate("abc")])
        lease.remove_nodes(METHOD, ["a"])
        lease.finish()

    scores = graph.auto_scores(methods=[], templates=[], concepts=[ScoredId(id="calm", score=3.0)])

    assert scores.channels["concept"] == pytest.approx({"t1": 3.0 / 1.2, "t2": 3.0 / 1.4})
    (concept,) = graph.catalogue().concepts
    assert (concept.related_to, concept.places) == (("b", "c"), (1, 2))
    assert scores.channels["power"] == scores.channels["sum"] == scores.channels["template"] == {}


def test_no_seeds_reach_nothing(graph: InMemoryGraph | GraphStore) -> None:
    """A query that finds no method still learns the generation."""
    hybrid = graph.kg_hybrid_scores(methods=[], templates=[])
    auto = graph.auto_scores(methods=[], templates=[], concepts=[])

    assert (hybrid.generation, hybrid.consistent, dict(hybrid.channels)) == (0, True, {"graph": {}})
    assert (auto.generation, auto.consistent) == (0, True)
    assert {name: dict(scores) for name, scores in auto.channels.items()} == {
        "power": {},
        "sum": {},
        "template": {},
        "concept": {},
    }


def test_scores_of_a_graph_that_is_written_are_not_consistent(graph: InMemoryGraph | GraphStore) -> None:
    """From `begin` to `finish` the row may mix two generations, and says so."""
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.begin()
        during = graph.kg_hybrid_scores(methods=[], templates=[])
        also = graph.auto_scores(methods=[], templates=[], concepts=[])
        lease.finish()
    after = graph.auto_scores(methods=[], templates=[], concepts=[])

    assert (during.consistent, also.consistent) == (False, False)
    assert (after.consistent, after.generation) == (True, 1)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_statements_agree_with_the_sums(graph: InMemoryGraph | GraphStore, seed: int) -> None:
    """On any graph, every channel of both rankings equals the pure function over the catalogue."""
    dice = random.Random(seed)
    _write_anything(graph, dice)
    catalogue = graph.catalogue()
    for _ in range(5):
        methods = _seeds(dice, [method.id for method in catalogue.methods])
        templates = _seeds(dice, [template.id for template in catalogue.templates])
        concepts = _seeds(dice, [ConceptId(concept.id) for concept in catalogue.concepts])
        powers = [
            MethodSeed(id=MethodId(one.id), power=one.score**3, sum=one.score * dice.random())
            for one in methods
        ]

        hybrid = graph.kg_hybrid_scores(methods=methods, templates=templates)
        auto = graph.auto_scores(methods=powers, templates=templates, concepts=concepts)

        expected = channel_sums(kg_hybrid_contributions(catalogue, methods=methods, templates=templates))
        expected |= channel_sums(
            auto_contributions(catalogue, methods=powers, templates=templates, concepts=concepts)
        )
        found = {**hybrid.channels, **auto.channels}
        assert {name for name, scores in found.items() if scores} == expected.keys()
        for name, scores in expected.items():
            assert found[name] == pytest.approx(dict(scores), rel=1e-9, abs=1e-12)


COMMON_METHODS = [f"x{number}" for number in range(8)]


def test_what_a_method_suggests_is_read_and_lends_no_power(graph: InMemoryGraph | GraphStore) -> None:
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_nodes(TOOL, [node("t1"), node("t2")])
        lease.put_nodes(METHOD, [node("m", common=True, examples=["Do it"]), node("n", common=True)])
        pairs = [suggested("m", "t1", 0.5), suggested("n", "t1", 0.9), suggested("m", "t2", 0.7)]
        lease.replace_inferred(SUGGESTS, remove=[], put=pairs)
        lease.finish()

    scores = graph.auto_scores(
        methods=[MethodSeed(id=MethodId("m"), power=1.0, sum=1.0)], templates=[], concepts=[]
    )

    assert scores.channels["power"] == scores.channels["sum"] == {}
    one, other = graph.catalogue().methods
    assert (one.common, one.examples, one.implements) == (True, ("Do it",), ())
    assert [(link.target, link.weight) for link in one.suggests] == [("t1", 0.5), ("t2", 0.7)]
    assert [(link.target, link.weight) for link in other.suggests] == [("t1", 0.9)]


def _write_anything(graph: InMemoryGraph | GraphStore, dice: random.Random) -> None:
    tools = [f"s/{number}" for number in range(15)]
    methods = [f"m{number}" for number in range(25)]
    templates = [f"p{number}" for number in range(6)]
    concepts = [f"c{number}" for number in range(6)]
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        for kind, ids in ((TOOL, tools), (METHOD, methods), (TEMPLATE, templates), (CONCEPT, concepts)):
            lease.put_nodes(kind, [node(one, name=one) for one in ids])
        lease.put_edges(
            IMPLEMENTS, [edge(one, tool) for one in methods for tool in dice.sample(tools, dice.randrange(4))]
        )
        pairs = [(one, other) for one in methods for other in dice.sample(methods, 3)]
        lease.put_edges(SIMILAR, [stated(one, other, dice.random()) for one, other in pairs])
        lease.replace_inferred(SIMILAR, remove=[], put=[inferred(other, one, 0.97) for one, other in pairs])
        lease.put_edges(
            ENHANCES,
            [
                edge(one, other, confidence=1.0, evidence="manual")
                for one, other in pairs
                if dice.random() < 0.4
            ],
        )
        for form, sources, targets in (
            (USES_TOOL, templates, tools),
            (RELATED_TO, concepts, methods),
        ):
            rows = [
                edge(one, target, position=place)
                for one in sources
                for place, target in enumerate(dice.sample(targets, dice.randrange(6)))
            ]
            dice.shuffle(rows)
            lease.put_edges(form, rows)
        lease.put_nodes(METHOD, [node(one, common=True) for one in COMMON_METHODS])
        lease.replace_inferred(
            SUGGESTS,
            remove=[],
            put=[
                suggested(one, tool, round(dice.uniform(0.5, 1), 2))
                for one in COMMON_METHODS
                for tool in dice.sample(tools, dice.randrange(5))
            ],
        )
        lease.finish()


def _seeds(dice: random.Random, ids: list[str]) -> list[ScoredId]:
    chosen = dice.sample(ids, min(len(ids), dice.randrange(8)))
    return [ScoredId(id=one, score=dice.uniform(0.1, 20)) for one in [*chosen, "unknown"]]
