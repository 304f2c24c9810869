"""What searches and plans gave to whom, where the operator wants that written down."""

import json
from pathlib import Path

from app.adapters.audit_file import AuditFile
from app.domain.access.rules import Act, Rule, RuleBook
from app.domain.audit.events import SearchEvent
from app.service.given import MOST_IDS
from app.web.session import SignedIn
from app.web.visits import Face
from tests.fakes import InMemoryGraph
from tests.hidden import TOKEN, caller_list
from tests.ingest_cases import ingest, manifest, tool
from tests.service import client, wait_until

EVERYTHING = RuleBook((Rule("a", frozenset({"staff"}), may=frozenset({Act.CALL}), tools=("shop/refund",)),))
ASKED = "refund zqsecret to the customer"


def test_each_search_and_plan_leaves_what_it_gave(tmp_path: Path) -> None:
    """Over REST, MCP and on the pages: who, ids that they see, and no word of what was asked."""
    graph, events = InMemoryGraph(), list[SearchEvent]()
    ingest(
        graph,
        manifest(tmp_path, "shop", tool("refund", "Refund a payment"), tool("refund_all", "Refund all")),
    )
    face = Face(signed_in=SignedIn(token=None, key="k" * 32, callers=caller_list))
    with client(
        graph, callers=caller_list, rules=lambda: EVERYTHING, face=face, given=events.append
    ) as opened:
        opened.headers["Authorization"] = f"Bearer {TOKEN}"
        opened.headers["Accept"] = "application/json, text/event-stream"
        wait_until(lambda: opened.get("/v1/facets").status_code == 200)
        opened.post("/ui/login", data={"token": TOKEN}, headers={"Origin": "http://localhost"})

        def message(name: str, **arguments: object) -> None:
            body = {"name": name, "arguments": arguments}
            sent = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": body}
            assert "shop/refund" in opened.post("/mcp", json=sent).text

        def asked() -> list[tuple[str, tuple[str, ...], int]]:
            found = [(one.event.value, one.ids, one.count) for one in events]
            assert {(one.who, one.groups) for one in events} == {("caller:bot", ("staff",))}
            events.clear()
            return found

        one = ("shop/refund",)
        assert opened.post("/v1/query", json={"query": ASKED}).status_code == 200
        assert opened.post("/v1/plan", json={"goal": ASKED}).status_code == 200
        assert asked() == [("searched", one, 1), ("planned", one, 1)]
        message("search_tools", queries=[ASKED, "refund"])
        message("plan_workflow", goal=ASKED)
        assert asked() == [("searched", one, 1), ("searched", one, 1), ("planned", one, 1)]
        for page in ("ask?q=", "ask.json?q=", "plan?goal=", "plan.json?goal="):
            assert opened.get(f"/ui/{page}{ASKED}").status_code == 200
        assert [step for step, *_ in asked()] == ["searched", "searched", "planned", "planned"]
        assert opened.post("/v1/query", json={"query": ""}).status_code == 422
        assert opened.get("/ui/ask").status_code == 200
        assert events == []


def test_a_line_has_so_many_ids_at_most_and_the_count_of_all(tmp_path: Path) -> None:
    """In the chain of the audit, like any other."""
    graph, audit = InMemoryGraph(), AuditFile(tmp_path / "calls.jsonl", max_bytes=1_000_000, files=2)
    many = [tool(f"refund_{number}", "Refund a payment") for number in range(MOST_IDS + 10)]
    ingest(graph, manifest(tmp_path, "shop", *many))
    with client(graph, given=audit.record) as opened:
        opened.post("/v1/query", json={"query": ASKED, "top_k": MOST_IDS + 5})

    text = (tmp_path / "calls.jsonl").read_text()
    line = json.loads(text.splitlines()[-1])
    assert (line["event"], line["who"], line["count"], len(line["ids"])) == (
        "searched",
        "operator",
        MOST_IDS + 5,
        MOST_IDS,
    )
    assert "zqsecret" not in text
