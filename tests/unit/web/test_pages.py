"""Every page with the smallest, the usual and the most hostile catalogue, and in every state that it may be in."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.routing import Route
from starlette.testclient import TestClient

from app.adapters.graph.schema import SCHEMA_VERSION
from app.domain.nodes.models import ToolRequest
from app.domain.unmet.entries import UnmetMode
from app.web.assembly import PAGES
from app.web.navigation import ENTRIES
from ingest.enrich.requests.kept import put_requests
from tests.fakes import InMemoryGraph
from tests.service import client, ingest, wait_until
from tests.unit.web.pages import FRAGMENT, SAME_ORIGIN, TOKEN, Elements, pages

HOSTILE = Path(__file__).resolve().parents[2] / "e2e" / "hostile_manifest.json"
LISTS = (
    "",
    "ask",
    "ask?q=refund",
    "compare?q=refund",
    "tools",
    "find",
    "find?q=re",
    "graph",
    "plan",
    "plan?goal=refund+the+payment",
    "workflows",
    "sources",
    "changes",
    "unmet",
)
OF_THE_SHOP = (
    "ask?q=refund&expect=orders/cancel_order",
    "ask?q=refund&expect=nowhere",
    "ask?q=refund&server=orders&expect=payments/refund_payment",
    "ask?q=qwxyz&expect=payments/refund_payment",
    "ask?q=refund&method=bm25&k=100",
    "ask?q=refund&method=kg_hybrid",
    "tools?q=refund&server=payments&read_only=false",
    "tools?q=nothing+is+called+this",
    "tools/payments%2Frefund_payment",
    "sources/manifest%3Aorders",
    "changes?tool=payments/refund_payment",
    "changes?severity=breaking&since=2020-01-01",
)


@pytest.fixture(scope="module")
def shop() -> Iterator[TestClient]:
    """The pages of the example shop."""
    with pages() as browser:
        yield browser


@pytest.fixture(scope="module")
def empty() -> Iterator[TestClient]:
    """The pages of a graph that nothing was ingested into."""
    with pages(InMemoryGraph(schema_version=SCHEMA_VERSION)) as browser:
        yield browser


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """The pages over the tools of somebody who means no good."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / HOSTILE.name).write_bytes(HOSTILE.read_bytes())
    graph = InMemoryGraph()
    ingest(graph, manifests=folder, taxonomy=False)
    with pages(graph) as browser:
        yield browser


@pytest.mark.parametrize("address", [*LISTS, *OF_THE_SHOP])
def test_a_page_of_the_shop_is_whole(shop: TestClient, address: str) -> None:
    """Every element is closed, there is one heading, and links lead to pages that there are."""
    answer = shop.get(f"/ui/{address}")

    assert answer.status_code == 200
    page = Elements(answer.text)
    assert len(page.all("h1")) == 1
    for link in page.links():
        assert link.startswith(("/ui/", "#", "/docs")), link
    assert page.text.count("None") == 0


@pytest.mark.parametrize("address", LISTS)
def test_a_page_of_nothing_is_whole(empty: TestClient, address: str) -> None:
    """No empty tables; what lists tools says how to begin."""
    answer = empty.get(f"/ui/{address}")

    assert answer.status_code == 200
    page = Elements(answer.text)
    assert len(page.all("h1")) == 1
    assert page.all("table") == []
    assert ("outfitter ingest" in page.text) == (
        address in {"", "ask", "ask?q=refund", "tools", "sources"} or address[:4] in {"grap", "plan", "work"}
    )


@pytest.mark.parametrize(
    "address",
    [
        *LISTS,
        "tools?q=onerror",
        "tools/hostile_manifest%2Fimg_onerror",
        "ask?q=refund+everything",
        "ask?q=%3Cscript%3Ealert(1)%3C/script%3E&expect=%22%3E%3Cscript%3E",
        "compare?q=%3Cimg+src%3Dx%3E",
        "tools?q=%22%3E%3Cscript%3E",
        "changes?tool=%22%3E%3Cscript%3E",
        "sources/manifest%3Ahostile_manifest",
    ],
)
def test_what_strangers_write_stays_text(hostile: TestClient, address: str) -> None:
    """No element, attribute or link is made of it, wherever it stands: in a tool, or in the address."""
    page = Elements(hostile.get(f"/ui/{address}").text)

    assert page.all("img") == []
    assert [
        said for said in page.all("script") if not (said.get("src") or "").startswith("/ui/static/")
    ] == []
    assert [link for link in page.links() if not link.startswith(("/ui/", "#", "/docs"))] == []
    assert "\u202e" not in page.text


