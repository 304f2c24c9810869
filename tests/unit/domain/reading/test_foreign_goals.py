"""Goals in other languages are read in English; values stand in them to the letter."""

import pytest

from app.domain.reading.foreign_goals import goal_in_english


@pytest.mark.parametrize(
    ("goal", "english"),
    [
        (
            "Bitte die Aufgabe 5551 an lena@firma.de zuweisen",
            "assign the task 5551 to lena@firma.de",
        ),
        ("Lösche alle Webhooks außer we_prod1", "delete all webhook except we_prod1"),
        (
            'Füge bob@x.de zum Team hinzu und lösche dann das Repository "alt"',
            'add bob@x.de to the team and delete then the repository "alt"',
        ),
        (
            "desactiva la cuenta de kim@acme.com, pero no la borres",
            "disable the account of kim@acme.com, but do not the delete",
        ),
        (
            "crea un canal llamado ventas",
            "create a channel called ventas",
        ),
        ("ferme l'issue 12 sauf si elle est fermée", "close the issue 12 unless it is close"),
        ("如果订单123还未付款", "if order 123 unpaid"),
    ],
)
def test_the_verb_comes_first_and_values_stay(goal: str, english: str) -> None:
    assert goal_in_english(goal) == english


@pytest.mark.parametrize(
    "goal",
    [
        "add lena@firma.de to the team",
        "archive bala, archive dale, archive dile, archive gole",
        "delete the image on repo de-fr/en",
    ],
)
def test_english_goals_stay_as_they_are(goal: str) -> None:
    """Names and addresses that are words of another language make no goal of that language."""
    assert goal_in_english(goal) == goal


def test_of_several_words_the_catalogue_has_one() -> None:
    goal = "crea una etiqueta"
    assert goal_in_english(goal, is_known=lambda word: word in ("creat", "label")) == "create a label"
    assert goal_in_english(goal, is_known=lambda word: word in ("creat", "tag")) == "create a tag"


@pytest.mark.parametrize(
    "goal", ["we can get rid of . but not if has more than ; 日本", "there are 日本 comments \ue000 close"]
)
def test_a_text_of_two_scripts_is_read(goal: str) -> None:
    """The stems of Latin words in a Chinese text, and characters for private use, made it fail."""
    assert goal_in_english(goal)
