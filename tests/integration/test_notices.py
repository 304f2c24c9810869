"""What an operator is notified of, once for each change, whoever makes it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from app.domain.nodes.models import Trust
from app.domain.notices import Notice
from app.domain.review.records import Decision, Verdict
from app.errors import InvalidInputError
from app.ports.notices import notify_nobody
from app.roots.webhook import opened_webhook
from app.settings import Settings
from ingest.run.request import IngestRequest
from ingest.sources.files import IngestInput
from ingest.wiring import Desk, ingest_into
from tests.fakes import InMemoryGraph
from tests.http_server import Asked, Handler, web_server
from tests.ingest_cases import manifest, tool
from tests.service import wait_until


def shop(folder: Path, *tools: dict[str, object], trust: Trust = Trust.REVIEW) -> IngestInput:
    return replace(manifest(folder, "shop", *tools), trust=trust)


def run(
    graph: InMemoryGraph, *inputs: IngestInput, dry_run: bool = False
) -> list[tuple[str, str, tuple[str, ...]]]:
    found: list[Notice] = []
    report = ingest_into(graph, Settings(), IngestRequest(inputs, dry_run=dry_run), notify=found.extend)
    assert all(one.generation == report.generation and one.at for one in found)
    return [(one.kind.value, one.source, one.tools) for one in found]


def test_definitions_that_wait_are_named_once(tmp_path: Path) -> None:
    graph = InMemoryGraph()
    first = shop(tmp_path, tool("refund"), tool("track"))

    assert run(graph, first, dry_run=True) == []
    assert run(graph, first) == [("pending", "manifest:shop", ("shop/refund", "shop/track"))]
    assert run(graph, first) == []
    more = shop(tmp_path, tool("refund"), tool("track"), tool("cancel"))
    assert run(graph, more) == [("pending", "manifest:shop", ("shop/cancel",))]


def test_a_definition_that_changed_after_it_was_agreed_to_is_named(tmp_path: Path) -> None:
    """A decision names nothing: whoever made it knows."""
    graph = InMemoryGraph()
    run(graph, shop(tmp_path, tool("refund"), trust=Trust.BASELINE))
    changed = shop(tmp_path, tool("refund", "Refunds whatever it is given"), trust=Trust.BASELINE)

    assert run(graph, changed) == [("changed", "manifest:shop", ("shop/refund",))]

    found: list[Notice] = []
    (record,) = graph.reviews()
    decision = Decision(id=record.id, hash=record.hash, verdict=Verdict.APPROVE, reason="looked", by="eve")
    Desk(graph, Settings(), notify=found.extend).decide([decision])
    assert found == []


def test_a_source_that_is_down_is_named_when_it_goes_down(tmp_path: Path) -> None:
    """Not again while it stays down, with another problem neither; again after it was up."""
    graph = InMemoryGraph()
    good = shop(tmp_path, tool("refund"), trust=Trust.FULL)
    assert run(graph, good) == []

    good.path.write_text("{")
    assert run(graph, good) == [("source_down", "manifest:shop", ())]
    assert run(graph, good) == []
    good.path.write_text("[]")
    assert run(graph, good) == []
    run(graph, shop(tmp_path, tool("refund"), trust=Trust.FULL))
    good.path.write_text("{")
    assert run(graph, good) == [("source_down", "manifest:shop", ())]


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("HOOK_KEY", "a-key-of-this-test")
    return "HOOK_KEY"


def test_a_webhook_of_the_settings_gets_what_a_run_brings(tmp_path: Path, key: str) -> None:
    """Nothing of the definitions is in it."""
    outcomes: list[str] = []

    def take(handler: Handler, _: Asked) -> None:
        handler.reply(204)

    with web_server(take) as receiver:
        settings = Settings(webhook=SecretStr(receiver.url), webhook_key_variable=key)
        with opened_webhook(settings, wait_s=5.0, counted=outcomes.append) as notify:
            secret = shop(tmp_path, tool("refund", "zqdescription"))
            ingest_into(InMemoryGraph(), settings, IngestRequest([secret]), notify=notify)
            wait_until(lambda: outcomes)

    (asked,) = receiver.asked
    assert json.loads(asked.body)["ids"] == ["shop/refund"]
    assert "x-outfitter-signature" in asked.headers
    assert b"zqdescription" not in asked.body


def test_without_a_webhook_nobody_is_notified() -> None:
    with opened_webhook(Settings(), wait_s=5.0) as notify:
        assert notify is notify_nobody


def test_a_key_that_is_not_there_is_refused_by_its_name() -> None:
    settings = Settings(webhook=SecretStr("http://127.0.0.1:9"), webhook_key_variable="NO_SUCH_KEY")

    with pytest.raises(InvalidInputError, match="NO_SUCH_KEY"), opened_webhook(settings, wait_s=0.1):
        pass
