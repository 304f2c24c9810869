"""Definitions of tools and who has agreed to them, whatever keeps the graph."""

from app.adapters.graph.store import GraphStore
from app.domain.calling.definitions import Definition, KnownDefinition, WaitingTool
from tests.contract.rows import GENERATOR, MANIFEST, TAXONOMY, TOOL, node, provides, source
from tests.fakes import InMemoryGraph

BEFORE = Definition(method="GET", path="/a", base_url="https://a.example", security=("key (http bearer)",))
NOW = Definition(
    method="POST", path="/b", base_url="https://b.example", security=("k (x)", "none"), read_only=False
)


def test_a_tool_waits_until_its_definition_is_confirmed(graph: InMemoryGraph | GraphStore) -> None:
    """Who calls it, who lists it and who confirms it read the same; the others are left alone."""
    properties = {**NOW.model_dump(exclude_none=True), "security": list(NOW.security)}
    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        lease.put_sources([source(MANIFEST), source(TAXONOMY)])
        held = {"confirmed": BEFORE.model_dump_json(), "unconfirmed": ["was this", "is that"]}
        lease.put_nodes(
            TOOL,
            [
                node("web/a", **properties, **held),
                node("web/b", **properties, confirmed=BEFORE.model_dump_json()),
                node("web/c"),
                node("web/d", declared=True, confirmed=BEFORE.model_dump_json()),
            ],
        )
        lease.put_nodes(GENERATOR, [node("g")])
        lease.put_provisions([provides(MANIFEST, TOOL, f"web/{one}") for one in "abc"])
        lease.put_provisions([provides(TAXONOMY, TOOL, f"web/{one}", declares=True) for one in "ad"])

    assert graph.definitions(["web/d", "web/c", "web/b", "web/a", "g", "web/x"]) == [
        KnownDefinition(id="web/a", declared=False, now=NOW, confirmed=BEFORE),
        KnownDefinition(id="web/b", declared=False, now=NOW, confirmed=BEFORE),
        KnownDefinition(id="web/c", declared=False, now=Definition(), confirmed=None),
        KnownDefinition(id="web/d", declared=True, now=Definition(), confirmed=BEFORE),
    ]
    assert graph.waiting_tools() == [
        WaitingTool(id="web/a", source=MANIFEST, changes=("was this", "is that"))
    ]
    assert graph.tool("web/a").unconfirmed == ("was this", "is that")
    assert [one.unconfirmed for one in graph.catalogue().tools] == [("was this", "is that"), (), (), ()]
    assert (graph.call_target("web/a").confirmed, graph.call_target("web/a").definition) == (BEFORE, NOW)
    assert graph.call_target("web/c").confirmed is None

    with graph.lease(owner="a:1:x", wait_s=1) as lease:
        for _ in range(2):
            lease.confirm_tools(["web/a", "web/x"])

    assert graph.waiting_tools() == []
    assert graph.definitions(["web/a"]) == [
        KnownDefinition(id="web/a", declared=False, now=NOW, confirmed=None)
    ]
    assert graph.tool("web/a").unconfirmed == ()
    assert graph.definitions(["web/b"])[0].confirmed == BEFORE
