"""The first of a ranking by all that is known of each, with the encoder that comes along."""

from collections.abc import Sequence
from functools import cache

import pytest

from app.adapters.encoders.onnx import OnnxEncoder
from app.answers.search import QueryAnswer, ReasonKind
from app.domain.nodes.models import Method, Tool
from app.usecases.index.encoding import ToolEncoder
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchRequest
from app.usecases.rankings.auto import rank_auto
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from bench.sets.suggested import with_common
from tests.unit.catalogues import catalogue, method, tool

TOOLS = [
    tool("shop/refund_payment", "Pays money back to a customer"),
    tool("shop/list_customers", "Lists the customers of a shop, by the money that they spent"),
    tool("shop/create_voucher", "Makes a voucher that a customer can pay with"),
    tool("desk/close_ticket", "Closes a ticket of a customer"),
    tool("desk/reply", "Writes back to the customer of a ticket"),
]
QUERY = "the customer should get his money back"


@cache
def encoder() -> ToolEncoder:
    return ToolEncoder(OnnxEncoder())


def graph_of(tools: Sequence[Tool], methods: Sequence[Method] = ()) -> ConsistentGraph:
    index = SearchIndex.build(with_common(catalogue(tools=tools, methods=methods)))
    encoder().attach(index, at_once=0)
    encoder().complete(index, goes_on=lambda: True)
    return ConsistentGraph(index)


def places(found: QueryAnswer) -> list[str]:
    return [why.detail or "" for one in found.tools for why in one.why or () if why.kind is ReasonKind.PLACE]


def test_the_first_keep_their_scores_and_each_says_where_it_came_from() -> None:
    graph = graph_of(TOOLS)
    found = search(SearchRequest(query=QUERY, explain=True, prerequisites=0), graph)
    ranking = rank_auto(QUERY, graph)
    index = graph.index

    assert {str(one.id) for one in found.tools} == {
        index.catalogue.tools[at].id for at in ranking.best(10, None)
    }
    assert all(one.score == pytest.approx(ranking.score(index.positions[one.id])) for one in found.tools)
    assert len(places(found)) == len(found.tools)
    assert places(found)[0].endswith("place 1 by words and meaning together")
    for one in found.tools:
        assert sum(why.contribution for why in one.why or ()) == pytest.approx(one.score, rel=1e-3)


def test_what_a_taxonomy_states_is_not_put_into_another_order() -> None:
    stated = method("refund", implements=("shop/refund_payment",))
    found = search(SearchRequest(query=QUERY, explain=True), graph_of(TOOLS, methods=[stated]))
    assert places(found) == []


def test_filters_hold_in_the_new_order() -> None:
    request = SearchRequest.model_validate(
        {"query": QUERY, "prerequisites": 0, "filters": {"servers": ["desk"]}}
    )
    found = search(request, graph_of(TOOLS))
    assert {one.id.split("/")[0] for one in found.tools} == {"desk"}


def test_several_phrasings_stay_in_the_order_of_their_scores() -> None:
    found = search(SearchRequest(query=QUERY, phrasings=("refund",), prerequisites=0), graph_of(TOOLS))
    scores = [one.score for one in found.tools]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    "name", ["refund_payment", "close ticket", "create voucher", "list customers", "reply"]
)
def test_a_tool_that_is_asked_for_by_its_name_comes_first(name: str) -> None:
    found = search(SearchRequest(query=name, prerequisites=0), graph_of(TOOLS))
    assert found.tools[0].name == name.replace(" ", "_")


@pytest.mark.parametrize(
    ("asked", "other", "among"),
    [
        (
            "Give the customer her money of the payment back, of the order too, and then close the ticket that she opened.",
            "desk/close_ticket",
            2,
        ),
        (
            "The customer wants her money of the payment back, refund the order and the delivery too, please. Then write back to her.",
            "desk/reply",
            5,
        ),
    ],
)
def test_what_is_asked_for_beside_many_alike_is_among_the_first(asked: str, other: str, among: int) -> None:
    refunds = [
        tool(f"shop/refund_{what}", f"Gives a customer the money of {what} back")
        for what in ("payment", "order", "invoice", "voucher", "deposit", "delivery")
    ]
    found = search(SearchRequest(query=asked, prerequisites=0), graph_of([*refunds, *TOOLS[3:]]))
    assert other in [str(one.id) for one in found.tools[:among]]
