"""Who may ask, and what the log says of it."""

import json
import logging
from typing import Any

import pytest
from httpx2 import Response
from starlette.routing import Route

from app import logs
from app.api.access import Policy, host_name
from app.errors import InvalidInputError, ServeRefusedError
from app.roots.graph import read_settings
from app.roots.http import policy_of
from app.settings import Settings
from tests.fakes import InMemoryGraph
from tests.service import client

TOKEN = "s3cret-token-of-twenty"


@pytest.mark.parametrize(
    ("path", "open_to_all"),
    [
        ("/healthz", True),
        ("/readyz", True),
        ("/docs", True),
        ("/openapi.json", True),
        ("/metrics", False),
        ("/v1/sources", False),
        ("/v1/tools", False),
        ("/nope", False),
    ],
)
def test_a_token_is_needed_for_everything_that_tells_of_tools(path: str, open_to_all: bool) -> None:
    """Without it 401 and a challenge; with it no 401; health and the page are open."""
    with client(InMemoryGraph(), token=TOKEN) as service:
        without = service.get(path)
        wrong = service.get(path, headers={"Authorization": f"Bearer {TOKEN}x"})
        basic = service.get(path, headers={"Authorization": f"Basic {TOKEN}"})
        right = service.get(path, headers={"Authorization": f"bearer {TOKEN}"})

    assert [answer.status_code == 401 for answer in (without, wrong, basic)] == [not open_to_all] * 3
    assert right.status_code != 401
    if not open_to_all:
        assert without.headers["www-authenticate"] == "Bearer"
        assert without.headers["content-type"] == "application/problem+json"


def test_a_refused_request_is_not_read(caplog: pytest.LogCaptureFixture) -> None:
    """401 comes before 413 and 422: who may not ask learns nothing."""
    with client(InMemoryGraph(), token=TOKEN) as service:
        answer = service.post("/v1/query", content=b"x" * 50_000)

    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8000", 200),
        ("LOCALHOST", 200),
        ("127.0.0.1:1", 200),
        ("[::1]:8000", 200),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("127.0.0.1.evil.example:80", 421),
        ("", 421),
    ],
)
def test_a_page_of_the_web_cannot_pretend_to_be_this_host(host: str, status: int) -> None:
    """On loopback only loopback's names are accepted, so that DNS rebinding reaches nothing."""
    with client(InMemoryGraph()) as service:
        assert service.get("/healthz", headers={"Host": host}).status_code == status


def test_no_other_page_may_read_answers() -> None:
    """There are no CORS headers, and a preflight is not answered."""
    with client(InMemoryGraph()) as service:
        headers = {"Origin": "http://localhost:3000", "Access-Control-Request-Method": "POST"}
        preflight = service.options("/v1/query", headers=headers)
        answer = service.get("/healthz", headers=headers)

    assert (preflight.status_code, answer.status_code) == (405, 200)
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    ("header", "name"),
    [("a:1", "a"), ("[::1]:80", "[::1]"), ("[::1]", "[::1]"), ("A.B.", "a.b"), ("[", ""), ("", "")],
)
def test_the_name_in_a_host_header(header: str, name: str) -> None:
    """Port, case and a final dot do not count."""
    assert host_name(header) == name


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "example.org"])
def test_an_open_address_needs_a_token(host: str) -> None:
    """Without one the service says what to set; with one it serves, under any name."""
    with pytest.raises(ServeRefusedError, match="OUTFITTER_API_TOKEN"):
        policy_of(Settings(host=host, api_token=None))

    policy = policy_of(Settings.model_validate({"host": host, "api_token": TOKEN}))
    assert (policy.token, policy.hosts) == (TOKEN, None)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.9.9.9"])
def test_loopback_needs_none_and_takes_more_names(host: str) -> None:
    """`allowed_hosts` adds to loopback's own names."""
    policy = policy_of(Settings(host=host, api_token=None, allowed_hosts=("Dev.Local",)))

    assert policy.token is None
    assert policy.hosts == {"localhost", "127.0.0.1", "[::1]", "dev.local"}


