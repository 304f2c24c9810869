"""Each route, each refusal, over a graph in memory."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.fakes import InMemoryGraph
from tests.service import client, ingest, wait_until

QUESTION = "A package never showed up and the buyer is furious"


@pytest.fixture(scope="module")
def shop() -> Iterator[TestClient]:
    graph = InMemoryGraph()
    ingest(graph)
    with client(graph) as opened:
        yield opened


def test_a_query_is_answered_with_what_the_contract_names(shop: TestClient) -> None:
    """Tools best first, tokens that add up, the generation; nothing that was not asked for."""
    answer = shop.post("/v1/query", json={"query": "give a customer the money back", "top_k": 3}).json()

    scores = [tool["score"] for tool in answer["tools"] if tool["role"] == "match"]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)
    assert set(answer["tools"][0]) == {"id", "server", "name", "title", "description", "score", "role"}
    assert answer["tokens"]["saved"] == answer["tokens"]["catalogue"] - answer["tokens"]["returned"] > 0
    assert (answer["abstained"], answer["nearest"], answer["generation"]) == (False, [], 1)
    assert answer["took_ms"] > 0


def test_explain_adds_up_and_schemas_are_objects(shop: TestClient) -> None:
    """The parts of `why` sum up to the score; a schema comes as JSON, not as text."""
    body = {"query": QUESTION, "explain": True, "schemas": True}

    tools = shop.post("/v1/query", json=body).json()["tools"]

    for tool in tools:
        assert sum(part["contribution"] for part in tool["why"]) == pytest.approx(tool["score"], abs=1e-6)
        assert tool["input_schema"]["type"] == "object"


def test_filters_restrict(shop: TestClient) -> None:
    """Servers and read_only keep out what they do not name."""
    body = {"query": "order", "top_k": 50, "filters": {"servers": ["orders"], "read_only": True}}

    found = shop.post("/v1/query", json=body).json()["tools"]

    cards = [shop.get(f"/v1/tools/{tool['id']}").json() for tool in found]
    assert cards
    assert {(card["server"], card["annotations"]["read_only"]) for card in cards} == {("orders", True)}


def test_a_query_that_nothing_fits_abstains(shop: TestClient) -> None:
    """No tool is better than a wrong one."""
    answer = shop.post("/v1/query", json={"query": "qwxz vbnm"}).json()

    assert (answer["abstained"], answer["tools"]) == (True, [])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "body.query"),
        ({"query": ""}, "body.query"),
        ({"query": "x", "top_k": 0}, "body.top_k"),
        ({"query": "x", "top_k": 101}, "body.top_k"),
        ({"query": "x", "method": "magic"}, "body.method"),
        ({"query": "x", "topk": 5}, "body.topk"),
        ({"query": "x", "filters": {"server": "orders"}}, "body.filters.server"),
        ({"query": ["x"]}, "body.query"),
    ],
)
def test_a_wrong_field_is_named_with_its_value(shop: TestClient, body: object, field: str) -> None:
    """422, as a problem document that says which field."""
    answer = shop.post("/v1/query", json=body)

    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert [error["field"] for error in problem["errors"]] == [field]
    assert (problem["status"], problem["type"]) == (422, "urn:outfitter:problem:invalid-input")
    assert problem["request_id"] == answer.headers["x-request-id"]


@pytest.mark.parametrize(
    "content", [b"", b'{"query": ', b'"text"', b"\xff\xfe", b'{"query": "\\ud800"}', b"[" * 5000]
)
def test_a_body_that_is_no_request_is_refused(shop: TestClient, content: bytes) -> None:
    """Broken JSON, another type, broken text: 422, never 500."""
    answer = shop.post("/v1/query", content=content, headers={"Content-Type": "application/json"})

    assert (answer.status_code, answer.json()["status"]) == (422, 422)


def test_odd_characters_are_only_characters(shop: TestClient) -> None:
    """Null bytes and quotes in a query or an id reach no statement as anything but text."""
    assert shop.post("/v1/query", json={"query": "order\0'; MATCH (n) DETACH DELETE n //"}).status_code == 200
    assert shop.get("/v1/tools/orders%2Fget_order%27%22").status_code == 404
    assert shop.get("/v1/neighbours/orders%2F%00").status_code == 422


def test_a_form_of_a_web_page_is_refused(shop: TestClient) -> None:
    """415: a page can send text/plain to loopback without being asked first."""
    answer = shop.post("/v1/query", content=b'{"query": "x"}', headers={"Content-Type": "text/plain"})

    assert answer.status_code == 415


@pytest.mark.parametrize(
    ("filters", "named"), [({"servers": ["order"]}, "'orders'"), ({"categories": ["nope"]}, "'nope'")]
)
def test_an_unknown_filter_is_answered_with_what_there_is(
    shop: TestClient, filters: object, named: str
) -> None:
    """A misspelt server is not the same as no tool."""
    answer = shop.post("/v1/query", json={"query": "x", "filters": filters})

    assert answer.status_code == 422
    assert named in answer.json()["detail"]


def test_a_query_that_is_too_long_is_refused(shop: TestClient) -> None:
    """422 names the length and the limit."""
    answer = shop.post("/v1/query", json={"query": "a" * 501})

    assert answer.status_code == 422
    assert "501" in answer.json()["detail"]
    assert "500" in answer.json()["detail"]


def test_a_body_that_is_too_large_is_refused_with_and_without_its_length(shop: TestClient) -> None:
    """413, whether the body is announced or streamed; the limit itself is accepted."""

    def chunks() -> Iterator[bytes]:
        for _ in range(30):
            yield b" " * 1000

    body = json.dumps({"query": "order"}).encode()
    headers = {"Content-Type": "application/json"}
    announced = shop.post("/v1/query", content=b" " * 20_001, headers=headers)
    streamed = shop.post("/v1/query", content=chunks(), headers=headers)
    whole = shop.post("/v1/query", content=body + b" " * (20_000 - len(body)), headers=headers)

    assert [answer.status_code for answer in (announced, streamed, whole)] == [413, 413, 200]
    assert "20000" in announced.json()["detail"]
    assert "20000" in streamed.json()["detail"]


def test_tools_are_paged_without_gaps(shop: TestClient) -> None:
    """Following `next_cursor` lists every tool once, by id."""
    seen: list[str] = []
    cursor = None
    while True:
        page = shop.get("/v1/tools", params={"limit": 7, **({"cursor": cursor} if cursor else {})}).json()
        seen += [tool["id"] for tool in page["tools"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break

    assert seen == sorted(set(seen))
    assert len(seen) == page["total"] == shop.get("/readyz").json()["tools"]


def test_tools_are_listed_by_server_and_category(shop: TestClient) -> None:
    """Both filters together are an intersection; a filter that nobody knows is refused."""
    by_server = shop.get("/v1/tools", params={"server": "orders"}).json()
    category = "orders"
    both = shop.get("/v1/tools", params={"server": "orders", "category": category}).json()

    assert {tool["server"] for tool in by_server["tools"]} == {"orders"}
    assert 0 < both["total"] <= by_server["total"]
    assert shop.get("/v1/tools", params={"server": "nope"}).status_code == 422


def test_explain_says_why_a_tool_is_not_found(shop: TestClient) -> None:
    """Of each tool its case; what is not known is absent; the rest is that of the query."""
    wish = "The customer wants to be reimbursed for an order"
    body = {"query": wish, "tools": ["orders/cancel_order", "orders/cancel_ordr"]}

    answer = shop.post("/v1/explain", json=body).json()

    below, unknown = answer["tools"]
    assert (below["id"], below["case"]) == ("orders/cancel_order", "below_cut")
    assert below["place"] > 5
    assert below["lacks"][0]["gap"] > 0
    assert below["remedies"][0]["kind"] == "example"
    assert unknown["case"] == "unknown"
    assert "orders/cancel_order" in unknown["near"]
    assert "place" not in unknown
    found = shop.post("/v1/query", json={"query": wish, "prerequisites": 0}).json()
    assert answer["cut"] == found["tools"][-1]["score"]
    assert (answer["generation"], answer["allowed"]) == (
        found["generation"],
        shop.get("/v1/tools").json()["total"],
    )


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"query": "x"}, "body.tools"),
        ({"query": "x", "tools": []}, "body.tools"),
        ({"query": "x", "tools": ["a"] * 21}, "body.tools"),
        ({"query": "x", "tools": [""]}, "body.tools.0"),
        ({"query": "x", "tools": ["a" * 601]}, "body.tools.0"),
        ({"query": "", "tools": ["a"]}, "body.query"),
        ({"query": "x", "tools": ["a"], "explain": True}, "body.explain"),
    ],
)
def test_a_wrong_question_why_is_refused(shop: TestClient, body: object, field: str) -> None:
    """422 names the field."""
    answer = shop.post("/v1/explain", json=body)

    assert answer.status_code == 422
    assert field in [error["field"] for error in answer.json()["errors"]]


def test_tools_are_listed_by_words_and_marks(shop: TestClient) -> None:
    """All words of `q` stand in id, name or title, in any order; `total` counts what is left."""

    def listed(**params: str) -> list[dict[str, Any]]:
        page = shop.get("/v1/tools", params={"limit": "500", **params}).json()
        assert page["total"] == len(page["tools"])
        return list(page["tools"])

    found = listed(q="PAYMENT  refund")
    reads = listed(read_only="true")

    assert [tool["id"] for tool in found] == ["payments/refund_payment"]
    assert reads
    assert all(tool["annotations"]["read_only"] for tool in reads)
    assert len(reads) + len(listed(read_only="false")) == len(listed())
    assert [tool["id"] for tool in listed(declared="true")] == [t["id"] for t in listed() if t["declared"]]
    assert listed(deprecated="true") == []
    assert listed(q="qwxz") == []


def test_pages_of_a_filtered_list_have_no_gaps(shop: TestClient) -> None:
    """A cursor goes on within what the filters leave."""
    whole = [tool["id"] for tool in shop.get("/v1/tools", params={"q": "order"}).json()["tools"]]
    seen, cursor = [], ""
    while len(seen) < len(whole) and (page := _page(shop, cursor)):
        seen += [tool["id"] for tool in page["tools"]]
        cursor = page["next_cursor"] or ""

    assert len(whole) > 3
    assert seen == whole
    assert cursor == ""


def _page(shop: TestClient, cursor: str) -> dict[str, Any]:
    found = shop.get("/v1/tools", params={"q": "order", "limit": 3, **({"cursor": cursor} if cursor else {})})
    return dict(found.json())


def test_facets_are_the_numbers_of_the_lists(shop: TestClient) -> None:
    """What a facet counts is what the filter lists; the largest come first."""
    found = shop.get("/v1/facets").json()

    totals = {
        (name, value["id"]): shop.get("/v1/tools", params={name: value["id"]}).json()["total"]
        for name, values in (("server", found["servers"]), ("category", found["categories"]))
        for value in values
    }
    assert {
        (name, value["id"]): value["tools"]
        for name, values in (("server", found["servers"]), ("category", found["categories"]))
        for value in values
    } == totals
    assert found["servers_total"] == len(found["servers"]) == 6
    assert [one["tools"] for one in found["servers"]] == sorted(
        (one["tools"] for one in found["servers"]), reverse=True
    )
    for mark in ("read_only", "declared", "deprecated"):
        assert found[mark] == shop.get("/v1/tools", params={mark: "true"}).json()["total"]
    assert found["tools"] == shop.get("/v1/tools").json()["total"]
    short = shop.get("/v1/facets", params={"limit": 2}).json()
    assert (short["servers"], short["servers_total"]) == (found["servers"][:2], 6)


def test_nodes_are_found_by_how_their_names_begin(shop: TestClient) -> None:
    """The name itself, then the beginning, then a word of it; only the kinds that were asked for."""

    def keys(q: str, **params: str) -> list[str]:
        return [node["key"] for node in shop.get("/v1/find", params={"q": q, **params}).json()["nodes"]]

    assert keys("orders")[0] == "Category:orders"
    assert keys("refund_pay")[0] == "Tool:payments/refund_payment"
    assert "Tool:payments/refund_payment" in keys("payment", kinds="tool")
    assert {key.partition(":")[0] for key in keys("o", kinds="Method,Template")} <= {"Method", "Template"}
    assert len(keys("o")) == 10
    assert keys("qwxz") == []


@pytest.mark.parametrize("query", ["", "q=", f"q={'a' * 201}", "q=a&kinds=Example", "q=a&kinds="])
def test_a_wrong_search_for_nodes_is_refused(shop: TestClient, query: str) -> None:
    """422 for what nothing begins with."""
    assert shop.get(f"/v1/find?{query}").status_code == 422


@pytest.mark.parametrize("query", ["declared=x", "read_only=2", f"q={'a' * 201}"])
def test_a_wrong_mark_is_refused(shop: TestClient, query: str) -> None:
    """422 names the parameter."""
    answer = shop.get(f"/v1/tools?{query}")

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == f"query.{query.partition('=')[0]}"


@pytest.mark.parametrize("query", ["limit=0", "limit=501", "limit=x", "cursor=%C3%A9", "cursor=_w"])
def test_a_wrong_page_is_refused(shop: TestClient, query: str) -> None:
    """422 for what is no page."""
    assert shop.get(f"/v1/tools?{query}").status_code == 422


def test_a_tool_has_a_card_under_both_spellings_of_its_id(shop: TestClient) -> None:
    """Percent-encoded or not, the id finds the card, with methods and templates that use the tool."""
    encoded, plain = shop.get("/v1/tools/orders%2Fget_order"), shop.get("/v1/tools/orders/get_order")

    assert encoded.json() == plain.json()
    card = plain.json()
    assert card["id"] == "orders/get_order"
    assert card["methods"]
    assert card["templates"]
    assert card["sources"] == [
        {"source": "manifest:orders", "declares": False},
        {"source": "taxonomy:taxonomy", "declares": True},
    ]
    assert (card["former_ids"], card["workflows"]) == ([], [])


def test_the_status_says_what_answers_and_who_writes() -> None:
    """Generation and since when, whoever holds the lease; away and back, always 200."""
    graph = InMemoryGraph()
    ingest(graph)
    with client(graph) as shop:
        ready = shop.get("/v1/status").json()
        with graph.lease(owner="elsewhere:1:abcd", wait_s=1) as lease:
            lease.begin()
            written = shop.get("/v1/status").json()
            lease.finish()
        graph.reachable = False
        away = shop.get("/v1/status")

    assert (ready["status"], ready["generation"], ready["graph_generation"], ready["problem"]) == (
        *("ready", 1, 1),
        "",
    )
    assert ready["tools"] == 66
    assert 0 <= ready["snapshot_age_s"] < 60
    assert (ready["from_memory"], ready["lease"], ready["watched"]) == (False, None, None)
    assert ready["graph_generation_at"].endswith("Z")
    assert (written["writing"], written["from_memory"]) == (True, True)
    assert written["lease"]["owner"] == "elsewhere:1:abcd"
    assert away.status_code == 200
    found = away.json()
    assert (found["status"], found["graph"], found["from_memory"]) == ("degraded", "unreachable", True)
    assert (found["graph_generation"], found["graph_generation_at"], found["lease"]) == (None, None, None)


def test_the_status_before_the_first_snapshot_says_why() -> None:
    """No generation answers yet."""
    graph = InMemoryGraph(reachable=False)
    with client(graph, ready=False) as shop:
        wait_until(lambda: shop.get("/v1/status").json()["problem"])
        found = shop.get("/v1/status").json()

    assert (found["status"], found["generation"], found["from_memory"]) == ("starting", None, False)


def test_a_card_does_without_what_only_the_graph_knows() -> None:
    """While the database is away: null, not an empty list, and everything else as before."""
    graph = InMemoryGraph()
    ingest(graph)
    with client(graph) as shop:
        before = shop.get("/v1/tools/orders/get_order").json()
        graph.reachable = False
        card = shop.get("/v1/tools/orders/get_order").json()

    assert (card.pop("sources"), card.pop("former_ids")) == (None, None)
    assert card == {name: before[name] for name in card}


def test_an_unknown_tool_is_answered_with_near_ones(shop: TestClient) -> None:
    """404 helps with the spelling."""
    answer = shop.get("/v1/tools/orders/get_ordr")

    assert answer.status_code == 404
    assert "orders/get_order" in answer.json()["detail"]


def test_neighbours_are_nodes_and_edges_between_them(shop: TestClient) -> None:
    """Every edge's ends are among the nodes; `kinds` keeps others out; depth reaches further."""
    near = shop.get("/v1/neighbours/orders/get_order", params={"kinds": "implements"}).json()
    far = shop.get("/v1/neighbours/orders/get_order", params={"depth": 2, "limit": 1000}).json()

    keys = {node["key"] for node in near["nodes"]}
    assert {edge["kind"] for edge in near["edges"]} == {"IMPLEMENTS"}
    assert {end for edge in near["edges"] for end in (edge["source"], edge["target"])} == keys
    assert len(far["nodes"]) > len(near["nodes"])


