"""`call_tool` as clients of the MCP server meet it."""

import asyncio
import threading
from collections.abc import Mapping
from typing import Any, cast

import pytest

from app.domain.calling.calls import CallAnswer, CallLimits
from app.errors import CallRefusedError, StoreUnavailableError
from app.mcp.tools.call import CallTool
from app.roots.mcp import passed_on
from app.service.components import Calls
from app.service.workers import Workers
from app.usecases.call import ToolCaller

ANSWER = CallAnswer(({"type": "text", "text": "done"},), {"n": 1}, is_error=False)


def asked(answer: CallAnswer | Exception, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], list[Any]]:
    """The result over the wire, and the calls that were made."""
    made: list[Any] = []

    async def call(tool_id: str, given: Mapping[str, Any]) -> CallAnswer:
        made.append((tool_id, given))
        if isinstance(answer, Exception):
            raise answer
        return answer

    return dict(asyncio.run(CallTool(call).call(arguments))), made


def test_it_says_what_it_may_do_and_nothing_of_the_catalogue() -> None:
    """Destructive, open world; the same list for everybody."""
    one, other = (CallTool(cast("Any", None)).definition(inside) for inside in ("", "Servers: shop."))

    assert one == other
    assert one.annotations is not None
    assert one.annotations.model_dump(exclude_none=True) == {
        "read_only_hint": False,
        "destructive_hint": True,
        "idempotent_hint": False,
        "open_world_hint": True,
    }
    assert set(one.input_schema["properties"]) == {"id", "arguments"}
    assert one.input_schema["required"] == ["id"]


def test_an_answer_goes_over_the_wire_as_it_is() -> None:
    """Content, data, and whether the tool says that it failed."""
    fine, made = asked(ANSWER, {"id": "a/b", "arguments": {"x": 1}})
    failed, _ = asked(CallAnswer((), None, is_error=True), {"id": "a/b"})

    assert made == [("a/b", {"x": 1})]
    assert fine == {
        "content": [{"type": "text", "text": "done"}],
        "structuredContent": {"n": 1},
        "resultType": "complete",
    }
    assert failed == {"content": [], "isError": True, "resultType": "complete"}


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"id": ""},
        {"id": 5},
        {"id": "a/b", "arguments": "s3cret"},
        {"id": "a/b", "s3cret": 1, "other": "s3cret"},
    ],
)
def test_a_call_of_another_form_is_refused(arguments: dict[str, Any]) -> None:
    """With what is accepted, and without values, which belong to another tool."""
    result, made = asked(ANSWER, arguments)

    assert made == []
    assert result["isError"]
    assert "accepted: id (text), arguments (an object)" in str(result)
    assert "'s3cret'" not in str(result)


@pytest.mark.parametrize(
    "error", [CallRefusedError("not allowed"), StoreUnavailableError("the graph is away")]
)
def test_what_keeps_a_call_from_being_made_is_an_answer(error: Exception) -> None:
    """The client's model reads it."""
    result, _ = asked(error, {"id": "a/b"})

    assert result["isError"]
    assert str(error) in str(result)


class Busy:
    """Calls that take until they are let go."""

    limits = CallLimits(timeout_s=0.2)

    def __init__(self) -> None:
        self.go = threading.Event()
        self.begun: list[str] = []

    def call(
        self, tool_id: str, _: Mapping[str, Any], *, who: str, groups: tuple[str, ...], run: str
    ) -> CallAnswer:
        self.begun.append(f"{tool_id} {who}{run}")
        self.go.wait(10)
        return ANSWER


def test_more_calls_than_may_be_made_at_once_wait_and_are_refused_in_time() -> None:
    """A refused call is not made later; those that have begun are waited for."""
    caller = Busy()
    calls = Calls(cast("ToolCaller", caller), Workers(1, name="calls"))

    async def run() -> tuple[CallAnswer, CallAnswer]:
        first = asyncio.create_task(passed_on(calls, "http", "a/first", {}))
        while not caller.begun:
            await asyncio.sleep(0.01)
        with pytest.raises(CallRefusedError, match="OUTFITTER_PROXY_AT_ONCE"):
            await passed_on(calls, "http", "a/second", {})
        left = asyncio.create_task(passed_on(calls, "http", "a/third", {}))
        await asyncio.sleep(0.01)
        left.cancel()
        await asyncio.wait({left})
        caller.go.set()
        return await first, await passed_on(calls, "http", "a/fourth", {})

    try:
        assert asyncio.run(run()) == (ANSWER, ANSWER)
    finally:
        calls.workers.close()

    assert caller.begun == ["a/first http", "a/fourth http"]
