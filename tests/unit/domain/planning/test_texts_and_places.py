"""What is written is no name of anything, what is there is not added, and what can be one thing alone is that."""

import pytest

from app.domain.workflows.plans import InputBinding, StepBinding
from tests.calls import NUMBER, TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_plain_apis import bound
from tests.unit.domain.planning.test_unseen_goals import known, names, plan

NOTES = [
    call(
        "GET /contacts",
        "listContacts",
        "List contacts",
        query=("search",),
        answer=page("contacts", record("Contact", "id", "name")),
    ),
    call("POST /contacts/{contactId}/notes", "addNote", "Add a note to a contact", body=("details",)),
    call(
        "GET /pages",
        "listPages",
        "List status pages",
        query=("name",),
        answer=page("pages", record("Page", "id", "name")),
    ),
    call(
        "POST /pages/{pageId}/updates", "addUpdate", "Post an update to a status page", body=("title", "body")
    ),
]


@pytest.mark.parametrize(
    "goal",
    [
        'leave a note on the contact "Ann Lee" saying "they were late"',
        'add a note "They were late, again." to the contact "Ann Lee"',
    ],
)
def test_a_sentence_looks_nothing_up(goal: str) -> None:
    found = plan(goal, NOTES)
    assert names(found) == ["listContacts", "addNote"]
    assert known(found, 0) == {"search": "Ann Lee"}
    assert str(known(found, 1)["details"]).lower().startswith("they were late")


def test_a_sentence_is_the_text_and_a_phrase_the_title() -> None:
    found = plan('post "Payments delayed" on the page "Shop", text "Some take longer than usual."', NOTES)
    assert names(found) == ["listPages", "addUpdate"]
    assert known(found, 0) == {"name": "Shop"}
    assert known(found, 1)["body"] == "Some take longer than usual."


EVENTS = [
    call(
        "GET /events",
        "listEvents",
        "List events",
        query=("q",),
        answer=page("events", record("Event", "id", "title")),
    ),
    call(
        "POST /events/{eventId}/invites",
        "inviteGuest",
        "Invite a guest",
        body={"email": {**TEXT, "format": "email"}},
        optional={"message": TEXT},
    ),
    call("PATCH /events/{eventId}", "updateEvent", "Update an event", optional={"title": TEXT}),
]


@pytest.mark.parametrize(
    ("goal", "filled"),
    [
        ('rename the event "Are you ready?" to "Get set!"', {"eventId": "listEvents", "title": "Get set!"}),
        (
            'invite a@b.com to the event "Are you ready?" saying "please come"',
            {"eventId": "listEvents", "email": "a@b.com", "message": "please come"},
        ),
    ],
)
def test_what_stands_behind_its_noun_is_a_name_whatever_it_ends_with(
    goal: str, filled: dict[str, object]
) -> None:
    found = plan(goal, EVENTS)
    assert names(found)[0] == "listEvents"
    assert known(found, 0) == {"q": "Are you ready?"}
    assert bound(found, 1) == filled


SONGS = [
    call(
        "GET /me/albums",
        "listSavedAlbums",
        "List the albums that are saved",
        answer=page("albums", record("Album", "id", "name")),
    ),
    call("PUT /me/albums", "saveAlbums", "Save albums", query=(), body=("ids",)),
    call("DELETE /me/albums", "removeAlbums", "Remove albums that are saved", body=("ids",)),
    call(
        "GET /search",
        "search",
        "Search for albums",
        query=("q",),
        answer=page("albums", record("Album", "id", "name")),
    ),
]


def test_what_is_there_is_not_added_to_its_list() -> None:
    assert "listSavedAlbums" not in names(plan("save the album Mojito", SONGS))
    assert names(plan("remove the album Mojito", SONGS)) == ["listSavedAlbums", "removeAlbums"]


PATIENTS = [
    call(
        "GET /patients/{patientId}/allergies",
        "listAllergies",
        "List allergies",
        answer=page("allergies", record("Allergy", "id", "substance")),
    ),
    call(
        "POST /patients/{patientId}/allergies",
        "addAllergy",
        "Add an allergy",
        body={"substance": TEXT, "severity": {**TEXT, "enum": ["mild", "severe"]}},
    ),
]


