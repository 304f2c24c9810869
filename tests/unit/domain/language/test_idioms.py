"""Turns of phrase stand for verbs."""

import pytest

from app.domain.language.idioms import idiom_verb, turns_what_is_there, with_opposite, without_idioms
from app.domain.language.text import stem


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("get rid of it", "delete it"),
        ("switch it off", "disable it"),
        ("switch the old lamp off", "disable the old lamp"),
        ("turn off the lamp", "disable the lamp"),
        ("take that lamp out", "remove that lamp"),
        ("turn the lamp on", "enable the lamp"),
        ("let bob know", "send message bob"),
        ("tell bob that it works", "send message bob it works"),
        ("ask bob to review it", "add bob review it"),
        ("give it the go ahead", "approve it"),
        ("kick off the build", "start the build"),
        ("kick bob off", "remove bob"),
        ("lift the freeze on production", "unfreeze production"),
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
        ("Hand the lamp over to bob", "transfer"),
        ("switch it on", "enable"),
        ("switch it off", "disable"),
        ("hand it to bob", ""),
        ("", ""),
    ],
)
def test_the_verb_of_a_turn_of_phrase(text: str, verb: str) -> None:
    assert idiom_verb(text) == verb


@pytest.mark.parametrize(
    ("text", "is_there"),
    [
        ("make the lamp red", True),
        ("mark this card as done", True),
        ("make a lamp", False),
        ("make it", False),
        ("show the lamp now", False),
    ],
)
def test_to_make_a_thing_something_else_is_not_to_make_it(text: str, is_there: bool) -> None:
    assert turns_what_is_there(text.split()) is is_there


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("stop sharing it", "unsharing it"),
        ("stop sending it", "stop sending it"),
        ("stop the share", "stop the share"),
    ],
)
def test_what_should_stop_is_undone_by_a_verb_that_is_in_use(said: str, plain: str) -> None:
    found = with_opposite(tuple(said.split()), is_used=lambda word: word == stem("unshare"))
    assert found == tuple(plain.split())


@pytest.mark.parametrize(
    "text", ["send it in", "send report 7 in by friday", "send it in please", "hand it in today"]
)
def test_in_is_a_particle_at_the_end_of_an_order(text: str) -> None:
    assert idiom_verb(text) == "submit"


@pytest.mark.parametrize("text", ["send the message in channel 7", "send a message in a channel"])
def test_in_is_a_preposition_before_a_noun(text: str) -> None:
    assert idiom_verb(text) == ""


def test_in_is_a_preposition_before_a_value() -> None:
    """Values are no words, so nothing stands behind it."""
    assert without_idioms(("send", "it", "in"), leading={"in"}) == ("send", "it", "in")
