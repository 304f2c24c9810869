"""Calls are chosen by meaning beside words: reads freely, changes where they are clearly near, and nothing that is far."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.choosing import ruled
from app.domain.choosing.near import NEAREST, closeness, nearest
from app.domain.choosing.recipe import RECIPE
from app.domain.nodes.models import Tool
from app.domain.planning.draft import PlanDraft, draft_plan, requirements_within
from app.domain.planning.index import PlanIndex
from app.domain.planning.meant import TaskMeaning, meant_text
from app.domain.ranking.formulas import Positions
from app.domain.ranking.runs import Reached
from app.domain.reading.models import GoalTask
from app.domain.reading.values import find_values
from ingest.enrich.requires.dependencies import infer_dependencies
from tests.calls import Schema, call, page, record

EMAIL: Schema = {"type": "string", "format": "email"}
TOOLS = [
    call("GET /events", "listEvents", "What is coming up"),
    call("GET /members", "listMembers", "All members"),
    call("POST /visits", "makeVisit", "Come back another day", body={"email": EMAIL}),
    call("DELETE /keys/{keyId}", "revokeKey", "Revoke a key"),
    call("POST /sessions", "makeSession", "A session with the crm"),
    call("POST /boards/{boardId}/reset", "resetBoard", "Reset a board"),
]
BOOK = "book a slot for ann@acme.com"
PLACES = {tool.name: at for at, tool in enumerate(TOOLS)}


def meaning(cosines: Mapping[str, float], suggested: Mapping[str, float] = {}) -> TaskMeaning:
    def reached(scores: Mapping[str, float]) -> Reached:
        at = sorted(PLACES[name] for name in scores)
        by_place = {PLACES[name]: score for name, score in scores.items()}
        return Reached(np.array(at, np.intp), np.array([by_place[one] for one in at], np.float64))

    return TaskMeaning(reached(dict.fromkeys(PLACES, 0.0) | dict(cosines)), reached(suggested))


def draft(goal: str, *meant: TaskMeaning) -> PlanDraft:
    def found(tasks: Sequence[str], _: Positions) -> Sequence[TaskMeaning]:
        return meant or [TaskMeaning()] * len(tasks)

    return draft_plan(PlanIndex(TOOLS), goal, requirements=requirements_within(()), known={}, meant=found)


def names(found: PlanDraft) -> list[str]:
    return [TOOLS[at].name for at in found.order]


def test_a_read_is_found_by_meaning_alone() -> None:
    goal = "what is on soon?"
    assert names(draft(goal)) == []
    assert names(draft(goal, meaning({"listEvents": 0.31, "listMembers": 0.1}))) == ["listEvents"]


def test_what_is_far_from_everything_is_no_read_either() -> None:
    found = draft("what is on soon?", meaning({"listEvents": 0.19, "listMembers": 0.1}))
    assert names(found) == []
    assert [one.task for one in found.unmet] == ["what is on soon?"]


@pytest.mark.parametrize(("cosine", "planned"), [(0.15, []), (0.25, ["makeVisit"])])
def test_a_change_that_no_word_speaks_for_has_to_be_near_and_far_likelier_than_all_else(
    cosine: float, planned: list[str]
) -> None:
    """It takes the address, and no other call does."""
    assert names(draft(BOOK, meaning({"makeVisit": cosine}))) == planned


def test_a_change_that_takes_nothing_of_the_goal_is_not_made_by_meaning_alone() -> None:
    assert names(draft("book a slot", meaning({"makeVisit": 0.9}))) == []


def test_a_change_that_a_common_method_suggests_may_be_further() -> None:
    near = {"makeVisit": 0.1}
    assert names(draft(BOOK, meaning(near, {"makeVisit": 0.3}))) == []
    assert names(draft(BOOK, meaning(near, {"makeVisit": 0.4}))) == ["makeVisit"]


def test_a_change_that_only_shares_a_noun_is_not_made_where_its_meaning_is_another() -> None:
    goal = "disconnect the crm"
    assert names(draft(goal)) == ["makeSession"]
    assert names(draft(goal, meaning({"revokeKey": 0.3, "makeSession": 0.05}))) == []


@pytest.mark.parametrize(("cosine", "planned"), [(0.5, []), (0.55, ["resetBoard"])])
def test_a_call_named_after_another_act_has_to_be_among_the_closest(
    cosine: float, planned: list[str]
) -> None:
    """To ask a board is not to reset it, though reset takes the board and nothing else does."""
    close = meaning({"makeSession": 0.6, "resetBoard": cosine})
    assert names(draft("ask board b-7", close)) == planned
    assert names(draft("reset board b-7", close)) == ["resetBoard"]


def test_a_change_that_has_the_verb_of_the_task_needs_no_vector() -> None:
    assert names(draft("revoke key k-99", meaning({"makeVisit": 0.4, "revokeKey": 0.1}))) == ["revokeKey"]


def test_what_is_closest_is_not_called_where_it_neither_knows_nor_takes_what_the_task_states() -> None:
    assert names(draft("ask board b-7", meaning({"makeSession": 0.9}))) == []


def test_a_read_does_not_do_what_is_to_be_done() -> None:
    goal = "order pizza for all members"
    assert names(draft(goal, meaning({"listMembers": 0.35}))) == []


def test_a_tool_without_a_vector_is_chosen_as_if_there_were_none() -> None:
    goal = "disconnect the crm"
    only_others = TaskMeaning(Reached(np.array([0, 1], np.intp), np.array([0.1, 0.3])))
    assert names(draft(goal, only_others)) == names(draft(goal))


def test_tasks_are_compared_together_without_their_values() -> None:
    """What is encoded says what to do, not to which thing: one question for the whole goal."""
    asked: list[Sequence[str]] = []

    def meant(tasks: Sequence[str], _: Positions) -> Sequence[TaskMeaning]:
        asked.append(tasks)
        return [TaskMeaning()] * len(tasks)

    goal = "revoke key k-99 and list the members of acme/webshop"
    draft_plan(PlanIndex(TOOLS), goal, requirements=requirements_within(()), known={}, meant=meant)

    assert asked == [["revoke key", "list the members of"]]


def test_a_task_in_another_language_is_compared_in_english() -> None:
    assert "refund" in meant_text(GoalTask(do="erstatte dem Kunden die Zahlung")).lower()


def test_closeness_is_the_square_of_the_share_and_less_where_all_is_far() -> None:
    """(.3 / .6)^2 = .25; with a best cosine of .25 all of it counts by half."""
    at = np.array([1, 4], np.intp)
    assert closeness(Reached(at, np.array([0.6, 0.3]))).scores.tolist() == pytest.approx([1.0, 0.25])
    assert closeness(Reached(at, np.array([0.25, 0.125]))).scores.tolist() == pytest.approx([0.5, 0.125])


@given(st.lists(st.floats(0, 1), max_size=40))
def test_the_nearest_are_few_rise_and_are_near(cosines: list[float]) -> None:
    found = nearest(Reached(np.arange(len(cosines)), np.array(cosines, np.float64)))
    assert found.size <= NEAREST
    assert sorted(set(found.tolist())) == found.tolist()
    assert all(cosines[at] >= 0.2 for at in found.tolist())
    if any(one >= 0.2 for one in cosines):
        assert max(cosines) == max(cosines[at] for at in found.tolist())


def test_what_is_compared_does_not_grow_with_the_values() -> None:
    """Each quoted mark was replaced by several, and each of these by the next."""
    goal = "'.' " * 500
    values = find_values(goal, now=datetime(2026, 1, 1, tzinfo=UTC))
    task = GoalTask(do=goal, values=values)

    assert len(values) > 100
    assert len(meant_text(task)) <= len(goal)


def test_an_id_in_place_of_a_noun_is_compared_as_what_it_is_of() -> None:
    (value,) = find_values("rename evt_9410", now=datetime(2026, 1, 1, tzinfo=UTC))
    task = GoalTask(do="rename evt_9410", values=(value,))

    assert meant_text(task, {"evt_9410": "event"}) == "rename event"
    assert meant_text(task) == "rename"


CHAT = [
    call("POST /channels/{channelId}/archive", "archiveChannel", "Archive a channel"),
    call(
        "DELETE /users/{userId}",
        "deleteUser",
        "Delete a user",
        details={"userId": {"examples": ["U04KJ8LQZ"], "pattern": "^U[A-Z0-9]{8}$"}},
    ),
    call("POST /categories", "makeCategory", "Make a category"),
    call(
        "PUT /categories/{categoryId}",
        "changeCategory",
        "Change a category",
        details={"categoryId": {"examples": ["cat_8"]}},
    ),
]


def compared(goal: str, tools: Sequence[Tool] = CHAT) -> list[str]:
    """What is encoded of the tasks of a goal."""
    asked: list[Sequence[str]] = []

    def meant(tasks: Sequence[str], _: Positions) -> Sequence[TaskMeaning]:
        asked.append(tasks)
        return [TaskMeaning()] * len(tasks)

    draft_plan(PlanIndex(tools), goal, requirements=requirements_within(()), known={}, meant=meant)
    (texts,) = asked
    return [*texts]


@pytest.mark.parametrize(
    ("goal", "texts"),
    [
        ("kick U04KJ8LQZ out of #sales", ["kick user out of channel"]),
        ("add ann@acme.com to #sales", ["add user to channel"]),
        # The word of the calls, and not its stem.
        ("rename cat_8", ["rename category"]),
        ("move cat_8, cat_9 and cat_10 up", ["move category , and up"]),
        # A noun that is said stands there already.
        ("archive channel #sales for user U04KJ8LQZ", ["archive channel for user"]),
        # Who gets something is not what it is done to.
        ("send the report to ann@acme.com", ["send the report to"]),
    ],
)
def test_what_tells_a_thing_by_its_form_is_compared_as_such_a_thing(goal: str, texts: list[str]) -> None:
    """`kick` and `out of` alone say neither who nor from where."""
    assert compared(goal) == texts


def test_an_address_is_nobody_in_particular_where_there_are_people_of_several_kinds() -> None:
    """One kind of person is meant where there is no other, and a user where there are users."""
    authors = call("GET /authors/{authorId}", "getAuthor", "An author")
    editors = call("POST /reviewers", "makeReviewer", "A reviewer")

    assert compared("what has ann@acme.com written", [authors]) == ["what has author written"]
    assert compared("what has ann@acme.com written", [authors, editors]) == ["what has written"]


PLACED = [
    call(
        "POST /groups/{groupId}/members",
        "addMember",
        "Put devices into a group",
        body={"serialNumbers": {"type": "array", "items": {"type": "string", "examples": ["SG-1"]}}},
    ),
    call(
        "PATCH /devices/{serialNumber}",
        "changeDevice",
        "Put a device somewhere",
        optional={"displayName": {"type": "string"}},
        details={"serialNumber": {"examples": ["SG-1"]}},
    ),
    call(
        "GET /groups",
        "listGroups",
        "List groups",
        query=["name"],
        answer=page("groups", record("Group", "groupId", "name")),
    ),
]
TEAM: Schema = {"type": "integer", "description": "ID of the team."}
CHATS = [
    call(
        "POST /conversations.kick",
        "kick",
        "Removes somebody from a channel",
        optional={
            "channel": {"type": "string", "description": "ID of the channel.", "examples": ["C02PR0J7X"]},
            "user": {"type": "string", "description": "ID of the user.", "examples": ["U04KJ8LQZ"]},
        },
    ),
    call(
        "POST /users.remove",
        "removeUser",
        "Remove a user",
        body={"team": TEAM},
        optional={"user": {"type": "string", "description": "ID of the user.", "examples": ["U04KJ8LQZ"]}},
    ),
]


def chosen(goal: str, tools: Sequence[Tool], cosines: Mapping[str, float]) -> list[str]:
    """The calls of a goal of one task, where all tools are compared with it."""
    at = np.arange(len(tools))
    found = TaskMeaning(Reached(at, np.array([cosines.get(tool.name, 0.0) for tool in tools])))
    edges = requirements_within(infer_dependencies(tools).requires)
    made = draft_plan(
        PlanIndex(tools), goal, requirements=edges, known={}, meant=lambda tasks, _: [found] * len(tasks)
    )
    return [tools[target.at].name for target in made.targets]


def test_what_looks_up_the_place_is_not_outdone_by_what_takes_its_name_for_another() -> None:
    goal = "put SG-1, SG-2 and SG-3 into the Roof Units group"
    assert chosen(goal, PLACED, {"addMember": 0.6, "changeDevice": 0.5}) == ["addMember"]


def test_a_likelier_change_that_takes_all_goes_before_one_that_leaves_some_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where rules prefer the other one, which has more of the words."""
    monkeypatch.setattr(ruled, "RECIPE", replace(RECIPE, near_enough=1.0))
    goal = "remove U04KJ8LQZ from channel C02PR0J7X"
    kick, remove = CHATS
    tools = [kick, remove.model_copy(update={"description": "Remove a user from all channels"})]

    assert chosen(goal, tools, {"kick": 0.55, "removeUser": 0.6}) == ["kick"]
    assert chosen(goal, tools, {"kick": 0.2, "removeUser": 0.6}) == ["removeUser"]


def test_what_leaves_a_channel_that_is_named_by_its_sign_is_not_called_and_the_next_may_be() -> None:
    goal = "remove ann@acme.com from #sales"
    assert chosen(goal, CHATS, {"kick": 0.62, "removeUser": 0.64}) == ["kick"]
    assert chosen(goal, CHATS, {"kick": 0.1, "removeUser": 0.64}) == []
