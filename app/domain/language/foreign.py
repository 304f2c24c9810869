"""Requests in other languages over tools that are described in English: what their words are in English.

The words are in lexicon/: a glossary for each language, and `foreign.toml`, by which one knows which language it is.
"""

import re
import threading
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import Stemmer

from app.domain.language.intent_words import ACTIONS_OF, NOUNS_FIRST
from app.domain.language.text import STOP_WORDS
from app.lexicon.lists import table, words

_HANGUL = re.compile("[\uac00-\ud7a3]")
_KANA = re.compile("[\u3040-\u30ff]")
_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_CLAUSE_END = re.compile(r"[.,;:!?\n]")
_APOSTROPHE = re.compile("['\u2019]")
_SMALL_WORD = re.compile(
    "(?<![\\w@.-])(?:[^\\W\\d_]{2,}(?:-[^\\W\\d_]+)*|[a-z](?=['\u2019])|[^\\W\\d_a-z])(?![-@.]?\\w)"
)
"""None is a part of an id or of an address (`se-28529731`, `baumhaus.de`). Single letters of ASCII are abbreviations (`14d`, `ls -l`), or end a genitive; French elides before an apostrophe."""
_CONTRACTION = re.compile("\\b[a-z]+(?:n['\u2019]t|['\u2019](?:re|ve|ll))\\b")
"""Two words that only English writes as one: `don't`, where `don` is Spanish."""
_STEMMERS: Mapping[str, str] = {"de": "german", "es": "spanish", "fr": "french"}
VERB_LAST = frozenset(("de", "ja", "ko"))
"""Languages in which an infinitive, or every verb, ends its clause."""
_UNSPACED = frozenset(("ja", "ko", "zh"))
_SHORTEST_PART = 3
"""Of a German compound. Shorter words stand inside others by accident."""
_LINKING = ("", "s", "es", "n", "en")
"""What German puts between the parts of a compound."""

_PARTED = " ... "
"""Between the parts of a verb of the glossary that stand apart in a clause: `wandle ... um`."""

_local = threading.local()


class EnglishWord(NamedTuple):
    """A known word of a request."""

    word: str
    english: str
    """The words that documents have for it, the commonest first."""
    senses: tuple[str, ...]
    """The same, one by one."""
    key: tuple[str, ...]
    """The list of the lexicon that has it."""

    @property
    def commonest(self) -> str:
        """The first of its senses."""
        return self.senses[0]


class PlacedWord(NamedTuple):
    """A word of a clause in another language."""

    at: int
    """Its place, from 0."""
    known: EnglishWord | None = None
    """None for a small word, and for one that the glossary does not know."""
    small: str | None = None
    """The English words of a small one."""


@lru_cache(64)
def language_of(text: str) -> str:
    """`de`, `es`, `fr`, `ja`, `ko` or `zh`; empty for any other, English above all.

    By its script, or by its small words: more of the language's than of English, leaving out what both have. Of two
    languages with as many, the one whose glossary knows more of the text.
    """
    if language := _script_of(text):
        return language
    plain, contracted = _CONTRACTION.subn(" ", _normal(text))
    said = set(_SMALL_WORD.findall(plain))
    small = {language: said & _stop_words(language) for language in _STEMMERS}
    english = said & STOP_WORDS
    found = {
        language: len(own - english - _english_too()) - len(english - own) - contracted
        for language, own in small.items()
    }
    most = max(found.values())
    if most <= 0:
        return ""
    return max(
        (language for language, count in found.items() if count == most),
        key=lambda language: sum(1 for _ in _spaced(text, language)),
    )


@lru_cache(64)
def english_words(text: str) -> tuple[EnglishWord, ...]:
    """The known words of a request in another language: first what is wanted, then what with.

    English says what is wanted first; of several verbs of a language that says it last, the last is what is wanted.
    """
    language = language_of(text)
    if not language:
        return ()
    found = list(_unspaced(text, language) if language in _UNSPACED else _spaced(text, language))
    actions = [one for one in found if says_action(one)]
    if language in VERB_LAST - {"de"}:
        actions.reverse()
    return (*actions, *(one for one in found if not says_action(one)))


def in_english(text: str) -> str:
    """The English words of a request in another language, as a request; empty without a known one."""
    return " ".join(one.english for one in english_words(text))


def script_in_english(word: str) -> str:
    """`in_english` of a word whose script shows its language: `die` may be English, `삭제` is Korean."""
    return in_english(word) if _script_of(word) else ""


def _script_of(text: str) -> str:
    if text.isascii():
        return ""
    if _HANGUL.search(text):
        return "ko"
    if _KANA.search(text):
        return "ja"
    return "zh" if _HAN.search(text) else ""


def says_action(one: EnglishWord) -> bool:
    """Whether a word says what is to be done."""
    if one.key == ("actions",):
        return True
    return one.commonest in ACTIONS_OF and one.commonest not in NOUNS_FIRST


def _unspaced(text: str, language: str) -> Iterator[EnglishWord]:
    """Words are found inside longer ones, which carry particles and endings; the longest counts."""
    known, stop, normal = _glossary(language), _stop_words(language), _normal(text)
    longest = _longest(language)
    at = 0
    while at < len(normal):
        for length in range(min(longest, len(normal) - at), 0, -1):
            word = normal[at : at + length]
            if word in known:
                yield known[word]
            if word in known or word in stop:
                at += length
                break
        else:
            at += 1


def _spaced(text: str, language: str) -> Iterator[EnglishWord]:
    """Phrases first, then words as they are written, then by their stems; German compounds are cut."""
    for clause in _CLAUSE_END.split(_normal(text)):
        yield from _of_clause(_WORD.findall(_APOSTROPHE.sub(" ", clause)), language)


