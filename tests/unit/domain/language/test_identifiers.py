"""Planner and ranker cut words alike, and read the same short forms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.language.identifiers import is_plural, pieces, singular, words
from app.domain.language.text import STOP_WORDS, auto_terms, split_words, stem


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("listURLs", ("list", "urls")),
        ("userIDs_of", ("user", "ids", "of")),
        ("GetURLsAnd", ("get", "urls", "and")),
        ("café-größe", ("café", "größe")),
        ("parseHTTPResponse2", ("parse", "http", "response", "2")),
        ("my_k8s-pods", ("my", "kubernetes", "pods")),
        ("openPRs", ("open", "pull", "request")),
        ("repoId", ("repository", "id")),
        ("환불 목록", ("환불", "refund", "목록", "list")),
    ],
)
def test_names_and_goals_are_cut_at_changes_of_case_and_script(name: str, found: tuple[str, ...]) -> None:
    """Short forms are read as their long ones; what is Korean is kept, with its English."""
    assert pieces(name) == found


@given(st.text(alphabet=st.characters(codec="latin-1"), max_size=40))
def test_planner_and_ranker_cut_words_alike(text: str) -> None:
    """The terms of a request are the stems of a goal's words, without those that requests leave out."""
    cut = pieces(text)

    assert [stem(word) for word in cut if word not in STOP_WORDS and len(word) > 1] == auto_terms(text)


def test_a_mark_of_a_value_is_a_word_of_its_own() -> None:
    """In a goal, characters of private use stand for its values."""
    assert split_words("invite\ue001 and \ue002\ue003x") == [
        "invite",
        "\ue001",
        "and",
        "\ue002",
        "\ue003",
        "x",
    ]
    assert auto_terms("icon \ue001") == ["icon"]


def test_a_plural_short_form_is_a_plural() -> None:
    """Though its long form is none: `listRepos` gives many."""
    assert is_plural("listRepos")
    assert not is_plural("getRepo")
    assert words("listRepos") == ("list", "repository")


@pytest.mark.parametrize(("word", "one"), [("corpora", "corpus"), ("vertices", "vertex")])
def test_plurals_of_latin_words_have_a_singular(word: str, one: str) -> None:
    assert singular(word) == one
