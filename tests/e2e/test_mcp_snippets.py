"""What README and docs/ give people to paste: registrations start our server, programs run against the real service."""

import json
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import httpx2
import pytest
import typer.main

from app.commands.main import app
from tests.documents import DOCS, README, blocks, commands
from tests.service import EXAMPLES, Service, command, serving

CHAPTER = (DOCS / "agents.md").read_text(encoding="utf-8")
SHORT = README.read_text(encoding="utf-8").partition("\n## From an agent\n")[2].partition("\n## ")[0]
CONFIGURATIONS = [json.loads(block) for text in (CHAPTER, SHORT) for block in blocks(text, "json")]
PROGRAMS = blocks(CHAPTER, "python")
SERVED = "http://127.0.0.1:8000"
REQUEST = "Give the customer of payment pay_7Hq2 the money back"
FOUND = "payments/refund_payment"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("shop") / "data"
    for words in (("manifest", EXAMPLES / "manifests"), ("taxonomy", EXAMPLES / "taxonomy.yaml")):
        done = command("ingest", *words, data_dir=folder)
        assert done.returncode == 0, done.stderr
    with serving(folder) as running:
        yield running


def program(word: str) -> str:
    """The one program of the chapter that has this word."""
    (found,) = [text for text in PROGRAMS if word in text]
    return found


def test_every_registration_names_our_command_or_our_address() -> None:
    """A command is installed and takes these arguments; an address is that of the service."""
    servers = [
        server
        for document in CONFIGURATIONS
        for section in ("mcpServers", "servers")
        for server in document.get(section, {}).values()
    ]
    added = [shlex.split(line) for line in commands(CHAPTER)]

    for server in servers:
        assert set(server) <= {"type", "command", "args", "url", "headers"}
        if "url" in server:
            assert (server["type"], server["url"]) == ("http", f"{SERVED}/mcp")
        else:
            _accepted([server["command"], *server["args"]])
    for words in added:
        assert words[:3] == ["claude", "mcp", "add"]
        if "--" in words:
            _accepted(words[words.index("--") + 1 :])
        else:
            assert words[3:5] == ["--transport", "http"]
            assert words[-1] == f"{SERVED}/mcp"

    assert (len(servers), len(added)) == (4, 2)


def _accepted(words: list[str]) -> None:
    assert shutil.which(words[0], path=str(Path(sys.executable).parent)), words
    group = typer.main.get_command(app)
    found = group.commands[words[1]]  # type: ignore[attr-defined]
    found.make_context("outfitter", words[2:])


@pytest.mark.parametrize("text", PROGRAMS)
def test_every_program_is_python(text: str) -> None:
    compile(text, "agents.md", "exec")


