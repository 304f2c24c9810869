"""What the tasks of a goal share, and what a caller says for each of them."""

from collections.abc import Mapping, Sequence

import pytest
from pydantic import JsonValue

from app.domain.nodes.models import Tool
from app.domain.planning.draft import draft_plan, requirements_within
from app.domain.planning.finish import finish_plan
from app.domain.planning.index import PlanIndex
from app.domain.reading.models import AskedTask
from app.domain.workflows.plans import KnownBinding, Plan, StepBinding
from ingest.enrich.requires.dependencies import infer_dependencies
from tests.calls import NUMBER, TEXT, Schema, call, page, record

ZONES = [
    call("GET /zones", "listZones", "List zones", answer=page("zones", record("Zone", "zoneName"))),
    call("GET /zones/{zone}/export", "exportZone", "Export a zone"),
    call("DELETE /zones/{name}", "deleteZone", "Delete a zone"),
    call("DELETE /records/{record}", "deleteRecord", "Delete a record"),
    call("DELETE /hosts/{name}", "deleteHost", "Delete a host"),
]


def plan(goal: str, tools: Sequence[Tool], *, tasks: Sequence[AskedTask] = ()) -> Plan:
    index = PlanIndex(tools)
    edges = requirements_within(infer_dependencies(tools).requires)
    return finish_plan(index, draft_plan(index, goal, requirements=edges, known={}, tasks=tasks))


def stated(found: Plan) -> list[tuple[str, Mapping[str, JsonValue]]]:
    """Each step with the values that are known for it."""
    return [
        (
            step.tool_id.split("/", 1)[1],
            {
                name: binding.known
                for name, binding in step.bindings.items()
                if isinstance(binding, KnownBinding)
            },
        )
        for step in found.steps
    ]


def asked(do: str, tool: Tool, **values: JsonValue) -> list[tuple[str, Mapping[str, JsonValue]]]:
    return stated(plan(do, [tool], tasks=[AskedTask(do=do, values=values)]))


@pytest.mark.parametrize(
    "goal", ["export zone a.com and then drop the zone", "export a.com, then drop the zone"]
)
@pytest.mark.parametrize(
    ("exported", "deleted"), [("zone", "name"), ("domain_name", "id"), ("domain", "domainRef")]
)
def test_the_same_place_in_a_path_is_the_same_thing_whatever_its_parameter_is_called(
    goal: str, exported: str, deleted: str
) -> None:
    tools = [
        ZONES[0],
        call(f"GET /zones/{{{exported}}}/export", "exportZone", "Export a zone"),
        call(f"DELETE /zones/{{{deleted}}}", "deleteZone", "Delete a zone"),
    ]
    assert stated(plan(goal, tools)) == [
        ("exportZone", {exported: "a.com"}),
        ("deleteZone", {deleted: "a.com"}),
    ]


@pytest.mark.parametrize(("noun", "step"), [("record", "deleteRecord"), ("host", "deleteHost")])
def test_another_place_in_a_path_is_another_thing(noun: str, step: str) -> None:
    assert stated(plan(f"export zone a.com and then drop the {noun}", ZONES)) == [
        ("exportZone", {"zone": "a.com"}),
        (step, {}),
    ]


def test_a_thing_that_a_task_names_itself_is_not_shared() -> None:
    assert stated(plan("export zone a.com and then delete zone b.com", ZONES)) == [
        ("exportZone", {"zone": "a.com"}),
        ("deleteZone", {"name": "b.com"}),
    ]


INVITE = call(
    "POST /teams/{team}/invites",
    "inviteUsers",
    "Invite users to a team",
    body={"users": {"type": "array", "items": TEXT}},
)
DELETE = call("DELETE /users/{userId}", "deleteUser", "Delete a user")
UPDATE = call(
    "PATCH /users/{userId}",
    "updateUser",
    "Update a user",
    optional={"active": {"type": "boolean"}, "note": TEXT},
)