@pytest.mark.parametrize("white", ["", "\n", " \r\n", "\t"])
def test_white_space_around_a_token_does_not_count(white: str) -> None:
    """A file ends with a line end, which no header can have."""
    policy = policy_of(Settings.model_validate({"api_token": f"{white}{TOKEN}{white}"}))

    assert policy.token == TOKEN


@pytest.mark.parametrize(
    "token", ["short!", "a" * 19, " " * 30, f"{'a' * 19}\n", "pass\nword" * 5, "schlüssel" * 5]
)
def test_a_token_that_can_be_guessed_or_never_matches_is_refused(token: str) -> None:
    """At start, on loopback too; the message names the variable, the length, what is accepted and how to make one."""
    with pytest.raises(ServeRefusedError) as refused:
        policy_of(Settings.model_validate({"api_token": token}))

    said = str(refused.value)
    assert "OUTFITTER_API_TOKEN" in said
    assert f"{len(token.strip())} characters" in said
    assert "20 or more" in said
    assert "openssl rand -hex 32" in said
    assert token not in said


def test_an_empty_token_is_none() -> None:
    """As compose passes on a variable that is not set."""
    assert policy_of(Settings.model_validate({"api_token": ""})).token is None


@pytest.mark.parametrize("name", ["Host", "Authorization", "Content-Length", "Origin"])
def test_a_header_that_decides_may_come_once(name: str) -> None:
    """Two of them are refused before anything is decided, even equal ones: a proxy may have heeded the other."""
    values = {
        "Host": "localhost",
        "Authorization": f"Bearer {TOKEN}",
        "Content-Length": "2",
        "Origin": "http://localhost",
    }
    with client(InMemoryGraph(), token=TOKEN) as service:
        doubled = [*values.items(), (name, values[name])]
        answer = service.post("/v1/query", content=b"{}", headers=[*doubled, ("X-Request-ID", "twice")])
        once = service.post("/v1/query", content=b"{}", headers=list(values.items()))

    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert name.lower() in answer.json()["detail"]
    assert answer.json()["request_id"] == "twice"
    assert once.status_code == 415


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/healthz", 200),
        ("GET", "/openapi.json", 200),
        ("GET", "/v1/tools", 200),
        ("GET", "/nope", 404),
        ("POST", "/v1/query", 415),
        ("POST", "/v1/tools", 405),
        ("GET", "/metrics", 200),
        ("GET", "/mcp", 405),
        ("GET", "/docs/", 307),
    ],
)
def test_every_answer_says_how_to_treat_it(method: str, path: str, status: int) -> None:
    """No guessing of types, no storing, nothing to load, no frames, no address passed on: errors as well."""
    with client(InMemoryGraph()) as service:
        answer = service.request(method, path, follow_redirects=False)

    assert answer.status_code == status
    _is_safe(answer)


def test_refusals_and_defects_say_it_too() -> None:
    """401, 421, and a 500, whose answer is made around everything else."""
    with client(InMemoryGraph(), token=TOKEN) as service:
        answers = [service.get("/v1/tools"), service.get("/healthz", headers={"Host": "evil.example"})]
        application: Any = service.app
        application.state.end_streams = None
        application.router.routes.insert(0, Route("/broken", lambda _: 1 / 0))
        answers.append(service.get("/broken", headers={"Authorization": f"Bearer {TOKEN}"}))

    assert [answer.status_code for answer in answers] == [401, 421, 500]
    for answer in answers:
        _is_safe(answer)


def _is_safe(answer: Response) -> None:
    wanted = {
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "referrer-policy": "no-referrer",
    }
    assert {name: answer.headers.get_list(name) for name in wanted} == {
        name: [value] for name, value in wanted.items()
    }


