"""The commands: exit status, what goes to stdout and what to stderr, and no traceback for anything bad."""

import json
import socket
import sys
from pathlib import Path

import pytest

from app.adapters.graph.store import GraphEngine, GraphStore
from tests import lying_server
from tests.engines import TestDatabase
from tests.ingest_cases import Run, manifest, taxonomy, tool
from tests.lying_server import SECRET, lying_http


def test_ingest_show_remove(outfitter: Run, tmp_path: Path) -> None:
    """The way of a user, with tables."""
    wants = taxonomy(
        tmp_path,
        "wants",
        methods=[{"id": "pay.bill", "name": "Pay a bill", "implements": ["pay"]}],
        templates=[{"id": "move.out", "name": "Moving out", "uses": ["pay"]}],
    )
    bank = manifest(tmp_path, "bank", tool("pay", "Pays."), tool("refund"))

    assert outfitter("ingest", "taxonomy", wants.path).exit_code == 0
    done = outfitter("ingest", "manifest", bank.path)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "2 Tool" in done.stdout
    shown = outfitter("show", "pay").stdout
    for text in ("bank/pay", "Pays.", "pay.bill", "move.out", "manifest:bank", "taxonomy:wants"):
        assert text in shown
    listed = outfitter("sources").stdout
    assert "manifest:bank" in listed
    assert "taxonomy:wants" in listed
    assert outfitter("remove", "manifest:bank").exit_code == 0
    assert "declared: no source describes it" in outfitter("show", "pay").stdout


def test_json_is_all_that_is_on_stdout(outfitter: Run, tmp_path: Path) -> None:
    bank = manifest(tmp_path, "bank", tool("pay"), {"name": "bad", "inputSchema": 1})

    report = outfitter("ingest", "manifest", bank.path, "--json")
    sources = json.loads(outfitter("sources", "--json").stdout)
    shown = json.loads(outfitter("show", "bank/pay", "--json").stdout)

    assert report.exit_code == 1
    assert json.loads(report.stdout)["sources"][0]["rejected"] == [
        {"item": "tool 'bad'", "reason": "inputSchema: 1 is a number; accepted: a JSON schema object"}
    ]
    assert [(one["source"]["id"], one["nodes"]) for one in sources] == [("manifest:bank", {"Tool": 1})]
    assert (shown["tool"]["id"], shown["sources"]) == (
        "bank/pay",
        [{"source": "manifest:bank", "declares": False}],
    )


def test_server_and_name_name_the_source(outfitter: Run, tmp_path: Path) -> None:
    """For one file; a slash would divide server and tool."""
    one, other = manifest(tmp_path, "a", tool("x")), manifest(tmp_path, "b", tool("y"))

    assert outfitter("ingest", "manifest", one.path, "--server", "io.github/x").exit_code == 0
    assert outfitter("show", "io.github-x/x").exit_code == 0
    several = outfitter("ingest", "manifest", one.path, other.path, "--server", "x")
    assert (several.exit_code, several.stdout) == (2, "")
    assert "--server 'x' would name 2 manifests" in several.stderr


