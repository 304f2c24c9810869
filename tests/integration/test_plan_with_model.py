"""`outfitter plan` with a language model: asked, shown what it would be asked, or left out."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from click.testing import Result
from typer.testing import CliRunner

from app.adapters.engine.embedded import EmbeddedEngine
from app.commands.main import app
from tests.http_server import Recorded, web_server
from tests.language_model import KEY, VARIABLE, Reply, status, task, tells
from tests.service import EXAMPLES

Run: TypeAlias = Callable[..., Result]
GOAL = "cancel my order and refund the payment"
GOOD = tells(task("cancel order"), task("refund payment", after=(1,)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder with the example, whose engine runs, so that the commands need not start it."""
    data = tmp_path_factory.mktemp("data")
    with EmbeddedEngine(data):
        words = [
            "ingest",
            "openapi",
            str(EXAMPLES / "openapi.yaml"),
            "--server",
            "shop",
            "--data-dir",
            str(data),
        ]
        assert CliRunner().invoke(app, words).exit_code == 0
        yield data


@pytest.fixture
def outfitter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.setenv("OUTFITTER_DATA_DIR", str(folder))
    monkeypatch.setenv("COLUMNS", "200")
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Reply], Recorded]]:
    """Sets a model that answers so."""
    opened = []

    def serve(reply: Reply) -> Recorded:
        server = web_server(reply)
        opened.append(server)
        found = server.__enter__()
        monkeypatch.setenv("OUTFITTER_LLM_URL", f"{found.url}/v1")
        monkeypatch.setenv("OUTFITTER_LLM_MODEL", "small")
        monkeypatch.setenv("OUTFITTER_LLM_KEY_VARIABLE", VARIABLE)
        monkeypatch.setenv(VARIABLE, KEY)
        return found

    yield serve
    for one in opened:
        one.__exit__(None, None, None)


def document(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    return {name: value for name, value in json.loads(result.stdout).items() if name != "took_ms"}


def test_a_plan_asks_the_model_and_lives_without_it(
    outfitter: Run, served: Callable[[Reply], Recorded]
) -> None:
    """The same plan, with a warning; `--no-model` asks nobody and warns of nothing."""
    without = document(outfitter("plan", GOAL, "--format", "json"))
    good = served(GOOD)
    read = document(outfitter("plan", GOAL, "--format", "json"))
    assert len(good.asked) == 1
    bad = served(status(500))
    failed = document(outfitter("plan", GOAL, "--format", "json"))
    assert len(bad.asked) == 1
    assert document(outfitter("plan", GOAL, "--format", "json", "--no-model")) == without
    assert len(bad.asked) == 1

    assert "reader_unavailable" not in [one["code"] for one in read["warnings"]]
    warning, *others = failed["warnings"]
    assert (warning["code"], {**failed, "warnings": others}) == ("reader_unavailable", without)
    assert (
        "reader_unavailable: the goal was read without the language model" in outfitter("plan", GOAL).stdout
    )


def test_a_dry_run_prints_what_would_be_sent_and_sends_nothing(
    outfitter: Run, served: Callable[[Reply], Recorded]
) -> None:
    server = served(GOOD)
    shown = outfitter("plan", GOAL, "--dry-run")

    assert shown.exit_code == 0, shown.output
    body = json.loads(shown.stdout)
    assert GOAL in body["messages"][1]["content"]
    assert "shop/cancelOrder" in body["messages"][1]["content"]
    assert "tokens of at most 16,000 (OUTFITTER_LLM_MAX_TOKENS)" in shown.stderr
    assert "nothing was sent" in shown.stderr
    assert KEY not in shown.output
    assert server.asked == []


def test_a_dry_run_without_a_model_is_refused(outfitter: Run, served: Callable[[Reply], Recorded]) -> None:
    refused = outfitter("plan", GOAL, "--dry-run")
    assert (refused.exit_code, "OUTFITTER_LLM_MODEL" in refused.stderr) == (2, True)
    served(GOOD)
    assert outfitter("plan", GOAL, "--dry-run", "--no-model").exit_code == 2