def test_members_of_a_callers_list_are_values_of_their_own() -> None:
    assert asked("invite users to a team", INVITE, team="t7", users=["bob", "carol"]) == [
        ("inviteUsers", {"team": "t7", "users": ["bob", "carol"]})
    ]
    assert asked("delete the users", DELETE, userId=["u1", "u2"]) == [
        ("deleteUser", {"userId": "u1"}),
        ("deleteUser", {"userId": "u2"}),
    ]


def test_a_callers_text_with_commas_is_one_value() -> None:
    assert asked("delete the users", DELETE, userId="u1, u2") == [("deleteUser", {"userId": "u1, u2"})]


@pytest.mark.parametrize("value", [True, False])
def test_a_callers_boolean_fills_a_boolean(value: bool) -> None:
    assert asked("update the user", UPDATE, userId="u1", active=value) == [
        ("updateUser", {"userId": "u1", "active": value})
    ]


def test_a_callers_boolean_fills_nothing_else() -> None:
    assert asked("update the user", UPDATE, userId="u1", note=True) == [("updateUser", {"userId": "u1"})]
    assert asked("update the user", UPDATE, userId="u1", note="true") == [
        ("updateUser", {"userId": "u1", "note": "true"})
    ]


@pytest.mark.parametrize("name", ["zone", "name", "zoneName"])
def test_each_of_all_is_not_the_one_that_another_task_names(name: str) -> None:
    tools = [*ZONES[:2], call(f"DELETE /zones/{{{name}}}", "deleteZone", "Delete a zone")]
    found = plan("export zone a.com and then delete every zone", tools)
    assert stated(found)[0] == ("exportZone", {"zone": "a.com"})
    assert all("a.com" not in values.values() for _, values in stated(found)[1:])


ROOM: Schema = {
    "type": "object",
    "title": "Room",
    "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
}
MAKE_ROOM = call("POST /rooms", "createRoom", "Create a room", body=["name"], answer=ROOM)
PAINT = call("POST /rooms/{roomId}/paint", "paintRoom", "Paint a room", body=["colour"])


@pytest.mark.parametrize(("room", "binding"), [("attic", "/id"), ("R-42", None)])
def test_what_an_earlier_task_makes_by_a_name_is_called_by_its_id(room: str, binding: str | None) -> None:
    """Callers say the name with each task; an id that they say is one."""
    tasks = [
        AskedTask(do="create the room", values={"name": room}),
        AskedTask(do="paint the room", values={"room": room, "colour": "red"}, after=(1,)),
    ]
    made, painted = plan("a red attic", [MAKE_ROOM, PAINT], tasks=tasks).steps

    assert made.bindings["name"] == KnownBinding(known=room)
    if binding:
        assert painted.bindings["roomId"] == StepBinding(step=1, path=binding)
    else:
        assert painted.bindings["roomId"] == KnownBinding(known=room)


def test_all_but_some_of_what_most_calls_need_is_read_from_its_list() -> None:
    """Most calls need a zone, so that a plan asks for it; `all zones` does not."""
    tools = [
        *ZONES[:2],
        *(
            call(f"PUT /zones/{{zone}}/{verb}", f"{verb}Zone", f"{verb} a zone")
            for verb in ("notify", "check", "sign")
        ),
    ]
    listed, notified = plan("notify all zones except a.com", tools).steps
    binding = notified.bindings["zone"]

    assert listed.tool_id == "shop/listZones"
    assert isinstance(binding, StepBinding)
    assert binding.select is not None
    assert (binding.select.by, binding.select.except_) == ("each", ("a.com",))


def test_what_a_pronoun_speaks_of_fills_the_input_of_the_same_name() -> None:
    tools = [
        call("POST /messages", "postMessage", "Post a message", body=["channel", "text"]),
        call(
            "POST /topics",
            "setTopic",
            "Set the topic of a channel",
            optional={"channel": TEXT, "topic": TEXT},
        ),
    ]
    first, second = stated(plan('post "hi" in #general and set its topic to "Pizza"', tools))

    assert first == ("postMessage", {"channel": "#general", "text": "hi"})
    assert second == ("setTopic", {"channel": "#general", "topic": "Pizza"})


