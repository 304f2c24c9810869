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
    "(?<![\\w])(?:[^\\W\\d_]{2,}(?:-[^\\W\\d_]+)*|[a-z](?=['\u2019])|[^\\W\\d_a-z])(?!\\w)"
)
"""Single letters of ASCII are abbreviations (`14d`, `ls -l`), or end a genitive; French elides before an apostrophe."""
_STEMMERS: Mapping[str, str] = {"de": "german", "es": "spanish", "fr": "french"}
_VERB_LAST = frozenset(("ja", "ko"))
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
    commonest: str
    key: tuple[str, ...]
    """The list of the lexicon that has it."""


@lru_cache(64)
def language_of(text: str) -> str:
    """`de`, `es`, `fr`, `ja`, `ko` or `zh`; empty for any other, English above all.

    By its script, or by its small words: more of the language's than of English, leaving out what both have. Of two
    languages with as many, the one whose glossary knows more of the text.
    """
    if language := _script_of(text):
        return language
    said = set(_SMALL_WORD.findall(_normal(text)))
    small = {language: said & _stop_words(language) for language in _STEMMERS}
    english = said & STOP_WORDS
    found = {
        language: len(own - english - _english_too()) - len(english - own) for language, own in small.items()
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
    actions = [one for one in found if _says_action(one)]
    if language in _VERB_LAST:
        actions.reverse()
    return (*actions, *(one for one in found if not _says_action(one)))


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


def _says_action(one: EnglishWord) -> bool:
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
    known, stop, ends_of = _glossary(language), _stop_words(language), _separable(language)
    last = {word: place for place, word in enumerate(said)}
    at, taken = 0, set()
    while at < len(said):
        for length in range(min(_longest_phrase(language), len(said) - at), 0, -1):
            phrase = " ".join(said[at : at + length])
            if phrase in known:
                yield known[phrase]
                at += length
                break
        else:
            word = said[at]
            end = next((end for end in ends_of.get(word, ()) if last.get(end, -1) > at), "")
            if end:
                yield known[f"{word}{_PARTED}{end}"]
                taken.add(end)
            elif word not in stop and word not in taken:
                yield from _inflected(word, language)
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
                found[word] = EnglishWord(word, " ".join(senses), senses[0], (key,))
            elif key == "things":
                # `결제` is both to pay and a payment.
                found[word] = found[word]._replace(english=f"{found[word].english} {english}")
    return found


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
    # A Snowball stemmer keeps state while it works, so each thread has its own.
    stemmers = vars(_local).setdefault("stemmers", {})
    if language not in stemmers:
        stemmers[language] = Stemmer.Stemmer(_STEMMERS[language])
    return str(stemmers[language].stemWord(word))
