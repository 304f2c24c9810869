"""A goal, cut into what it asks for."""

import pytest

from app.domain.reading.clauses.catalogue_words import CatalogueWords
from app.domain.reading.clauses.cutting import split_clauses


@pytest.mark.parametrize(
    ("goal", "clauses"),
    [
        ("cancel my order and refund the payment", ["cancel my order", "refund the payment"]),
        ("find the user by email", ["find the user by email"]),
        ("search for tracks, albums, artists", ["search for tracks", "albums", "artists"]),
        ("This workflow allows users to create a list and delete it.", ["create a list", "delete it"]),
        ("Create an order. This ensures that stock is reserved.", ["Create an order"]),
        ("the", ["the"]),
    ],
)
def test_a_cut_counts_where_something_is_asked_for(goal: str, clauses: list[str]) -> None:
    assert [clause.rstrip(".") for clause in split_clauses(goal)] == clauses


@pytest.mark.parametrize("goal", ["enable hook 3", "enable the user ann", "allow bob to push"])
def test_a_verb_by_which_descriptions_begin_may_be_what_is_asked_for(goal: str) -> None:
    assert split_clauses(goal) == [goal]


@pytest.mark.parametrize(
    "goal",
    ["which invoices does she still have to pay", "what do we need to approve", "who is about to be deleted"],
)
def test_what_a_question_has_to_do_is_no_order(goal: str) -> None:
    assert split_clauses(goal) == [goal]


def test_what_may_be_possible_is_asked_for() -> None:
    assert split_clauses("is it possible to close issue 12")[-1] == "close issue 12"


@pytest.mark.parametrize(
    "goal", ["export the report, as pdf", "deploy web, with two replicas", "deploy web, under another name"]
)
def test_a_piece_that_a_preposition_begins_goes_on_with_the_clause(goal: str) -> None:
    assert split_clauses(goal) == [goal]


def test_a_piece_that_a_noun_begins_is_a_clause() -> None:
    assert split_clauses("export the report, the invoice") == ["export the report", "the invoice"]


@pytest.mark.parametrize(
    "goal",
    [
        "create a user, starts on \ue000",
        "create a job, runs in the office",
        "create an invoice, to be sent on \ue000",
        "list the users, part-time",
        "which users are free, mornings only",
    ],
)
def test_what_only_tells_of_a_thing_is_no_clause(goal: str) -> None:
    assert len(split_clauses(goal)) == 1


@pytest.mark.parametrize(
    ("goal", "clauses"),
    [
        ("delete comments, posts and likes", ["delete comments", "posts", "likes"]),
        ("close the order, refund it", ["close the order", "refund it"]),
        ("close the order, refund", ["close the order", "refund"]),
        ("find the user, invoices", ["find the user", "invoices"]),
        ("delete all users, offline", ["delete all users", "offline"]),
        ("create a user, part-time", ["create a user", "part-time"]),
    ],
)
def test_what_may_be_asked_for_is_a_clause(goal: str, clauses: list[str]) -> None:
    catalogue = CatalogueWords(is_thing=("comment", "post", "like", "invoic").__contains__)
    assert split_clauses(goal, catalogue) == clauses


def test_an_order_before_a_lonely_colon_stays() -> None:
    assert split_clauses("close all. : delete all keys") == ["close all", "delete all keys"]


@pytest.mark.parametrize(
    ("goal", "clauses"),
    [
        ("clean up: delete all old users", ["delete all old users"]),
        ("spring cleaning: delete all old users", ["delete all old users"]),
        ("user 7: delete all keys", ["user 7", "delete all keys"]),
        ("urgent: delete all keys", ["urgent", "delete all keys"]),
        ("drain it: delete all keys", ["drain it", "delete all keys"]),
    ],
)
def test_what_an_order_is_for_is_no_clause(goal: str, clauses: list[str]) -> None:
    assert split_clauses(goal, CatalogueWords(is_thing=lambda stem: stem == "user")) == clauses


def test_a_noun_that_is_made_of_a_verb_begins_no_clause() -> None:
    assert split_clauses("list the contributions of a user to assignment 12") == [
        "list the contributions of a user to assignment 12"
    ]
    assert split_clauses("find the ticket and assign it to bob") == ["find the ticket", "assign it to bob"]


@pytest.mark.parametrize("head", ["reason", "note", "subject"])
def test_a_text_behind_its_head_belongs_to_the_task_before(head: str) -> None:
    clause = f"put order 3 on hold, {head}: \ue000"
    assert split_clauses(clause) == [clause]


@pytest.mark.parametrize(
    ("goal", "clauses"),
    [
        ("set claim 7 to approved and print it", ["set claim 7 to approved", "print it"]),
        ("move it to archived", ["move it to archived"]),
    ],
)
def test_what_a_thing_becomes_is_part_of_its_task(goal: str, clauses: list[str]) -> None:
    assert split_clauses(goal) == clauses


@pytest.mark.parametrize(
    ("goal", "clause"),
    [
        ("book a room \ue000, \ue001 wide and \ue002 high", "book a room \ue000, \ue001 wide; \ue002 high"),
        (
            "book room \ue000 for \ue001, cost centre \ue002",
            "book room \ue000 for \ue001; cost centre \ue002",
        ),
        ("book room \ue000, paid on \ue001", "book room \ue000; paid on \ue001"),
        ("book room \ue000, started \ue001", "book room \ue000; started \ue001"),
        ("register the guest \ue000, cvr \ue001", "register the guest \ue000; cvr \ue001"),
        ("turn off the light, floor \ue000", "turn off the light; floor \ue000"),
    ],
)
def test_a_piece_with_a_value_and_no_verb_says_more_of_the_task_before(goal: str, clause: str) -> None:
    assert split_clauses(goal) == [clause]


def test_a_piece_that_names_one_more_thing_is_a_task() -> None:
    catalogue = CatalogueWords(is_thing=frozenset(("room",)).__contains__)
    assert split_clauses("delete user \ue000, room \ue001", catalogue) == [
        "delete user \ue000",
        "room \ue001",
    ]


def test_a_value_behind_a_full_stop_goes_on_with_the_sentence() -> None:
    assert split_clauses("add a room in Main Str. \ue000, \ue001") == [
        "add a room in Main Str; \ue000, \ue001"
    ]


@pytest.mark.parametrize(
    ("goal", "clauses"),
    [
        (
            "close room \ue000, then furbish the rest of them",
            ["close room \ue000", "then furbish the rest of them"],
        ),
        ("close room \ue000, call the visit off", ["close room \ue000", "call the visit off"]),
        ("close room \ue000, comment \ue400 on \ue001", ["close room \ue000", "comment \ue400 on \ue001"]),
        ("close room \ue000, \uf000 open it", ["close room \ue000", "\uf000 open it"]),
        ("room \ue000, and add \ue001 to it", ["room \ue000", "and add \ue001 to it"]),
    ],
)
def test_a_verb_that_nobody_knows_is_one_by_what_follows_it(goal: str, clauses: list[str]) -> None:
    assert split_clauses(goal) == clauses
