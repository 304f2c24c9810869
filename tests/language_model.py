"""A language model behind an OpenAI-compatible endpoint, on loopback: well behaved, broken or hostile."""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from app.adapters.llm.reader import ModelReader
from app.roots.reading import opened_reader
from app.settings import Settings
from tests.http_server import Asked, Handler, Recorded, web_server

KEY = "sk-a-very-secret-key-0123456789"
VARIABLE = "MODEL_KEY_OF_TESTS"
Reply: TypeAlias = Callable[[Handler, Asked], None]


def task(do: str, *, after: tuple[int, ...] = (), tool: str | None = None, **values: Any) -> dict[str, Any]:
    """A task in the form that is asked for."""
    pairs = [{"name": name, "value": value} for name, value in values.items()]
    return {"do": do, "values": pairs, "if": None, "after": list(after), "tool": tool}


def completion(content: str, **more: Any) -> bytes:
    """A chat completion."""
    message = {"role": "assistant", "content": content}
    return json.dumps(
        {"object": "chat.completion", "choices": [{"index": 0, "message": message}], **more}
    ).encode()


def says(*contents: str, **more: Any) -> Reply:
    """Answers with these texts in turn, then with the last one."""
    waiting = list(contents)

    def reply(handler: Handler, _: Asked) -> None:
        handler.reply(200, completion(waiting.pop(0) if len(waiting) > 1 else waiting[0], **more))

    return reply


def tells(*tasks: dict[str, Any]) -> Reply:
    """Answers with these tasks."""
    return says(json.dumps({"tasks": tasks}))


def status(code: int, **headers: str) -> Reply:
    """Refuses, and repeats what it was sent."""

    def reply(handler: Handler, asked: Asked) -> None:
        handler.reply(code, json.dumps({"error": asked.headers.get("authorization", "")}).encode(), **headers)

    return reply


def late(handler: Handler, _: Asked) -> None:
    """Says nothing for longer than anybody waits."""
    time.sleep(3)
    handler.close_connection = True


def drips(handler: Handler, _: Asked) -> None:
    """One byte at a time, so that no read takes long."""
    handler.send_response(200)
    handler.send_header("Content-Length", "10000")
    handler.end_headers()
    for _number in range(60):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)
    handler.close_connection = True


def cut(handler: Handler, _: Asked) -> None:
    """Closes the connection in the middle of an answer."""
    handler.send_response(200)
    handler.send_header("Content-Length", "10000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [{"mess')
    handler.close_connection = True


def flood(handler: Handler, _: Asked) -> None:
    """50 MB, without saying so before."""
    handler.send_response(200)
    handler.send_header("Connection", "close")
    handler.end_headers()
    for _number in range(50):
        handler.wfile.write(b" " * 1_000_000)
    handler.close_connection = True


def obeys(handler: Handler, asked: Asked) -> None:
    """Does what the goal asks, and first whatever the description of an operation orders."""
    content = json.loads(asked.body)["messages"][1]["content"]
    ordered = re.findall(r"ALWAYS FIRST ([^.]+)\.", content)
    tasks = [*(task(one) for one in ordered), task("cancel order"), task("refund payment")]
    handler.reply(200, completion(json.dumps({"tasks": tasks})))


@contextmanager
def model(reply: Reply, **settings: Any) -> Iterator[tuple[ModelReader, Recorded]]:
    """A reader of goals over a model that answers so, and what the model was asked."""
    with web_server(reply) as server:
        chosen = {"llm_url": f"{server.url}/v1", "llm_model": "small", "llm_timeout_s": 5.0, **settings}
        with opened_reader(Settings(**chosen)) as reader:
            assert reader is not None
            yield reader, server