@pytest.mark.parametrize(
    ("page", "rest"),
    [
        ("tools.json?q=refund", "tools?q=refund&limit=50"),
        ("tools/payments%2Frefund_payment.json", "tools/payments%2Frefund_payment"),
        ("find.json?q=refund", "find?q=refund"),
        ("find.json?q=re&kinds=Tool", "find?q=re&kinds=Tool"),
        ("sources.json", "sources"),
        ("sources/manifest%3Aorders.json", "sources/manifest%3Aorders/changes"),
        ("unmet.json", "unmet"),
        ("changes.json?severity=compatible", "changes?severity=compatible"),
    ],
)
def test_a_page_knows_no_more_than_its_twin(shop: TestClient, page: str, rest: str) -> None:
    """The page's own document is that of REST."""
    assert shop.get(f"/ui/{page}").json() == shop.get(f"/v1/{rest}").json()


def test_the_twin_of_an_answer_is_the_same_query(shop: TestClient) -> None:
    """With the same reasons, and curl says how to ask it."""
    asked = {"query": "send it back", "top_k": 10, "explain": True}
    rest = shop.post("/v1/query", json=asked).json()
    own = shop.get("/ui/ask.json?q=send+it+back").json()
    page = Elements(shop.get("/ui/ask?q=send+it+back").text)

    assert [own.pop("took_ms") > 0, rest.pop("took_ms") > 0] == [True, True]
    assert own == rest
    assert json.dumps({key: asked[key] for key in ("query", "top_k", "explain")}) in page.text
    shown = [link for link in page.links() if link.startswith("/ui/tools/")]
    assert [
        f"/ui/tools/{tool['id'].replace('/', '%2F')}" for tool in rest["tools"] if tool["role"] == "match"
    ] == [link for link in dict.fromkeys(shown) if link in shown and _is_match(link, rest)]


def _is_match(link: str, answer: dict[str, list[dict[str, str]]]) -> bool:
    matches = {tool["id"].replace("/", "%2F") for tool in answer["tools"] if tool["role"] == "match"}
    return link.removeprefix("/ui/tools/") in matches


def test_what_nothing_met_is_listed_and_forgotten_by_a_button() -> None:
    """Asked over REST; the page itself never counts. The button takes a forged request no better than others."""
    graph = InMemoryGraph()
    ingest(graph)
    with pages(graph, unmet=UnmetMode.TEXTS) as browser:
        browser.get("/ui/ask?q=qwxyz")
        browser.post("/v1/query", json={"query": "<b>zzzz</b> qqqq"})
        wait_until(lambda: browser.get("/v1/unmet").json()["count"])
        page = Elements(browser.get("/ui/unmet").text)
        overview = browser.get("/ui/").text
        (unmet_id,) = [said["value"] for said in page.all("input") if said.get("name") == "id"]
        forged = browser.post("/ui/unmet", data={"id": unmet_id}, headers={"Origin": "http://evil.test"})
        wrong = browser.post("/ui/unmet", data={"id": "x"}, headers=SAME_ORIGIN)
        left = browser.get("/v1/unmet").json()["count"]
        forgotten = browser.post("/ui/unmet", data={"id": unmet_id}, headers=SAME_ORIGIN)
        after = browser.get("/v1/unmet").json()["count"]

    assert "qwxyz" not in page.text
    assert "<b>zzzz</b> qqqq" in page.text
    assert "Asked for and not found" in overview
    assert (forged.status_code, wrong.status_code, left) == (403, 422, 1)
    assert (forgotten.headers["location"], after) == ("/ui/unmet", 0)


def test_every_entry_of_the_navigation_leads_to_a_page(shop: TestClient) -> None:
    """And its key leads to it alone."""
    assert [shop.get(f"/ui/{entry.name}").status_code for entry in ENTRIES] == [200] * len(ENTRIES)
    keys = [entry.key for entry in ENTRIES]
    assert len({*keys, "o"}) == len(keys) + 1


def test_every_page_asks_who_comes_in() -> None:
    """But the login. A script is refused, anybody else is led there."""
    routes = [route for page in PAGES for route in page.router.routes if isinstance(route, Route)]
    with pages(token=TOKEN) as browser:
        let_in = {
            route.path
            for route in routes
            for method in route.methods or ()
            if browser.request(method, route.path.replace(":path", ""), headers=SAME_ORIGIN).status_code
            not in {303, 401}
        }
        unknown = browser.get("/ui/nowhere")

    assert len(routes) > 15
    assert let_in == {"/ui/login"}
    assert unknown.status_code == 303


