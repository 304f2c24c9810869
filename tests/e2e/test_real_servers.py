"""Servers that others wrote, over a real transport: synced, found by a question, described, called.

From PyPI and npm, at exact versions; fetched once for each machine (`python -m tests.engines prepare`).
"""

import asyncio
import json
import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from app.adapters.graph.lease import lease_owner
from app.adapters.graph.store import GraphEngine, GraphStore
from app.adapters.mcp.client import McpClient
from app.domain.calling.mcp_endpoints import McpEndpoint, stdio_endpoint
from ingest.diff.changes import Status
from ingest.run.pipeline import run_ingest
from ingest.run.request import IngestRequest
from ingest.sources.files import mcp_input
from tests import service
from tests.documents import DOCS
from tests.engines import TestDatabase, embedded
from tests.ingest_cases import BOUNDS
from tests.prepared import MissingError
from tests.real_servers import commands, node_folder
from tests.service import command

# Six processes and an engine are enough once.
pytestmark = pytest.mark.xdist_group("real servers")

QUESTIONS = {
    "git": ("Who changed what lately? Show the log of commits", "git/git_log"),
    "time": ("What time is it now in Tokyo?", "time/get_current_time"),
    "fetch": ("Read the contents of a web page at a URL", "fetch/fetch"),
    "filesystem": ("Move or rename a file", "filesystem/move_file"),
    "everything": ("Add two numbers", "everything/get-sum"),
    "memory": ("Search the knowledge graph for nodes", "memory/search_nodes"),
}
PAGE = "<html><body><article><h1>Opening hours</h1><p>The library is open from nine to five.</p></article></body></html>"


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        found = self.path == "/hours"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE.encode() if found else b"")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def page() -> Iterator[str]:
    """A page on loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/hours"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one commit and one file."""
    found = tmp_path_factory.mktemp("repository")
    (found / "notes.txt").write_text("Water the plants.\n")
    git = ["git", "-C", str(found), "-c", "user.name=Tests", "-c", "user.email=tests@example.com"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Write a note down"]):
        subprocess.run([*git, *arguments], check=True)
    return found


@pytest.fixture(scope="module")
def endpoints(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, McpEndpoint]:
    """The six servers; without them the tests are skipped, and fail where CI is set."""
    memory = tmp_path_factory.mktemp("memory") / "memory.jsonl"
    try:
        found = commands(folder)
    except MissingError as problem:
        if os.environ.get("CI"):
            pytest.fail(f"{problem} (CI is set: real servers must not be skipped)")
        pytest.skip(str(problem))
    return {
        name: stdio_endpoint(
            words, name=name, env={"MEMORY_FILE_PATH": "MEMORY"}, environ={"MEMORY": str(memory)}
        )
        for name, words in found.items()
    }


@pytest.fixture(scope="module")
def servers() -> Iterator[McpClient]:
    with McpClient() as client:
        yield client


@pytest.fixture(scope="module")
def database() -> Iterator[TestDatabase]:
    with embedded() as found:
        yield found


@pytest.fixture(scope="module")
def graph(
    endpoints: dict[str, McpEndpoint], servers: McpClient, database: TestDatabase
) -> Iterator[GraphStore]:
    """The embedded engine with what the six servers list."""
    with GraphStore(lambda: database.address, engine=GraphEngine.EMBEDDED) as store:
        for expected in (Status.CREATED, Status.UNCHANGED):
            report = run_ingest(
                store,
                IngestRequest([mcp_input(one) for one in endpoints.values()]),
                owner=lease_owner(),
                bounds=BOUNDS,
                servers=servers,
            )
            assert {one.source: (one.status, one.rejected) for one in report.outcomes} == {
                f"mcp:{name}": (expected, []) for name in endpoints
            }
        yield store


def test_their_tools_are_found_by_questions_and_described(graph: GraphStore) -> None:
    """Among the first three, with the schema that the server gave."""
    with service.client(graph) as client:
        for question, wanted in QUESTIONS.values():
            answer = client.post("/v1/query", json={"query": question, "top_k": 3, "schemas": True}).json()
            found = {tool["id"]: tool for tool in answer["tools"] if tool["role"] == "match"}
            assert wanted in found, f"{question}: {list(found)}"

            card = client.get(f"/v1/tools/{wanted.replace('/', '%2F')}").json()
            assert card["description"]
            assert found[wanted]["input_schema"]["type"] == "object"
        sources = {one["id"]: one for one in client.get("/v1/sources").json()["sources"]}

    assert {name: sources[f"mcp:{name}"]["kind"] for name in QUESTIONS} == dict.fromkeys(QUESTIONS, "mcp")
    assert "memory.jsonl" not in json.dumps(sources)


def test_their_tools_are_called(
    endpoints: dict[str, McpEndpoint], servers: McpClient, folder: Path, page: str
) -> None:
    def call(server: str, tool: str, **arguments: object) -> str:
        result: Any = servers.call(endpoints[server], tool, arguments, timeout_s=60)
        text = "".join(part.get("text", "") for part in result["content"])
        assert not result.get("isError"), text
        return text

    assert "Write a note down" in call("git", "git_log", repo_path=str(folder))
    assert "Asia/Tokyo" in call("time", "get_current_time", timezone="Asia/Tokyo")
    assert "open from nine to five" in call("fetch", "fetch", url=page)
    assert call("filesystem", "read_text_file", path=str(folder / "notes.txt")) == "Water the plants.\n"
    assert "42" in call("everything", "get-sum", a=40, b=2)
    ada = {"name": "Ada", "entityType": "person", "observations": ["writes programs"]}
    call("memory", "create_entities", entities=[ada])
    assert "writes programs" in call("memory", "search_nodes", query="Ada")


def test_their_tools_are_found_and_called_through_ours(
    endpoints: dict[str, McpEndpoint], folder: Path, page: str, tmp_path: Path
) -> None:
    """As an agent does: `outfitter sync`, then `search_tools` and `call_tool` of `outfitter mcp`."""
    memory = {"env": {"MEMORY_FILE_PATH": "MEMORY"}}
    allowed = {
        "everything": ["everything/get-sum"],
        "memory": ["memory/create_entities"],
        "fetch": ["fetch/fetch"],
    }
    entries = [
        {
            "id": name,
            "kind": "mcp",
            "command": endpoint.command[0],
            "args": list(endpoint.command[1:]),
            **(memory if name == "memory" else {}),
            "call": {"allow": allowed.get(name, []), "trust_annotations": True},
        }
        for name, endpoint in endpoints.items()
    ]
    sources = tmp_path / "sources.yaml"
    sources.write_text(json.dumps({"sources": entries}))
    settings = {
        "MEMORY": str(tmp_path / "memory.jsonl"),
        "OUTFITTER_SOURCES": str(sources),
        "OUTFITTER_PROXY": "true",
    }
    done = command("sync", sources, data_dir=tmp_path / "data", **settings)
    assert done.returncode == 0, done.stderr
    ada = {"name": "Ada", "entityType": "person", "observations": ["writes programs"]}
    calls: dict[str, tuple[dict[str, Any], str]] = {
        "git/git_log": ({"repo_path": str(folder)}, "Write a note down"),
        "time/get_current_time": ({"timezone": "Asia/Tokyo"}, "Asia/Tokyo"),
        "fetch/fetch": ({"url": page}, "open from nine to five"),
        "filesystem/read_text_file": ({"path": str(folder / "notes.txt")}, "Water the plants."),
        "everything/get-sum": ({"a": 40, "b": 2}, "42"),
        "memory/create_entities": ({"entities": [ada]}, "Ada"),
        "memory/search_nodes": ({"query": "Ada"}, "writes programs"),
        "filesystem/move_file": ({"source": "a", "destination": "b"}, "may change something"),
        "time/convert_time": ({"source_timezone": 5}, "argument 'source_timezone' = 5"),
    }

    async def run() -> dict[str, str]:
        parameters = StdioServerParameters(
            command=sys.executable,
            args=["-m", "app.commands.main", "mcp"],
            env=service.environment(tmp_path / "data", **settings),
        )
        said = {}
        async with Client(parameters) as client:
            for question, wanted in QUESTIONS.values():
                answer = await client.call_tool("search_tools", {"query": question, "top_k": 3})
                assert wanted in str(answer)
            for tool_id, (arguments, _) in calls.items():
                said[tool_id] = str(
                    await client.call_tool("call_tool", {"id": tool_id, "arguments": arguments})
                )
        return said

    said = asyncio.run(run())

    assert {tool_id: text for tool_id, text in said.items() if calls[tool_id][1] not in text} == {}


def test_the_documented_command_works_as_it_stands(
    endpoints: dict[str, McpEndpoint], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder where npx finds the package without asking anybody."""
    chapter = (DOCS / "sources.md").read_text(encoding="utf-8").partition("## Live MCP servers")[2]
    line = next(line for line in chapter.splitlines() if line.startswith("outfitter ingest mcp --server"))
    monkeypatch.chdir(node_folder())

    done = command(*shlex.split(line)[1:], data_dir=tmp_path / "data")

    assert done.returncode == 0, done.stderr
    assert "mcp:files" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="reads /proc")
def test_they_are_gone_when_the_client_is(endpoints: dict[str, McpEndpoint]) -> None:
    with McpClient() as client:
        client.call(endpoints["everything"], "echo", {"message": "hello"}, timeout_s=60)
        before = _children()
    after = _children()

    assert len(before) > len(after)


def _children() -> list[str]:
    own = f"PPid:\t{os.getpid()}\n"
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            status = (path / "status").read_text()
        except OSError:
            continue
        if own in status and "State:\tZ" not in status:
            found.append(path.name)
    return found
