"""Clauses that ask for nothing: what the tasks around them are about."""

import pytest

from app.domain.reading.backgrounds import (
    Clause,
    as_order,
    background_words,
    is_statement,
    with_backgrounds,
)
from app.domain.reading.clauses.cutting import split_clauses
from app.domain.reading.tasks import read_goal

KEY, ROOM = "\ue000", "\ue001"
THINGS = frozenset(("key", "room", "user"))


def read(goal: str) -> list[Clause]:
    return with_backgrounds(split_clauses(goal), is_thing=THINGS.__contains__)


def asked(goal: str) -> list[str]:
    return [clause.text for clause in read(goal)]


@pytest.mark.parametrize(
    "statement",
    [
        "nobody works on it any more",
        "the customer cancelled",
        "it was fixed",
        "she wants another one",
        "our build is broken",
        "i pushed the wrong commit",
        "we already filled the position",
        "the client called the meeting off",
        "he left",
        "it works",
        "we know about it",
        "i'll be on a plane",
    ],
)
def test_what_only_says_how_things_are_is_no_task(statement: str) -> None:
    assert is_statement(statement)
    assert asked(f"close issue 12, {statement}") == ["close issue 12"]


@pytest.mark.parametrize(
    "clause",
    [
        "close the order",
        "the customer order",
        "the closed issues",
        "we need the list",
        "we archive it",
        "i wanted a refund",
        "we decided to close it",
        "i counted \ue000 of item \ue001",
    ],
)
def test_what_names_something_or_is_short_is_no_statement(clause: str) -> None:
    assert not is_statement(clause)


def test_a_goal_that_only_says_how_things_are_is_kept() -> None:
    assert asked("the customer has cancelled") == ["the customer has cancelled"]


def test_what_somebody_says_of_himself_is_no_task() -> None:
    assert asked("I'm watching a show and I want some reviews") == ["I want some reviews"]


@pytest.mark.parametrize(
    ("goal", "about", "text"),
    [
        (
            f"user {KEY} in room {ROOM} lost his key. Give him another one",
            f"user {KEY} in room {ROOM} lost his key",
            "Give him another one",
        ),
        (
            f"the key of room {ROOM} was stolen, replace it",
            f"the key of room {ROOM} was stolen",
            "replace it",
        ),
        (
            f"we moved {KEY} into room {ROOM}, please update it",
            f"we moved {KEY} into room {ROOM}",
            "please update it",
        ),
        (f"{KEY} is finished, set that room to {ROOM}", f"{KEY} is finished", f"set that room to {ROOM}"),
        (f"room {ROOM}: which key", f"room {ROOM}", "which key"),
    ],
)
def test_what_a_subject_begins_is_about_the_task_behind_it(goal: str, about: str, text: str) -> None:
    assert read(goal) == [Clause(text, (about,))]


@pytest.mark.parametrize(
    "goal",
    [
        f"cordon room {ROOM} and empty it",
        f"new user {KEY}, then add him to room {ROOM}",
        f"mark key {KEY} as lost and rename it",
    ],
)
def test_what_a_verb_begins_is_a_task_though_nobody_knows_the_verb(goal: str) -> None:
    assert [clause.about for clause in read(goal)] == [(), ()]


def test_a_statement_with_a_value_says_more_of_the_task_before() -> None:
    assert read(f"delete user {KEY}, he was in room {ROOM}") == [
        Clause(f"delete user {KEY}", (f"he was in room {ROOM}",))
    ]


def test_what_is_wished_of_what_was_named_says_more_of_the_task_before() -> None:
    assert read(f"add a room called {ROOM}. It should be our default") == [
        Clause(f"add a room called {ROOM}", ("It should be our default",))
    ]


def test_only_things_are_said_of_what_a_task_is_about() -> None:
    is_thing = THINGS.__contains__
    assert background_words(f"the key of room {ROOM} was stolen", is_thing=is_thing) == "key of room"
    assert background_words("it should be our default", is_thing=is_thing) == "be our default"


