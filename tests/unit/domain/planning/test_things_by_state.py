"""Things are spoken of by the state that they are in: `all drafts`, `everything that's booked`."""

import pytest

from app.domain.workflows.plans import StepBinding, Where
from tests.calls import DATE, TEXT, Schema, call, page
from tests.unit.domain.choosing.test_refusals import changes
from tests.unit.domain.planning.test_unseen_goals import known, names, plan, selected

STATUS: Schema = {"type": "string", "enum": ["booked", "cancelled", "completed"]}
STAGE: Schema = {"type": "string", "enum": ["DRAFT", "APPROVED"]}
APPOINTMENT: Schema = {
    "type": "object",
    "properties": {"appointmentId": TEXT, "practitionerId": TEXT, "status": STATUS},
}
BILL: Schema = {"type": "object", "properties": {"billId": TEXT, "stage": STAGE, "payee": TEXT}}
PRACTICE = [
    call(
        "GET /appointments",
        "listAppointments",
        "List appointments",
        query=("practitionerId", "status", "from", "to"),
        details={"status": STATUS, "from": DATE, "to": DATE, "practitionerId": {"examples": ["prc_2Vb8"]}},
        answer=page("appointments", APPOINTMENT),
    ),
    call(
        "PATCH /appointments/{appointmentId}",
        "updateAppointment",
        "Change an appointment",
        optional={"status": STATUS, "practitionerId": TEXT},
    ),
    call(
        "GET /patients",
        "listPatients",
        "List patients",
        answer=page("patients", {"type": "object", "properties": {"patientId": TEXT, "name": TEXT}}),
    ),
    call("DELETE /patients/{patientId}", "deletePatient", "Delete a patient"),
    call("GET /bills", "listBills", "List bills", query=("payee",), answer=page("bills", BILL)),
    call("POST /bills/{billId}/approve", "approveBill", "Approve a bill"),
]


def test_everything_in_a_state_is_what_the_list_knows_by_it() -> None:
    found = plan("cancel everything that's booked with prc_2Vb8 on 2026-03-19", PRACTICE)
    assert names(found) == ["listAppointments", "updateAppointment"]
    assert known(found, 0) == {
        "practitionerId": "prc_2Vb8",
        "status": "booked",
        "from": "2026-03-19",
        "to": "2026-03-19",
    }
    assert known(found, 1) == {"status": "cancelled"}


def test_what_tells_which_and_no_call_takes_is_asked_before_everything_goes() -> None:
    found = plan("delete everything that is cancelled", PRACTICE)
    picked = [
        one.select.by
        for step in found.steps
        if step.mutating
        for one in step.bindings.values()
        if isinstance(one, StepBinding) and one.select is not None
    ]
    assert "each" not in picked


@pytest.mark.parametrize("goal", ["cancel everything", "not everything that's booked"])
def test_without_a_state_or_a_verb_nothing_is_changed(goal: str) -> None:
    assert changes(goal, PRACTICE) == []


def test_a_kind_of_things_that_is_a_state_narrows_them() -> None:
    select = selected(plan("approve all drafts", PRACTICE), "billId").select
    assert select is not None
    assert (select.by, select.where) == ("each", (Where(field="stage", op="eq", value="DRAFT"),))
