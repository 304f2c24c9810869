"""Who is named in lower case is looked up, what a call needs is taken from the task, and nothing goes in place of its part."""

from collections.abc import Mapping

import pytest

from app.domain.workflows.plans import KnownBinding, StepBinding
from tests.calls import call, page, record
from tests.unit.domain.planning.test_unseen_goals import plan

TEXT = {"type": "string"}
SHARED = [
    call(
        "GET /people",
        "listPeople",
        "List people",
        answer=page("people", record("Person", "id", "name")),
        optional={"q": TEXT},
    ),
    call(
        "GET /calendars",
        "listCalendars",
        "List calendars",
        answer=page("calendars", record("Calendar", "id", "name")),
        optional={"q": TEXT},
    ),
    call(
        "POST /calendars/{calendarId}/shares",
        "shareCalendar",
        "Share a calendar with a person",
        body={"person_id": TEXT},
    ),
    call("PATCH /calendars/{calendarId}", "updateCalendar", "Update a calendar", optional={"name": TEXT}),
]
NEEDING = [
    call(
        "POST /patients/{patient_id}/allergies",
        "addAllergy",
        "Record an allergy of a patient",
        body={"substance": TEXT, "severity": {"type": "string", "enum": ["mild", "moderate", "severe"]}},
    ),
    call(
        "POST /discounts",
        "createDiscount",
        "Create a discount code",
        body={
            "code": TEXT,
            "type": {"type": "string", "enum": ["percentage", "fixed_amount"]},
            "value": {"type": "number"},
        },
    ),
    call(
        "POST /leave-requests",
        "createLeaveRequest",
        "Enter a leave request of an employee",
        body={
            "employee_id": TEXT,
            "type": {"type": "string", "enum": ["annual", "sick", "unpaid"]},
            "starts_on": {"type": "string", "format": "date"},
        },
    ),
    call(
        "POST /boards",
        "createBoard",
        "Create a board",
        body={"name": TEXT, "visibility": {"type": "string", "enum": ["public", "private"]}},
    ),
]


def bound(goal: str, name: str) -> Mapping[str, object]:
    """Input of a call of the plan -> its value, or its binding where it is not known."""
    steps = plan(goal, NEEDING).steps
    bindings = next(step.bindings for step in steps if step.tool_id.endswith(name))
    return {key: one.known if isinstance(one, KnownBinding) else "" for key, one in bindings.items()}


@pytest.mark.parametrize(
    "goal",
    [
        "share the Marketing calendar with Omar Haddad",
        "share the Marketing calendar with omar haddad",
        "let omar haddad have a look at the Marketing calendar",
    ],
)
def test_who_is_named_in_lower_case_is_looked_up_by_the_whole_name(goal: str) -> None:
    found = plan(goal, SHARED)
    share = next(step for step in found.steps if step.mutating)
    assert share.tool_id.endswith("shareCalendar")
    taken = {}
    for name, one in share.bindings.items():
        assert isinstance(one, StepBinding)
        assert one.select is not None
        taken[name] = (found.steps[one.step - 1].tool_id.rpartition("/")[2], str(one.select.value).lower())
    assert taken == {"calendarId": ("listCalendars", "marketing"), "person_id": ("listPeople", "omar haddad")}


@pytest.mark.parametrize(
    ("goal", "severity"),
    [
        ('record the severe allergy "Penicillin" of patient 7', "severe"),
        ('record the allergy "Penicillin" of patient 7, it is not severe', ""),
        ('record the allergy "Penicillin" of patient 7; his other allergy is severe', ""),
        ('record the allergy "Severe pollen" of patient 7', ""),
    ],
)
def test_a_member_that_a_call_needs_is_taken_from_the_task_and_from_no_remark(
    goal: str, severity: str
) -> None:
    assert bound(goal, "addAllergy")["severity"] == severity


