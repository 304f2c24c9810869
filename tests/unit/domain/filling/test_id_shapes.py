"""Which things ids of a form identify, by what the documents of a server say."""

from collections.abc import Sequence

import pytest

from app.domain.nodes.models import Tool
from app.domain.planning.index import PlanIndex
from tests.calls import Schema, call

CUSTOMERS = call("GET /customers/{customer}", "getCustomer", "Get a customer")
ENDPOINTS = call("GET /webhook_endpoints/{endpoint}", "getEndpoint", "Get a webhook endpoint")
TICKETS = call(
    "GET /tickets/{key}",
    "getTicket",
    "Get a ticket",
    description="For example, ticket TEST-123 or ticket TEST-124.",
)
ROOMS = call(
    "GET /rooms/{room_id}", "getRoom", "Get a room", details={"room_id": {"pattern": "^[RG][A-Z0-9]{8}$"}}
)


def implied(text: str, tools: Sequence[Tool], *servers: str) -> frozenset[str]:
    return PlanIndex(tools).id_shapes.implied(text, servers or ("shop",))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cus_123", {"custom"}),
        ("we_prod1", {"webhook", "endpoint"}),
        ("zz_123", set()),
        ("c_123", set()),
        ("TEST-123", {"ticket"}),
        ("OTHER-9", {"ticket"}),
        ("test-123", set()),
        ("R01ABCDEF", {"room"}),
        ("G01ABCDEF", {"room"}),
        ("Q01ABCDEF", set()),
        ("plain", set()),
        ("", set()),
    ],
)
def test_a_form_identifies_things(text: str, expected: set[str]) -> None:
    assert implied(text, [CUSTOMERS, ENDPOINTS, TICKETS, ROOMS]) == expected


def test_examples_of_an_input_show_the_form_of_its_ids() -> None:
    tool = call("GET /bugs/{bugKey}", "getBug", "Get a bug", details={"bugKey": {"examples": ["BUG-1"]}})
    assert implied("ABC-42", [tool]) == {"bug"}


def test_keys_are_told_apart_by_how_they_begin() -> None:
    """What a path picks one of is what its parameter is of, whatever that is called."""
    serial = {"serialNumber": {"description": "Serial number, for example `SG-40291`."}}
    trip = {"tripId": {"description": "Trip, for example `TR-20418`."}}
    tools = [
        call("GET /devices/{serialNumber}", "getDevice", "Get a device", details=serial),
        call("GET /trips/{tripId}", "getTrip", "Get a trip", details=trip),
    ]
    assert implied("SG-70012", tools) == {"devic"}
    assert implied("TR-1", tools) == {"trip"}


def test_patterns_of_answers_show_the_form_of_ids() -> None:
    answer = {"type": "object", "properties": {"user_id": {"type": "string", "pattern": "^U[A-Z0-9]+$"}}}
    assert implied("U012345", [call("GET /me", "getMe", "Get me", answer=answer)]) == {"user"}


def test_forms_of_a_server_say_nothing_of_another() -> None:
    other = call("GET /custodians/{id}", "getCustodian", "Get a custodian", server="castle")
    assert implied("cus_123", [CUSTOMERS, other], "castle") == {"custodian"}
    assert implied("cus_123", [CUSTOMERS, other], "nowhere") == frozenset()


def test_a_noun_that_an_example_follows_only_once_is_left_out() -> None:
    texts = " ".join(f"ticket TEST-{number}" for number in range(9))
    tool = call("GET /tickets", "listTickets", "List tickets", description=f"{texts} like WORD-1")
    assert implied("ABC-42", [tool]) == {"ticket"}


PERSON: Schema = {"type": "string", "pattern": "^[UW][A-Z0-9]{2,}$"}


def made_of(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    "answer",
    [
        made_of(user=made_of(id=PERSON)),
        made_of(users={"type": "array", "items": made_of(id=PERSON)}),
        made_of(user={"anyOf": [{"type": "null"}, made_of(id=PERSON)]}),
        made_of(accepted_user_ids={"type": "array", "items": PERSON}),
    ],
)
@pytest.mark.parametrize(("text", "expected"), [("U123", {"user"}), ("W123", {"user"}), ("C123", set())])
def test_an_id_in_an_answer_is_of_the_object_that_holds_it(
    answer: Schema, text: str, expected: set[str]
) -> None:
    assert implied(text, [call("GET /me", "getMe", "Get me", answer=answer)]) == expected


def test_an_id_that_no_object_holds_is_of_nothing() -> None:
    assert implied("U123", [call("GET /me", "getMe", "Get me", answer=made_of(id=PERSON))]) == frozenset()


def test_a_thing_whose_ids_begin_in_a_way_of_their_own_is_formed() -> None:
    tool = call(
        "GET /rooms",
        "listRooms",
        "List rooms",
        answer=made_of(room={"type": "string", "pattern": "^R[0-9]+$"}),
    )
    shapes = PlanIndex([tool]).id_shapes

    assert shapes.is_formed({"room"}, "shop")
    assert not shapes.is_formed({"lamp"}, "shop")
    assert not shapes.is_formed({"room"}, "other")


def test_descriptions_of_inputs_say_how_ids_begin() -> None:
    tool = call(
        "POST /builds/{buildId}/cancel",
        "cancelBuild",
        "Cancel a build",
        details={"buildId": {"description": "Id of the build, starts with bld_."}},
    )
    assert implied("bld_7f3a", [tool]) == {"build"}


def test_examples_of_answers_show_how_ids_begin() -> None:
    build = {"type": "object", "properties": {"id": {"type": "string", "example": "bld_7f3a91"}}}
    answer = {"type": "object", "properties": {"items": {"type": "array", "items": build}}}
    assert implied("bld_77", [call("GET /builds", "listBuilds", "List builds", answer=answer)]) == {"build"}
