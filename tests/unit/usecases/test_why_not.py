"""Why a tool is not found: the case it is, what those above have, what would help."""

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from app.answers.search import ReasonKind
from app.answers.standing import ExplainAnswer, RemedyKind, StandingCase, ToolStanding
from app.domain.language.visible_text import squeezed, without_hidden
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import ExplainRequest, SearchMethod, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from app.usecases.standing.why_not import why_not
from tests.unit.catalogues import catalogue, method, tool

SHOP = catalogue(
    [
        tool("orders/cancel_order", "Cancels an order.", read_only=False),
        tool("orders/get_order", "Reads an order.", read_only=True),
        tool("orders/list_orders", "Lists orders.", read_only=True),
        tool("payments/refund_payment", "Gives money back.", read_only=False),
        tool("stock/count_shelf", "Counts what lies on a shelf.", read_only=True),
        tool("warp", declared=True),
    ],
    methods=[
        method("money.refund", ["payments/refund_payment"], name="Refund", examples=["reimburse a customer"]),
        method("stock.count", ["stock/count_shelf"], name="Take stock"),
    ],
)
INDEX = SearchIndex.build(SHOP)


def ask(query: str, *tools: str, index: SearchIndex = INDEX, **request: object) -> ExplainAnswer:
    asked = ExplainRequest.model_validate({"query": query, "tools": tools, **request})
    return why_not(asked, ConsistentGraph(index))


def one(query: str, tool_id: str, **request: object) -> ToolStanding:
    (found,) = ask(query, tool_id, **request).tools
    return found


@pytest.mark.parametrize(
    ("tool_id", "request_of", "case"),
    [
        ("orders/cancel_ordr", {}, StandingCase.UNKNOWN),
        ("orders/cancel_order", {}, StandingCase.FOUND),
        ("orders/cancel_order", {"filters": {"servers": ["stock"]}}, StandingCase.OUTSIDE_FILTERS),
        ("warp", {}, StandingCase.DECLARED),
        ("stock/count_shelf", {}, StandingCase.NOT_REACHED),
        ("orders/get_order", {"top_k": 1}, StandingCase.BELOW_CUT),
    ],
)
def test_each_case_is_recognised(tool_id: str, request_of: dict[str, object], case: StandingCase) -> None:
    """The five cases of a tool that is missing, and that it is there."""
    assert one("cancel my order", tool_id, **request_of).case is case


def test_an_unknown_id_comes_with_near_ones() -> None:
    """Who misspelt it sees what was meant."""
    assert "orders/cancel_order" in (one("cancel", "orders/cancel_ordr").near or ())


def test_the_filters_that_leave_a_tool_out_are_named() -> None:
    """Those alone, and its score stays what it is without them."""
    found = one("cancel my order", "orders/cancel_order", filters={"servers": ["orders"], "read_only": True})

    assert found.filters == ("read_only",)
    assert found.place is None
    assert found.score == one("cancel my order", "orders/cancel_order").score > 0
    assert [remedy.kind for remedy in found.remedies] == [RemedyKind.FILTERS]


def test_what_a_tool_above_has_is_named_largest_first() -> None:
    """With the tool that has it, and by how much."""
    found = one("reimburse the customer", "orders/get_order")

    assert [lack.gap for lack in found.lacks] == sorted((lack.gap for lack in found.lacks), reverse=True)
    assert all(lack.gap > 0 for lack in found.lacks)
    lack = next(lack for lack in found.lacks if lack.why.kind is ReasonKind.METHOD)
    assert (lack.tool, lack.why.path[0].id) == ("payments/refund_payment", "money.refund")  # type: ignore[index]
    assert found.missing_words == ("reimburse", "customer")


def test_a_tool_with_a_method_is_helped_by_an_example_and_one_without_by_a_method() -> None:
    """And by the method that brought the tool above, if it does the same."""
    with_method = one("reimburse the customer", "stock/count_shelf")
    without = one("reimburse the customer", "orders/get_order")

    assert [(one.kind, one.method) for one in with_method.remedies] == [
        (RemedyKind.EXAMPLE, "stock.count"),
        (RemedyKind.IMPLEMENTS, "money.refund"),
    ]
    assert [(one.kind, one.method) for one in without.remedies] == [
        (RemedyKind.IMPLEMENTS, "money.refund"),
        (RemedyKind.METHOD, "orders.get_order"),
    ]


