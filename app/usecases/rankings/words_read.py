"""Which words of the lexicon took part when `auto` read a request."""

from collections.abc import Iterator

from app.answers.search import LexiconWord
from app.domain.language.countries import named_country
from app.domain.language.foreign import english_words, in_english, language_of
from app.domain.language.intent_words import ACTIONS_OF
from app.domain.language.text import ALIASES, FAINT_WORDS, STOP_WORDS, auto_terms, split_words
from app.domain.ranking.intent import asking_verbs
from app.lexicon.lists import is_added, words


def words_read(query: str) -> tuple[LexiconWord, ...]:
    """What the lexicon says of the words of a request, each once, in their order; then verbs, countries, other languages."""
    return tuple(dict.fromkeys((*_cut(query), *_asked(query), *_named(query), *_foreign(query))))


def _cut(query: str) -> Iterator[LexiconWord]:
    for word in split_words(query):
        if word in ALIASES:
            yield _word(word, "en", "aliases", reads=" ".join(ALIASES[word]))
        elif word in STOP_WORDS:
            use = "both" if word in words("en", "stop_words", "both") else "requests"
            yield _word(word, "en", "stop_words", use)
        elif FAINT_WORDS.intersection(auto_terms(word)):
            yield _word(word, "en", "phrases", "faint")


def _asked(query: str) -> Iterator[LexiconWord]:
    for word, verb in asking_verbs(in_english(query) or query):
        yield LexiconWord(word, "en.verbs", " ".join(ACTIONS_OF[verb]), is_added("en", ("verbs",), verb))


def _named(query: str) -> Iterator[LexiconWord]:
    country = named_country(query)
    if country:
        added = any(is_added("countries", (key,), country) for key in ("names", "as_written"))
        yield LexiconWord(country, "countries", "country", added)


def _foreign(query: str) -> Iterator[LexiconWord]:
    for one in english_words(query):
        yield _word(one.word, language_of(query), *one.key, reads=one.english)


def _word(word: str, *place: str, reads: str | None = None) -> LexiconWord:
    name, *keys = place
    return LexiconWord(word, ".".join(place), reads, is_added(name, tuple(keys), word))
