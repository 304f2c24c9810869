"""How MCP servers are named, and that what they are given in confidence is kept by nobody."""

import pytest

from app.domain.calling.mcp_endpoints import McpEndpoint, http_endpoint, stdio_endpoint
from app.errors import InvalidInputError
from ingest.commands.endpoint_arguments import mcp_endpoints

ENVIRON = {"TOKEN": "Bearer very-secret-token", "HOME": "/home/someone", "BREAK": "two\nlines"}


def endpoints(*words: str, **options: object) -> list[McpEndpoint]:
    given: dict[str, object] = {"server": None, "headers": (), "variables": (), "allow_private": False}
    given["plain_http"] = False
    return mcp_endpoints(words, environ=ENVIRON, **{**given, **options})  # type: ignore[arg-type]


def test_addresses_and_commands_are_told_apart() -> None:
    first, second = endpoints("https://a.example/mcp?key=very-secret-key", "http://b.example:8000/x")
    (command,) = endpoints("/opt/bin/serve", "--token", "very-secret-argument", server="a/b")

    assert [(one.name, one.uri) for one in (first, second, command)] == [
        ("a.example", "https://a.example/mcp"),
        ("b.example", "http://b.example:8000/x"),
        ("a-b", "stdio:serve"),
    ]
    assert command.command == ("/opt/bin/serve", "--token", "very-secret-argument")


def test_values_come_from_the_environment_and_are_not_shown() -> None:
    (web,) = endpoints("https://a.example/mcp?key=very-secret-key", headers=["Authorization=TOKEN"])
    (command,) = endpoints("serve", variables=["HOME", "API_TOKEN=TOKEN"])

    assert [(name, value.get_secret_value()) for name, value in web.headers] == [
        ("Authorization", "Bearer very-secret-token")
    ]
    assert [(name, value.get_secret_value()) for name, value in command.env] == [
        ("HOME", "/home/someone"),
        ("API_TOKEN", "Bearer very-secret-token"),
    ]
    (argument,) = endpoints("serve", "--token", "very-secret-argument")
    assert "very-secret" not in "".join(f"{one!r}{one.label}" for one in (web, command, argument))
    assert web.secrets() == ["Bearer very-secret-token", "very-secret-token", "very-secret-key"]
    assert argument.secrets() == ["very-secret-argument"]


@pytest.mark.parametrize(
    ("words", "secrets"),
    [
        (["--api-key", "the-secret-key"], ["the-secret-key"]),
        (["--api-key=the-secret-key"], ["the-secret-key"]),
        (["--token", "--verbose-mode"], []),
        (["env", "GITHUB_TOKEN=the-secret-key", "server"], ["the-secret-key"]),
        (["postgres://user:the-secret@db.example/shop"], ["the-secret"]),
        (["--url=https://db.example/?key=the-secret"], ["the-secret"]),
        (["-m", "mcp_server_time", "/srv/public/files"], []),
    ],
)
def test_values_that_belong_into_variables_are_secret_in_a_command_too(
    words: list[str], secrets: list[str]
) -> None:
    """A server repeats its arguments when it does not understand them; paths and modules stay readable."""
    (command,) = endpoints("server", *words)

    assert command.secrets() == secrets


def test_equal_endpoints_are_one_server() -> None:
    """A pool of connections knows them by their values."""
    one, other = (
        http_endpoint("https://a.example", headers={"A": "TOKEN"}, environ=ENVIRON) for _ in range(2)
    )

    assert one == other
    assert {one: 1}[other] == 1


@pytest.mark.parametrize(
    ("words", "options", "why"),
    [
        (["ftp://a.example/secret"], {"headers": ["A=TOKEN"]}, "for addresses"),
        (["https://a.example"], {"headers": ["A"]}, "HEADER=VARIABLE"),
        (["https://a.example"], {"headers": ["A=NOT_THERE"]}, "NOT_THERE is not set"),
        (["https://a.example"], {"headers": ["A=secret value"]}, "name of an environment variable"),
        (["https://a.example"], {"headers": ["A=BREAK"]}, "cannot be a header's value"),
        (["https://a.example"], {"headers": ["Host=TOKEN"]}, "not the protocol's own"),
        (["https://a.example"], {"headers": ["Mcp-Session-Id=TOKEN"]}, "not the protocol's own"),
        (["https://a.example"], {"headers": ["A=TOKEN", "A=TOKEN"]}, "each name once"),
        (["https://a.example"], {"variables": ["HOME"]}, "for a command"),
        (["https://a.example", "https://b.example"], {"headers": ["A=TOKEN"]}, "for one server"),
        (["https://a.example", "https://b.example"], {"server": "a"}, "for one server"),
        (["https://u:secret@a.example"], {}, "user name"),
        (["https://"], {}, "accepted"),
        (["https://a b/?secret"], {}, "space"),
        ([""], {}, "program"),
        (["serve"], {"variables": ["1A=TOKEN"]}, "letters, digits"),
        (["serve"], {"variables": ["A=secret!"]}, "name of an environment variable"),
        (["serve"], {"variables": ["NOT_THERE"]}, "NOT_THERE is not set"),
    ],
)
def test_what_does_not_go_together_is_refused_without_showing_values(
    words: list[str], options: dict[str, object], why: str
) -> None:
    with pytest.raises(InvalidInputError, match=why) as caught:
        endpoints(*words, **options)

    assert "secret" not in str(caught.value)


def test_a_command_holds_no_null() -> None:
    with pytest.raises(InvalidInputError, match="program"):
        stdio_endpoint(["serve", "a\0b"], environ={})


@pytest.mark.parametrize("host", ["a.example", "mcp", "8.8.8.8", "[2606:4700::1]", "localhost.a.example"])
def test_headers_go_unencrypted_only_where_asked(host: str) -> None:
    """A name says nothing about its network; without headers there is nothing to hide."""
    url = f"http://{host}:8000/mcp?key=in-the-address"

    with pytest.raises(InvalidInputError, match=r"'X-Key' would be sent to http://.*--plain-http") as refused:
        endpoints(url, headers=["X-Key=TOKEN"])

    assert "in-the-address" not in str(refused.value)
    assert endpoints(url, headers=["X-Key=TOKEN"], plain_http=True)[0].headers
    assert endpoints(url)[0].url == url


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "10.0.0.7", "192.168.1.9", "[fd12::1]"])
def test_headers_go_unencrypted_within_ones_own_network(host: str) -> None:
    assert endpoints(f"http://{host}/mcp", headers=["X-Key=TOKEN"])[0].headers