def test_what_is_made_fills_a_property_of_a_whole_body_but_no_part_that_nobody_speaks_of() -> None:
    owner = {"type": "object", "properties": {"tenant": TEXT}}
    site = {"type": "object", "properties": {"tenant": TEXT, "billing": owner}}
    tenant = {"type": "object", "title": "Tenant", "properties": {"id": TEXT, "name": TEXT}}
    tools = [
        call("POST /tenants", "createTenant", "Create a tenant", body=["name"], answer=tenant),
        call("POST /sites", "createSite", "Create a site of a tenant", optional=site["properties"]),
    ]
    made, used = plan('create a tenant called "Acme" and create a site', tools).steps

    assert made.bindings["name"] == KnownBinding(known="Acme")
    assert used.bindings["tenant"] == StepBinding(step=1, path="/id")
    assert "billing" not in used.bindings


def test_a_switch_that_the_caller_sets_by_name_speaks_for_a_call_as_the_word_does() -> None:
    """A private channel is a conversation that is private, whether the words or the values say it."""
    create = call(
        "POST /conversations.create",
        "createConversation",
        "Start a conversation",
        description="Start a public or private channel-based conversation.",
        optional={"name": TEXT, "is_private": {"type": "boolean"}},
    )

    found = asked("create a private channel", create, name="apollo", private=True)

    assert found == [("createConversation", {"name": "apollo", "is_private": True})]


def test_what_the_caller_calls_by_its_name_is_the_place_and_not_what_is_led_by_a_preposition() -> None:
    """`repository` says where; `from` says what a pull request is made of, though it looks like an owner and a name."""
    pull = call(
        "POST /repos/{owner}/{repo}/pulls",
        "createPull",
        "Create a pull request",
        body={"head": TEXT, "base": TEXT},
    )

    values: dict[str, JsonValue] = {"from": "release/2.0", "into": "production", "repository": "acme/api"}
    found = asked("create a pull request", pull, **values)

    assert found[0][1].items() >= {"owner": "acme", "repo": "api", "base": "production"}.items()


def test_a_value_named_as_a_required_input_fills_it_where_the_task_is_about_all_of_its_parts() -> None:
    """Which group is meant says no more where its members are, if the call has an input for the group."""
    update = call(
        "POST /usergroups.users.update",
        "updateMembers",
        "Update the list of users of a user group",
        body=("usergroup", "users"),
    )

    found = asked(
        "update the members of the user group with all of these users", update, **{"user group": "S01"}
    )

    assert found[0][1]["usergroup"] == "S01"


SHELVES = [
    call(
        "PATCH /boxes/{box}",
        "updateBox",
        "Update a box",
        optional={"shelf": NUMBER, "note": TEXT},
    ),
    call("GET /boxes/{box}", "getBox", "Get a box"),
    call("DELETE /boxes/{box}/seal", "removeSeal", "Remove the seal of a box"),
]


def test_what_a_statement_says_is_of_the_call_that_is_asked_for() -> None:
    found = stated(plan("We carried it to shelf 41. Please update box b-7", SHELVES))
    assert found == [("updateBox", {"box": "b-7", "shelf": 41})]


def test_a_part_without_a_verb_says_more_of_the_call_before() -> None:
    found = stated(plan('update box b-7, shelf 41, note "fragile"', SHELVES))
    assert found == [("updateBox", {"box": "b-7", "shelf": 41, "note": "fragile"})]


def test_what_a_condition_names_is_of_the_call_that_depends_on_it() -> None:
    found = stated(plan("if box b-7 is open, remove its seal", SHELVES))
    assert ("removeSeal", {"box": "b-7"}) in found
