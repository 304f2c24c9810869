"""A goal cut into tasks, with the conditions, exclusions and quantities that restrict them."""

from collections.abc import Callable
from datetime import UTC, datetime
from time import process_time

import pytest

from app.domain.reading.models import Quantity, Reading
from app.domain.reading.tasks import read_goal
from app.domain.reading.values import find_values

SUNDAY = datetime(2026, 11, 22, 15, 0, tzinfo=UTC)
WORDS = frozenset(
    """account add archive board cancel check close comment create customer delete deleting draft endpoint every group
    if in invite issue label latest list merge message order project pull record refund remove rename report request
    see send tag team the ticket to unless user void webhook with without""".split()
)


def read(goal: str, *, is_separate: Callable[[str, str], bool] = lambda _thing, _part: False) -> Reading:
    values = find_values(goal, now=SUNDAY, is_word=WORDS.__contains__)
    return read_goal(goal, values, is_separate=is_separate)


def done(goal: str) -> list[str]:
    return [task.do for task in read(goal).tasks]


def conditions(goal: str) -> list[tuple[str, bool] | None]:
    """The condition of each task, with whether it is negated."""
    return [
        (task.condition.text, task.condition.negated) if task.condition else None for task in read(goal).tasks
    ]


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("if the order is open, cancel the order", ("the order is open", False)),
        ("cancel the order if the order is open", ("the order is open", False)),
        ("cancel the order unless the order is paid", ("the order is paid", True)),
        ("unless the order is paid, cancel the order", ("the order is paid", True)),
        ("cancel the order only if it is open", ("it is open", False)),
        ("cancel the order as long as it is open", ("it is open", False)),
        ("cancel the order if it is open, otherwise don't touch it", ("it is open", False)),
    ],
)
def test_a_condition_stands_before_its_task_or_behind_it(goal: str, expected: tuple[str, bool]) -> None:
    assert (done(goal), conditions(goal)) == (["cancel the order"], [expected])


@pytest.mark.parametrize(
    "goal", ["check if the order is open", "see if the order is open", "close the ticket if possible"]
)
def test_not_every_if_begins_a_condition(goal: str) -> None:
    assert conditions(goal) == [None]


def test_a_condition_holds_for_the_tasks_behind_it_and_not_for_those_before_it() -> None:
    goal = "get the order. If it is open, cancel the order and refund the customer"
    assert done(goal) == ["get the order", "cancel the order", "refund the customer"]
    assert conditions(goal) == [None, ("it is open", False), ("it is open", False)]


def test_a_condition_ends_at_an_and_before_a_verb() -> None:
    goal = "merge the request if it is approved and delete the tag"
    assert done(goal) == ["merge the request", "delete the tag"]
    assert conditions(goal)[0] == ("it is approved", False)


@pytest.mark.parametrize("words", ["aa call it ", "zz it "])
def test_a_long_condition_takes_no_longer_than_its_words(words: str) -> None:
    """What stands behind each possible order in it was read to its end: the first of these took twelve seconds."""
    begin = process_time()
    assert conditions(f"if {words * 2_000}")
    assert process_time() - begin < 2


def test_a_condition_keeps_the_values_that_it_names() -> None:
    condition = read('cancel the order if its status is "Late Payment"').tasks[0].condition
    assert condition is not None
    assert [value.value for value in condition.values] == ["Late Payment"]


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        ("close the ticket but do not delete it", "but do not delete it"),
        ("close the ticket without deleting it", "without deleting it"),
        ("close the ticket, never delete it", "never delete it"),
    ],
)
def test_an_action_that_is_excluded_is_no_task(goal: str, text: str) -> None:
    reading = read(goal)
    assert [task.do for task in reading.tasks] == ["close the ticket"]
    assert [(found.text, found.keeps) for found in reading.exclusions] == [(text, False)]


def test_what_has_to_stay_is_no_task() -> None:
    reading = read("remove the user from the team but keep the account")
    assert [task.do for task in reading.tasks] == ["remove the user from the team"]
    assert [(found.words, found.keeps) for found in reading.exclusions] == [("the account", True)]


def test_an_exception_names_its_value() -> None:
    reading = read("delete every webhook endpoint except we_prod1")
    assert [value.value for found in reading.exclusions for value in found.values] == ["we_prod1"]
    assert "we_prod1" not in [value.value for task in reading.tasks for value in task.values]


def test_an_exception_may_name_an_ordinary_word() -> None:
    reading = read("delete every project except db")
    assert [value.text for found in reading.exclusions for value in found.values] == ["db"]


def test_a_task_goes_on_behind_an_exclusion() -> None:
    goal = "close the ticket without deleting it and send a message"
    assert done(goal) == ["close the ticket", "send a message"]


