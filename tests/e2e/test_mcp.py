"""The MCP server as processes, on the embedded engine, asked by the official client in both protocol eras."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from app.adapters.engine.embedded import EmbeddedEngine
from app.domain.access.callers import digest_of
from tests.prepared import MissingError
from tests.real_servers import inspector_command
from tests.service import EXAMPLES, Service, command, environment, serving, wait_until

ERAS = ("2026-07-28", "legacy")
TOKEN = "a-token-of-twenty-characters"
GOAL = "cancel my order and refund the payment"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the examples; nobody opens it again."""
    folder = tmp_path_factory.mktemp("shop") / "data"
    for words in (("manifest", EXAMPLES / "manifests"), ("taxonomy", EXAMPLES / "taxonomy.yaml")):
        done = command("ingest", *words, data_dir=folder)
        assert done.returncode == 0, done.stderr
    EmbeddedEngine(folder).stop()
    return folder


@pytest.fixture
def data_dir(shop: Path, tmp_path: Path) -> Path:
    """A data folder with the examples, of this test alone."""
    return Path(shutil.copytree(shop, tmp_path / "data"))


def over_stdio(data_dir: Path) -> StdioServerParameters:
    """What a client is told to start."""
    return StdioServerParameters(
        command=sys.executable, args=["-m", "app.commands.main", "mcp"], env=environment(data_dir)
    )