def test_live_servers_by_address_and_by_command(
    outfitter: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two addresses at once, then a command with its variable; what was secret is in no report and not in the graph."""
    monkeypatch.setenv("LIAR_SECRET", SECRET)
    liar = str(Path(lying_server.__file__))
    with lying_http("plain") as (url, seen), lying_http("unauthorized") as (other, _):
        local = url.replace("127.0.0.1", "localhost")
        both = outfitter("ingest", "mcp", f"{local}?key=the-secret-of-the-address", other, "--json")
        header = outfitter("ingest", "mcp", url, "--server", "one", "--header-env", "X-Token=LIAR_SECRET")
    words = ("--env", "LIAR_TOKEN=LIAR_SECRET", "--", sys.executable, liar, "leak")
    dry = outfitter("ingest", "mcp", "--dry-run", *words)
    leak = outfitter("ingest", "mcp", *words)
    failing = outfitter("ingest", "mcp", "--server", "two", *words[:-1], "error")
    wrong = outfitter("ingest", "mcp", "--env", "LIAR_TOKEN=NOT_THERE", "--", "true")

    assert (both.exit_code, header.exit_code, dry.exit_code, leak.exit_code) == (1, 0, 0, 0)
    told = {one["source"]: one for one in json.loads(both.stdout)["sources"]}
    assert told["mcp:localhost"]["nodes"]["Tool"]["created"] == 2
    assert "HTTP 401" in told["mcp:127.0.0.1"]["rejected"][0]["reason"]
    assert {one.get("X-Token") for one in seen} == {None, SECRET}
    assert (failing.exit_code, wrong.exit_code) == (1, 2)
    assert "cannot list with ***" in failing.stdout
    assert "NOT_THERE is not set" in wrong.stderr
    sources = outfitter("sources", "--json").stdout
    kept = {one["source"]["id"]: one["source"]["uri"] for one in json.loads(sources)}
    assert kept.keys() == {"mcp:localhost", "mcp:one", "mcp:liar"}
    assert kept["mcp:localhost"].endswith("/mcp")
    shown = outfitter("show", "liar/first").stdout
    assert "Uses ***." in shown
    said = [one.stdout + one.stderr for one in (both, header, dry, leak, failing, wrong)]
    assert "secret" not in "".join([*said, sources, shown])


def test_a_dry_run_writes_nothing_not_even_a_schema(outfitter: Run, tmp_path: Path) -> None:
    bank = manifest(tmp_path, "bank", tool("pay"))

    told = json.loads(outfitter("ingest", "manifest", bank.path, "--dry-run", "--json").stdout)

    assert told["sources"][0]["nodes"]["Tool"]["created"] == ["bank/pay"]
    assert json.loads(outfitter("sources", "--json").stdout) == []


def test_removing_an_unknown_source_names_near_ones(outfitter: Run, tmp_path: Path) -> None:
    outfitter("ingest", "manifest", manifest(tmp_path, "github", tool("x")).path)

    result = outfitter("remove", "manifest:gitub")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "no source 'manifest:gitub'; known near ones: manifest:github" in result.stderr


def test_showing_an_unknown_tool_names_near_ones(outfitter: Run, tmp_path: Path) -> None:
    outfitter("ingest", "manifest", manifest(tmp_path, "bank", tool("refund")).path)

    result = outfitter("show", "refnd")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "no tool 'refnd'; known near ones: refund" in result.stderr


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.json", b"{", "not JSON"),
        ("a.json", b'{"tools": ["\x00"]}', "a.json:1:13: not JSON: Invalid control character"),
        ("a.json", b"\xff", "a.json:1:1: byte 0 is 0xff, which is not UTF-8"),
        ("gone.json", None, "no such file"),
        ("a.json", b'{"tools": [' + b" " * 2_000 + b"]}", "accepted: up to 1,000 (OUTFITTER_MAX_FILE_BYTES)"),
    ],
)
def test_a_bad_file_is_listed_with_what_is_accepted(
    outfitter: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    data: bytes | None,
    message: str,
) -> None:
    monkeypatch.setenv("OUTFITTER_MAX_FILE_BYTES", "1000")
    if data is not None:
        (tmp_path / name).write_bytes(data)

    result = outfitter("ingest", "manifest", tmp_path / name, "--json")

    (outcome,) = json.loads(result.stdout)["sources"]
    assert (result.exit_code, outcome["status"]) == (1, "refused")
    assert message in outcome["rejected"][0]["reason"]


def test_a_folder_without_a_manifest_is_wrong_usage(outfitter: Run, tmp_path: Path) -> None:
    result = outfitter("ingest", "manifest", tmp_path)

    assert result.exit_code == 2
    assert "the folder has no manifest; accepted: a folder with *.json files" in result.stderr


def test_an_unreachable_neo4j_is_exit_status_3(
    outfitter: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        monkeypatch.setenv("NEO4J_URI", f"bolt://127.0.0.1:{closed.getsockname()[1]}")

        result = outfitter("ingest", "manifest", manifest(tmp_path, "a", tool("x")).path)

    assert (result.exit_code, result.stdout) == (3, "")
    assert "NEO4J_URI" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_wrong_password_is_exit_status_3(
    outfitter: Run, engine: tuple[Path, TestDatabase], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", engine[1].address.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", "not-the-password")

    result = outfitter("ingest", "manifest", manifest(tmp_path, "a", tool("x")).path)

    assert (result.exit_code, result.stdout) == (3, "")
    assert "NEO4J_PASSWORD" in result.stderr


def test_a_bad_setting_is_wrong_usage(outfitter: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUTFITTER_LEASE_WAIT_S", "soon")

    result = outfitter("sources")

    assert result.exit_code == 2
    assert "OUTFITTER_LEASE_WAIT_S = 'soon'" in result.stderr


def test_a_lease_that_another_holds_is_exit_status_3(
    outfitter: Run, engine: tuple[Path, TestDatabase], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says who."""
    monkeypatch.setenv("OUTFITTER_LEASE_WAIT_S", "0.3")
    with GraphStore(lambda: engine[1].address, engine=GraphEngine.EMBEDDED) as store:
        store.apply_schema()
        with store.lease(owner="elsewhere:7:abc", wait_s=1.0):
            result = outfitter("ingest", "manifest", manifest(tmp_path, "a", tool("x")).path)

    assert result.exit_code == 3
    assert "elsewhere:7:abc" in result.stderr
