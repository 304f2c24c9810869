"""What plans, workflows and cards say of flows, over HTTP; and that nothing is said where nothing is toxic."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.domain.access.rules import Act, Rule, RuleBook
from ingest.run.report import Report
from ingest.sources.files import file_input
from tests.fakes import InMemoryGraph
from tests.hidden import TOKEN, caller_list
from tests.ingest_cases import ingest
from tests.service import client, wait_until
from tests.unit.web.pages import pages

TEXT = {"type": "string"}
MESSAGE = {"type": "object", "properties": {"webhook": TEXT, "body": TEXT, "id": TEXT}}
TOOLS = [
    {
        "name": "read_message",
        "description": "Reads the newest message.",
        "inputSchema": {"type": "object", "properties": {}},
        "outputSchema": MESSAGE,
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "send_report",
        "description": "Sends the report.",
        "inputSchema": {
            "type": "object",
            "properties": {"webhook": TEXT, "body": TEXT},
            "required": ["webhook"],
        },
    },
]
NEEDS = "{id: post/send_report, requires: [{tool: post/read_message, parameter: webhook}]}"
DENIED = "{id: post/read_message, labels: {untrusted_content: false}}"


def add(graph: InMemoryGraph, folder: Path, taxonomy: str) -> Report:
    """The server's tools and what a taxonomy says of them."""
    (folder / "post.json").write_text(json.dumps(TOOLS))
    (folder / "house.yaml").write_text(f"tools: [{taxonomy}]")
    return ingest(
        graph,
        file_input("manifest", folder / "post.json", name="post"),
        file_input("taxonomy", folder / "house.yaml", name="house"),
    )


@pytest.fixture
def graph(tmp_path: Path) -> InMemoryGraph:
    found = InMemoryGraph()
    add(found, tmp_path, NEEDS)
    return found


@pytest.fixture
def post(graph: InMemoryGraph) -> Iterator[TestClient]:
    with client(graph) as opened:
        yield opened


def planned(post: TestClient) -> dict[str, Any]:
    answer = post.post("/v1/plan", json={"goal": "send the report"})
    assert answer.status_code == 200, answer.text
    return {key: answer.json()[key] for key in ("goal", "steps", "inputs", "warnings", "unused", "unmet")}


def toxic(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in plan["warnings"] if one["code"] == "toxic_flow"]


def test_a_plan_says_what_somebody_else_could_steer(post: TestClient) -> None:
    """In JSON with its path, red in Mermaid, as a field of its step in Arazzo."""
    plan = planned(post)

    (warning,) = toxic(plan)
    assert (warning["finding"], warning["severity"], warning["steps"]) == ("steered", "high", [1, 2])
    assert warning["path"] == ["post/read_message", "post/send_report webhook"]
    assert warning["instead"] == "let a person choose `webhook` before step 2"
    drawn = post.post("/v1/plan", params={"format": "mermaid"}, json={"goal": "send the report"}).text
    assert drawn.endswith("  linkStyle 0 stroke:#d1242f,stroke-width:3px\n")
    arazzo = post.post("/v1/plan", params={"format": "arazzo"}, json={"goal": "send the report"}).json()
    first, second = arazzo["workflows"][0]["steps"]
    assert "x-outfitter-flow" not in first
    assert second["x-outfitter-flow"][0]["finding"] == "steered"


def test_a_gesture_that_takes_the_flow_away_takes_the_warning_with_it(post: TestClient) -> None:
    """And one that brings it back brings it back."""
    plan = planned(post)
    bind = {"edit": "bind", "step": 2, "parameter": "webhook"}

    def edited(binding: dict[str, Any]) -> dict[str, Any]:
        answer = post.post("/v1/plan/edit", json={"plan": plan, "edit": {**bind, "binding": binding}})
        assert answer.status_code == 200, answer.text
        return dict(answer.json()["plan"])

    assert toxic(edited({"known": "https://house.example/hook"})) == []
    assert toxic(edited({"step": 1, "path": "/id"})) == []
    assert len(toxic(edited({"step": 1, "path": "/body"}))) == 1


