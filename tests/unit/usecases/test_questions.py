"""A request for a plan that cannot be meant is refused, with the field, its value and what is accepted."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from app.domain.reading.models import AskedTask
from app.domain.workflows.plans import When
from app.usecases.questions import PlanRequest, zone_named


def request(**fields: Any) -> PlanRequest:
    return PlanRequest.model_validate({"goal": "do it", **fields})


@pytest.mark.parametrize(
    ("fields", "place", "said"),
    [
        ({"timezone": "Mars/Phobos"}, "timezone", "'Mars/Phobos' is no time zone; accepted: an IANA name"),
        ({"timezone": "../../etc/passwd"}, "timezone", "is no time zone"),
        ({"timezone": "Europe"}, "timezone", "is no time zone"),
        ({"timezone": ""}, "timezone", "is no time zone"),
        ({"now": "tomorrow"}, "now", "'tomorrow' is no time; accepted: ISO 8601"),
        ({"now": 1_700_000_000}, "now", "is no time"),
        ({"now": "0001-01-01T00:00:00+14:00"}, "now", "the year 1 is out of bounds; accepted: 1900 to 9000"),
        ({"secret": ["api_kye"], "known": {"api_key": 1}}, "secret", "'api_kye' is no name in `known`; accepted: api_key"),
        ({"secret": ["a"]}, "secret", "accepted: none, as nothing is known"),
        ({"tasks": [{"do": ""}]}, "tasks", "at least 1 character"),
        ({"tasks": [{"do": "a", "after": [1]}]}, "tasks", "task 1 comes after 1; accepted: other tasks, from 1 to 1"),
        ({"tasks": [{"do": "a", "after": [2]}]}, "tasks", "task 1 comes after 2"),
        (
            {"tasks": [{"do": "a"}, {"do": "b", "after": [3]}, {"do": "c", "after": [2]}]},
            "tasks",
            "tasks 2, 3 come after each other",
        ),
        ({"tasks": [{"do": "a"}] * 51}, "tasks", "at most 50"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(fields: dict[str, Any], place: str, said: str) -> None:
    with pytest.raises(ValidationError) as refused:
        request(**fields)

    (first, *_) = refused.value.errors()
    assert first["loc"][0] == place
    assert said in first["msg"]


def test_a_refusal_does_not_repeat_what_is_secret() -> None:
    """A name that is misspelt is shown without what is known under others."""
    with pytest.raises(ValidationError) as refused:
        request(known={"api_key": "sk-live-9"}, secret=["api_kye"])

    assert "sk-live-9" not in str(refused.value.errors()[0])


def test_a_time_without_an_offset_is_one_of_the_time_zone() -> None:
    """In whichever order the two are given; one with an offset is the same moment there."""
    berlin = ZoneInfo("Europe/Berlin")
    plain = request(now="2026-03-01T09:00:00", timezone="Europe/Berlin")
    offset = request(timezone="Europe/Berlin", now="2026-03-01T09:00:00Z")

    assert plain.moment() == datetime(2026, 3, 1, 9, tzinfo=berlin)
    assert plain.moment().isoformat() == "2026-03-01T09:00:00+01:00"
    assert offset.moment().isoformat() == "2026-03-01T10:00:00+01:00"
    assert request(now="2026-03-01").moment() == datetime(2026, 3, 1, tzinfo=UTC)
    assert abs(request().moment() - datetime.now(UTC)) < timedelta(seconds=60)
    assert zone_named("UTC") is UTC


def test_a_task_has_its_condition_in_words_or_as_a_comparison() -> None:
    asked = request(
        tasks=[
            {"do": "look"},
            {"do": "close", "if": "it is open", "values": {"number": 12}, "after": [1]},
            {"do": "tell", "if": {"step": 1, "path": "/open", "value": True}},
        ]
    )

    assert asked.tasks == (
        AskedTask(do="look"),
        AskedTask(do="close", if_="it is open", values={"number": 12}, after=(1,)),
        AskedTask(do="tell", if_=When(step=1, path="/open", value=True)),
    )


def test_every_example_is_accepted() -> None:
    """They stand on the page of the service."""
    examples = PlanRequest.model_json_schema()["examples"]

    assert [PlanRequest.model_validate(example).goal for example in examples]
