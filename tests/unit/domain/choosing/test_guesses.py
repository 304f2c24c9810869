"""Calls that no rule has chosen: however likely one is, it does what a task says, or nothing."""

import pytest

from app.domain.choosing.guesses import is_guess
from tests.calls import NUMBER, TEXT, call
from tests.unit.domain.choosing.test_refusals import candidate

ZONES = [
    call("DELETE /zones/{zoneId}", "deleteZone", "Delete a zone"),
    call("PATCH /zones/{zoneId}", "patchZone", "Change the records of a zone", body=("records",)),
    call("POST /suppressions", "suppressAddress", "Suppress an address", body=("email",)),
    call("PUT /patients", "upsertPatient", "Update patients", body=("name", "birthDate")),
    call("POST /patients", "createPatient", "Create a patient", body=("name", "birthDate")),
    call("PUT /settings", "putSettings", "Replace the settings", body=("hours",)),
    call("PUT /secrets/{name}", "putSecret", "Store a secret", body=("value",)),
    call("POST /job-openings", "createOpening", "Create a job opening", body=("title",)),
    call("PATCH /projects/{projectId}", "updateProject", "Update a project", optional={"name": TEXT}),
    call("POST /issues/{issueId}/add_spent_time", "addSpentTime", "Add spent time", body={"duration": NUMBER}, details={"issueId": NUMBER}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ('remove the record "_acme.example.com" from the zone "example.com"', "deleteZone"),
        ("unblock ann@example.com", "suppressAddress"),
        ("stop the mails to ann@example.com", "suppressAddress"),
        ("create a new patient called Fiona Reeves", "upsertPatient"),
        ("hire ann@example.com with the title Analyst", "createOpening"),
        ("retrain the project with a budget of 2 hours", "updateProject"),
        ('comment "Duplicate" on issue 95', "addSpentTime"),
    ],
)
def test_what_does_not_do_as_a_task_says_is_never_called(goal: str, name: str) -> None:
    assert is_guess(candidate(goal, name, ZONES), 1.0)


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("delete zone 7", "deleteZone"),
        ("block ann@example.com", "suppressAddress"),
        ("create new settings", "putSettings"),
        ('create a secret "NPM_TOKEN"', "putSecret"),
        ("rename project 5 to Web", "updateProject"),
    ],
)
def test_what_does_may_be_called(goal: str, name: str) -> None:
    assert not is_guess(candidate(goal, name, ZONES), 1.0)
