"""What methods of the common taxonomy suggest: found where words say nothing, out of the way where they do."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.answers.search import QueryAnswer, ReasonKind
from app.domain.nodes.models import ScoredId
from app.domain.ranking.graph_scores import Channel, auto_contributions, channel_sums
from app.domain.ranking.recipe import RECIPE
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import Filters, SearchMethod, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from tests.unit.catalogues import catalogue, common_method, method, tool

TOOLS = [
    tool("sky/conditions", "Returns observations of a station", read_only=True),
    tool("sky/stations", "Lists stations near a place", read_only=True),
    tool("shop/createRefund", "Refunds a charge"),
    tool("shop/listCharges", "Lists charges of an account", read_only=True),
    tool("desk/openTicket", "Opens a ticket for the help desk"),
    tool("desk/closeTicket", "Closes a ticket"),
]
COMMON = [
    common_method(
        "weather.now",
        {"sky/conditions": 0.9, "sky/stations": 0.4},
        name="Get current weather",
        description="Returns temperature and wind at a place now.",
        examples=["Do I need a jacket today?", "Brauche ich heute eine Jacke?"],
    ),
    common_method(
        "payments.refund",
        {"shop/createRefund": 1.0},
        name="Refund a payment",
        description="Gives money back.",
        examples=["The customer wants their money back"],
    ),
]
PLAIN, WITH = SearchIndex.build(catalogue(TOOLS)), SearchIndex.build(catalogue(TOOLS, methods=COMMON))


def ask(query: str, index: SearchIndex = WITH, *, hidden: str = "", **options: object) -> QueryAnswer:
    request = SearchRequest.model_validate({"query": query, "explain": True, "prerequisites": 0, **options})
    if not hidden:
        return search(request, ConsistentGraph(index))
    visible = np.array([one.server != hidden for one in index.catalogue.tools], np.bool_)
    return search(request, ConsistentGraph(index, view=index.view(visible)))


def ids(answer: QueryAnswer) -> list[str]:
    return [one.id for one in answer.tools]


def test_a_request_that_no_tool_says_finds_what_a_common_method_suggests() -> None:
    """In the order of their confidence, with the method as the reason."""
    assert ask("do I need a jacket", PLAIN).abstained

    found = ask("do I need a jacket")

    assert ids(found) == ["sky/conditions", "sky/stations"]
    (reason,) = found.tools[0].why or ()
    assert reason.kind is ReasonKind.METHOD
    assert [(step.id, step.name, step.edge) for step in reason.path or ()] == [
        ("weather.now", "Get current weather", "SUGGESTS")
    ]
    assert found.tools[0].score / found.tools[1].score == pytest.approx(0.9 / 0.4)


def test_a_request_in_another_language_is_heard_by_the_methods_examples() -> None:
    assert ids(ask("Brauche ich heute eine Jacke?"))[0] == "sky/conditions"


@pytest.mark.parametrize("query", ["close the ticket", "lists charges of an account", "refunds a charge"])
def test_a_request_that_words_say_is_ranked_as_without(query: str) -> None:
    """The tool that says all of it leaves nothing to suggest."""
    plain, found = ask(query, PLAIN), ask(query)

    assert ids(found)[0] == ids(plain)[0]
    assert found.tools[0].score == pytest.approx(plain.tools[0].score)


@pytest.mark.parametrize(
    "query",
    [
        "do I need a jacket",
        "money back for a charge of this customer",
        "close the ticket of the customer who wants their money back",
        "stations with wind",
        "refund",
    ],
)
@pytest.mark.parametrize("methods", [[], [method("m", ["desk/openTicket"], name="Ask for help")]])
def test_reasons_add_up(query: str, methods: list[object]) -> None:
    """Whether or not a taxonomy's methods speak as well, which is without feedback."""
    index = SearchIndex.build(catalogue(TOOLS, methods=[*COMMON, *methods]))

    for one in ask(query, index).tools:
        assert sum(reason.contribution for reason in one.why or ()) == pytest.approx(one.score, rel=1e-6)


def test_who_does_not_see_a_tool_learns_nothing_of_what_suggests_it() -> None:
    """Neither the tool nor the words of the method; what others suggest is as it was."""
    assert ask("do I need a jacket", hidden="sky").abstained
    assert ids(ask("my money back", hidden="sky")) == ids(ask("my money back")) == ["shop/createRefund"]
    assert ids(ask("my money back", hidden="shop")) == []


def test_a_filter_takes_suggestions_away_and_adds_none() -> None:
    assert ids(ask("my money back", filters=Filters(read_only=True))) == []
    assert ids(ask("do I need a jacket", filters=Filters(servers=["sky"])))[0] == "sky/conditions"


@pytest.mark.parametrize("ranking", [SearchMethod.BM25, SearchMethod.KG_HYBRID])
def test_the_reference_rankings_know_nothing_of_it(ranking: SearchMethod) -> None:
    """They are what others published."""
    for query in ("do I need a jacket", "refund a charge", "ticket"):
        assert ids(ask(query, method=ranking)) == ids(ask(query, PLAIN, method=ranking))


def test_a_common_method_that_suggests_nothing_is_not_heard() -> None:
    idle = common_method("weather.storm", {}, name="Warn of a storm")

    assert ask("storm", SearchIndex.build(catalogue(TOOLS, methods=[idle, *COMMON]))).abstained


def test_an_answer_says_how_sure_it_is_and_keeps_its_tools() -> None:
    """What neither a tool nor a common method says well is abstained from; without common methods nothing is known."""
    sure, unsure = ask("refund a charge"), ask("paint the charge of the fence green")

    assert sure.confidence is not None
    assert unsure.confidence is not None
    assert (sure.abstained, unsure.abstained) == (False, True)
    assert sure.confidence >= RECIPE.confident > unsure.confidence
    assert unsure.tools
    assert ask("refund a charge", PLAIN).confidence is None


@given(
    st.lists(
        st.dictionaries(st.sampled_from([*(one.id for one in TOOLS), "gone/tool"]), st.floats(0.1, 1)),
        max_size=4,
    ),
    st.lists(st.floats(0.01, 1), min_size=4, max_size=4),
)
def test_suggestions_are_those_of_the_sums(
    links: Sequence[Mapping[str, float]], scores: Sequence[float]
) -> None:
    """The same when they are asked for again; without tools that are not there."""
    methods = [common_method(f"m{number}", some) for number, some in enumerate(links)]
    index = SearchIndex.build(catalogue(TOOLS, methods=methods))
    seeds = [ScoredId(id=f"m{number}", score=score) for number, score in enumerate(scores)]
    sums = channel_sums(
        auto_contributions(index.catalogue, methods=[], templates=[], concepts=[], common=seeds)
    )
    of_all = sums.get(Channel.SUGGESTION, {})

    for found in (index.suggestions(seeds), index.suggestions(seeds)):
        ids_found = [index.catalogue.tools[at].id for at in found.positions.tolist()]
        assert ids_found == sorted(of_all.keys() & index.positions.keys())
        assert found.scores.tolist() == [of_all[one] for one in ids_found]
