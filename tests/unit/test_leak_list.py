"""Whoever adds a route, a field, a page, a tool of MCP or a metric decides what it tells those who may not see all."""

import re
import tomllib
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from app.api.access import OPEN_PATHS, Policy
from app.api.scopes import scopes_of
from app.domain.access.callers import OF_MCP_TOOLS, CallerScope
from app.domain.access.resource import ProtectedResource
from app.ports.graph import GraphExplorer
from app.roots.http import create_app
from app.roots.mcp import catalogue_server
from app.service.metrics import Metrics
from app.usecases.seen.explorer import SeenExplorer
from app.web.assembly import PAGES
from app.web.visits import Face, scopes_of_page
from bench.hidden.questions import HttpQuestion, questions
from tests.fakes import InMemoryGraph
from tests.service import client
from tests.unit.mcp.test_server import opened

LISTED: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "leaks.toml").read_text("utf-8")
)
WAYS = {"index", "graph", "asked", "fixed", "service", "operator", "accepted"}


@pytest.fixture(scope="module")
def app() -> FastAPI:
    """Its routes alone."""
    return create_app(
        lambda _: nullcontext(None),  # type: ignore[arg-type]
        policy=Policy(token=None, hosts=None, pages=True),
        max_body_bytes=1000,
        face=Face(),
    )


def test_every_route_is_listed(app: FastAPI) -> None:
    paths = app.openapi()["paths"]
    routes = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}

    assert routes == LISTED["routes"].keys()


def test_what_is_open_with_an_issuer_is_listed() -> None:
    """Beside `OPEN_PATHS`; outside the OpenAPI document, since it is there for clients of OAuth alone."""
    resource = ProtectedResource("https://tools.example.com/mcp", "https://login.example.com")

    assert resource.metadata_paths == LISTED["well_known"].keys()


def test_every_field_is_listed(app: FastAPI) -> None:
    schemas = app.openapi()["components"]["schemas"]
    fields = {name: set(schema.get("properties", ())) for name, schema in schemas.items()}
    listed = {
        name: [field for some in ways.values() for field in some] for name, ways in LISTED["fields"].items()
    }

    assert {name: some for name, some in fields.items() if some} == {
        name: set(some) for name, some in listed.items()
    }
    assert all(len(some) == len(set(some)) for some in listed.values())


def test_every_way_is_one_that_is_explained() -> None:
    ways = [way for name, table in LISTED.items() if name != "fields" for way in table.values()]
    ways += [way for table in LISTED["fields"].values() for way in table]

    assert set(ways) <= WAYS


def test_what_is_the_operators_takes_the_operators_scope() -> None:
    """Routes, pages and metrics."""
    for route, way in LISTED["routes"].items():
        method, path = route.split()
        needed = scopes_of(method, path.replace("{", "").replace("}", ""))
        assert (needed == {CallerScope.ADMIN}) == (way == "operator"), route
        assert (path in OPEN_PATHS) <= (way in {"fixed", "service"}), route
    for page, way in LISTED["pages"].items():
        assert (scopes_of_page("GET", f"/ui/{page}") == {CallerScope.ADMIN}) == (way == "operator"), page
    assert set(LISTED["metrics"].values()) == {"operator"}


def test_whatever_is_seen_through_a_view_is_asked_of_services_with_hidden_tools() -> None:
    """Each route and MCP tool by the questions of `bench leaks-acl`."""
    asked = {_matched(one) for whole in questions(0, ["s0/a", "s1/b"]) for one in (whole, *whole.then)}
    seen = {
        name
        for table in ("routes", "mcp")
        for name, way in LISTED[table].items()
        if way in {"index", "graph"}
    }

    assert seen <= asked


def _matched(question: HttpQuestion) -> str:
    """The route in the list that answers a question; of MCP the tool."""
    if question.path == "/mcp":
        return str(question.body["params"].get("name", ""))
    asked = f"{question.method} {question.path.partition('?')[0]}"
    fitting = [one for one in LISTED["routes"] if re.fullmatch(re.sub(r"\{\w+\}", ".+", one), asked)]
    # As the service does, which tries fixed paths first.
    return min(fitting, key=lambda one: (one.count("{"), -len(one)))


def test_every_page_is_listed() -> None:
    assert {page.__name__.rpartition(".")[2] for page in PAGES} == LISTED["pages"].keys()


def test_every_tool_of_the_mcp_server_is_listed_and_takes_a_scope() -> None:
    with client(InMemoryGraph()) as opened:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        headers = {"Accept": "application/json, text/event-stream"}
        tools = opened.post("/mcp", json=message, headers=headers).json()["result"]["tools"]

    names = {one["name"] for one in tools} | {"call_tool"}
    assert names == LISTED["mcp"].keys() == OF_MCP_TOOLS.keys()


def test_every_message_that_the_mcp_server_answers_is_listed() -> None:
    """`initialize` is answered by the SDK's session, which says nothing of a catalogue."""
    with opened(InMemoryGraph()) as components:
        server = catalogue_server(components, refresh_s=1.0, scope="private")

    answered = vars(server.sdk)["_request_handlers"].keys()
    assert answered | {"initialize"} == LISTED["mcp_messages"].keys()


def test_every_metric_is_listed() -> None:
    with client(InMemoryGraph()) as opened:
        lines = opened.get("/metrics").text.splitlines()
    names = {
        line.split()[2].removesuffix("_total").removesuffix("_created")
        for line in lines
        if line.startswith("# TYPE")
    }

    assert names == LISTED["metrics"].keys()
    assert Metrics is not None


def test_whatever_reads_the_graph_reads_what_is_seen() -> None:
    """Each method of the port is one of its own; nothing is passed through by name."""
    asked = {name for name in vars(GraphExplorer) if not name.startswith("_")}

    assert asked <= vars(SeenExplorer).keys()
    assert not hasattr(SeenExplorer, "__getattr__")