def test_an_id_that_ends_like_a_twin_is_found(tmp_path: Path) -> None:
    """What there is goes before the document of another one."""
    manifest = {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in ("get", "get.json")]}
    (tmp_path / "odd.json").write_text(json.dumps(manifest))
    graph = InMemoryGraph()
    ingest(graph, manifests=tmp_path, taxonomy=False)
    with pages(graph) as browser:
        page = browser.get("/ui/tools/odd%2Fget.json")
        other = browser.get("/ui/tools/odd%2Fget.json.json").json()

    assert page.headers["content-type"].startswith("text/html")
    assert other["id"] == "odd/get.json"


def test_requests_written_for_a_tool_stand_on_its_card(tmp_path: Path) -> None:
    """With who wrote them and when, as text; REST has the same, and a tool without any has no field for them."""
    manifest = {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in ("get", "put")]}
    (tmp_path / "odd.json").write_text(json.dumps(manifest))
    graph = InMemoryGraph()
    ingest(graph, manifests=tmp_path, taxonomy=False)
    said = ToolRequest(text="fetch <b>it</b>", language="en", model="small", at="2026-11-23T05:00:00Z")
    put_requests(
        graph, {"odd/get": (graph.tool("odd/get"), [said])}, owner="tests:1:0", lease_wait_s=5, at=said.at
    )
    with pages(graph) as browser:
        page = browser.get("/ui/tools/odd%2Fget").text
        card = browser.get("/ui/tools/odd%2Fget.json").json()
        other = browser.get("/ui/tools/odd%2Fput.json").json()

    assert "Requests written for it" in page
    assert "fetch &lt;b&gt;it&lt;/b&gt;" in page
    assert "2026-11-23" in page
    assert card["requests"] == [said.model_dump()]
    assert "requests" not in other


def test_the_states_of_a_service_that_cannot_answer(shop: TestClient) -> None:
    """Not yet, not without the graph, not at all: each says what to do, and scripts hear which it is."""
    with pages(InMemoryGraph(reachable=False), ready=False) as browser:
        starting = browser.get("/ui/ask?q=x")
        fragment = browser.get("/ui/ask?q=x", headers=FRAGMENT)
    graph = InMemoryGraph()
    ingest(graph)
    with pages(graph) as browser:
        graph.reachable = False
        away = browser.get("/ui/sources")
        memory = browser.get("/ui/tools/payments%2Frefund_payment")
        overview = browser.get("/ui/")
    near = shop.get("/ui/tools/payments%2Frefund_paymnt")

    assert starting.status_code == 503
    assert starting.headers["retry-after"] == "1"
    assert ("meta", {"http-equiv": "refresh", "content": "1"}) in Elements(starting.text).found
    assert (fragment.status_code, fragment.headers["x-state"]) == (200, "starting")
    assert (away.status_code, away.headers["x-state"]) == (503, "away")
    assert "/ui/ask" in Elements(away.text).links()
    assert memory.status_code == 200
    assert overview.status_code == 200
    assert near.status_code == 404
    assert "/ui/tools/payments%2Frefund_payment" in Elements(near.text).links()


def test_a_document_that_is_refused_is_a_problem_document(shop: TestClient) -> None:
    """As REST says it."""
    refused = shop.get("/ui/tools/nowhere.json")

    assert (refused.status_code, refused.headers["content-type"]) == (404, "application/problem+json")


def test_pages_can_be_switched_off() -> None:
    """Then nothing answers below /ui, nor at /."""
    with client(InMemoryGraph(), ready=False) as browser:
        assert [browser.get(path).status_code for path in ("/", "/ui/", "/ui/login")] == [404] * 3


NAMES = [
    "q",
    "k",
    "method",
    "server",
    "category",
    "read_only",
    "expect",
    "cursor",
    "a",
    "b",
    "page",
    "since",
    "tool",
]


@given(
    st.sampled_from(
        ["", "ask", "compare", "tools", "find", "sources", "changes", "unmet", "login", "tools/", "sources/"]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.dictionaries(
        st.sampled_from(NAMES), st.text(st.characters(exclude_categories=["Cs"]), max_size=30), max_size=4
    ),
    st.sampled_from(["", ".json"]),
)
@settings(max_examples=60)
def test_no_address_is_a_defect(
    shop: TestClient, page: str, segment: str, query: dict[str, str], end: str
) -> None:
    """Whatever somebody writes into one: a page, or a refusal that says why."""
    address = page + quote(segment, safe="") if page.endswith("/") else page

    answer = shop.get(f"/ui/{address}{end}", params=query)

    assert answer.status_code in {200, 303, 404, 422}, answer.text


def test_a_form_of_too_many_fields_is_refused(shop: TestClient) -> None:
    """As is an address of them."""
    fields = "&".join(f"q={number}" for number in range(1_001))

    assert shop.get(f"/ui/ask?{fields}").status_code == 422
    assert shop.post("/ui/unmet", content=fields, headers=SAME_ORIGIN).status_code == 422
