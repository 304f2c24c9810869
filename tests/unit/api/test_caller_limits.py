"""Requests of a caller beyond the limits: 429 and when to come again, and for calls of tools a result."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.responses import Response
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from app.api.access import Access, Policy
from app.domain.access.buckets import CallerBounds, CallerUse, GroupBounds
from app.domain.access.callers import CallerEntry, CallerList, CallerScope, digest_of
from app.domain.access.rules import RuleBook
from app.service.metrics import Metrics
from app.web.session import SignedIn
from app.web.visits import Face
from tests.fakes import InMemoryGraph
from tests.service import client, wait_until

OTHER_TOKEN = "oft_" + "b" * 43
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


def test_a_caller_of_a_group_has_its_limits(service: Service) -> None:
    """As the file of policies has them now."""
    listed = CallerList.of([CallerEntry("ada", digest_of(TOKEN), frozenset({"batch"}))])
    use = CallerUse(CallerBounds(requests_s=0.1, burst=4, calls_s=1.0, at_once=2), now=lambda: 5.0)
    books = [RuleBook(bounds={"batch": GroupBounds(burst=1)})]
    policy = Policy(token=None, hosts=None, callers=lambda: listed, rules=lambda: books[-1], use=use)
    app = TestClient(Access(service, policy=policy, max_body_bytes=1_000, metrics=Metrics()))
    headers = {"Authorization": f"Bearer {TOKEN}"}

    assert [app.get("/v1/tools", headers=headers).status_code for _ in range(2)] == [200, 429]
    books.append(RuleBook(bounds={"batch": GroupBounds(requests_s=1_000.0, burst=9)}))
    refused = app.get("/v1/tools", headers=headers)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1")
    assert "limits of a group" in refused.json()["detail"]


def test_a_page_takes_what_a_request_takes() -> None:
    """Of the same caller by token and by cookie together; a page of its own kind says so, and its document a problem."""
    listed = CallerList.of(
        [
            CallerEntry("ada", digest_of(TOKEN), scopes=frozenset(CallerScope)),
            CallerEntry("eva", digest_of(OTHER_TOKEN), scopes=frozenset(CallerScope)),
        ]
    )
    clock = [5.0]
    use = CallerUse(CallerBounds(requests_s=0.5, burst=4, calls_s=1.0, at_once=2), now=lambda: clock[0])
    face = Face(signed_in=SignedIn(token=OPERATOR, key="k" * 32, callers=lambda: listed))
    with client(InMemoryGraph(), token=OPERATOR, callers=lambda: listed, face=face, use=use) as opened:
        other = {"Authorization": f"Bearer {OTHER_TOKEN}"}

        def is_seen() -> bool:
            """Whether views are made; time goes on with each look, so that nobody asks too often."""
            clock[0] += 1_000.0
            return opened.get("/v1/tools", headers=other).status_code == 200

        wait_until(is_seen)
        signed = {"Origin": "http://localhost"}
        opened.post("/ui/login", data={"token": TOKEN}, headers=signed, follow_redirects=False)
        statuses = [opened.get("/ui/changes").status_code for _ in range(3)]
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        statuses.append(opened.get("/v1/tools", headers=bearer).status_code)
        page, document = opened.get("/ui/changes"), opened.get("/ui/changes.json")
        fragment = opened.get("/ui/changes", headers={"X-Fragment": "1"})
        by_token = opened.get("/v1/tools", headers=bearer)

        assert (statuses, by_token.status_code) == ([200] * 4, 429)
        assert (page.status_code, page.headers["Retry-After"], page.headers["X-State"]) == (429, "2", "busy")
        assert "OUTFITTER_CALLER_REQUESTS_S" in page.text
        assert (document.status_code, document.headers["Retry-After"]) == (429, "2")
        assert document.headers["content-type"] == "application/problem+json"
        assert (fragment.status_code, fragment.headers["X-State"]) == (200, "busy")
        # Whoever runs the service is not slowed.
        opened.cookies.clear()
        opened.post("/ui/login", data={"token": OPERATOR}, headers=signed, follow_redirects=False)
        assert [opened.get("/ui/changes").status_code for _ in range(6)] == [200] * 6
