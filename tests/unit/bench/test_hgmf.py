"""Groups of vectors, what they leave out, and the requests that a catalogue is asked."""

import numpy as np
import pytest

from app.adapters.encoders.onnx import OnnxEncoder
from app.domain.ranking.formulas import Array
from bench.literature import hgmf as literature
from bench.literature import published
from bench.methods.registry import PRUNED, method_named
from bench.sets.datasets import Dataset, Question, catalogue_of, plain_tool
from bench.sets.first_sentences import asked_by_first_sentence

pytest.importorskip("sklearn", reason="comes with the extra bench")

from bench.methods.hgmf import RANKERS, Candidates, server_and_tool
from bench.methods.mixtures import density_groups, group_count, kmeans_groups, mixture_groups, reduced

_EACH = 12


def clusters(axes: int = 4) -> Array:
    """Tight groups of `_EACH` unit vectors, one near each axis, in order."""
    chance = np.random.default_rng(1)
    rows = np.repeat(np.eye(axes), _EACH, axis=0) + chance.normal(scale=0.05, size=(axes * _EACH, axes))
    found: Array = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found


def test_the_square_root_of_the_rows_but_two_at_least() -> None:
    assert [group_count(rows) for rows in (1, 8, 9, 2120)] == [2, 2, 3, 46]


@pytest.mark.parametrize(
    "make",
    [
        lambda rows: mixture_groups(rows, floor=1e-2),
        lambda rows: mixture_groups(rows, floor=1e-6),
        lambda rows: mixture_groups(rows, floor=1e-2, shared=True),
        kmeans_groups,
        density_groups,
    ],
    ids=["mixture", "unregularised", "weighted", "kmeans", "density"],
)
@pytest.mark.parametrize("axis", range(4))
def test_the_nearest_group_is_the_one_that_a_request_lies_in(make, axis: int) -> None:  # type: ignore[no-untyped-def]
    """Whatever the groups are made by, and however many of them share one heap."""
    rows = clusters()

    found = make(rows).nearest(rows[axis * _EACH], 1)

    assert axis * _EACH in found
    assert {at // _EACH for at in found.tolist()} == {axis}


def test_nearness_orders_groups_as_their_posterior_does() -> None:
    """One group about 0 with three times the weight of another about 10: the middle is where they are equally likely."""
    rows = np.array([[-0.1], [0.0], [0.1], [9.9], [10.0], [10.1], *[[-0.1], [0.0], [0.1]] * 2])[:9]
    groups = mixture_groups(rows, floor=1.0, shared=True)
    by_hand = {}
    for label in set(groups.labels.tolist()):
        mine = rows[groups.labels == label]
        variance = mine.var() + 1.0
        by_hand[label] = (
            np.log(len(mine) / len(rows)) - 0.5 * np.log(variance) - 0.5 * (4.0 - mine.mean()) ** 2 / variance
        )

    found = groups.nearness(np.array([4.0]))

    assert np.argmax(found) == max(by_hand, key=lambda label: by_hand[label])


def test_groups_have_an_order_for_a_request_that_is_far_from_all() -> None:
    """There a posterior is 0 for all groups but one, and says nothing about the second."""
    groups = mixture_groups(clusters(), floor=1e-6)

    assert len(set(groups.nearness(np.array([100.0, 50.0, 0.0, 0.0])).tolist())) == group_count(4 * _EACH)


def test_reduction_keeps_no_more_dimensions_than_there_are() -> None:
    rows, reduce = reduced(clusters(), 32)

    assert rows.shape == (48, 4)
    assert reduce(clusters()[:3]) == pytest.approx(rows[:3])


def test_of_few_servers_with_few_tools_nothing_is_left_out() -> None:
    rows = clusters()[[0, 1, 12, 13, 24, 36]]

    candidates = Candidates(rows, ["a", "a", "b", "b", "c", "d"], kmeans_groups)

    assert candidates.of(rows[0]).tolist() == list(range(6))


def test_of_many_servers_those_of_other_groups_are_left_out() -> None:
    """144 servers of one tool each near twelve axes: twelve groups, five of which are kept."""
    servers = [f"s{at:03}" for at in range(144)]
    candidates = Candidates(clusters(12), servers, kmeans_groups)

    found = candidates.of(clusters(12)[30]).tolist()

    assert set(range(24, 36)) <= set(found)
    assert len(found) < 100


def test_of_a_server_with_many_tools_those_of_other_groups_are_left_out() -> None:
    candidates = Candidates(clusters(12), ["one"] * 144, kmeans_groups)

    found = candidates.of(clusters(12)[30]).tolist()

    assert set(range(24, 36)) <= set(found)
    assert len(found) < 100


def test_a_server_counts_twice_where_it_is_nearer_than_its_tool() -> None:
    found = server_and_tool(np.array([0.5, 0.2, -0.5]), np.array([0.2, 0.5, -0.5]))

    assert found == pytest.approx([0.05, 0.05, 0.0])


def test_every_ranking_has_a_name_and_every_published_figure_a_ranking() -> None:
    assert tuple(RANKERS) == PRUNED
    rows = {name for name in PRUNED if literature.published_of(name)}
    assert len(rows) == len(published.HGMF)


def test_a_request_is_a_first_sentence_that_its_tool_then_lacks() -> None:
    texts = {
        "a": "Draws a red circle on paper. It takes the radius in millimetres.",
        "b": "Sends one letter to a friend. It takes a stamp and address.",
        "c": "Sends one letter to a friend. It takes a telex and number.",
        "d": "Only one sentence that says it.",
        "e": "Too short. It takes nothing at all of you.",
    }
    tools = [
        plain_tool(id=f"s/{name}", server="s", name=name, description=text) for name, text in texts.items()
    ]

    dataset = asked_by_first_sentence("shop", tools)

    assert [(one.text, one.gold) for one in dataset.questions] == [("Draws a red circle on paper.", ("s/a",))]
    left = {tool.id: tool.description for tool in dataset.catalogue.tools}
    assert left["s/a"] == "It takes the radius in millimetres."
    assert left["s/b"] == texts["b"]


def test_with_the_encoder_that_comes_along(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request without a word of its tool."""
    monkeypatch.setattr("bench.methods.hgmf._encoder", OnnxEncoder)
    tools = [
        plain_tool(id=f"{server}/{name}", server=server, name=name, description=text)
        for server, name, text in (
            ("billing", "refund", "Gives money back to a customer."),
            ("weather", "forecast", "Rain, wind and sun of the next days."),
            ("chat", "send", "Sends a message to a channel."),
        )
    ]
    question = Question("1", "will it be stormy tomorrow", ("weather/forecast",), {}, "")
    dataset = Dataset("three", catalogue_of(tools), (question,))

    firsts = {
        name: method_named(name).run(dataset).rankings[0][:1] for name in ("cosine", "mcp_zero", "hgmf")
    }

    assert set(firsts.values()) == {("weather/forecast",)}
