"""`call_tool` from an MCP client's call to the server that owns the tool, over real processes and connections."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters, types
from mcp.client.streamable_http import streamable_http_client

from app.domain.audit.chain import FILE
from tests.http_server import Asked, Handler, Recorded, web_server
from tests.lying_server import LEGACY
from tests.mcp_downstream import downstream
from tests.processes import processes
from tests.service import Service, command, environment, serving

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "the-token-of-this-test"
SECRETS = {
    "SHOP_KEY": "shop-k3y-value",
    "FILES_TOKEN": "files-t0ken-value",
    "WEB_TOKEN": "web-t0ken-value",
}
SHOP = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1"},
    "servers": [{"url": "https://shop.invalid/v1"}],
    "security": [{"shopKey": []}],
    "components": {"securitySchemes": {"shopKey": {"type": "apiKey", "in": "header", "name": "X-Shop-Key"}}},
    "paths": {
        "/orders/{order}": {
            "get": {
                "operationId": "find_order",
                "summary": "Find an order",
                "parameters": [
                    {"name": "order", "in": "path", "required": True, "schema": {"type": "string"}},
                    {
                        "name": "fields",
                        "in": "query",
                        "schema": {"type": "array", "items": {"type": "string"}},
                    },
                ],
                "responses": {"200": {"description": "ok"}},
            },
            "delete": {
                "operationId": "delete_order",
                "summary": "Delete an order",
                "parameters": [
                    {"name": "order", "in": "path", "required": True, "schema": {"type": "string"}}
                ],
                "responses": {"204": {"description": "ok"}},
            },
        },
        "/orders/{order}/cancel": {
            "post": {
                "operationId": "cancel_order",
                "summary": "Cancel an order",
                "parameters": [
                    {"name": "order", "in": "path", "required": True, "schema": {"type": "string"}}
                ],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "required": ["reason"],
                                "properties": {
                                    "reason": {"enum": ["late", "broken"]},
                                    "password": {"type": "string"},
                                },
                            }
                        }
                    },
                },
                "responses": {"200": {"description": "ok"}},
            }
        },
    },
}


def shop(handler: Handler, asked: Asked) -> None:
    """The shop's API: echoes what it was asked, its key included."""
    if "missing" in asked.target:
        handler.reply(404, b'{"why": "no such order"}')
        return
    said = {"target": asked.target, "key": asked.headers.get("x-shop-key"), "body": asked.body.decode()}
    handler.reply(200, json.dumps(said).encode())


@dataclass
class World:
    """A folder with a graph of three servers that are up, and the sources file that says how to call them."""

    data_dir: Path
    sources: Path
    api: Recorded

    def settings(self, **more: str) -> dict[str, str]:
        return {
            "OUTFITTER_SOURCES": str(self.sources),
            "OUTFITTER_PROXY": "true",
            "OUTFITTER_PROXY_TIMEOUT_S": "30",
            "OUTFITTER_PROXY_MAX_ANSWER_BYTES": "50000",
            **SECRETS,
            **more,
        }

    @property
    def audit(self) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in (self.data_dir / "calls.jsonl").read_text().splitlines()]
        return [line for line in lines if line["event"] != FILE]


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("calls")
    (folder / "shop.json").write_text(json.dumps(SHOP))
    program = [sys.executable, str(ROOT / "tests" / "mcp_downstream.py")]
    with web_server(shop) as api, downstream() as web:
        data_dir = folder / "data"
        sources = [
            {
                "id": "shop",
                "kind": "openapi",
                "uri": "shop.json",
                "call": {
                    "allow": ["shop/cancel_*"],
                    "base_url": f"{api.url}/v1",
                    "credentials": {"shopKey": {"env": "SHOP_KEY"}},
                },
            },
            {
                "id": "files",
                "kind": "mcp",
                "command": program[0],
                "args": program[1:],
                "env": {"DOWNSTREAM_TOKEN": "FILES_TOKEN"},
                "call": {"allow": ["files/*"], "deny": ["files/add"], "trust_annotations": True},
            },
            {
                "id": "web",
                "kind": "mcp",
                "uri": web,
                "headers_env": {"x-token": "WEB_TOKEN"},
                "call": {"allow": ["web/add", "web/tell_secret"]},
            },
            {"id": "slow", "kind": "mcp", "uri": web, "call": {"allow": ["slow/hang"], "timeout": 1.5}},
            {"id": "silent", "kind": "mcp", "uri": web},
        ]
        (folder / "sources.yaml").write_text(json.dumps({"sources": sources}))
        for words in (
            ("openapi", str(folder / "shop.json")),
            ("mcp", "--server", "files", "--", *program),
            ("mcp", "--server", "web", web),
            ("mcp", "--server", "slow", web),
            ("mcp", "--server", "silent", web),
        ):
            done = command("ingest", *words, data_dir=data_dir)
            assert done.returncode == 0, done.stderr
        yield World(data_dir, folder / "sources.yaml", api)


