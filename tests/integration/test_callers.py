"""Who is let in, to what: over REST, MCP and on the pages; and that nothing hidden shows anywhere."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.adapters.audit_file import read_audit
from app.api.access import Access
from app.api.scopes import scopes_of
from app.domain.access.callers import CallerEntry, CallerList, CallerScope, digest_of
from app.domain.access.rules import Act, Rule, RuleBook
from app.domain.audit.chain import check_chain
from app.domain.moments import utc_text
from app.domain.nodes.models import NodeKind, Provision, SourceId
from app.errors import ServeRefusedError, StoreUnavailableError
from app.roots.callers import AccessFiles, read_access_files, stdio_caller
from app.roots.http import policy_of
from app.service.metrics import Metrics
from app.settings import Settings
from app.web.session import SignedIn
from app.web.visits import Face
from tests.fakes import InMemoryGraph
from tests.hidden import (
    ADMIN_TOKEN,
    TOKEN,
    Book,
    HttpQuestion,
    asked_as,
    caller_list,
    questions,
    random_graph,
)
from tests.ingest_cases import ingest, manifest, taxonomy, tool
from tests.service import client, wait_until

FIND_ONLY = "oft_" + "c" * 43
SUBJECT = "https://login.example.com|7f3a2b"
ENDED = "oft_" + "d" * 43
ORDERS = RuleBook((Rule("a", frozenset({"staff"}), may=frozenset({Act.CALL}), sources=("manifest:orders",)),))
CANARY = re.compile(r"zq[a-z]{2,}", re.IGNORECASE)


def with_canaries(folder: Path) -> InMemoryGraph:
    """Each hidden thing has words of its own in each field."""
    graph = InMemoryGraph()
    hidden = tool(
        "zqname_refund",
        "zqdescription refunds the order payment",
        title="zqtitle order",
        inputSchema={
            "type": "object",
            "properties": {"zqinput_id": {"type": "string", "description": "zqinputtext"}},
            "required": ["zqinput_id"],
        },
        outputSchema={"type": "object", "properties": {"order_id": {"type": "string"}, "zqoutput": {}}},
    )
    seen = tool(
        "get_order",
        "Gets an order",
        inputSchema={
            "type": "object",
            "properties": {"order_id": {"type": "string"}},
            "required": ["order_id"],
        },
    )
    method = {
        "id": "zqmethod",
        "name": "zqmethodname refund an order",
        "category": "zqcategory",
        "implements": ["zqserver/zqname_refund"],
        "description": "zqmethodtext order",
        "tags": ["zqtag"],
        "examples": ["zqexample refund my order"],
    }
    secret = taxonomy(
        folder,
        "zqtaxonomy",
        categories=[{"id": "zqcategory", "name": "zqcategoryname"}],
        methods=[method, {**method, "id": "zqother", "implements": ["orders/get_order"]}],
        templates=[
            {
                "id": "zqtemplate",
                "surface": "zqsurface order",
                "uses": ["zqserver/zqname_refund", "orders/get_order"],
            }
        ],
        concepts=[
            {"id": "zqconcept", "description": "zqconcepttext order", "related_to": ["zqmethod", "zqother"]}
        ],
        generators=[{"id": "zqgenerator", "tool": "orders/get_order", "description": "zqpreset order"}],
        tools=[{"id": "orders/get_order", "categories": ["zqcategory"]}],
    )
    ingest(
        graph,
        manifest(folder, "orders", seen, tool("list_orders", "Lists orders")),
        manifest(folder, "zqserver", hidden),
        secret,
    )
    ingest(graph, manifest(folder, "zqserver", {**hidden, "description": "zqchanged order"}))
    return graph


ASKED = ("order", "refund the order payment", "zqtitle zqname zqmethodname", "zqdescription")


def _everything_asked(graph: InMemoryGraph) -> Iterator[HttpQuestion]:
    yield from questions(1, graph)
    for text in ASKED:
        yield HttpQuestion("POST", "/v1/query", {"query": text, "explain": True, "schemas": True})
        yield HttpQuestion("POST", "/v1/query", {"query": text, "filters": {"read_only": True}})
        yield HttpQuestion("POST", "/v1/plan", {"goal": text})
        yield HttpQuestion("GET", f"/v1/find?q={text[:4]}")
    for kind in NodeKind:
        for node in ("get_order", "orders/get_orde", "zq", "x"):
            yield HttpQuestion("GET", f"/v1/nodes/{kind.value}/{node}")
            yield HttpQuestion("GET", f"/v1/neighbours/{node}?kind={kind.value}&depth=3")
    yield HttpQuestion("GET", "/v1/neighbours/orders/get_order?depth=3")
    yield HttpQuestion("GET", "/v1/tools/orders/get_order")
    yield HttpQuestion("GET", "/v1/sources/manifest:order/changes")
    yield HttpQuestion("GET", "/v1/changes?tool=orders/get_order")
    for page in (
        "",
        "ask?q=order",
        "compare?q=order",
        "find?q=o",
        "tools",
        "tools/orders/get_order",
        "graph?id=orders/get_order",
        "graph",
        "plan?goal=order",
        "workflows",
        "sources",
        "sources/manifest:orders",
        "changes",
        "unmet",
        "tools/none",
        "sources/none",
    ):
        yield HttpQuestion("GET", f"/ui/{page}")


def test_no_word_of_what_is_hidden_is_in_any_answer(tmp_path: Path) -> None:
    """In bodies, headers, errors, pages; a word counts unless the request itself has it."""
    graph, book = with_canaries(tmp_path), Book(ORDERS)
    face = Face(signed_in=SignedIn(token=None, key="k" * 32, callers=caller_list))
    with client(graph, callers=caller_list, rules=book.now, face=face) as opened:
        opened.headers["Authorization"] = f"Bearer {TOKEN}"
        wait_until(lambda: opened.get("/v1/facets").status_code == 200)
        signed = opened.post("/ui/login", data={"token": TOKEN}, headers={"Origin": "http://localhost"})
        assert signed.status_code in {200, 303}
        assert opened.get("/v1/facets").json()["tools"] == 2
        statuses = set()
        for question in _everything_asked(graph):
            status, text, headers = question.ask(opened)
            statuses.add(status)
            asked = json.dumps([question.path, question.body]).lower()
            leaked = {
                word for word in map(str.lower, CANARY.findall(text + str(headers))) if word not in asked
            }
            assert not leaked, (question, leaked, text[:2000])
        # And the same words are there for whoever may see them.
        book.rules = RuleBook((Rule("a", frozenset({"staff"}), may=frozenset({Act.CALL}), tools=("*",)),))
        wait_until(lambda: opened.get("/v1/facets").json()["tools"] == 3)
        shown = opened.post("/v1/query", json={"query": "order", "explain": True}).text
        assert CANARY.search(shown)
        opened.headers["Authorization"] = f"Bearer {ADMIN_TOKEN}"
        assert not CANARY.search(opened.get("/metrics").text)
    assert {200, 403, 404, 422} <= statuses


def test_a_hidden_edit_leaves_the_answers_of_others_as_they_are(tmp_path: Path) -> None:
    """Other texts, schemas and edges of what is hidden: byte for byte, without the number of the generation."""
    graph, book = with_canaries(tmp_path), Book(ORDERS)
    with asked_as(graph, book) as opened:
        asked = [one for one in _everything_asked(graph) if not one.path.startswith("/ui")]
        before = [one.ask(opened) for one in asked]
        generation = graph.generation
        ingest(
            graph,
            manifest(
                tmp_path,
                "zqserver",
                tool("zqname_refund", "order order order order", inputSchema={"type": "object"}),
                tool("get_order", "Gets an order"),
            ),
        )
        assert graph.generation > generation
        wait_until(lambda: opened.get("/v1/facets").json()["generation"] == graph.generation)
        for question, expected in zip(asked, before, strict=True):
            assert question.ask(opened) == expected, question


def more_callers() -> CallerList:
    entries = [
        *caller_list().entries,
        CallerEntry("finder", digest_of(FIND_ONLY), frozenset({"staff"}), frozenset({CallerScope.FIND})),
        CallerEntry("former", digest_of(ENDED), frozenset({"staff"}), expires_at=1.0),
    ]
    return CallerList.of(entries)


@pytest.fixture(scope="module")
def opened() -> Iterator[TestClient]:
    with client(random_graph(3), token="t" * 20, callers=more_callers, rules=lambda: ORDERS) as found:
        found.headers["Authorization"] = f"Bearer {TOKEN}"
        wait_until(lambda: found.get("/v1/facets").status_code == 200)
        yield found


def asked(
    opened: TestClient, method: str, path: str, token: str | None, **options: object
) -> tuple[int, str]:
    headers = {"Authorization": f"Bearer {token}"} if token else {"Authorization": ""}
    answer = opened.request(
        method, path, headers={**headers, "Accept": "application/json, text/event-stream"}, **options
    )  # type: ignore[arg-type]
    assert answer.status_code < 400 or answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.headers.get("www-authenticate", "")


def test_who_is_not_known_is_challenged(opened: TestClient) -> None:
    for path in ("/v1/tools", "/metrics", "/v1/none"):
        assert asked(opened, "GET", path, None) == (401, "Bearer")
        assert asked(opened, "GET", path, "oft_wrong") == (401, 'Bearer error="invalid_token"')
        assert asked(opened, "GET", path, ENDED) == (401, 'Bearer error="invalid_token"')
    assert asked(opened, "POST", "/mcp", None) == (401, "Bearer")
    for path in ("/healthz", "/readyz", "/openapi.json"):
        assert asked(opened, "GET", path, None)[0] == 200


def test_a_scope_that_is_missing_is_named(opened: TestClient) -> None:
    """For REST by address, for MCP by the tool that is called."""
    plan = 'Bearer error="insufficient_scope", scope="tools:plan"'
    assert asked(opened, "POST", "/v1/plan", FIND_ONLY, json={"goal": "x"}) == (403, plan)
    assert asked(opened, "GET", "/v1/tools", FIND_ONLY)[0] == 200
    writes = 'Bearer error="insufficient_scope", scope="workflows:write"'
    assert asked(opened, "POST", "/v1/workflows", FIND_ONLY, json={}) == (403, writes)
    admin = 'Bearer error="insufficient_scope", scope="catalogue:admin"'
    for path in ("/metrics", "/v1/unmet"):
        assert asked(opened, "GET", path, TOKEN) == (403, admin)
        assert asked(opened, "GET", path, ADMIN_TOKEN)[0] == 200
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    planned = {**call, "params": {"name": "plan_workflow", "arguments": {"goal": "x"}}}
    assert asked(opened, "POST", "/mcp", FIND_ONLY, json=planned) == (403, plan)
    found = {**call, "params": {"name": "search_tools", "arguments": {"query": "x"}}}
    assert asked(opened, "POST", "/mcp", FIND_ONLY, json=found)[0] == 200
    assert asked(opened, "POST", "/mcp", FIND_ONLY, json=[found, planned]) == (
        403,
        'Bearer error="insufficient_scope", scope="tools:find tools:plan"',
    )


PLANNED = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "plan_workflow", "arguments": {"goal": "order"}},
    }
)


@pytest.mark.parametrize("named", ["", "plan_workflow", "search_tools"])
@pytest.mark.parametrize(
    "body",
    [
        PLANNED.encode(),
        PLANNED.encode("utf-16"),
        PLANNED.encode("utf-8-sig"),
        PLANNED.replace("tools/call", "tools\\/call").encode(),
        PLANNED.replace("plan_workflow", "plan\\u005fworkflow").encode(),
        PLANNED.replace('"name"', '"name": "search_tools", "name"').encode(),
        PLANNED.replace('"params"', '"params": {"name": "search_tools"}, "params"').encode(),
        PLANNED.replace('"goal"', '"many": ' + "9" * 5000 + ', "goal"').encode(),
        PLANNED.replace('"goal"', '"many": ' + "[" * 2000 + "]" * 2000 + ', "goal"').encode(),
        PLANNED.replace('"order"', '"order \\ud800"').encode(),
        PLANNED.replace('"goal"', '"many": NaN, "goal"').encode(),
        f"[{PLANNED}]".encode(),
    ],
)
def test_however_a_message_is_written_its_scope_is_asked_for(
    opened: TestClient, body: bytes, named: str
) -> None:
    """The gate and the server read each for itself; what only one of them can read gives nothing."""
    eras = ({}, {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call"})
    for era in eras:
        headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json", **era}
        if named:
            headers["Mcp-Name"] = named
        said = [
            opened.post("/mcp", content=body, headers={**headers, "Authorization": f"Bearer {token}"}).text
            for token in (FIND_ONLY, TOKEN)
        ]
        assert "steps" not in said[0]
        if body == PLANNED.encode() and not era:
            assert "steps" in said[1]


def test_the_token_of_the_service_is_the_operators(opened: TestClient) -> None:
    """No policy narrows it."""
    found = opened.get("/v1/facets", headers={"Authorization": f"Bearer {'t' * 20}"}).json()

    assert found["tools"] > opened.get("/v1/facets").json()["tools"] == 0


def test_a_callers_entry_that_is_gone_is_gone_with_the_next_request() -> None:
    listed = [caller_list()]
    with client(random_graph(4), callers=lambda: listed[0], rules=lambda: ORDERS) as found:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        wait_until(lambda: found.get("/v1/facets", headers=headers).status_code == 200)
        listed[0] = CallerList.of([replace(one, sha256="0" * 64) for one in caller_list().entries[:1]])
        assert found.get("/v1/facets", headers=headers).status_code == 401


def test_without_policies_known_callers_see_everything_but_where_it_lies() -> None:
    graph = random_graph(5)
    with client(graph, callers=caller_list) as found:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        wait_until(lambda: found.get("/v1/facets", headers=headers).status_code == 200)
        assert found.get("/v1/facets", headers=headers).json()["tools"] == len(graph.nodes[NodeKind.TOOL])
        sources = found.get("/v1/sources", headers=headers).json()["sources"]
        assert all(one["uri"] == "" and one["synced_at"] for one in sources)
        admin = found.get("/v1/sources", headers={"Authorization": f"Bearer {ADMIN_TOKEN}"}).json()["sources"]
        assert all(one["uri"] for one in admin)


def test_files_are_read_before_the_service_starts(tmp_path: Path) -> None:
    """A broken one is refused, policies without callers too; callers open an address as a token does."""
    callers, policies = tmp_path / "callers.yaml", tmp_path / "policies.yaml"
    callers.write_text(f"callers: [{{name: bot, sha256: {digest_of(TOKEN)}}}]")
    policies.write_text("policies: []")
    files = read_access_files(Settings(callers=callers, policies=policies))
    assert policy_of(Settings(host="0.0.0.0"), files).callers is not None
    assert stdio_caller(Settings(stdio_caller="bot"), files).id == "caller:bot"
    with pytest.raises(ServeRefusedError, match="no caller 'other'"):
        stdio_caller(Settings(stdio_caller="other"), files)
    with pytest.raises(ServeRefusedError, match="OUTFITTER_CALLERS is not"):
        read_access_files(Settings(policies=policies))
    policies.write_text("policies: 3")
    with pytest.raises(ServeRefusedError, match="policies is a number"):
        read_access_files(Settings(callers=callers, policies=policies))
    assert AccessFiles(None, None) == read_access_files(Settings())


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("GET", "/v1/tools", CallerScope.FIND),
        ("POST", "/v1/plan/edit", CallerScope.PLAN),
        ("POST", "/v1/workflows/w/validate", CallerScope.PLAN),
        ("DELETE", "/v1/workflows/w", CallerScope.WORKFLOWS),
        ("DELETE", "/v1/unmet/1", CallerScope.ADMIN),
        ("GET", "/nothing", CallerScope.FIND),
    ],
)
def test_each_address_takes_a_scope(method: str, path: str, scope: CallerScope) -> None:
    assert scopes_of(method, path) == {scope}


def test_who_runs_it_sees_how_old_files_are_and_what_waits(tmp_path: Path) -> None:
    """And nobody else; a file that was not read again keeps its time."""
    callers, policies = tmp_path / "callers.yaml", tmp_path / "policies.yaml"
    entries = [
        {"name": name, "sha256": digest_of(token), "groups": ["staff"], "scopes": scopes}
        for name, token, scopes in (
            ("ada", FIND_ONLY, ["tools:find"]),
            ("bo", ADMIN_TOKEN, ["tools:find", "catalogue:admin"]),
        )
    ]
    callers.write_text(json.dumps({"callers": entries}))
    policies.write_text(
        json.dumps({"policies": [{"id": "a", "to": ["staff"], "may": ["find"], "tools": ["*"]}]})
    )
    files = read_access_files(Settings(callers=callers, policies=policies, data_dir=tmp_path))
    assert files.callers is not None
    assert files.policies is not None

    def status(token: str) -> object:
        return opened.get("/v1/status", headers={"Authorization": f"Bearer {token}"}).json()["access"]

    graph, rules = random_graph(3), files.policies.current
    with client(graph, callers=files.callers.current, rules=rules, read_at=files.read_at) as opened:
        first = status(ADMIN_TOKEN)
        assert status(FIND_ONLY) is None
        assert isinstance(first, dict)
        assert first == {
            "callers_read_at": utc_text(datetime.fromtimestamp(files.callers.read_at, UTC)),
            "policies_read_at": utc_text(datetime.fromtimestamp(files.policies.read_at, UTC)),
            "keys_read_at": None,
            "reviews_waiting": sum(one.waits for one in graph.reviews()),
        }
        before = files.callers.read_at
        callers.write_text("callers: {")
        files.callers.look()
        assert files.callers.read_at == before
        callers.write_text(json.dumps({"callers": entries[1:]}))
        files.callers.look()
        assert files.callers.read_at > before


class UnknownProvision(InMemoryGraph):
    """Does not say who provides what until it is let."""

    lets = False

    def provisions(self, sources: Sequence[SourceId]) -> list[Provision]:
        if not self.lets:
            raise StoreUnavailableError("not now")
        return super().provisions(sources)


def test_a_service_starts_until_it_knows_what_its_callers_see() -> None:
    """A balancer would send it callers whom it could only refuse."""
    graph = UnknownProvision()
    with client(graph, callers=more_callers, rules=lambda: ORDERS, ready=False) as opened:
        wait_until(lambda: opened.app_state["components"].keeper.current is not None)
        answer = opened.get("/readyz")
        assert (answer.status_code, answer.json()["status"]) == (503, "starting")
        graph.lets = True
        wait_until(lambda: opened.get("/readyz").status_code == 200)


def test_refused_writes_and_tokens_that_come_and_go_are_written_down(tmp_path: Path) -> None:
    """Of files that are read again, too; in one chain, without a token and without what was asked."""
    callers, policies = tmp_path / "callers.yaml", tmp_path / "policies.yaml"
    entry = {"name": "ada", "sha256": digest_of(FIND_ONLY), "groups": ["staff"], "scopes": ["tools:find"]}
    callers.write_text(json.dumps({"callers": [entry]}))
    rule = {"id": "a", "to": ["staff"], "may": ["find"], "tools": ["*"]}
    policies.write_text(json.dumps({"policies": [rule]}))
    settings = Settings(callers=callers, policies=policies, data_dir=tmp_path)
    files = read_access_files(settings)
    policy = policy_of(settings, files)
    assert policy.callers is not None

    with client(InMemoryGraph(), callers=policy.callers, rules=policy.rules, ready=False) as service:
        # The gate of the settings, around the same service.
        access = Access(service.app, policy=policy, max_body_bytes=10_000, metrics=Metrics())
        with files.followed():
            headers = {"Authorization": f"Bearer {FIND_ONLY}"}
            asked = TestClient(access, base_url="http://localhost")
            refused = asked.put("/v1/workflows/zqid", json={"zq": 1}, headers=headers)
            found = asked.get("/metrics", headers=headers)
            audit = tmp_path / "calls.jsonl"
            for file, text, lines_after in (
                (callers, {"callers": [{**entry, "sha256": digest_of(ENDED)}]}, 6),
                (callers, {"callers": [{**entry, "sha256": digest_of(ENDED)}], "blocked": [SUBJECT]}, 7),
                (callers, {"callers": [{**entry, "sha256": digest_of(ENDED)}]}, 8),
                (policies, {"policies": [{**rule, "may": ["plan"]}]}, 9),
            ):
                file.write_text(json.dumps(text))
                wait_until(lambda count=lines_after: audit.read_bytes().count(b"\n") == count)

    text = (tmp_path / "calls.jsonl").read_text()
    every = [json.loads(line) for line in text.splitlines()][1:]
    # Written beside the request that it is about; the others stand in the order in which they came.
    lines = [line for line in every if line["event"] != "token_used"]
    (use,) = [line for line in every if line["event"] == "token_used"]
    assert (use["who"], use["what"]) == ("caller:ada", digest_of(FIND_ONLY)[:12])
    assert (refused.status_code, found.status_code) == (403, 403)
    assert [line["event"] for line in lines] == [
        "policies_read",
        "denied",
        "token_gone",
        "token_made",
        "subject_blocked",
        "subject_unblocked",
        "policies_read",
    ]
    assert {key: lines[1][key] for key in ("who", "groups", "what", "reason")} == {
        "who": "caller:ada",
        "groups": ["staff"],
        "what": "PUT /v1/workflows",
        "reason": "scope workflows:write",
    }
    assert lines[2]["what"] == digest_of(FIND_ONLY)[:12]
    assert [line["who"] for line in lines[4:6]] == [SUBJECT, SUBJECT]
    assert lines[0]["what"] != lines[6]["what"]
    assert check_chain(read_audit(tmp_path / "calls.jsonl")).problems == ()
    assert not [one for one in (FIND_ONLY, ENDED, "zq") if one in text]
