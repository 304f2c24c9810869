"""Plans that are closed over what their caller may call, over REST and MCP; and which tools count as down."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.domain.access.callers import CallerEntry, CallerList, CallerScope, digest_of
from app.domain.access.rules import Act, Rule, RuleBook
from app.domain.calling.calls import CallLimits
from app.domain.moments import utc_text
from app.domain.nodes.models import NodeKind, Provision, SourceId
from app.usecases.call import ToolCaller
from app.usecases.plans.reach import Outages
from tests.fakes import InMemoryGraph
from tests.hidden import TOKEN, Book, asked_as, caller_list
from tests.ingest_cases import ingest, manifest, taxonomy, tool
from tests.service import client, wait_until

STAFF = frozenset({"staff"})
NO_CALLS = "oft_" + "n" * 43
CITY = {
    "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    "annotations": {"readOnlyHint": True},
}
GOAL = {"goal": "get the current weather for the city Berlin"}
BOOK = RuleBook(
    (
        Rule("plan", STAFF, may=frozenset({Act.PLAN}), tools=("*",)),
        Rule("call", STAFF, may=frozenset({Act.CALL}), tools=("breeze/*",)),
    )
)


def weather(folder: Path) -> InMemoryGraph:
    """Two servers of weather that are stated to be equivalent."""
    graph = InMemoryGraph()
    said = tool("current_weather", "Gets the current weather of a city", **CITY)
    method = {"id": "current", "implements": ["aerial/current_weather", "breeze/current_weather"]}
    ingest(
        graph,
        manifest(folder, "aerial", said),
        manifest(folder, "breeze", said),
        taxonomy(folder, "ours", methods=[{**method, "name": "current weather"}]),
    )
    return graph


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[TestClient]:
    with asked_as(weather(tmp_path), Book(BOOK)) as found:
        yield found


def planned(opened: TestClient, **more: Any) -> Any:
    answer = opened.post("/v1/plan", json={**GOAL, **more})
    assert answer.status_code == 200
    return answer.json()


def test_each_step_says_whether_its_caller_may_call_it(opened: TestClient) -> None:
    """Where the service passes no calls on, such steps are there."""
    (step,) = planned(opened)["steps"]

    assert (step["tool_id"], step["may_call"], step["is_up"]) == ("aerial/current_weather", False, True)
    assert planned(opened, only_callable=False)["steps"] == [step]


def test_an_equivalent_stands_in_with_its_mapping(opened: TestClient) -> None:
    """The same over REST, MCP and as a chart."""
    (step,) = planned(opened, only_callable=True)["steps"]

    assert step["tool_id"] == "breeze/current_weather"
    assert step["bindings"] == {"city": {"known": "Berlin"}}
    assert step["instead_of"] == {
        "tool_id": "aerial/current_weather",
        "reason": "not_callable",
        "because": "both implement the method 'current'",
        "inputs": [{"name": "city", "was": "city", "type": "string"}],
        "outputs": [],
    }
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "plan_workflow", "arguments": {**GOAL, "only_callable": True}},
    }
    headers = {"Accept": "application/json, text/event-stream"}
    result = opened.post("/mcp", json=message, headers=headers).json()["result"]
    assert json.loads(result["content"][0]["text"])["steps"] == [step]
    chart = opened.post("/v1/plan?format=mermaid", json={**GOAL, "only_callable": True}).text
    assert "instead of aerial/current_weather, which may not be called by you: city is its city" in chart


def test_where_calls_are_passed_on_plans_are_closed_unless_they_are_asked_for_open(tmp_path: Path) -> None:
    def caller(generation: Callable[[], int]) -> AbstractContextManager[ToolCaller]:
        nothing: Any = None
        return nullcontext(ToolCaller(nothing, nothing, nothing, nothing, nothing, CallLimits(), generation))

    rules = Book(BOOK)
    with client(weather(tmp_path), callers=caller_list, rules=rules.now, open_caller=caller) as opened:
        opened.headers["Authorization"] = f"Bearer {TOKEN}"
        wait_until(lambda: opened.get("/v1/facets").status_code == 200)
        closed, wide = planned(opened), planned(opened, only_callable=False)

    assert [step["tool_id"] for step in closed["steps"]] == ["breeze/current_weather"]
    assert [step["tool_id"] for step in wide["steps"]] == ["aerial/current_weather"]


def test_what_was_so_at_one_time_is_not_kept(opened: TestClient) -> None:
    """A stored workflow is read by others, later."""
    plan = {
        name: planned(opened, only_callable=True)[name] for name in ("goal", "steps", "inputs", "warnings")
    }
    kept = opened.post("/v1/workflows", json={"id": "w", "plan": plan}).json()["plan"]

    assert [step["tool_id"] for step in kept["steps"]] == ["breeze/current_weather"]
    assert not {"may_call", "is_up", "instead_of"} & kept["steps"][0].keys()
    assert "aerial" not in json.dumps(kept)


def test_without_policies_and_the_option_a_plan_is_what_it_was(tmp_path: Path) -> None:
    with client(weather(tmp_path), callers=caller_list) as opened:
        opened.headers["Authorization"] = f"Bearer {TOKEN}"
        wait_until(lambda: opened.get("/v1/facets").status_code == 200)
        (step,) = planned(opened)["steps"]
        (asked,) = planned(opened, only_callable=True)["steps"]

    assert not {"may_call", "is_up", "instead_of", "ask"} & step.keys()
    assert asked == {**step, "may_call": True, "is_up": True}


def test_who_lacks_the_scope_of_calls_may_call_nothing(tmp_path: Path) -> None:
    entry = CallerEntry(
        "planner", digest_of(NO_CALLS), STAFF, frozenset({CallerScope.FIND, CallerScope.PLAN})
    )
    rules = Book(BOOK)
    with client(weather(tmp_path), callers=lambda: CallerList.of([entry]), rules=rules.now) as opened:
        opened.headers["Authorization"] = f"Bearer {NO_CALLS}"
        wait_until(lambda: opened.get("/v1/facets").status_code == 200)
        closed = planned(opened, only_callable=True)

    assert closed["steps"] == []
    (unmet,) = closed["unmet"]
    assert unmet["fits"] == "aerial/current_weather"
    assert unmet["reason"] == "aerial/current_weather fits and may not be called by you"


def failing(graph: InMemoryGraph, name: str, since: datetime) -> None:
    """Its syncs have failed since then."""
    (source,) = [one for one in graph.sources() if one.id == f"manifest:{name}"]
    with graph.lease(owner="tests:1:0", wait_s=1.0) as lease:
        lease.put_sources([source.model_copy(update={"healthy": False, "problem_at": utc_text(since)})])


def test_a_source_is_down_once_it_has_failed_for_ten_minutes(tmp_path: Path) -> None:
    graph, now = weather(tmp_path), datetime(2026, 3, 1, 12, tzinfo=UTC)
    clock = [now.timestamp()]
    outages = Outages(graph, now=lambda: clock[0])
    assert outages.down() == frozenset()
    failing(graph, "aerial", now - timedelta(minutes=5))

    clock[0] += 10
    assert outages.down() == frozenset()
    clock[0] += 5 * 60
    assert outages.down() == {"aerial/current_weather"}

    clock[0] += 10
    graph.reachable = False
    assert outages.down() == {"aerial/current_weather"}


def test_a_tool_is_up_while_one_of_its_sources_is(tmp_path: Path) -> None:
    """A call goes to whichever answers."""
    graph, now = weather(tmp_path), datetime(2026, 3, 1, 12, tzinfo=UTC)
    described = Provision(
        kind=NodeKind.TOOL,
        id="aerial/current_weather",
        source=SourceId("manifest:breeze"),
        content_hash="x",
        declares=False,
    )
    failing(graph, "aerial", now - timedelta(hours=1))
    assert Outages(graph, now=now.timestamp).down() == {"aerial/current_weather"}

    with graph.lease(owner="tests:1:0", wait_s=1.0) as lease:
        lease.put_provisions([described])
    assert Outages(graph, now=now.timestamp).down() == frozenset()
