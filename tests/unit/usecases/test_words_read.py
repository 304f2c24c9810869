"""Which words of the lexicon took part in a request."""

from app.answers.search import LexiconWord
from app.usecases.rankings.words_read import words_read


def test_short_forms_stop_words_verbs_and_countries_are_named() -> None:
    """Each with its list and what it is read as; what the lexicon does not have is not there."""
    assert words_read("Show the repos of Japan") == (
        LexiconWord("show", "en.phrases.faint"),
        LexiconWord("the", "en.stop_words.both"),
        LexiconWord("repos", "en.aliases", "repository"),
        LexiconWord("of", "en.stop_words.both"),
        LexiconWord("show", "en.verbs", "get"),
        LexiconWord("Japan", "countries", "country"),
    )


def test_korean_words_are_named_with_their_english() -> None:
    """The verb that is asked for is the English one."""
    assert words_read("주문 취소") == (
        LexiconWord("cancel", "en.verbs", "stop"),
        LexiconWord("취소", "ko.actions", "cancel"),
        LexiconWord("주문", "ko.things", "order"),
    )


def test_a_request_without_known_words_has_none() -> None:
    """Names alone."""
    assert words_read("kubectl etcd") == ()
