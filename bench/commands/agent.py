"""`outfitter bench agent`: does a model do more with what the service finds for it?"""

import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.commands.terminal import print_whole, write_json, write_text
from app.errors import InvalidInputError, McpServerError
from bench.agent.conversation import SEARCH, Conversation, TaskRun, functions_of
from bench.agent.figures import AgentFigures, cost_of, estimate, figures_document, figures_of
from bench.agent.tasks import AgentTask, read_tasks
from bench.commands.tables import figures_table

if TYPE_CHECKING:
    from app.adapters.mcp.client import McpClient
    from app.domain.calling.mcp_endpoints import McpEndpoint
    from bench.agent.model import AgentModel

_CALL_S = 60.0
_PAUSE_S = 0.2
_START_S = 120.0
"""A server that is started for the run reads the whole graph first."""


def agent_command(
    *,
    tasks: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help='A task a line: {"id": "1", "task": "cancel order o-17", "tools": ["orders/cancel_order"],'
            ' "arguments": {"orders/cancel_order": {"order_id": "o-17"}}, "answer": ["cancelled"]}; arguments and'
            " answer may be left out.",
        ),
    ],
    base_url: Annotated[
        str | None,
        typer.Option(
            help="Base URL of an OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1.",
            show_default="OUTFITTER_LLM_URL",
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Name of the model there.", show_default="OUTFITTER_LLM_MODEL")
    ] = None,
    key_variable: Annotated[
        str | None,
        typer.Option(help="Variable that has the endpoint's key.", show_default="OUTFITTER_LLM_KEY_VARIABLE"),
    ] = None,
    mcp_url: Annotated[
        str | None,
        typer.Option(
            help="MCP server, such as http://127.0.0.1:8000/mcp.",
            show_default="one over stdio, on the same graph",
        ),
    ] = None,
    mcp_header: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VARIABLE", help="Header for --mcp-url, from a variable; may be given again."
        ),
    ] = None,
    execute: Annotated[
        bool,
        typer.Option(
            "--execute",
            help="Pass calls on to the servers that own the tools, by call_tool (OUTFITTER_PROXY); else they are"
            " noted and nothing is carried out.",
        ),
    ] = False,
    max_turns: Annotated[int, typer.Option(min=1, max=100, help="Turns that a task may take.")] = 12,
    max_tokens: Annotated[int, typer.Option(min=64, max=100_000, help="Tokens of one answer.")] = 2_000,
    timeout: Annotated[float, typer.Option(min=1, max=600, help="Seconds for one answer.")] = 60.0,
    price: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="IN OUT", help="What a million tokens cost, sent and answered: shows the sum."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it would take, and ask no model.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Let a model do tasks with the MCP server: tool correctness, task completion, tokens and cost.

    The model searches, gets what was found as functions, and calls them. A task is complete when every expected tool was
    called with the arguments it has to have, the last answer holds what it has to, and the model came to an end. The
    texts of tasks, of found tools and of their answers go to the endpoint. Example:
    outfitter bench agent --base-url http://127.0.0.1:11434/v1 --model qwen3 --tasks tasks.jsonl
    """
    from app.adapters.http.caller import PooledHttpCaller
    from app.adapters.mcp.client import McpClient
    from app.domain.calling.mcp_endpoints import McpLimits
    from app.roots.graph import read_settings

    if price is not None and not all(0 <= one < 1_000_000 for one in price):
        raise InvalidInputError(
            f"--price: {price[0]:g} {price[1]:g}; accepted: 0 or more for a million tokens"
        )
    found = read_tasks(tasks)
    settings = read_settings()
    endpoint = _mcp_endpoint(mcp_url, mcp_header or [])
    asked = None if dry_run else _model(settings, base_url, model, key_variable, timeout, max_tokens)
    limits = McpLimits(connect_s=_START_S, total_s=_START_S)
    with McpClient(limits) as client, PooledHttpCaller() as http:
        server = _Server(client, endpoint)
        server.wait()
        if asked is None:
            _print_estimate(found, server.list_tools(), execute=execute, price=price, as_json=as_json)
            return
        from bench.agent.model import next_turn

        conversation = Conversation(
            server,
            lambda messages, functions: next_turn(http, asked, messages, functions),
            most_turns=max_turns,
            passes_on=execute,
        )
        runs = conversation.do_all(found)
    figures = figures_of(runs, price=price)
    if as_json:
        write_json(figures_document(figures, runs, model=asked.name))
    else:
        _print_figures(figures, runs, tasks=len(found), model=asked.name)
    if len(runs) < len(found):
        write_text(f"{runs[-1].problem}; the run ended after three such tasks in a row", stderr=True)
        raise typer.Exit(1)


class _Server:
    """Fits `ToolServer`, over a real client of MCP."""

    def __init__(self, client: "McpClient", endpoint: "McpEndpoint") -> None:
        self._client = client
        self._endpoint = endpoint

    def list_tools(self) -> Sequence[Mapping[str, Any]]:
        (found,) = self._client.list_tools([self._endpoint])
        tools = getattr(found, "tools", None)
        if tools is None:
            raise McpServerError(f"{self._endpoint.label}: {getattr(found, 'reason', 'no tools')}")
        return [one for one in tools if isinstance(one, Mapping)]

    def wait(self) -> None:
        """Until it has read its graph: before that it answers that it has not.

        Raises:
            McpServerError: it takes too long.
        """
        end = time.monotonic() + _START_S
        while self.call(SEARCH, {"query": "ready"}).get("isError"):
            if time.monotonic() > end:
                raise McpServerError(f"{self._endpoint.label}: no tools after {_START_S:g} s")
            time.sleep(_PAUSE_S)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._client.call(self._endpoint, tool, arguments, timeout_s=_CALL_S)


def _mcp_endpoint(url: str | None, headers: Sequence[str]) -> "McpEndpoint":
    from app.domain.calling.mcp_endpoints import http_endpoint, stdio_endpoint
    from app.settings import environment

    environ = environment()
    if url is not None:
        pairs = dict(one.partition("=")[::2] for one in headers)
        if not all(pairs.values()):
            raise InvalidInputError(f"--mcp-header {headers[0]!r}; accepted: NAME=VARIABLE")
        return http_endpoint(url, name="outfitter", headers=pairs, environ=environ, allow_private=True)
    if headers:
        raise InvalidInputError("--mcp-header is for --mcp-url")
    own = ("NEO4J_", "OUTFITTER_", "PYTHONPATH", "XDG_")
    env = {name: name for name, value in environ.items() if name.startswith(own) and value}
    command = [sys.executable, "-m", "app.commands.main", "mcp"]
    return stdio_endpoint(command, name="outfitter", env=env, environ=environ)


def _model(
    settings: Any,
    url: str | None,
    name: str | None,
    key_variable: str | None,
    timeout_s: float,
    max_tokens: int,
) -> "AgentModel":
    from app.roots.reading import named_key, named_server
    from bench.agent.model import AgentModel

    address, model = url or settings.llm_url, name or settings.llm_model
    if not (address and model):
        raise InvalidInputError(
            "no language model is set; accepted: --base-url and --model, or OUTFITTER_LLM_URL and OUTFITTER_LLM_MODEL;"
            " --dry-run asks none"
        )
    # A key goes to the endpoint that it is named for.
    variable = key_variable or (None if url else settings.llm_key_variable)
    return AgentModel(
        server=named_server(address, setting="--base-url"),
        name=model,
        key=named_key(variable, address, setting="--key-variable", address="--base-url"),
        timeout_s=timeout_s,
        max_tokens=max_tokens,
    )


def _print_estimate(
    tasks: Sequence[AgentTask],
    listed: Sequence[Mapping[str, Any]],
    *,
    execute: bool,
    price: tuple[float, float] | None,
    as_json: bool,
) -> None:
    sent, answered = estimate(tasks, functions_of(listed, passes_on=execute))
    cost = cost_of(sent, answered, price)
    if as_json:
        facts = {"tasks": len(tasks), "tokens_sent": sent, "tokens_answered": answered, "cost": cost}
        write_json(json.dumps(facts, indent=2))
        return
    sum_of = "" if cost is None else f", {cost:,.2f} at this price"
    write_text(
        f"{len(tasks)} tasks: about {sent:,} tokens sent and {answered:,} answered{sum_of}. No model was asked."
    )


def _print_figures(figures: AgentFigures, runs: Sequence[TaskRun], *, tasks: int, model: str) -> None:
    table = figures_table(
        f"{model}: {figures.tasks} of {tasks} tasks",
        ("",),
        ("tool correctness", "task completion", "found", "needless calls", "turns", "searches"),
    )
    values = (figures.correctness, figures.completion, figures.found)
    table.add_row(
        "mean",
        *(f"{value:.3f}" for value in values),
        *(f"{value:.2f}" for value in (figures.needless, figures.turns, figures.searches)),
    )
    print_whole(table)
    cost = "" if figures.cost is None else f"; {figures.cost:,.4f} at this price"
    write_text(f"{figures.tokens_sent:,} tokens sent, {figures.tokens_answered:,} answered{cost}.")
    for run in runs:
        if not run.is_complete:
            missed = ", ".join(sorted(set(run.task.tools) - run.called))
            why = run.problem or (
                f"not called: {missed}" if missed else "called otherwise, or another answer"
            )
            write_text(f"{run.task.id}: {why}")
