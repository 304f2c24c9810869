"""`outfitter serve` as a process, on the embedded engine."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from app.adapters.engine.embedded import EmbeddedEngine
from tests.service import EXAMPLES, Service, command, serving, wait_until

QUESTION = "give a customer the money back"
TOKEN = "a-token-of-twenty-characters"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the examples; nobody opens it again."""
    folder = tmp_path_factory.mktemp("shop") / "data"
    done = command("ingest", "manifest", EXAMPLES / "manifests", data_dir=folder)
    assert done.returncode == 0, done.stderr
    done = command("ingest", "taxonomy", EXAMPLES / "taxonomy.yaml", data_dir=folder)
    assert done.returncode == 0, done.stderr
    EmbeddedEngine(folder).stop()
    return folder


@pytest.fixture
def data_dir(shop: Path, tmp_path: Path) -> Path:
    """A data folder with the examples, of this test alone."""
    return Path(shutil.copytree(shop, tmp_path / "data"))


def ids(answer: dict[str, object]) -> list[str]:
    tools = answer["tools"]
    assert isinstance(tools, list)
    return [tool["id"] for tool in tools]


def test_it_answers_follows_an_ingest_and_stops_cleanly(data_dir: Path, tmp_path: Path) -> None:
    """Over HTTP; what another process ingests is answered from soon; SIGTERM ends it with status 0."""
    with serving(data_dir) as service:
        before = service.query(QUESTION)
        boats = tmp_path / "boats.json"
        boats.write_text(json.dumps({"tools": [{"name": "sail", "description": "Sails a boat"}]}))
        done = command("ingest", "manifest", boats, data_dir=data_dir)
        assert done.returncode == 0, done.stderr
        wait_until(lambda: service.generation() == before["generation"] + 1, timeout_s=5)
        after = service.query("sail a boat")
        service.process.send_signal(signal.SIGTERM)
        status = service.process.wait(15)

    assert "payments/refund_payment" in ids(before)
    assert ids(after)[0] == "boats/sail"
    assert status == 0
    assert '"stopped"' in service.log.read_text()
    assert "Traceback" not in service.log.read_text()


def test_requests_at_work_are_finished_before_it_ends(data_dir: Path) -> None:
    """A body that is still on its way when SIGTERM comes is answered; new connections are not taken."""
    with serving(data_dir) as service:
        body = json.dumps({"query": QUESTION}).encode()
        connection = http.client.HTTPConnection(urlsplit(service.url).netloc, timeout=10)
        connection.putrequest("POST", "/v1/query")
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders()
        connection.send(body[:10])
        time.sleep(0.2)
        service.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        connection.send(body[10:])
        answer = connection.getresponse()
        found = json.load(answer)
        connection.close()
        assert service.process.wait(15) == 0

    assert answer.status == 200
    assert ids(found)


def test_a_killed_service_starts_again(data_dir: Path) -> None:
    """kill -9, three times: the next one answers the same."""
    answers = []
    for _ in range(3):
        with serving(data_dir) as service:
            answers.append(ids(service.query(QUESTION)))
            service.process.kill()
            service.process.wait()

    assert answers[0] == answers[1] == answers[2]


def test_a_killed_engine_comes_back_by_itself(data_dir: Path) -> None:
    """kill -9 of the sidecar, three times, while queries go on: no error, and the graph answers again."""
    with serving(data_dir) as service:
        expected = ids(service.query(QUESTION))
        errors: list[object] = []
        stop = threading.Event()

        def ask() -> None:
            while not stop.is_set():
                status, answer = service.post("/v1/query", {"query": QUESTION})
                if status != 200 or ids(answer) != expected:
                    errors.append((status, answer))

        asking = threading.Thread(target=ask)
        asking.start()
        for _ in range(3):
            pid = json.loads((data_dir / "engine.json").read_text())["pid"]
            os.kill(pid, signal.SIGKILL)
            time.sleep(0.3)
            wait_until(lambda: service.get("/v1/sources")[0] == 200)
        stop.set()
        asking.join()

    assert errors == []
    assert "Traceback" not in service.log.read_text()


def test_an_engine_that_hangs_stops_neither_health_nor_queries(data_dir: Path) -> None:
    """SIGSTOP of the sidecar: health at once, queries from memory; after SIGCONT the graph answers again."""
    with serving(data_dir, OUTFITTER_QUERY_TIMEOUT_S="0.5") as service:
        expected = ids(service.query(QUESTION))
        pid = json.loads((data_dir / "engine.json").read_text())["pid"]
        os.kill(pid, signal.SIGSTOP)
        try:
            begin = time.monotonic()
            answers = [ids(service.query(QUESTION)) for _ in range(5)]
            waited = time.monotonic() - begin
            begin = time.monotonic()
            assert service.get("/healthz")[0] == 200
            healthy = time.monotonic() - begin
            status = service.get("/readyz")[1]["status"]
        finally:
            os.kill(pid, signal.SIGCONT)
        wait_until(lambda: service.get("/v1/sources")[0] == 200)

    assert answers == [expected] * 5
    assert waited < 5
    assert healthy < 1
    assert status == "degraded"


