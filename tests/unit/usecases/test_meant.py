"""What the tasks of a goal are compared with: what whoever asks sees, in one question, and words where nobody answers."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.answers.plan import PlanAnswer
from app.usecases.index.encoding import ToolEncoder
from app.usecases.index.narrowed import narrowed_index
from app.usecases.index.search_index import SearchIndex
from app.usecases.plan import make_plan
from app.usecases.plans.meant import MeantTasks
from app.usecases.questions import PlanRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.rankings.outside import Outside
from tests.unit.catalogues import catalogue, common_method, tool
from tests.unit.usecases.test_meaning import Concepts
from tests.unit.usecases.test_suggestions import COMMON

TOOLS = [
    tool("sky/conditions", "Wind of a station", read_only=True),
    tool("sky/stations", "Lists stations near a place", read_only=True),
    tool("shop/listCharges", "Lists what was billed", read_only=True),
    tool("sea/boats", "Who may sail", read_only=True),
    tool("sea/gone", "What is known of a boat", declared=True),
]


def encoded(tools: Sequence[object] = TOOLS, **options: object) -> SearchIndex:
    index = SearchIndex.build(catalogue(tools, **options))  # type: ignore[arg-type]
    ToolEncoder(Concepts()).attach(index)
    return index


def ask(goal: str, index: SearchIndex, **options: object) -> PlanAnswer:
    return make_plan(PlanRequest(goal=goal), ConsistentGraph(index, **options))  # type: ignore[arg-type]


def calls(answer: PlanAnswer) -> list[str]:
    return [step.tool_id for step in answer.plan.steps]


def test_a_plan_calls_what_means_what_the_goal_says() -> None:
    goal = "show the weather"
    assert calls(ask(goal, SearchIndex.build(catalogue(TOOLS)))) == []
    assert calls(ask(goal, encoded())) == ["sky/conditions"]


def test_a_plan_calls_what_a_common_method_suggests() -> None:
    index = SearchIndex.build(catalogue(TOOLS, methods=COMMON))
    assert calls(ask("do I need a jacket today", SearchIndex.build(catalogue(TOOLS)))) == []
    assert calls(ask("do I need a jacket today", index)) == ["sky/conditions"]


def test_a_tool_that_cannot_be_called_takes_no_place() -> None:
    """Positions of the planner are those of the tools that can be called."""
    index = encoded()
    (found,) = MeantTasks(ConsistentGraph(index))(["the weather"], np.arange(4))
    tools = [index.plan_index.tools[at].id for at in found.cosines.positions.tolist()]
    assert "sea/gone" not in tools
    assert tools[int(found.cosines.scores.argmax())] == "sky/conditions"


def test_what_is_suggested_counts_where_it_is_compared() -> None:
    """A common method may suggest a tool of a server that is not asked for."""
    index = encoded(methods=COMMON)
    at = index.callable_positions["sky/conditions"]
    meant, task = MeantTasks(ConsistentGraph(index)), ["do I need a jacket today"]

    (everywhere,) = meant(task, np.arange(4))
    (elsewhere,) = meant(task, np.delete(np.arange(4), at))

    assert everywhere.suggested.score(at) > 0
    assert elsewhere.suggested.within(np.array([at])).positions.size == 0


@given(
    hidden=st.lists(st.booleans(), min_size=5, max_size=5),
    goal=st.sampled_from(
        [
            "show the weather",
            "do I need a jacket today",
            "who may go out in the wind",
            "pay and sail",
            "list it",
        ]
    ),
)
def test_hidden_tools_are_no_candidates_and_change_nothing(hidden: list[bool], goal: str) -> None:
    """A plan is that of a catalogue that never had them: closeness is compared among what is seen."""
    index = encoded(methods=COMMON)
    seen = [one for one, is_hidden in zip(TOOLS, hidden, strict=True) if not is_hidden]
    ids = {one.id for one in seen}
    visible = np.array([one.id in ids for one in index.catalogue.tools])
    narrowed = narrowed_index(index, visible, lambda *_: True)
    methods = [
        common_method(
            one.id,
            {link.target: link.weight for link in one.suggests if link.target in ids},
            name=one.name,
            description=one.description,
            examples=list(one.examples),
        )
        for one in COMMON
    ]

    found, alone = ask(goal, narrowed), ask(goal, encoded(seen, methods=methods))

    assert found.plan == alone.plan


def test_an_encoder_that_does_not_answer_leaves_a_plan_of_words() -> None:
    index = SearchIndex.build(catalogue(TOOLS))
    encoder = Concepts()
    ToolEncoder(encoder).attach(index)
    encoder.works = False

    found = ask("list stations and show the weather", index)

    assert calls(found) == ["sky/stations"]
    assert [one.code for one in found.plan.warnings if one.code == "encoder_unavailable"] == [
        "encoder_unavailable"
    ]


def test_who_waited_long_enough_plans_by_words() -> None:
    found = ask("show the weather", encoded(), outside=Outside(patience_s=0.0))
    assert calls(found) == []
    assert "encoder_unavailable" in {one.code for one in found.plan.warnings}


@pytest.mark.parametrize("times", [1, 3])
def test_the_tasks_of_a_goal_are_encoded_once_and_together(times: int) -> None:
    """And kept, as requests are."""
    encoder = Concepts()
    batches: list[int] = []
    index = SearchIndex.build(catalogue(TOOLS))
    ToolEncoder(encoder).attach(index)
    plain = encoder.encode_request
    encoder.encode_request = lambda parts: batches.append(len(parts)) or plain(parts)  # type: ignore[method-assign,func-returns-value]

    for _ in range(times):
        ask("show the weather and list the charges and see who may sail", index)

    assert batches == [3]
