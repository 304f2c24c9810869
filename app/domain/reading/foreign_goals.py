"""Goals in other languages, in the words of English documents: values as they stand, the verb of a clause first."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from app.domain.language.foreign import (
    VERB_LAST,
    EnglishWord,
    PlacedWord,
    language_of,
    placed_words,
    says_action,
    unspaced_words,
)
from app.domain.language.text import stem
from app.domain.reading.clauses.marks import masked
from app.domain.reading.shapes import shape
from app.domain.reading.tokens import GoalToken, tokenised, value_words

_FIRST_MARK = 0xE000
_MOST_MARKS = 0x1000
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+")
"""Scripts whose words stand side by side, or carry their particles."""
_JOINING = frozenset(("and", "and then", "then", "or"))
"""English words between which each clause has a verb of its own."""
_NOUN_BEGINS = frozenset(
    (
        "the",
        "a",
        "my",
        "its",
        "all",
        "each",
        "to",
        "in",
        "from",
        "of",
        "last",
        "latest",
        "first",
        "for",
        "on",
        "with",
        "at",
    )
)
"""English words by which a clause may begin before its verb; conditions, exclusions and questions keep their order."""
_CLAUSE = re.compile(r"([^.;!?,:]++)([.;!?,:]*+)")
"""What stands between marks of punctuation, and the marks behind it."""
_MARK = re.compile("[\ue000-\uefff]")
_MARK_OR_TEXT = re.compile("[\ue000-\uefff]|[^\ue000-\uefff]++")
_APOSTROPHE = re.compile("['\u2019]")


@dataclass(frozen=True, slots=True)
class _Part:
    """A word or a value of a goal in English."""

    text: str
    known: EnglishWord | None = None
    small: bool = False

    @property
    def is_unknown(self) -> bool:
        """Whether it is a word that the lexicon does not have, and no value."""
        return self.known is None and not self.small and self.text.isalpha()

    @property
    def is_action(self) -> bool:
        """Whether it says what is to be done."""
        return self.known is not None and says_action(self.known)


def goal_in_english(goal: str, *, is_known: Callable[[str], bool] = lambda _stem: False) -> str:
    """A goal in another language that the lexicon has, in English; the goal itself where it is in none of them.

    Every value stands in it to the letter, and so does a word that nobody knows: it may be a name.

    Args:
        goal: The text.
        is_known: Whether calls of the catalogue are about what a stem names, or do it: of several English words for one
            the first of these is taken, else the commonest.
    """
    marked, values = _with_marks(goal)
    language = language_of(masked(marked))
    if not language:
        return goal
    clauses = [(list(_parts(found[1], language)), found[2]) for found in _CLAUSE.finditer(marked)]
    unknown = {part.text for parts, _ in clauses for part in parts if part.is_unknown}
    if len(unknown) * 2 > len({*masked(marked).split()}):
        # A few words of a list of names are words of some language.
        return goal
    text = " ".join(filter(None, (_sentence(*clause, language, is_known) for clause in clauses)))
    # A goal may hold such characters itself.
    return _MARK.sub(lambda found: "".join(values[(at := ord(found[0]) - _FIRST_MARK) : at + 1]), text)


def _with_marks(goal: str) -> tuple[str, Sequence[str]]:
    """The goal with a character for private use in place of each value, and the values as they stand."""
    parts, values, last = [], list[str](), 0
    for token in _tokens(goal):
        if token.plain and not token.text.isalpha():
            shape(token, value_words(), lambda _: False)
        if token.kind is not None and len(values) < _MOST_MARKS:
            parts += [goal[last : token.start], f" {chr(_FIRST_MARK + len(values))} "]
            values.append(goal[token.start : token.end])
            last = token.end
    return "".join(parts) + goal[last:], values


def _tokens(goal: str) -> Sequence[GoalToken]:
    """The tokens of a goal; words without spaces between them end where another script begins."""
    if goal.isascii() or not _UNSPACED.search(goal):
        return tokenised(goal)
    found = []
    begin = 0
    for other in (*_UNSPACED.finditer(goal), None):
        end = other.start() if other else len(goal)
        for token in tokenised(goal[begin:end]):
            token.start, token.end = token.start + begin, token.end + begin
            found.append(token)
        begin = other.end() if other else end
    return found


def _sentence(parts: Sequence[_Part], mark: str, language: str, is_known: Callable[[str], bool]) -> str:
    """A clause in English with the punctuation behind it; empty where nothing of it says anything."""
    words = [_chosen(one, is_known) for one in _in_order(parts, language)]
    text = " ".join(filter(None, words))
    return text and text + mark


def _parts(clause: str, language: str) -> Iterator[_Part]:
    if _UNSPACED.search(clause):
        for piece in _MARK_OR_TEXT.findall(clause):
            if piece in " " or "\ue000" <= piece <= "\uefff":
                yield _Part(piece.strip())
            else:
                yield from (_part(one, "") for one in unspaced_words(piece.strip().lower(), language))
        return
    said = _APOSTROPHE.sub(" ", clause).split()
    found = placed_words([_read(word, at) for at, word in enumerate(said)], language, grammar=True)
    named = False
    for one in found:
        # What follows `called` is a name, whatever the word means.
        yield _Part(said[one.at]) if named else _part(one, said[one.at])
        named = one.small in value_words().naming


def _read(word: str, at: int) -> str:
    """A word as the glossary has it; what is written in capitals stays, since it is short for something or a code."""
    return word if at and word.isupper() else word.lower()


def _part(one: PlacedWord, said: str) -> _Part:
    if one.small is not None:
        return _Part(one.small, small=True)
    return _Part(said, one.known)


def _in_order(parts: Sequence[_Part], language: str) -> Iterator[_Part]:
    """The parts as English has them: in each stretch with a verb of its own that verb first.

    What begins with a condition or an exclusion stays as it is: its verb is not what is asked for.
    """
    stretch: list[_Part] = []
    for at, part in enumerate(parts):
        if (
            part.small
            and part.text in _JOINING
            and _has_action(stretch)
            and _has_action(_until_joint(parts, at))
        ):
            yield from _verb_first(stretch, language)
            yield part
            stretch = []
        else:
            stretch.append(part)
    yield from _verb_first(stretch, language)


def _until_joint(parts: Sequence[_Part], at: int) -> Sequence[_Part]:
    """What follows a joining word, up to the next one."""
    return list(takewhile(lambda one: not (one.small and one.text in _JOINING), parts[at + 1 :]))


def _has_action(parts: Sequence[_Part]) -> bool:
    return any(one.is_action for one in parts)


def _verb_first(parts: Sequence[_Part], language: str) -> Sequence[_Part]:
    actions = [at for at, one in enumerate(parts) if one.is_action]
    begins = next((at for at, one in enumerate(parts) if one.text), 0)
    if not actions or begins in actions or (parts[begins].small and parts[begins].text not in _NOUN_BEGINS):
        return parts
    at = actions[-1] if language in VERB_LAST else actions[0]
    return [parts[at], *parts[:at], *parts[at + 1 :]]


def _chosen(part: _Part, is_known: Callable[[str], bool]) -> str:
    """The English words of a part: the first that the catalogue has, else the commonest."""
    if part.known is None:
        return part.text
    senses = part.known.senses
    return next((one for one in senses if all(is_known(stem(word)) for word in one.split())), senses[0])
