"""Which value of a goal goes into which input of a call."""

import pytest

from app.domain.filling.fit import may_be_id
from app.domain.nodes.models import Tool
from app.domain.reading.models import StatedValue, ValueKind
from tests.calls import TEXT, Schema, call, page, record
from tests.fillings import assigned, filled

WHOLE: Schema = {"type": "integer"}
TEXTS: Schema = {"type": "array", "items": TEXT}

OPEN_DOOR = call("POST /houses/{owner}/{house}/open", "openHouse", "Open a house")
MOVE_CARD = call("POST /boards/{boardId}/cards/{cardId}/move", "moveCard", "Move a card of a board")
CHARGE = "POST /customers/{customer}/charges", "chargeCustomer", "Charge a customer"


def test_two_names_with_a_slash_fill_two_parameters_that_stand_side_by_side() -> None:
    assert filled("open the house astrid/villa", OPEN_DOOR) == {"owner": "astrid", "house": "villa"}


def test_three_names_with_slashes_do_not_fill_two_parameters() -> None:
    assert "owner" not in filled("open the house astrid/villa/roof", OPEN_DOOR)


def test_parameters_with_a_word_between_them_are_no_pair() -> None:
    assert filled("move the card astrid/villa", MOVE_CARD).get("boardId") is None


@pytest.mark.parametrize(
    "goal", ["move card 7 of board 12", "move the card 7 in the board 12", "in board 12, move card 7"]
)
def test_the_noun_before_a_value_names_its_input(goal: str) -> None:
    assert filled(goal, MOVE_CARD) == {"boardId": "12", "cardId": "7"}


@pytest.mark.parametrize(
    ("said", "expected"),
    [("in progress", "IN_PROGRESS"), ("Done", "DONE"), ("to-do", "TO_DO")],
)
def test_a_member_of_an_enum_is_spelt_as_the_document_spells_it(said: str, expected: str) -> None:
    tool = call(
        "PATCH /cards/{cardId}",
        "updateCard",
        "Update a card",
        optional={"lane": {"type": "string", "enum": ["TO_DO", "IN_PROGRESS", "DONE"]}},
    )
    assert filled(f'set the lane of card 7 to "{said}"', tool)["lane"] == expected


def test_an_enum_takes_nothing_but_its_members() -> None:
    lane: Schema = {"type": "string", "enum": ["OPEN", "DONE"]}
    tool = call("PATCH /cards/{cardId}", "updateCard", "Update a card", optional={"lane": lane})
    assert "lane" not in filled('set the lane of card 7 to "Blue"', tool)


def test_one_value_for_a_list_is_a_list_of_one() -> None:
    tool = call("POST /cards", "createCard", "Create a card", body={"name": TEXT}, optional={"labels": TEXTS})
    assert filled('create a card called "Paint" with the label "urgent"', tool) == {
        "name": "Paint",
        "labels": ["urgent"],
    }


def test_several_values_for_a_list_are_one_list() -> None:
    tool = call("POST /teams/{team}/invites", "inviteUsers", "Invite users to a team", body={"users": TEXTS})
    assert filled("invite the users @bob and @carol to team 7", tool)["users"] == ["bob", "carol"]


def test_a_number_with_a_fraction_is_no_integer() -> None:
    tool = call("POST /lamps/{lampId}/dim", "dimLamp", "Dim a lamp", body={"level": WHOLE})
    assert filled("dim lamp 7 to level 4", tool)["level"] == 4
    assert "level" not in filled("dim lamp 7 to level 4.2", tool)


def test_a_text_takes_the_digits_as_they_are_written() -> None:
    tool = call("POST /notes", "createNote", "Create a note", body={"code": TEXT})
    assert filled("create a note with code 4711", tool) == {"code": "4711"}


def test_an_id_that_nobody_knows_by_heart_is_no_name() -> None:
    tool = call("DELETE /lamps/{lampId}", "deleteLamp", "Delete a lamp")
    assert filled('delete the lamp "Kitchen"', tool) == {}
    assert filled("delete the lamp 4711", tool) == {"lampId": "4711"}


def test_what_a_thing_is_known_by_may_be_a_name() -> None:
    tool = call("DELETE /lamps/{name}", "deleteLamp", "Delete a lamp")
    assert filled('delete the lamp "Kitchen"', tool) == {"name": "Kitchen"}


