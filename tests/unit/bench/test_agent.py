"""Tasks done by a model: what it may call, what counts, and what each failure leaves."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.errors import InvalidInputError, McpServerError, ReaderUnavailableError
from bench.agent.conversation import Conversation, TaskRun
from bench.agent.figures import estimate, figures_of
from bench.agent.model import AgentTurn, FunctionCall
from bench.agent.tasks import AgentTask, read_tasks

CANCEL = AgentTask(
    id="1",
    task="cancel order o-17",
    tools=("orders/cancel",),
    arguments={"orders/cancel": {"order id": "o-17"}},
    answer=("cancelled",),
)


class Server:
    """An MCP server that finds two tools for whatever is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Mapping[str, Any]]] = []

    def list_tools(self) -> Sequence[Mapping[str, Any]]:
        return [{"name": name, "inputSchema": {"type": "object"}} for name in ("search_tools", "call_tool")]

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        self.asked.append((tool, arguments))
        if tool == "call_tool":
            return {"content": [{"type": "text", "text": "done"}]}
        if arguments["query"] == "broken":
            raise McpServerError("the connection broke")
        if arguments["query"] == "refused":
            return {"isError": True, "content": [{"type": "text", "text": "top_k: 1 to 100"}]}
        tools = [
            {"type": "function", "name": name, "description": "Does it", "parameters": {"type": "object"}}
            for name in ("orders__cancel", "orders__list", "search_tools")
        ]
        names = {
            "orders__cancel": "orders/cancel",
            "orders__list": "orders/list",
            "search_tools": "evil/search",
        }
        answer = {"tools": tools, "names": names, "arguments": {"orders__cancel": {"order_id": "order id"}}}
        return {"structuredContent": {**answer, "abstained": False}, "content": []}


class Model:
    """Says these turns, one after the other: calls, or a text at the end."""

    def __init__(self, *turns: str | list[tuple[str, Mapping[str, Any] | None]]) -> None:
        self._turns = list(turns)
        self.functions: list[list[str]] = []
        self.messages: list[Mapping[str, Any]] = []

    def __call__(
        self, messages: Sequence[Mapping[str, Any]], functions: Sequence[Mapping[str, Any]]
    ) -> AgentTurn:
        self.functions.append([one["function"]["name"] for one in functions])
        self.messages = list(messages)
        if not self._turns:
            raise ReaderUnavailableError("answered 500")
        said = self._turns.pop(0)
        calls = (
            tuple(FunctionCall(f"c{at}", *one) for at, one in enumerate(said))
            if isinstance(said, list)
            else ()
        )
        text = said if isinstance(said, str) else ""
        return AgentTurn({"role": "assistant", "content": text}, text, calls, 100, 10)


def done(model: Model, task: AgentTask = CANCEL, **options: Any) -> tuple[TaskRun, Server]:
    server = Server()
    chosen: dict[str, Any] = {"most_turns": 5, "passes_on": False, **options}
    return Conversation(server, model, **chosen).do(task), server


SEARCHED: list[tuple[str, Mapping[str, Any] | None]] = [("search_tools", {"query": "cancel an order"})]
CALLED: list[tuple[str, Mapping[str, Any] | None]] = [("orders__cancel", {"order_id": "o-17", "note": "x"})]


def test_what_a_search_finds_can_be_called() -> None:
    """By its name among functions; its own names of arguments count, and nothing is carried out."""
    model = Model(SEARCHED, CALLED, "The order is Cancelled.")
    run, server = done(model)

    assert (run.correct, run.is_complete, run.problem) == (1.0, True, "")
    assert run.calls == [("orders/cancel", {"order id": "o-17", "note": "x"})]
    assert (run.turns, run.searches, run.sent, run.answered) == (3, 1, 300, 30)
    assert run.found == {"orders/cancel", "orders/list"}
    assert server.asked == [("search_tools", {"query": "cancel an order", "format": "openai"})]
    assert model.functions[0] == ["search_tools"]
    assert model.functions[1] == ["search_tools", "orders__cancel", "orders__list"]
    assert json.loads(model.messages[-1]["content"])["ok"] is True


def test_calls_are_passed_on_where_that_is_asked_for() -> None:
    model = Model(SEARCHED, CALLED, [("call_tool", {"id": "orders/list", "arguments": {}})], "cancelled")
    run, server = done(model, passes_on=True)

    assert server.asked[1:] == [
        ("call_tool", {"id": "orders/cancel", "arguments": {"order id": "o-17", "note": "x"}}),
        ("call_tool", {"id": "orders/list", "arguments": {}}),
    ]
    assert run.called == {"orders/cancel", "orders/list"}


