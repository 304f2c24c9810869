"""What people write short is spelt out."""

import pytest

from app.domain.language.text import stem
from app.domain.tasks.spelt_out import (
    beside_quotes,
    with_conversions,
    with_direction_beside,
    with_documents_made,
    with_dues,
    with_initials_spelt_out,
    with_one_adverb,
    without_titles,
)


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("what is on dr okafor's calendar", "what is on Okafor's calendar"),
        ("book her in with Dr. Brandt on Monday", "book her in with Brandt on Monday"),
        ("call Mrs. van Dyke", "call Van Dyke"),
        ("a timeout of 500 ms should do", "a timeout of 500 ms should do"),
        ("convert 500 Ms to seconds", "convert 500 Ms to seconds"),
        ("merge mr 12", "merge mr 12"),
    ],
)
def test_titles_are_no_names(goal: str, expected: str) -> None:
    assert without_titles(goal) == expected


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("make an invoice out of QU-7, dated today", "turn QU-7 into an invoice, dated today"),
        ("create a ticket out of chat 90417", "turn chat 90417 into a ticket"),
        ("make a lamp out of wood", "make a lamp out of wood"),
    ],
)
def test_what_is_made_out_of_another_thing_is_turned_into_it(goal: str, expected: str) -> None:
    assert with_conversions(goal, is_used=lambda _stem: True) == expected
    assert with_conversions(goal, is_used=lambda _stem: False) == goal


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("invoice her 40, to be paid by 2026-04-30", "invoice her 40, due 2026-04-30"),
        ("a bill over 12.00 payable until tomorrow", "a bill over 12.00 due tomorrow"),
        ("list what has to be paid by Bob", "list what has to be paid by Bob"),
        ("which bills must be paid by tomorrow", "which bills must be paid by tomorrow"),
    ],
)
def test_when_something_has_to_be_paid_it_is_due(goal: str, expected: str) -> None:
    assert with_dues(goal, is_used=lambda _stem: True) == expected
    assert with_dues(goal, is_used=lambda _stem: False) == goal


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("approve po 88214", "approve purchase order 88214"),
        ("the PO can go out", "the purchase order can go out"),
        ("po is a river", "po is a river"),
        ("merge pr #12", "merge pr #12"),
    ],
)
def test_initials_stand_for_what_the_catalogue_has(goal: str, expected: str) -> None:
    used = {stem("purchase"), stem("order")}
    assert with_initials_spelt_out(goal, is_used=used.__contains__) == expected


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("delete it for good", "delete it permanently"),
        ("erase it Once and for all.", "erase it permanently."),
        ("for goodness sake, stop", "for goodness sake, stop"),
        ("show tickets for good customers", "show tickets for good customers"),
    ],
)
def test_how_something_is_done_is_one_word(goal: str, expected: str) -> None:
    assert with_one_adverb(goal) == expected


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("add her, then invoice her 450", "add her, then create an invoice for her 450"),
        ("bill Kaffeehaus Lindner 320 eur", "create an invoice for Kaffeehaus Lindner 320 eur"),
        ("quote ann@acme.com for 4 chairs", "quote ann@acme.com for 4 chairs"),
        ("send the invoice to her", "send the invoice to her"),
        ("delete invoice inv_12 and invoice inv_13", "delete invoice inv_12 and invoice inv_13"),
        ("Bill Gates owes us 20 dollars", "Bill Gates owes us 20 dollars"),
        ("invoice 12 is late", "invoice 12 is late"),
    ],
)
def test_a_document_is_made_out_to_somebody(goal: str, expected: str) -> None:
    assert with_documents_made(goal, is_thing=lambda word: word == stem("invoice")) == expected


def test_what_is_quoted_stays_to_the_letter() -> None:
    goal = 'send "Lena has left for good" to \u201cDr no\u201d, for good'
    assert beside_quotes(with_one_adverb, goal) == goal[: -len("for good")] + "permanently"
    assert beside_quotes(without_titles, goal) == goal
    assert beside_quotes(str.upper, 'a "b" c') == 'A "b" C'


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("list users by name, descending", "list users by name descending"),
        ("list users by name, in ascending order", "list users by name ascending"),
        ("list users, newest first", "list users newest first"),
        ("list users, first the new ones", "list users, first the new ones"),
    ],
)
def test_a_direction_stands_beside_the_list(goal: str, expected: str) -> None:
    assert with_direction_beside(goal) == expected
