"""Commands with `--as CALLER`: what a caller would be answered, and what keeps a tool from them."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.adapters.engine.embedded import EmbeddedEngine
from app.adapters.graph.store import GraphEngine, GraphStore
from app.commands.main import app
from app.domain.nodes.models import Trust
from tests.ingest_cases import Run, ingest, manifest, tool

CALLERS = {
    "bot": {"groups": ["support"]},
    "planner": {"groups": ["support"], "scopes": ["tools:plan"]},
    "finder": {"groups": ["support"], "scopes": ["tools:find"]},
}
RULES = [
    {"id": "orders", "to": ["support"], "may": ["call"], "sources": ["manifest:orders"]},
    {"id": "no-exports", "to": ["support"], "deny": ["find"], "tools": ["*/export_*"]},
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder whose engine runs, with callers, policies and a source that waits for review."""
    folder = tmp_path_factory.mktemp("data")
    entries = [
        {"name": name, "sha256": f"{at:064x}", **one} for at, (name, one) in enumerate(CALLERS.items())
    ]
    (folder / "callers.yaml").write_text(json.dumps({"callers": entries}))
    (folder / "policies.yaml").write_text(json.dumps({"policies": RULES}))
    with EmbeddedEngine(folder) as engine:
        with GraphStore(engine.open, engine=GraphEngine.EMBEDDED) as graph:
            graph.apply_schema()
            ingest(
                graph,
                manifest(folder, "orders", tool("get_order"), tool("export_orders")),
                manifest(folder, "vault", tool("open_vault")),
                replace(manifest(folder, "fresh", tool("greet")), trust=Trust.REVIEW),
            )
        yield folder


@pytest.fixture
def outfitter(data: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.setenv("OUTFITTER_DATA_DIR", str(data))
    monkeypatch.setenv("OUTFITTER_CALLERS", str(data / "callers.yaml"))
    monkeypatch.setenv("OUTFITTER_POLICIES", str(data / "policies.yaml"))
    monkeypatch.setenv("OUTFITTER_ENCODER", "none")
    monkeypatch.setenv("COLUMNS", "200")
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


@pytest.mark.parametrize(
    ("tool_id", "said"),
    [
        ("orders/export_orders", "Withheld: rule 'no-exports' denies it."),
        ("vault/open_vault", "Withheld: no rule grants it."),
        ("fresh/greet", "Withheld: its definition is new and waits for review"),
    ],
)
def test_why_not_says_what_withholds_a_tool_from_a_caller(outfitter: Run, tool_id: str, said: str) -> None:
    """The operator's own machine says what callers are not told."""
    result = outfitter("why-not", tool_id, "--request", "the order", "--as", "bot")

    assert result.exit_code == 0, result.output
    assert "Not in the catalogue" in result.stdout
    assert said in result.stdout


def test_why_not_says_that_a_tool_waits_for_review_whoever_is_to_be_answered(outfitter: Run) -> None:
    waits = outfitter("why-not", "fresh/greet", "--request", "greet", "--json").stdout
    there = outfitter("why-not", "orders/get_order", "--request", "the order", "--json", "--as", "bot").stdout
    never = outfitter("why-not", "fresh/greed").stdout

    (one,) = json.loads(waits)["tools"]
    assert (one["case"], one["withheld"]["by"], one["withheld"]["state"]) == ("unknown", "review", "pending")
    assert "withheld" not in there
    assert "Withheld" not in never


@pytest.mark.parametrize(
    ("name", "words", "scope"),
    [
        ("planner", ["query", "the order"], "tools:find"),
        ("planner", ["why-not", "orders/get_order"], "tools:find"),
        ("finder", ["plan", "get the order"], "tools:plan"),
    ],
)
def test_a_caller_without_the_scope_is_answered_as_the_service_does(
    outfitter: Run, name: str, words: list[str], scope: str
) -> None:
    """Not at all; a caller who has it is."""
    refused = outfitter(*words, "--as", name)
    answered = outfitter(*words, "--as", "bot")

    assert refused.exit_code != 0
    assert f"caller {name!r} lacks a scope; this takes {scope}" in " ".join(refused.stderr.split())
    assert answered.exit_code == 0, answered.output


def test_whoever_an_issuer_puts_in_a_group_is_a_column_and_can_be_asked_for(
    outfitter: Run, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They have no entry in the file of callers, which need not be there at all."""
    monkeypatch.delenv("OUTFITTER_CALLERS")
    rules = [
        {"id": "ext", "to": ["ext"], "may": ["find"], "tools": ["vault/*"]},
        {"id": "none", "to": ["named"], "may": ["find"], "tools": ["orders/*"]},
    ]
    groups = {"ext": {"oidc": ["https://login.example.com|7"]}}
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(json.dumps({"groups": groups, "policies": rules}))
    new.write_text(json.dumps({"groups": groups, "policies": rules[1:]}))
    monkeypatch.setenv("OUTFITTER_POLICIES", str(old))

    matrix = outfitter("policy", "matrix").stdout.splitlines()
    diff = outfitter("policy", "diff", new).stdout
    found = outfitter("query", "open vault", "--as", "group:ext", "--json")
    refused = outfitter("query", "open vault", "--as", "group:xet")
    nobody = outfitter("query", "open vault", "--as", "bot")

    assert matrix[0] == "tool,group:ext"
    assert "vault/open_vault,find" in matrix
    assert "orders/get_order," in matrix
    assert "- group:ext find vault/open_vault" in diff
    assert [one["id"] for one in json.loads(found.stdout)["tools"]] == ["vault/open_vault"]
    assert "no group 'xet'; the files of callers and policies name these: ext, named" in " ".join(
        refused.stderr.split()
    )
    assert "no caller 'bot': there is no file of callers" in " ".join(nobody.stderr.split())