@pytest.mark.parametrize(
    ("turns", "correct", "problem"),
    [
        ((SEARCHED, [("orders__cancel", {"order_id": "o-18"})], "cancelled"), 0.0, ""),
        ((SEARCHED, [("orders__list", {})], "cancelled"), 0.0, ""),
        ((SEARCHED, CALLED, "It was shipped."), 1.0, ""),
        ((SEARCHED, CALLED), 1.0, "the model: answered 500"),
        ((SEARCHED, CALLED, *[SEARCHED] * 3, "cancelled"), 1.0, "not done after 5 turns"),
        (("cancelled",), 0.0, ""),
    ],
)
def test_what_lacks_something_is_not_complete(turns: Any, correct: float, problem: str) -> None:
    """The right call, with its argument, the right answer, an end in time."""
    run, _ = done(Model(*turns))

    assert (run.is_complete, run.correct, run.problem) == (False, correct, problem)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("orders__drop", {}), "there is no function"),
        (("call_tool", {"id": "orders/cancel"}), "there is no function"),
        (("search_tools", None), "no JSON object"),
        (("search_tools", {"query": "broken"}), "the connection broke"),
        (("search_tools", {"query": "refused"}), "top_k"),
    ],
)
def test_what_goes_wrong_is_said_to_the_model(call: Any, said: str) -> None:
    """Which may try again."""
    model = Model([call], SEARCHED, CALLED, "cancelled")
    run, _ = done(model)

    assert said in model.messages[3]["content"]
    assert run.is_complete


def test_an_endpoint_that_refuses_ends_the_run() -> None:
    """After three tasks in a row; a task that is done in between counts from the beginning."""
    broken = Conversation(Server(), Model(), most_turns=5, passes_on=False)
    assert len(broken.do_all([CANCEL] * 5)) == 3
    some = Conversation(Server(), Model("no"), most_turns=5, passes_on=False)
    assert len(some.do_all([CANCEL] * 5)) == 4


def test_figures_are_means_over_tasks_and_sums_of_tokens() -> None:
    """A found tool is one that a search of the model brought."""
    runs = [
        done(Model(SEARCHED, CALLED, "cancelled"))[0],
        done(Model(SEARCHED, [*CALLED, ("orders__list", {})], "no"))[0],
        done(Model("no"))[0],
        done(Model())[0],
    ]
    found = figures_of(runs, price=(1.0, 10.0))

    assert (found.tasks, found.correctness, found.completion, found.found) == (4, 0.5, 0.25, 0.5)
    assert (found.needless, found.turns, found.searches, found.failed) == (0.25, 1.75, 0.5, 1)
    assert (found.tokens_sent, found.tokens_answered) == (700, 70)
    assert found.cost == pytest.approx((700 + 700) / 1e6)
    assert figures_of(runs, price=None).cost is None


def test_an_estimate_grows_with_what_is_expected() -> None:
    one, two = (AgentTask(id="1", task="t" * 400, tools=tools) for tools in (("a/b",), ("a/b", "a/c")))
    assert estimate([one, one], [])[1] == 2 * estimate([one], [])[1]
    assert estimate([two], [])[0] > estimate([one], [])[0] > 100
    assert estimate([one], [{"name": "x" * 4_000}])[0] > estimate([one], [])[0] + 2_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no task"),
        ("{", "tasks.jsonl:1: not JSON"),
        ("[]", "tasks.jsonl:1: the line"),
        ('{"id": "1", "task": "x"}', "neither tools nor answer"),
        ('{"id": "1", "task": "", "tools": ["a/b"]}', "tasks.jsonl:1: task: "),
        ('{"id": "1", "task": "x", "tool": ["a/b"]}', "tasks.jsonl:1: tool: "),
        ('{"id": "1", "task": "x", "tools": ["a/b"], "arguments": {"a/c": {}}}', "arguments of 'a/c'"),
        ('{"id": "1", "task": "x", "tools": ["a/b"]}\n' * 2, "tasks.jsonl:2: id '1' comes twice"),
    ],
)
def test_a_file_of_tasks_is_refused_by_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text(text)
    with pytest.raises(InvalidInputError) as caught:
        read_tasks(path)
    assert said in str(caught.value)