def test_what_is_added_is_the_only_text_that_has_to_be_there() -> None:
    found = plan("add latex to the allergies of patient pat_7", PATIENTS)
    assert names(found) == ["addAllergy"]
    assert known(found, 0) == {"patientId": "pat_7", "substance": "latex"}


ZONES = [
    call(
        "GET /zones/{zoneName}/records",
        "listRecords",
        "List records",
        query=("host", "type"),
        details={
            "zoneName": {"description": "Domain name of the zone."},
            "type": {"enum": ["A", "MX"]},
        },
        answer=page("records", record("Record", "id", "host", "type")),
    ),
    call(
        "DELETE /zones/{zoneName}/records/{recordId}",
        "deleteRecord",
        "Delete a record",
        details={"zoneName": {"description": "Domain name of the zone."}},
    ),
    call(
        "POST /zones/{zoneName}/records",
        "createRecord",
        "Create a record",
        body={
            "type": {**TEXT, "enum": ["A", "MX"]},
            "host": {**TEXT, "description": "Host part without the zone.", "example": "www"},
            "data": TEXT,
        },
        details={"zoneName": {"description": "Domain name of the zone."}},
    ),
]


def test_a_domain_is_what_a_document_says_takes_one() -> None:
    found = plan("create a record www on example.org", ZONES)
    assert known(found, 0)["zoneName"] == "example.org"


def test_a_capital_letter_behind_an_article_is_a_member() -> None:
    assert known(plan("drop the A record blog on example.org", ZONES), 0)["type"] == "A"
    assert "type" not in known(plan("drop a record on example.org", ZONES), 0)


def test_a_letter_names_nothing() -> None:
    found = plan("remove the album A", SONGS)
    assert all("A" not in known(found, step).values() for step in range(len(found.steps)))


def test_one_of_those_of_a_type_is_asked_for() -> None:
    found = plan("drop the MX record of example.org", ZONES)
    picked = found.steps[-1].bindings["recordId"]
    assert isinstance(picked, StepBinding)
    assert picked.select is not None
    assert picked.select.by == "ask"


BUILDS = [
    call(
        "POST /deployments",
        "createDeployment",
        "Deploy a build",
        body={
            "buildId": {**TEXT, "example": "bld_7f3a91"},
            "environment": {**TEXT, "example": "staging"},
        },
    ),
    call(
        "POST /projects/{projectId}/variables",
        "createVariable",
        "Create a variable of a project",
        body=("key", "value"),
    ),
    call(
        "POST /reminders",
        "createReminder",
        "Create a reminder",
        body={"minutes_before": {**NUMBER, "enum": [10, 60]}, "event": TEXT},
        optional={"channel": {**TEXT, "enum": ["email", "push"]}},
    ),
]


@pytest.mark.parametrize(
    ("goal", "environment"),
    [
        ("ship build bld_3310 to staging", "staging"),
        ("deploy bld_3310 on canary-eu", "canary-eu"),
    ],
)
def test_an_example_of_the_document_is_a_value(goal: str, environment: str) -> None:
    assert bound(plan(goal, BUILDS), 0) == {"buildId": "bld_3310", "environment": environment}


@pytest.mark.parametrize(
    "goal",
    [
        "deploy bld_3310 not to staging",
        "deploy bld_3310 but do not ship it to staging",
    ],
)
def test_an_example_that_is_denied_is_none(goal: str) -> None:
    found = plan(goal, BUILDS)
    assert all("environment" not in known(found, step) for step in range(len(found.steps)))


def test_what_a_key_is_set_to_is_no_pair() -> None:
    found = plan("create the variable called FLAGS with the value A=1 in project 57", BUILDS)
    assert known(found, 0) == {"projectId": "57", "key": "FLAGS", "value": "A=1"}


def test_a_pair_is_a_key_and_its_value() -> None:
    found = plan("create the variable RELEASE_TAG=3.2.0 in project 57", BUILDS)
    assert known(found, 0) == {"projectId": "57", "key": "RELEASE_TAG", "value": "3.2.0"}


