"""Which addresses of a database send its password unencrypted to another machine, and what is said then."""

import logging

import pytest
from pydantic import SecretStr

from app.adapters.graph.bolt_address import BoltAddress
from app.errors import StoreUnavailableError
from app.roots.graph import open_graph, read_settings


@pytest.mark.parametrize(
    ("uri", "clear"),
    [
        ("bolt://db.example:7687", True),
        ("neo4j://db.example", True),
        ("bolt://neo4j:7687", True),
        ("bolt://10.0.0.5:7687", True),
        ("bolt+s://db.example:7687", False),
        ("neo4j+ssc://db.example:7687", False),
        ("bolt://localhost:7687", False),
        ("bolt://127.0.0.1:7687", False),
        ("neo4j://[::1]:7687", False),
        ("127.0.0.1:7687", False),
        ("bolt://[::1", False),
    ],
)
def test_a_password_is_clear_unless_encrypted_or_kept_on_this_machine(uri: str, clear: bool) -> None:
    """A private network counts as another's: its other machines may listen."""
    assert BoltAddress(uri, "neo4j", SecretStr("secret"), "neo4j").is_clear is clear


@pytest.mark.parametrize(("uri", "warnings"), [("bolt://no-such-host.invalid", 1), ("bolt://127.0.0.1:1", 0)])
def test_a_clear_password_is_warned_of_once(
    uri: str, warnings: int, caplog: pytest.LogCaptureFixture
) -> None:
    """With the address and what would do instead; the password itself is not shown."""
    settings = read_settings(neo4j_uri=uri, neo4j_password="a-password")

    with (
        caplog.at_level(logging.WARNING, logger="app.roots.graph"),
        pytest.raises(StoreUnavailableError),
        open_graph(settings),
    ):
        pytest.fail("there is nothing to open")

    found = [one.getMessage() for one in caplog.records if one.name == "app.roots.graph"]
    assert len(found) == warnings
    for message in found:
        assert uri in message
        assert "neo4j+s://" in message
        assert "a-password" not in message