def _of_clause(said: Sequence[str], language: str) -> Iterator[EnglishWord]:
    return (one.known for one in placed_words(said, language) if one.known is not None)


def placed_words(said: Sequence[str], language: str, *, grammar: bool = False) -> Iterator[PlacedWord]:
    """The words of a clause with their places, in order; those that say nothing are left out.

    Args:
        said: The words, in lower case.
        language: One that writes spaces between words.
        grammar: Whether small words count, by which a goal says where values go, when, what not and how many.
    """
    known, stop, ends_of = _glossary(language), _stop_words(language), _separable(language)
    small = _grammar(language) if grammar else {}
    longest = max(_longest_phrase(language), *(1 + word.count(" ") for word in small or ("",)))
    last = {word: place for place, word in enumerate(said)}
    at = 0
    taken: set[int] = set()
    while at < len(said):
        if at in taken:
            at += 1
            continue
        length, phrase = _phrase_at(said, at, longest, (small, known))
        end = next((last[end] for end in ends_of.get(said[at], ()) if last.get(end, -1) > at), 0)
        if end:
            yield PlacedWord(at, known=known[f"{said[at]}{_PARTED}{said[end]}"])
            taken.add(end)
            at += 1
        elif length:
            if phrase in small:
                yield PlacedWord(at, small=small[phrase])
            else:
                yield PlacedWord(at, known=known[phrase])
            at += length
        else:
            if said[at] not in stop:
                found = tuple(_inflected(said[at], language))
                yield from (PlacedWord(at, known=one) for one in found)
                if not found:
                    yield PlacedWord(at)
            at += 1


def _phrase_at(
    said: Sequence[str], at: int, longest: int, lists: Sequence[Mapping[str, object]]
) -> tuple[int, str]:
    """How many words the longest phrase has that begins here, and the phrase; 0 without one."""
    for length in range(min(longest, len(said) - at), 0, -1):
        phrase = " ".join(said[at : at + length])
        if any(phrase in words for words in lists):
            return length, phrase
    return 0, ""


def unspaced_words(text: str, language: str) -> Iterator[PlacedWord]:
    """The words of a text without spaces between them, in order, small ones too; the places are those of characters."""
    known, stop, small = _glossary(language), _stop_words(language), _grammar(language)
    longest, at = max(_longest(language), *map(len, small)), 0
    while at < len(text):
        for length in range(min(longest, len(text) - at), 0, -1):
            word = text[at : at + length]
            if word in small:
                yield PlacedWord(at, small=small[word])
            elif word in known:
                yield PlacedWord(at, known=known[word])
            if word in small or word in known or word in stop:
                at += length
                break
        else:
            at += 1


def _inflected(word: str, language: str) -> Iterator[EnglishWord]:
    by_stem = _by_stem(language)
    found = by_stem.get(_stem(word, language))
    if found:
        yield found
    elif language == "de":
        yield from _parts(word)


def _parts(word: str) -> Sequence[EnglishWord]:
    """The known words that a German compound consists of, the longest first part that leaves a known rest."""
    known, by_stem = _glossary("de"), _by_stem("de")

    def one(part: str) -> EnglishWord | None:
        return known.get(part) or by_stem.get(_stem(part, "de"))

    for cut in range(len(word) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
        rest = one(word[cut:])
        for link in _LINKING:
            if word[:cut].endswith(link) and cut - len(link) >= _SHORTEST_PART:
                first = one(word[: cut - len(link)])
                if first and rest:
                    return (first, rest)
    return ()


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text).lower()


@cache
def _stop_words(language: str) -> frozenset[str]:
    return frozenset(words("foreign", "stop_words", language))


@cache
def _english_too() -> frozenset[str]:
    return frozenset(words("foreign", "english_too"))


@cache
def _glossary(language: str) -> Mapping[str, EnglishWord]:
    """Word or phrase -> what it is in English. The lists of Korean that were there first come before its glossary."""
    lists = table(language)
    found: dict[str, EnglishWord] = {}
    for key in ("actions", "things", "words"):
        for word, english in lists.get(key, {}).items():
            senses = english.split("; ")
            if word not in found:
                found[word] = EnglishWord(word, " ".join(senses), tuple(senses), (key,))
            elif key == "things":
                # `결제` is both to pay and a payment.
                found[word] = found[word]._replace(english=f"{found[word].english} {english}")
    return found


@cache
def _grammar(language: str) -> Mapping[str, str]:
    """Small word or phrase -> its English ones."""
    return dict(table("foreign")["grammar"][language])


@cache
def _separable(language: str) -> Mapping[str, Sequence[str]]:
    """First part of a verb -> what may stand at the end of its clause."""
    found: dict[str, list[str]] = {}
    for word in _glossary(language):
        first, parted, end = word.partition(_PARTED)
        if parted:
            found.setdefault(first, []).append(end)
    return found


@cache
def _by_stem(language: str) -> Mapping[str, EnglishWord]:
    """Stem -> the first word of the glossary that has it."""
    found: dict[str, EnglishWord] = {}
    for word, one in _glossary(language).items():
        if " " not in word:
            found.setdefault(_stem(word, language), one)
    return found


@cache
def _longest(language: str) -> int:
    return max(map(len, (*_glossary(language), *_stop_words(language))))


@cache
def _longest_phrase(language: str) -> int:
    return max(1 + word.count(" ") for word in _glossary(language))


def _stem(word: str, language: str) -> str:
    if language not in _STEMMERS:
        # A Latin word in a text of another script.
        return word
    # A Snowball stemmer keeps state while it works, so each thread has its own.
    stemmers = vars(_local).setdefault("stemmers", {})
    if language not in stemmers:
        stemmers[language] = Stemmer.Stemmer(_STEMMERS[language])
    return str(stemmers[language].stemWord(word))
