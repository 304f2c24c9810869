"""Files that are asked for by their format are exports."""

import pytest

from app.domain.tasks.exporting import with_exports


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("csv of all tickets please", "export all tickets as csv please"),
        ("i need an excel of all expenses", "export all expenses as xlsx"),
        ("our bookkeeper needs the orders as csv", "export the orders as csv"),
        ("get me all lost deals in excel (xlsx)", "export all lost deals as xlsx"),
        (
            "csv of the orders, mail the link to ops@acme.com when it's ready",
            "export the orders as csv to ops@acme.com",
        ),
        (
            "i need the orders as csv and have it mailed to ops@acme.com. then close 12",
            "export the orders as csv to ops@acme.com. then close 12",
        ),
        ("csv of tickets is broken, fix it", "csv of tickets is broken, fix it"),
        ("I want all tickets in csv deleted", "I want all tickets in csv deleted"),
        ("the spreadsheet with ticket 12", "the spreadsheet with ticket 12"),
        (
            "csv of all tickets, then delete ticket 4 and send it to ann@x.com",
            "export all tickets as csv, then delete ticket 4 and send it to ann@x.com",
        ),
        ("import the csv of last week", "import the csv of last week"),
        ("mail it to ops@acme.com", "mail it to ops@acme.com"),
        ("", ""),
    ],
)
def test_a_file_is_exported_and_sent_in_one(goal: str, expected: str) -> None:
    assert with_exports(goal, is_used=lambda _: True) == expected


def test_where_nothing_is_exported_the_goal_stays() -> None:
    assert with_exports("csv of all tickets", is_used=lambda _: False) == "csv of all tickets"
