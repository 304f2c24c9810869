"""A goal cut into words, marks and what is plainly a value by itself: quoted text, addresses, ids."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from app.domain.language.visible_text import QUOTED
from app.domain.reading.models import ValueKind
from app.domain.workflows.plans import FiniteJson
from app.lexicon.lists import table

IsWord = Callable[[str], bool]

# An apostrophe between letters closes nothing.
_SINGLE = (
    r"(?<!\w)'((?:[^']|(?<=\w)'(?=\w))++)'(?!\w)|\u2018((?:[^\u2018\u2019]|(?<=\w)\u2019(?=\w))++)\u2019"
)
# An international number in groups; source: ITU-T E.123, section 2, of at most 15 digits (E.164, section 6.1), at least 7.
_PHONE = (
    r"(?<![\w+])\+(?=(?:[ .()-]{0,2}[0-9]){7,15}+(?![0-9]))[1-9][0-9]{0,14}+"
    r"(?:(?:[ .-]|[ ]?\(|\)[ ]?)[0-9]{1,15}+){1,7}+(?!\w)"
)
_TOKEN = re.compile(
    rf"(?P<quoted>{_SINGLE}|{QUOTED}|«([^«»]+)»)"
    r"|(?P<url>(?<!\w)[A-Za-z][A-Za-z0-9+.]{1,11}+://[^\s<>\"“”«»]++)"
    rf"|(?P<phone>{_PHONE})"
    r"|(?<![\w:]):(?P<emoji>(?=[0-9_+-]*+[a-z])[a-z0-9][a-z0-9_+-]{1,99}):(?![\w:])"
    r"|(?P<word>(?:[#@$€£¥+/]|(?<!\w)-(?=[0-9]))?+\w++"
    r"(?:(?:[./@'\u2019&~=+]|[:-]{1,2}+|(?<=[0-9]),(?=[0-9]))\w++)*+[%€£$]?+)"
    r"|(?P<mark>\S)"
)
HOST_NAME = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?+\.)++[a-z]{2,24}", re.IGNORECASE)
"""A host name (RFC 1123, section 2.1) with a top-level domain of letters; with a dot behind it, it is absolute (RFC 1034, section 3.1)."""
YEAR = re.compile(r"(?:19|20)[0-9]{2}")
"""A number that may be a year."""
_COORDINATES = re.compile(r"-?[0-9]{1,3}\.[0-9]++,[0-9]{1,3}\.[0-9]++")
_NEXT = re.compile(r"\s*+(,|[a-z]++)")
_BEHIND_URL: Final = ".,;:!?)]}'\u2019"
POSSESSIVE = ("'s", "\u2019s")


@dataclass(slots=True)
class GoalToken:
    """A word, a mark, or several of them that are one value."""

    text: str
    start: int
    end: int
    kind: ValueKind | None = None
    value: FiniteJson = None
    unit: str = ""
    weak: bool = False
    mark: bool = False
    """Punctuation: neither a word nor a value."""
    lower: str = field(init=False)

    def __post_init__(self) -> None:
        self.lower = self.text.lower()

    def becomes(
        self, kind: ValueKind, value: FiniteJson = None, *, unit: str = "", weak: bool = False
    ) -> None:
        """It is a value; by default its own text."""
        self.kind, self.unit, self.weak = kind, unit, weak
        self.value = self.text if value is None else value

    @property
    def plain(self) -> bool:
        """Whether it is a word that is no value (yet)."""
        return self.kind is None and not self.mark


def tokenised(text: str) -> list[GoalToken]:
    """The tokens of a goal, in order; quoted text, addresses with a scheme and numbers of telephones are values already."""
    tokens: list[GoalToken] = []
    for found in _TOKEN.finditer(text):
        start, end = found.span()
        if found["word"] is not None:
            _add_word(tokens, found["word"], start)
        elif found["quoted"] is not None:
            inner = next(part for part in found.groups()[1:] if part is not None)
            if not inner.isspace():
                tokens.append(GoalToken(inner, start, end, ValueKind.QUOTED, inner))
        elif found["url"] is not None:
            # A bracket that opened within it closes within it.
            url = found["url"].rstrip(
                _BEHIND_URL if "(" not in found["url"] else _BEHIND_URL.replace(")", "")
            )
            tokens.append(GoalToken(url, start, start + len(url), ValueKind.URL, url))
            rest = range(start + len(url), end)
            tokens.extend(GoalToken(text[at], at, at + 1, mark=True) for at in rest)
        elif found["emoji"] is not None:
            tokens.append(GoalToken(found["emoji"], start, end, ValueKind.NAME, found["emoji"]))
        elif found["phone"] is not None:
            tokens.append(GoalToken(found["phone"], start, end, ValueKind.ID, found["phone"]))
        else:
            tokens.append(GoalToken(found["mark"], start, end, mark=True))
    return _with_root_dots(text, tokens)


def _with_root_dots(text: str, tokens: list[GoalToken]) -> list[GoalToken]:
    """The tokens, where the dot behind the name of a zone is part of it: in `export zone a.com. from b` it ends no sentence."""
    found: list[GoalToken] = []
    for token in tokens:
        before = found[-1] if found else None
        if (
            token.mark
            and token.text == "."
            and before is not None
            and before.end == token.start
            and before.kind is None
            and HOST_NAME.fullmatch(before.text)
            and _goes_on(text, token.end)
        ):
            found[-1] = GoalToken(text[before.start : token.end], before.start, token.end)
        else:
            found.append(token)
    return found


def _goes_on(text: str, at: int) -> bool:
    """Whether what follows a dot can begin no sentence: a comma, a preposition, `and`."""
    words = value_words()
    following = _NEXT.match(text, at)
    return following is not None and (
        following[1] == "," or following[1] in words.prepositions or following[1] in words.joining
    )


def _add_word(tokens: list[GoalToken], text: str, start: int) -> None:
    if text.isalpha():
        tokens.append(GoalToken(text, start, start + len(text)))
    elif text.endswith(POSSESSIVE):
        _add_word(tokens, text[:-2], start)
        tokens.append(GoalToken(text[-2:], start + len(text) - 2, start + len(text), mark=True))
    elif parted := _parted(text):
        at = start + len(parted)
        tokens.append(GoalToken(parted, start, at))
        tokens.append(GoalToken(text[len(parted)], at, at + 1, mark=True))
        tokens.append(GoalToken(text[len(parted) + 1 :], at + 1, start + len(text)))
    else:
        tokens.append(GoalToken(text, start, start + len(text)))


def _parted(text: str) -> str:
    """The first of two words between which a space was left out: `label:bug`, `issue.Then`; empty otherwise.

    So are coordinates: `52.52,13.40`.
    """
    if "," in text and _COORDINATES.fullmatch(text):
        return text.partition(",")[0]
    first, mark, second = text.partition(":" if ":" in text else ".")
    if not (mark and first.isalpha() and second.isalpha()):
        return ""
    return first if mark == ":" or (first.islower() and second.istitle()) else ""


@dataclass(frozen=True, slots=True)
class ValueWords:
    """The word lists of the reading of values."""

    determiners: frozenset[str]
    prepositions: frozenset[str]
    naming: frozenset[str]
    renaming: frozenset[str]
    """Verbs behind which `to` leads to a name."""
    short_forms: frozenset[str]
    """Abbreviations that are no names though they are written in capitals: `PR`, `VM`."""
    identifying: frozenset[str]
    joining: frozenset[str]
    function: frozenset[str]
    """All of these but the identifying ones, with pronouns, auxiliaries and the like."""
    inside_names: frozenset[str]
    given_names: frozenset[str]
    """In lower case, first names that are no words of English."""
    no_family_names: frozenset[str]
    """What may stand behind a first name without being a family name."""
    announcing: frozenset[str]
    telling: frozenset[str]
    writing: frozenset[str]
    posting: frozenset[str]
    dates: frozenset[str]
    periods: frozenset[str]
    numbers: Mapping[str, int]
    multiples: Mapping[str, int]
    units: Mapping[str, str]
    """A way to write a unit -> its name in the singular."""
    currencies: Mapping[str, str]
    """A sign, a word or a code -> the code."""
    national: Mapping[str, str]
    """Whose currency is meant, before the word for it -> the code: `Canadian` dollars."""
    leading_codes: frozenset[str]
    """Codes that may stand before a number."""
    compound_first: frozenset[str]
    compound_last: frozenset[str]
    nouns: frozenset[str]

    def begins_with_given_name(self, name: str) -> bool:
        """Whether a name of several words in lower case is somebody's full name: `lena fischer`."""
        said = name.split()
        return len(said) > 1 and said[0] in self.given_names


