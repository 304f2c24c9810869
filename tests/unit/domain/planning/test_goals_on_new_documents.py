"""Goals on documents that name things by parts, by addresses and by what they undo."""

from collections.abc import Sequence

from app.domain.nodes.models import Tool
from app.domain.planning.draft import context_over
from app.domain.planning.index import PlanIndex
from app.domain.workflows.plans import KnownBinding
from tests.calls import TEXT, Schema, call, page, record
from tests.unit.domain.planning.test_unseen_goals import known, names, plan

SWITCH: Schema = {"type": "boolean"}


SHELVES = [
    call(
        "GET /my/shelves", "listShelves", "List shelves", answer=page("items", record("Shelf", "id", "title"))
    ),
    call("POST /my/shelves/{shelf}/addVolume", "addVolume", "Adds a volume to a shelf", query=["volumeId"]),
    call("POST /my/shelves/{shelf}/removeVolume", "removeVolume", "Removes a volume", query=["volumeId"]),
]


def requiring(tools: Sequence[Tool], name: str) -> list[Tool]:
    """The tools, with an input that is required where they have it."""
    return [
        tool.model_copy(
            update={"input_schema": tool.input_schema.replace('"required": [', f'"required": ["{name}", ')}
        )
        if f'"{name}"' in tool.input_schema
        else tool
        for tool in tools
    ]


def test_what_a_turn_of_phrase_is_done_to_has_no_noun() -> None:
    found = plan("take zyTCAlFPjgYC off my shelf 3", requiring(SHELVES, "volumeId"))
    assert names(found) == ["removeVolume"]
    assert known(found, 0) == {"shelf": "3", "volumeId": "zyTCAlFPjgYC"}


def test_an_id_is_not_of_what_another_value_names() -> None:
    found = plan('add OL4hDwAAQBAJ to my shelf "Holiday reading"', requiring(SHELVES, "volumeId"))
    assert names(found) == ["listShelves", "addVolume"]
    assert known(found, 1) == {"volumeId": "OL4hDwAAQBAJ"}


SHARING = [
    call("POST /family/share", "share", "Shares with the family", query=["volumeId"]),
    call("GET /volumes/{volumeId}", "getVolume", "Get a volume"),
]


def test_what_should_stop_is_not_done() -> None:
    assert "share" not in names(plan("stop sharing volume 12 with the family", SHARING))


def test_what_undoes_a_thing_stops_it() -> None:
    undo = call("POST /family/unshare", "unshare", "Revokes what was shared", query=["volumeId"])
    found = plan("stop sharing volume 12 with the family", [*SHARING, undo])
    assert names(found) == ["unshare"]


DEVICES = [
    call("GET /devices/{serial}", "getDevice", "Get a device"),
    call("DELETE /devices/{serial}", "deleteDevice", "Delete a device"),
    call("DELETE /devices/{serial}/connection", "disconnectDevice", "Disconnect a device"),
]


def test_what_only_a_thing_has_may_end_where_the_thing_stays() -> None:
    found = plan("disconnect from emulator-5554 but keep the device", DEVICES)
    assert names(found) == ["disconnectDevice"]


AGENTS = [
    call("PUT /agents/{agent}/start", "startAgent", "Start the agent"),
    call("PUT /agents/{agent}/set/mask/{mask}", "setMask", "Mask of the agent"),
    call("PUT /agents/{agent}/set/port/{port}", "setPort", "Port of the agent"),
    call("POST /agents/{agent}/web/port/add/{port}", "addPort", "Add the agent's web port"),
    call("POST /agents/{agent}/ipalias/add/{ip}/{port}/{mask}", "addAlias", "Adds an ipalias for the agent"),
    call("PUT /agents/{agent}/ipalias/start/{ip}/{port}", "startAlias", "Starts an ipalias for the agent"),
]
ALIAS = "add an ip alias 10.0.4.7 to agent 3, port 161, mask 255.255.255.0"


def test_what_a_call_has_taken_with_its_noun_is_no_task() -> None:
    found = plan(ALIAS, AGENTS)
    assert names(found) == ["addAlias"]
    assert known(found, 0) == {"agent": "3", "ip": "10.0.4.7", "port": "161", "mask": "255.255.255.0"}


def test_it_is_what_was_made() -> None:
    assert names(plan(f"{ALIAS} and start it", AGENTS)) == ["addAlias", "startAlias"]


def test_two_words_that_a_document_writes_together_are_said() -> None:
    index = PlanIndex(AGENTS)
    context = context_over(index, ALIAS, servers=index.servers, known={})
    assert "ipalia" in context.stems_for(0)


def test_a_title_may_say_the_place_that_a_thing_leaves() -> None:
    tools = [
        call("DELETE /access/del/{user}", "clearEntry", "Clears a users entry from access control list"),
        call("GET /access/list", "listAccess", "Access entries"),
    ]
    assert names(plan("take the user joe out of the access control list", tools)) == ["clearEntry"]


MESSAGES = [
    call(
        "POST /sms",
        "sendSms",
        "Send SMS",
        body={"text": TEXT, "to": TEXT},
        optional={"from": TEXT, "foreign_id": TEXT},
        details={"to": {"description": "The recipient number(s) or contact name(s)"}},
    ),
    call(
        "POST /voice",
        "callVoice",
        "Send text-to-speech voice call",
        body={"text": TEXT, "to": TEXT},
        details={"to": {"description": "Must be a valid phone number"}},
    ),
    call(
        "GET /lookup",
        "lookUp",
        "Look up a number",
        query=["number"],
        details={"number": {"description": "The phone number to look up"}},
    ),
]