def test_an_address_goes_where_addresses_go() -> None:
    body = {"email": {"type": "string", "format": "email"}, "name": TEXT}
    tool = call("POST /guests", "createGuest", "Create a guest", body=body)
    assert filled("create a guest bob@example.com", tool) == {"email": "bob@example.com"}


def test_nobody_is_called_by_a_telephone_number() -> None:
    tool = call("POST /guests", "createGuest", "Create a guest", body={"phone": TEXT, "firstName": TEXT})
    assert filled("create a guest with the phone +45 20112233", tool) == {"phone": "+45 20112233"}
    alone = call("POST /guests", "createGuest", "Create a guest", body={"firstName": TEXT})
    assert filled("create a guest with the number +45 20112233", alone) == {}


def test_an_address_is_neither_a_title_nor_an_id() -> None:
    tool = call(
        "POST /guests/{guestId}/notes", "createNote", "Create a note of a guest", body={"title": TEXT}
    )
    assert filled("create a note of the guest for bob@example.com", tool) == {}


@pytest.mark.parametrize(
    "description",
    ["Amount in cents", "Amount in pence", "in the smallest currency unit", "Minor units, such as pence"],
)
def test_an_amount_is_counted_in_cents_where_the_document_says_so(description: str) -> None:
    amount: Schema = {"type": "integer", "description": description}
    tool = call(*CHARGE, body={"amount": amount})
    assert filled("charge customer 12 an amount of 15.50 EUR", tool)["amount"] == 1550


def test_a_currency_without_cents_has_none() -> None:
    amount: Schema = {"type": "integer", "description": "in the smallest currency unit"}
    tool = call(*CHARGE, body={"amount": amount})
    assert filled("charge customer 12 an amount of 1500 JPY", tool)["amount"] == 1500


def test_an_amount_is_asked_for_where_nothing_says_what_it_is_counted_in() -> None:
    found = assigned("charge customer 12 an amount of 15.50 EUR", call(*CHARGE, body={"amount": WHOLE}))
    assert ("amount",) not in found.known
    assert found.asked == {("amount",): "15.50 EUR"}


def test_a_number_that_may_have_a_fraction_takes_an_amount_as_it_is() -> None:
    tool = call(*CHARGE, body={"amount": {"type": "number"}})
    assert filled("charge customer 12 an amount of 15.50 EUR", tool)["amount"] == 15.5


@pytest.mark.parametrize(
    ("currency", "expected"),
    [
        ({"type": "string", "enum": ["eur", "usd"]}, "eur"),
        ({"type": "string", "enum": ["EUR", "USD"]}, "EUR"),
        ({"type": "string", "description": "Three letters, in lowercase."}, "eur"),
        ({"type": "string"}, "EUR"),
    ],
)
def test_a_currency_is_written_as_the_document_writes_it(currency: Schema, expected: str) -> None:
    tool = call(*CHARGE, body={"amount": {"type": "number"}, "currency": currency})
    assert filled("charge customer 12 an amount of 15.50 EUR", tool)["currency"] == expected


@pytest.mark.parametrize("name", ["token", "apiKey", "client_secret", "authorization"])
def test_a_credential_is_never_filled(name: str) -> None:
    tool = call("POST /notes", "createNote", "Create a note", body={name: TEXT, "title": TEXT})
    assert filled(f'create a note called "Plan" with {name} "abc123def"', tool).get(name) is None


@pytest.mark.parametrize("goal", ["delete the cards 7 and 12", "delete the card 7 and the card 12"])
def test_two_values_for_one_scalar_make_two_calls(goal: str) -> None:
    found = assigned(goal, call("DELETE /cards/{cardId}", "deleteCard", "Delete a card"))
    assert (found.known, found.more) == ({("cardId",): "7"}, {("cardId",): ["12"]})


def test_what_a_new_thing_is_called_is_its_name() -> None:
    tool = call(
        "POST /boards", "createBoard", "Create a board", body={"name": TEXT}, optional={"description": TEXT}
    )
    assert filled('create a board called "Garden"', tool) == {"name": "Garden"}


