"""Korean requests over English tools."""

import pytest

from app.domain.language.korean import in_english, korean_words
from app.usecases.index.search_index import SearchIndex
from app.usecases.questions import SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search
from tests.unit.catalogues import catalogue, tool

INDEX = SearchIndex.build(
    catalogue(
        [
            tool("s/deleteFolder", "Deletes a folder"),
            tool("s/listFolders", "Lists folders"),
            tool("s/deleteUser", "Deletes a user"),
            tool("s/번역", "문장을 번역합니다"),
        ]
    ),
)


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("폴더를 삭제해 주세요", "delete folder"),
        ("배송비 계산", "calculate shipping cost"),
        ("결제", "pay payment"),
        ("회의 일정 조회하고 취소", "cancel get meeting schedule"),
        ("delete the folder", ""),
        ("", ""),
    ],
)
def test_the_verb_comes_first_and_the_longest_word_counts(text, english):
    assert in_english(text) == english


def test_words_are_found_inside_longer_ones():
    assert korean_words("관리자에게") == [("관리자", "administrator")]


def test_a_korean_request_finds_what_is_described_in_english_and_says_why():
    request = SearchRequest(query="폴더를 삭제해 주세요", explain=True)

    found = search(request, ConsistentGraph(INDEX)).tools

    assert found[0].id == "s/deleteFolder"
    assert {"폴더", "삭제"} <= {reason.word for reason in found[0].why or ()}
    for match in found:
        total = sum(reason.contribution for reason in match.why or ())
        assert total == pytest.approx(match.score, rel=1e-6)


def test_what_is_described_in_korean_is_found_by_its_own_words():
    found = search(SearchRequest(query="문장 번역"), ConsistentGraph(INDEX)).tools

    assert found[0].id == "s/번역"
