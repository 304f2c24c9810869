"""`outfitter plan` and `outfitter workflow`: what goes where, and that what is kept can be changed and is checked."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from click.testing import Result
from typer.testing import CliRunner

from app.adapters.engine.embedded import EmbeddedEngine
from app.commands.main import app
from tests.service import EXAMPLES

Run: TypeAlias = Callable[..., Result]
GOAL = "cancel my order and refund the payment"
CALLS = ["shop/listOrders", "shop/cancelOrder", "shop/listOrderPayments", "shop/refundPayment"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder with the example, whose engine runs, so that the commands need not start it."""
    data = tmp_path_factory.mktemp("data")
    with EmbeddedEngine(data):
        example = str(EXAMPLES / "openapi.yaml")
        words = ["ingest", "openapi", example, "--server", "shop", "--data-dir", str(data)]
        assert CliRunner().invoke(app, words).exit_code == 0
        yield data


@pytest.fixture
def outfitter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.setenv("OUTFITTER_DATA_DIR", str(folder))
    monkeypatch.setenv("COLUMNS", "200")
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


def said(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(result: Result) -> str:
    """The message of an error, whose exit status is 2."""
    assert result.exit_code == 2, result.output
    return " ".join(result.stderr.replace("│", " ").split())


def calls(text: str) -> list[str]:
    return [step["tool_id"] for step in json.loads(text)["steps"]]


def test_a_plan_is_shown_in_four_ways(outfitter: Run) -> None:
    table = said(outfitter("plan", GOAL))
    assert [line for line in CALLS if line in table] == CALLS
    assert "orderId = step 1: /items/*/id of the item that you choose" in table
    document = json.loads(said(outfitter("plan", GOAL, "--format", "json")))
    assert [step["tool_id"] for step in document["steps"]] == CALLS
    assert document["generation"] >= 1
    arazzo = json.loads(said(outfitter("plan", GOAL, "--format", "arazzo")))
    (workflow,) = arazzo["workflows"]
    assert (arazzo["arazzo"], len(workflow["steps"])) == ("1.0.1", 4)
    assert said(outfitter("plan", GOAL, "--format", "mermaid")).startswith("flowchart TD\n")


def test_known_values_are_json_or_text(outfitter: Run) -> None:
    answer = json.loads(
        said(outfitter("plan", "cancel the order", "--known", "orderId=o-7", "--format", "json"))
    )
    assert answer["steps"][0]["bindings"] == {"orderId": {"known": "o-7"}}
    answer = json.loads(
        said(outfitter("plan", "cancel the order", "--known", 'orderId="7"', "--format", "json"))
    )
    assert answer["steps"][0]["bindings"] == {"orderId": {"known": "7"}}
    assert "NAME=VALUE" in refused(outfitter("plan", GOAL, "--known", "orderId"))


def test_tasks_secrets_and_times_are_taken(outfitter: Run, tmp_path: Path) -> None:
    """What cannot be meant is refused by option, value and what is accepted."""
    file = tmp_path / "tasks.json"
    file.write_text('["cancel the order", {"do": "refund the payment", "after": [1]}]')
    words = (
        "plan",
        GOAL,
        "--tasks",
        file,
        "--task",
        "list the orders",
        "--known",
        "key=k-1",
        "--secret",
        "key",
    )

    said(outfitter(*words, "--now", "2026-03-01T09:00:00", "--timezone", "Europe/Berlin"))

    for wrong, accepted in (
        (("--timezone", "Mars/Phobos"), "an IANA name"),
        (("--now", "soon"), "ISO 8601"),
        (("--secret", "kye"), "'kye' is no name in"),
        (("--task", '{"do": 1}'), "tasks.3.do = 1"),
    ):
        assert accepted in refused(outfitter(*words, *wrong))


@pytest.mark.parametrize("ending", ["json", "arazzo.json"])
def test_a_saved_file_is_the_same_plan_when_it_is_kept(outfitter: Run, tmp_path: Path, ending: str) -> None:
    """As a plan, or as Arazzo."""
    file = tmp_path / f"plan.{ending}"
    form = ["--format", "arazzo"] if ending.startswith("arazzo") else []
    said(outfitter("plan", GOAL, "--save", file, *form))
    name = f"from-{ending.partition('.')[0]}"

    said(outfitter("workflow", "save", name, file))

    shown = json.loads(said(outfitter("workflow", "show", name, "--format", "json")))
    planned = json.loads(said(outfitter("plan", GOAL, "--format", "json")))
    assert shown["steps"] == planned["steps"]
    assert "already" in refused(outfitter("workflow", "save", name, file))
    said(outfitter("workflow", "save", name, file, "--replace"))
    said(outfitter("workflow", "delete", name))


def test_a_kept_plan_is_reordered_extended_shortened_and_rebound(outfitter: Run) -> None:
    """Each change is checked; one that does not work is refused and changes nothing."""
    said(outfitter("plan", GOAL, "--store", "mine"))

    def shown() -> dict[str, list[dict[str, object]]]:
        return dict(json.loads(said(outfitter("workflow", "show", "mine", "--format", "json"))))

    assert "mine" in said(outfitter("workflow", "list"))
    assert "takes a value from step 1" in refused(outfitter("workflow", "move", "mine", "2", "1"))
    said(outfitter("workflow", "move", "mine", "3", "2"))
    assert calls(json.dumps(shown())) == [CALLS[0], CALLS[2], CALLS[1], CALLS[3]]

    assert "no tool and no workflow 'shop/nope'" in refused(outfitter("workflow", "add", "mine", "shop/nope"))
    said(outfitter("workflow", "add", "mine", "shop/getOrder", "--at", "2", "--purpose", "look at it"))
    assert shown()["steps"][1]["bindings"] == {"orderId": {"input": "orderId"}}
    bind = ("workflow", "bind", "mine", "2", "orderId")
    said(outfitter(*bind, "--from", "1", "--path", "/items/*/id", "--select", "status=open"))
    assert shown()["steps"][1]["bindings"] == {
        "orderId": {
            "step": 1,
            "path": "/items/*/id",
            "select": {"by": "match", "field": "status", "value": "open"},
        }
    }
    chosen = {"by": "each", "where": [{"field": "status", "value": "open"}], "except": ["o-1"]}
    of_list = ("--from", "1", "--path", "/items/*/id", "--select")
    said(outfitter(*bind, *of_list, json.dumps(chosen)))
    assert shown()["steps"][1]["bindings"] == {
        "orderId": {"step": 1, "path": "/items/*/id", "select": chosen}
    }
    assert "accepted: first, last, each, ask" in refused(outfitter(*bind, *of_list, "some"))
    unknown = json.dumps({"by": "first", "sort": {"field": "colour"}})
    assert "'/items/*/colour'" in refused(outfitter(*bind, *of_list, unknown))
    assert "whose answer does not have it" in refused(outfitter(*bind, "--from", "1", "--path", "/nope/x"))
    assert "nothing is bound to" in refused(outfitter(*bind, "--unbind"))
    assert "one of --known" in refused(outfitter(*bind))
    said(outfitter(*bind, "--known", "o-1"))
    assert shown()["inputs"] == []

    said(outfitter("workflow", "remove", "mine", "1"))
    assert len(shown()["steps"]) == 4
    assert [one["name"] for one in shown()["inputs"]] != []
    assert "no step 9" in refused(outfitter("workflow", "remove", "mine", "9"))
    said(outfitter("workflow", "delete", "mine"))
    assert "no workflow 'mine'" in refused(outfitter("workflow", "show", "mine"))


def test_a_file_that_is_no_plan_is_refused_by_name(outfitter: Run, tmp_path: Path) -> None:
    for text in ("{", "[]", '{"goal": "x"}', '{"arazzo": "1.0.1"}'):
        file = tmp_path / "bad.json"
        file.write_text(text)
        assert "bad.json" in refused(outfitter("workflow", "save", "bad", file))
    assert "missing.json" in refused(outfitter("workflow", "save", "bad", tmp_path / "missing.json"))


def test_a_plan_whose_data_others_steer_ends_with_1_where_that_is_asked(
    outfitter: Run, tmp_path: Path
) -> None:
    """It is shown, and neither kept nor saved; a report of an ingest names workflows with such a flow."""
    text = {"type": "string"}
    takes = {"type": "object", "properties": {"webhook": text, "body": text}, "required": ["webhook"]}
    tools = [
        {
            "name": "read_message",
            "description": "Reads the newest message.",
            "inputSchema": {"type": "object"},
        },
        {"name": "send_report", "description": "Sends the report.", "inputSchema": takes},
    ]
    needs = {"id": "post/send_report", "requires": [{"tool": "post/read_message", "parameter": "webhook"}]}
    files = {"post.json": {"tools": tools}, "house.json": {"tools": [needs]}, "more.json": {"tools": [needs]}}
    for name, document in files.items():
        (tmp_path / name).write_text(json.dumps(document))
    said(outfitter("ingest", "manifest", tmp_path / "post.json"))
    said(outfitter("ingest", "taxonomy", tmp_path / "house.json"))
    words = ["plan", "send the report", "--server", "post"]

    refused_plan = outfitter(
        *words, "--fail-on", "high", "--store", "report", "--save", tmp_path / "plan.json"
    )

    assert refused_plan.exit_code == 1, refused_plan.output
    assert "somebody else wrote" in refused_plan.output
    assert not (tmp_path / "plan.json").exists()
    assert "no workflow" in refused(outfitter("workflow", "show", "report"))
    said(outfitter(*words, "--store", "report"))
    assert "toxic_flow" in said(outfitter("workflow", "show", "report", "--format", "json"))
    assert "flows: external sink" in said(outfitter("show", "post/send_report"))
    assert "toxic flow workflow report" in said(outfitter("ingest", "taxonomy", tmp_path / "more.json"))
    said(outfitter("workflow", "delete", "report"))
    said(outfitter("remove", "taxonomy:more"))
    said(outfitter("remove", "taxonomy:house"))
    said(outfitter("remove", "manifest:post"))