def test_the_log_has_the_request_but_neither_text_nor_token(capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON object a line: route, status, time, id. No query, no secret, at any level."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    try:
        logs.configure(level="debug", form="json")
        with client(InMemoryGraph(), token=TOKEN) as service:
            headers = {"Authorization": f"Bearer {TOKEN}", "X-Request-ID": "trace-2"}
            service.post("/v1/query", json={"query": "my private words"}, headers=headers)
    finally:
        root.handlers[:], root.level = before

    written = capsys.readouterr().err
    lines = [json.loads(line) for line in written.splitlines()]
    (request,) = [line for line in lines if line.get("request_id") == "trace-2"]
    assert (request["route"], request["method"], request["status"]) == ("/v1/query", "POST", 200)
    assert "private" not in written
    assert TOKEN not in written


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost:8000", 200),
        ("http://127.0.0.1:3000", 200),
        ("https://[::1]", 200),
        ("", 200),
        ("https://evil.example", 403),
        ("http://localhost.evil.example", 403),
        ("null", 403),
        ("localhost", 403),
    ],
)
def test_a_page_of_another_origin_is_refused(origin: str, status: int) -> None:
    """A page whose name was bound anew to loopback says where it came from; the MCP server is not for it either."""
    with client(InMemoryGraph()) as service:
        answers = [
            service.get("/v1/tools", headers={"Origin": origin}),
            service.post("/mcp", headers={"Origin": origin}),
        ]

    assert answers[0].status_code == status
    assert (answers[1].status_code == 403) == (status == 403)
    if status == 403:
        assert answers[0].json()["type"] == "urn:outfitter:problem:other-origin"


def test_the_mcp_server_is_behind_the_same_checks() -> None:
    """Token, host and size of the body; and it takes POST alone, since it keeps no sessions."""
    with client(InMemoryGraph(), token=TOKEN) as service:
        right = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        statuses = [
            service.post("/mcp", json={}).status_code,
            service.post("/mcp", json={}, headers={**right, "Host": "evil.example"}).status_code,
            service.post("/mcp", content=b" " * 20_001, headers=right).status_code,
            service.post("/mcp", content=iter([b" " * 15_000] * 2), headers=right).status_code,
            service.get("/mcp", headers=right).status_code,
            service.delete("/mcp", headers=right).status_code,
        ]

    assert statuses == [401, 421, 413, 413, 405, 405]


def test_trusted_proxies_are_addresses_and_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A JSON list of both families."""
    monkeypatch.setenv("OUTFITTER_TRUSTED_PROXIES", '["192.0.2.7", "10.0.0.0/8", "fd00::/8"]')

    assert [str(network) for network in read_settings().trusted_proxies] == [
        "192.0.2.7/32",
        "10.0.0.0/8",
        "fd00::/8",
    ]


@pytest.mark.parametrize("value", ['["proxy.local"]', '["10.0.0.1/8"]', '["10.0.0.300"]', "10.0.0.0/8"])
def test_what_is_no_network_is_refused(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the variable and what is accepted."""
    monkeypatch.setenv("OUTFITTER_TRUSTED_PROXIES", value)

    with pytest.raises(InvalidInputError, match=r"(?i)trusted_proxies.*accepted"):
        read_settings()


def test_a_public_address_is_accepted_and_shuts_nobody_out() -> None:
    """On loopback its host is one more; elsewhere every host is accepted, as by those that ask for health."""
    public = {"public_url": "https://tools.test/outfitter"}

    loopback = policy_of(Settings.model_validate(public))
    elsewhere = policy_of(Settings.model_validate({**public, "host": "0.0.0.0", "api_token": TOKEN}))
    named = policy_of(
        Settings.model_validate(
            {**public, "host": "0.0.0.0", "api_token": TOKEN, "allowed_hosts": ["a.test"]}
        )
    )

    assert loopback.refusal({b"host": b"tools.test"}) is None
    assert elsewhere.hosts is None
    assert named.hosts == {"a.test", "tools.test"}


def test_pages_let_people_in_by_themselves_and_nothing_beside_them_does() -> None:
    """Only where there are pages."""
    with_pages = Policy(token=TOKEN, hosts=None, pages=True)
    without = Policy(token=TOKEN, hosts=None)

    for path in ("/", "/ui", "/ui/", "/ui/ask"):
        assert not with_pages.needs_caller(path)
        assert without.needs_caller(path)
    for path in ("/uix", "/v1/ui/", "/v1/tools", "/mcp"):
        assert with_pages.needs_caller(path)
