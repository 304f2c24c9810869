"""From the tasks of a caller to a plan: which call each is, and what one hands on to another."""

from collections.abc import Sequence

import pytest
from pydantic import JsonValue

from app.domain.nodes.models import Tool
from app.domain.planning.draft import draft_plan, requirements_within
from app.domain.planning.finish import finish_plan
from app.domain.planning.index import PlanIndex
from app.domain.reading.models import AskedTask
from app.domain.workflows.plans import KnownBinding, Plan, StepBinding
from ingest.enrich.requires.dependencies import infer_dependencies
from tests.calls import TEXT, Schema, call, page, record


def task(do: str, *after: int, **values: JsonValue) -> AskedTask:
    return AskedTask(
        do=do, values={name.replace("_", " "): value for name, value in values.items()}, after=after
    )


def plan(tools: Sequence[Tool], *tasks: AskedTask) -> Plan:
    edges = requirements_within(infer_dependencies(tools).requires)
    goal = " and ".join(one.do for one in tasks)
    return finish_plan(
        PlanIndex(tools), draft_plan(PlanIndex(tools), goal, requirements=edges, known={}, tasks=tasks)
    )


def names(found: Plan) -> list[str]:
    return [step.tool_id.split("/", 1)[1] for step in found.steps]


def known(found: Plan, parameter: str) -> list[JsonValue]:
    """What is known for an input, by step."""
    bindings = [step.bindings.get(parameter) for step in found.steps]
    return [binding.known if isinstance(binding, KnownBinding) else None for binding in bindings]


INVITE = call("PUT /guests/{guest}", "inviteGuest", "Invite a guest", body={"role": TEXT})
REMIND = call("PUT /guests/{guest}/reminder", "remindGuest", "Invite a guest again", body={"role": TEXT})


def test_what_is_done_to_several_things_is_one_call_for_each() -> None:
    """Each has all that its own task says, though an earlier one says the same."""
    guests = [("ann", "cook"), ("bob", "cook"), ("kim", "host")]
    tasks = [task(f"invite {guest} as a guest", guest=guest, role=role) for guest, role in guests]
    found = plan([INVITE, REMIND], *tasks)

    assert names(found) == ["inviteGuest"] * 3
    assert list(zip(known(found, "guest"), known(found, "role"), strict=True)) == guests


SONG: Schema = {"type": "object", "title": "Song", "properties": {"uri": TEXT, "label": TEXT}}
SONGS = call("GET /songs", "listSongs", "List the songs", answer=page("songs", SONG))
QUEUE = call("POST /queue", "addToQueue", "Add a song to the queue", body={"uri": TEXT})


@pytest.mark.parametrize(("after", "is_filled"), [((1,), True), ((), False)])
def test_a_task_hands_on_what_a_later_one_calls_the_same(after: tuple[int, ...], is_filled: bool) -> None:
    found = plan([SONGS, QUEUE], task("list the songs"), task("add the song to the queue", *after))

    assert names(found) == ["listSongs", "addToQueue"]
    assert isinstance(found.steps[1].bindings.get("uri"), StepBinding) == is_filled


def test_a_thing_that_is_searched_for_is_handed_on_to_the_input_that_is_said_to_be_of_it() -> None:
    """`uris` are of songs; what plays an album takes another input."""
    tools = [
        call("GET /search", "search", "Search", query=["q"], answer=page("albums", SONG)),
        call(
            "PUT /play",
            "startPlaying",
            "Start playing an album",
            optional={
                "uris": {"type": "array", "items": TEXT, "description": "What songs to play."},
                "contextUri": {"type": "string", "description": "The album to play."},
            },
        ),
    ]
    found = plan(tools, task("search for the album", q="Blue"), task("start playing the album", 1))

    assert names(found) == ["search", "startPlaying"]
    assert {name for name, one in found.steps[1].bindings.items() if isinstance(one, StepBinding)} == {
        "contextUri"
    }


def test_an_id_is_that_of_the_thing_that_is_handed_on_and_not_of_a_part_of_it() -> None:
    """A shop has settings, in which another shop may be named."""
    shop: Schema = {
        "type": "object",
        "title": "Shop",
        "properties": {"id": TEXT, "settings": {"type": "object", "properties": {"shopId": TEXT}}},
    }
    tools = [
        call("GET /shops", "listShops", "List the shops", answer=page("shops", shop)),
        call("POST /clerks", "createClerk", "Create a clerk of a shop", body={"shopId": TEXT, "label": TEXT}),
    ]
    found = plan(tools, task("list the shops"), task("create a clerk of the shop", 1, label="Mia"))

    binding = found.steps[-1].bindings["shopId"]
    assert isinstance(binding, StepBinding)
    assert binding.path == "/shops/*/id"


