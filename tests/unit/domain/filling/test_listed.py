"""Values that a description lists, where a document has no enum."""

import pytest

from app.domain.filling.listed import listed_values


@pytest.mark.parametrize(
    ("description", "values"),
    [
        ("Either `auto` or `away`", ("auto", "away")),
        ("bank/creditCard/investment", ("bank", "creditCard", "investment")),
        ("DEBIT/CREDIT", ("DEBIT", "CREDIT")),
        ("Must be one of: sms, none.\n\nExample Values: sms", ("sms", "none")),
        ("Type of data, one of “all”, “zone”, “record”", ("all", "zone", "record")),
        ('Command. Possible options: "TripFirst" | "TripLast"', ("TripFirst", "TripLast")),
        (
            "**track**, **context** or **off**.<br/>\n**track** repeats one track.",
            ("track", "context", "off"),
        ),
        (
            "Over what time. Valid values: `long_term` (about a year), `short_term` (last 4 weeks). Default: `long_term`",
            ("long_term", "short_term"),
        ),
        (
            "Which results. Valid values include: * mixed: both of them. * recent: only the newest.",
            ("mixed", "recent"),
        ),
        ("Log type (DEFAULT, INFO, WARN)", ("DEFAULT", "INFO", "WARN")),
    ],
)
def test_values_are_read_from_a_description(description: str, values: tuple[str, ...]) -> None:
    assert listed_values(description) == values


@pytest.mark.parametrize(
    "description",
    [
        "The value of a field when `_type` is `SingleSelect` or `MultiSelect`.",
        "You may pass either `type` or `types`, but not both.",
        "Paginate by setting `cursor` to the `next_cursor` of the last answer.",
        "A URL such as https://example.com/a/b/c",
        "Set to `true` to keep it.",
        "",
    ],
)
def test_what_only_names_other_things_lists_nothing(description: str) -> None:
    assert listed_values(description) == ()
