"""Goals that say more in passing: with a second clause, without a verb, by the title of a call."""

from app.domain.nodes.models import Tool
from app.domain.workflows.plans import StepBinding
from tests.calls import TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_unseen_goals import known, names, plan

SWITCH: Schema = {"type": "boolean"}
CLINIC = record("Clinic", "clinicId", "name")
STAFF = [
    call("GET /clinics", "listClinics", "List clinics", query=["name"], answer=page("clinics", CLINIC)),
    call(
        "POST /nurses",
        "createNurse",
        "Create a nurse",
        body={"name": TEXT, "phone": TEXT},
        optional={"email": TEXT, "sendWelcomeLetter": SWITCH},
        answer=record("Nurse", "nurseId"),
    ),
    call(
        "PUT /nurses/{nurseId}",
        "updateNurse",
        "Update a nurse",
        optional={"name": TEXT, "sendWelcomeLetter": SWITCH},
    ),
    call("DELETE /nurses/{nurseId}", "deleteNurse", "Delete a nurse"),
]


def test_what_a_later_clause_switches_on_is_said_of_the_call_before() -> None:
    found = plan("create the nurse Mia Brandt and send her the welcome letter", STAFF)
    assert names(found) == ["createNurse"]
    assert known(found, 0) == {"name": "Mia Brandt", "sendWelcomeLetter": True}


def test_clauses_of_a_noun_and_its_value_say_more_of_what_is_made() -> None:
    found = plan("new nurse Mia Brandt, phone 33112244, mail mia@clinic.org", STAFF)
    assert names(found) == ["createNurse"]
    assert known(found, 0) == {"name": "Mia Brandt", "phone": "33112244", "email": "mia@clinic.org"}
    assert not found.unused


def test_what_a_thing_is_set_to_is_no_task_of_its_own() -> None:
    status: Schema = {"type": "string", "enum": ["open", "approved"]}
    tools = [
        call("PUT /claims/{claimId}/status", "setStatus", "Set the status", body={"status": status}),
        call("PUT /claims/{claimId}/settings", "updateSettings", "Update settings", optional={"lang": TEXT}),
    ]
    found = plan("set claim 7 to approved", tools)
    assert names(found) == ["setStatus"]
    assert known(found, 0) == {"claimId": "7", "status": "approved"}


ROOMS = [
    call(
        "PUT /visits/{visitId}/reassign/room/{roomId}", "reassignVisit", "Reassign visit", body={"note": TEXT}
    ),
    call(
        "PUT /rooms/{roomId}/reassign/visits/{otherRoomId}",
        "reassignRoom",
        "Reassign room",
        body={"note": TEXT},
    ),
]


def test_a_call_does_what_it_is_titled_after() -> None:
    assert names(plan("move visit 88 to room 4", ROOMS)) == ["reassignVisit"]


NOTES = [
    call("PATCH /tickets/{ticketId}", "updateTicket", "Update a ticket", optional={"closed": SWITCH}),
    call("GET /files", "listFiles", "List files", answer=page("files", record("File", "fileId", "name"))),
    call("POST /files/{fileId}/comments", "commentFile", "Comment on a file", body={"comment": TEXT}),
]


def test_nothing_is_written_to_a_thing_of_which_nobody_spoke() -> None:
    found = plan("close ticket 7 and add a comment saying it works", NOTES)
    assert names(found) == ["updateTicket"]
    assert found.unmet or found.unused


GARDENS = [
    call(
        "GET /gardens",
        "listGardens",
        "List gardens",
        answer={"type": "array", "items": record("Garden", "id", "name")},
    ),
    *(
        call(
            f"POST /gardens/{{gardenId}}/{verb}",
            f"{verb}Garden",
            f"{verb.title()} a garden",
            body={"hours": {"type": "integer"}},
        )
        for verb in ("water", "mow", "weed", "rake", "fence", "light", "heat", "plant", "prune", "shade")
    ),
    *(
        call(f"GET /gardens/{{gardenId}}/{noun}", f"list{noun.title()}", f"List {noun}")
        for noun in ("trees", "beds", "paths", "tools", "gates")
    ),
]


def test_what_most_calls_need_is_looked_up_where_the_goal_names_it() -> None:
    found = plan('mow the garden "Back Yard" for 2 hours', GARDENS)
    assert names(found) == ["listGardens", "mowGarden"]
    place = found.steps[1].bindings["gardenId"]
    assert isinstance(place, StepBinding)
    assert place.select is not None
    assert (place.select.by, place.select.value) == ("match", "Back Yard")


def test_what_most_calls_need_is_asked_for_where_nothing_names_it() -> None:
    assert names(plan("mow for 2 hours", GARDENS)) == ["mowGarden"]


def joined(*, body: Schema) -> list[Tool]:
    return [
        call(
            "GET /people",
            "listPeople",
            "List people",
            query=["email"],
            answer=page("people", record("Person", "personId", "email")),
        ),
        call(
            "GET /clubs",
            "listClubs",
            "List clubs",
            query=["name"],
            answer=page("clubs", record("Club", "clubId", "name")),
        ),
        call("POST /clubs", "createClub", "Create a club", body={"name": TEXT}),
        call("POST /clubs/{clubId}/people", "addPerson", "Add person to club", body={"personId": body}),
    ]


def test_what_is_put_where_is_looked_up_with_the_place() -> None:
    found = plan("add sue@a.com to the club Rowing 12", joined(body=TEXT))
    assert sorted(names(found)) == ["addPerson", "listClubs", "listPeople"]
    assert names(found)[-1] == "addPerson"
