"""What words of a task set without a value: switches and members of enums."""

import numpy as np
import pytest

from app.domain.language.text import stem
from app.domain.planning.index import PlanIndex
from tests.calls import Schema, call
from tests.fillings import assigned, filled

SWITCH: Schema = {"type": "boolean"}
STATE: Schema = {"type": "string", "enum": ["open", "closed"]}
CHANGE_CARD = "PATCH /cards/{cardId}", "updateCard", "Update a card"


@pytest.mark.parametrize(("goal", "state"), [("close card 7", "closed"), ("reopen card 7", "open")])
def test_a_verb_sets_the_state_that_it_leads_to(goal: str, state: str) -> None:
    assert filled(goal, call(*CHANGE_CARD, optional={"state": STATE})).get("state") == state


@pytest.mark.parametrize(
    ("goal", "name", "value"),
    [
        ("make card 7 public", "public", True),
        ("make card 7 private", "public", False),
        ("make card 7 private", "is_private", True),
        ("lock card 7", "locked", True),
        ("unlock card 7", "locked", False),
        ("mute card 7", "muted", True),
        ("remove the covers from card 7", "covers", False),
        ("add covers to card 7", "covers", True),
        ("rename card 7", "muted", None),
    ],
)
def test_a_switch_is_set_by_its_name_and_by_the_opposite(goal: str, name: str, value: bool | None) -> None:
    assert filled(goal, call(*CHANGE_CARD, optional={name: SWITCH})).get(name) is value


def test_to_make_a_thing_is_not_to_say_that_it_is_open() -> None:
    tool = call("POST /cards", "createCard", "Create a card", body=["name"], optional={"state": STATE})
    assert "state" not in filled('open a card called "Paint"', tool)


def test_a_list_is_filtered_by_a_state_that_the_goal_names() -> None:
    tool = call(
        "GET /cards",
        "listCards",
        "List cards",
        query=["state"],
        details={"state": {"enum": ["open", "closed"]}},
    )
    assert filled("list the closed cards", tool) == {"state": "closed"}


def test_words_that_say_what_a_call_is_about_set_nothing() -> None:
    tool = call(
        "GET /cards",
        "listCards",
        "List cards",
        query=["kind"],
        details={"kind": {"enum": ["cards", "boards"]}},
    )
    assert filled("list the cards", tool) == {}


def test_two_members_that_fit_as_well_set_nothing() -> None:
    sizes: Schema = {"type": "string", "enum": ["small", "large"]}
    assert "size" not in filled("paint card 7 small or large", call(*CHANGE_CARD, optional={"size": sizes}))


@pytest.mark.parametrize("said", ["extra-large", "extra large"])
def test_the_longest_member_that_is_said_is_the_one_that_is_meant(said: str) -> None:
    sizes: Schema = {"type": "string", "enum": ["large", "extra_large"]}
    found = filled(f"make card 7 {said}", call(*CHANGE_CARD, optional={"size": sizes}))
    assert found["size"] == "extra_large"


def test_a_value_that_presupposes_another_sets_it() -> None:
    tool = call(
        "POST /visits",
        "createVisit",
        "Create a visit",
        body={"name": {"type": "string"}},
        optional={
            "kind": {"type": "string", "enum": ["once", "repeating"]},
            "weeks": {"type": "integer", "description": "Required only if `kind` is set to `repeating`."},
        },
    )
    assert filled('create a visit called "Plumber" for 3 weeks', tool) == {
        "name": "Plumber",
        "weeks": 3,
        "kind": "repeating",
    }


def test_what_only_orders_an_answer_is_not_set_by_a_word() -> None:
    tool = call(
        "GET /cards",
        "listCards",
        "List cards",
        query=["sort"],
        details={"sort": {"enum": ["name", "colour"]}},
    )
    assert filled("list the cards with their colour", tool) == {}


ANY_CHANGE = call(
    "PATCH /lamps/{lampId}", "patchLamp", "Change a lamp", optional={"body": {"type": "object"}}
)


def test_a_patch_without_properties_borrows_those_of_its_put() -> None:
    put = call("PUT /lamps/{lampId}", "putLamp", "Replace a lamp", body={"locked": SWITCH})
    assert filled("lock lamp 7", ANY_CHANGE, beside=[put]) == {"lampId": "7", "body/locked": True}


def test_a_patch_does_not_borrow_from_the_put_of_another_path() -> None:
    put = call("PUT /doors/{doorId}", "putDoor", "Replace a door", body={"locked": SWITCH})
    assert filled("lock lamp 7", ANY_CHANGE, beside=[put]) == {"lampId": "7"}


SETTINGS = call(
    "PATCH /settings",
    "editSettings",
    "Edit the settings",
    optional={"TrackOpens": SWITCH, "TrackLinks": SWITCH},
)


@pytest.mark.parametrize(
    ("goal", "value"),
    [
        ("turn off open tracking", False),
        ("switch open tracking off", False),
        ("disable open tracking", False),
        ("turn on open tracking", True),
    ],
)
def test_the_switch_that_a_task_turns_off_is_off(goal: str, value: bool) -> None:
    assert filled(goal, SETTINGS) == {"TrackOpens": value}