def test_a_measure_is_a_member_in_its_unit() -> None:
    found = plan('create a reminder for the event "Review" an hour before it', BUILDS)
    assert known(found, 0)["minutes_before"] == 60


def test_a_verb_may_say_by_what_something_is_sent() -> None:
    found = plan('email me an hour before the event "Review"', BUILDS)
    assert names(found) == ["createReminder"]
    assert known(found, 0)["channel"] == "email"


DOCUMENT: Schema = {"type": "string", "enum": ["monitor"]}
COURSES = [
    call(
        "POST /monitors",
        "createMonitor",
        "Create a monitor",
        body={"type": DOCUMENT, "kind": {"type": "string", "const": "http"}, "url": TEXT},
    ),
    call(
        "POST /courses",
        "createCourse",
        "Create a course",
        body={"code": TEXT, "title": TEXT},
        optional={
            "language": {**TEXT, "description": "Two-letter code (ISO 639-1)."},
            "level": {**TEXT, "enum": ["beginner", "advanced"]},
        },
    ),
    call(
        "PATCH /courses/{code}",
        "updateCourse",
        "Update a course",
        optional={"title": TEXT, "language": TEXT, "level": {**TEXT, "enum": ["beginner", "advanced"]}},
    ),
    call(
        "PUT /courses/{code}/tags",
        "setTags",
        "Replace the tags of a course",
        body={"tags": {"type": "array", "items": TEXT}},
    ),
    call(
        "POST /courses/{code}/tags",
        "addTags",
        "Add tags to a course",
        body={"tags": {"type": "array", "items": TEXT}},
    ),
    call(
        "PATCH /people/{personId}",
        "updatePerson",
        "Update a person",
        optional={"phoneNumber": TEXT, "city": TEXT, "name": TEXT},
    ),
]


def test_what_can_have_one_value_alone_has_it() -> None:
    found = plan("create a monitor for https://shop.example.com", COURSES)
    assert known(found, 0)["type"] == "monitor"
    assert known(found, 0)["kind"] == "http"


def test_what_somebody_accepts_is_not_said_for_them() -> None:
    tools = [
        call(
            "POST /accounts",
            "createAccount",
            "Create an account",
            body={
                "name": TEXT,
                "terms": {"type": "boolean", "const": True},
                "mode": {**TEXT, "enum": ["wipe"]},
            },
        )
    ]
    found = plan('create an account "Acme"', tools)
    assert known(found, 0) == {"name": "Acme"}


@pytest.mark.parametrize("of", ["all cards", "the other card", "the first card"])
def test_a_change_of_others_is_no_part_of_what_is_made(of: str) -> None:
    cards = [
        call("GET /cards", "listCards", "List cards", answer=page("cards", record("Card", "id", "title"))),
        call(
            "POST /cards",
            "createCard",
            "Create a card",
            body=("title",),
            optional={"status": {**TEXT, "enum": ["todo", "done"]}},
        ),
        call(
            "PATCH /cards/{cardId}",
            "updateCard",
            "Update a card",
            optional={"title": TEXT, "status": {**TEXT, "enum": ["todo", "done"]}},
        ),
    ]
    found = plan(f'create a card "Fix" and set {of} to done', cards)
    assert "status" not in known(found, names(found).index("createCard"))


LANGUAGES = [
    call(
        "POST /translations",
        "translate",
        "Translate a text",
        body=("text", "targetLanguage", "sourceLanguage"),
    ),
    call(
        "POST /videos",
        "createVideo",
        "Create a video",
        body=("title",),
        optional={"language": {**TEXT, "example": "German"}},
    ),
]


def test_each_language_goes_to_its_end() -> None:
    found = plan('translate "Good morning" from English to German', LANGUAGES)
    assert known(found, 0) == {"text": "Good morning", "sourceLanguage": "en", "targetLanguage": "de"}


def test_a_language_is_said_as_the_document_shows_it() -> None:
    found = plan('create a video "Intro" in French', LANGUAGES)
    assert known(found, 0) == {"title": "Intro", "language": "French"}


