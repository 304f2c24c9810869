"""`outfitter enrich requests`, from what it would cost to what is found by it, and the doctor before and after."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from app.adapters.engine.embedded import EmbeddedEngine
from app.commands.main import app
from tests.http_server import Asked, Handler, web_server
from tests.ingest_cases import Run
from tests.language_model import KEY, VARIABLE, completion

TOOLS = ("refund", "ship", "count_stock")
SAID = {"refund": "she was billed twice", "ship": "get it on its way", "count_stock": "how many are left"}


def writes(handler: Handler, asked: Asked) -> None:
    """What people say of each tool."""
    facts = json.loads(json.loads(asked.body)["messages"][1]["content"].split("\n")[1])
    entry = {"language": "en", "text": SAID[facts["name"]]}
    handler.reply(200, completion(json.dumps({"requests": [entry]}), usage={"total_tokens": 100}))


@pytest.fixture
def outfitter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Commands on a graph with three tools, and a model that nobody has set."""
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.setenv("OUTFITTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv(VARIABLE, KEY)

    def run(*words: object, **more: str) -> Result:
        return CliRunner().invoke(app, [str(word) for word in words], **more)

    manifest = tmp_path / "shop.json"
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]
    manifest.write_text(json.dumps({"tools": tools}))
    with EmbeddedEngine(tmp_path / "data"):
        assert run("ingest", "manifest", manifest).exit_code == 0
        yield run


def test_requests_are_priced_written_found_and_removed(
    outfitter: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is sent before somebody agrees; afterwards people's words find the tools, and it is said why."""
    with web_server(writes) as server:
        monkeypatch.setenv("OUTFITTER_LLM_URL", f"{server.url}/v1")
        monkeypatch.setenv("OUTFITTER_LLM_KEY_VARIABLE", VARIABLE)
        words = ("enrich", "requests", "--number", 1, "--model", "small")
        plan = json.loads(outfitter(*words, "--dry-run", "--json", "--price", 1_000, 2_000).stdout)
        shown = outfitter(*words, "--dry-run")
        refused = outfitter(*words, input="n\n")
        asks_nothing = outfitter(*words, "--json")
        before = len(server.asked)
        done = outfitter(*words, "--yes", "--json")

    assert sorted(plan["ask"]) == [f"shop/{name}" for name in sorted(TOOLS)]
    assert plan["cost"] == pytest.approx(plan["prompt_tokens"] / 1_000 + plan["answer_tokens"] / 500)
    assert "3 tools to ask small about" in shown.output
    assert "shows the sum" in shown.output
    assert refused.exit_code == 1
    assert "--json with --yes" in asks_nothing.output
    assert before == 0
    report = json.loads(done.stdout)
    assert done.exit_code == 0, done.output
    assert (report["tools"], report["requests"], report["tokens"], report["rejected"]) == (3, 3, 300, [])
    assert KEY not in done.output + shown.output

    answer = json.loads(outfitter("query", "how many are left", "--explain", "--json").stdout)
    assert answer["tools"][0]["id"] == "shop/count_stock"
    assert any("requests" in why.get("fields", ()) for why in answer["tools"][0]["why"])
    assert "request (en, by small" in outfitter("show", "shop/ship").output.replace("written ", "")
    sick = json.loads(outfitter("doctor", "manifest:shop", "--json").stdout)
    assert (sick["tools"], sick["measured"], sick["now"]["requests"]) == (3, 3, 3)
    assert {one["tool"] for one in sick["sick"]} == {f"shop/{name}" for name in TOOLS}
    assert "no tools of a server 'sho'" in outfitter("doctor", "sho").output

    path = tmp_path / "said.yaml"
    path.write_text(
        "- tool: shop/ship\n  requests: {en: [send the parcel]}\n- tool: shop/none\n  requests: {}\n"
    )
    kept = outfitter("enrich", "requests", "--from", path)
    assert kept.exit_code == 1
    assert "no tool has this id" in kept.output
    assert "Kept 1 request for 1 tool." in kept.output
    assert "accepted: it alone" in outfitter("enrich", "requests", "--from", path, "--model", "x").output
    assert "removed 3 nodes" in outfitter("remove", "requests:generated").output
    assert json.loads(outfitter("show", "shop/ship", "--json").stdout)["tool"]["requests"] == []