@pytest.mark.parametrize(
    ("goal", "spared"),
    [
        ("cancel all subscriptions but keep the one for https://a.example/in", ["https://a.example/in"]),
        ("delete every webhook, but keep webhook we_prod1", ["we_prod1"]),
        ("remove user 7 from all teams but keep the account acc_9", []),
    ],
)
def test_one_of_many_that_is_kept_is_spared(goal: str, spared: list[str]) -> None:
    found = read(goal).exclusions
    assert [value.text for one in found for value in one.values] == spared
    assert [one.keeps for one in found] == [True]


@pytest.mark.parametrize(
    ("goal", "task", "kept"),
    [
        ("revoke the grants of app 7, the app itself stays", "revoke the grants of app 7", "app"),
        ("remove user 7 from the team, but his account remains", "remove user 7 from the team", "account"),
        ("empty folder 7, the folder stays as it is.", "empty folder 7", "folder"),
    ],
)
def test_what_stays_is_excluded(goal: str, task: str, kept: str) -> None:
    found = read(goal)
    assert [one.do.rstrip(".") for one in found.tasks] == [task]
    assert [(one.words, one.keeps) for one in found.exclusions] == [(kept, True)]


def test_what_stays_somewhere_is_no_exclusion() -> None:
    assert read("list the rooms, the guests stay in room 7").exclusions == ()


def test_what_must_not_be_done_to_a_thing_is_no_task() -> None:
    found = read("close ticket 7. Ticket 9 must not be closed")
    assert [one.do for one in found.tasks] == ["close ticket 7"]
    assert [one.text for one in found.exclusions] == ["must not be closed"]


@pytest.mark.parametrize(
    ("goal", "task"),
    [
        ("in zone Acme delete the record 7", "delete the record 7 in zone Acme"),
        ("for customer 12, close every invoice", "close every invoice for customer 12"),
        ("in 2 hours", "in 2 hours"),
        ("on board 7 there is a card", "on board 7 there is a card"),
    ],
)
def test_a_place_at_the_start_stands_behind_what_is_done_there(goal: str, task: str) -> None:
    assert done(goal) == [task]


def test_what_a_thing_lacks_is_no_exclusion_of_a_read() -> None:
    found = read("list the issues without a label")
    assert (found.tasks[0].do, found.exclusions) == ("list the issues with no label", ())
    assert read("close the issues without a comment").exclusions


def test_then_behind_an_exclusion_is_no_word_of_a_task() -> None:
    goal = "close the ticket without deleting it, then send a message"
    assert done(goal) == ["close the ticket", "send a message"]


@pytest.mark.parametrize(
    ("goal", "quantity"),
    [
        ("delete every draft", Quantity.EACH),
        ("delete all drafts", Quantity.EACH),
        ("delete all drafts except we_prod1", Quantity.ALL_BUT),
        ("delete the latest draft", Quantity.LAST),
        ("delete the most recent draft", Quantity.LAST),
        ("delete the oldest draft", Quantity.FIRST),
        ("delete a draft", Quantity.ONE),
        ("delete the draft", Quantity.UNSAID),
        ('delete the draft "every day"', Quantity.UNSAID),
    ],
)
def test_a_task_says_how_many_it_means(goal: str, quantity: Quantity) -> None:
    assert [task.quantity for task in read(goal).tasks] == [quantity]


@pytest.mark.parametrize(
    "goal", ["invite bob and carol", "invite bob, carol and dave", "delete the tickets ABC-1 and ABC-2"]
)
def test_a_list_of_values_is_one_task(goal: str) -> None:
    assert done(goal) == [goal]


@pytest.mark.parametrize(
    "text", ["cancel and refund", "stop, then start", "close it if open", "do it without deleting anything"]
)
def test_nothing_is_cut_inside_quotes(text: str) -> None:
    reading = read(f'send the message "{text}"')
    assert [[value.value for value in task.values] for task in reading.tasks] == [[text]]
    assert (reading.exclusions, reading.tasks[0].condition) == ((), None)


def test_the_words_of_a_task_are_without_its_values() -> None:
    (task,) = read('rename project ABC-42 to "New Name"').tasks
    assert (task.words, [value.value for value in task.values]) == (
        "rename project to",
        ["ABC-42", "New Name"],
    )


def test_what_is_made_by_a_call_of_its_own_is_a_task_of_its_own() -> None:
    found = read(
        "close issue 12 with a comment saying fixed",
        is_separate=lambda thing, part: (thing, part) == ("issue", "comment"),
    )
    assert [task.do for task in found.tasks] == ["close issue 12", "create a comment saying fixed"]


def test_what_is_a_part_of_a_thing_stays_in_its_task() -> None:
    goal = "create an issue with a label called urgent"
    assert done(goal) == [goal]


