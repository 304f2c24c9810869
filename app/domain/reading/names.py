"""Names in a goal: `Daft Punk` by its capitals, `prod` by its place behind `namespace`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from app.domain.language.goal_words import all_verbs
from app.domain.language.identifiers import is_plural, singular
from app.domain.language.text import STOP_WORDS, stem
from app.domain.reading.models import ValueKind
from app.domain.reading.tokens import POSSESSIVE, YEAR, GoalToken, IsWord, ValueWords, value_words
from app.lexicon.lists import table

_LONGEST_RUN = 6
"""Words; more in capitals are a headline."""
_LONGEST_CALLED = 5
_LONGEST_CODE = 4
"""Letters and digits: the 2H25 of `2H25 Forecast`; longer ones are ids."""
_LONGEST_TEXT = 15
_NOUNS_OF_VALUE = 3
"""Words of what a value is of: `to contact list 5`."""
_BEYOND_TEXT = frozenset(("then", "which", "who", "whose", "that"))
"""A text without marks does not go on with them."""
_DUE = "due"
_SHORTEST_FAMILY_NAME = 3
"""Letters; shorter words behind a first name are slips of the pen."""
_RENAMED_WITHIN = 10
"""Tokens between `rename` and the new name."""
_APOSTROPHES = frozenset("'\u2019")
_SENTENCE_MARKS = frozenset(".!?:;•*-)")
_FEWEST_CAPITALISED = 2
_REVERSED = re.compile(r"^(?:un|de|re|dis)(?=[a-z]{4})")
"""Before a verb that something else undoes or does again."""
_SECOND = 2
_CODES = frozenset(("sku", "code", "ref", "reference"))
"""Nouns of what is a code by itself."""
_TITLED = frozenset(("titled", "entitled"))
_CALLED = frozenset(("it", "this", "that"))
_OBJECTS = frozenset(("it", "them", "him", "her"))
_NAMELESS = frozenset(("ones", "once", "twice", "thrice"))
"""They stand for what has been named (`closed ones too`), or say how often."""
_WAITING = "waiting"
_OPENING = frozenset(("and", "then", "please", "pls", "but", "also"))
"""Behind them, or a mark, a clause begins."""
_ABSTRACT = ("tion", "sion", "ment", "ness", "ship")
"""Endings of nouns for acts and states, which nothing is called by. Source: suffixes of abstract nouns (Quirk et al., I.35-I.36, I.48)."""
_ENDS = frozenset(("from", "into", "onto"))
"""Before a word without an article they lead to what is called so."""


@cache
def _text_nouns() -> frozenset[str]:
    """Nouns whose text may stand behind them without marks: a title, a comment."""
    inputs = table("inputs")
    return frozenset((*inputs["written"], *inputs["titles"]))


@cache
def _fields() -> frozenset[str]:
    """What people give a thing beside its text: a status, a description."""
    return _text_nouns() | frozenset(table("inputs")["states"]) | value_words().nouns


def is_verb(word: str) -> bool:
    """Whether a lower-case word may open a clause of a goal."""
    return stem(word) in all_verbs()


def _may_be_verb(word: str) -> bool:
    """Whether a lower-case word is a verb, in whatever form: `placed`, `deprioritise`."""
    root = _REVERSED.sub("", word)
    return is_verb(word) or is_verb(root) or is_verb(singular(word)) or word.endswith("ed")


@dataclass(frozen=True, slots=True)
class NameReader:
    """Finds the names among the tokens of one goal."""

    text: str
    tokens: list[GoalToken]
    words: ValueWords
    is_word: IsWord

    def capitalised(self) -> list[GoalToken]:
        """The tokens, each run of capitalised words that is a name as one."""
        tokens = self.tokens
        if not any(token.plain and token.text != token.text.upper() for token in tokens):
            # All in capitals: they tell nothing.
            return tokens
        found: list[GoalToken] = []
        at = 0
        while at < len(tokens):
            end = self._run(at)
            begin = self._begin(at, end) if end > at else end
            found.extend(tokens[at:begin])
            if begin < end:
                found.append(self._name(begin, end))
            at = max(end, at + 1)
            if end <= begin and end <= at - 1:
                found.append(tokens[at - 1])
        return found

    def bare(self) -> None:
        """Make names of the words that stand where names do."""
        at = 0
        while at < len(self.tokens):
            token = self.tokens[at]
            if (token.kind is ValueKind.NAME or self._is_capital(at)) and self._is_behind_text_noun(at):
                self._take_text(at)
            elif token.kind is ValueKind.NAME and (self._called(at) or self._is_behind_noun(at)):
                # `reason Holidays`: an ordinary word has no capital there.
                token.weak = token.weak and not self._ends_phrase(at + 1)
                if self._called(at):
                    self._take_rest(at)
                self._go_on(at)
            elif token.kind is ValueKind.NAME and self._is_named_so(at):
                self._take_rest(at)
                self._go_on(at)
            elif token.plain and (token.lower not in self.words.function or self._is_called_by_capital(at)):
                if self._called(at):
                    at = self._take_called(at)
                    self._go_on(at)
                elif self._is_full_name(at):
                    self._join(at, at + 2)
                elif (weak := self._weak_name(at)) is not None:
                    kind = ValueKind.SLUG if "/" in token.text else ValueKind.NAME
                    token.becomes(
                        ValueKind.ID if "-" in token.text and kind is ValueKind.NAME else kind, weak=weak
                    )
                    if self._is_first_of_two(at):
                        self._join(at, at + 2, weak=weak)
            at += 1

    # Runs of capitals

    def _is_capital(self, at: int) -> bool:
        token = self.tokens[at]
        return (
            token.plain
            and token.text[0].isupper()
            and token.text != "I"
            and token.lower not in self.words.dates
            and token.lower not in self.words.short_forms
            and not any(each.isdigit() for each in token.text)
        )

    def _spaced(self, at: int) -> bool:
        """Whether only white space on one line stands before a token."""
        between = self.text[self.tokens[at - 1].end : self.tokens[at].start]
        return at > 0 and between.isspace() and "\n" not in between

    def _is_code_in_name(self, at: int) -> bool:
        """Whether a short code in capitals stands before a word in capitals: the Q3 of `Q3 Report`."""
        token, before = self.tokens[at], self._plain(at - 1)
        return (
            token.kind is ValueKind.ID
            and len(token.text) <= _LONGEST_CODE
            and token.text.isalnum()
            and token.text.upper() == token.text
            and at + 1 < len(self.tokens)
            and self._spaced(at + 1)
            and self._is_capital(at + 1)
            and self.tokens[at + 1].lower not in self.words.function | self.words.given_names
            and not (before is not None and before.lower in _CODES | self.words.identifying)
        )

    def _goes_on_with(self, at: int) -> bool:
        return self._is_capital(at) or self._is_code_in_name(at)

    def _run(self, at: int) -> int:
        """Behind the last word of a run of capitals that begins here; `at` where no run does."""
        if not self._goes_on_with(at):
            return at
        end = at + 1
        while end < len(self.tokens):
            after = end
            while (
                after < min(end + 2, len(self.tokens) - 1)
                and (self.tokens[after].text in self.words.inside_names or self.tokens[after].text == "&")
                and self._spaced(after)
            ):
                after += 1
            if not (self._spaced(after) and self._goes_on_with(after)):
                break
            end = after + 1
        return end

    def _begin(self, at: int, end: int) -> int:
        """Where in a run the name begins; `end` where it has no name."""
        tokens, begin = self.tokens, at
        capitals = [token for token in tokens[at:end] if token.text[0].isupper()]
        unknown = sum(not self._known(token.lower) for token in capitals)
        first = tokens[at].text
        marked = not first[1:].islower() and len(first) > 1
        is_given = end - at > 1 and tokens[at].lower in self.words.given_names
        if (self.starts_sentence(at) and not is_given) and (
            self._known(tokens[at].lower)
            or (unknown < _FEWEST_CAPITALISED and not marked)
            or self._is_order(at, end)
        ):
            begin += 1
            capitals = capitals[1:]
        while begin < end and tokens[begin].text.islower():
            begin += 1
        if end - begin == 1 and self._is_letter(begin):
            return begin
        if self._is_noun_of_number(end):
            return end
        if not capitals or len(capitals) > _LONGEST_RUN or self._says_nothing(capitals):
            return end
        return begin

    def _is_noun_of_number(self, end: int) -> bool:
        """Whether a run ends with the noun of the id behind it: `WhatsApp ID 16315551234`."""
        return (
            end < len(self.tokens)
            and self.tokens[end].kind in (ValueKind.NUMBER, ValueKind.ID)
            and self.tokens[end - 1].lower in self.words.identifying
            and self._spaced(end)
        )

    def _is_order(self, at: int, end: int) -> bool:
        """Whether a run begins with an order: any word before somebody's first name, or a verb before several: `Take Maria Lopez off`."""
        first, *rest = (token.lower for token in self.tokens[at:end])
        given = self.words.given_names
        return first not in given and (
            any(one in given for one in rest[:1]) or (len(rest) > 1 and is_verb(first))
        )

    def _is_letter(self, at: int) -> bool:
        """Whether a capital A is no article: `the A record`."""
        before = self._plain(at - 1)
        return self.tokens[at].text == "A" and before is not None and before.lower in self.words.determiners

    def _says_nothing(self, capitals: list[GoalToken]) -> bool:
        if all(self._known(token.lower) and token.text.isupper() for token in capitals):
            return True
        return all(token.lower in self.words.function for token in capitals)

    def _name(self, begin: int, end: int) -> GoalToken:
        first, last = self.tokens[begin], self.tokens[end - 1]
        name = GoalToken(self.text[first.start : last.end], first.start, last.end)
        name.becomes(ValueKind.NAME, weak=end - begin == 1 and self._known(first.lower))
        return name

    # Words by their places

    def _known(self, lower: str) -> bool:
        words = self.words
        return (
            lower in words.function
            or lower in words.numbers
            or lower in words.units
            or lower in words.dates
            or lower in words.announcing
            or lower in words.telling
            or lower in STOP_WORDS
            or self._in_use(lower)
        )

    def _in_use(self, lower: str) -> bool:
        """Whether the catalogue, or English, has a word, or has it in the singular."""
        return self.is_word(lower) or self.is_word(singular(lower))

    def starts_sentence(self, at: int) -> bool:
        """Whether a sentence, or an item of a list, begins with a token."""
        if at == 0:
            return True
        before = self.tokens[at - 1]
        return (before.mark and before.text in _SENTENCE_MARKS) or "\n" in self.text[
            before.end : self.tokens[at].start
        ]

    def _plain(self, at: int) -> GoalToken | None:
        """The word at a place; None for values, marks and places outside."""
        token = self.tokens[at] if 0 <= at < len(self.tokens) else None
        return token if token is not None and token.plain else None

    def _ends_phrase(self, at: int) -> bool:
        """Whether a noun phrase is over before a place."""
        if at >= len(self.tokens):
            return True
        token = self.tokens[at]
        return token.mark or (
            token.plain
            and (
                token.lower in self.words.function
                or self._is_adverb(token.lower)
                or token.text in table("reading")["at_once"]
            )
        )

    def _is_adverb(self, lower: str) -> bool:
        """Whether a word says how something is done: `remove it completely`."""
        return lower.endswith("ly") and (self._in_use(lower[:-2]) or is_verb(lower[:-2]))

    def _is_participle(self, at: int) -> bool:
        """Whether a word says of things before it what was done to them: `tickets assigned to Ann`, `a snapshot taken on Monday`."""
        lower, noun, behind = self.tokens[at].lower, self._plain(at - 1), self._plain(at + 1)
        if noun is None or behind is None or behind.lower not in self.words.prepositions:
            return False
        is_regular = lower.endswith("ed") and is_verb(lower) and is_plural(noun.lower)
        return is_regular or lower in table("reading")["irregular_participles"]

    def _called(self, at: int) -> bool:
        before = self._plain(at - 1)
        if before is not None:
            named = before.lower in self.words.naming or (before.lower == "to" and self._is_renamed(at))
            return named and self._spaced(at)
        # `label:bug`
        touching = (
            at > 1
            and self.tokens[at - 1].text in (":", "=")
            and self.tokens[at - 1].end == self.tokens[at].start
        )
        return (
            touching
            and self._plain(at - 2) is not None
            and self.tokens[at - 2].end == self.tokens[at - 1].start
        )

    def _is_named_so(self, at: int) -> bool:
        """Whether what was spoken of is to have the name in capitals at a place: `call it Shop health`, not `they call it Shop`."""
        pronoun, calling, before = (self._plain(at - back) for back in (1, 2, 3))
        opens = at == 2 or before is None or before.lower in _OPENING
        return (
            opens
            and pronoun is not None
            and pronoun.lower in _CALLED
            and calling is not None
            and calling.lower in table("reading")["calling"]
        )

    def _is_called_by_capital(self, at: int) -> bool:
        """Whether a word of grammar begins a name: `called New checkout`."""
        return self._is_capital(at) and self._called(at) and not self._ends_phrase(at + 1)

    def _is_behind_text_noun(self, at: int) -> bool:
        """Whether a capital begins the text that the noun before it calls so: `the text Welcome aboard!`, `with the title Add login`."""
        noun = self._plain(at - 1)
        if noun is None or not self._spaced(at) or not self.tokens[at].text[:1].isupper():
            return False
        if noun.lower in _TITLED:
            return True
        # `, title Intro call`
        is_listed = at > 1 and self.tokens[at - 2].text == "," and not is_verb(noun.lower)
        return noun.lower in _text_nouns() and (is_listed or self._stands_as_noun(at - 1))

    def _take_text(self, at: int) -> None:
        """Make a text of a capital and the words behind it, up to where something else is said of the task.

        A text ends at a mark, where another order is joined (`and close it`), and before a preposition that leads to
        something named: `title Add login form in project 15`.
        """
        end = at + 1
        while (
            end < min(at + _LONGEST_TEXT, len(self.tokens))
            and self._spaced(end)
            and not self._leaves_text(end)
        ):
            end += 1
        while end > at + 1 and self.tokens[end - 1].lower in table("reading")["courtesies"]:
            end -= 1
        self._join(at, end)

    def _leaves_text(self, at: int) -> bool:
        """Whether a text is over before a place."""
        token, behind = self.tokens[at], self.tokens[at + 1 : at + 2 + _NOUNS_OF_VALUE]
        if token.mark or token.kind is ValueKind.DATE or token.lower in _BEYOND_TEXT:
            return True
        if token.text in table("reading")["at_once"] and self._ends_phrase(at + 1):
            return True
        if not token.plain or not behind:
            return False
        if token.lower in self.words.joining:
            return self._goes_on_beyond(behind)
        if token.lower.endswith("ed") or token.lower == _DUE:
            # `Login fails assigned to Bob`, `Call Bob due Friday`
            return behind[0].lower in self.words.prepositions or behind[0].kind is ValueKind.DATE
        if token.lower not in self.words.prepositions:
            return False
        if behind[0].lower in self.words.determiners or (
            behind[0].kind is ValueKind.NAME and token.lower == "to"
        ):
            return True
        first = behind[0]
        if token.lower == "with" and first.lower in _fields():
            return True
        named = next((one for one in behind if not self._is_noun_of_text(one)), None)
        if named is None or named.kind is None:
            return False
        if named.kind is ValueKind.NAME:
            # `See you in Paris`, but `in department Sales`
            return named is not first and (first.lower in _fields() or self.is_word(first.lower))
        return not (named is first and YEAR.fullmatch(named.text))

    def _goes_on_beyond(self, behind: Sequence[GoalToken]) -> bool:
        """Whether what `and` joins to a text is no more of it: an order, another thing with an article, or one with its value."""
        first, *rest = behind
        if not first.plain:
            return False
        value = next((place for place, one in enumerate(behind) if one.kind is not None), 0)
        # `and business partner id 25`
        has_value = value == 1 or (value > 1 and all(self._may_be_field(one) for one in behind[:value]))
        # `and priority high`
        is_field = (
            self.is_word(first.lower) and bool(rest) and rest[0].plain and not rest[0].text[0].isupper()
        )
        is_short = len(rest) == 1 or (len(rest) > 1 and not self._is_noun_of_text(rest[1]))
        return (
            has_value
            or (is_field and is_short)
            or is_verb(first.lower)
            or first.lower in self.words.determiners
            or first.lower in _BEYOND_TEXT
            or first.lower in _fields()
        )

    def _may_be_field(self, one: GoalToken) -> bool:
        """Whether a word in lower case may be one of the name of a field."""
        return (
            one.plain
            and one.text.islower()
            and (self.is_word(one.lower) or one.lower in self.words.identifying)
        )

    def _is_noun_of_text(self, one: GoalToken) -> bool:
        return one.plain and one.lower not in self.words.function

    def _is_renamed(self, at: int) -> bool:
        """Whether the clause up to a place says that something gets another name: `rename web to new-api`."""
        for token in reversed(self.tokens[max(0, at - _RENAMED_WITHIN) : at]):
            if token.mark and token.text in ".;!?":
                return False
            if token.plain and token.lower in self.words.renaming:
                return True
        return False

    def _is_behind_noun(self, at: int) -> bool:
        """Whether a name in capitals stands behind the noun of what is called so: `the project Baker Street`, and its `12`."""
        noun, token = self._plain(at - 1), self.tokens[at]
        return (
            noun is not None
            and token.text[0].isupper()
            and noun.text.islower()
            and noun.lower not in self.words.function
            and (not is_verb(noun.lower) or self._stands_as_noun(at - 1))
        )

    def _take_called(self, at: int) -> int:
        """Join the words behind `called` into one name; the place of it."""
        end = at + 1
        while (
            self.tokens[at - 1].plain
            and end < min(at + _LONGEST_CALLED, len(self.tokens))
            and not self._ends_phrase(end)
            and self.tokens[end].plain
            and self._spaced(end)
        ):
            end += 1
        self._join(at, end)
        return at

    def _take_rest(self, at: int) -> None:
        """Join a name with the words behind it where they end its clause, and none of them may begin an order: `Shop health`."""
        end = at + 1
        while end < min(at + _LONGEST_CALLED, len(self.tokens)) and not self._ends_phrase(end):
            is_last = end + 1 >= len(self.tokens) or self.tokens[end + 1].mark
            # `rename it to Quarterly sync` orders nothing.
            may_be_order = self.tokens[end].lower in table("en")["verbs"] and not is_last
            is_word = self.tokens[end].plain and not may_be_order
            if not (self._spaced(end) and (is_word or self._is_numbered(end))):
                return
            end += 1
        if end > at + 1 and self._ends_phrase(end):
            self._join(at, end)
        if self.tokens[at - 1].lower == "to":
            self._take_brackets(at)

    def _take_brackets(self, at: int) -> None:
        """Join a new name with what stands in brackets at its end: `rename it to Welcome (old)`."""
        closing = next(
            (end for end in range(at + 2, min(at + 5, len(self.tokens))) if self.tokens[end].text == ")"), 0
        )
        if (
            closing
            and self.tokens[at + 1].text == "("
            and all(one.plain for one in self.tokens[at + 2 : closing])
        ):
            self._join(at, closing + 1)

    def _is_first_of_two(self, at: int) -> bool:
        """Whether a name behind its noun goes on with another word that nobody knows and that ends the phrase: `folder north wing`."""
        noun = self._plain(at - 1)
        if noun is None or noun.lower in self.words.function or not self._in_use(noun.lower):
            return False
        if is_verb(noun.lower) and not self._stands_as_noun(at - 1):
            # `stop giving work to it`
            return False
        return self._is_new_word(at + 1) and self._ends_at_link(at + 2)

    def _ends_at_link(self, at: int) -> bool:
        """Whether a noun phrase is over before a place where no object follows: `in realm contoso forgot his password`."""
        if at >= len(self.tokens):
            return True
        token = self.tokens[at]
        return token.mark or token.lower in self.words.prepositions | self.words.joining

    def _join(self, at: int, end: int, *, weak: bool = False) -> None:
        """Make one name of the tokens from a place to another."""
        first, last = self.tokens[at], self.tokens[end - 1]
        name = GoalToken(self.text[first.start : last.end], first.start, last.end)
        name.becomes(ValueKind.NAME, weak=weak)
        self.tokens[at:end] = [name]

    def _is_full_name(self, at: int) -> bool:
        """Whether a first name in lower case stands here, before a word that nobody knows and that ends the name: `lena fischer`."""
        if self.tokens[at].text not in self.words.given_names or at + 1 >= len(self.tokens):
            return False
        last = self.tokens[at + 1].text
        return (
            len(last) >= _SHORTEST_FAMILY_NAME
            and last not in self.words.no_family_names
            and self._is_new_word(at + 1)
            and self._ends_name(at + 2)
        )

    def _is_new_word(self, at: int) -> bool:
        """Whether a word in lower case goes on with what stands before it, which nobody knows and which may be no verb."""
        word = self._plain(at)
        return (
            word is not None
            and self._spaced(at)
            and word.text.isalpha()
            and word.text.islower()
            and not (self._ends_phrase(at) or self._known(word.text) or _may_be_verb(word.text))
        )

    def _ends_name(self, at: int) -> bool:
        """Whether the full name of somebody is over before a place: a phrase ends there, or a value or a verb follows."""
        if self._ends_phrase(at) or not self.tokens[at].plain:
            return True
        # `tom becker reports to her`
        return _may_be_verb(self.tokens[at].lower) or self.tokens[at].lower.endswith("s")

    def _go_on(self, at: int) -> None:
        """Join what is called with the numbers and capitals that follow it: `called Summer Sale 2026`."""
        end = at + 1
        while end < len(self.tokens) and self._spaced(end) and self._is_numbered(end):
            end += 1
        if end > at + 1 and self._ends_phrase(end):
            first, last = self.tokens[at], self.tokens[end - 1]
            first.text, first.end = self.text[first.start : last.end], last.end
            first.lower = first.text.lower()
            first.becomes(ValueKind.NAME)
            del self.tokens[at + 1 : end]

    def _is_numbered(self, at: int) -> bool:
        """Whether a token may be a further part of a name: a number in digits, a code, a word in capitals."""
        token = self.tokens[at]
        if token.plain and token.text[0].isupper():
            return True
        if token.kind in (ValueKind.NUMBER, ValueKind.ID):
            return token.text[0].isdigit() or token.text[0].isupper()
        return token.kind is ValueKind.NAME and token.text[0].isupper()

    def _weak_name(self, at: int) -> bool | None:
        """Whether the word at a place is a weak name; None where it names nothing."""
        token = self.tokens[at]
        if len(token.text) < 2 or token.text[-1] in "%€£$" or any(each.isdigit() for each in token.text):
            return None
        if (
            not (token.text.islower() or token.text.isupper())
            or token.lower in _NAMELESS | self.words.identifying
        ):
            return None
        if self._is_adverb(token.lower) or self._is_participle(at):
            return None
        if self._is_thing_called(at):
            return None
        if token.lower == _WAITING and at + 1 < len(self.tokens) and self.tokens[at + 1].lower == "for":
            # `the dispute waiting for our answer`
            return None
        if at + 1 < len(self.tokens) and self.tokens[at + 1].text == ":" and not self._names_place(at):
            # `reason: too late`: it heads what follows, but not in `in namespace shop: restart it`.
            return None
        if self._is_second_end(at):
            return False
        is_new = "-" in token.text and not self.is_word(token.lower.replace("-", ""))
        if is_new and self._is_behind(at, "as") and self._ends_phrase(at + 1):
            # `snapshot the server as pre-upgrade`.
            return False
        known = self._known(token.lower) or not token.text.isalpha()
        if at + 1 < len(self.tokens) and self.tokens[at + 1].text in POSSESSIVE:
            return None if known else False
        return self._weak_known(at) if known else self._weak_unknown(at)

    def _is_thing_called(self, at: int) -> bool:
        """Whether a word is the noun of what is called so: `a feature flag called newCheckout`, not `to master titled "Cart"`."""
        before = self._plain(at - 1)
        called = at + 1 < len(self.tokens) and self.tokens[at + 1].lower in self.words.naming
        return called and before is not None and before.lower not in self.words.prepositions

    def _is_behind(self, at: int, word: str) -> bool:
        """Whether a word stands directly before a place."""
        before = self._plain(at - 1)
        return before is not None and before.lower == word and self._spaced(at)

    def _is_second_end(self, at: int) -> bool:
        """Whether a word is the other end of what a value is one end of: `from feature/cart to master`."""
        tokens = self.tokens
        return (
            at > 2
            and tokens[at - 1].lower == "to"
            and tokens[at - 2].kind is not None
            and not tokens[at - 2].weak
            and tokens[at - 3].lower == "from"
            and self._spaced(at)
            and self._ends_phrase(at + 1)
            and not is_verb(tokens[at].lower)
        )

    def _weak_known(self, at: int) -> bool | None:
        noun = self._plain(at - 1)
        if noun is None or not self._spaced(at) or not self._ends_phrase(at + 1):
            return None
        if noun.lower in _ENDS and self._stands_for_one(at):
            # `from develop`: a thing would have an article.
            return True
        if is_plural(self.tokens[at].lower) and self._is_of_several(at - 1):
            # `5 phone numbers`, `all my credit card accounts`: several things, and no name of one.
            return None
        if (
            noun.lower in self.words.function
            or noun.lower in self.words.units
            or not self._in_use(noun.lower)
            # `with push permission`, `turn on user registration`
            or self.tokens[at].lower.endswith(_ABSTRACT)
        ):
            return None
        if not noun.text.isalpha() or (is_verb(noun.lower) and not self._stands_as_noun(at - 1)):
            return None
        return True

    def _is_of_several(self, at: int) -> bool:
        """Whether a number or another noun stands before one, but no verb that begins an order: `scale deployment reports`."""
        before = self.tokens[at - 1] if at > 0 else None
        if before is None or before.mark:
            return False
        if not before.plain:
            return before.kind is ValueKind.NUMBER
        opener = self._plain(at - 2)
        opens = (
            at < _SECOND
            or (opener is None and self.tokens[at - 2].mark)
            or (opener is not None and opener.lower in _OPENING)
        )
        return before.lower not in self.words.function and not opens

    def _stands_for_one(self, at: int) -> bool:
        """Whether a word is a noun in the singular, or may be one."""
        lower = self.tokens[at].lower
        words = self.words
        grammar = lower in words.function or lower in words.numbers or lower in words.dates
        return lower.isalpha() and not grammar and not is_plural(lower) and lower not in STOP_WORDS

    def _stands_as_noun(self, at: int) -> bool:
        """Whether what stands before a word that may be a verb makes it a noun: `the label`, `with label`."""
        before = self._plain(at - 1)
        if before is None or before.lower == "to":
            return False
        words = self.words
        return (
            before.lower in words.determiners
            or before.lower in words.prepositions
            or (before.lower not in words.function and self._spaced(at))
        )

    def _weak_unknown(self, at: int) -> bool | None:
        words = self.words
        following = self._plain(at + 1)
        is_between = following is not None and following.lower == "as"
        if self._is_behind(at, "as") and (self.tokens[at].lower == "well" or is_between):
            # `as well`, and `as long as`.
            return None
        if (listed := self._listed(at)) is not None:
            return listed
        if self._is_in_brackets(at):
            return False
        before = self._plain(at - 1)
        if before is None or not self._spaced(at) or not _APOSTROPHES.isdisjoint(before.text):
            return None
        if self._is_noun_of_value(at):
            return None
        if self._names_place(at):
            return False
        is_whole = self._ends_phrase(at + 1) or self._is_first_of_two(at)
        doubtful = not is_whole or self.tokens[at].lower.endswith("ly")
        if before.lower in words.prepositions:
            return doubtful
        if before.lower in words.determiners:
            noun = self._plain(at + 1)
            names_noun = noun is not None and noun.lower not in words.function and self._in_use(noun.lower)
            return True if names_noun and self._ends_phrase(at + 2) else None
        if before.lower in words.function:
            return None
        as_verb = is_verb(before.lower) and not self._stands_as_noun(at - 1)
        return doubtful or as_verb or not self._in_use(before.lower)

    def _names_place(self, at: int) -> bool:
        """Whether a word stands behind a noun without an article, to which a preposition leads: `in realm contoso forgot it`."""
        noun, leading, behind = self._plain(at - 1), self._plain(at - 2), self._plain(at + 1)
        if behind is not None and self._in_use(behind.lower) and not is_verb(behind.lower):
            # `in project management tools`: a noun that another follows is a part of it.
            return False
        return (
            noun is not None
            and leading is not None
            and leading.lower in self.words.prepositions
            and noun.lower not in self.words.function
            and self._in_use(noun.lower)
            and not is_plural(noun.lower)
            and not is_plural(self.tokens[at].lower)
        )

    def _is_in_brackets(self, at: int) -> bool:
        """Whether a word stands alone in brackets behind a name: `Maria (mgarcia)`."""
        tokens = self.tokens
        return (
            1 < at < len(tokens) - 1
            and tokens[at - 1].text == "("
            and tokens[at + 1].text == ")"
            and tokens[at - 2].text[:1].isupper()
        )

    def _is_noun_of_value(self, at: int) -> bool:
        """Whether a word behind another noun names what the id behind it is: `the float variable fSetpoint`."""
        behind = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        return (
            behind is not None
            and behind.kind is ValueKind.ID
            and self._spaced(at + 1)
            and self.tokens[at].text.isalpha()
        )

    def _is_done_to(self, at: int) -> bool:
        """Whether what stands at a place is what something is done to: `take them`."""
        word = self._plain(at)
        return word is not None and word.lower in _OBJECTS

    def _listed(self, at: int) -> bool | None:
        """Whether the name that a word goes on from, as in `bob and carol`, is weak; None where nothing precedes."""
        before = self.tokens[at - 1] if at > 1 else None
        if before is None or not (before.text == "," or before.lower in self.words.joining):
            return None
        first = self.tokens[at - 2]
        if first.text == "," and at > 2:
            first = self.tokens[at - 3]
        if first.kind is not ValueKind.NAME or is_verb(self.tokens[at].lower) or self._is_done_to(at + 1):
            return None
        if first.text[0].isupper() and self.tokens[at].text.islower() and not first.weak:
            # `called Weekend Sale and give me the link`: names of one list are written alike.
            return None
        return first.weak or not self._ends_phrase(at + 1)
