"""Several phrasings of one wish are ranked as one."""

import math

import pytest

from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import Filters, SearchMethod, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from tests.unit.catalogues import catalogue, tool

SHOP = ConsistentGraph(
    SearchIndex.build(
        catalogue(
            [
                tool("pay/refund", "Gives money back to a customer.", read_only=False),
                tool("pay/charge", "Takes money from a card.", read_only=False),
                tool("post/track", "Says where a parcel is.", read_only=True),
                tool(
                    "post/reverse_label",
                    "Makes a label for a return, a reversal of a parcel.",
                    read_only=False,
                ),
            ]
        )
    )
)
WISH = ("money please", "reversal of a charge", "customer")


@pytest.mark.parametrize("method", list(SearchMethod))
def test_a_score_is_the_mean_of_those_of_the_phrasings(method: SearchMethod) -> None:
    """And so is what gave it: the reasons of all of them, in shares that add up."""
    each = [
        {
            one.id: one.score
            for one in search(SearchRequest(query=text, method=method, prerequisites=0), SHOP).tools
        }
        for text in WISH
    ]

    answer = search(
        SearchRequest(query=WISH[0], phrasings=WISH[1:], method=method, explain=True, prerequisites=0), SHOP
    )

    assert {one.id for one in answer.tools} == set().union(*each)
    for one in answer.tools:
        mean = math.fsum(found.get(one.id, 0.0) for found in each) / len(each)
        assert one.score == pytest.approx(mean, rel=1e-5)
        assert math.fsum(why.contribution for why in one.why or ()) == pytest.approx(one.score, rel=1e-4)
    assert [one.score for one in answer.tools] == sorted((one.score for one in answer.tools), reverse=True)


def test_the_same_words_again_change_nothing() -> None:
    """White space and hidden characters are no other words, and one phrasing is a plain request."""
    plain = search(SearchRequest(query=WISH[0], explain=True), SHOP)

    again = search(SearchRequest(query=WISH[0], phrasings=(f" {WISH[0]}\u200b ",), explain=True), SHOP)

    assert again == plain


def test_filters_hold_for_all_phrasings() -> None:
    """What is not allowed is found by no way of saying it."""
    request = SearchRequest(
        query="where is it",
        phrasings=("money", "reversal"),
        filters=Filters(servers=("post",)),
        prerequisites=0,
    )

    assert {one.id for one in search(request, SHOP).tools} == {"post/track", "post/reverse_label"}


def test_one_phrasing_that_says_something_is_enough() -> None:
    """The others may find nothing."""
    answer = search(SearchRequest(query="zzz", phrasings=("parcel",), prerequisites=0), SHOP)

    assert answer.tools[0].id in {"post/track", "post/reverse_label"}
    assert search(SearchRequest(query="zzz", phrasings=("qqq",)), SHOP).tools == ()