@pytest.mark.parametrize(
    ("words", "order"),
    [
        ("every room should get the tag", "add the tag to every room"),
        ("our hook should call us", "set our hook to call us"),
        ("close the room", "close the room"),
        ("you should close the room", "you should close the room"),
        ("which room should be closed", "which room should be closed"),
        ("the claim can be deleted", "deleted the claim"),
        ("issue 12 in the project should be closed", "closed issue 12 in the project"),
        ("the order needs to be cancelled today", "cancelled the order today"),
        ("runner 7 needs another label", "add another label to runner 7"),
        ("list all users that should be deleted", "list all users that should be deleted"),
        ("the order must not be deleted", "the order must not be deleted"),
    ],
)
def test_what_is_wished_of_a_thing_is_to_be_done(words: str, order: str) -> None:
    assert as_order(words) == order


@pytest.mark.parametrize(
    "goal", ["don't disturb me for two hours", "but keep the label", "without deleting it", "?"]
)
def test_a_goal_of_which_no_task_is_left_is_read(goal: str) -> None:
    assert len(read_goal(goal, ()).tasks) == 1


@pytest.mark.parametrize("statement", ["it's already added to the board", "whoever made it can't spell"])
def test_statements_ask_for_nothing(statement: str) -> None:
    assert [one.text for one in with_backgrounds(["close the ticket", statement])] == ["close the ticket"]


def test_what_may_be_done_is_asked_for_where_nothing_else_is() -> None:
    assert asked("the claim can be deleted") == ["the claim can be deleted"]
    assert asked("close the ticket. The room can be deleted later") == ["close the ticket"]
    assert asked("close the ticket. The room must be deleted") == [
        "close the ticket",
        "The room must be deleted",
    ]


@pytest.mark.parametrize(
    "rest", ["shipped and closed ones too", "only what is paid", "one figure per site is enough"]
)
def test_what_narrows_a_question_is_a_part_of_it(rest: str) -> None:
    assert len(asked(f"which orders has she placed? {rest}")) == 1


@pytest.mark.parametrize(
    ("rest", "order"),
    [
        ("only close the last one", "only close the last one"),
        ("cancelled ones must be refunded", "cancelled ones must be refunded"),
        ("just send her the list", "just send her the list"),
        ("only answer order 7", "only answer order 7"),
        ("just void it", "just void it"),
        ("need to close order 7", "need to close order 7"),
        ("unused ones delete", "unused ones delete"),
    ],
)
def test_an_order_behind_a_question_is_one(rest: str, order: str) -> None:
    assert asked(f"which orders has she placed? {rest}")[1:] == [order]


def test_what_has_to_be_done_to_what_was_done_before_is_an_order() -> None:
    assert as_order("cancelled ones must be refunded") == "refunded cancelled ones"


@pytest.mark.parametrize(
    "order",
    [
        "put that in",
        "please enter it",
        "put it in the system please",
        "so file this",
        "can you save that for me",
    ],
)
def test_what_is_to_be_written_down_is_the_statement_before(order: str) -> None:
    [clause] = read(f"user {KEY} lost his key. {order}")
    assert clause.text.endswith(f"user {KEY} lost his key")


def test_the_verb_of_writing_down_is_kept_with_what_is_written_beside() -> None:
    [clause] = read(f"user {KEY} lost his key, log it with the note {ROOM}")
    assert clause.text == f"log user {KEY} lost his key with the note {ROOM}"


@pytest.mark.parametrize(
    "goal",
    [
        "close the room. log it",
        f"close the room and add it to {KEY}",
        f"i lost {KEY}, put it in the box",
        f"room {KEY} was closed, log it",
    ],
)
def test_what_was_asked_for_or_done_is_not_written_down(goal: str) -> None:
    assert not any(
        clause.text.startswith(("enter", "log close", "log room", "log the")) for clause in read(goal)
    )
