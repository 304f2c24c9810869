"""The change that a whole goal asks for, where no task of it leads to one."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.choosing.targets import ClauseScores
from app.domain.choosing.whole_goal import ChangeOfGoal, evidence_of, likelihood
from app.domain.planning.draft import draft_plan, requirements_within
from app.domain.planning.finish import finish_plan
from app.domain.planning.index import PlanIndex
from app.domain.planning.meant import FoundFirst
from app.domain.ranking.runs import NOTHING_REACHED
from app.domain.reading.models import AskedTask
from app.domain.workflows.plans import Plan
from ingest.enrich.requires.dependencies import infer_dependencies
from tests.calls import TEXT, call, page, record

DISPUTES = [
    call(
        "GET /disputes",
        "listDisputes",
        "List disputes",
        answer=page("disputes", record("Dispute", "id", "reason")),
    ),
    call("POST /disputes/{dispute_id}/accept", "acceptDispute", "Concede"),
    call("POST /payouts", "makePayout", "Pay out", body={"amount": {"type": "integer"}}),
    call("PATCH /notes/{note_id}", "updateNote", "Change a note", optional={"text": TEXT}),
    call("DELETE /accounts/{account_id}", "removeAccount", "Drop an account"),
]
PLACES = {tool.name: at for at, tool in enumerate(DISPUTES)}
GOAL = "let the buyer have it, dp_7731 made us enough trouble"
SURE = 0.97


class Finder:
    """Finds the same tool for every text, and keeps what it was asked."""

    def __init__(self, name: str, *, nearest: float = 0.1, confidence: float = SURE) -> None:
        self._found = FoundFirst(PLACES[name], nearest, confidence)
        self.asked: list[str] = []

    def __call__(self, text: str) -> FoundFirst | None:
        self.asked.append(text)
        return self._found


def plan(
    goal: str, find: Finder, *, tasks: Sequence[AskedTask] = (), scope: frozenset[int] | None = None
) -> Plan:
    index = PlanIndex(DISPUTES)
    edges = requirements_within(infer_dependencies(DISPUTES).requires)
    draft = draft_plan(index, goal, requirements=edges, known={}, tasks=tasks, scope=scope, find=find)
    return finish_plan(index, draft)


def names(found: Plan) -> list[str]:
    return [step.tool_id.split("/", 1)[1] for step in found.steps]


def test_what_is_found_first_for_all_of_a_goal_is_called() -> None:
    find = Finder("acceptDispute")
    found = plan(GOAL, find)

    assert names(found) == ["acceptDispute"]
    assert find.asked == [GOAL]
    assert [one.step for one in found.warnings if one.code == "by_whole_goal"] == [1]
    assert found.unmet == ()


@pytest.mark.parametrize(("nearest", "confidence"), [(0.1, 0.3), (1.0, 0.8)])
def test_an_answer_that_is_not_sure_changes_nothing(nearest: float, confidence: float) -> None:
    """Because little fits at all, or because another change fits as well."""
    found = plan(GOAL, Finder("acceptDispute", nearest=nearest, confidence=confidence))
    assert "acceptDispute" not in names(found)
    assert "by_whole_goal" not in {one.code for one in found.warnings}


@pytest.mark.parametrize(
    "goal", ["what is the reason of dispute dp_7731?", 'change the text of note 7 to "done"']
)
def test_a_goal_that_asks_or_changes_by_its_tasks_is_not_asked_again(goal: str) -> None:
    find = Finder("acceptDispute")
    assert "acceptDispute" not in names(plan(goal, find))
    assert find.asked == []


def test_tasks_of_a_caller_say_what_to_do_themselves() -> None:
    find = Finder("acceptDispute")
    plan(GOAL, find, tasks=[AskedTask(do="let the buyer have it")])
    assert find.asked == []


def test_nothing_is_called_that_may_not_be() -> None:
    scope = frozenset(PLACES.values()) - {PLACES["acceptDispute"]}
    assert "acceptDispute" not in names(plan(GOAL, Finder("acceptDispute"), scope=scope))


def test_a_deletion_has_to_be_sure_by_a_task_as_well() -> None:
    """No word of a task says that anything is to go."""
    goal = "acc_55120 made us enough trouble"
    assert names(plan(goal, Finder("acceptDispute")))[-1] == "acceptDispute"
    assert "removeAccount" not in names(plan(goal, Finder("removeAccount")))


@pytest.mark.parametrize(
    "goal",
    [
        "dp_7731, don't let the buyer have it",
        "dp_7731, do not concede, we fight this one",
        "dp_7731, we will not let the buyer have it, we will fight",
        "we fight dp_7731, the buyer won\u2019t have it",
        "dp_7731, nobody may give in to the buyer before Friday",
        "let the buyers have it, just hold back dp_7731",
        "dp_7731, leave it as it is, no money back for the buyer",
        "dp_7731: if the amount is below 50 let the buyer have it, otherwise we fight",
    ],
)
def test_a_goal_that_denies_something_is_not_asked(goal: str) -> None:
    """A search hears what is denied as what is asked for."""
    find = Finder("acceptDispute")
    assert names(plan(goal, find)) == names(plan(goal, Finder("acceptDispute", confidence=0.0)))
    assert "by_whole_goal" not in {one.code for one in plan(goal, find).warnings}


@pytest.mark.parametrize("goal", ["find out why the buyer has it", "check whether the buyer has it"])
def test_a_goal_that_looks_something_up_changes_nothing(goal: str) -> None:
    assert "acceptDispute" not in names(plan(goal, Finder("acceptDispute")))


@given(
    sure=st.floats(0, 1),
    more=st.floats(0, 1),
    nearest=st.floats(0, 2),
    confidence=st.floats(0, 1),
)
def test_what_speaks_for_a_change_makes_it_no_less_likely(
    sure: float, more: float, nearest: float, confidence: float
) -> None:
    clause = ClauseScores(0, "", NOTHING_REACHED, (), NOTHING_REACHED)

    def one(sure: float, nearest: float, confidence: float) -> ChangeOfGoal:
        return ChangeOfGoal(clause, sure, FoundFirst(0, nearest, confidence))

    base = likelihood(one(sure, nearest, confidence))
    assert 0 <= base <= 1
    assert likelihood(one(max(sure, more), nearest, confidence)) >= base
    assert likelihood(one(sure, nearest, max(confidence, more))) >= base
    assert likelihood(one(sure, nearest + more, confidence)) <= base
    assert len(evidence_of(one(sure, nearest, confidence))) == 3
