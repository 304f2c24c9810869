"""What people say beside a thing: where it is, how it is known, at what time of which place, and what is written there."""

import pytest

from tests.calls import NUMBER, TEXT, call, page, record
from tests.unit.domain.planning.test_plain_apis import bound
from tests.unit.domain.planning.test_unseen_goals import names, plan, selected

MEALS = {"type": "string", "enum": ["VEGAN", "VEGETARIAN", "STANDARD"]}
SEATS = {"type": "string", "enum": ["WINDOW", "AISLE"]}
DEALS = [
    call("GET /pipelines", "listPipelines", "List pipelines", answer=page("pipelines", record("Pipeline", "id", "label"))),
    call(
        "GET /pipelines/{pipelineId}/stages",
        "listStages",
        "List the stages of a pipeline",
        answer=page("stages", record("Stage", "id", "name")),
    ),
    call("POST /deals/{dealId}/move", "moveDeal", "Move a deal to a stage", body={"stageId": NUMBER}, details={"dealId": NUMBER}),
    call(
        "GET /contacts",
        "listContacts",
        "List contacts",
        query=("email", "q"),
        answer=page("contacts", record("Contact", "id", "name", "email")),
    ),
    call(
        "PATCH /contacts/{contactId}",
        "updateContact",
        "Update a contact",
        optional={"email": TEXT, "phone": TEXT, "mobilePhone": TEXT, "name": TEXT},
    ),
    call("POST /contacts", "createContact", "Create a contact", body={"name": TEXT}, optional={"email": TEXT, "phone": TEXT, "mobilePhone": TEXT}),
    call("GET /users/{username}", "getUser", "Get a user"),
    call("PATCH /users/{username}", "updateUser", "Update a user", optional={"email": TEXT, "username": TEXT}),
]  # fmt: skip
OFFICE = [
    call("PATCH /bookings/{bookingId}", "updateBooking", "Update a booking", optional={"checkInDate": TEXT, "checkOutDate": TEXT}),
    call("POST /codes", "createCode", "Create a discount code", body={"code": TEXT}, optional={"usage_limit": NUMBER, "percent_off": NUMBER}),
    call("PATCH /meetings/{meetingId}", "updateMeeting", "Update a meeting", optional={"starts_at": {**TEXT, "format": "date-time"}}),
    call(
        "PATCH /sessions/{sessionId}",
        "updateSession",
        "Update a session",
        optional={"starts_at": {**TEXT, "format": "date-time"}, "timezone": {**TEXT, "description": "IANA name."}},
    ),
    call("POST /pages/{pageId}/updates", "createUpdate", "Post an update to a page", body={"title": TEXT}, optional={"body": TEXT}),
    call("PUT /travellers/{travellerId}/preferences", "setPreferences", "Set the preferences of a traveller", optional={"meal": MEALS, "seat": SEATS}),
]  # fmt: skip
CHAT = [
    call(
        "POST /channels/{channelId}/messages",
        "postMessage",
        "Post a message in a channel",
        body={"content": TEXT},
    ),
    call("GET /tweets", "searchTweets", "Search tweets", query=("q", "lang")),
]


@pytest.mark.parametrize("goal", ["move deal 5 to Negotiation", 'move deal 5 to "Negotiation"'])
def test_what_a_list_is_not_spoken_of_by_says_which_of_it_is_meant(goal: str) -> None:
    found = plan(f"{goal}, in the pipeline Sales", DEALS)

    select = selected(found, "stageId").select
    assert select is not None
    assert (select.by, select.field, select.value) == ("match", "name", "Negotiation")
    assert not found.unused


@pytest.mark.parametrize(
    ("goal", "changed"),
    [
        ("update the contact with email ann@acme.com, phone +49 30 1234567", {"phone": "+49 30 1234567"}),
        (
            "set the phone of the contact with the email ann@acme.com to +49 30 1234567",
            {"phone": "+49 30 1234567"},
        ),
        ("rename the contact whose email is ann@acme.com to Ann Lee", {"name": "Ann Lee"}),
    ],
)
def test_what_a_thing_is_known_by_is_looked_for_and_not_set(goal: str, changed: dict[str, str]) -> None:
    found = plan(goal, DEALS)

    assert names(found) == ["listContacts", "updateContact"]
    assert bound(found, 0) == {"email": "ann@acme.com"}
    assert bound(found, 1) == {"contactId": "listContacts", **changed}


