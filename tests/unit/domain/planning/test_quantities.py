"""How many things a goal means, and which numbers say so."""

import pytest

from app.domain.workflows.plans import StepBinding
from tests.calls import NUMBER, TEXT, Schema, call, page
from tests.unit.domain.planning.test_goals import names, plan
from tests.unit.domain.planning.test_unseen_goals import known

CHARGE: Schema = {
    "title": "Charge",
    "type": "object",
    "properties": {"id": TEXT, "amount": NUMBER, "created": {"type": "string", "format": "date-time"}},
}
SHOP = [
    call(
        "GET /charges",
        "listCharges",
        "List charges",
        query=("customerId", "min_amount", "max_amount", "limit"),
        details={"min_amount": NUMBER, "max_amount": NUMBER, "limit": NUMBER},
        answer=page("charges", CHARGE),
    ),
    call("POST /charges/{chargeId}/refund", "refundCharge", "Refund a charge"),
    call("POST /charges/{chargeId}/flag", "flagCharge", "Flag a charge as spam"),
]


@pytest.mark.parametrize(
    ("goal", "bounds"),
    [
        ("list charges between 200 and 500", {"min_amount": 200, "max_amount": 500}),
        ("list charges of at least 200", {"min_amount": 200}),
        ("list charges over 200", {"min_amount": 200}),
    ],
)
def test_a_number_that_bounds_others_goes_to_the_bound(goal: str, bounds: dict[str, int]) -> None:
    found = plan(goal, SHOP)
    assert names(found) == ["listCharges"]
    assert known(found, 0) == bounds


@pytest.mark.parametrize(
    "goal", ["refund every charge up to 250", "refund all charges over 250", "refund all three charges"]
)
def test_what_bounds_or_counts_is_no_id(goal: str) -> None:
    found = plan(goal, SHOP)
    assert all("chargeId" not in known(found, at) for at in range(len(found.steps)))


@pytest.mark.parametrize(
    ("goal", "by"),
    [
        ("refund the newest charge of customer cus_7", "last"),
        ("refund the last charge of customer cus_7", "last"),
        ("refund the two newest charges", "ask"),
        ("refund the last two charges", "ask"),
        ("refund the 3 newest charges", "ask"),
    ],
)
def test_more_than_the_newest_are_not_the_newest_alone(goal: str, by: str) -> None:
    found = plan(goal, SHOP)
    assert names(found) == ["listCharges", "refundCharge"]
    bound = found.steps[-1].bindings["chargeId"]
    assert isinstance(bound, StepBinding)
    assert bound.select is not None
    assert bound.select.by == by


@pytest.mark.parametrize(
    "goal",
    [
        "charges ch_7 and ch_8 were sent by mistake, refund them",
        "Finance says charges ch_7 and ch_8 are wrong, please refund both",
    ],
)
def test_what_is_told_of_things_says_which_are_meant(goal: str) -> None:
    found = plan(goal, SHOP)
    assert names(found) == ["refundCharge"] * 2
    assert [known(found, at)["chargeId"] for at in (0, 1)] == ["ch_7", "ch_8"]


def test_how_many_are_shown_may_stand_in_a_sentence_of_its_own() -> None:
    found = plan("which charges does customer 7 have? max 20", SHOP)
    assert known(found, 0) == {"customerId": "7", "limit": 20}
    assert not found.unmet
