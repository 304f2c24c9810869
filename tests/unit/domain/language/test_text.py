import threading

from hypothesis import given
from hypothesis import strategies as st

from app.domain.language.text import (
    ALIASES,
    STOP_WORDS,
    auto_terms,
    joined_terms,
    reference_terms,
    split_first_sentence,
    split_words,
    stem,
    term_pairs,
)


def test_reference_terms_split_identifiers_and_drop_words_under_three_characters():
    assert reference_terms("getUserByID, list_my-repos/v2.do") == ["get", "user", "list", "repo"]


def test_reference_terms_keep_stop_words_and_repeats():
    assert reference_terms("the dogs and the dog") == ["the", "dog", "and", "the", "dog"]


def test_an_acronym_ends_where_the_next_word_begins():
    assert split_words("parseHTTPResponse") == ["parse", "http", "response"]


def test_a_plural_acronym_is_one_word():
    assert split_words("listPRs, DNSSettings of URLs") == ["list", "prs", "dns", "settings", "of", "urls"]


def test_auto_terms_split_letters_from_digits_and_drop_stop_words():
    assert auto_terms("Please convert the mp4 files to h264") == ["convert", "mp", "file", "264"]


def test_chinese_becomes_pairs_of_characters():
    assert auto_terms("搜索网页 tool") == ["搜索", "索网", "网页", "tool"]


def test_a_single_chinese_character_is_kept():
    assert auto_terms("图") == ["图"]


def test_short_forms_are_read_as_their_long_forms():
    assert auto_terms("k8s repos") == [stem("kubernetes"), stem("repository")]
    assert auto_terms("open PRs") == ["open", "pull", stem("request")]


def test_accents_belong_to_their_word_in_either_unicode_form():
    assert auto_terms("café größe") == auto_terms("cafe\u0301 gro\u0308ße") == ["café", "größe"]


def test_neighbouring_words_are_joined_unless_one_is_a_letter():
    assert joined_terms(["host", "pool", "a", "list"]) == {stem("hostpool"): "host pool"}


def test_pairs_stay_within_a_line_and_stop_words_part_nothing():
    assert term_pairs("rotate the PNG\nfile file file") == ["rotat png", "file file", "file file"]
    assert term_pairs("PRs") == ["pull request"]
    assert term_pairs("one word alone")[-1:] == ["word alon"]
    assert term_pairs("the circle") == []


def test_a_pronoun_does_not_part_a_verb_from_its_particle():
    assert joined_terms(["log", "me", "into", "etsy"])["login"] == "log me into"
    assert "login" in joined_terms(["log", "in"])


def test_first_sentence_ends_at_a_full_stop_a_line_or_a_spaced_dash():
    assert split_first_sentence("One. Two. Three") == ("One.", "Two. Three")
    assert split_first_sentence("One\nTwo") == ("One", "Two")
    assert split_first_sentence("One — two") == ("One", "two")
    assert split_first_sentence("v1.2 of it") == ("v1.2 of it", "")


def test_aliases_are_no_stop_words():
    """An alias that is a stop word too would be read one way or the other by luck."""
    assert not STOP_WORDS & ALIASES.keys()


@given(st.text(max_size=60))
def test_terms_are_never_empty_and_never_upper_case(text):
    for term in [*reference_terms(text), *auto_terms(text), *split_words(text)]:
        assert term
        assert term == term.lower()


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_line_break_separates_texts(left, right):
    """Fields are joined by line breaks before they are split into terms."""
    assert auto_terms(f"{left}\n{right}") == auto_terms(left) + auto_terms(right)


def test_stems_are_the_same_in_every_thread():
    words = [
        f"{prefix}{suffix}" for prefix in ("run", "walk", "connect") for suffix in ("ning", "s", "ed", "ion")
    ]
    alone = [stem.__wrapped__(word) for word in words]
    found: list[list[str]] = []

    def work():
        for _ in range(200):
            found.append([stem.__wrapped__(word) for word in words])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 800
    assert all(stems == alone for stems in found)