def test_what_can_be_said_where_a_thing_is_made_needs_no_change_of_it() -> None:
    found = plan('set up a course, code UX-2, "Design", advanced, taught in german', COURSES)
    assert names(found) == ["createCourse"]
    assert known(found, 0) == {"code": "UX-2", "title": "Design", "level": "advanced", "language": "de"}


def test_words_that_are_listed_fill_the_list_that_is_named() -> None:
    found = plan("set the tags of course PY-101 to python, urgent and data", COURSES)
    assert names(found) == ["setTags"]
    assert known(found, 0) == {"code": "PY-101", "tags": ["python", "urgent", "data"]}


def test_what_is_changed_without_a_value_is_asked_for() -> None:
    found = plan("change the phone number of person 7", COURSES)
    assert names(found) == ["updatePerson"]
    assert isinstance(found.steps[0].bindings["phoneNumber"], InputBinding)
    assert "city" not in found.steps[0].bindings


def test_a_telephone_number_has_digits() -> None:
    found = plan("set the phone number of person 7 to call", COURSES)
    assert "phoneNumber" not in known(found, 0)


def test_a_time_of_the_day_is_no_day() -> None:
    tools = [
        call(
            "POST /rooms/{roomId}/blocks",
            "blockRoom",
            "Block a room",
            body={"startDate": {**TEXT, "format": "date"}},
            optional={"endDate": {**TEXT, "format": "date-time"}},
        )
    ]
    found = plan("block room 7 from 2026-12-24 to 18:00", tools)
    assert known(found, 0) == {"roomId": "7", "startDate": "2026-12-24"}


ALERTS = [
    call(
        "GET /alerts",
        "listAlerts",
        "List alerts",
        query=("name",),
        answer=page("alerts", record("Alert", "id", "name")),
    ),
    call(
        "POST /alerts",
        "createAlert",
        "Create an alert",
        body=("name",),
        optional={"severity": {**TEXT, "enum": ["critical", "warning"]}},
    ),
    call(
        "PATCH /alerts/{alertId}",
        "updateAlert",
        "Update an alert",
        optional={
            "name": TEXT,
            "severity": {**TEXT, "enum": ["critical", "warning"]},
            "windowMinutes": {**NUMBER, "enum": [10, 30]},
        },
    ),
    call("DELETE /alerts/{alertId}", "deleteAlert", "Delete an alert"),
]


@pytest.mark.parametrize(
    ("goal", "filled"),
    [
        ('set the window of the alert "CPU" to 30 minutes', {"windowMinutes": 30}),
        ('change the severity of the alert "CPU" to critical', {"severity": "critical"}),
        ('change the name of the alert "CPU" to "Load"', {"name": "Load"}),
        ('change the severity of the alert "CPU"', {}),
    ],
)
def test_of_which_thing_something_is_changed_is_no_name_for_it(goal: str, filled: dict[str, object]) -> None:
    found = plan(goal, ALERTS)
    assert names(found) == ["listAlerts", "updateAlert"]
    assert known(found, 0) == {"name": "CPU"}
    assert known(found, 1) == filled


def test_what_is_done_to_another_thing_makes_none() -> None:
    found = plan('create an alert "Disk", critical, and delete the alert "CPU"', ALERTS)
    assert names(found).count("createAlert") == 1


TRACKS = [
    call(
        "GET /tracks",
        "listTracks",
        "List tracks",
        query=("q", "language"),
        answer=page("tracks", record("Track", "id", "title")),
    ),
    call(
        "GET /playlists",
        "listPlaylists",
        "List playlists",
        query=("name",),
        answer=page("playlists", record("Playlist", "id", "name")),
    ),
    call(
        "POST /playlists/{playlistId}/tracks",
        "addTracks",
        "Add tracks to a playlist",
        body={"trackIds": {"type": "array", "items": TEXT}},
    ),
]


def test_where_things_go_is_not_what_they_are_found_by() -> None:
    found = plan('add all German tracks to the playlist "Morning"', TRACKS)
    given = {name: known(found, step) for step, name in enumerate(names(found))}
    assert given["listTracks"] == {"language": "de"}
    assert given["listPlaylists"] == {"name": "Morning"}