def test_a_state_that_the_caller_names_is_the_state_that_the_verb_says() -> None:
    state: Schema = {"type": "string", "enum": ["open", "closed"]}
    change = call("PATCH /doors/{door}", "changeDoor", "Change a door", body={"state": state, "label": TEXT})
    found = plan([change], task("close the door", door=12, state="closed"))

    assert names(found) == ["changeDoor"]
    assert known(found, "state") == ["closed"]


def test_those_who_do_something_are_not_what_they_do() -> None:
    tools = [
        call(
            "GET /books/{book}/reviewers",
            "listReviewers",
            "List reviewers",
            answer=page("rows", record("Row")),
        ),
        call(
            "GET /books/{book}/all/reviews", "listReviews", "List reviews", answer=page("rows", record("Row"))
        ),
    ]

    assert names(plan(tools, task("list the reviews of the book", book=7))) == ["listReviews"]
    assert names(plan(tools, task("list the reviewers of the book", book=7))) == ["listReviewers"]


def test_what_is_looked_for_by_its_name_is_not_read_by_its_id() -> None:
    tools = [
        call("GET /sheds/{shedId}", "getShed", "Find the shed", answer=record("Shed", "shedId")),
        call("GET /sheds", "listSheds", "Find the sheds", answer=page("rows", record("Shed", "shedId"))),
    ]

    assert names(plan(tools, task("find the shed by its name", shed_name="Nook Hut")))[-1] == "listSheds"


def test_what_the_caller_gives_by_name_is_left_for_no_read() -> None:
    """`check` is a verb that reads, and may be a noun."""
    path = "/houses/{house}/rooms/{room}/keys/{key}/requested_checks"
    tools = [
        call(f"GET {path}", "getRequestedCheck", "Get a requested check of a key", answer=record("Row")),
        call(f"POST {path}/batch/parts", "requestChecks", "Ask for somebody", body={"holder": TEXT}),
    ]
    found = plan(tools, task("request a check of the key", house=3, room=5, key=7, holder="bob"))

    assert names(found) == ["requestChecks"]


@pytest.mark.parametrize("names_of", [("firstName", "lastName"), ("forename", "surname")])
def test_names_of_people_go_by_several_names(names_of: tuple[str, str]) -> None:
    make = call("POST /guests", "createGuest", "Create a guest", body=dict.fromkeys(names_of, TEXT))
    found = plan([make], task("create a guest", first_name="Ann", last_name="Lee"))

    assert [known(found, name) for name in names_of] == [["Ann"], ["Lee"]]


def test_a_first_and_a_last_name_are_a_whole_name() -> None:
    make = call("POST /guests", "createGuest", "Create a guest", body={"name": TEXT, "phone": TEXT})
    found = plan([make], task("create a guest", first_name="Ann", last_name="Lee"))

    assert known(found, "name") == ["Ann Lee"]
    assert not found.unused


def test_a_change_that_needs_other_values_is_not_what_the_caller_means() -> None:
    rename = call("POST /emoji/rename", "renameEmoji", "Rename an emoji", body=["emoji", "newName"])
    found = plan([rename], task("set my status text and emoji", status_text="away", status_emoji=":palm:"))

    assert names(found) == []


def test_what_says_which_of_all_are_meant_is_said_by_the_call_that_ends_them() -> None:
    tools = [
        call(
            "GET /trees/branches",
            "listBranches",
            "List all branches",
            answer=page("rows", record("Row", "branch")),
        ),
        call("DELETE /trees/branches/{branch}", "deleteBranch", "Delete all the branches"),
        call("DELETE /trees/dead_branches", "purgeDead", "Purge"),
    ]

    assert names(plan(tools, task("delete all dead branches"))) == ["purgeDead"]


def test_a_single_thing_is_not_named_to_a_call_on_a_list_of_them() -> None:
    ids: Schema = {"type": "array", "items": TEXT}
    tools = [
        call("GET /letters/{letterId}/stamps", "getStamps", "Get the available stamps", answer=record("Row")),
        call(
            "GET /letters/stamps",
            "getAvailableStamps",
            "Get available stamps",
            query=["letterIds"],
            details={"letterIds": {**ids, "description": "IDs of the letters."}},
            answer=record("Row"),
        ),
    ]
    assert names(plan(tools, task("get the available stamps of the letter", letter_id="L-7"))) == [
        "getStamps"
    ]


def test_a_call_that_is_called_after_the_verb_makes_what_it_says_it_opens() -> None:
    tools = [
        call("POST /letters", "createLetter", "Send a letter", body={"text": TEXT}),
        call("POST /talks.open", "openTalk", "Open a talk or a direct letter", body={"members": TEXT}),
    ]
    assert names(plan(tools, task("open a direct letter with the member", members="U7"))) == ["openTalk"]
