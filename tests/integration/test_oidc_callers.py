"""Callers of an issuer: who is let in, what they see over REST and MCP, and that an issuer alone leaves nothing open."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.adapters.oidc.keys import IssuerKeys, KeyTimes
from app.adapters.oidc.published import read_keys
from app.adapters.oidc.tokens import OidcTokens
from app.api.admission import TrustedIssuer
from app.domain.access.callers import CallerList
from app.domain.access.claims import ExpectedTokens
from app.domain.access.resource import ProtectedResource
from app.domain.access.rules import Act, Rule, RuleBook
from app.errors import InvalidInputError, ServeRefusedError
from app.roots.callers import AccessFiles, read_access_files
from app.roots.http import face_of, policy_of
from app.settings import Settings
from app.web.session import SignedIn
from app.web.visits import Face
from tests.fakes import InMemoryGraph
from tests.hidden import TOKEN, Book, caller_list
from tests.ingest_cases import ingest, manifest, tool
from tests.service import client, wait_until
from tests.token_issuer import RESOURCE, Issuer, token_issuer

RULES = (Rule("support", frozenset({"support"}), may=frozenset({Act.CALL}), sources=("manifest:orders",)),)
OPERATOR = "t" * 20


@contextmanager
def trusted(issuer: Issuer) -> Iterator[TrustedIssuer]:
    """The issuer as the service is given it."""
    keys = IssuerKeys(partial(read_keys, issuer.url), KeyTimes(again_s=0.2, wait_s=20.0))
    keys.start()
    try:
        expected = ExpectedTokens(issuer.url, frozenset({RESOURCE}))
        yield TrustedIssuer(OidcTokens(expected, keys), ProtectedResource(RESOURCE, issuer.url))
    finally:
        keys.stop()


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    with token_issuer() as found:
        yield found


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> InMemoryGraph:
    folder, found = tmp_path_factory.mktemp("sources"), InMemoryGraph()
    ingest(
        found,
        manifest(folder, "orders", tool("get_order", "Gets an order"), tool("list_orders", "Lists orders")),
        manifest(folder, "vault", tool("open_vault", "Opens the vault with the orders")),
    )
    return found


class Listed:
    """The file of callers, which a test changes."""

    def __init__(self) -> None:
        self.callers = caller_list()

    def now(self) -> CallerList:
        return self.callers


@pytest.fixture
def listed() -> Listed:
    return Listed()


@pytest.fixture
def opened(issuer: Issuer, graph: InMemoryGraph, listed: Listed) -> Iterator[TestClient]:
    book = Book(RuleBook(RULES, {"support": frozenset({f"{issuer.url}|helpdesk"})}))
    with (
        trusted(issuer) as known,
        client(graph, token=OPERATOR, callers=listed.now, rules=book.now, issuer=known) as found,
    ):
        wait_until(lambda: found.get("/v1/facets", headers=bearer(TOKEN)).status_code == 200)
        yield found


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}


def call(opened: TestClient, token: str, name: str, **arguments: Any) -> Any:
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }
    return opened.post("/mcp", json=message, headers=bearer(token))


def test_groups_of_a_token_are_those_that_policies_say(opened: TestClient, issuer: Issuer) -> None:
    """Over REST and MCP the same view; a value that no policy names is no group, and sees nothing."""
    helpdesk, other = issuer.token(), issuer.token(groups=["support", "staff", f"{issuer.url}|helpdesk"])

    assert opened.get("/v1/facets", headers=bearer(helpdesk)).json()["tools"] == 2
    assert opened.get("/v1/facets", headers=bearer(other)).json()["tools"] == 0
    assert opened.get("/v1/tools/vault/open_vault", headers=bearer(helpdesk)).status_code == 404
    assert opened.get("/v1/facets", headers=bearer(OPERATOR)).json()["tools"] == 3
    found = call(opened, helpdesk, "search_tools", query="orders").text
    assert "get_order" in found
    assert "vault" not in found
    assert "get_order" not in call(opened, other, "search_tools", query="orders").text


def test_scopes_of_a_token_narrow_it(opened: TestClient, issuer: Issuer) -> None:
    """One that names none of ours does nothing; what is missing is named with all that the request takes."""
    find, nothing = issuer.token(scope="tools:find"), issuer.token(scope="openid profile")
    metadata = 'resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"'

    assert opened.get("/v1/facets", headers=bearer(find)).status_code == 200
    answer = opened.get("/v1/facets", headers=bearer(nothing))
    assert answer.status_code == 403
    assert answer.headers["www-authenticate"] == 'Bearer error="insufficient_scope", scope="tools:find"'
    answer = opened.post("/v1/plan", json={"goal": "x"}, headers=bearer(find))
    assert answer.headers["www-authenticate"] == 'Bearer error="insufficient_scope", scope="tools:plan"'
    answer = call(opened, find, "plan_workflow", goal="x")
    assert answer.status_code == 403
    assert answer.headers["www-authenticate"] == (
        f'Bearer error="insufficient_scope", scope="tools:plan", {metadata}'
    )
    assert call(opened, nothing, "search_tools", query="x").status_code == 403


def test_tokens_of_this_service_go_on_beside_the_issuer(opened: TestClient) -> None:
    for token in (OPERATOR, TOKEN):
        assert opened.get("/v1/facets", headers=bearer(token)).status_code == 200


def test_a_token_that_is_not_accepted_says_why(opened: TestClient, issuer: Issuer) -> None:
    """With 401 and a challenge; nothing of the token is in the answer."""
    for token, said in (
        (issuer.token(exp=int(time.time()) - 60), "expired"),
        (issuer.token(aud="https://other.example"), "another resource"),
        (issuer.token(key="evil"), "no key"),
        ("nonsense", "is not one that the issuer"),
        ("oft_" + "x" * 43, "is not one that the issuer"),
    ):
        answer = opened.get("/v1/tools", headers=bearer(token))
        assert answer.status_code == 401
        assert said in answer.json()["detail"]
        assert answer.headers["www-authenticate"] == 'Bearer error="invalid_token"'
        assert token not in answer.text


def test_who_is_blocked_is_out_with_the_next_request(
    opened: TestClient, issuer: Issuer, listed: Listed
) -> None:
    """Also where the token is known already; others are not concerned."""
    token, other = issuer.token(), issuer.token(sub="eva")
    assert opened.get("/v1/facets", headers=bearer(token)).status_code == 200

    listed.callers = CallerList.of(caller_list().entries, [f"{issuer.url}|ada"])

    answer = opened.get("/v1/facets", headers=bearer(token))
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == 'Bearer error="invalid_token"'
    assert opened.get("/v1/facets", headers=bearer(issuer.token(jti="new"))).status_code == 401
    assert opened.get("/v1/facets", headers=bearer(other)).status_code == 200
    listed.callers = caller_list()
    assert opened.get("/v1/facets", headers=bearer(token)).status_code == 200


def test_a_token_in_the_address_is_refused(opened: TestClient, issuer: Issuer) -> None:
    """On its own and beside one in the headers, however its name is written."""
    token = issuer.token()
    for query in (
        f"access_token={token}",
        f"access%5Ftoken={token}",
        f"q=x&access_token={token}",
        "access_token=",
    ):
        for headers in (bearer(token), {}):
            for path in ("/v1/find", "/mcp", "/healthz"):
                answer = opened.get(f"{path}?{query}", headers=headers)
                assert answer.status_code == 400
                assert answer.headers["www-authenticate"] == 'Bearer error="invalid_request"'
                assert token not in answer.text


def test_while_keys_cannot_be_read_tokens_are_asked_to_come_again(graph: InMemoryGraph) -> None:
    """503 and not 401: a client would throw its token away."""
    with token_issuer() as away:
        away.status = 500
        with trusted(away) as known, client(graph, issuer=known) as opened:
            answer = opened.get("/v1/tools", headers=bearer(away.token()))
            assert answer.status_code == 503
            assert answer.headers["retry-after"] == "1"
            assert "www-authenticate" not in answer.headers
            away.status = 200
            wait_until(lambda: opened.get("/v1/facets", headers=bearer(away.token())).status_code == 200)


OPEN = ("/healthz", "/readyz", "/openapi.json", "/docs", "/.well-known/oauth-protected-resource/mcp")


def test_an_issuer_alone_leaves_nothing_open(graph: InMemoryGraph, issuer: Issuer) -> None:
    """No token of the service, no file of callers, no policies, on loopback: every route and page asks for a token."""
    with trusted(issuer) as known:
        face = Face(signed_in=SignedIn(token=None, key="k" * 32))
        with client(graph, issuer=known, face=face) as opened:
            opened.follow_redirects = False
            paths = opened.get("/openapi.json").json()["paths"]
            assert len(paths) > 15
            for path, methods in paths.items():
                for method in methods:
                    asked = opened.request(method, path.replace("{", "").replace("}", ""))
                    assert asked.status_code == 401 or path in OPEN, (method, path)
            assert opened.post("/mcp", json={}).status_code == 401
            assert opened.get("/readyz").json()["tools"] is None
            for page in ("", "ask?q=order", "tools", "sources"):
                assert opened.get(f"/ui/{page}").status_code == 303
            login = opened.post("/ui/login", data={"token": ""}, headers={"Sec-Fetch-Site": "same-origin"})
            assert login.status_code == 403
            # Without policies everybody whom the issuer knows sees every tool, and not where it lies.
            wait_until(lambda: opened.get("/v1/facets", headers=bearer(issuer.token())).status_code == 200)
            assert opened.get("/v1/facets", headers=bearer(issuer.token())).json()["tools"] == 3
            assert opened.get("/metrics", headers=bearer(issuer.token())).status_code == 403


def test_settings_with_an_issuer_alone_are_an_identity(tmp_path: Path) -> None:
    """They open an address to others, close the pages, and take policies; the resource's host is accepted."""
    policies = tmp_path / "policies.yaml"
    policies.write_text("policies: []")
    settings = Settings(
        host="0.0.0.0",
        oidc_issuer="https://login.example.com",
        resource="https://tools.example.com/mcp",
        policies=policies,
    )
    files = read_access_files(settings)
    policy = policy_of(settings, files)

    assert not policy.is_open
    assert policy.has_callers
    assert policy.needs_caller("/v1/tools")
    assert not policy.needs_caller("/.well-known/oauth-protected-resource/mcp")
    face = face_of(settings, files)
    assert face is not None
    assert face.signed_in is not None
    assert face.signed_in.lets_in("") is None
    on_loopback = policy_of(settings.model_copy(update={"host": "127.0.0.1"}), files)
    assert not on_loopback.is_open
    assert on_loopback.hosts is not None
    assert "tools.example.com" in on_loopback.hosts
    with pytest.raises(ServeRefusedError, match="can be reached by others"):
        policy_of(settings, AccessFiles(None, None))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"oidc_issuer": "https://login.example.com"}, "OUTFITTER_RESOURCE is not"),
        (
            {"resource": "https://tools.example.com/mcp"},
            "OUTFITTER_RESOURCE is set and OUTFITTER_OIDC_ISSUER is not",
        ),
        ({"oidc_audiences": ("a",)}, "OUTFITTER_OIDC_AUDIENCES is set and OUTFITTER_OIDC_ISSUER is not"),
        (
            {"oidc_issuer": "http://login.example.com", "resource": "https://tools.example.com/mcp"},
            "OUTFITTER_OIDC_ISSUER: 'http://login.example.com' is not an https address",
        ),
        (
            {"oidc_issuer": "https://login.example.com", "resource": "https://tools.example.com/mcp#x"},
            "OUTFITTER_RESOURCE: 'https://tools.example.com/mcp#x' has a query or a fragment",
        ),
        (
            {
                "oidc_issuer": "https://login.example.com",
                "resource": "https://tools.example.com/mcp",
                "oidc_audiences": ("",),
            },
            "OUTFITTER_OIDC_AUDIENCES has ''",
        ),
        (
            {
                "oidc_issuer": "https://login.example.com",
                "resource": "https://tools.example.com/mcp",
                "oidc_groups_claim": "",
            },
            "OUTFITTER_OIDC_GROUPS_CLAIM is empty",
        ),
    ],
)
def test_settings_that_mean_nothing_together_are_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ServeRefusedError) as refused:
        read_access_files(Settings(**settings))

    assert said in str(refused.value)


def test_blocked_subjects_stand_in_the_file_of_callers(tmp_path: Path) -> None:
    """Without any caller in it, too; one that blocks nobody is refused."""
    path = tmp_path / "callers.yaml"
    path.write_text("blocked: ['https://login.example.com|ada']\n")
    files = read_access_files(Settings(callers=path))
    assert files.callers is not None
    assert files.callers.current().blocked == {"https://login.example.com|ada"}
    for wrong in ("ada", "'|ada'", "'https://login.example.com|'", "7", "'caller|ada'"):
        path.write_text(f"blocked: [{wrong}]\n")
        with pytest.raises((InvalidInputError, ServeRefusedError), match=r"blocked\[0\]"):
            read_access_files(Settings(callers=path))
