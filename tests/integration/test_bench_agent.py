"""`outfitter bench agent`: a model at an endpoint, our MCP server, and a real client between them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.documents import ROOT
from tests.http_server import Asked, Handler, web_server
from tests.service import command

TASKS = [
    {
        "id": "cancel",
        "task": "cancel order o-17",
        "tools": ["orders/cancel_order"],
        "arguments": {"orders/cancel_order": {"order_id": "o-17"}},
        "answer": ["done"],
    },
    {"id": "sing", "task": "sing a song", "tools": ["orders/sing"]},
]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("agent")
    done = command("ingest", "manifest", ROOT / "examples" / "manifests", data_dir=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    path = tmp_path / "tasks.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in TASKS))
    return path


def acts(handler: Handler, asked: Asked) -> None:
    """Searches for the task, calls what is called like a cancellation, and ends."""
    body = json.loads(asked.body)
    names = [one["function"]["name"] for one in body["tools"]]
    turn = sum(one["role"] == "assistant" for one in body["messages"])
    cancel = next((name for name in names if name.endswith("cancel_order")), None)
    message: dict[str, Any] = {"role": "assistant", "content": None}
    if turn == 0:
        call = ("search_tools", {"query": body["messages"][1]["content"], "top_k": 5})
    elif turn == 1 and cancel and "o-17" in body["messages"][1]["content"]:
        call = (cancel, {"order_id": "o-17"})
    else:
        call = None
        message["content"] = "Done."
    if call:
        function = {"name": call[0], "arguments": json.dumps(call[1])}
        message["tool_calls"] = [{"id": f"c{turn}", "type": "function", "function": function}]
    document = {"choices": [{"message": message}], "usage": {"prompt_tokens": 1_000, "completion_tokens": 10}}
    handler.reply(200, json.dumps(document).encode())


def test_a_model_does_a_task_with_what_the_server_finds(filled: Path, tasks: Path) -> None:
    """One of two; nothing is carried out, and every token is counted."""
    with web_server(acts) as server:
        words = ["--base-url", f"{server.url}/v1", "--model", "small", "--tasks", str(tasks)]
        done = command("bench", "agent", *words, "--price", "1", "2", "--json", data_dir=filled)

    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["model"], found["tasks"], found["correctness"], found["completion"]) == (
        "small",
        2,
        0.5,
        0.5,
    )
    assert (found["tokens_sent"], found["tokens_answered"]) == (5_000, 50)
    assert found["cost"] == pytest.approx(0.0051)
    cancel, sing = found["runs"]
    assert (cancel["complete"], cancel["found"], cancel["turns"]) == (True, ["orders/cancel_order"], 3)
    assert (sing["complete"], sing["missed"]) == (False, ["orders/sing"])
    first = json.loads(server.asked[0].body)
    assert {one["function"]["name"] for one in first["tools"]} >= {"search_tools", "describe_tool"}
    assert first["temperature"] == 0


def test_what_it_takes_is_said_before(filled: Path, tasks: Path) -> None:
    """No model is asked, or named."""
    done = command("bench", "agent", "--tasks", str(tasks), "--dry-run", "--price", "1", "2", data_dir=filled)

    assert done.returncode == 0, done.stderr
    assert "2 tasks: about" in done.stdout
    assert "No model was asked" in done.stdout