@asynccontextmanager
async def with_token(url: str, token: str, era: str) -> AsyncIterator[Client]:
    """A client that sends a bearer token."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http,
        Client(streamable_http_client(url, http_client=http), mode=era) as client,
    ):
        yield client


async def answers(client: Client) -> dict[str, Any]:
    """List, search, plan, describe."""
    listed = await client.list_tools()
    found = await client.call_tool("search_tools", {"query": "give a customer the money back", "top_k": 3})
    plan = await client.call_tool("plan_workflow", {"goal": GOAL})
    card = await client.call_tool("describe_tool", {"id": "orders/get_order"})
    assert not any(answer.is_error for answer in (found, plan, card)), (found, plan, card)
    return {
        "tools": [tool.name for tool in listed.tools],
        "inside": str(listed.tools[0].description),
        "found": [tool["id"] for tool in (found.structured_content or {})["tools"]],
        "steps": [step["tool_id"] for step in (plan.structured_content or {})["steps"]],
        "card": (card.structured_content or {})["id"],
    }


async def asked(target: StdioServerParameters | str, era: str) -> dict[str, Any]:
    async with Client(target, mode=era) as client:
        return await answers(client)


def test_both_eras_get_over_both_transports_what_rest_answers(data_dir: Path) -> None:
    """One data folder: the service, two stdio servers one after the other, and an ingest between them."""
    boats = data_dir.parent / "boats.json"
    boats.write_text(json.dumps({"tools": [{"name": "sail", "description": "Sails a boat"}]}))

    with serving(data_dir) as service:
        rest = service.query("give a customer the money back", top_k=3)
        plan = service.post("/v1/plan", {"goal": GOAL})[1]
        over_http = [asyncio.run(asked(f"{service.url}/mcp", era)) for era in ERAS]
        stdio = [asyncio.run(asked(over_stdio(data_dir), ERAS[0]))]
        done = command("ingest", "manifest", boats, data_dir=data_dir)
        assert done.returncode == 0, done.stderr
        stdio.append(asyncio.run(asked(over_stdio(data_dir), ERAS[1])))

    for got in (*over_http, *stdio):
        assert got["tools"] == ["search_tools", "plan_workflow", "describe_tool", "list_sources"]
        assert got["found"] == [tool["id"] for tool in rest["tools"]]
        assert got["steps"] == [step["tool_id"] for step in plan["steps"]]
        assert got["card"] == "orders/get_order"
    assert ["boats" in got["inside"] for got in stdio] == [False, True]


def test_stdio_starts_the_engine_and_follows_an_ingest(data_dir: Path) -> None:
    """No service runs: the first client starts the engine; what another process ingests is found soon."""
    boats = data_dir.parent / "boats.json"
    boats.write_text(json.dumps({"tools": [{"name": "sail", "description": "Sails a boat"}]}))

    async def run() -> list[str]:
        async with Client(over_stdio(data_dir), mode=ERAS[0]) as client:
            async with client.listen(tools_list_changed=True) as changes:
                done = await asyncio.to_thread(command, "ingest", "manifest", boats, data_dir=data_dir)
                assert done.returncode == 0, done.stderr
                async with asyncio.timeout(20):
                    await anext(aiter(changes))
            found = await client.call_tool("search_tools", {"query": "sail a boat", "top_k": 1})
        return [tool["id"] for tool in (found.structured_content or {})["tools"]]

    assert asyncio.run(run()) == ["boats/sail"]
    wait_until(lambda: not (data_dir / "engine.json").exists())


def test_stdout_has_messages_only_and_the_end_of_stdin_ends_it(data_dir: Path) -> None:
    """Logs go to stderr; a broken line is not the end; then status 0."""
    initialize = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "app.commands.main", "mcp"],
        env=environment(data_dir, OUTFITTER_LOG_LEVEL="debug"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    lines = ["this is no message", json.dumps(initialize)]

    out, err = process.communicate("".join(f"{line}\n" for line in lines), timeout=60)

    messages = [json.loads(line) for line in out.splitlines()]
    (answer,) = [message for message in messages if message.get("id") == 1]
    assert answer["result"]["protocolVersion"] == "2025-11-25"
    assert "Servers: analytics" in answer["result"]["instructions"]
    assert all(message["jsonrpc"] == "2.0" for message in messages)
    assert process.returncode == 0
    assert "snapshot loaded" in err


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_though_the_client_keeps_stdin_open(data_dir: Path, number: signal.Signals) -> None:
    """A client that stops its servers does not wait for one that reads."""
    with subprocess.Popen(
        [sys.executable, "-m", "app.commands.main", "mcp"],
        env=environment(data_dir),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr
        assert any("snapshot loaded" in line for line in process.stderr)
        time.sleep(0.5)
        process.send_signal(number)
        process.wait(10)
        assert process.stdin
        process.stdin.close()

    wait_until(lambda: not (data_dir / "engine.json").exists())


def test_a_graph_that_does_not_answer_is_said_on_stderr(tmp_path: Path) -> None:
    """Exit status 3, nothing on stdout."""
    done = subprocess.run(
        [sys.executable, "-m", "app.commands.main", "mcp"],
        env=environment(tmp_path / "data", NEO4J_URI="bolt://127.0.0.1:1"),
        input="",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stdout) == (3, "")
    assert "bolt://127.0.0.1:1" in done.stderr


def test_a_client_that_listens_does_not_keep_the_service_from_ending(data_dir: Path) -> None:
    """SIGTERM ends its stream in the proper way, and the process at once."""

    async def run(service: Service) -> float:
        async with (
            Client(f"{service.url}/mcp", mode=ERAS[0]) as client,
            client.listen(tools_list_changed=True) as changes,
        ):
            begin = time.monotonic()
            service.process.send_signal(signal.SIGTERM)
            # A stream that merely broke off would raise.
            assert [change async for change in changes] == []
            await asyncio.to_thread(service.process.wait, 15)
            return time.monotonic() - begin

    with serving(data_dir) as service:
        assert asyncio.run(run(service)) < 10
        assert service.process.returncode == 0
        assert "Traceback" not in service.log.read_text()


def test_a_token_is_needed_over_http_where_the_service_has_one(data_dir: Path) -> None:
    """401 without it, answers with it, in both eras."""
    with serving(data_dir, OUTFITTER_API_TOKEN=TOKEN) as service:
        url = f"{service.url}/mcp"
        refused = httpx2.post(url, json={})

        async def run(era: str) -> dict[str, Any]:
            async with with_token(url, TOKEN, era) as client:
                return await answers(client)

        got = [asyncio.run(run(era)) for era in ERAS]

    assert refused.status_code == 401
    assert [one["card"] for one in got] == ["orders/get_order"] * 2


def test_sixteen_clients_at_once_get_their_answers(data_dir: Path) -> None:
    """Each its own connection, half of each era, 20 searches without a pause; all get what one alone gets."""

    async def run(service: Service) -> list[list[str]]:
        async def client_of(number: int) -> list[list[str]]:
            found = []
            async with Client(f"{service.url}/mcp", mode=ERAS[number % 2]) as client:
                for _ in range(20):
                    answer = await client.call_tool("search_tools", {"query": "refund a payment"})
                    assert not answer.is_error, answer
                    found.append([tool["id"] for tool in (answer.structured_content or {})["tools"]])
            return found

        all_found = await asyncio.gather(*(client_of(number) for number in range(16)))
        return [ids for found in all_found for ids in found]

    with serving(data_dir) as service:
        alone = [tool["id"] for tool in service.query("refund a payment")["tools"]]
        found = asyncio.run(run(service))
        metrics = httpx2.get(f"{service.url}/metrics").text
        log = service.log.read_text()

    assert found == [alone] * 320
    assert 'outfitter_query_seconds_count{method="auto"} 321.0' in metrics
    assert "Traceback" not in log


@pytest.mark.timeout(900)
def test_the_inspector_lists_searches_and_plans_over_both_transports(data_dir: Path) -> None:
    """A client of the protocol that is none of ours, as its command line calls us."""
    try:
        inspector = [*inspector_command(), "--cli"]
    except MissingError as error:
        pytest.skip(str(error))

    def ask(target: list[str], *words: str) -> Any:
        done = subprocess.run(
            [*inspector, *target, "--method", *words],
            env=environment(data_dir),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    with serving(data_dir) as service:
        for target in (
            [sys.executable, "-m", "app.commands.main", "mcp"],
            [f"{service.url}/mcp", "--transport", "http"],
        ):
            listed = ask(target, "tools/list")
            search = ("tools/call", "--tool-name", "search_tools", "--tool-arg", "query=refund", "top_k=1")
            found = ask(target, *search)
            plan = ask(target, "tools/call", "--tool-name", "plan_workflow", "--tool-arg", f"goal={GOAL}")

            assert listed["tools"][0]["name"] == "search_tools"
            assert found["structuredContent"]["tools"][0]["id"] == "payments/refund_payment"
            assert plan["structuredContent"]["steps"][-1]["tool_id"] == "payments/refund_payment"


def test_a_caller_hears_of_its_own_list_and_is_let_go_with_its_token(data_dir: Path, tmp_path: Path) -> None:
    """Over HTTP: a change of policies is news to those whose list it changes; the stream ends in 2 s with its caller."""
    tokens = {name: "oft_" + letter * 43 for name, letter in (("ada", "a"), ("eva", "b"))}
    callers, policies = tmp_path / "callers.yaml", tmp_path / "policies.yaml"

    def let_in(*names: str) -> None:
        entries = [
            {"name": name, "sha256": digest_of(tokens[name]), "groups": [name], "scopes": ["tools:find"]}
            for name in names
        ]
        written(callers, {"callers": entries})

    def grant(to_ada: str) -> None:
        rules = [
            {"id": "one", "to": ["ada"], "may": ["find"], "sources": [to_ada]},
            {"id": "two", "to": ["eva"], "may": ["find"], "sources": ["manifest:orders"]},
        ]
        written(policies, {"policies": rules})

    async def run(url: str) -> None:
        heard: list[str] = []

        async def hear(name: str) -> None:
            async with (
                with_token(url, tokens[name], ERAS[0]) as client,
                client.listen(tools_list_changed=True) as changes,
            ):
                heard.append(f"{name} listens")
                async for _ in changes:
                    heard.append(f"{name} hears")
            heard.append(f"{name} is let go")

        async with asyncio.TaskGroup() as group:
            group.create_task(hear("ada"))
            eva = group.create_task(hear("eva"))
            async with asyncio.timeout(20):
                while len(heard) < 2:
                    await asyncio.sleep(0.01)
                grant("manifest:payments")
                while len(heard) < 3:
                    await asyncio.sleep(0.01)
                let_in("eva")
                begun = time.monotonic()
                while len(heard) < 4:
                    await asyncio.sleep(0.01)
            assert time.monotonic() - begun < 2.0
            eva.cancel()
        assert {*heard[:2]} == {"ada listens", "eva listens"}
        assert heard[2:] == ["ada hears", "ada is let go"]

    let_in(*tokens)
    grant("manifest:orders")
    files = {"OUTFITTER_CALLERS": str(callers), "OUTFITTER_POLICIES": str(policies)}
    with serving(data_dir, **files) as service:
        wait_until(lambda: asked_with(f"{service.url}/v1/facets", tokens["ada"]) == 200)
        asyncio.run(run(f"{service.url}/mcp"))


def written(path: Path, value: object) -> None:
    """A file that nobody reads half."""
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(value))
    beside.chmod(0o600)
    beside.replace(path)


def asked_with(url: str, token: str) -> int:
    """The status of a GET with a token."""
    return httpx2.get(url, headers={"Authorization": f"Bearer {token}"}).status_code