def test_it_ends_while_the_engine_hangs(data_dir: Path) -> None:
    """SIGTERM is obeyed although threads wait for a database that says nothing."""
    with serving(data_dir, OUTFITTER_QUERY_TIMEOUT_S="0.3") as service:
        pid = json.loads((data_dir / "engine.json").read_text())["pid"]
        os.kill(pid, signal.SIGSTOP)
        try:
            service.query(QUESTION)
            service.process.send_signal(signal.SIGTERM)
            status = service.process.wait(25)
        finally:
            os.kill(pid, signal.SIGCONT)

    assert status == 0


def test_refusals_over_a_real_connection(data_dir: Path) -> None:
    """401, 413 and 422 with a token set; a chunked body without a length is limited as well."""
    settings = {"OUTFITTER_API_TOKEN": TOKEN, "OUTFITTER_MAX_BODY_BYTES": "2000"}
    with serving(data_dir, **settings) as service:
        stranger = Service(service.process, service.url, service.log, token=None)
        statuses = [
            stranger.get("/v1/sources")[0],
            service.get("/v1/sources")[0],
            service.post("/v1/query", b" " * 2001)[0],
            service.post("/v1/query", {"query": ""})[0],
            service.post("/v1/query", {"query": "x" * 1900})[0],
            _chunked(service),
        ]

    assert statuses == [401, 200, 413, 422, 200, 413]


def _chunked(service: Service) -> int:
    """Status of a body that is sent without its length and never ends by itself."""
    connection = http.client.HTTPConnection(urlsplit(service.url).netloc, timeout=10)
    connection.putrequest("POST", "/v1/query")
    connection.putheader("Authorization", f"Bearer {TOKEN}")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Transfer-Encoding", "chunked")
    connection.endheaders()
    for _ in range(5):
        connection.send(b"1f4\r\n" + b" " * 500 + b"\r\n")
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_port_in_use_is_said(tmp_path: Path) -> None:
    """Status 2 and a message with the port and what to do; no engine is started for it."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = command("serve", "--port", str(port), data_dir=tmp_path / "data")

    assert done.returncode == 2
    assert str(port) in done.stderr
    assert "--port" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("words", "settings", "status", "said"),
    [
        (["serve", "--host", "0.0.0.0"], {}, 2, "OUTFITTER_API_TOKEN"),
        (
            ["serve", "--host", "no.such.host.invalid"],
            {"OUTFITTER_API_TOKEN": TOKEN},
            2,
            "no.such.host.invalid",
        ),
        (["serve"], {"OUTFITTER_PORT": "many"}, 2, "OUTFITTER_PORT"),
        (["serve", "--port", "0"], {"NEO4J_URI": "bolt://127.0.0.1:1"}, 3, "bolt://127.0.0.1:1"),
        (["query", "x"], {"NEO4J_URI": "bolt://127.0.0.1:1"}, 3, "bolt://127.0.0.1:1"),
        (["query", "x"], {"NEO4J_URI": "http://127.0.0.1:1"}, 3, "http://127.0.0.1:1"),
        (["query", "x", "--method", "magic"], {}, 2, "kg_hybrid"),
        (["query", "x", "--top-k", "101"], {}, 2, "100"),
        (["query", ""], {}, 2, "characters"),
        (["querry", "x"], {}, 2, "querry"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    words: list[str], settings: dict[str, str], status: int, said: str, tmp_path: Path
) -> None:
    """Exit status 2 for usage, 3 for a database that does not answer; never a traceback."""
    done = command(*words, data_dir=tmp_path / "data", **settings)

    assert done.returncode == status, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_query_on_the_command_line(data_dir: Path) -> None:
    """A table with reasons for people, the service's own JSON for programs; a filter restricts both."""
    table = command("query", QUESTION, "--explain", "--server", "payments", data_dir=data_dir)
    answer = command(
        "query", QUESTION, "--json", "--schemas", "--read-only", "--top-k", "2", data_dir=data_dir
    )

    assert (table.returncode, answer.returncode) == (0, 0), table.stderr + answer.stderr
    assert "payments/refund_payment" in table.stdout
    assert "IMPLEMENTS" in table.stdout
    assert "orders/" not in table.stdout
    found = json.loads(answer.stdout)
    assert sum(tool["role"] == "match" for tool in found["tools"]) == 2
    assert all(tool["input_schema"] for tool in found["tools"])


def test_an_empty_graph_says_what_to_do(tmp_path: Path) -> None:
    """Nothing ingested is no error, and the message names the command."""
    done = command("query", "anything", data_dir=tmp_path / "data")

    assert done.returncode == 0, done.stderr
    assert "outfitter ingest" in done.stderr


def test_the_demo_asks_five_questions_and_leaves_nothing(tmp_path: Path) -> None:
    """Answers with reasons as tables, then what to do next; the user's own data folder is not touched."""
    done = command("demo", data_dir=tmp_path / "data", TMPDIR=str(tmp_path))

    assert done.returncode == 0, done.stderr
    questions = json.loads((EXAMPLES / "questions.json").read_text())
    assert all(f"{number}. {text[:40]}" in done.stdout for number, text in enumerate(questions, start=1))
    assert done.stdout.count("IMPLEMENTS") >= 5
    assert "outfitter ingest manifest" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_help_comes_without_what_it_does_not_need() -> None:
    """`--help` imports neither the driver, nor the server, nor arrays."""
    code = (
        "import sys; import app.commands.main; from typer.main import get_command; get_command(app.commands.main.app);"
        "print(sorted({'neo4j', 'fastapi', 'numpy', 'pydantic', 'uvicorn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