@pytest.fixture
def world(ingested: World, tmp_path: Path) -> World:
    """Each test has a graph and an audit of its own."""
    data_dir = tmp_path / "data"
    shutil.copytree(ingested.data_dir, data_dir)
    ingested.api.asked.clear()
    return World(data_dir, ingested.sources, ingested.api)


@asynccontextmanager
async def over_stdio(world: World, *, mode: str, **more: str) -> AsyncIterator[Client]:
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "app.commands.main", "mcp"],
        env=environment(world.data_dir, **world.settings(**more)),
    )
    async with Client(parameters, mode=mode) as client:
        yield client


@asynccontextmanager
async def over_http(service: Service, *, mode: str, token: str | None = TOKEN) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=30))
        transport = streamable_http_client(f"{service.url}/mcp", http_client=http)
        yield await stack.enter_async_context(Client(transport, mode=mode))


async def call(client: Client, tool_id: str, **arguments: Any) -> types.CallToolResult:
    result = await client.call_tool("call_tool", {"id": tool_id, "arguments": arguments})
    assert isinstance(result, types.CallToolResult)
    return result


def text(result: types.CallToolResult) -> str:
    return " ".join(block.text for block in result.content if isinstance(block, types.TextContent))


async def tour(client: Client) -> dict[str, types.CallToolResult]:
    """One call of each kind, as a client makes them."""
    listed = await client.list_tools()
    (tool,) = [tool for tool in listed.tools if tool.name == "call_tool"]
    assert tool.annotations is not None
    assert (tool.annotations.read_only_hint, tool.annotations.destructive_hint) == (False, True)
    assert (tool.annotations.idempotent_hint, tool.annotations.open_world_hint) == (False, True)
    return {
        "get": await call(client, "shop/find_order", order="a/1", fields=["x", "y"]),
        "post": await call(client, "shop/cancel_order", order="7", reason="late"),
        "missing": await call(client, "shop/find_order", order="missing"),
        "delete": await call(client, "shop/delete_order", order="7"),
        "misfit": await call(client, "shop/cancel_order", order="7", reason="bored", password="hunter2"),
        "denied": await call(client, "files/add", a=1, b=2),
        "trusted": await call(client, "files/look", word="x"),
        "failed": await call(client, "files/fail"),
        "secret": await call(client, "files/tell_secret"),
        "hangs": await call(client, "slow/hang", seconds=20),
        "flood": await call(client, "files/flood", size=200_000),
        "web": await call(client, "web/add", a=1, b=2),
        "web_secret": await call(client, "web/tell_secret"),
        "untrusted": await call(client, "web/look", word="x"),
        "wrong_type": await call(client, "web/add", a="1", b=2),
        "silent": await call(client, "silent/look", word="x"),
        "unknown": await call(client, "nobody/nothing"),
    }