def test_a_tool_that_is_found_first_lacks_nothing() -> None:
    """And nothing needs to help it."""
    found = one("cancel my order", "orders/cancel_order")

    assert (found.place, found.lacks, found.remedies) == (1, (), ())


@pytest.mark.parametrize("ranking", SearchMethod)
def test_place_score_and_why_are_those_of_the_search(ranking: SearchMethod) -> None:
    """Whichever ranking, the answer explains the one that `search` gives."""
    searched = search(
        SearchRequest(query="cancel my order", top_k=10, method=ranking, explain=True, prerequisites=0),
        ConsistentGraph(INDEX),
    )

    explained = ask("cancel my order", *(found.id for found in searched.tools), method=ranking, top_k=10)

    assert searched.tools
    assert [(found.place, found.score, found.why) for found in explained.tools] == [
        (place, found.score, found.why) for place, found in enumerate(searched.tools, 1)
    ]
    assert explained.cut == searched.tools[-1].score


def test_places_count_only_what_the_filters_allow() -> None:
    """Place and number are those of the list that the filters leave."""
    answer = ask("order", "orders/list_orders", filters={"read_only": True}, top_k=1)

    assert answer.allowed == 3
    assert 1 <= (answer.tools[0].place or 0) <= 3


def test_what_gave_way_among_the_first_places_stands_where_the_answer_has_it() -> None:
    """The fourth of a flood that nobody reviewed fits better than what is before it."""
    flood = [tool(f"flood{at}/cancel_my_order", "Cancel my order.", reviewed=False) for at in range(4)]
    index = SearchIndex.build(catalogue([*SHOP.tools, *flood]))
    searched = search(SearchRequest(query="cancel my order", top_k=10), ConsistentGraph(index))

    explained = ask("cancel my order", *(found.id for found in searched.tools), index=index, top_k=5)

    assert [found.id for found in searched.tools[:4]] == [
        *(f"flood{at}/cancel_my_order" for at in range(3)),
        "orders/cancel_order",
    ]
    assert [found.place for found in explained.tools] == [*range(1, len(searched.tools) + 1)]
    late = next(found for found in explained.tools if found.id == "flood3/cancel_my_order")
    assert (late.case, late.place) == (StandingCase.BELOW_CUT, 6)
    assert late.why[0].kind is ReasonKind.UNREVIEWED


def test_a_hidden_tool_is_unknown_and_takes_no_place() -> None:
    """Who does not see a tool learns nothing of it, not even that something stands above."""
    visible = INDEX.positions
    mask = INDEX.read_only | (visible["orders/cancel_order"] < 0)
    mask[visible["orders/cancel_order"]] = False
    graph = ConsistentGraph(INDEX, view=INDEX.view(mask))

    answer = why_not(
        ExplainRequest(query="cancel my order", tools=("orders/cancel_order", "orders/get_order")), graph
    )

    hidden, seen = answer.tools
    assert hidden.case is StandingCase.UNKNOWN
    assert "orders/cancel_order" not in (hidden.near or ())
    assert (seen.place, answer.allowed) == (1, 3)
    assert {lack.tool for lack in seen.lacks} <= {"orders/list_orders"}


@settings(max_examples=60)
@given(st.text(min_size=1, max_size=60))
def test_an_entry_to_copy_is_yaml_that_says_the_request(query: str) -> None:
    """Whatever the request holds, nothing of it is read as YAML."""
    for remedy in one(query, "orders/get_order", top_k=1).remedies:
        if remedy.kind is RemedyKind.METHOD:
            (entry,) = yaml.safe_load(remedy.taxonomy or "")["methods"]
            assert entry["examples"] == [squeezed(without_hidden(query))]
            assert entry["implements"] == ["orders/get_order"]


def test_a_new_method_has_an_id_that_no_other_has() -> None:
    """An entry that is copied replaces nothing."""
    taken = catalogue(
        [tool("shop/pay", "Pays."), tool("shop/ship", "Ships.")], methods=[method("shop.pay", ["shop/ship"])]
    )

    found = one("settle the bill", "shop/pay", index=SearchIndex.build(taken))

    assert [remedy.method for remedy in found.remedies] == ["shop.pay-2"]
