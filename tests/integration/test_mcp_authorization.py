"""What the authorization chapter of MCP 2026-07-28 says that MCP servers MUST do, one test for each sentence.

The chapter is `docs/specification/2026-07-28/basic/authorization/` of modelcontextprotocol/modelcontextprotocol, read at
b0f60ba5409d. Sentences are shortened; those for clients, authorization servers and client registration are left out. That
a caller's token is never passed on needs a server to call: tests/e2e/test_oauth_client.py.
"""

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from app.domain.access.resource import check_issuer, check_resource
from app.errors import InvalidInputError
from tests.fakes import InMemoryGraph
from tests.hidden import caller_list
from tests.integration.test_oidc_callers import trusted
from tests.service import client, ingest, wait_until
from tests.token_issuer import RESOURCE, Issuer, token_issuer

WELL_KNOWN = "/.well-known/oauth-protected-resource"
METADATA = f"http://localhost{WELL_KNOWN}/mcp"
SEARCH = {"name": "search_tools", "arguments": {"query": "refund"}}
PLAN = {"name": "plan_workflow", "arguments": {"goal": "refund an order"}}


@dataclass(frozen=True)
class Protected:
    """The service with an issuer."""

    client: TestClient
    issuer: Issuer

    def post(self, token: str | None = None, method: str = "tools/call", **params: object) -> Response:
        """A message to /mcp."""
        headers = {"Accept": "application/json, text/event-stream"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or SEARCH}
        return self.client.post("/mcp", json=message, headers=headers)

    def refused(self, token: str) -> str:
        """The challenge to a token that must not be accepted; neither REST nor MCP gives anything for it."""
        answer, rest = self.post(token), self.client.get("/v1/tools", headers=_bearer(token))
        assert (answer.status_code, rest.status_code) == (401, 401)
        for one in (answer, rest):
            assert set(one.json()) == {"type", "title", "status", "detail", "request_id"}
        return str(answer.headers["www-authenticate"])


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture(scope="module")
def protected() -> Iterator[Protected]:
    graph = InMemoryGraph()
    ingest(graph)
    with token_issuer() as issuer, trusted(issuer) as known, client(graph, issuer=known) as opened:
        found = Protected(opened, issuer)
        wait_until(lambda: opened.get("/v1/facets", headers=_bearer(issuer.token())).status_code == 200)
        yield found


def _publishes_metadata(one: Protected) -> None:
    document = one.client.get(f"{WELL_KNOWN}/mcp")
    assert document.status_code == 200
    assert document.headers["content-type"] == "application/json"
    assert document.json() == {
        "resource": RESOURCE,
        "authorization_servers": [one.issuer.url],
        "scopes_supported": ["tools:call", "tools:find", "tools:plan"],
        "bearer_methods_supported": ["header"],
        "resource_name": "Outfitter",
    }


def _names_authorization_servers(one: Protected) -> None:
    assert one.client.get(f"{WELL_KNOWN}/mcp").json()["authorization_servers"] == [one.issuer.url]


def _challenges_with_its_metadata(one: Protected) -> None:
    answer = one.post()
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == f'Bearer resource_metadata="{METADATA}", scope="tools:find"'
    assert one.client.get(METADATA.removeprefix("http://localhost")).status_code == 200


def _answers_at_well_known_addresses(one: Protected) -> None:
    documents = [one.client.get(path).text for path in (f"{WELL_KNOWN}/mcp", WELL_KNOWN)]
    assert documents[0] == documents[1]


def _takes_a_token_from_its_header_alone(one: Protected) -> None:
    token = one.issuer.token()
    assert one.post(token).status_code == 200
    assert one.client.post("/mcp", data={"access_token": token}).status_code == 401
    assert one.client.post("/mcp", json={"access_token": token}).status_code == 401
    assert one.client.post("/mcp", json={}, headers={"Cookie": f"access_token={token}"}).status_code == 401


def _refuses_a_token_in_the_address(one: Protected) -> None:
    token = one.issuer.token()
    for headers in ({}, _bearer(token)):
        answer = one.client.post(f"/mcp?access_token={token}", json={}, headers=headers)
        assert answer.status_code == 400
        assert answer.headers["www-authenticate"] == 'Bearer error="invalid_request"'


def _asks_every_request_for_its_token(one: Protected) -> None:
    first = one.post(one.issuer.token(), "tools/list")
    assert first.status_code == 200
    session = {"Mcp-Session-Id": first.headers.get("mcp-session-id", "any")}
    assert one.client.post("/mcp", json={}, headers=session).status_code == 401
    assert one.post(None, "tools/list").status_code == 401