def test_what_nothing_follows_is_set() -> None:
    found = plan("update the contact with email ann@acme.com", DEALS)

    assert bound(found, -1)["email"] == "ann@acme.com"


def test_what_a_path_goes_by_is_not_looked_for() -> None:
    found = plan("update the user with username jdoe: email jane@acme.com", DEALS)

    assert names(found) == ["updateUser"]
    assert bound(found, 0) == {"username": "jdoe", "email": "jane@acme.com"}


@pytest.mark.parametrize("phone", ["+1 512-555-0147", "512-555-0147", "+493012345678"])
def test_a_number_that_is_written_as_one_is_a_telephone_number(phone: str) -> None:
    found = plan(f"create a contact named Jane Roe, jane@roe.com, {phone}", DEALS)

    assert bound(found, 0) == {"name": "Jane Roe", "email": "jane@roe.com", "phone": phone}


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("change the checkout of booking 7 to 2026-05-22", {"bookingId": "7", "checkOutDate": "2026-05-22"}),
        ("change the checkin of booking 7 to 2026-05-22", {"bookingId": "7", "checkInDate": "2026-05-22"}),
        ("create a code SPRING15, max 500 uses", {"code": "SPRING15", "usage_limit": 500}),
        ("create a code SPRING15, at most 500 uses", {"code": "SPRING15", "usage_limit": 500}),
        (
            'create an update "Late" on page 7, body "It takes longer."',
            {"pageId": "7", "title": "Late", "body": "It takes longer."},
        ),
    ],
)
def test_what_an_input_is_called_in_other_words(goal: str, expected: dict[str, object]) -> None:
    found = plan(goal, OFFICE)

    assert bound(found, -1) == expected
    assert not found.unused


@pytest.mark.parametrize(
    ("said", "offset", "zone"),
    [
        ("09:00 Berlin time", "+01:00", "Europe/Berlin"),
        ("09:00 (berlin time)", "+01:00", "Europe/Berlin"),
        ("9am New York time", "-05:00", "America/New_York"),
        ("9am EST", "-05:00", "America/New_York"),
        ("09:00 Asia/Tokyo", "+09:00", "Asia/Tokyo"),
    ],
)
def test_a_time_of_day_is_meant_where_it_says(said: str, offset: str, zone: str) -> None:
    plain = plan(f"move meeting 7 to 2026-03-02 at {said}", OFFICE)
    zoned = plan(f"move session 7 to 2026-03-02 at {said}", OFFICE)

    assert bound(plain, 0) == {"meetingId": "7", "starts_at": f"2026-03-02T09:00:00{offset}"}
    assert not plain.unused
    assert bound(zoned, 0)["starts_at"] == f"2026-03-02T09:00:00{offset}"
    assert bound(zoned, 0)["timezone"] == zone


@pytest.mark.parametrize(
    "goal",
    [
        "post in channel 5: {}",
        "post this in channel 5: {}",
        "write to channel 5: {}",
        "please post to channel 5: {}",
    ],
)
@pytest.mark.parametrize("text", ["Lunch is ready", "close the window, please", "Deploy of v2 starts at 5pm"])
def test_what_stands_behind_a_place_and_a_colon_is_written_there(goal: str, text: str) -> None:
    found = plan(goal.format(text), CHAT)

    assert names(found) == ["postMessage"]
    assert bound(found, 0) == {"channelId": "5", "content": text}


def test_a_topic_with_its_sign_is_searched_for() -> None:
    found = plan("search tweets about #rain", CHAT[1:])

    assert bound(found, 0) == {"q": "#rain"}


def test_what_a_state_has_taken_is_not_said_to_be_unmet() -> None:
    found = plan("traveller T7 wants window seats and vegan meals", OFFICE)

    assert bound(found, -1)["meal"] == "VEGAN"
    assert not found.unmet