def check_tour(found: Mapping[str, types.CallToolResult], world: World) -> None:
    """What each call gave, what reached the shop, and what was written down."""
    assert found["get"].structured_content == {
        "status": 200,
        "body": {"target": "/v1/orders/a%2F1?fields=x&fields=y", "key": "(secret)", "body": ""},
    }
    assert json.loads(text(found["post"]))["body"] == '{"reason":"late"}'
    assert found["missing"].is_error
    assert "no such order" in text(found["missing"])
    assert "'call.allow'" in text(found["delete"])
    assert 'argument \'reason\' = "bored": accepted: "late", "broken"' in text(found["misfit"])
    assert "call.deny" in text(found["denied"])
    assert text(found["trusted"]) == "seen x"
    assert found["failed"].is_error
    assert "no more paper" in text(found["failed"])
    assert text(found["secret"]) == "TOKEN=(secret) HEADER="
    assert "did not answer within 1.5 s" in text(found["hangs"])
    assert "50,000 bytes" in text(found["flood"])
    assert found["web"].structured_content == {"total": 3}
    assert text(found["web_secret"]) == "TOKEN= HEADER=(secret)"
    assert "not trusted" in text(found["untrusted"])
    assert "argument 'a' = \"1\": accepted: integer" in text(found["wrong_type"])
    assert "no connection for calls" in text(found["silent"])
    assert "no tool 'nobody/nothing'" in text(found["unknown"])
    refused = ("delete", "misfit", "denied", "untrusted", "wrong_type", "silent", "unknown", "hangs", "flood")
    assert all(found[name].is_error for name in refused)

    assert [(asked.method, asked.target) for asked in world.api.asked] == [
        ("GET", "/v1/orders/a%2F1?fields=x&fields=y"),
        ("POST", "/v1/orders/7/cancel"),
        ("GET", "/v1/orders/missing"),
    ]
    assert {asked.headers["x-shop-key"] for asked in world.api.asked} == {SECRETS["SHOP_KEY"]}
    events = [(line["event"], line["tool"], line.get("outcome")) for line in world.audit]
    assert events[:2] == [("started", "shop/find_order", None), ("ended", "shop/find_order", "ok")]
    assert ("refused", "shop/cancel_order", "refused") in events
    assert ("ended", "files/fail", "tool_error") in events
    assert ("ended", "slow/hang", "failed") in events
    assert sum(event == "refused" for event, _, _ in events) == 7
    assert sum(event == "started" for event, _, _ in events) == 10


def spoken(found: Mapping[str, types.CallToolResult]) -> str:
    return json.dumps([result.model_dump(mode="json") for result in found.values()])


def check_no_secret(*texts: str) -> None:
    for secret in (*SECRETS.values(), "hunter2"):
        assert all(secret not in one for one in texts)


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
def test_calls_over_stdio_reach_their_servers(world: World, mode: str) -> None:
    """An MCP server over stdio, one over HTTP, an API; without a token."""

    async def run() -> dict[str, types.CallToolResult]:
        async with over_stdio(world, mode=mode) as client:
            return await tour(client)

    found = asyncio.run(run())

    check_tour(found, world)
    assert {line["who"] for line in world.audit} == {"stdio"}
    check_no_secret(spoken(found), (world.data_dir / "calls.jsonl").read_text())


