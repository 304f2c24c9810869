"""Sources that change while `outfitter serve` watches them, and while `outfitter sync --watch` does."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.lying_server import lying_http
from tests.service import Service, command, environment, serving, wait_until

STEERED = str(Path(__file__).resolve().parents[1] / "steered_server.py")
LIAR = str(Path(__file__).resolve().parents[1] / "lying_server.py")
TOOLS = 1_000
SOON_S = 2.0
"""On a machine that has nothing else to do."""


def soon_s() -> float:
    """What `SOON_S` is on a machine that several share."""
    return SOON_S * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def tool(name: str, description: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    return {"name": name, "description": description, "inputSchema": schema}


def put(path: Path, value: object) -> None:
    """Write a file so that nobody reads half of it."""
    new = path.with_suffix(".new")
    new.write_text(json.dumps(value), encoding="utf-8")
    new.replace(path)


def listed(folder: Path, *entries: dict[str, Any]) -> Path:
    path = folder / "sources.yaml"
    put(path, {"sources": entries})
    return path


@contextmanager
def steered(path: Path) -> Iterator[str]:
    """A server over HTTP that lists what a file says; its address."""
    with subprocess.Popen(
        [sys.executable, STEERED, "http", path], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        port = int(process.stdout.readline())
        try:
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.kill()


def found(service: Service, text: str) -> list[str]:
    return [one["id"] for one in service.query(text, top_k=3)["tools"]]


def seconds_until(true: Callable[[], bool]) -> float:
    begin = time.monotonic()
    wait_until(true, timeout_s=20)
    return time.monotonic() - begin


def sources(service: Service) -> dict[str, dict[str, Any]]:
    return {one["id"]: one for one in service.get("/v1/sources")[1]["sources"]}


@pytest.mark.parametrize(
    ("transport", "protocol"),
    [("http", "2026-07-28"), ("http", "2025-11-25"), ("stdio", "2026-07-28"), ("stdio", "2025-11-25")],
)
def test_a_change_of_a_server_is_answered_within_two_seconds(
    tmp_path: Path, transport: str, protocol: str
) -> None:
    """Create, update, rename and delete one tool of a thousand: the next queries know it.

    Three rounds at most, because the machine may be busy with other things.
    """
    path = tmp_path / "tools.json"
    filler = [
        tool(f"record_{number}", f"Files record number {number} of the archive.") for number in range(TOOLS)
    ]
    put(path, filler)
    with steered(path) if transport == "http" else _nothing() as url:
        server: dict[str, Any] = (
            {"uri": url} if url else {"command": sys.executable, "args": [STEERED, "stdio", str(path)]}
        )
        entry = {"id": "archive", "kind": "mcp", "protocol": protocol, "interval": "1h", **server}
        settings = {"OUTFITTER_SOURCES": str(listed(tmp_path, entry)), "OUTFITTER_WATCH": "true"}
        with serving(tmp_path / "data", **settings) as service:
            wait_until(lambda: len(found(service, "archive record")) == 3, timeout_s=60)
            time.sleep(1)
            best: dict[str, float] = {}
            for _ in range(3):
                took = change_one_of_a_thousand(service, path, filler)
                best = {what: min(seconds, best.get(what, seconds)) for what, seconds in took.items()}
                if max(best.values()) <= SOON_S:
                    break
            changes = service.get("/v1/sources/mcp:archive/changes")[1]["changes"]
            wait_until(lambda: service.get("/v1/status")[1]["watched"][0]["next_look_at"])
            (followed,) = service.get("/v1/status")[1]["watched"]

    print({what: round(seconds, 2) for what, seconds in best.items()})
    assert [[(one["change"], one["id"]) for one in record["tools"]] for record in changes[:4]] == [
        [("removed", "archive/brew_tea")],
        [("renamed", "archive/brew_tea")],
        [("updated", "archive/brew_coffee")],
        [("created", "archive/brew_coffee")],
    ]
    assert max(best.values()) <= soon_s()
    assert (followed["source"], followed["failures"]) == ("mcp:archive", 0)
    assert followed["next_look_at"] > changes[0]["at"]


def change_one_of_a_thousand(service: Service, path: Path, filler: list[dict[str, Any]]) -> dict[str, float]:
    """Seconds from the server's change to the first query that knows it."""
    took: dict[str, float] = {}
    put(path, [*filler, tool("brew_coffee", "Brews a cup of coffee.")])
    took["create"] = seconds_until(lambda: found(service, "a cup of coffee")[:1] == ["archive/brew_coffee"])
    put(path, [*filler, tool("brew_coffee", "Brews a pot of peppermint tea.")])
    took["update"] = seconds_until(lambda: found(service, "peppermint tea")[:1] == ["archive/brew_coffee"])
    put(path, [*filler, tool("brew_tea", "Brews a pot of peppermint tea.")])
    took["rename"] = seconds_until(lambda: found(service, "peppermint tea")[:1] == ["archive/brew_tea"])
    put(path, filler)
    took["delete"] = seconds_until(lambda: "archive/brew_tea" not in found(service, "peppermint tea"))
    return took


@contextmanager
def _nothing() -> Iterator[str]:
    yield ""