def _checks_the_signature(one: Protected) -> None:
    head, payload, _ = one.issuer.token().split(".")
    other = one.issuer.token(sub="eve").rpartition(".")[2]
    assert "invalid_token" in one.refused(f"{head}.{payload}.{other}")
    assert "invalid_token" in one.refused(one.issuer.token(key="evil"))


def _checks_the_audience(one: Protected) -> None:
    for audience in ("https://other.example/mcp", f"{RESOURCE}/", "http://localhost", ["account"], None):
        assert "invalid_token" in one.refused(one.issuer.token(aud=audience))
    assert one.post(one.issuer.token(aud=["account", RESOURCE])).status_code == 200


def _answers_as_oauth_says(one: Protected) -> None:
    assert one.refused(one.issuer.token(aud="other")) == (
        f'Bearer error="invalid_token", resource_metadata="{METADATA}", scope="tools:find"'
    )


def _refuses_what_is_invalid_or_expired_with_401(one: Protected) -> None:
    for token in (
        one.issuer.token(exp=int(time.time()) - 60),
        "nonsense",
        one.issuer.token(iss="https://evil"),
    ):
        assert "invalid_token" in one.refused(token)


def _takes_no_token_of_others(one: Protected) -> None:
    for token in (
        one.issuer.token(iss="https://other.example"),
        one.issuer.token(nonce="of an ID token"),
        one.issuer.token(typ="Refresh"),
    ):
        assert "invalid_token" in one.refused(token)


def _answers_401_403_and_400(one: Protected) -> None:
    found = [
        one.post().status_code,
        one.post(one.issuer.token(scope="tools:find"), **PLAN).status_code,
        one.client.post("/mcp?access_token=x", json={}).status_code,
    ]
    assert found == [401, 403, 400]


def _scopes_imply_no_others(one: Protected) -> None:
    """There is no broader one: each is enough for what it is for, and for nothing else."""
    for scope, message, other in (("tools:find", SEARCH, PLAN), ("tools:plan", PLAN, SEARCH)):
        token = one.issuer.token(scope=scope)
        assert one.post(token, **message).status_code == 200
        assert one.post(token, **other).status_code == 403
    assert one.post(one.issuer.token(scope="tools:find tools:plan"), **PLAN).status_code == 200


def _is_asked_before_anything_is_done(one: Protected) -> None:
    """Neither the body is read nor the catalogue: what is wrong with a request is said to those who may ask."""
    wrong = [
        one.client.post("/mcp", content=b"{" * 100),
        one.client.post("/v1/query", json={"query": 7}),
        one.client.get("/v1/tools/no/such"),
        one.client.get("/v1/nothing"),
    ]
    assert {answer.status_code for answer in wrong} == {401}
    assert len({answer.json()["detail"] for answer in wrong}) == 1


def _keeps_no_token(one: Protected) -> None:
    """Nothing of it is in the log, on whatever level; what is known of a token stands under its SHA-256."""
    token, lines = one.issuer.token(jti="kept"), []
    root = logging.getLogger()
    level = root.level

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(str(vars(record)))

    handler = Lines()
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        one.post(token)
        one.post(f"{token}x")
    finally:
        root.setLevel(level)
        root.removeHandler(handler)
    assert lines
    assert not [line for line in lines if token[:40] in line]


def _trusts_addresses_over_https_alone(_: Protected) -> None:
    for address in ("http://login.example.com", "http://10.0.0.7/realms/a"):
        for check in (check_issuer, check_resource):
            with pytest.raises(InvalidInputError, match="not an https address"):
                check(address)


def _stands_between_nobody_and_the_issuer(one: Protected) -> None:
    """It has no client of its own at the issuer, so there is no consent that it could skip."""
    for path in ("/authorize", "/token", "/register", "/.well-known/oauth-authorization-server"):
        for method in ("GET", "POST"):
            assert one.client.request(method, path).status_code == 401
            assert one.client.request(method, path, headers=_bearer(one.issuer.token())).status_code == 404
    places = {asked.target.partition("?")[0] for asked in one.issuer.recorded.asked}
    assert places <= {"/.well-known/openid-configuration", "/jwks"}


def _asks_for_a_first_scope(one: Protected) -> None:
    assert 'scope="tools:find"' in one.post().headers["www-authenticate"]


def _asks_for_no_refresh_token(one: Protected) -> None:
    assert "offline_access" not in one.client.get(WELL_KNOWN).text
    assert "offline_access" not in one.post().headers["www-authenticate"]