def test_the_sdk_program_prints_what_it_finds(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    """It runs as it stands, but for the port."""
    run(program("from mcp import Client"), service)

    printed = capsys.readouterr().out

    assert "orders/get_order" in printed
    assert FOUND in printed


def test_the_langgraph_program_binds_what_was_found(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its function gives tools whose call reaches the tool of the id."""
    with_modules(
        monkeypatch,
        httpx=httpx2,
        langchain_core=None,
        **{
            "langchain_core.tools": SimpleNamespace(StructuredTool=SimpleNamespace),
            "langgraph": None,
            "langgraph.graph": SimpleNamespace(START="start", MessagesState=dict, StateGraph=_Graph),
        },
    )

    names = run(program("langgraph"), service, caller=lambda tool_id: lambda: tool_id, model=_Model())
    answer = names["agent"]({"messages": [SimpleNamespace(text=REQUEST)]})

    (bound,) = answer["messages"]
    assert [tool.func() for tool in bound if tool.name == "payments_refund_payment"] == [FOUND]
    assert all(tool.args_schema["type"] == "object" for tool in bound)


def test_the_openai_program_hands_on_what_the_model_searched(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its second request has the functions that the service found; the model's call leads back to the id."""
    requests: list[dict[str, Any]] = []

    def create(**request: Any) -> SimpleNamespace:
        requests.append(json.loads(json.dumps(request, default=vars)))
        if len(requests) == 1:
            search = {"query": "give money back"}
            return _output(type="tool_search_call", call_id="call_1", arguments=search)
        return _output(
            type="function_call", name="payments_refund_payment", arguments='{"payment_id": "pay_7Hq2"}'
        )

    client = SimpleNamespace(responses=SimpleNamespace(create=create))
    with_modules(monkeypatch, httpx=httpx2, openai=SimpleNamespace(OpenAI=lambda: client))

    names = run(program("from openai import"), service)

    loaded = requests[1]["input"][-1]
    assert (loaded["type"], loaded["execution"], loaded["call_id"]) == (
        "tool_search_output",
        "client",
        "call_1",
    )
    assert "payments_refund_payment" in [tool["name"] for tool in loaded["tools"]]
    assert all(tool["defer_loading"] for tool in loaded["tools"])
    assert names["calls"] == [(FOUND, '{"payment_id": "pay_7Hq2"}')]


def test_the_anthropic_program_defines_what_it_refers_to(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its second request defines every tool that a reference names; the model's call leads back to the id."""
    requests: list[dict[str, Any]] = []

    def create(**request: Any) -> SimpleNamespace:
        requests.append(json.loads(json.dumps(request, default=vars)))
        if len(requests) == 1:
            search = {"query": "give money back"}
            return _content(type="tool_use", id="toolu_1", name="search_tools", input=search)
        refund = {"payment_id": "pay_7Hq2"}
        return _content(type="tool_use", id="toolu_2", name="payments_refund_payment", input=refund)

    client = SimpleNamespace(messages=SimpleNamespace(create=create))
    with_modules(monkeypatch, httpx=httpx2, anthropic=SimpleNamespace(Anthropic=lambda: client))

    names = run(program("import anthropic"), service)

    (result,) = requests[1]["messages"][-1]["content"]
    defined = {tool["name"] for tool in requests[1]["tools"] if tool.get("defer_loading")}
    assert (result["type"], result["tool_use_id"]) == ("tool_result", "toolu_1")
    assert {block["tool_name"] for block in result["content"]} == defined
    assert names["calls"] == [(FOUND, {"payment_id": "pay_7Hq2"})]


def run(text: str, service: Service, **given: Any) -> dict[str, Any]:
    """The names of a program after it ran, against the service where it really is."""
    names = {"__name__": "agents", **given}
    exec(compile(text.replace(SERVED, service.url), "agents.md", "exec"), names)
    return names


def with_modules(monkeypatch: pytest.MonkeyPatch, **modules: Any) -> None:
    """Stand-ins for libraries of model providers, which the tests do without."""
    for name, found in modules.items():
        module = ModuleType(name)
        module.__dict__.update(vars(found) if found is not None else {"__path__": []})
        monkeypatch.setitem(sys.modules, name, module)


def _output(**item: Any) -> SimpleNamespace:
    return SimpleNamespace(output=[SimpleNamespace(**item)])


def _content(**block: Any) -> SimpleNamespace:
    return SimpleNamespace(content=[SimpleNamespace(**block)])


class _Model:
    """Answers with the tools that it was given."""

    def bind_tools(self, tools: list[Any]) -> SimpleNamespace:
        return SimpleNamespace(invoke=lambda messages: tools)


class _Graph:
    """Takes what `StateGraph` takes."""

    def __init__(self, state: type) -> None:
        self.nodes: list[Any] = []

    def add_node(self, node: Any) -> "_Graph":
        self.nodes.append(node)
        return self

    def add_edge(self, start: str, end: str) -> "_Graph":
        assert end in [node.__name__ for node in self.nodes]
        return self

    def compile(self) -> "_Graph":
        return self