def test_a_long_text_is_the_message_and_not_the_title() -> None:
    tool = call("POST /notes", "sendNote", "Send a note", body={"text": TEXT}, optional={"title": TEXT})
    assert filled('send the note "the water is off until noon"', tool) == {
        "text": "the water is off until noon"
    }


def test_a_date_goes_to_the_only_required_date() -> None:
    tool = call(
        "POST /visits", "createVisit", "Create a visit", body={"day": {"type": "string", "format": "date"}}
    )
    assert filled("create a visit on 2026-12-24", tool) == {"day": "2026-12-24"}


def test_what_the_document_says_is_gone_takes_nothing() -> None:
    old: Schema = {"type": "string", "description": "This field is deprecated."}
    tool = call("POST /notes", "createNote", "Create a note", optional={"colour": old})
    assert filled('create a note with the colour "red"', tool) == {}


ISSUES = call(
    "POST /issues/{issueKey}/close",
    "closeIssue",
    "Close an issue",
    description="For example issue TEST-123 or issue TEST-124.",
)


def test_the_id_of_an_issue_is_not_that_of_its_type() -> None:
    typed = call("PATCH /issues/{issueIdOrKey}", "editIssue", "Edit an issue", optional={"issueTypeId": TEXT})
    scheme = call("POST /schemes", "addType", "Add an issue type", body={"issueTypeId": TEXT})
    assert filled("edit ABC-42", typed, beside=[ISSUES]) == {"issueIdOrKey": "ABC-42"}
    assert filled("add the type to ABC-42", scheme, beside=[ISSUES]) == {}


@pytest.mark.parametrize(
    ("said", "expected"), [("shop.example.com", {"domain": "shop.example.com"}), ("shop-1", {})]
)
def test_a_host_name_goes_to_a_domain(said: str, expected: dict[str, str]) -> None:
    tool = call("POST /flush", "flushCache", "Flush the cache", optional={"domain": TEXT, "note": TEXT})
    assert filled(f"flush the cache for {said}", tool) == expected


@pytest.mark.parametrize("name", ["email", "contactEmail"])
def test_an_input_for_an_address_takes_no_name(name: str) -> None:
    tool = call("POST /guests", "createGuest", "Create a guest", body={name: TEXT})
    assert filled("create a guest bob@example.com", tool) == {name: "bob@example.com"}
    assert filled('create a guest with the email "Bob"', tool) == {}


def test_a_url_has_no_blanks() -> None:
    tool = call("POST /hooks", "createHook", "Create a hook", body={"url": TEXT})
    assert filled('create a hook with the url "https://example.com/a"', tool) == {
        "url": "https://example.com/a"
    }
    assert filled('create a hook with the url "when it rains"', tool) == {}


def test_a_number_in_words_is_no_text() -> None:
    tool = call("POST /notes", "createNote", "Create a note", body={"batch": TEXT})
    assert filled("create a note with one batch", tool) == {}
    assert filled("create a note with batch 1", tool) == {"batch": "1"}


@pytest.mark.parametrize("separated", ["comma-separated", "comma separated", "comma-delimited"])
def test_several_values_for_a_text_that_the_document_calls_a_list_are_joined(separated: str) -> None:
    users: Schema = {"type": "string", "description": f"A {separated} list of users."}
    tool = call("POST /teams/{team}/invites", "inviteUsers", "Invite users to a team", body={"users": users})
    found = assigned("invite the users U12A and U34B to team 7", tool)
    assert (found.known, found.more) == ({("team",): "7", ("users",): "U12A,U34B"}, {})


def test_several_values_for_any_other_text_are_not_joined() -> None:
    tool = call("POST /teams/{team}/invites", "inviteUsers", "Invite users to a team", body={"users": TEXT})
    found = assigned("invite the users U12A and U34B to team 7", tool)
    assert (found.known, found.more) == ({("team",): "7", ("users",): "U12A"}, {("users",): ["U34B"]})


EXPORT = call("POST /accounts/{account}/zones/{zone}/export", "exportZone", "Export a zone")


def test_of_several_places_in_a_path_an_id_takes_the_last() -> None:
    assert filled("export old-shop.com", EXPORT) == {"zone": "old-shop.com"}


@pytest.mark.parametrize("preposition", ["in", "of", "from"])
def test_what_something_stands_in_is_not_what_a_path_ends_with(preposition: str) -> None:
    assert filled(f"export everything {preposition} old-shop.com", EXPORT) == {}


