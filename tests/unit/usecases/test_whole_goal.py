"""Goals asked as requests for tools, with the encoder that comes along and with another one."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from app.adapters.encoders.onnx import OnnxEncoder
from app.answers.plan import PlanAnswer
from app.domain.nodes.models import Tool
from app.usecases.index.encoding import ToolEncoder
from app.usecases.index.search_index import SearchIndex
from app.usecases.plan import make_plan
from app.usecases.plans.meant import MeantTasks
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
GOAL = "dp_7731, let the buyer have it, we are tired of the fight"
DOCUMENTS = Path(__file__).resolve().parents[3] / "bench" / "goals" / "documents"
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


def test_a_goal_whose_tasks_say_no_verb_is_asked_as_a_request() -> None:
    tools = read_tools(DOCUMENTS / "shipyardci.json", server="shipyardci")
    goal = "go back on the latest successful production deployment of project 88"
    found = make_plan(PlanRequest(goal=goal), graph(encoder(), tools)).plan
    by_id = {tool.id: tool for tool in tools}

    last = by_id[found.steps[-1].tool_id]
    assert (last.method, last.path) == ("POST", "/deployments/{deploymentId}/rollback")
    assert [one.step for one in found.warnings if one.code == "by_whole_goal"] == [len(found.steps)]


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