def _names_all_scopes_at_once(one: Protected) -> None:
    answer = one.post(one.issuer.token(scope="openid"), **PLAN)
    assert answer.status_code == 403
    assert answer.headers["www-authenticate"] == (
        f'Bearer error="insufficient_scope", scope="tools:plan", resource_metadata="{METADATA}"'
    )


SENTENCES: tuple[tuple[str, str, Callable[[Protected], None]], ...] = (
    ("Overview, 4", "MUST implement Protected Resource Metadata (RFC 9728)", _publishes_metadata),
    (
        "Authorization Server Location",
        "metadata MUST include authorization_servers with at least one",
        _names_authorization_servers,
    ),
    (
        "Protected Resource Metadata Discovery, 1",
        "MUST implement one of: resource_metadata in WWW-Authenticate of 401",
        _challenges_with_its_metadata,
    ),
    (
        "Protected Resource Metadata Discovery, 2",
        "or well-known addresses, at the path of the endpoint or at the root",
        _answers_at_well_known_addresses,
    ),
    (
        "Token Requirements",
        "handling of tokens MUST conform to OAuth 2.1, section 5: the Authorization header",
        _takes_a_token_from_its_header_alone,
    ),
    (
        "Token Requirements, 1",
        "authorization MUST be included in every request",
        _asks_every_request_for_its_token,
    ),
    (
        "Token Requirements, 2",
        "tokens MUST NOT be included in the query string",
        _refuses_a_token_in_the_address,
    ),
    ("Token Handling", "MUST validate tokens as in OAuth 2.1, section 5.2", _checks_the_signature),
    (
        "Token Handling",
        "MUST validate that tokens were issued for them as the audience (RFC 8707)",
        _checks_the_audience,
    ),
    ("Token Handling", "MUST respond to what fails as in OAuth 2.1, section 5.3", _answers_as_oauth_says),
    (
        "Token Handling",
        "invalid or expired tokens MUST receive 401",
        _refuses_what_is_invalid_or_expired_with_401,
    ),
    ("Token Handling", "MUST only accept tokens valid for their own resources", _checks_the_audience),
    ("Token Handling", "MUST NOT accept any other tokens", _takes_no_token_of_others),
    ("Error Handling", "MUST return appropriate status codes: 401, 403, 400", _answers_401_403_and_400),
    ("Step-Up Authorization Flow", "MUST account for scope hierarchies", _scopes_imply_no_others),
    (
        "Token Audience Binding",
        "MUST validate that tokens were specifically issued for their use",
        _checks_the_audience,
    ),
    ("Token Theft", "MUST implement secure token storage", _keeps_no_token),
    (
        "Communication Security",
        "endpoints of the authorization server MUST be served over HTTPS",
        _trusts_addresses_over_https_alone,
    ),
    (
        "Confused Deputy Problem",
        "proxies with a static client id MUST obtain consent for each client",
        _stands_between_nobody_and_the_issuer,
    ),
    (
        "Access Token Privilege Restriction",
        "MUST validate tokens before processing, and return no data to others",
        _is_asked_before_anything_is_done,
    ),
    (
        "Access Token Privilege Restriction",
        "MUST reject tokens that do not include them in the audience",
        _checks_the_audience,
    ),
    ("Scope Selection Strategy", "SHOULD include scope in the challenge", _asks_for_a_first_scope),
    ("Refresh Tokens", "SHOULD NOT include offline_access", _asks_for_no_refresh_token),
    (
        "Runtime Insufficient Scope Errors",
        "SHOULD answer 403 with insufficient_scope, all scopes and resource_metadata",
        _names_all_scopes_at_once,
    ),
)
"""Section, sentence, and what holds us to it. The last three are SHOULD."""


@pytest.mark.parametrize(
    ("section", "sentence", "holds"), SENTENCES, ids=[f"{one[0]}: {one[1]}" for one in SENTENCES]
)
def test_the_service_keeps_to_the_chapter(
    section: str, sentence: str, holds: Callable[[Protected], None], protected: Protected
) -> None:
    holds(protected)


def test_without_an_issuer_nothing_of_it_is_there() -> None:
    """RFC 9728 wants an authorization server; a token of the service alone has none, and answers stay as they were."""
    for callers in (None, caller_list):
        with client(InMemoryGraph(), token="t" * 20, callers=callers) as opened:
            for path in (WELL_KNOWN, f"{WELL_KNOWN}/mcp"):
                assert opened.get(path).status_code == 401
                assert opened.get(path, headers=_bearer("t" * 20)).status_code == 404
            answer = opened.post("/mcp", json={})
            assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
            assert opened.get("/v1/find?q=x&access_token=x").status_code == 401
            assert opened.get("/v1/find?q=x&access_token=x", headers=_bearer("t" * 20)).status_code != 400