def test_a_percent_sign_says_what_kind_of_number_it_is() -> None:
    assert bound("create the discount code SPRING15 for 15% off", "createDiscount") == {
        "code": "SPRING15",
        "type": "percentage",
        "value": 15,
    }


def test_a_percent_sign_of_two_numbers_says_nothing() -> None:
    found = bound("create the discount code SPRING15 of 5 EUR, 10% was too much", "createDiscount")
    assert found["type"] == ""


def test_a_word_before_a_date_is_no_name_of_the_date() -> None:
    found = bound("emp_7 is off sick from 2026-03-02, enter it", "createLeaveRequest")
    assert found == {"employee_id": "emp_7", "type": "sick", "starts_on": "2026-03-02"}


@pytest.mark.parametrize("goal", ["create a board called Public", "create a board named public roadmap"])
def test_what_a_thing_is_called_says_nothing_else_of_it(goal: str) -> None:
    assert bound(goal, "createBoard")["visibility"] == ""


CLINIC = [
    call(
        "GET /patients",
        "listPatients",
        "List patients",
        answer=page("patients", record("Patient", "id", "name", "email")),
        optional={"q": TEXT, "email": TEXT},
    ),
    call("DELETE /patients/{patient_id}", "deletePatient", "Delete a patient"),
    call("DELETE /patients/{patient_id}/cards/{card_id}", "deleteCard", "Delete a card of a patient"),
    call("POST /patients/{patient_id}/discharge", "dischargePatient", "Discharge a patient"),
    call(
        "POST /patients/{patient_id}/merge", "mergePatients", "Merge two patients", body={"target_id": TEXT}
    ),
    call(
        "PATCH /patients/{patient_id}",
        "updatePatient",
        "Update a patient",
        optional={"phone_number": TEXT, "email": TEXT},
    ),
]


def changes(goal: str) -> list[str]:
    return [step.tool_id.rpartition("/")[2] for step in plan(goal, CLINIC).steps if step.mutating]


@pytest.mark.parametrize(
    "goal",
    [
        "delete the phone number of patient pat_7",
        "delete the phone number of pat_7",
        "remove the email from patient pat_7",
        "remove the sticker from lena@acme.com",
    ],
)
def test_nothing_goes_in_place_of_a_part_of_it(goal: str) -> None:
    assert not {"deletePatient", "deleteCard", "dischargePatient"}.intersection(changes(goal))


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("delete patient pat_7", "deletePatient"),
        ("get rid of patient pat_7", "deletePatient"),
        ("delete card 12 of patient pat_7", "deleteCard"),
    ],
)
def test_what_is_named_goes(goal: str, name: str) -> None:
    assert changes(goal) == [name]


@pytest.mark.parametrize(
    ("goal", "sought"),
    [
        ("delete patient Lena Fischer, not Lena Fischbach", "Lena Fischer"),
        ("delete patient lena fischer, not lena fischbach", "lena fischer"),
    ],
)
def test_what_is_not_meant_is_not_looked_up(goal: str, sought: str) -> None:
    find, delete = plan(goal, CLINIC).steps
    assert delete.tool_id.endswith("deletePatient")
    taken = delete.bindings["patient_id"]
    assert find.tool_id.endswith("listPatients")
    assert isinstance(taken, StepBinding)
    assert taken.select is not None
    assert (taken.select.by, taken.select.value) == ("match", sought)


@pytest.mark.parametrize("name", ["Lena Fischer", "lena fischer"])
def test_all_but_one_spare_that_one(name: str) -> None:
    find, delete = plan(f"delete every patient but {name}", CLINIC).steps
    assert not find.bindings
    taken = delete.bindings["patient_id"]
    assert isinstance(taken, StepBinding)
    assert taken.select is not None
    assert [(one.op, one.value) for one in taken.select.where] == [("ne", name)]


def test_what_is_not_meant_is_merged_with_nothing() -> None:
    assert changes("delete patient pat_7, not pat_8") == ["deletePatient"]
