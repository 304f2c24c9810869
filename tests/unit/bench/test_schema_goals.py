"""Goals that are made from schemas say what they were made from."""

from bench.generated.schema_goals import NAMES, made_goals
from tests.calls import TEXT, call, page, record

TOOLS = [
    call("GET /folders", "listFolders", "List folders", query=("owner", "limit"), details={"limit": {"type": "integer"}}, answer=page("items", record("Folder", "id", "name"))),
    call("POST /folders", "createFolder", "Create a folder", body={"name": TEXT, "owner": TEXT}),
    call("GET /folders/{id}", "getFolder", "Get a folder", answer=record("Folder", "id", "name")),
    call("DELETE /folders/{id}", "deleteFolder", "Delete a folder"),
    call("PATCH /folders/{id}", "updateFolder", "Update a folder", optional={"owner": TEXT}),
    call("GET /folders/{id}/files", "listFiles", "List files of a folder", answer=page("items", record("File", "id"))),
]  # fmt: skip


def test_each_kind_of_goal_is_made_of_the_calls_that_suit_it() -> None:
    found = {(goal.kind, goal.call) for goal in made_goals(TOOLS, seed="a", most=100)}

    assert found == {
        ("filter", "GET /folders"),
        ("limit", "GET /folders"),
        ("create", "POST /folders"),
        ("one", "GET /folders/{id}"),
        ("look up", "GET /folders/{id}"),
        ("one", "DELETE /folders/{id}"),
        ("look up", "DELETE /folders/{id}"),
        ("change", "PATCH /folders/{id}"),
        ("part", "GET /folders/{id}/files"),
    }


def test_a_goal_states_every_value_that_it_is_judged_by() -> None:
    for goal in made_goals(TOOLS, seed="a", most=100):
        stated = [*goal.inputs.values(), *([goal.looked_up] if goal.looked_up else [])]
        assert stated
        assert all(str(value) in goal.text for value in stated)
        assert not goal.looked_up or goal.looked_up in [name.strip('"') for name in NAMES]


def test_the_same_seed_makes_the_same_goals() -> None:
    assert made_goals(TOOLS, seed="a", most=3) == made_goals(TOOLS, seed="a", most=100)[:3]
