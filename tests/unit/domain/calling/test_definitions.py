"""Which changes of a definition may harm who calls the tool without looking again."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.calling.definitions import Definition, definition_of, read_confirmed, unsafe_changes
from app.domain.nodes.models import Tool
from app.domain.nodes.syncs import Severity
from app.domain.schemas.tool_changes import changed
from tests.unit.catalogues import tool

OPERATION: dict[str, Any] = {
    "method": "POST",
    "path": "/orders",
    "base_url": "https://shop.example",
    "security": ("key (http bearer)",),
}


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (OPERATION, {"base_url": "https://evil.example"}, "is sent to https://evil.example now"),
        (
            {},
            {"base_url": "https://evil.example"},
            "was sent to no server, is sent to https://evil.example now",
        ),
        (OPERATION, {"base_url": "https://shop.example/v2"}, "was sent to https://shop.example, "),
        (OPERATION, {"method": "DELETE"}, "was POST /orders, is DELETE /orders now"),
        (OPERATION, {"path": "/orders/all"}, "was POST /orders, is POST /orders/all now"),
        (OPERATION, {"security": ("key (apiKey in query q)",)}, "asks for key (apiKey in query q) now"),
        (OPERATION, {"security": ("key (http bearer)", "none")}, "asks for key (http bearer), none now"),
        (OPERATION, {"security": ()}, "asks for nothing now"),
        ({}, {"read_only": True}, "says now that it only reads"),
        ({"read_only": False}, {"read_only": True}, "says now that it only reads"),
        ({}, {"destructive": False}, "says now that it destroys nothing"),
        ({"destructive": True}, {"destructive": False}, "says now that it destroys nothing"),
        ({"idempotent": False}, {"idempotent": True}, "says now that it may be repeated"),
        ({"open_world": True}, {"open_world": False}, "says now that it stays within its own world"),
    ],
)
def test_what_may_send_a_call_elsewhere_or_hides_what_it_does_is_unsafe(
    before: dict[str, Any], after: dict[str, Any], reason: str
) -> None:
    """It breaks callers, and says what changed."""
    was, now = Definition(**before), Definition(**{**before, **after})

    (said,) = unsafe_changes(was, now)

    assert reason in said
    record = changed(_tool(was), _tool(now), unsafe=unsafe_changes(was, now))
    assert (record.severity, said in record.reasons) == (Severity.BREAKING, True)
    assert len(set(record.reasons)) == len(record.reasons)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"read_only": True}, {"read_only": False}),
        ({"read_only": True}, {"read_only": None}),
        ({"destructive": False}, {"destructive": True}),
        ({"idempotent": True}, {"idempotent": None}),
        ({"open_world": False}, {"open_world": True}),
        (OPERATION, {"base_url": ""}),
        ({**OPERATION, "security": ("a", "b")}, {"security": ("b",)}),
        ({"security": ()}, {"security": ()}),
    ],
)
def test_what_makes_no_call_more_dangerous_waits_for_nobody(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    """A promise that is taken back, fewer ways to be let in, no server at all."""
    assert unsafe_changes(Definition(**before), Definition(**{**before, **after})) == []


def test_a_long_address_shows_its_whole_host() -> None:
    """Nothing is confirmed unseen: the longest host name fits, the rest is cut."""
    host = ".".join(["h" * 61] * 4)
    (said,) = unsafe_changes(
        Definition(base_url="https://a.example"), Definition(base_url=f"https://{host}/{'p' * 999}")
    )

    assert host in said
    assert len(said) < 400


DEFINITIONS = st.builds(
    Definition,
    method=st.sampled_from(["", "GET", "POST"]),
    path=st.text(max_size=3),
    base_url=st.text(max_size=3),
    security=st.lists(st.text(max_size=3), max_size=2).map(tuple),
    read_only=st.sampled_from([None, True, False]),
    open_world=st.sampled_from([None, True, False]),
)


@given(DEFINITIONS, DEFINITIONS)
def test_the_same_definition_is_safe_and_is_read_as_it_is_kept(one: Definition, other: Definition) -> None:
    """As JSON, and among the properties of a tool."""
    assert unsafe_changes(one, one) == []
    assert read_confirmed(one.model_dump_json()) == one
    properties = {name: list(value) if isinstance(value, tuple) else value for name, value in one}
    assert definition_of({**properties, "title": "T"}) == one
    assert not (unsafe_changes(one, other) and one == other)


def _tool(definition: Definition) -> Tool:
    hints = definition.model_dump(exclude={"base_url", "security"})
    return tool("shop/order").model_copy(update=hints)