def test_a_value_that_may_be_an_ordinary_word_is_reported() -> None:
    reading = read("add carol to the team")
    weak = [value.text for task in reading.tasks for value in task.values if value.weak]
    assert len(reading.unsure) == len(weak)


def test_characters_for_private_use_are_words_of_no_value() -> None:
    assert done("close\ue000 the ticket\uf400") == ["close the ticket"]


@pytest.mark.parametrize("joint", [", ", " and ", ", with the "])
def test_a_text_with_its_name_goes_on_with_the_task_before(joint: str) -> None:
    (task,) = read(f'send a message to bob@example.com{joint}subject "Your receipt"').tasks
    assert [value.value for value in task.values] == ["bob@example.com", "Your receipt"]


def test_a_text_that_is_a_thing_of_its_own_may_be_a_task() -> None:
    tasks = read('close the ticket and comment "Your receipt"').tasks
    assert [[value.value for value in task.values] for task in tasks] == [[], ["Your receipt"]]


def test_to_leave_something_new_is_a_task() -> None:
    reading = read("close the ticket and leave a comment there")
    assert [task.do for task in reading.tasks] == ["close the ticket", "leave a comment there"]
    assert reading.exclusions == ()


@pytest.mark.parametrize("joint", ["but", "and"])
def test_what_is_left_as_it_is_is_no_task(joint: str) -> None:
    reading = read(f"remove the user from the team {joint} leave the account")
    assert [task.do for task in reading.tasks] == ["remove the user from the team"]
    assert [(found.words, found.keeps) for found in reading.exclusions] == [("the account", True)]


@pytest.mark.parametrize("goal", ["close the ticket, dont delete it", "close the ticket but dont delete it"])
def test_an_exclusion_needs_no_apostrophe(goal: str) -> None:
    reading = read(goal)
    assert [task.do for task in reading.tasks] == ["close the ticket"]
    assert [(found.words, found.keeps) for found in reading.exclusions] == [("delete it", False)]


def test_a_noun_phrase_may_begin_with_words_that_exclude() -> None:
    reading = read("put 12135551122 on the do not contact list")
    assert reading.exclusions == ()
    assert [task.words for task in reading.tasks] == ["put on the do not contact list"]


def test_an_exclusion_may_follow_a_pronoun() -> None:
    reading = read("stop the container and remove it, but keep its volumes")
    assert [found.words for found in reading.exclusions] == ["its volumes"]


def test_a_quoted_text_goes_on_with_the_task_before_by_any_noun() -> None:
    (task,) = read('rate ride 555 with 5 stars, feedback "great driver"').tasks
    assert [value.value for value in task.values if not value.weak] == [555, 5, "great driver"]


@pytest.mark.parametrize(
    ("goal", "do", "condition"),
    [
        ("if it is open close it", "close it", "it is open"),
        ("if deploy d-12 is still running cancel it", "cancel deploy d-12", "deploy d-12 is still running"),
        ("if customers open the ticket again, close it", "close it", "customers open the ticket again"),
        ("if it does send it the invite", "send it the invite", "it does"),
    ],
)
def test_a_condition_that_leads_ends_where_what_it_is_for_begins(goal: str, do: str, condition: str) -> None:
    task = read(goal).tasks[0]
    assert (task.do, task.condition and task.condition.text) == (do, condition)


def test_what_is_done_first_comes_first() -> None:
    assert [task.do for task in read("delete branch b-1 and close issue 12 first").tasks] == [
        "close issue 12 first",
        "delete branch b-1",
    ]


def test_a_word_and_its_value_say_more_of_the_task_before() -> None:
    post = 'post the message "hello" with title Nightly and priority 8'
    assert [task.do for task in read(post).tasks] == [post.replace('"', "")]
    assert len(read("delete user 3 and group 5").tasks) == 2


def test_a_colon_leads_to_what_is_written() -> None:
    task = read("leave a comment on it: shipped in 3.2").tasks[0]
    assert [(value.text, value.kind.value) for value in task.values] == [("shipped in 3.2", "said")]


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("is the order 12 paid? if so close the ticket", ("is the order 12 paid", False)),
        ("is the order 12 paid? if not, close the ticket", ("is the order 12 paid", True)),
        (
            "check whether order 12 is paid, and if so close the ticket",
            ("check whether order 12 is paid", False),
        ),
    ],
)
def test_a_condition_may_be_what_was_asked_before(goal: str, expected: tuple[str, bool]) -> None:
    assert done(goal)[1:] == ["close the ticket"]
    assert conditions(goal) == [None, expected]


def test_what_a_statement_names_belongs_to_the_task_behind_it() -> None:
    task = read('the account "Ann Lee" was merged, remove it from team 4').tasks[0]
    assert [value.value for value in task.values] == ["Ann Lee", 4]
    assert task.do == "remove it from team 4"


