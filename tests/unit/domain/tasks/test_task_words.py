"""What a task asks for: its verb, what it acts on, and turns of phrase that stand for one verb."""

import pytest

from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.reading.models import GoalTask, StatedValue, ValueKind
from app.domain.tasks.task_words import TaskWords, task_words


def words(text: str) -> TaskWords:
    return task_words(GoalTask(do=text), joined=lambda _: False, implied=frozenset())


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("get rid of it", "delete"),
        ("get it", "get"),
        ("switch it off", "disable"),
        ("let bob know", "send"),
        ("text it to bob", "send"),
        ("check me out of the room", "checkout"),
        ("then tag main as v1", "tag"),
        ("could you please get rid of it", "delete"),
        ("finally tag main as v1", "tag"),
        ("tag main as v1", "tag"),
    ],
)
def test_the_verb_of_a_task_is_that_of_its_phrase_and_no_word_of_order(text: str, verb: str) -> None:
    assert words(text).verb == stem(verb)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("get rid of the label", OperationKind.DELETE),
        ("get the label", OperationKind.GET),
        ("did she delete the label?", OperationKind.GET),
        ("can you delete the label?", OperationKind.DELETE),
    ],
)
def test_what_a_task_asks_for(text: str, kind: OperationKind) -> None:
    assert words(text).kind == kind


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("switch the lamp off", "lamp"),
        ("add the label to every issue", "label"),
        ("get rid of it", ""),
    ],
)
def test_a_particle_is_not_what_a_task_acts_on(text: str, noun: str) -> None:
    assert words(text).object == noun


@pytest.mark.parametrize("leading", ["saying done", "called done", "named done"])
def test_what_a_thing_says_or_is_called_is_not_the_thing(leading: str) -> None:
    assert words(f"create a comment {leading}").object == stem("comment")


@pytest.mark.parametrize(
    ("text", "into"),
    [
        ("move the file into the folder", "folder"),
        ("add it to the queue", "queue"),
        ("take it from the queue", ""),
    ],
)
def test_into_is_where_the_object_goes(text: str, into: str) -> None:
    assert words(text).into == into


@pytest.mark.parametrize(
    ("text", "new"),
    [("put it into a new private list", {"list"}), ("order new toner", {"toner"}), ("close the list", set())],
)
def test_what_is_new_is_to_be_made(text: str, new: set[str]) -> None:
    assert words(text).new == {stem(one) for one in new}


def test_new_is_no_verb_behind_another() -> None:
    assert words("order new toner").verb == "order"


def test_what_a_value_is_called_by_the_caller_is_no_verb() -> None:
    """To issue is to make something, but an issue is a thing."""
    value = StatedValue(
        text="A-4", kind=ValueKind.ID, value="A-4", start=17, end=20, nouns=("issue",), by_name=True
    )
    found = task_words(
        GoalTask(do="transition issue A-4", words="transition issue", values=(value,)), joined=lambda _: False
    )
    assert (found.verb, found.kind) == (stem("transition"), None)


def test_what_has_been_done_to_a_thing_is_not_done_to_it() -> None:
    assert words("recover the deleted file").kind is not OperationKind.DELETE