def test_a_server_that_fails_costs_itself_alone(tmp_path: Path) -> None:
    """Killed, silent, shrunk, huge: marked with the reason, nothing deleted, others synced, queries answered."""
    path, good = tmp_path / "tools.json", tmp_path / "good.json"
    put(path, [tool(f"t{number}", f"Does {number}.") for number in range(10)])
    put(good, {"tools": [tool("pay", "Pays a bill.")]})
    entries: list[dict[str, Any]] = [{"id": "good", "kind": "manifest", "uri": "good.json"}]
    settings = {
        "OUTFITTER_WATCH": "true",
        "OUTFITTER_MCP_SERVER_S": "3",
        "OUTFITTER_MCP_CONNECT_S": "2",
    }
    with steered(path) as url, lying_http("mute") as (mute, _), lying_http("many") as (many, _):
        entries += [
            {"id": "archive", "kind": "mcp", "uri": url, "interval": 1},
            {"id": "mute", "kind": "mcp", "uri": mute},
            {"id": "many", "kind": "mcp", "uri": many},
            {"id": "dies", "kind": "mcp", "command": sys.executable, "args": [LIAR, "dies"]},
            {"id": "none", "kind": "mcp", "command": "./no-such-program"},
        ]
        settings["OUTFITTER_SOURCES"] = str(listed(tmp_path, *entries))
        with serving(tmp_path / "data", **settings) as service:
            wait_until(lambda: {"mcp:archive", "manifest:good"} <= sources(service).keys())

            put(path, [tool("t0", "Does 0.")])
            wait_until(lambda: not sources(service)["mcp:archive"]["healthy"])
            assert "lost 9 of 10 nodes" in sources(service)["mcp:archive"]["problem"]

            put(good, {"tools": [tool("pay", "Pays a bill."), tool("dance", "Dances a waltz.")]})
            took = seconds_until(lambda: found(service, "dance a waltz")[:1] == ["good/dance"])
            put(path, [tool(f"t{number}", f"Does {number}.") for number in range(11)])
            wait_until(lambda: sources(service)["mcp:archive"]["healthy"])
            wait_until(lambda: sources(service)["mcp:archive"]["nodes"]["Tool"] == 11)
            bad = ("mcp:mute", "mcp:many", "mcp:dies", "mcp:none")
            wait_until(lambda: all(f'"source": "{one}"' in service.log.read_text() for one in bad))
            wait_until(lambda: set(bad) <= sources(service).keys())
            log = service.log.read_text()
            counts = sources(service)
            service.process.send_signal(signal.SIGTERM)
            status = service.process.wait(30)

    assert took <= soon_s()
    assert {name for name, source in counts.items() if source["healthy"]} == {"mcp:archive", "manifest:good"}
    assert {name for name, source in counts.items() if not source["healthy"]} == set(bad)
    assert all(counts[name]["nodes"] == {} for name in bad), "known as failing, without a tool"
    assert "more than 10,000 tools" in log
    assert status == 0
    assert "defect" not in log
    assert "Traceback" not in log


def test_sync_watch_follows_files_and_ends_at_sigterm(tmp_path: Path) -> None:
    """A process of its own: each sync that changed something is a line of JSON; exit status 0."""
    good = tmp_path / "good.json"
    put(good, {"tools": [tool("pay", "Pays a bill.")]})
    file = listed(tmp_path, {"id": "good", "kind": "manifest", "uri": "good.json"})
    log = tmp_path / "stdout.jsonl"
    with log.open("wb") as out, (tmp_path / "stderr.log").open("wb") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "app.commands.main", "sync", str(file), "--watch", "--json"],
            env=environment(tmp_path / "data"),
            stdout=out,
            stderr=err,
        )
    try:
        wait_until(lambda: len(log.read_text().splitlines()) == 1, timeout_s=60)
        put(good, {"tools": [tool("pay", "Pays a bill."), tool("dance", "Dances a waltz.")]})
        wait_until(lambda: len(log.read_text().splitlines()) == 2)
        file.write_text("sources: {")
        time.sleep(1)
        other = tmp_path / "other.json"
        put(other, {"tools": [tool("sing", "Sings a song.")]})
        listed(
            tmp_path,
            {"id": "good", "kind": "manifest", "uri": "good.json"},
            {"id": "other", "kind": "manifest", "uri": "other.json"},
        )
        wait_until(lambda: len(log.read_text().splitlines()) == 3)
    finally:
        process.send_signal(signal.SIGTERM)
        status = process.wait(30)

    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert status == 0
    assert [{one["source"]: one["status"] for one in line["sources"]} for line in lines] == [
        {"manifest:good": "created"},
        {"manifest:good": "updated"},
        {"manifest:other": "created"},
    ]
    assert "the last good one counts" in (tmp_path / "stderr.log").read_text()
    again = command("sync", file, "--json", data_dir=tmp_path / "data")
    assert {one["status"] for one in json.loads(again.stdout)["sources"]} == {"unchanged"}


def test_watching_without_a_file_or_with_consent_in_advance_is_refused(tmp_path: Path) -> None:
    """With what would be accepted."""
    served = command("serve", "--port", "0", data_dir=tmp_path / "data", OUTFITTER_WATCH="true")
    file = listed(tmp_path)
    shrink = command("sync", file, "--watch", "--allow-shrink", data_dir=tmp_path / "data")

    assert (served.returncode, "OUTFITTER_SOURCES is not" in served.stderr) == (2, True)
    assert (shrink.returncode, "--allow-shrink and --watch do not go together" in shrink.stderr) == (2, True)
