"""Requests of a caller beyond the limits: 429 and when to come again, and for calls of tools a result."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.responses import Response
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from app.api.access import Access, Policy
from app.domain.access.buckets import CallerBounds, CallerUse
from app.domain.access.callers import CallerEntry, CallerList, digest_of
from app.service.metrics import Metrics

TOKEN, OPERATOR = "oft_" + "a" * 43, "operator-token-of-this-test"
CALL = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "call_tool", "arguments": {}}}
LISTEN = {"jsonrpc": "2.0", "id": 8, "method": "subscriptions/listen"}

Ask = Callable[..., Any]


class Service:
    """Answers everything, or asks on while it does."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.meanwhile: Callable[[], None] = lambda: None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.bodies.append((await receive()).get("body", b""))
        meanwhile, self.meanwhile = self.meanwhile, lambda: None
        meanwhile()
        await Response("fine")(scope, receive, send)


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def ask(service: Service) -> Ask:
    """A request as a caller with two requests at once, two after a pause, one call a second."""
    listed = CallerList.of([CallerEntry(name="ada", sha256=digest_of(TOKEN))])
    use = CallerUse(CallerBounds(requests_s=0.1, burst=4, calls_s=1.0, at_once=2), now=lambda: 5.0)
    policy = Policy(token=OPERATOR, hosts=None, callers=lambda: listed, use=use)
    app = Access(service, policy=policy, max_body_bytes=1_000, metrics=Metrics())

    def asked(method: str, path: str, message: object = None, *, token: str = TOKEN) -> Any:
        headers = {"Authorization": f"Bearer {token}"}
        return TestClient(app).request(method, path, json=message, headers=headers)

    return asked


def test_too_many_requests_get_429_and_when_to_come_again(ask: Ask) -> None:
    """As a problem document; the operator may go on."""
    statuses = [ask("GET", "/v1/tools").status_code for _ in range(4)]
    refused = ask("GET", "/v1/tools")

    assert (statuses, refused.status_code) == ([200] * 4, 429)
    assert refused.headers["Retry-After"] == "10"
    assert refused.headers["content-type"] == "application/problem+json"
    assert "OUTFITTER_CALLER_REQUESTS_S" in refused.json()["detail"]
    assert ask("GET", "/v1/tools", token=OPERATOR).status_code == 200


def test_too_many_calls_get_a_result_that_is_an_error(ask: Ask, service: Service) -> None:
    """What is let in reaches the server as it came; other messages go on."""
    assert ask("POST", "/mcp", CALL).status_code == 200
    refused = ask("POST", "/mcp", CALL)
    listed = ask("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})

    assert (refused.status_code, refused.headers["Retry-After"], listed.text) == (200, "1", "fine")
    answer = refused.json()
    assert (answer["id"], answer["result"]["isError"]) == (7, True)
    assert "OUTFITTER_CALLER_CALLS_S" in answer["result"]["content"][0]["text"]
    assert [b"call_tool" in body for body in service.bodies] == [True, False]


@pytest.mark.parametrize("message", [{**CALL, "id": None}, [CALL, CALL]])
def test_what_has_no_answer_gets_429(ask: Ask, message: object) -> None:
    """A notification, a batch."""
    ask("POST", "/mcp", CALL)

    assert ask("POST", "/mcp", message).status_code == 429


def test_a_number_is_answered_at_once_and_streams_do_not_count(ask: Ask, service: Service) -> None:
    """One within the other: the third is refused, a stream is not."""
    inner: list[int] = []

    def second() -> None:
        service.meanwhile = third
        inner.append(ask("GET", "/v1/tools").status_code)

    def third() -> None:
        inner.append(ask("GET", "/v1/tools").status_code)
        inner.append(ask("POST", "/mcp", LISTEN).status_code)

    service.meanwhile = second
    first = ask("GET", "/v1/tools").status_code

    assert (first, inner) == (200, [429, 200, 200])
    assert ask("GET", "/v1/tools").status_code == 200