@cache
def value_words() -> ValueWords:
    """The lists of `values.toml`."""
    lists = table("values")
    codes = lists["currencies"]["codes"].split()

    def one(name: str, part: str = "") -> frozenset[str]:
        return frozenset((lists[part][name] if part else lists[name]).split())

    grammar = ("determiners", "prepositions", "naming", "joining", "grammar")
    return ValueWords(
        determiners=one("determiners"),
        prepositions=one("prepositions"),
        naming=one("naming"),
        renaming=one("renaming"),
        short_forms=frozenset(table("en")["aliases"]),
        identifying=one("identifying"),
        joining=one("joining"),
        function=frozenset().union(*(one(name) for name in grammar)),
        inside_names=one("inside_names"),
        given_names=one("given_names"),
        no_family_names=one("no_family_names"),
        announcing=one("announcing"),
        telling=one("telling"),
        writing=one("writing"),
        posting=one("posting"),
        dates=one("words", "dates"),
        periods=one("periods", "dates"),
        numbers=lists["numbers"],
        multiples=lists["multiples"],
        units={form: unit for unit, forms in lists["units"].items() for form in forms.split()},
        currencies={
            **{code: code for code in codes},
            **lists["currencies"]["signs"],
        },
        national=lists["currencies"]["national"],
        leading_codes=frozenset(codes) - one("words", "currencies"),
        compound_first=one("first", "compounds"),
        compound_last=one("last", "compounds"),
        nouns=one("nouns", "plain"),
    )
