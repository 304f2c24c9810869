"""A channel is told by its sign, `#sales`, and looked up where a call takes its id."""

import pytest

from app.domain.workflows.plans import InputBinding
from tests.calls import TEXT, Schema, call, page
from tests.unit.domain.planning.test_unseen_goals import known, names, plan, selected

CHANNEL: Schema = {"type": "object", "properties": {"id": TEXT, "name": TEXT}}
ID_OF_CHANNEL: Schema = {"type": "string", "description": "ID of the conversation."}
CHAT = [
    # It is called neither after what it holds nor after what is looked for in it.
    call(
        "GET /conversations.list",
        "listConversations",
        "Lists all channels",
        answer=page("channels", CHANNEL),
    ),
    call(
        "POST /conversations.archive",
        "archiveConversation",
        "Archives a channel",
        optional={"channel": ID_OF_CHANNEL},
    ),
    call(
        "POST /conversations.rename",
        "renameConversation",
        "Renames a channel",
        optional={"channel": ID_OF_CHANNEL, "name": TEXT},
    ),
    call(
        "POST /chat.postMessage",
        "postMessage",
        "Sends a message to a channel",
        optional={"channel": {"type": "string", "description": "Channel, by ID or name."}, "text": TEXT},
    ),
]
SPACES = [
    call(
        "GET /spaces/{spaceId}/channels",
        "listChannels",
        "List the channels of a space",
        query=("name",),
        answer={"type": "array", "items": CHANNEL},
    ),
    call("POST /spaces/{spaceId}/channels/{channelId}/archive", "archiveChannel", "Archive a channel"),
]


@pytest.mark.parametrize("goal", ["archive #general", "archive the channel #general"])
def test_a_channel_is_looked_up_by_what_it_is_called_where_an_id_is_taken(goal: str) -> None:
    """Nothing requires it, and no edge leads to its list: the answer says what it holds."""
    found = plan(goal, CHAT)
    assert names(found) == ["listConversations", "archiveConversation"]
    bound = selected(found, "channel")
    assert bound.path == "/channels/*/id"
    assert (bound.select.by, bound.select.field, bound.select.value) == ("match", "name", "general")
    assert found.unused == ()


def test_the_sign_stays_where_a_name_is_taken() -> None:
    found = plan('post "Hi" in #general', CHAT)
    assert names(found) == ["postMessage"]
    assert known(found, 0) == {"channel": "#general", "text": "Hi"}


def test_what_a_channel_is_renamed_to_is_looked_up_nowhere() -> None:
    found = plan("rename #general to lobby", CHAT)
    assert names(found) == ["listConversations", "renameConversation"]
    assert selected(found, "channel").select.value == "general"
    assert known(found, 1) == {"name": "lobby"}


def test_a_list_that_takes_names_is_asked_for_it_without_the_sign() -> None:
    found = plan("archive #general in space 12", SPACES)
    assert names(found) == ["listChannels", "archiveChannel"]
    assert known(found, 0) == {"spaceId": "12", "name": "general"}
    assert selected(found, "channelId").select.value == "general"


def test_a_tag_is_no_channel_where_there_are_none() -> None:
    tags = [call("POST /posts", "makePost", "Make a post", optional={"text": TEXT, "tag": TEXT})]
    found = plan('make a post "Hi" with the tag #summer', tags)
    assert known(found, 0)["tag"] == "#summer"
    assert not any(isinstance(one, InputBinding) for one in found.steps[0].bindings.values())
