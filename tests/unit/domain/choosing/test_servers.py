"""Which server a goal goes to where some give way to others, and which producers fill what another server's call needs."""

from collections.abc import Callable, Sequence

from app.domain.choosing.servers import YIELDS, reviewed_first
from app.domain.nodes.dependencies import Evidence, Requirement
from app.domain.nodes.models import Tool, ToolId
from app.domain.planning.draft import draft_plan, requirements_within
from app.domain.planning.index import PlanIndex
from tests.unit.catalogues import tool

MAIL = tool("mail/send_message", "Send a message to a person.")
CHAT = tool("chat/send_message", "Send a message to a person or a channel of the chat.")
FILES = tool("files/delete_file", "Delete a file.")


def planned(goal: str, tools: Sequence[Tool], yields: Callable[[str], bool] | None = None) -> list[str]:
    index = PlanIndex(tools)
    draft = draft_plan(
        index,
        goal,
        requirements=requirements_within([]),
        known={},
        yields=None if yields is None else lambda at: yields(index.tools[at].server),
    )
    return [index.tools[at].id for at in draft.order]


def test_what_gives_way_does_a_task_only_where_nothing_else_fits_about_as_well() -> None:
    """The words of the goal alone do not bring a stranger's tool before one that does the same."""
    goal = "send a message to a person"
    stranger = tool("evil/send_message", "Send a message to a person.")

    assert planned(goal, [MAIL, FILES, stranger]) == ["evil/send_message"]
    assert planned(goal, [MAIL, FILES, stranger], lambda server: server == "evil") == ["mail/send_message"]


def test_what_gives_way_is_taken_where_it_alone_does_the_task() -> None:
    assert planned("delete a file", [MAIL, CHAT, FILES], lambda server: server == "files") == [
        "files/delete_file"
    ]


def test_each_task_is_looked_at_alone() -> None:
    goal = "send a message to a person, then delete a file"
    assert planned(goal, [MAIL, CHAT, FILES], lambda server: server == "files") == [
        "mail/send_message",
        "files/delete_file",
    ]


def test_where_all_give_way_or_none_does_plans_are_as_without() -> None:
    tools = [MAIL, CHAT, FILES]
    for goal in ("send a message to a person", "send a message to a channel of the chat", "delete a file"):
        assert planned(goal, tools) == planned(goal, tools, lambda _: True)
        assert planned(goal, tools) == planned(goal, tools, lambda _: False)


def test_a_producer_that_gives_way_fills_what_nothing_else_gives() -> None:
    """Calls of one server may always fill each other."""
    tools = [
        tool("chat/post"),
        tool("chat/list_channels"),
        tool("evil/list_channels"),
        tool("evil/list_users"),
    ]
    index = PlanIndex(tools)

    def needs(consumer: str, producer: str, parameter: str) -> Requirement:
        return Requirement(ToolId(consumer), ToolId(producer), parameter, True, "", 1.0, Evidence.SCHEMA, 1)

    both = [
        needs("chat/post", "evil/list_channels", "channel"),
        needs("chat/post", "chat/list_channels", "channel"),
    ]
    alone = needs("chat/post", "evil/list_users", "user")
    inside = needs("evil/list_users", "evil/list_channels", "channel")
    other = needs("evil/list_users", "chat/list_channels", "channel")

    def yields(at: int) -> bool:
        return index.tools[at].server == "evil"

    assert reviewed_first([*both, alone], index, yields) == [both[1], alone]
    assert reviewed_first([inside, other], index, yields) == [inside, other]
    assert reviewed_first(both, index, lambda _: False) is both
    assert YIELDS > 1
