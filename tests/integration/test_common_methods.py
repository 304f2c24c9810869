"""What the common taxonomy brings into a graph, keeps there and takes away: in memory and in both engines."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.changes import with_part
from app.domain.nodes.models import EdgeForm, EdgeKind, NodeKind
from app.errors import InvalidInputError
from ingest.cards import COMMON
from ingest.run.pipeline import run_ingest
from ingest.run.report import Report
from ingest.run.request import IngestRequest
from ingest.sources.files import IngestInput
from ingest.sources.taxonomy import common as common_taxonomy
from ingest.sources.taxonomy.common import CommonTaxonomy
from tests.fakes import InMemoryGraph
from tests.ingest_cases import BOUNDS, Graph, dump, manifest, rejected, remove, taxonomy, tool
from tests.integration.test_ingest_crash import DyingGraph, KilledError

SUGGESTS = EdgeForm(NodeKind.METHOD, EdgeKind.SUGGESTS, NodeKind.TOOL)
ALL = CommonTaxonomy()
REFUND, FORECAST = "payments.refund_payment", "weather.get_hourly_forecast"


def ingest(graph: Graph, *inputs: IngestInput, common: CommonTaxonomy | None = ALL, **options: Any) -> Report:
    """A run with the common taxonomy."""
    request = IngestRequest(inputs, **options)
    return run_ingest(graph, request, owner="tests:1:0", bounds=BOUNDS, common=common)


def suggested(graph: Graph) -> dict[str, set[str]]:
    """Tool -> the methods that suggest it."""
    found: dict[str, set[str]] = {}
    for method, one, confidence in graph.edge_pairs(SUGGESTS, stated=False):
        assert 0 < confidence <= 1
        found.setdefault(one, set()).add(method)
    return found


def state(graph: Graph) -> Any:
    """All of a graph, with what is suggested."""
    return dump(graph), sorted(graph.edge_pairs(SUGGESTS, stated=False))


def weather(folder: Path, *more: dict[str, object]) -> IngestInput:
    hourly = tool("hourly_forecast", "Hour by hour weather forecast for a place")
    return manifest(folder, "sky", hourly, tool("current_weather", "Current weather at a place"), *more)


def shop(folder: Path, text: str = "Refunds a payment to the customer") -> IngestInput:
    return manifest(folder, "shop", tool("create_refund", text), tool("list_payments", "Lists payments"))


@pytest.fixture
def both(tmp_path: Path) -> list[IngestInput]:
    """Two servers."""
    return [weather(tmp_path), shop(tmp_path)]


def test_tools_are_suggested_by_what_they_carry_out(graph: Graph, both: list[IngestInput]) -> None:
    """All common methods are in the graph, with their requests, of a source of their own."""
    report = ingest(graph, *both)

    found = suggested(graph)
    assert {one.partition(".")[0] for one in found["sky/hourly_forecast"]} == {"weather"}
    assert REFUND in found["shop/create_refund"]
    methods = graph.catalogue().method_by_id
    assert set(methods) == set(common_taxonomy.common_items())
    assert methods[REFUND].common
    assert methods[REFUND].examples == common_taxonomy.common_items()[REFUND].said
    assert {one.id for one in graph.sources()} == {COMMON, "manifest:shop", "manifest:sky"}
    assert report.suggestions is not None
    assert (report.suggestions.tools, report.suggestions.suggested) == (4, len(found))
    assert report.suggestions.created == sum(map(len, found.values()))


def test_the_same_again_writes_nothing(graph: Graph, both: list[IngestInput]) -> None:
    generation = ingest(graph, *both).generation
    before = state(graph)

    again = ingest(graph, *both)

    assert (again.generation, again.suggestions) == (generation, None)
    assert state(graph) == before


def test_a_changed_tool_links_its_server_again(graph: Graph, both: list[IngestInput], tmp_path: Path) -> None:
    """The other server is not looked at; the service learns of all of it."""
    ingest(graph, *both)
    before, catalogue = suggested(graph), graph.catalogue()

    texting = tool("send_text", "Sends a text message to a phone")
    report = ingest(
        graph, both[0], manifest(tmp_path, "shop", texting, tool("list_payments", "Lists payments"))
    )

    after = suggested(graph)
    assert report.suggestions is not None
    assert report.suggestions.tools == 2
    assert after["sky/hourly_forecast"] == before["sky/hourly_forecast"]
    assert "shop/create_refund" not in after
    assert any(one.startswith("telephony") for one in after["shop/send_text"])
    assert REFUND in before["shop/create_refund"]
    assert not graph.catalogue().method_by_id[REFUND].suggests
    changes = graph.changes(catalogue.generation, stamp=catalogue.stamp)
    assert changes is not None
    assert with_part(catalogue, graph.part(changes)) == graph.catalogue()


def test_a_later_server_leads_to_the_graph_of_both_at_once(graph: Graph, both: list[IngestInput]) -> None:
    """Tools of another server change nothing, in whatever order they come."""
    for one in reversed(both):
        ingest(graph, one)

    at_once = InMemoryGraph()
    ingest(at_once, *both)
    assert state(graph) == state(at_once)


def test_with_a_source_go_what_its_tools_were_suggested_by(graph: Graph, both: list[IngestInput]) -> None:
    """And with the last one all that came with it."""
    ingest(graph, *both)

    ingest(graph, removals=["manifest:sky"])
    alone = InMemoryGraph()
    ingest(alone, both[1])
    assert state(graph) == state(alone)

    ingest(graph, removals=["manifest:shop"])
    assert not any(dump(graph).values())
    assert ingest(graph).generation == graph.state().generation, "nothing is left to be done"


def test_a_tool_that_is_only_named_is_suggested_by_nothing(
    graph: Graph, both: list[IngestInput], tmp_path: Path
) -> None:
    """Its server gave it up; a taxonomy still requires it."""
    named = taxonomy(tmp_path, "t", tools=[{"id": "sky/current_weather", "requires": ["shop/create_refund"]}])
    ingest(graph, *both, named)
    assert "shop/create_refund" in suggested(graph)

    manifest(tmp_path, "shop", tool("list_payments", "Lists payments"))
    ingest(graph, *both, named)

    assert "shop/create_refund" in {one.id for one in graph.node_names(NodeKind.TOOL) if one.declared}
    assert "shop/create_refund" not in suggested(graph)


def test_what_a_taxonomy_implements_is_suggested_no_more(
    graph: Graph, both: list[IngestInput], tmp_path: Path
) -> None:
    """Stated edges win; without the taxonomy everything is as before."""
    ingest(graph, *both)
    before = state(graph)

    ingest(graph, *both, taxonomy(tmp_path, "mine", methods=[{"id": "m", "implements": ["create_refund"]}]))
    assert "shop/create_refund" not in suggested(graph)
    assert "sky/hourly_forecast" in suggested(graph)

    ingest(graph, removals=["taxonomy:mine"])
    assert state(graph) == before


def test_no_edge_of_an_operators_leads_to_what_may_go(
    graph: Graph, both: list[IngestInput], tmp_path: Path
) -> None:
    """Whether or not the method is in the graph by then; a method of one's own with the id is one's own."""
    concept = {"id": "calm", "related_to": [REFUND]}
    mine = taxonomy(tmp_path, "mine", concepts=[concept])
    refused = [f"concept 'calm': related_to names {REFUND!r}, which no source has; no method is near"]
    assert rejected(ingest(graph, *both, mine)) == rejected(ingest(graph, *both, mine)) == refused

    own = taxonomy(
        tmp_path, "mine", concepts=[concept], methods=[{"id": REFUND, "implements": ["create_refund"]}]
    )
    assert rejected(ingest(graph, *both, own)) == []
    assert graph.catalogue().concepts[0].related_to == (REFUND,)


@pytest.mark.parametrize("first", [True, False])
def test_an_operators_method_of_the_same_id_wins(
    graph: Graph, both: list[IngestInput], tmp_path: Path, *, first: bool
) -> None:
    """Whichever came first; it speaks for the tools that it names, and suggests none."""
    own = {
        "id": REFUND,
        "name": "Give money back",
        "implements": ["create_refund"],
        "examples": ["Pay it back"],
    }
    mine = taxonomy(tmp_path, "mine", methods=[own])
    for some in ([mine, *both], both) if first else (both, [mine, *both]):
        assert rejected(ingest(graph, *some)) == []

    method = graph.catalogue().method_by_id[REFUND]
    assert (method.name, method.examples, method.common) == ("Give money back", ("Pay it back",), False)
    assert (method.implements, method.suggests) == (("shop/create_refund",), ())
    assert {one.source for one in graph.providers(NodeKind.METHOD, [REFUND])} == {"taxonomy:mine"}
    before = InMemoryGraph()
    ingest(before, *both)
    ingest(graph, removals=["taxonomy:mine"])
    assert state(graph) == state(before)


def test_naming_the_tools_of_a_common_method_confirms_it(
    graph: Graph, both: list[IngestInput], tmp_path: Path
) -> None:
    """What it is called and how people ask for it need not be written again."""
    ingest(
        graph, *both, taxonomy(tmp_path, "mine", methods=[{"id": REFUND, "implements": ["create_refund"]}])
    )

    method, common = graph.catalogue().method_by_id[REFUND], common_taxonomy.common_items()[REFUND]
    assert (method.name, method.description, method.tags) == (common.name, common.description, common.words)
    assert set(method.examples) == set(common.said)
    assert (method.implements, method.common) == (("shop/create_refund",), False)


def test_a_veto_rules_a_suggestion_out(graph: Graph, both: list[IngestInput], tmp_path: Path) -> None:
    """Of this tool alone, through a rename, until it is taken back."""
    ingest(graph, *both)
    before = state(graph)
    wrong = {"id": "create_refund", "not_implements": [REFUND, "no.such_method"]}

    assert rejected(ingest(graph, *both, taxonomy(tmp_path, "mine", tools=[wrong]))) == []
    vetoed = suggested(graph)
    assert REFUND not in vetoed.get("shop/create_refund", set())
    assert vetoed["sky/hourly_forecast"] == {
        method for method, one, _ in before[1] if one == "sky/hourly_forecast"
    }

    manifest(
        tmp_path,
        "shop",
        tool("make_refund", "Refunds a payment to the customer"),
        tool("list_payments", "Lists payments"),
    )
    ingest(graph, *both)
    said = {one.source: one.not_implements for one in graph.providers(NodeKind.TOOL, ["shop/make_refund"])}
    assert said["taxonomy:mine"] == (REFUND, "no.such_method")
    assert REFUND not in suggested(graph).get("shop/make_refund", set())

    ingest(graph, removals=["taxonomy:mine"])
    assert REFUND in suggested(graph)["shop/make_refund"]


def test_domains_and_sources_are_left_out(graph: Graph, both: list[IngestInput]) -> None:
    """At the next ingest, though no document has changed; back again likewise."""
    ingest(graph, *both)
    before = state(graph)

    ingest(graph, *both, common=CommonTaxonomy(("weather",)))
    assert not any(one.startswith("weather.") for some in suggested(graph).values() for one in some)
    assert "shop/create_refund" in suggested(graph)

    ingest(graph, *both, common=CommonTaxonomy(("manifest:shop",)))
    assert {one.partition("/")[0] for one in suggested(graph)} == {"sky"}

    ingest(graph, *both)
    assert state(graph) == before


def test_switched_off_it_takes_away_all_that_it_brought(
    graph: Graph, both: list[IngestInput], tmp_path: Path
) -> None:
    """And nothing else: the graph is the one of who never had it."""
    mine = taxonomy(tmp_path, "mine", methods=[{"id": "m", "name": "Own", "implements": ["list_payments"]}])
    ingest(graph, *both, mine)
    never = InMemoryGraph()
    ingest(never, *both, mine, common=None)

    ingest(graph, *both, mine, common=None)

    assert state(graph) == state(never)
    generation = graph.state().generation
    assert ingest(graph, *both, mine, common=None).generation == generation


def test_another_text_links_again(
    graph: Graph, both: list[IngestInput], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An upgrade writes what it says of its methods now."""
    ingest(graph, *both)
    generation = graph.state().generation
    refund = common_taxonomy.common_items()[REFUND]
    other = refund.model_copy(update={"description": "Gives money back to who paid."})
    methods = common_taxonomy.domain_methods
    text = common_taxonomy.shipped_text

    monkeypatch.setattr(
        common_taxonomy,
        "domain_methods",
        lambda domain: tuple(other if one.id == REFUND else one for one in methods(domain)),
    )
    monkeypatch.setattr(common_taxonomy, "shipped_text", lambda domain: text(domain) + b"# later")
    ingest(graph, *both)

    assert graph.state().generation == generation + 1
    assert graph.catalogue().method_by_id[REFUND].description == "Gives money back to who paid."


