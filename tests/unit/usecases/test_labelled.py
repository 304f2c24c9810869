"""Labels of a generation's tools: stated before inferred, and looked for again only where something changed."""

from pathlib import Path
from typing import Any

from app.domain.access.rules import Act, Rule, RuleBook
from app.domain.nodes.models import Label, StatedLabel, Tool
from app.usecases.seen.labelled import LabelledTools
from tests.fakes import InMemoryGraph
from tests.hidden import Book, asked_as
from tests.ingest_cases import ingest, manifest, taxonomy
from tests.ingest_cases import tool as listed
from tests.service import wait_until
from tests.unit.catalogues import tool

STAFF = frozenset({"staff"})


class Listed(list[Tool]):
    """Knows which of its tools were read."""

    def __init__(self, *tools: Tool) -> None:
        super().__init__(tools)
        self.read: list[str] = []

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        self.read.append(str(found.id))
        return found

    @property
    def ids(self) -> list[str]:
        """Of all."""
        return [str(one.id) for one in self]


def test_stated_labels_go_before_inferred_ones() -> None:
    drop = tool("files/delete_file")
    harmless = drop.model_copy(update={"labels": (StatedLabel(label=Label.DESTRUCTIVE, value=False),)})
    sends = tool("wire/ping").model_copy(update={"labels": (StatedLabel(label=Label.EXTERNAL_SINK),)})

    assert LabelledTools([drop], ["files/delete_file"])()[Label.DESTRUCTIVE].tolist() == [True]
    found = LabelledTools([harmless, sends], ["files/delete_file", "wire/ping"])()
    assert Label.DESTRUCTIVE not in found
    assert found[Label.EXTERNAL_SINK].tolist() == [False, True]


def test_what_did_not_change_is_not_read_again() -> None:
    """And nothing is read until somebody asks."""
    tools = Listed(tool("a/delete_a"), tool("a/get_b"), tool("a/get_c"))
    first = LabelledTools(tools, tools.ids)
    assert tools.read == []
    first()
    first()
    assert tools.read == tools.ids

    later = Listed(tool("a/delete_a"), tool("a/get_b"), tool("a/get_d"))
    changed = frozenset({"a/get_b", "a/get_c", "a/get_d"})
    second = LabelledTools(later, later.ids, first, changed)
    assert second()[Label.DESTRUCTIVE].tolist() == [True, False, False]
    assert later.read == ["a/get_b", "a/get_d"]


def test_a_generation_that_nobody_asked_of_knows_nothing() -> None:
    tools = Listed(tool("a/delete_a"), tool("a/get_b"))
    asked = LabelledTools(tools, tools.ids)
    asked()
    tools.read.clear()

    skipped = LabelledTools(tools, tools.ids, asked, frozenset({"a/get_b"}))
    LabelledTools(tools, tools.ids, skipped, frozenset())()

    assert tools.read == tools.ids


def test_a_rule_by_labels_follows_what_a_taxonomy_states(tmp_path: Path) -> None:
    """The service of a caller whose rules leave out what sends and destroys."""
    graph = InMemoryGraph()
    ingest(graph, manifest(tmp_path, "mail", *map(listed, ("delete_mail", "get_time", "ping"))))
    grant = Rule("all", STAFF, may=frozenset({Act.CALL}), tools=("*",))
    denial = Rule("out", STAFF, deny=frozenset({Act.FIND}), labels=(Label.EXTERNAL_SINK, Label.DESTRUCTIVE))
    book = Book(RuleBook((grant,)))
    with asked_as(graph, book) as client:

        def names() -> list[str]:
            return [one["id"] for one in client.get("/v1/tools").json()["tools"]]

        assert names() == ["mail/delete_mail", "mail/get_time", "mail/ping"]
        book.rules = RuleBook((grant, denial))
        assert names() == ["mail/get_time", "mail/ping"]
        stated = [
            {"id": "mail/ping", "labels": {"external_sink": True}},
            {"id": "mail/delete_mail", "labels": {"destructive": False}},
        ]
        ingest(graph, taxonomy(tmp_path, "said", tools=stated))
        wait_until(lambda: names() == ["mail/delete_mail", "mail/get_time"])
