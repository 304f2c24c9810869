"""Calls over MCP by callers with policies: what is visible and not granted is refused, and written down."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from app.domain.access.callers import CallerEntry, CallerList, CallerScope, digest_of
from app.domain.access.rules import Act, Rule, RuleBook, name_of_view
from app.domain.calling.calls import CallRules, Connection, Outcome
from app.domain.calling.mcp_endpoints import stdio_endpoint
from app.domain.nodes.models import SourceId
from app.usecases.call import ToolCaller
from tests.fakes import InMemoryGraph
from tests.hidden import TOKEN, caller_list
from tests.ingest_cases import ingest, manifest, tool
from tests.service import client, wait_until
from tests.unit.usecases.test_call import World

WRITER = "oft_" + "w" * 43
STAFF = frozenset({"staff"})
ORDERS = SourceId("manifest:orders")
PLAN_ALL = Rule("plan-all", STAFF, may=frozenset({Act.PLAN}), tools=("*",))
CALL_READS = Rule("call-reads", STAFF, may=frozenset({Act.CALL}), tools=("orders/get_*",))


@contextmanager
def passing_on(folder: Path, *rules: Rule) -> Iterator[tuple[TestClient, World]]:
    """A client of a service that passes calls on to a source which allows all of them, and what reaches it."""
    graph, world = InMemoryGraph(), World()
    names = ("get_order", "cancel_order", "read_mail")
    sends = tool(
        "send_letter",
        "Sends a letter.",
        inputSchema={
            "type": "object",
            "properties": {"recipient": {"type": "string"}, "body": {"type": "string"}},
        },
    )
    ingest(graph, manifest(folder, "orders", sends, *map(tool, names)))
    endpoint = stdio_endpoint(["orders"], name="orders", env={}, environ={})
    world.connections[ORDERS] = Connection(ORDERS, CallRules(allow=("*",)), endpoint=endpoint)

    def caller(generation: Callable[[], int]) -> AbstractContextManager[ToolCaller]:
        return nullcontext(replace(world.caller(), targets=graph, generation=generation))

    book = RuleBook(rules)
    with client(graph, callers=caller_list, rules=lambda: book, open_caller=caller) as opened:
        opened.headers["Authorization"] = f"Bearer {TOKEN}"
        wait_until(lambda: opened.get("/v1/facets").status_code == 200)
        yield opened, world


def called(opened: TestClient, tool_id: str) -> dict[str, Any]:
    """What `call_tool` answers."""
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "call_tool", "arguments": {"id": tool_id, "arguments": {}}},
    }
    headers = {"Accept": "application/json, text/event-stream"}
    return dict(opened.post("/mcp", json=message, headers=headers).json()["result"])


def test_a_call_needs_the_policy_and_what_the_source_allows(tmp_path: Path) -> None:
    """What may be planned with alone is not sent; the audit says by which rule, of which view, to whom."""
    with passing_on(tmp_path, PLAN_ALL, CALL_READS) as (opened, world):
        assert opened.get("/v1/tools/orders/cancel_order").status_code == 200
        refused = called(opened, "orders/cancel_order")
        assert not world.called
        (denied,) = world.events
        passed = called(opened, "orders/get_order")

    assert refused["isError"]
    assert "no policy grants it" in refused["content"][0]["text"]
    assert (denied.event, denied.outcome, denied.reason) == ("denied", Outcome.REFUSED, "policy")
    assert (denied.who, denied.groups, denied.tool) == ("caller:bot", ("staff",), "orders/cancel_order")
    assert (denied.rule, denied.view) == ("", name_of_view((PLAN_ALL, CALL_READS)))
    assert not passed.get("isError")
    assert [name for name, *_ in world.called] == ["get_order"]
    assert {one.rule for one in world.events[1:]} == {"call-reads"}


def test_a_refused_call_names_the_rule_that_denies_it(tmp_path: Path) -> None:
    """Though another one grants it."""
    everything = Rule("call-all", STAFF, may=frozenset({Act.CALL}), tools=("*",))
    no_letters = Rule("no-letters", STAFF, deny=frozenset({Act.CALL}), tools=("orders/send_*",))
    with passing_on(tmp_path, everything, no_letters) as (opened, world):
        assert called(opened, "orders/send_letter")["isError"]

    assert not world.called
    assert [(one.event, one.rule) for one in world.events] == [("denied", "no-letters")]


def test_a_rule_refuses_what_sends_out_after_what_others_wrote(tmp_path: Path) -> None:
    """As a source may, for those whom the rule is about and the tools that it selects; what reads goes on."""
    everything = Rule("call-all", STAFF, may=frozenset({Act.CALL}), tools=("*",))
    guarded = Rule(
        "letters-first", STAFF, may=frozenset({Act.CALL}), tools=("orders/send_*",), guards_flows=True
    )
    with passing_on(tmp_path, everything, guarded) as (opened, world):
        before = called(opened, "orders/send_letter")
        called(opened, "orders/read_mail")
        after = called(opened, "orders/send_letter")
        reads, destroys = called(opened, "orders/get_order"), called(opened, "orders/cancel_order")

    assert not before.get("isError")
    assert after["isError"]
    assert "call.after_untrusted" in after["content"][0]["text"]
    assert [one.reason for one in world.events if one.event == "refused"] == ["after_untrusted"]
    assert not reads.get("isError")
    assert not destroys.get("isError")


def test_who_may_not_find_learns_nothing_of_the_catalogue_from_lists(tmp_path: Path) -> None:
    """The names of servers stand in the description of `search_tools`, for who may find."""
    writer = CallerEntry("writer", digest_of(WRITER), STAFF, frozenset({CallerScope.WORKFLOWS}))
    everybody = CallerList.of([*caller_list().entries, writer])
    graph = InMemoryGraph()
    ingest(graph, manifest(tmp_path, "walrus", tool("get_walrus")))
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}

    with client(graph, callers=lambda: everybody) as opened:

        def asked(token: str) -> tuple[int, str]:
            headers = {
                "Authorization": f"Bearer {token}",
                "Accept": "application/json, text/event-stream",
            }
            answer = opened.post("/mcp", json=message, headers=headers)
            return opened.get("/v1/tools", headers=headers).status_code, answer.text

        wait_until(lambda: asked(TOKEN)[0] == 200)
        assert "Servers: walrus" in asked(TOKEN)[1]
        status, listed = asked(WRITER)

    assert status == 403
    assert "search_tools" in listed
    assert "walrus" not in listed