@pytest.mark.parametrize("mode", ["2026-07-28", "legacy"])
def test_calls_over_http_need_the_token(world: World, mode: str) -> None:
    """On loopback, too; without it, or with another, nothing is answered and nothing is called."""
    with serving(world.data_dir, **world.settings(OUTFITTER_API_TOKEN=TOKEN)) as service:

        async def run() -> dict[str, types.CallToolResult]:
            async with over_http(service, mode=mode) as client:
                return await tour(client)

        found = asyncio.run(run())
        check_tour(found, world)
        for token in ("wrong", None):
            refused = Service(service.process, service.url, service.log, token)
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "call_tool"}}
            assert refused.post("/mcp", body)[0] == 401
        log = service.log.read_text()
        # Killed, it would not keep the last head.
        service.process.terminate()
        service.process.wait(30)

    assert {line["who"] for line in world.audit} == {"http"}
    verified = json.loads(command("audit", "verify", "--json", data_dir=world.data_dir).stdout)
    # The service keeps its last head when it ends.
    assert (verified["problems"], verified["covered"]) == ([], verified["lines"])
    check_no_secret(spoken(found), log, (world.data_dir / "calls.jsonl").read_text())
    assert log.count('"step": "started"') == 10
    assert "a/1" not in log


def test_without_the_setting_there_is_nothing_to_call(world: World) -> None:
    """Not listed, and unknown when it is called all the same."""

    async def run() -> tuple[set[str], str]:
        async with over_stdio(world, mode="2026-07-28", OUTFITTER_PROXY="false") as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            with pytest.raises(Exception, match="call_tool") as caught:
                await call(client, "shop/find_order", order="1")
            return names, str(caught.value)

    names, said = asyncio.run(run())

    assert "search_tools" in names
    assert "call_tool" not in names
    assert "no tool 'call_tool'" in said
    assert world.api.asked == []
    assert not (world.data_dir / "calls.jsonl").exists()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "OUTFITTER_API_TOKEN is not set"),
        ({"OUTFITTER_API_TOKEN": ""}, "OUTFITTER_API_TOKEN is not set"),
        ({"OUTFITTER_API_TOKEN": TOKEN, "OUTFITTER_SOURCES": "/nothing.yaml"}, "/nothing.yaml"),
    ],
)
def test_a_service_that_would_be_open_does_not_start(
    world: World, settings: dict[str, str], said: str
) -> None:
    """No token, or nothing that says what may be called."""
    done = command("serve", "--port", "0", data_dir=world.data_dir, **world.settings(**settings))

    assert done.returncode == 2
    assert said in done.stderr


def test_the_sources_file_is_followed(world: World, tmp_path: Path) -> None:
    """An entry that is taken out stops its calls; a broken file stops all; no restart."""
    world.sources = Path(shutil.copy(world.sources, tmp_path / "sources.yaml"))
    whole = world.sources.read_text()

    def write(value: str) -> None:
        other = tmp_path / "new"
        other.write_text(value)
        other.replace(world.sources)

    async def run() -> list[str]:
        async with over_stdio(world, mode="2026-07-28") as client:
            said = []
            for content in (whole, json.dumps({"sources": []}), "sources: [", whole):
                write(content)
                said.append(text(await call(client, "web/add", a=1, b=2)))
            return said

    first, without, broken, again = asyncio.run(run())

    assert '"total": 3' in first
    assert "no connection for calls" in without
    assert "cannot be called" in broken
    assert '"total": 3' in again


