"""`bench poison`: what an attack is, and that review and places hold it."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.domain.nodes.models import Trust
from bench.poison.attacks import AttackKind, attacks_on
from bench.poison.measure import PoisonFigure, PoisonFigures, measure_poison
from bench.sets.datasets import Dataset, Question, catalogue_of, plain_tool
from tests.fakes import InMemoryGraph

TEXTS = {
    "pay/refund": "Refund a payment to the customer.",
    "pay/charge": "Charge a card for an order.",
    "post/track": "Where a parcel is now.",
    "post/label": "Print the label of a parcel.",
    "desk/reply": "Reply to a ticket of a customer.",
    "desk/close": "Close a ticket.",
}


def shop() -> Dataset:
    tools = [
        plain_tool(id=one, server=one.split("/")[0], name=one.split("/")[1], description=text)
        for one, text in TEXTS.items()
    ]
    questions = [("refund the payment of an order", "pay/refund"), ("where is my parcel", "post/track")]
    return Dataset(
        "shop",
        catalogue_of(tools),
        tuple(Question(str(at), text, (gold,), {}, "") for at, (text, gold) in enumerate(questions)),
    )


@contextmanager
def empty() -> Iterator[InMemoryGraph]:
    yield InMemoryGraph()


def test_each_attack_has_a_server_of_its_own_and_texts_that_the_question_gives() -> None:
    every = list(attacks_on(shop(), shop().questions))
    first = {one.kind: one for one in every if one.question.id == "0"}

    assert list(first) == list(AttackKind)
    listed = {server: tools for one in every for server, tools in one.servers.items()}
    texts = [(tool.name, tool.description) for tools in listed.values() for tool in tools]
    copied = [one for one in texts if one[0] in ("refund", "track")]
    assert len(texts) == len({*texts})
    assert len(copied) == 2
    (question,) = next(iter(first[AttackKind.QUESTION].servers.values()))
    (copy,) = next(iter(first[AttackKind.COPY].servers.values()))
    (topic,) = next(iter(first[AttackKind.TOPIC].servers.values()))
    assert question.description == "refund the payment of an order"
    assert (copy.name, copy.description) == ("refund", TEXTS["pay/refund"])
    assert {"refund", "card"} <= {*topic.description.lower().split()}
    assert [len(tools) for tools in first[AttackKind.FLOOD].servers.values()] == [5]
    assert [len(tools) for tools in first[AttackKind.FLOOD_OF_SERVERS].servers.values()] == [1] * 5


@pytest.mark.timeout(900)
def test_a_baseline_takes_three_places_at_most_and_what_waits_for_review_none() -> None:
    """A copy is held at a baseline, as it has the words of another server's tool."""
    found = measure_poison([shop()], empty=empty)
    by_case = {(one.attack, one.trust): one for one in found.attacks}

    def of(kind: AttackKind, trust: Trust) -> PoisonFigure:
        return by_case[kind.value, trust.value]

    assert found.missed == ()
    assert all(
        (one.served, one.first, one.among_first, one.most, one.planned) == (0, 0, 0, 0, 0)
        for one in found.attacks
        if one.trust == Trust.REVIEW
    )
    assert of(AttackKind.QUESTION, Trust.FULL).among_first == 2
    assert of(AttackKind.FLOOD, Trust.FULL).most == 5
    assert of(AttackKind.FLOOD, Trust.BASELINE).most == 3
    assert of(AttackKind.FLOOD, Trust.BASELINE).served == 2
    assert of(AttackKind.FLOOD_OF_SERVERS, Trust.FULL).most == 5
    assert of(AttackKind.FLOOD_OF_SERVERS, Trust.BASELINE).most == 3
    assert of(AttackKind.FLOOD_OF_SERVERS, Trust.BASELINE).served == 2
    assert of(AttackKind.COMMON, Trust.BASELINE).served == 2
    assert of(AttackKind.COPY, Trust.BASELINE).served == 0
    assert of(AttackKind.COPY, Trust.FULL).served == 2
    (price,) = found.prices
    assert (price.questions, price.trusted) == (2, 1.0)


def test_a_target_that_is_missed_is_said() -> None:
    served = PoisonFigure("shop", AttackKind.QUESTION.value, "review", 2, 1, 0, 0, 0, 0)
    floods = [
        PoisonFigure("shop", kind.value, "baseline", 2, 2, 2, 2, 4, 0)
        for kind in (AttackKind.FLOOD, AttackKind.FLOOD_OF_SERVERS)
    ]

    assert len(PoisonFigures((served, *floods), ()).missed) == 3