def test_the_id_of_another_task_is_no_option_of_this_one() -> None:
    tool = call(
        "POST /notes", "createNote", "Create a note", body={"text": TEXT}, optional={"issueKey": TEXT}
    )
    other = 'create a note saying "done" and close issue ABC-42'
    assert filled(other, tool, beside=[ISSUES]) == {"text": "done"}
    own = 'create a note saying "done" for issue ABC-42'
    assert filled(own, tool, beside=[ISSUES]) == {"text": "done", "issueKey": "ABC-42"}


@pytest.mark.parametrize(
    "tool",
    [
        call("POST /notes", "createNote", "Create a note", body={"text": TEXT, "issueKey": TEXT}),
        call("POST /issues/{issueKey}/notes", "createNote", "Create a note", body={"text": TEXT}),
    ],
)
def test_the_id_of_another_task_fills_what_this_one_has_to_have(tool: Tool) -> None:
    goal = 'create a note saying "done" and close issue ABC-42'
    assert filled(goal, tool, beside=[ISSUES]) == {"text": "done", "issueKey": "ABC-42"}


@pytest.mark.parametrize(
    ("described", "filled_with"),
    [
        ("Matched against the name and the email address", {"query": "bob@example.com"}),
        ("Matched against the name", {}),
    ],
)
def test_an_address_is_searched_where_the_document_says_so(
    described: str, filled_with: dict[str, str]
) -> None:
    tool = call(
        "GET /guests",
        "findGuests",
        "Find guests",
        query=["query"],
        details={"query": {"description": described}},
    )
    assert filled("find bob@example.com", tool) == filled_with


DAY = {"type": "string", "format": "date"}


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("fromdate", "todate"),
        ("StartDate", "EndDate"),
        ("created_after", "created_before"),
        ("since", "until"),
        ("dateFrom", "dateTo"),
        ("day>", "day<"),
    ],
)
def test_dates_fill_the_ends_of_a_period(first: str, last: str) -> None:
    tool = call("GET /sales", "listSales", "List sales", query=[last, first], details={first: DAY, last: DAY})

    assert filled("list sales from 2026-05-01 to 2026-05-31", tool) == {
        first: "2026-05-01",
        last: "2026-05-31",
    }
    assert filled("list sales since 2026-05-01", tool) == {first: "2026-05-01"}
    assert filled("list sales until 2026-05-31", tool) == {last: "2026-05-31"}


def test_what_begins_otherwise_than_in_time_is_no_period() -> None:
    tool = call("GET /trips", "listTrips", "List trips", query=["from", "to"])
    assert "from" not in filled("list trips since 2026-05-01", tool)


def test_the_word_that_leads_to_a_value_names_its_input() -> None:
    tool = call("GET /mails", "listMails", "List mails", query=["tag", "folder"])
    assert filled("list mails tagged welcome", tool) == {"tag": "welcome"}


def test_an_input_that_identifies_takes_what_is_called_by_its_name() -> None:
    alias = {"description": "The ID of the lamp that people choose"}
    tool = call("POST /lamps", "createLamp", "Create a lamp", body=["Alias"], details={"Alias": alias})
    assert filled("create a lamp with alias left-one", tool) == {"Alias": "left-one"}


@pytest.mark.parametrize(("goal", "value"), [("set the switch MODE to fast2", "fast2"), ("show MODE", None)])
def test_what_something_is_changed_to_is_its_value(goal: str, value: str | None) -> None:
    tool = call("PUT /switches/{switch}", "setSwitch", "Change a switch", body=["value"])
    assert filled(goal, tool).get("value") == value


@pytest.mark.parametrize("begin", ["", "then "])
def test_what_something_is_called_from_now_on_goes_to_the_name(begin: str) -> None:
    tool = call(
        "POST /tags",
        "createTag",
        "Create a tag",
        body=["tag_name", "ref"],
        details={"ref": {"description": "Branch"}},
    )
    assert filled(f"{begin}tag main as v1.2.0", tool) == {"tag_name": "v1.2.0", "ref": "main"}


AMOUNT = {"type": "integer"}


