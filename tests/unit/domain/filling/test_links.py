"""Links into an API's web pages say what they name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.filling.links import without_links
from app.domain.language.text import stem
from tests.calls import call
from tests.fillings import filled

PLACES = frozenset(stem(word) for word in ("issue", "pull", "organization", "team", "request", "playlist"))


def written_out(text: str) -> str:
    return without_links(
        text,
        servers=["forge"],
        places=PLACES,
        implied=lambda part: frozenset({"card"}) if part.startswith("ABC-") else frozenset(),
    )


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ("https://forge.example/ada/lamp/issues/12", "issue 12 of ada/lamp"),
        ("https://forge.example/ada/lamp/pull/7#discussion", "pull 7 of ada/lamp"),
        ("https://git.forge.example/orgs/acme/teams/core", "team core of organization acme"),
        ("https://forge.example/ada/lamp", "ada/lamp"),
        ("https://forge.example/ada/lamp/-/merge_requests/7", "merge request 7 of ada/lamp"),
        ("https://open.forge.example/playlist/37i9dQ?si=1", "playlist 37i9dQ"),
        ("https://acme.example/browse/ABC-42", "ABC-42"),
        ("https://git.acme.example/ada/lamp/issues/12", "issue 12"),
    ],
)
def test_a_link_is_what_its_path_names(link: str, named: str) -> None:
    assert written_out(f"close {link} now") == f"close {named} now"


@pytest.mark.parametrize(
    "goal",
    [
        "read https://acme.example/posts/12",
        "read https://acme.example/teams/core",
        "set the homepage to https://forge.example/ada/lamp",
        'post "https://forge.example/ada/lamp/issues/12" there',
        "add a webhook for https://forge.example/orgs/acme",
        "read https://forge.example/",
        "read https://[forge/issues/12",
        "read it",
    ],
)
def test_other_addresses_stay(goal: str) -> None:
    assert written_out(goal) == goal


@given(st.text(max_size=60))
def test_what_is_no_link_stays(text: str) -> None:
    if "://" not in text:
        assert written_out(text) == text
    else:
        written_out(text)


def test_a_pasted_link_fills_the_path_of_its_call() -> None:
    tool = call(
        "PUT /repos/{owner}/{repo}/issues/{issue_number}/lock", "lockIssue", "Lock an issue", server="forge"
    )
    assert filled("lock https://forge.example/ada/lamp/issues/12", tool) == {
        "owner": "ada",
        "repo": "lamp",
        "issue_number": "12",
    }