@pytest.mark.parametrize("query", ["depth=0", "depth=4", "kinds=LIKES", "kinds=", "limit=0"])
def test_a_wrong_neighbourhood_is_refused(shop: TestClient, query: str) -> None:
    """422 for what cannot be drawn."""
    assert shop.get(f"/v1/neighbours/orders/get_order?{query}").status_code == 422


def test_neighbours_of_nothing_are_not_found(shop: TestClient) -> None:
    """404 for an id that no node has."""
    assert shop.get("/v1/neighbours/nobody").status_code == 404


def test_sources_say_what_they_provide(shop: TestClient) -> None:
    """Every file of the examples is a source with its nodes."""
    sources = {source["id"]: source for source in shop.get("/v1/sources").json()["sources"]}

    assert sources["manifest:orders"]["nodes"]["Tool"] > 0
    assert sources["taxonomy:taxonomy"]["nodes"]["Method"] > 0


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/query", 405),
        ("DELETE", "/v1/tools", 405),
        ("GET", "/nope", 404),
        ("GET", "/v2/query", 404),
    ],
)
def test_what_is_not_there_is_a_problem_document_too(
    shop: TestClient, method: str, path: str, status: int
) -> None:
    """404 and 405 name the path."""
    answer = shop.request(method, path)

    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert path in answer.json()["detail"]


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/v1/workflows", {"GET", "POST"}),
        ("/v1/workflows/cancel-and-refund", {"GET", "PUT", "DELETE"}),
        ("/v1/workflows/cancel-and-refund/validate", {"POST"}),
        ("/docs", {"GET"}),
        ("/mcp", {"POST"}),
    ],
)
def test_a_refused_method_is_answered_with_all_that_the_path_has(
    shop: TestClient, path: str, methods: set[str]
) -> None:
    """`Allow` names the methods of every route of the path (RFC 9110, section 10.2.1), and so does the problem."""
    answer = shop.request("PATCH", path)

    assert answer.status_code == 405
    assert set(answer.headers["allow"].split(", ")) == methods
    assert answer.headers["allow"] in answer.json()["detail"]


