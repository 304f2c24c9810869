"""What a task asks for: its verb, what it acts on, and turns of phrase that stand for one verb."""

import pytest

from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.planning.task_words import TaskWords, task_words, without_idioms
from app.domain.reading.models import GoalTask


def words(text: str) -> TaskWords:
    return task_words(GoalTask(do=text), joined=lambda _: False, implied=frozenset())


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("get rid of it", "delete it"),
        ("switch it off", "disable it"),
        ("switch the old lamp off", "disable the old lamp"),
        ("turn off the lamp", "disable the lamp"),
        ("turn the lamp on", "enable the lamp"),
        ("let bob know", "send message bob"),
        ("ask bob to review it", "add bob review it"),
    ],
)
def test_a_turn_of_phrase_stands_for_its_verb(said: str, plain: str) -> None:
    assert without_idioms(said.split()) == tuple(plain.split())


@pytest.mark.parametrize(
    "said",
    [
        "get it",
        "switch it",
        "let bob in",
        "ask bob",
        "ask me to review it",
        "please get rid of it",
        "switch to the lamp that went off",
    ],
)
def test_other_words_stand_for_themselves(said: str) -> None:
    assert without_idioms(said.split()) == tuple(said.split())


def test_a_particle_too_far_from_its_verb_belongs_to_something_else() -> None:
    said = "switch the lamp that bob and carol bought off".split()
    assert without_idioms(said) == tuple(said)


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("get rid of it", "delete"),
        ("get it", "get"),
        ("switch it off", "disable"),
        ("let bob know", "send"),
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
