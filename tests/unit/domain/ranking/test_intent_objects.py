"""What queries are about and what tools work on."""

import numpy as np
import pytest

from app.domain.language.text import stem
from app.domain.ranking.intent_objects import object_matches, path_terms, query_objects, tool_object
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from tests.unit.catalogues import catalogue, tool


@pytest.mark.parametrize(
    ("query", "objects"),
    [
        ("Show me the keys in the key vault", {"key"}),
        ("please list all host pools of my subscription", {"pool", "hostpool"}),
        ("get the details of a running pod", {"pod", "runningpod"}),
        ("cancel my order and refund the payment", {"order", "payment"}),
        ("Open a PR for my changes", {"request"}),
        ("help", set()),
        ("", set()),
    ],
)
def test_a_query_is_about_the_last_word_of_its_first_noun_phrases(query, objects):
    assert query_objects(query) == {stem(word) for word in objects}


@pytest.mark.parametrize(
    ("name", "term"),
    [
        ("keyvault_key_list", "key"),
        ("listCoreV1PodForAllNamespaces", "pod"),
        ("create_pull_request_review", "review"),
        ("add_issue_comment", "comment"),
        ("browser_close", ""),
        ("orders", "order"),
        ("", ""),
    ],
)
def test_a_tool_works_on_the_last_noun_of_its_name(name, term):
    assert tool_object(name) == stem(term)


def test_tools_that_work_on_an_object_match():
    tools = np.array([0, 1, 0, -1])

    assert object_matches(frozenset({"key", "moon"}), {"key": 0, "vault": 1}, tools).tolist() == [1, 0, 1, 0]


def test_of_two_tools_with_the_same_words_the_one_that_works_on_it_comes_first():
    index = SearchIndex.build(catalogue([tool("s/a_topic_subscription"), tool("s/b_subscription_topic")]))

    found = search(SearchRequest(query="topics in my subscription"), ConsistentGraph(index))

    assert [match.id for match in found.tools] == ["s/b_subscription_topic", "s/a_topic_subscription"]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/boards/{board}/cards/{card}", ["card"]),
        ("/boards/{board}/card-labels", ["card", "label"]),
        ("/v1/cards:search", ["card", "search"]),
        ("/{board}", []),
        ("", []),
    ],
)
def test_a_path_names_what_its_last_literal_says(path, words):
    assert path_terms(path) == tuple(stem(word) for word in words)