def test_metrics_count_by_template_not_by_id(shop: TestClient) -> None:
    """One series for all tools; queries by method; the snapshot as it is."""
    shop.get("/v1/tools/orders/get_order")
    shop.post("/v1/query", json={"query": "order", "method": "bm25"})
    shop.post("/v1/query", json={"query": "qwxz", "method": "bm25"})

    lines = shop.get("/metrics").text.splitlines()

    assert any('route="/v1/tools/{tool_id:path}",status="200"' in line for line in lines)
    assert not any("get_order" in line for line in lines)
    assert any(line.startswith('outfitter_query_seconds_count{method="bm25"}') for line in lines)
    assert 'outfitter_abstained_total{method="bm25"} 1.0' in lines
    assert "outfitter_generation 1.0" in lines
    assert "outfitter_graph_reachable 1.0" in lines


def test_a_request_keeps_its_id(shop: TestClient) -> None:
    """A given id comes back; one that could break a log line is replaced."""
    given = shop.get("/healthz", headers={"X-Request-ID": "trace-1"})
    odd = shop.get("/healthz", headers={"X-Request-ID": "a b"})

    assert given.headers["x-request-id"] == "trace-1"
    assert odd.headers["x-request-id"] != "a b"


def test_the_page_describes_every_call_with_its_body(shop: TestClient) -> None:
    """/openapi.json resolves all its references and has an example for a query."""
    document = shop.get("/openapi.json").json()

    schemas = document["components"]["schemas"]
    references = set(_references(document))
    assert {reference.removeprefix("#/components/schemas/") for reference in references} <= set(schemas)
    assert schemas["SearchRequest"]["examples"]
    assert shop.get("/docs").status_code == 200