def test_a_changed_definition_is_called_once_it_is_confirmed(world: World, tmp_path: Path) -> None:
    """The document sends calls elsewhere: refused with what changed, here and in the audit, until `outfitter confirm`."""
    document = tmp_path / "shop.json"
    entry = {
        "id": "shop",
        "kind": "openapi",
        "uri": "shop.json",
        "call": {
            "allow": ["shop/cancel_*"],
            "servers": [world.api.url],
            "credentials": {"shopKey": {"env": "SHOP_KEY"}},
        },
    }
    world.sources = tmp_path / "sources.yaml"
    world.sources.write_text(json.dumps({"sources": [entry]}))
    world.data_dir = tmp_path / "own"

    def ingest(version: str) -> str:
        document.write_text(json.dumps({**SHOP, "servers": [{"url": f"{world.api.url}/{version}"}]}))
        done = command("sync", world.sources, data_dir=world.data_dir)
        assert done.returncode == 0, done.stderr
        return done.stdout

    async def cancel(client: Client) -> types.CallToolResult:
        return await call(client, "shop/cancel_order", order="7", reason="late")

    async def run() -> tuple[types.CallToolResult, str]:
        async with over_stdio(world, mode="2026-07-28") as client:
            assert not (await cancel(client)).is_error
            assert "outfitter confirm" in await asyncio.to_thread(ingest, "v2")
            refused = await cancel(client)
            described = text(await client.call_tool("describe_tool", {"id": "shop/cancel_order"}))
            done = await asyncio.to_thread(
                command, "confirm", "shop/cancel_order", "--yes", data_dir=world.data_dir
            )
            assert done.returncode == 0, done.stderr
            assert not (await cancel(client)).is_error
            assert (await call(client, "shop/find_order", order="1")).is_error
            return refused, described

    ingest("v1")
    refused, described = asyncio.run(run())

    said = f"was sent to {world.api.url}/v1, is sent to {world.api.url}/v2 now"
    assert refused.is_error
    assert said in text(refused)
    assert "`outfitter confirm shop/cancel_order`" in text(refused)
    assert json.loads(described)["unconfirmed"] == [said]
    assert [asked.target for asked in world.api.asked] == ["/v1/orders/7/cancel", "/v2/orders/7/cancel"]
    assert [line["reason"] for line in world.audit if line["event"] == "refused"] == ["unconfirmed"] * 2


def test_a_server_is_watched_where_it_is_called(tmp_path: Path) -> None:
    """One process of a command: what a call changes in it is seen by the watch, and can be called next."""
    program = ROOT / "tests" / "changing_server.py"
    entry = {
        "id": "grows",
        "kind": "mcp",
        "command": sys.executable,
        "args": [str(program), "stdio"],
        "call": {"allow": ["grows/*"]},
    }
    file = tmp_path / "sources.yaml"
    file.write_text(json.dumps({"sources": [entry]}))
    data_dir = tmp_path / "data"
    assert command("sync", file, data_dir=data_dir).returncode == 0
    world = World(data_dir, file, Recorded(""))

    async def run() -> types.CallToolResult:
        async with over_stdio(world, mode="2026-07-28", OUTFITTER_WATCH="true") as client:
            await call(client, "grows/grow")
            for _ in range(200):
                found = await call(client, "grows/tool_0", text="here")
                if not found.is_error:
                    break
                await asyncio.sleep(0.1)
            return found

    assert text(asyncio.run(run())) == "here"


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_what_was_started_for_calls(tmp_path: Path, number: signal.Signals) -> None:
    """Not only the server, which sees that its input ends, but what that has started, too."""
    mark = f"called-{os.getpid()}-{number}"
    words = [str(ROOT / "tests" / "lying_server.py"), "orphan", LEGACY, mark]
    entry = {
        "id": "liar",
        "kind": "mcp",
        "command": sys.executable,
        "args": words,
        "call": {"allow": ["liar/*"]},
    }
    file = tmp_path / "sources.yaml"
    file.write_text(json.dumps({"sources": [entry]}))
    data_dir = tmp_path / "data"
    assert command("sync", file, data_dir=data_dir).returncode == 0
    with subprocess.Popen(
        [sys.executable, "-m", "app.commands.main", "mcp"],
        env=environment(data_dir, OUTFITTER_PROXY="true", OUTFITTER_SOURCES=str(file)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        for message in called("liar/first"):
            process.stdin.write(f"{json.dumps(message)}\n")
            process.stdin.flush()
        assert any('"id":2' in line.replace(" ", "") for line in process.stdout)
        assert processes(mark)

        process.send_signal(number)
        assert process.wait(20) == -number
        process.stdin.close()

    assert processes(mark) == []


def called(tool: str) -> list[dict[str, Any]]:
    """What a client of 2025 says to call a tool."""
    client = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    call = {"name": "call_tool", "arguments": {"id": tool, "arguments": {}}}
    return [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
