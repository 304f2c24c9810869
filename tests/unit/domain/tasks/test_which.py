"""What of a task says which of many things it means."""

import pytest

from app.domain.language.text import stem
from app.domain.tasks.which import Which, ordered_noun, which_phrase, which_words


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("close all tickets with low priority", " tickets with low priority"),
        ("close all tickets assigned to Ann", " tickets assigned to Ann"),
        ("assign all urgent tickets to Ann", " urgent tickets"),
        ("move all cards in Done to the archive", " cards in Done"),
        ("mark every overdue invoice as paid", " overdue invoice"),
        ("tag all contacts from Berlin with vip", " contacts from Berlin "),
        ("close all old tickets with a comment", " old tickets "),
        ("delete all drafts permanently", " drafts "),
        ("extend all trials by 7 days", " trials "),
        ("close the ticket", ""),
    ],
)
def test_a_phrase_says_which_are_meant(text: str, phrase: str) -> None:
    begin, end = which_phrase(text)
    assert text[begin:end] == phrase


@pytest.mark.parametrize(
    ("text", "noun", "which"),
    [
        ("close all low tickets", "tickets", Which("tickets", ["low"], ["low"])),
        ("close all of our remaining tickets", "tickets", Which("tickets", ["remaining"])),
        ("set the priority of all open tickets to high", "priority", Which("tickets", ["open"], ["open"])),
        (
            "archive all projects that are completed",
            "projects",
            Which("projects", ["completed"], behind=["completed"]),
        ),
        ("delete all branches already merged", "branches", Which("branches", ["merged"], behind=["merged"])),
        ("close the ticket", "ticket", Which()),
    ],
)
def test_its_noun_and_its_words(text: str, noun: str, which: Which) -> None:
    found = which_words(text, noun)
    assert found.noun == which.noun
    assert [*found.words] == [*which.words]
    assert ([*found.before], [*found.behind]) == ([*which.before], [*which.behind])


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("roll the database back to its latest backup", "backup"),
        ("close the newest open alert of the device", "alert"),
        ("close the alert", ""),
        ("show the latest", ""),
    ],
)
def test_the_first_or_last_is_meant_of_the_thing_behind_it(text: str, noun: str) -> None:
    things = {stem(word) for word in ("database", "backup", "alert", "device")}
    assert ordered_noun(text, is_thing=things.__contains__) == stem(noun)
