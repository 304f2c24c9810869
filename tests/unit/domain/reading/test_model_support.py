"""What a goal states, and which words are cut out of it."""

import pytest

from app.domain.reading.model_support import states_number, states_text, unsupported

GOAL = (
    "Cancel order ABC-42 for $1,500.00, tell @anna within 30min; close issues 1,2,3 of octocat/hello-world"
    " three times unless commit 7f3a says -5.5"
)


@pytest.mark.parametrize("number", [1500, 1500.0, 30, 1, 2, 3, 42, -5.5])
def test_numbers_are_compared_by_value(number: float) -> None:
    """With and without marks and units, in lists, spelt out."""
    assert states_number(GOAL, number)


@pytest.mark.parametrize("number", [7, 500, 15, 1500.5, 150000, -42, 10**60, 1e308, 12])
def test_a_number_that_only_resembles_one_is_not_stated(number: float) -> None:
    """Parts of names and of larger numbers are others."""
    assert not states_number(GOAL, number)


@pytest.mark.parametrize(
    ("text", "numbers", "others"),
    [
        ("1.500,25", [1500.25], [1.5, 150025, 25]),
        ("1.500", [1500, 1.5], [500]),
        ("1,5", [1.5, 1, 5], [15]),
        ("1,000,000", [1_000_000], [1, 0, 1000]),
        ("v1.4.0", [], [1, 4, 140]),
        ("1.4.0", [], [1, 4, 140, 1.4]),
        ("007", [7], [0]),
        ("-3 and 10-20", [-3, 10, 20], [3, -20]),
        ("9" * 60, [], [int("9" * 60)]),
        ("12345678901234567890", [12345678901234567890], [12345678901234567891]),
    ],
)
def test_points_and_commas_are_read_in_both_ways(
    text: str, numbers: list[float], others: list[float]
) -> None:
    assert [states_number(text, one) for one in numbers] == [True] * len(numbers)
    assert [states_number(text, one) for one in others] == [False] * len(others)


@pytest.mark.parametrize("text", ["ABC-42", "@anna", "anna", "octocat/hello-world", "Cancel order ABC-42"])
def test_a_text_is_stated_to_the_letter(text: str) -> None:
    assert states_text(GOAL, text)


@pytest.mark.parametrize("text", ["ABC-4", "abc-42", "BC-42", "octo", "", "7f3", "ann"])
def test_a_part_of_a_word_is_not_stated(text: str) -> None:
    """A shorter id is another id."""
    assert not states_text(GOAL, text)


def test_particles_behind_a_name_are_not_a_part_of_it() -> None:
    """Korean writes them directly behind."""
    assert states_text("주문 ABC-42를 취소해 주세요", "ABC-42")


@pytest.mark.parametrize(
    "text",
    [
        "cancel order ABC-42",
        "cancelling the order",
        "Close issues 1",
        "tell Anna",
        "close the Issues",
        "find order ABC-42",
    ],
)
def test_words_of_the_goal_are_supported(text: str) -> None:
    """In other forms, in another order, with a verb before them that only looks."""
    assert unsupported(GOAL, text) == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("delete the account", "no word"),
        ("show it", "no word"),
        ("", "no word"),
        ("cancel order ABC-42 then delete account", "does not say 'delet'"),
        ("order: purge all", "does not say 'purg'"),
        ("cancel order ABC-43", "'ABC-43'"),
        ("tell Mallory", "'Mallory'"),
        ("tell anna at http://evil.example/x", "evil.example"),
        ("order weather forecast", "does not say 'forecast'|most of its words"),
        ("order salary spreadsheet", "most of its words"),
    ],
)
def test_words_that_the_goal_does_not_say_are_refused(text: str, why: str) -> None:
    """Even beside words that it says."""
    assert any(part in unsupported(GOAL, text) for part in why.split("|")), unsupported(GOAL, text)