def test_its_source_is_not_removed_by_name(graph: Graph, both: list[IngestInput]) -> None:
    """A setting does; a server may be called like it."""
    ingest(graph, *both)

    with pytest.raises(
        InvalidInputError, match="'common:outfitter' comes with Outfitter; accepted: OUTFITTER_COMMON"
    ):
        remove(graph, COMMON)


def test_a_server_may_be_called_outfitter(graph: Graph, both: list[IngestInput], tmp_path: Path) -> None:
    ingest(graph, *both)

    assert rejected(ingest(graph, manifest(tmp_path, "outfitter", tool("plan", "Plans a workflow")))) == []


def _second(folder: Path) -> list[IngestInput]:
    """Tools changed, gone and new; a veto and an operator's method."""
    return [
        weather(folder, tool("list_alerts", "Lists weather warnings of a region")),
        shop(folder, "Sends a text message to a phone"),
        taxonomy(
            folder,
            "mine",
            methods=[{"id": "weather.get_current", "implements": ["current_weather"]}],
            tools=[{"id": "hourly_forecast", "not_implements": [FORECAST]}],
        ),
    ]


def _deaths(folder: Path) -> Iterator[DyingGraph]:
    """A graph for each write after which the second run may have died."""
    for writes in range(200):
        graph = DyingGraph(-1)
        ingest(graph, weather(folder), shop(folder))
        graph.writes_left = writes
        try:
            ingest(graph, *_second(folder))
        except KilledError:
            graph.writes_left = -1
            yield graph
        else:
            assert writes > 10
            return
    raise AssertionError("the run never ends")


