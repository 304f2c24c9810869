"""White space of questions, and what hostile ones may take."""

import re
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.language.visible_text import QUOTED, squeezed
from app.usecases.index.search_index import SearchIndex
from app.usecases.plan import make_plan
from app.usecases.questions import PlanRequest, SearchMethod, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from ingest.sources.files import file_input
from tests.cpu import cpu_within
from tests.fakes import InMemoryGraph
from tests.ingest_cases import ingest, manifest, tool
from tests.service import EXAMPLES

TEXTS = st.text(st.sampled_from("ab1 \t\n\r\v\u2028\u00a0\u3000\"'“”.,-"), max_size=40) | st.text(max_size=40)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cancel   my\torder", "cancel my order"),
        ("  one \n\n\n two\r\nthree \n", "one\ntwo\nthree"),
        ("first\u2028second\u00a0\u00a0third", "first\nsecond third"),
        ('search  "Love   Songs"  now', 'search "Love   Songs" now'),
        ("find  “a\n\n b”  and  'c   d'", "find “a\n\n b” and 'c   d'"),
        ("it's  the  users'  turn", "it's the users' turn"),
        ('15"  of  rain', '15" of rain'),
        (" \n ", ""),
    ],
)
def test_a_run_is_one_space_or_one_line_break(text: str, expected: str) -> None:
    """Lines stay, since they part what is asked; what is quoted stays whole."""
    assert squeezed(text) == expected


@given(TEXTS)
def test_nothing_else_changes(text: str) -> None:
    """Words and quoted texts are the same, a second time changes nothing, no run is left outside of quotes."""
    once = squeezed(text)

    assert squeezed(once) == once
    assert once.split() == text.split()
    assert re.findall(QUOTED, once) == re.findall(QUOTED, text)
    outside = re.sub(r"\"[^\"]+\"|(?<!\w)'[^']+'(?!\w)|“[^“”]+”", "q", once)
    assert not re.search(r"\s\s", outside)
    assert outside == outside.strip()


@pytest.mark.parametrize("pump", [" ", "\n", '"', "“", "' ", ' "', "\u3000a"])
def test_it_takes_linear_time(pump: str) -> None:
    """A body of a megabyte may be one text."""
    with cpu_within(0.5):
        squeezed(pump * (200_000 // len(pump)))


@pytest.fixture(scope="module")
def graph() -> InMemoryGraph:
    found = InMemoryGraph()
    ingest(found, file_input("openapi", EXAMPLES / "openapi.yaml", name="shop"))
    return found


@pytest.fixture(scope="module")
def index(graph: InMemoryGraph) -> SearchIndex:
    return SearchIndex.build(graph.catalogue())


def test_every_question_is_squeezed(index: SearchIndex, graph: InMemoryGraph) -> None:
    """Searches and plans, whoever asks them, give the same for any white space; a plan shows its goal so."""
    spaced = "cancel   my\n\n\n order\tand refund    the payment  "
    plain = "cancel my\norder and refund the payment"

    for method in SearchMethod:
        answers = [
            search(SearchRequest(query=text, method=method, explain=True), ConsistentGraph(index, graph))
            for text in (spaced, plain)
        ]
        assert answers[0] == answers[1]
    plans = [make_plan(PlanRequest(goal=text), ConsistentGraph(index, graph)) for text in (spaced, plain)]
    assert plans[0] == plans[1]
    assert plans[0].plan.goal == plain


def test_a_goal_of_many_parts_is_planned_up_to_a_bound(tmp_path: Path) -> None:
    """The first 50 parts are, which is as many steps as a plan may have; a warning says where the rest begins."""
    graph = InMemoryGraph()
    names = ["".join(letters) for letters in product("bdfgk", "aeiou", "lmnrt", "aeo")][:300]
    ingest(graph, manifest(tmp_path, "words", *(tool(f"archive_{name}") for name in names)))
    index = SearchIndex.build(graph.catalogue())
    goal = ", ".join(f"archive {name}" for name in names)
    _ = index.plan_index
    with cpu_within(1.0):
        plan = make_plan(PlanRequest(goal=goal, max_steps=10), ConsistentGraph(index, graph)).plan
    assert [step.tool_id for step in plan.steps] == [f"words/archive_{name}" for name in names[:10]]
    assert [one.code for one in plan.warnings] == ["max_steps"] * 41
    assert plan.warnings[-2].message.startswith(f"no room for 'archive {names[49]}'")
    assert plan.warnings[-1].message == (
        f"no room for 250 more parts of the goal, from 'archive {names[50]}' on; a goal has at most 50 that are planned"
    )


def test_reasons_of_many_tools_take_no_longer_than_the_search(
    index: SearchIndex, graph: InMemoryGraph
) -> None:
    """The words of a query are looked at once, not once for each tool of the answer."""
    request = SearchRequest(query="refund cancel order payment " * 140, top_k=100, explain=True)
    with cpu_within(0.5):
        answer = search(request, ConsistentGraph(index, graph))

        assert len(answer.tools) >= 9


@pytest.mark.parametrize(
    "question",
    [
        "order" + " " * 3_900 + "x",
        'cancel order "' + " " * 3_900 + '"',
        "A" * 4_000,
        "<" * 4_000,
        "(" * 4_000,
        "“" * 4_000,
        "{" * 4_000,
        "cancel order " + "," * 3_900,
        "a@" * 2_000,
        "order 1" * 500,
        "id " * 1_300,
        "refund, " * 500,
    ],
    ids=lambda text: text[:20],
)
def test_no_question_takes_long(question: str, index: SearchIndex, graph: InMemoryGraph) -> None:
    """4,000 characters are accepted; whatever they are, they cost less than a second of CPU."""
    with cpu_within(1.0):
        make_plan(PlanRequest(goal=question), ConsistentGraph(index, graph))
        for method in SearchMethod:
            search(SearchRequest(query=question, method=method, top_k=20), ConsistentGraph(index, graph))
