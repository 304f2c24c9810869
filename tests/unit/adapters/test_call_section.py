"""`call:` in the sources file: what it may say, what of it is refused without showing a secret, what is made of it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from app.adapters.sources_file.connections import FileConnections
from app.adapters.sources_file.file import parse_sources
from app.domain.calling.calls import CallRules
from app.domain.nodes.models import SourceId
from app.errors import InvalidInputError
from tests.documents import DOCS, blocks

SECRET = "s3cret-value"
API = {"id": "shop", "kind": "openapi", "uri": "shop.yaml"}
MCP = {"id": "files", "kind": "mcp", "command": "files"}
SHOP = SourceId("openapi:shop")


def refusal(entry: dict[str, Any], call: object) -> str:
    data = json.dumps({"sources": [{**entry, "call": call}]}).encode()
    (reason,) = parse_sources(data, path=Path("sources.yaml")).rejected.values()
    return reason


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sources.yaml"


def write(file: Path, *entries: dict[str, Any]) -> None:
    # In place of the old one, so that it is another file even within the clock's resolution.
    new = file.with_name("new")
    new.write_text(json.dumps({"sources": entries}))
    new.replace(file)


def test_a_section_becomes_rules_and_credentials(file: Path) -> None:
    """Values come from the environment, under the names that the file has."""
    write(
        file,
        {
            **API,
            "call": {
                "allow": ["shop/a*"],
                "deny": ["shop/ab"],
                "timeout": 5,
                "base_url": "https://shop.example/v1",
                "servers": ["https://other.example"],
                "credentials": {
                    "key": {"env": "KEY", "send": "header X-Key"},
                    "login": {"username_env": "USER_", "password_env": "KEY"},
                },
            },
        },
        {**MCP, "call": {"trust_annotations": True, "after_untrusted": "deny"}},
    )
    connections = FileConnections(file, {"KEY": SECRET, "USER_": "me"})

    shop = connections.connection(SHOP)
    files = connections.connection(SourceId("mcp:files"))

    assert shop is not None
    assert shop.rules == CallRules(
        allow=("shop/a*",),
        deny=("shop/ab",),
        timeout_s=5,
        base_url="https://shop.example/v1",
        servers=("https://other.example",),
    )
    assert shop.credentials["key"].secret.get_secret_value() == SECRET
    assert shop.credentials["key"].send == "header X-Key"
    assert shop.credentials["login"].username is not None
    assert shop.endpoint is None
    assert files is not None
    assert files.rules == CallRules(trust_annotations=True, guards_flows=True)
    assert files.endpoint is not None
    assert files.endpoint.command == ("files",)
    assert SECRET not in repr(shop)


def test_a_source_without_a_section_has_no_connection(file: Path) -> None:
    """Nor has one that the file does not name, nor one of another kind with that name."""
    write(file, API, {**MCP, "call": {}})
    connections = FileConnections(file, {})

    assert connections.connection(SHOP) is None
    assert connections.connection(SourceId("mcp:shop")) is None
    assert connections.connection(SourceId("mcp:files")) is not None


def test_a_file_is_read_again_when_it_changes(file: Path) -> None:
    """Permissions that are taken away are gone at once; a broken file permits nothing, until it is mended."""
    write(file, {**API, "call": {"allow": ["*"]}})
    connections = FileConnections(file, {})
    assert connections.connection(SHOP) is not None

    write(file, API)
    assert connections.connection(SHOP) is None

    file.write_text("sources: [")
    for _ in range(2):
        with pytest.raises(InvalidInputError):
            connections.connection(SHOP)

    write(file, {**API, "call": {"allow": ["*"]}})
    assert connections.connection(SHOP) is not None

    file.unlink()
    with pytest.raises(InvalidInputError, match="OUTFITTER_SOURCES"):
        connections.connection(SHOP)


def test_a_variable_that_is_not_set_is_an_error_when_it_is_needed(file: Path) -> None:
    """It names the variable, and the others of the file are called all the same."""
    credentials = {"base_url": "https://shop.example", "credentials": {"key": {"env": "KEY"}}}
    write(file, {**API, "call": credentials}, {**MCP, "call": {}})
    connections = FileConnections(file, {"KEY": ""})

    with pytest.raises(InvalidInputError, match="KEY is not set"):
        connections.connection(SHOP)
    assert connections.connection(SourceId("mcp:files")) is not None


PLACE = {"base_url": "https://shop.example"}


@pytest.mark.parametrize(
    ("entry", "call", "said"),
    [
        (API, {"alow": []}, "unknown field 'alow'; accepted: allow, deny"),
        (API, {"allow": "shop/*"}, "a list"),
        (API, {"allow": [""]}, "accepted: a tool's id"),
        (API, {"timeout": 0}, "call.timeout"),
        (API, {"base_url": "shop.example"}, "accepted: http"),
        (API, {"base_url": f"https://me:{SECRET}@shop.example"}, "without"),
        (API, {"base_url": f"https://shop.example?key={SECRET}"}, "has a query"),
        (API, {"credentials": {"key": {"env": "KEY"}}}, "credentials without base_url or servers"),
        (API, {**PLACE, "credentials": {"key": SECRET}}, "accepted: an object of scheme"),
        (API, {**PLACE, "credentials": {"key": {"env": f"Bearer {SECRET}"}}}, "never the value itself"),
        (API, {**PLACE, "credentials": {"key": {"token": SECRET}}}, "unknown field 'token'; accepted: env"),
        (API, {**PLACE, "credentials": {"key": {}}}, "accepted: env, or username_env and password_env"),
        (API, {**PLACE, "credentials": {"key": {"env": "A", "password_env": "B"}}}, "accepted: env, or"),
        (API, {**PLACE, "credentials": {"key": {"env": "A", "send": "body x"}}}, "accepted: bearer, basic"),
        (
            API,
            {"base_url": "http://shop.example/v1", "credentials": {"key": {"env": "KEY"}}},
            "credentials would be sent to http://shop.example/v1 unencrypted; accepted: https, a loopback or",
        ),
        (
            API,
            {**PLACE, "servers": ["http://b.example"], "credentials": {"key": {"env": "KEY"}}},
            "credentials would be sent to http://b.example unencrypted",
        ),
        (MCP, {"plain_http": True}, "unknown field 'plain_http'"),
        (MCP, {"base_url": "https://shop.example"}, "unknown field 'base_url'; accepted: allow, deny"),
        (MCP, {"trust_annotations": "yes"}, "call.trust_annotations"),
        (MCP, {"after_untrusted": "refuse"}, "call.after_untrusted"),
        (MCP, [], "call"),
        ({"id": "t", "kind": "taxonomy", "uri": "t.yaml"}, {}, "unknown field 'call'"),
    ],
)
def test_a_section_that_is_not_right_is_refused(entry: dict[str, Any], call: object, said: str) -> None:
    """With what is accepted, and without a secret that stands where a name belongs."""
    reason = refusal(entry, call)

    assert said in reason
    assert SECRET not in reason


def test_the_example_of_the_documents_is_accepted(file: Path) -> None:
    """As it stands there."""
    (example,) = blocks((DOCS / "calls.md").read_text(encoding="utf-8"), "yaml")
    file.write_text(example)
    connections = FileConnections(file, {"SHOP_API_KEY": SECRET, **os.environ})

    parsed = parse_sources(example.encode(), path=file)

    assert parsed.rejected == {}
    assert [connections.connection(entry.source) is not None for entry in parsed.entries] == [True, True]


@pytest.mark.parametrize(
    "call",
    [
        {"base_url": "http://shop.example", "credentials": {"key": {"env": "KEY"}}, "plain_http": True},
        {"base_url": "http://127.0.0.1:8000", "credentials": {"key": {"env": "KEY"}}},
        {"base_url": "http://shop.example"},
    ],
)
def test_credentials_go_unencrypted_only_where_asked(call: dict[str, Any]) -> None:
    """To one's own network they may; and without credentials there is nothing to hide."""
    data = json.dumps({"sources": [{**API, "call": call}]}).encode()

    assert parse_sources(data, path=Path("sources.yaml")).rejected == {}
