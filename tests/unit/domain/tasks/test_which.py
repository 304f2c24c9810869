"""What of a task says which of many things it means."""

import pytest

from app.domain.tasks.which import which_phrase, which_words


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
    ("text", "noun", "many", "words"),
    [
        ("close all low tickets", "tickets", "tickets", ["low"]),
        ("set the priority of all open tickets to high", "priority", "tickets", ["open"]),
        ("archive all projects that are completed", "projects", "projects", ["completed"]),
        ("close the ticket", "ticket", "", []),
    ],
)
def test_its_noun_and_its_words(text: str, noun: str, many: str, words: list[str]) -> None:
    assert which_words(text, noun) == (many, words)