@pytest.mark.parametrize(
    "goal", ["she is leaving us, close the account", "I don't need it, close the account"]
)
def test_what_is_not_needed_is_no_exclusion(goal: str) -> None:
    assert not read(goal).exclusions


def test_what_is_just_not_meant_stays() -> None:
    reading = read("delete all orders, just not number 10482")
    assert [value.value for one in reading.exclusions for value in one.values] == [10482]


def test_what_says_more_of_a_task_stands_behind_a_semicolon_in_its_words() -> None:
    (task,) = read("create the board 12, cvr 27918243").tasks
    assert (task.do, task.words) == ("create the board 12, cvr 27918243", "create the board ; cvr")


@pytest.mark.parametrize(
    "goal",
    [
        "close the ticket pls",
        "Hi team, close the ticket, please. Thanks a lot!",
        "Hello, close the ticket",
        "close the ticket. Thank you",
    ],
)
def test_courtesies_ask_for_nothing(goal: str) -> None:
    assert done(goal) == ["close the ticket"]


def test_thanks_that_are_part_of_a_task_stay() -> None:
    assert done("post thanks to the team") == ["post thanks to the team"]


@pytest.mark.parametrize(
    "otherwise",
    ["otherwise leave it alone", "in that case do nothing", "if not, leave it as it is", "else skip it"],
)
def test_that_otherwise_nothing_is_to_be_done_is_no_task(otherwise: str) -> None:
    goal = f"merge the pull request if somebody approved it, {otherwise}"
    assert (done(goal), conditions(goal)) == (
        ["merge the pull request"],
        [("somebody approved it", False)],
    )


@pytest.mark.parametrize(
    "goal",
    [
        "cancel the order. Do this only if it is open",
        "cancel the order, but only do that if it is open",
        "cancel the order assuming that it is open",
        "cancel the order so long as it is open",
    ],
)
def test_a_condition_may_be_set_for_what_was_asked_before(goal: str) -> None:
    assert (done(goal), conditions(goal)) == (["cancel the order"], [("it is open", False)])


def test_what_somebody_never_did_is_no_exclusion() -> None:
    found = read("the customer never finished the report. Close the ticket")
    assert ([task.do for task in found.tasks], found.exclusions) == (["Close the ticket"], ())


def test_what_a_thing_has_already_is_kept() -> None:
    found = read("add the label bug to ticket 7, keep the labels it already has")
    assert [task.do for task in found.tasks] == ["add the label bug to ticket 7"]
    assert [(one.words, one.keeps) for one in found.exclusions] == [("labels", True)]


def test_a_text_with_its_noun_goes_on_behind_with() -> None:
    assert len(read('close ticket 7 with that label and the comment "Done"').tasks) == 1
    assert len(read('close ticket 7 and the comment "Done"').tasks) == 2


@pytest.mark.parametrize(
    "leaving",
    [". If it is paid, leave it alone", ", but if it is paid leave it as it is", ", skip it if it is paid"],
)
def test_what_is_to_be_left_alone_under_a_condition_is_dealt_with_under_its_opposite(leaving: str) -> None:
    goal = f"cancel the order{leaving}"
    assert (done(goal), conditions(goal)) == (["cancel the order"], [("it is paid", True)])


@pytest.mark.parametrize("goal", ["as long as", "close the order as long as", "close it as well as"])
def test_what_leads_to_nothing_is_no_value_and_no_condition(goal: str) -> None:
    assert conditions(goal) == [None]


@pytest.mark.parametrize(
    ("goal", "tasks"),
    [
        ("close issue 7 - it was a false alarm", ["close issue 7"]),
        ("close issue 7 \u2014 then report to the team", ["close issue 7", "then report to the team"]),
        ("close issues 7 - 9", ["close issues 7 - 9"]),
        ('add the label "a - b" to issue 7', ["add the label a - b to issue 7"]),
        ("close issue 7 - Ann", ["close issue 7 - Ann"]),
        ("delete all issues - closed only", ["delete all issues - closed only"]),
        ("delete all issues - the ones that were closed", ["delete all issues - the ones that were closed"]),
        ("delete all issues - they are old", ["delete all issues - they are old"]),
        ("close issue 7 - in project 3", ["close issue 7 - in project 3"]),
        ("close issue 7 - no comments", ["close issue 7, no comments"]),
    ],
)
def test_a_dash_ends_a_sentence_before_an_order_or_a_remark(goal: str, tasks: list[str]) -> None:
    assert done(goal) == tasks


@pytest.mark.parametrize("words", ["x - it was z ", "a - b ", " - the one ", "x - no y "])
def test_many_dashes_take_no_longer_than_their_words(words: str) -> None:
    """For each dash the whole goal before it was looked through: 30,000 characters took four seconds."""
    begin = process_time()
    assert read_goal(words * 2_500, ()).tasks
    assert process_time() - begin < 3