@pytest.mark.parametrize(
    ("inputs", "filled_with"),
    [
        ({"amount": AMOUNT}, {"amount": 2000}),
        ({"service_fee": AMOUNT}, {}),
        ({"transfer": {"type": "object", "properties": {"amount": AMOUNT}}}, {}),
    ],
)
def test_money_is_counted_as_another_amount_of_the_document_and_is_no_fee(
    inputs: dict[str, Schema], filled_with: dict[str, int]
) -> None:
    cents = {"amount": {"type": "integer", "description": "In cents"}}
    tool = call("POST /refunds", "createRefund", "Create a refund", optional=inputs)
    other = call("POST /sales", "createSale", "Create a sale", body=cents)
    assert filled("create a refund of 20 EUR", tool, beside=[other]) == filled_with


def test_a_list_of_amounts_says_for_itself_that_it_counts_cents() -> None:
    prices: Schema = {"type": "array", "items": {"type": "integer"}, "description": "Prices in cents"}
    tool = call("POST /offers", "createOffer", "Create an offer", body={"prices": prices})
    assert filled("create an offer with a price of 20 EUR", tool) == {"prices": [2000]}


NUMBER: Schema = {"type": "number"}
RIDE = call(
    "GET /cost",
    "getCost",
    "Get the cost of a ride",
    query=["from_lat", "from_lng", "end_lat", "end_lng"],
    details=dict.fromkeys(("from_lat", "from_lng", "end_lat", "end_lng"), NUMBER),
)


def test_coordinates_fill_the_two_inputs_of_the_end_that_leads_to_them() -> None:
    assert filled("get the cost of a ride from 52.52,-13.40 to 52.38, 13.06", RIDE) == {
        "from_lat": 52.52,
        "from_lng": -13.40,
        "end_lat": 52.38,
        "end_lng": 13.06,
    }


def test_coordinates_that_no_end_leads_to_fill_the_only_place() -> None:
    places = call(
        "GET /places",
        "listPlaces",
        "List places",
        query=["latitude", "longitude"],
        details=dict.fromkeys(("latitude", "longitude"), NUMBER),
    )
    assert filled("list places near 52.52,13.40", places) == {"latitude": 52.52, "longitude": 13.40}
    assert "from_lat" not in filled("get the cost of a ride near 52.52,13.40", RIDE)


@pytest.mark.parametrize(
    ("name", "description"),
    [("$filter", ""), ("filter", "An OData $filter clause."), ("filter", "A JSON encoded array of filters")],
)
def test_what_takes_an_expression_takes_no_name(name: str, description: str) -> None:
    tool = call(
        "GET /boards", "listBoards", "List boards", query=[name], details={name: {"description": description}}
    )
    assert filled("list the boards called Garden Party", tool) == {}


@pytest.mark.parametrize(
    ("description", "expected"),
    [("Create copy from an existing board", "develop"), ("Free text about the board", None)],
)
def test_an_end_that_only_a_description_tells_takes_what_comes_from_there(
    description: str, expected: str | None
) -> None:
    tool = call(
        "POST /copies",
        "createCopy",
        "Create a copy",
        body={"name": TEXT},
        optional={"basis": {"type": "string", "description": description}},
    )
    assert filled("create copy B-7 from develop", tool).get("basis") == expected


def test_who_made_a_thing_is_its_author() -> None:
    tool = call("GET /poems", "searchPoems", "Search poems", query=["author", "limit"])
    assert filled("search poems by Ada Lovelace", tool) == {"author": "Ada Lovelace"}


def test_what_a_new_thing_is_called_is_not_called_so_in_a_part_that_has_its_noun() -> None:
    tool = call(
        "POST /templates", "createTemplate", "Create a template", body={"template": TEXT, "name": TEXT}
    )
    assert filled("create a template called Summer Sale", tool)["name"] == "Summer Sale"


def test_the_noun_behind_an_id_says_what_it_is() -> None:
    tool = call("GET /cost", "getCost", "Get the cost", query=["ride_type", "seat"])
    assert filled("get the cost of a standard_xl ride", tool) == {"ride_type": "standard_xl"}


def test_an_id_of_a_body_is_of_what_its_description_names() -> None:
    tool = call(
        "POST /changestatus",
        "changeStatus",
        "Change the status of an order",
        optional={"Id": {"type": "integer", "description": "Order Id"}},
    )
    assert filled("change the status of order 310", tool) == {"Id": 310}


