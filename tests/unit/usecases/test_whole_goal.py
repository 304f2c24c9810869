"""Goals asked as requests for tools, with the encoder that comes along and with another one."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from app.adapters.encoders.onnx import OnnxEncoder
from app.answers.plan import PlanAnswer
from app.domain.nodes.models import Tool
from app.domain.workflows.plans import Plan
from app.usecases.index.encoding import ToolEncoder
from app.usecases.index.search_index import SearchIndex
from app.usecases.plan import make_plan
from app.usecases.plans.meant import MeantTasks
from app.usecases.plans.reach import EVERYTHING_IN_REACH, CallReach
from app.usecases.questions import Filters, PlanRequest
from app.usecases.rankings.consistent import ConsistentGraph
from bench.sets.openapi_tools import read_tools
from bench.sets.suggested import with_common
from tests.calls import TEXT, call, page, record
from tests.unit.catalogues import catalogue
from tests.unit.usecases.test_meaning import Concepts

TOOLS = [
    call("GET /disputes", "listDisputes", "List disputes", answer=page("disputes", record("Dispute", "id"))),
    call(
        "POST /disputes/{dispute_id}/accept",
        "acceptDispute",
        "Accept a dispute. The money goes back to whoever paid",
        details={"dispute_id": {"examples": ["dp_81fA"]}},
    ),
    call("POST /disputes/{dispute_id}/evidence", "addEvidence", "Add a document", body={"file": TEXT}),
    call("POST /payouts", "makePayout", "Send the balance to a bank", body={"amount": {"type": "integer"}}),
    call("GET /balance", "showBalance", "What there is"),
]
DOCUMENTS = Path(__file__).resolve().parents[3] / "bench" / "goals" / "documents"
DEPLOYMENTS = read_tools(DOCUMENTS / "shipyardci.json", server="shipyardci")
LIST, ROLLBACK = "shipyardci/listDeployments", "shipyardci/rollbackDeployment"
GOAL = "dp_7731, let the buyer have it, we are tired of the fight"
NOWHERE = "we don't need our umbrella, let the sun come out"


@cache
def encoder() -> ToolEncoder:
    return ToolEncoder(OnnxEncoder())


def graph(encoded: ToolEncoder, tools: Sequence[Tool] = TOOLS) -> ConsistentGraph:
    index = SearchIndex.build(with_common(catalogue(tools)))
    encoded.attach(index, at_once=0)
    encoded.complete(index, goes_on=lambda: True)
    return ConsistentGraph(index)


def calls(found: PlanAnswer) -> list[str]:
    return [step.tool_id.split("/", 1)[1] for step in found.plan.steps]


def rollback(reach: CallReach = EVERYTHING_IN_REACH) -> Plan:
    goal = "go back on the latest successful production deployment of project 88"
    return make_plan(PlanRequest(goal=goal), graph(encoder(), DEPLOYMENTS), reach).plan


def without(tool_id: str) -> CallReach:
    """The reach of somebody who may call everything else."""
    allowed = frozenset(tool.id for tool in DEPLOYMENTS) - {tool_id}
    return CallReach(callable_ids=allowed, is_ruled=True, is_closed=True)


def test_a_goal_whose_tasks_say_no_verb_is_asked_as_a_request() -> None:
    found = rollback()
    assert [step.tool_id for step in found.steps] == [LIST, ROLLBACK]
    assert [one.step for one in found.warnings if one.code == "by_whole_goal"] == [2]


def test_who_may_not_call_the_change_keeps_the_reads() -> None:
    found = rollback(without(ROLLBACK))
    assert [step.tool_id for step in found.steps] == [LIST]
    assert any(one.message.startswith(f"{ROLLBACK} may not be called") for one in found.warnings)


def test_a_read_that_may_not_be_called_is_not_replaced_by_the_change() -> None:
    found = rollback(without(LIST))
    assert LIST not in [step.tool_id for step in found.steps]
    assert not any("fits less well" in one.message for one in found.warnings)


def test_a_goal_that_nothing_fits_stays_unmet() -> None:
    found = make_plan(PlanRequest(goal=NOWHERE), graph(encoder()))
    assert calls(found) == []
    assert found.plan.unmet


def test_what_is_found_is_a_change_before_all_reads() -> None:
    meant = MeantTasks(graph(encoder()))
    tools = meant.first(GOAL, Filters())

    assert tools is not None
    assert tools.next >= 0
    assert 0 < tools.confidence <= 1
    assert meant.first("what is our balance?", Filters()) is None


def test_another_encoder_is_given_no_value_of_a_goal() -> None:
    other = Concepts()
    asked: list[str] = []
    plain = other.encode_request

    def kept(parts: Sequence[str]) -> object:
        asked.extend(parts)
        return plain(parts)

    other.encode_request = kept  # type: ignore[method-assign,assignment]
    make_plan(PlanRequest(goal=GOAL), graph(ToolEncoder(other)))

    assert asked
    assert not any("dp_7731" in text for text in asked)
