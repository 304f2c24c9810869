"""Requests that once failed, hung the service or were answered with what is no JSON; found by the fuzz tests."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.fakes import InMemoryGraph
from tests.service import client, ingest

MODERN, LEGACY = "2026-07-28", "2025-11-25"
CPU_S = 2.0
"""Ten times what the slowest of these takes; before, they took minutes."""


@pytest.fixture(scope="module")
def shop() -> Iterator[TestClient]:
    graph = InMemoryGraph()
    ingest(graph)
    with client(graph, max_body_bytes=1_000_000) as opened:
        yield opened


def called(shop: TestClient, era: str, name: str, arguments: str) -> dict[str, Any]:
    """The result of a tool's call; its arguments are JSON as it goes over the wire."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = f'"name":"{name}","arguments":{arguments}'
    if era == MODERN:
        params += f',"_meta":{json.dumps(meta)}'
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": era,
        "Mcp-Method": "tools/call",
        "Mcp-Name": name,
    }
    body = f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{params}}}}}'
    answer = shop.post("/mcp", content=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


@pytest.mark.parametrize(("era", "depth"), [(MODERN, 101), (MODERN, 250), (MODERN, 940), (LEGACY, 150)])
@pytest.mark.parametrize(
    ("tool", "known"), [("plan_workflow", "known"), ("search_tools", "known"), ("list_sources", "x")]
)
def test_arguments_nested_too_deeply_are_refused_by_name(
    shop: TestClient, era: str, depth: int, tool: str, known: str
) -> None:
    """Writers of JSON give up at 255 and about 950 levels, which the parser of requests still reads."""
    nested = '{"order_id":' + "[" * depth + "1" + "]" * depth + "}"

    answer = called(shop, era, tool, f'{{"goal":"cancel the order","{known}":{nested}}}')

    said = answer["result"]
    assert said["isError"]
    assert "nested" in said["content"][0]["text"]
    assert "at most 100" in said["content"][0]["text"]


def test_a_hundred_levels_are_passed_on(shop: TestClient) -> None:
    """What is accepted comes back as it was."""
    value = "[" * 98 + "1" + "]" * 98

    answer = called(
        shop, MODERN, "plan_workflow", f'{{"goal":"cancel the order","known":{{"order_id":{value}}}}}'
    )

    (step,) = answer["result"]["structuredContent"]["steps"]
    assert step["bindings"]["order_id"]["known"] == json.loads(value)


@pytest.mark.parametrize("pump", ["A", "aB", "<", "x_"])
def test_near_ids_of_a_long_id_cost_little(shop: TestClient, pump: str) -> None:
    """Names near an unknown id are looked for with its beginning: it may be as long as a body."""
    begin = time.process_time()

    answer = called(shop, MODERN, "describe_tool", json.dumps({"id": pump * 12_000}))

    assert answer["result"]["isError"]
    assert "no tool" in answer["result"]["content"][0]["text"]
    assert time.process_time() - begin < CPU_S


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity", '{"a":[1,{"b":1e400000}]}'])
@pytest.mark.parametrize(
    "binding",
    ['{"known":%s}', '{"compose":%s,"parts":{}}', '{"step":1,"path":"","select":{"by":"match","value":%s}}'],
)
def test_a_workflow_is_not_saved_with_a_number_that_is_not_finite(
    shop: TestClient, number: str, binding: str
) -> None:
    """It would be read back as another value."""
    bindings = f'{{"order_id":{binding % number},"reason":{{"known":"late"}}}}'
    step = f'{{"position":1,"tool_id":"orders/cancel_order","bindings":{bindings}}}'
    body = f'{{"id":"w","plan":{{"goal":"cancel","steps":[{step}]}}}}'

    answer = shop.post("/v1/workflows", content=body, headers={"Content-Type": "application/json"})

    assert answer.status_code == 422
    assert "accepted: numbers up to 1.8e308" in answer.json()["detail"]