def test_an_address_is_no_id_of_a_customer() -> None:
    tool = call("GET /customers/{customer}/charges", "listCharges", "List charges of a customer")
    assert filled("list charges of the customer ada@example.com", tool) == {}


def test_an_address_of_a_part_that_nobody_speaks_of_comes_last() -> None:
    rules: Schema = {"type": "object", "properties": {"url": TEXT}}
    tool = call(
        "POST /recordings",
        "startRecording",
        "Start a recording",
        optional={"rules": rules, "targetUrl": TEXT},
    )
    assert filled("start recording https://example.com", tool) == {"targetUrl": "https://example.com"}


def test_what_is_written_is_no_channel() -> None:
    tool = call(
        "POST /messages", "sendMessage", "Send a message", body={"channel": TEXT}, optional={"text": TEXT}
    )
    assert filled('send the message "lunch is ready"', tool) == {"text": "lunch is ready"}


@pytest.mark.parametrize(("text", "may_be"), [("zyTCAlFPjgYC", True), ("nightlyReport", False)])
def test_letters_that_are_drawn_by_chance_may_be_an_id(text: str, may_be: bool) -> None:
    value = StatedValue(text=text, kind=ValueKind.ID, value=text, start=0, end=len(text))
    assert may_be_id(value) == may_be


def test_a_colour_goes_to_the_input_that_is_called_so() -> None:
    tool = call(
        "POST /flags", "createFlag", "Create a flag", body={"name": TEXT}, optional={"flag_color": TEXT}
    )
    assert filled('create the flag "Urgent" in red (#D9534F)', tool)["flag_color"] == "#D9534F"


def test_several_values_go_to_the_only_list_that_a_call_has_to_have() -> None:
    tool = call("POST /prints", "printScans", "Print scans", body={"ids": {"type": "array", "items": WHOLE}})
    assert filled("print the pictures 7, 8 and 9", tool) == {"ids": [7, 8, 9]}


@pytest.mark.parametrize("goal", ["list cards 50 per page", "list cards 50 max"])
def test_how_many_are_on_a_page_is_a_limit(goal: str) -> None:
    tool = call(
        "GET /cards",
        "listCards",
        "List cards",
        query=["first", "max", "page"],
        answer=page("cards", record("Card", "id")),
    )
    assert filled(goal, tool) == {"max": "50"}


def test_a_new_thing_is_called_by_what_stands_behind_its_noun() -> None:
    tool = call(
        "POST /vendors", "createVendor", "Create a vendor", optional={"identifier": TEXT, "name": TEXT}
    )
    assert filled("register the vendor Dansk Beslag", tool) == {"name": "Dansk Beslag"}


def test_a_format_that_repeats_the_type_is_any_text() -> None:
    tool = call(
        "POST /days", "createDay", "Create a day", body={"title": {"type": "string", "format": "string"}}
    )
    assert filled('create a day called "Standup"', tool) == {"title": "Standup"}


@pytest.mark.parametrize("goal", ["turn the volume down to 30", "turn down the volume to 30"])
def test_a_number_behind_to_is_what_the_object_is_set_to(goal: str) -> None:
    tool = call(
        "PUT /player/volume",
        "setVolume",
        "Set the volume",
        query=("device_id",),
        body={"volume_percent": WHOLE},
    )
    assert filled(goal, tool) == {"volume_percent": 30}


def test_what_something_is_called_does_not_go_deep_into_what_nobody_speaks_of() -> None:
    actor: Schema = {"type": "object", "properties": {"displayName": TEXT}}
    history: Schema = {"type": "object", "properties": {"actor": actor}}
    tool = call("PUT /cards/{cardId}", "updateCard", "Update a card", optional={"history": history})

    assert filled("move card 7 to High", tool) == {"cardId": "7"}


def test_a_moment_stays_as_it_is_written() -> None:
    tool = call(
        "PATCH /talks/{talkId}",
        "updateTalk",
        "Update a talk",
        optional={"startsAt": {"type": "string", "format": "date-time"}},
    )
    goal = "move talk 7 to 2026-02-11T14:30:00Z"
    assert filled(goal, tool)["startsAt"] == "2026-02-11T14:30:00Z"