def test_a_killed_run_is_finished_by_the_next(tmp_path: Path) -> None:
    """Wherever it was killed."""
    expected = InMemoryGraph()
    ingest(expected, weather(tmp_path), shop(tmp_path))
    ingest(expected, *_second(tmp_path))

    for graph in _deaths(tmp_path):
        ingest(graph, *_second(tmp_path))

        assert state(graph) == state(expected)
        assert not graph.state().writing


TEXTS = st.sampled_from(
    [
        "Refunds a payment",
        "Lists the pods of a namespace",
        "Sends a message to a channel",
        "Weather forecast for a place",
    ]
)
SERVERS = st.dictionaries(
    st.sampled_from(["a", "b", "c"]),
    st.dictionaries(st.sampled_from(["one", "two", "three"]), TEXTS, min_size=1),
    min_size=1,
)


@settings(max_examples=15)
@given(st.lists(SERVERS, min_size=1, max_size=3))
def test_any_way_leads_to_the_graph_of_a_first_ingest(
    tmp_path_factory: pytest.TempPathFactory, states: list[dict[str, dict[str, str]]]
) -> None:
    """Servers come, change and go: what is suggested is what a first ingest of the last state suggests."""
    graph, folder = InMemoryGraph(), tmp_path_factory.mktemp("states")
    for servers in states:
        there = {one.id for one in graph.sources()} - {COMMON}
        gone = sorted(there - {f"manifest:{server}" for server in servers})
        files = [
            manifest(folder, server, *(tool(name, text) for name, text in tools.items()))
            for server, tools in servers.items()
        ]
        ingest(graph, *files, removals=gone, allow_shrink=True)

    first = InMemoryGraph()
    ingest(first, *files)
    assert (suggested(graph), graph.catalogue().methods) == (suggested(first), first.catalogue().methods)