def test_a_switch_that_says_no_is_on_when_what_it_forbids_is_turned_off() -> None:
    tool = call("PATCH /settings", "editSettings", "Edit the settings", optional={"disableOpens": SWITCH})
    assert filled("disable opens", tool) == {"disableOpens": True}


SEND = call(
    "POST /letters",
    "sendLetter",
    "Send a letter",
    body={"subject": {"type": "string"}},
    optional={"TrackOpens": SWITCH},
)


def test_a_switch_that_an_exclusion_names_is_off() -> None:
    goal = 'send a letter with the subject "Hi" and don\'t track opens'
    assert filled(goal, SEND) == {"subject": "Hi", "TrackOpens": False}


@pytest.mark.parametrize("more", ["", " and do not track links", " but keep the track opens"])
def test_a_switch_that_no_exclusion_names_stays_unset(more: str) -> None:
    assert "TrackOpens" not in filled(f'send a letter with the subject "Hi"{more}', SEND)


def test_to_open_a_bug_makes_one_and_sets_no_state() -> None:
    change = call(*CHANGE_CARD, optional={"state": STATE})
    assert filled("open a bug", change) == {}
    assert filled("open card 7", change) == {"cardId": "7", "state": "open"}


def test_a_state_finds_the_calls_that_set_it_and_the_verb_counts_most() -> None:
    calls = [
        call(*CHANGE_CARD, optional={"state": STATE}),
        call("PATCH /lamps/{lampId}", "updateLamp", "Update a lamp", optional={"is_private": SWITCH}),
        call("GET /cards", "listCards", "List cards", query=["state"]),
    ]
    index, at = PlanIndex(calls), np.arange(len(calls))

    closed = frozenset((stem("closed"), stem("card")))
    assert index.state_fit(closed, stem("closed"), at=at).tolist() == [1.0, 0.0, 0.0]
    assert index.state_fit(frozenset(("make", stem("private"))), "make", at=at).tolist() == [0.0, 0.5, 0.0]
    assert PlanIndex([]).state_fit(closed, "closed", at=at[:0]).tolist() == []


def test_two_negations_of_one_root_say_the_same() -> None:
    state: Schema = {"type": "string", "enum": ["active", "inactive"]}
    assert filled("deactivate card 7", call(*CHANGE_CARD, optional={"state": state}))["state"] == "inactive"


@pytest.mark.parametrize(
    "description",
    [
        "Whether it is shared. Values can be public or private.",
        "Allowed values: `public`, `private`.",
        "must be one of 'public', 'private' or 'secret'",
    ],
)
def test_a_description_may_list_the_members(description: str) -> None:
    mode: Schema = {"type": "string", "description": description}
    tool = call(
        "POST /lists",
        "createList",
        "Create a list",
        body={"name": {"type": "string"}},
        optional={"mode": mode},
    )
    assert filled("create a private list called Plants", tool) == {"name": "Plants", "mode": "private"}


def test_a_description_that_lists_nothing_has_no_members() -> None:
    mode: Schema = {"type": "string", "description": "The value is private to whoever sets it."}
    assert "mode" not in filled("make card 7 private", call(*CHANGE_CARD, optional={"mode": mode}))


def test_the_word_of_a_switch_is_no_name() -> None:
    tool = call(*CHANGE_CARD, optional={"name": {"type": "string"}, "public": SWITCH})
    assert filled("make the card private", tool) == {"public": False}


REASONS: Schema = {"type": "string", "enum": ["plans_changed", "illness", "meeting_cancelled", "other"]}
CANCEL = "POST /trips/{tripId}/cancel", "cancelTrip", "Cancel a trip"


@pytest.mark.parametrize(
    ("goal", "reason"),
    [
        ("cancel trip 7, she has changed her plans", "plans_changed"),
        ("cancel trip 7, she's ill", "illness"),
        ("cancel trip 7, the client called the meeting off", "meeting_cancelled"),
        ("cancel trip 7", None),
        ("cancel trip 7, nobody knows of it", None),
        ("cancel trip 7, she's not ill", None),
    ],
)
def test_what_is_said_beside_a_task_says_why(goal: str, reason: str | None) -> None:
    """And the verb does not: to cancel a trip is not to say that a meeting was."""
    assert filled(goal, call(*CANCEL, optional={"reason": REASONS})).get("reason") == reason


def test_a_reason_in_words_is_asked_for_with_what_was_said() -> None:
    """What is said to us need not be said to others."""
    tool = call(*CANCEL, optional={"reason": {"type": "string"}})
    found = assigned("cancel trip 7, she annoyed everybody", tool)

    assert ("reason",) not in found.known
    assert found.asked == {("reason",): "she annoyed everybody"}


def test_a_list_is_no_change_and_has_no_reason() -> None:
    tool = call("GET /trips", "listTrips", "List trips", query=["reason"], details={"reason": REASONS})
    assert filled("list the trips, she's ill", tool) == {}