def _references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "$ref":
                yield str(inner)
            yield from _references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _references(inner)


@pytest.mark.parametrize("form", ["openai", "openai_tool_search", "anthropic", "langchain", "mcp"])
def test_tools_come_in_the_form_of_a_provider(shop: TestClient, form: str) -> None:
    """`tools` can be handed on as they are; scores are beside them, and names lead back to ids."""
    plain = shop.post("/v1/query", json={"query": QUESTION, "explain": True}).json()

    formed = shop.post("/v1/query", json={"query": QUESTION, "explain": True, "format": form}).json()

    assert len(formed["tools"]) == len(plain["tools"])
    kept = ("id", "score", "role", "needed_by", "parameter", "why")
    assert formed["matches"] == [{key: one[key] for key in kept if key in one} for one in plain["tools"]]
    if form != "mcp":
        assert [formed["names"][tool["name"]] for tool in formed["tools"]] == [
            t["id"] for t in plain["tools"]
        ]
    for key in ("abstained", "nearest", "tokens", "generation"):
        assert formed[key] == plain[key]


def test_references_come_with_what_they_name(shop: TestClient) -> None:
    """Each `tool_reference` has its definition, to be sent with the next request."""
    body = {"query": QUESTION, "format": "anthropic_tool_reference"}

    answer = shop.post("/v1/query", json=body).json()

    assert {tool["type"] for tool in answer["tools"]} == {"tool_reference"}
    assert [tool["tool_name"] for tool in answer["tools"]] == [one["name"] for one in answer["definitions"]]
    assert all(one["defer_loading"] for one in answer["definitions"])
