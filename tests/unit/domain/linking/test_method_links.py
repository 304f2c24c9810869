"""Which methods of the common taxonomy a tool is linked to, and that nothing else changes that."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.linking.method_links import MethodLink, MethodMatcher
from app.domain.linking.recipe import LINKING
from app.domain.nodes.models import Method, Tool
from ingest.sources.taxonomy.common import CommonTaxonomy
from tests.unit.catalogues import method, tool


def wanted(node_id: str, name: str, description: str, *works_on: str) -> Method:
    """A method; its domain is what stands before the dot."""
    return method(
        node_id, name=name, description=description, tags=works_on, category=node_id.partition(".")[0]
    )


METHODS = [
    wanted("chat.send_message", "Send a message", "Posts a text to a channel.", "message"),
    wanted("chat.list_channels", "List channels", "Returns the channels of a workspace.", "channel"),
    wanted("chat.delete_message", "Delete a message", "Takes a message out of a channel.", "message"),
    wanted("clusters.list_pods", "List pods", "Returns the pods of a namespace.", "pod"),
    wanted("clusters.list_nodes", "List nodes", "Returns the machines of a cluster.", "node"),
    wanted("clusters.get_logs", "Get logs of a pod", "Returns what a pod has printed.", "log", "pod"),
    wanted("monitoring.search_logs", "Search logs", "Returns lines of logs that match.", "log"),
    wanted("files.delete_file", "Delete a file", "Moves a file to the bin.", "file"),
    wanted("files.list_files", "List files", "Returns the files of a folder.", "file"),
]
MATCHER = MethodMatcher(METHODS)
CHAT = [
    tool(
        "talk/chat_postMessage", "Posts a message to a channel", method="post", path="/channels/{id}/messages"
    ),
    tool("talk/conversations_list", "Lists all channels of the workspace", method="get", path="/channels"),
    tool("talk/chat_delete", "Deletes a message", method="delete", path="/messages/{id}"),
]


def best(links: Sequence[MethodLink]) -> dict[str, str]:
    """Tool -> its first method."""
    return {link.tool: link.method for link in reversed(links)}


def test_a_tool_is_linked_to_what_it_carries_out() -> None:
    """Whatever it is called: by its words, its verb and its path."""
    assert best(MATCHER.links(CHAT)) == {
        "talk/chat_postMessage": "chat.send_message",
        "talk/conversations_list": "chat.list_channels",
        "talk/chat_delete": "chat.delete_message",
    }


def test_the_shipped_methods_fit_tools_that_nobody_wrote_them_for() -> None:
    """A forecast, a refund, a pod: the first link of each is of the right domain."""
    tools = [
        tool("w/hourly", "Hour by hour weather forecast for a place", method="get", path="/forecast/hourly"),
        tool("p/createRefund", "Refunds a payment to the customer", method="post", path="/refunds"),
        tool("k/listPods", "Lists the pods in a namespace", method="get", path="/namespaces/{ns}/pods"),
    ]
    matcher = MethodMatcher(CommonTaxonomy().methods())

    found = {link.tool: link.method for one in tools for link in reversed(matcher.links([one]))}

    assert {one: to.partition(".")[0] for one, to in found.items()} == {
        "w/hourly": "weather",
        "p/createRefund": "payments",
        "k/listPods": "containers_and_clusters",
    }


def test_what_no_method_knows_of_a_name_counts_against_a_link() -> None:
    """Numbers and what the server is called do not: they set no tool apart from what it does."""

    def score(name: str) -> float:
        return float(MATCHER.scores([tool(name, "Lists channels", method="get")]).max())

    plain = score("talk/list_channels")

    assert score("talk/list_irrigation_channels") < plain
    assert score("talk/talk_list_channels_2") == pytest.approx(plain)


def test_a_method_is_left_to_the_tool_that_fits_it_much_better() -> None:
    """`List namespaces` is no way to list pods where the server has one."""
    pods = tool("k/list_pods", "Lists the pods of a namespace", method="get", path="/pods")
    jobs = tool("k/list_jobs", "Lists the jobs of a namespace", method="get", path="/jobs")

    scores = MATCHER.scores([pods, jobs])[:, [one.id for one in METHODS].index("clusters.list_pods")]
    together = {(link.tool, link.method) for link in MATCHER.links([pods, jobs])}

    assert scores[0] > scores[1] + LINKING.method_margin
    assert ("k/list_pods", "clusters.list_pods") in together
    assert ("k/list_jobs", "clusters.list_pods") not in together


def test_what_else_a_server_has_decides_where_a_tool_says_little() -> None:
    """`Logs` beside pods are a pod's; beside nothing of clusters they are anybody's."""
    logs = tool("k/logs", "Returns logs")
    cluster = [
        tool("k/list_pods", "Lists the pods of a namespace", method="get", path="/pods"),
        tool("k/list_nodes", "Lists the nodes of the cluster", method="get", path="/nodes"),
    ]
    at = {one.id: column for column, one in enumerate(METHODS)}

    alone = MATCHER.scores([logs])[0]
    beside = MATCHER.scores([*cluster, logs])[-1]

    def lead(row: Sequence[float]) -> float:
        return row[at["clusters.get_logs"]] - row[at["monitoring.search_logs"]]

    assert lead(beside) > lead(alone)


def test_a_matcher_without_methods_or_tools_links_nothing() -> None:
    assert MethodMatcher([]).links(CHAT) == []
    assert MATCHER.links([]) == []


WORDS = ["list", "delete", "send", "message", "pod", "channel", "file", "log", "node", "of", "the", "boat"]
texts = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)


@st.composite
def tools_of(draw: st.DrawFn, server: str = "s") -> list[Tool]:
    names = draw(
        st.lists(
            st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map("_".join), unique=True, max_size=6
        )
    )
    return [
        tool(
            f"{server}/{name}",
            draw(texts),
            method=draw(st.sampled_from(["", "get", "post", "delete"])),
            path=draw(st.sampled_from(["", "/pods", "/channels/{id}", "/files/{file}/logs"])),
        )
        for name in names
    ]


@settings(max_examples=100)
@given(tools_of())
def test_at_most_three_links_and_none_far_behind(tools: list[Tool]) -> None:
    """Neither behind the tool's best nor behind the method's best; each with a confidence."""
    links, scores = MATCHER.links(tools), MATCHER.scores(tools) if tools else None
    rows = {one.id: at for at, one in enumerate(tools)}
    columns = {one.id: at for at, one in enumerate(METHODS)}

    assert len({(link.tool, link.method) for link in links}) == len(links)
    for link in links:
        assert scores is not None
        row, column = rows[link.tool], columns[link.method]
        assert 0 < link.confidence <= 1
        assert scores[row, column] >= LINKING.least
        assert scores[row, column] >= scores[row].max() - LINKING.tool_margin
        assert scores[row, column] >= scores[:, column].max() - LINKING.method_margin
    for one in tools:
        of_tool = [link.confidence for link in links if link.tool == one.id]
        assert len(of_tool) <= 3
        assert of_tool == sorted(of_tool, reverse=True)


@settings(max_examples=100)
@given(tools_of(), st.randoms())
def test_the_order_of_tools_changes_nothing(tools: list[Tool], dice: object) -> None:
    shuffled = list(tools)
    dice.shuffle(shuffled)  # type: ignore[attr-defined]

    assert set(MATCHER.links(shuffled)) == set(MATCHER.links(tools))


HOSTILE = st.one_of(
    st.text(max_size=200),
    st.sampled_from(
        ["", " ", "\x00", "\ud800", "A" * 50_000, "_" * 5_000, "{}{}{}", "💥" * 300, "a/b/" * 2_000]
    ),
)


@settings(max_examples=80)
@given(HOSTILE, HOSTILE, HOSTILE)
def test_no_text_of_a_tool_breaks_it(name: str, description: str, path: str) -> None:
    """Texts of tools are strangers' texts."""
    strange = tool("s/x", description, path=path).model_copy(update={"name": name, "title": name})

    scores = MATCHER.scores([strange, *CHAT])

    assert scores.shape == (4, len(METHODS))
    assert all(math.isfinite(score) for score in scores.ravel().tolist())
    assert len([link for link in MATCHER.links([strange, *CHAT]) if link.tool == "s/x"]) <= 3


@pytest.mark.parametrize("field", ["description", "title"])
def test_a_tool_without_words_is_linked_to_nothing(field: str) -> None:
    empty = tool("s/x").model_copy(update={"name": "", field: ""})

    assert MATCHER.links([empty]) == []


@given(st.lists(st.tuples(st.integers(1, 9), st.sampled_from(CHAT)), max_size=12), st.integers(1, 5))
def test_servers_are_compared_together_and_linked_apart(
    given_tools: Sequence[tuple[int, Tool]], batch: int
) -> None:
    """However many are compared at once."""
    tools = [
        one.model_copy(update={"id": f"{server}/{at}-{one.name}", "server": str(server)})
        for at, (server, one) in enumerate(given_tools)
    ]
    alone = [
        link
        for server in sorted({one.server for one in tools})
        for link in MATCHER.links([one for one in tools if one.server == server])
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.domain.linking.method_links._BATCH", batch)
        assert MATCHER.links(tools) == alone
