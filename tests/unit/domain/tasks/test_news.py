"""What is new about somebody is what is to be changed."""

import pytest

from app.domain.language.text import stem
from app.domain.tasks.news import news_as_changes

THINGS = (stem("card"), stem("customer"), stem("user"), stem("channel"))


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        (
            "Osman Textiles has a new phone number, +902125550144, please update",
            "change the phone number of Osman Textiles to +902125550144",
        ),
        (
            "Lena has a new address for mails: lena@posteo.de",
            "change the address for mails of Lena to lena@posteo.de",
        ),
        (
            "tobias@web.de has moved, he now lives at Gartenweg 8, 50667 Köln",
            "change the address of tobias@web.de to Gartenweg 8, 50667 Köln",
        ),
        ("Ben's cost centre is now CC-620.", "change the cost centre of Ben to CC-620."),
        (
            "please don't change anything. ann@x.com's phone is now +4930123",
            "please don't change anything. change the phone of ann@x.com to +4930123",
        ),
        (
            "tom@arkadia.de got promoted, his title is CTO now",
            "change the title of tom@arkadia.de to CTO now",
        ),
        (
            "con_83fQ has moved: her time zone is now Europe/Lisbon",
            "change the time zone of con_83fQ to Europe/Lisbon",
        ),
        (
            "Nordlex AS has moved, their billing address is now Storgata 12",
            "change the billing address of Nordlex AS to Storgata 12",
        ),
        ("Ben's cost centre is CC-620 from now on", "change the cost centre of Ben to CC-620 from now on"),
        (
            "lena fischer has a new address for mails: lena@posteo.de",
            "change the address for mails of lena fischer to lena@posteo.de",
        ),
        (
            "the Customer Success team is called Client Services from now on",
            "rename the Customer Success team to Client Services",
        ),
        ("tsk_8841 is done - left him a voicemail", "mark tsk_8841 as done - left him a voicemail"),
    ],
)
def test_news_are_changes(goal: str, expected: str) -> None:
    assert news_as_changes(goal, is_thing=lambda word: word in THINGS) == expected


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        (
            "user 55 shouldn't be in channel 77 any more but stays in team 12",
            "remove user 55 from channel 77 but stays in team 12",
        ),
        (
            "sam@kanda.jp shouldn't be on lst_7 anymore, he keeps his other lists",
            "remove sam@kanda.jp from lst_7, he keeps his other lists",
        ),
        ("card 404 should be called new-desk from now on.", "rename card 404 to new-desk."),
        ("card 404 should be named \ue001", "rename card 404 to \ue001"),
        (
            "workspace 13: #helpdesk should be called helpdesk-europe from now on",
            "rename #helpdesk to helpdesk-europe in workspace 13",
        ),
        (
            "i mistyped the tracking number of order 12's only parcel, should be 1Z99",
            "change the tracking number of order 12's only parcel to 1Z99",
        ),
        (
            "typo in my message 90 (team 13, channel 77). It should read \ue000",
            "change my message 90 (team 13, channel 77) to \ue000",
        ),
    ],
)
def test_what_something_should_be_is_what_it_is_changed_to(goal: str, expected: str) -> None:
    assert news_as_changes(goal, is_thing=lambda word: word in THINGS) == expected


@pytest.mark.parametrize(
    "goal",
    [
        "customer 12 has a new card, pm_7",
        "the sprint demo should be in Atlantis, book that",
        "if user 5 shouldn't be in channel 7, delete the channel",
        "make sure user 5 shouldn't be in channel 7",
        "the total should not be in euros",
        "The meeting should not be on Monday",
        "The report should not be in PDF; export it as csv",
        "List all orders; cancelled ones should no longer be in the list",
        "customer 5 should be called Monday",
        "No branch should be called master-2",
        "In case Ann leaves user 5 should no longer be in channel 7",
        "Tell everyone: card 7 should be called new-desk",
        "we mistyped the price, it should be 5% higher",
        "create a channel. it should be called ops from now on",
        "create a channel. The channel should be called ops",
        "create the user bob. user bob should not be in the group Admins",
        "Ann should be called back today",
        "Ann should be called at 555-010",
        "check whether INV-7 is wrong, it should be 20",
        "tell Ann the room should be called Atlantis",
        "the label is wrong, it should be nicer",
        "which users shouldn't be in channel 77 any more?",
        "tell ann@x.com that the address is wrong",
        "close issue 7, the address was wrong",
        "we have a new patient: Noor",
        "does ann@x.com have a new phone number, +4930123?",
        "Ann has a new phone number, +4930123?",
        "check ann@x.com has a new phone number: +4930123",
        "which users have a new address, show me",
        "has user 12 moved to 14 Quay Street, H91 T2X4 Galway?",
        "delete users that moved to plan 7",
        "card 12 has moved to list 5, move it back",
        "if user 12's status is now Active, delete user 13",
        "Lena has a new laptop, revoke her old keys",
        "Ann's order is now late",
        "the team has moved on",
        "some users should no longer be in channel 77",
        "tsk_8841 is done, archive it",
        "is tsk_8841 done?",
        "Lena got promoted, send her a card",
        "Lena got promoted, her title is wrong",
        "our office has a new address for mails: office@acme.com",
        "the Sales team is called on Mondays",
        "",
    ],
)
def test_what_is_asked_or_only_was_is_no_change(goal: str) -> None:
    """A new thing is made, and not set."""
    assert news_as_changes(goal, is_thing=lambda word: word in THINGS) == goal