def test_a_workflow_is_checked_whenever_it_is_read(
    post: TestClient, graph: InMemoryGraph, tmp_path: Path
) -> None:
    """What was said when it was made is not kept: a label that is stated later counts, and its `ETag` stays."""
    saved = post.post("/v1/workflows", json={"id": "report", "plan": planned(post)})
    assert saved.status_code == 201, saved.text
    assert len(toxic(saved.json()["plan"])) == 1
    assert graph.workflow("report").plan.warnings == ()
    changed = add(graph, tmp_path, f"{NEEDS}, {{id: post/send_report2}}")
    assert [one for one, _ in changed.workflows.toxic] == ["report"]

    add(graph, tmp_path, f"{NEEDS}, {DENIED}")

    read = post.get("/v1/workflows/report")
    assert toxic(read.json()["plan"]) == []
    assert read.headers["ETag"] == saved.headers["ETag"]
    generation = read.json()["generation"]
    wait_until(lambda: post.get("/v1/tools").json()["generation"] == generation)
    assert toxic(planned(post)) == []


def test_a_card_says_labels_where_they_are_stated_or_asked_for(
    post: TestClient, graph: InMemoryGraph, tmp_path: Path
) -> None:
    """Else it is the card that it always was."""
    assert "labels" not in post.get("/v1/tools/post/read_message").json()
    asked = post.get("/v1/tools/post/read_message", params={"labels": "true"}).json()["labels"]
    assert asked["untrusted_content"] == {"value": True, "evidence": "inferred", "confidence": 0.85}

    generation = add(graph, tmp_path, f"{NEEDS}, {DENIED}").generation
    wait_until(lambda: post.get("/v1/tools").json()["generation"] == generation)

    stated = post.get("/v1/tools/post/read_message").json()["labels"]
    assert stated["untrusted_content"] == {"value": False, "evidence": "stated", "confidence": 1.0}
    sink = post.get("/v1/tools/post/send_report", params={"labels": "true"}).json()["labels"]["external_sink"]
    assert (sink["to"], sink["carries"]) == (["webhook"], ["body"])


def test_the_pages_show_labels_and_mark_the_input(graph: InMemoryGraph) -> None:
    """Badges at the tool, red at the row that the flow ends in."""
    with pages(graph) as opened:
        assert "untrusted content" in opened.get("/ui/tools/post/read_message").text
        page = opened.get("/ui/plan", params={"goal": "send the report"}).text
    assert 'class="input toxic"' in page
    assert "toxic flow" in page


@pytest.mark.parametrize("is_refused", [True, False])
def test_plans_with_a_high_flow_are_refused_where_a_rule_wants_it_so(
    graph: InMemoryGraph, *, is_refused: bool
) -> None:
    """With the reason, over REST, MCP and as a page; other plans of the same callers are given."""
    rule = Rule(
        "safe",
        frozenset({"staff"}),
        may=frozenset({Act.PLAN}),
        tools=("*",),
        refuses_high_flows=is_refused,
    )
    arguments = {"goal": "send the report"}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    message = {**call, "params": {"name": "plan_workflow", "arguments": arguments}}
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}
    book = RuleBook((rule,))
    with client(graph, callers=caller_list, rules=lambda: book) as opened:
        wait_until(lambda: opened.get("/v1/facets", headers=headers).status_code == 200)
        answer = opened.post("/v1/plan", json=arguments, headers=headers)
        over_mcp = opened.post("/mcp", json=message, headers=headers).json()["result"]
        harmless = opened.post("/v1/plan", json={"goal": "read the newest message"}, headers=headers)

    assert harmless.status_code == 200
    assert harmless.json()["steps"]
    assert bool(over_mcp.get("isError")) is is_refused
    if not is_refused:
        assert answer.json()["warnings"][0]["severity"] == "high"
        return
    assert answer.status_code == 403
    for text in (answer.json()["detail"], over_mcp["content"][0]["text"]):
        assert "webhook of post/send_report is what somebody else wrote" in text
        assert "let a person choose `webhook`" in text