def test_who_texts_a_number_sends_a_message() -> None:
    found = plan('text +49171234567 "your table is ready"', MESSAGES)
    assert names(found) == ["sendSms"]
    assert known(found, 0) == {"to": "+49171234567", "text": "your table is ready"}


def test_a_telephone_number_goes_to_what_takes_one() -> None:
    index = PlanIndex(MESSAGES)
    context = context_over(index, "see who 491701112223 is", servers=index.servers, known={})
    found = context.assigned(0, 2, index.form(2))
    assert found.known == {("number",): "491701112223"}


def test_an_input_that_a_preposition_names_has_a_noun_too() -> None:
    found = plan('send an sms "hello" to +49171234567, sender Osteria', MESSAGES)
    assert known(found, 0) == {"to": "+49171234567", "text": "hello", "from": "Osteria"}


def test_what_is_written_is_of_this_task() -> None:
    found = plan('look up text 77123 and call +49171234567 with "it is postponed"', MESSAGES)
    assert known(found, len(found.steps) - 1) == {"to": "+49171234567", "text": "it is postponed"}


KEYS = [
    call(
        "POST /create-corpus",
        "createCorpus",
        "Creates a corpus",
        body={"name": TEXT},
        answer=record("Corpus", "corpusId"),
    ),
    call(
        "POST /create-key",
        "createKey",
        "Creates a key",
        optional={
            "data": {
                "type": "array",
                "items": {"type": "object", "properties": {"corpusId": TEXT, "description": TEXT}},
            }
        },
    ),
    call(
        "POST /enable-api-key",
        "enableKey",
        "Enables or disables an API key",
        optional={
            "keyEnablement": {
                "type": "array",
                "items": {"type": "object", "properties": {"keyId": TEXT, "enable": SWITCH}},
            }
        },
    ),
]


def test_the_whole_of_a_body_is_filled_with_what_was_made() -> None:
    found = plan('create the corpus "Support", then create a key for it', KEYS)
    assert names(found) == ["createCorpus", "createKey"]
    assert "data" in found.steps[1].bindings


def test_a_key_is_named_by_its_word() -> None:
    found = plan("turn off api key zqt_UXrBcnI2UXIN", KEYS)
    assert names(found) == ["enableKey"]
    assert known(found, 0) == {"keyEnablement": [{"keyId": "zqt_UXrBcnI2UXIN", "enable": False}]}


def test_members_of_an_enum_are_told_by_where_they_differ() -> None:
    kinds: Schema = {"type": "string", "enum": ["AppPackageOnBoarding", "AppPackageDeletion"]}
    tools = [
        call(
            "POST /subscriptions",
            "subscribe",
            "Subscribe to notifications",
            body={"callbackUri": TEXT, "event": kinds},
        )
    ]
    found = plan("subscribe https://hooks.nordlys.io/mec to package deletions", tools)
    assert known(found, 0) == {"callbackUri": "https://hooks.nordlys.io/mec", "event": "AppPackageDeletion"}


def test_the_name_of_a_part_of_which_nobody_speaks_stays_open() -> None:
    address: Schema = {"type": "object", "properties": {"BuildingName": TEXT, "Floor": TEXT}}
    tools = [
        call(
            "POST /consents",
            "createConsent",
            "Create a consent",
            body={"purpose": TEXT},
            optional={"address": address},
        )
    ]
    assert "address" not in plan("create a consent for ACME Inc", tools).steps[0].bindings


def test_a_verb_may_be_written_with_a_hyphen() -> None:
    tools = [
        call(
            "POST /packages", "postPackage", "A resource for on-boarding packages", body={"packageName": TEXT}
        ),
        call("GET /packages/{packageId}", "getPackage", "Get a package"),
    ]
    assert names(plan("onboard the package edge-cache-2", tools)) == ["postPackage"]


def test_what_a_value_is_called_is_no_state() -> None:
    purpose: Schema = {"type": "string", "enum": ["account", "holiday"]}
    tools = [
        call(
            "POST /transfers",
            "createTransfer",
            "Create a transfer",
            body={"iban": TEXT},
            optional={"purpose": purpose},
        )
    ]
    found = plan("create a transfer to account 08080021325698", tools)
    assert "purpose" not in found.steps[0].bindings


def nested(parts: Schema, *names: str) -> Schema:
    """Parts of a body inside of objects, one in the other, all of them required."""
    found = parts
    for name in reversed(names):
        found = {"type": "object", "required": [name], "properties": {name: found}}
    return found


def test_what_has_to_be_there_is_filled_deep_in_an_envelope() -> None:
    amount: Schema = {"type": "object", "required": ["amount"], "properties": {"amount": TEXT}}
    tools = [
        call(
            "POST /payments",
            "pay",
            "Create a payment",
            body={"data": nested(amount, "payment", "instructed")},
        )
    ]
    found = plan("create a payment over 165.88 GBP", tools)
    assert known(found, 0) == {"data": {"payment": {"instructed": {"amount": "165.88"}}}}


def test_digits_are_no_name() -> None:
    account: Schema = {"type": "object", "required": ["name"], "properties": {"name": TEXT}}
    tools = [call("POST /payments", "pay", "Create a payment", body={"account": account, "reference": TEXT})]
    found = plan("create a payment, account 08080021325698", tools)
    assert not isinstance(found.steps[0].bindings["account"], KnownBinding)
