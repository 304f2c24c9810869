"""A goal, cut into tasks, with what restricts them: conditions, exclusions, how many are meant."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

from app.domain.language.goal_words import STOP_WORDS, verb_kinds
from app.domain.language.identifiers import pieces, singular
from app.domain.language.idioms import idiom_verb
from app.domain.language.operation_words import READING_KINDS
from app.domain.language.text import stem
from app.domain.reading.backgrounds import Clause, as_order, background_words, with_backgrounds
from app.domain.reading.clauses import (
    ADDED,
    BY_AGE,
    MARKS,
    asked_kind,
    goal_terms,
    is_participle,
    is_question,
    masked,
    split_clauses,
    starts_with_verb,
)
from app.domain.reading.models import (
    Exclusion,
    GoalCondition,
    GoalTask,
    Quantity,
    Reading,
    StatedValue,
    ValueKind,
)
from app.domain.reading.tokens import value_words
from app.domain.reading.values import calling_pattern
from app.lexicon.lists import table

_STRONG, _TEXT, _WEAK, _CONDITION, _EXCLUSION = 0xE000, 0xE400, 0xE800, 0xF000, 0xF400
"""First characters for private use that stand for values (of them, quoted texts and ordinary words apart), for
conditions and for exclusions while a goal is cut."""
_MOST = 0x400
_MOST_NAMED = 2
_PHRASE_WITHIN = 200
"""Characters in which a turn of phrase ends: the longest has ten words, with those between a verb and its particle."""
_NEAR = 20
"""Characters before a word in which a determiner ends."""
_WORD = re.compile(r"[\w.-]++")
_WITH = re.compile(r"(?<=\S)\s++with an? ([a-z]{3,30}+)(?:\s([a-z]{3,30}+))?", re.IGNORECASE)
_END = re.compile(r"(?<!\s)\s*+[,;.!?]|(?<!\s)\s++(?:then\b|but\b|and\s++(?=([a-z]++)\b))", re.IGNORECASE)

_VERB_AND_OBJECT = re.compile(
    r"(?<![\w\ue000-\uefff])([\w\ue000-\uefff]++)\s++(?=([a-z]++)[\ue800-\uefff]?+\s++(?:it|them|him|her|the|an?|this|that|these|those|its|their|[\ue000-\uefff]))",
    re.IGNORECASE,
)
"""A word, and a word behind it that an object follows."""
_ELLIPTIC = re.compile(
    r"\s*+[a-z]++\s++(?:do|does|did|can|could|will)(?:\s++not|n['\u2019]?t)?\s++(?=([a-z]++)\s++(?:it|them|him|her|the|an?|this|that|these|those|its|their|[\ue000-\uefff]))",
    re.IGNORECASE,
)
"""A subject and an auxiliary that stands for what was said before, and the verb behind it: `it does` of `if it does send it`."""
_SUBJECT = re.compile(
    r"\s*+((?:[a-z]++\s++){0,4}[\ue000-\uefff](?:\s++(?:in|of|on|from|at|for)\s++(?:[a-z]++\s++){0,2}[\ue000-\uefff]){0,2})"
    r"\s++(?:(?:still|already|ever|also)\s++)?+([a-z'\u2019]++)",
    re.IGNORECASE,
)
"""A noun phrase that ends with a value, at the start of a condition, and the word behind it."""
_OBJECT_PRONOUN = re.compile(r"\b(?:its\s++([a-z]++)|(?:it|them|him|her))\b", re.IGNORECASE)
"""It stands for a thing, or says of which thing the word behind it is."""
_TURNS = frozenset(("got", "gets", "went", "goes", "became", "becomes"))
"""Words that an adjective or a participle follows, as after `is`."""
_THERE_IS = re.compile(
    r"\bthere(?:\s++(?:is|are)(?:\s*+n['\u2019]?t|\s++not)?|['\u2019]s(?:\s++not)?|isn['\u2019]?t)?\s++(?:(?:still|already|yet)\s++)?+(?:an?|any|no)\s++"
    r"(.+?)(?:\s++(?:yet|already|there|at all))?+\s*+$",
    re.IGNORECASE,
)
"""What a condition says that there is, or is not."""
_DENIED = re.compile(r"n['\u2019]t\b|\b(?:no|not)\b", re.IGNORECASE)
_ONE = re.compile(
    r"[\s,]*+(?:please\s++)?+(?:create|make|add|open|set up|start|register|book)\s++(one)\b(?!\s++(?:of|called|named|titled)\b)",
    re.IGNORECASE,
)
"""An order that makes such a thing."""
_OTHERWISE_DO = re.compile(r"[\s,;]*+(?:or\s++else|otherwise|else)\b[\ue800-\uefff]?+,?+\s*+", re.IGNORECASE)
_OTHERWISE = re.compile(r"\s*+,\s*+(?:otherwise|else|or else)\b", re.IGNORECASE)
_CLOSED = re.compile(r"\s*+(?:$|[.;!?]|,?+\s*+(?:and|then|but)\b)", re.IGNORECASE)
"""What follows a condition with all that depends on it: the end of a sentence, or what is asked for next."""
_PER_PIECE = re.compile(rf"{MARKS.pattern}\s++each\b", re.IGNORECASE)
"""What a number says of each of several things: `at 9.25 each`."""
_NAYS = re.compile(r"not|no|none|.*(?:n['\u2019]?t|\bnot|\bnone)\b.*", re.IGNORECASE)
"""What of these stands for a no."""
_NAMED_VALUE = r"(?=[\ue000-\ue7ff])"
_ANSWER = re.compile(
    r"\s*+(so|yes|(?:not|no|none|any)(?=\s*+,|\s++then\b)|(?:not|none|no)(?=\s++ORDER)|SHORT(?=\s*+,|\s++then\b|\s++ORDER))"
    r"\b(?!\s++(?:many|much|few|little|far|long|that)\b)[\s,]*+(?:then\b\s*+)?+(?=\S)".replace(
        "SHORT",
        r"(?:it|he|she|they|we|that|this|there|i)\s++(?:is|are|was|were|has|have|had|does|do|did|can)(?:n?['\u2019]?t|\s++not)?"
        r"(?:\s++(?:one|any|none|so|the case))?",
    ).replace("ORDER", r"[a-z]++\s++(?:it|them|him|her|the|an?|one|[\ue000-\uefff])(?![a-z])"),
    re.IGNORECASE,
)
"""Behind `if`, what stands for what was asked before (`so`, `it has`, `not`), and something to do."""
_SHORT_ANSWER = re.compile(r"\s++(so|yes|not|no)[\ue800-\uefff]?+(?=\s*+(?:$|[.;!]))", re.IGNORECASE)
"""The same behind what is to be done: `add it if not`."""
_MAY_GO = re.compile(
    r"(?:\A|(?<=[.,;!?:] ))((?!(?:i|we|you|he|she|what|who|which|where|how|if|unless|when)\b)(?:[a-z0-9'-]++[\ue800-\uefff]?+\s++){0,5}?(?:it|they|[a-z0-9'-]{2,30}+[\ue800-\uefff]?+|[\ue000-\uefff]"
    r"(?:(?:,|,?\s++and)\s++(?:[a-z0-9'-]++\s++){0,2}?[\ue000-\uefff]){0,9}))"
    r"\s++(?:can|may|could|should|must)[\ue800-\uefff]?+\s++go[\ue800-\uefff]?+(?:\s++(?:now|too|then|away|as well|please))?+"
    r"(?=\s*+(?:[,;.!?]|\Z|(?:if|unless|as long as|but|and|once|because)\b))",
    re.IGNORECASE,
)
"""What is to be there no more: `tag 77 can go`, but not `it can go live`."""
_SUBORDINATING = frozenset(
    "if whether when unless once so only which who what where until before no not nothing none nobody neither never its their".split()
)
"""A phrase with one of them says more than what a thing is called."""
_WE_MAY = re.compile(
    r"(?:\A|(?<=[.,;!?:] ))(?:(?:we|you|they)\s++(?:can|could|may|should)|(?:can|could|may)\s++we)\s++(?:please\s++)?+",
    re.IGNORECASE,
)
_SHOULD_BE = re.compile(
    r"(?:\A|(?<=[.;:,!?-] ))should\s++((?:[a-z]++\s++){0,4}?(?:it|he|she|they|that|this|[\ue000-\uefff]|[a-z]{2,20}))\s++be\b(?=[^.;!?,]{1,120}+,(?!\s*+or\b)[^.;!?]{1,200}+(?:[.;!]|\Z))",
    re.IGNORECASE,
)
"""A condition by inversion (Quirk et al., 15.36)."""
_ASKED_BEFORE = re.compile(r"\?\s++[^.;!?]*$")
"""A sentence behind a question."""
_IN_THAT_CASE = re.compile(r"(?<=[?.;,!] )in (?:that|this|such a) case\b", re.IGNORECASE)
_SUBJECT_CHARS = 120
"""Characters in which a condition ends its subject, and what stands before it tells whether it leads."""
_ASKED_CHARS = 1_000
"""Characters before an answer in which the question stands."""
_PLURAL = 2
"""Words of a subject that is surely one: an article and a plural, as `the tests`."""
_NEVER_DONE = re.compile(r"never[\ue800-\uefff]?+\s++[a-z]{2,}ed\b", re.IGNORECASE)
_NEEDLESS = re.compile(r"\s++need\s++(?:it|them)\b(?!\s++to\b)", re.IGNORECASE)
_SENTENCE = re.compile(r"[.;!?]\s++")
_WORD_SAID = r"[a-z]++[\ue800-\uefff]?+"
"""A word, which may be a value as well."""
_PLACE_FIRST = re.compile(
    rf"\s*+((?:in|on|for|at|under|within|inside|from)\s++(?:{_WORD_SAID}\s++){{0,4}}?[\w.-]*+[\ue000-\uefff])(?:\s*+,\s*+|\s++)"
    rf"(?=([a-z]++)[\ue800-\uefff]?+\s)",
    re.IGNORECASE,
)
"""A place with what it is called at the start of a clause, and the word behind it."""
_SUBJECT_LAST = re.compile(
    r"(?:^|(?<=[;.!?,])\s)\s*+((?:the\s++)?+(?:[a-z]++\s++){0,2}[\w.-]*+[\ue000-\uefff])$", re.IGNORECASE
)
"""A noun phrase with a value that is all of a sentence so far."""
_STAYING = re.compile(
    r"(?<=[\w\ue000-\uefff])[,;]\s++(?:(?:but|and|though)\s++)?+(?:the|my|our|its|his|her|their)\s++"
    rf"((?:{_WORD_SAID}\s++){{1,3}}?)(?:(?:itself|themselves|should|must|can|may)[\ue800-\uefff]?+\s++){{0,2}}"
    r"(?:stays?|remains?)[\ue800-\uefff]?+(?![a-z])(?:\s++(?:as (?:it|they) (?:is|are)|there|in place|untouched|intact))?+(?=\s*+(?:$|[,;.!]))",
    re.IGNORECASE,
)
"""A thing that stays, behind what is asked for."""
_KEPT = re.compile(
    r"(?<=[\w\ue000-\uefff])[,;.]\s++(?:(?:but|and)\s++)?+(?:keep|leave|retain|preserve)\s++(?:the|all|its|their|his|her|any)\s++"
    rf"((?:{_WORD_SAID}\s++){{1,3}}?)(?:that\s++)?+(?:it|they|he|she|you)[\ue800-\uefff]?+\s++(?:already\s++)?+(?:has|have|is|are)\b"
    r"(?:\s++(?:already|now|there))?+(?=\s*+(?:$|[,;.!]))",
    re.IGNORECASE,
)
"""What a thing has already, and keeps."""
_LACKING = re.compile(r"without\s++(?:an?|any)\s++", re.IGNORECASE)
"""It leads to what a thing does not have."""
_JOINT = re.compile(r"(?:,|(?<=[\w\ue000-\ue7ff]))\s*+\band\s*+$", re.IGNORECASE)
_SUBJECTS = frozenset(
    ("i", "you", "we", "it", "who", "anyone", "anybody", "everyone", "to", "not", "never", "be", "been")
)

_COMMA_THEN = re.compile(r"^[\s,;]++then\b", re.IGNORECASE)
"""It only joins what stands before an exclusion to what follows it."""


@dataclass(slots=True)
class _Marked:
    """A goal with marks for what was taken out of it."""

    text: str
    values: Sequence[StatedValue]
    conditions: list[GoalCondition] = field(default_factory=list)
    exclusions: list[Exclusion] = field(default_factory=list)

    def plain(self, text: str) -> str:
        """`text` with its values in place and without other marks."""

        def said(found: re.Match[str]) -> str:
            mark = ord(found[0])
            at = (mark - _STRONG) % _MOST
            return self.values[at].text if mark < _WEAK and at < len(self.values) else ""

        return re.sub(r"\s{2,}+", " ", MARKS.sub(said, text)).strip(" ,;")

    def values_in(self, text: str) -> tuple[StatedValue, ...]:
        """Values whose marks stand in `text`."""
        found = []
        for mark in MARKS.findall(text):
            at = ord(mark)
            number = (at - _STRONG) % _MOST
            if at < _CONDITION and number < len(self.values):
                found.append(self.values[number])
        return tuple(found)


def read_goal(
    goal: str,
    values: Sequence[StatedValue],
    *,
    is_catalogue_verb: Callable[[str], bool] = lambda _stem: False,
    is_separate: Callable[[str, str], bool] = lambda _thing, _part: False,
    is_thing: Callable[[str], bool] = lambda _stem: False,
) -> Reading:
    """What a goal asks for, one task after the other.

    Args:
        goal: The text.
        values: What it states, in order.
        is_catalogue_verb: Whether a stem begins a clause, beside the known verbs.
        is_separate: Whether something (its noun, its words joined) is made by a call of its own when the other, whose
            noun comes first, is dealt with: a comment of an issue, but not a label.
        is_thing: Whether calls are about what a stem names.

    Values are one word each while the text is cut: nothing is cut inside them. A condition belongs to the task that
    it stands with and to all that follow; exclusions belong to the goal.
    """
    marked = _mark(goal, values)
    marked.text = _with_names_joined(_without_courtesies(_as_orders(_as_conditions(marked.text))))
    _take_exclusions(marked)
    _take_what_stays(marked)
    _take_conditions(marked)
    tasks: list[GoalTask] = []
    condition: GoalCondition | None = None
    cut = split_clauses(
        _with_places_joined(marked.text),
        is_catalogue_verb=is_catalogue_verb,
        is_separate=is_separate,
        is_thing=is_thing,
    )
    for whole in with_backgrounds(cut, is_catalogue_verb=is_catalogue_verb, is_thing=is_thing):
        parts = _with_parts(whole.text, is_separate)
        for clause in (Clause(parts[0], whole.about, whole.background), *map(Clause, parts[1:])):
            said = "".join((*clause.about, clause.text))
            for mark in MARKS.findall(said):
                if _CONDITION <= ord(mark) < _EXCLUSION:
                    condition = marked.conditions[ord(mark) - _CONDITION]
            text = _with_place_last(_without(clause.text, _CONDITION))
            if condition is not None and (other := _OTHERWISE_DO.match(text)):
                # `if it is a draft, publish it, otherwise delete it`
                condition = condition.model_copy(update={"negated": not condition.negated})
                text = text[other.end() :]
            if tasks and condition is not None and _says_do_it(masked(text)):
                # `Do that only if it is open.`
                tasks[-1] = tasks[-1].model_copy(update={"condition": condition})
                continue
            if tasks and condition is not None and _idle_pattern().fullmatch(text.strip(" ,;.!")):
                # `If it is open, leave it alone.`
                opposite = condition.model_copy(update={"negated": not condition.negated})
                tasks = [
                    one if one.condition else one.model_copy(update={"condition": opposite}) for one in tasks
                ]
                continue
            if tasks and staying_pattern().fullmatch(masked(text).strip(" ,;.!")):
                # `Take it out of the pool, leave the machine running.`
                continue
            tasks.append(
                GoalTask(
                    do=marked.plain(text.replace(ADDED, ",")),
                    words=_words(text, clause.about, is_thing),
                    values=marked.values_in(said),
                    quantity=_quantity(text, goal_excepts=bool(_spared_values(marked.exclusions))),
                    condition=condition,
                    background=tuple(marked.plain(one) for one in (*clause.about, *clause.background)),
                )
            )
    tasks = _in_order(tasks)
    unsure = [f"{value.text!r} may be a name or an ordinary word" for value in values if value.weak]
    return Reading(tasks=tuple(tasks), exclusions=tuple(marked.exclusions), unsure=tuple(unsure))


def _as_conditions(text: str) -> str:
    """A text with its conditions behind `if`: `in that case close it`, `should it be open, close it`."""
    text = _SHOULD_BE.sub(
        lambda found: f"if {found[1]} {'are' if found[1].lower() == 'they' else 'is'}", text
    )
    return _IN_THAT_CASE.sub("if so", text) if "?" in text else text


def _as_orders(text: str) -> str:
    """A text with what is allowed as what is to be done: `get rid of 7` for `we can get rid of 7`, `delete it` for `it can go`."""

    def ordered(allowed: re.Match[str]) -> str:
        rest = masked(text[allowed.end() : allowed.end() + _PHRASE_WITHIN])
        return "" if idiom_verb(rest) else allowed[0]

    def deleted(gone: re.Match[str]) -> str:
        subject = pieces(masked(gone[1]))
        # `tell me if it can go` asks, and `nothing can go` wants nothing done.
        # `Ann can go` says nothing of a thing.
        is_named = MARKS.search(gone[1]) is not None and bool(subject)
        is_spoken_of = subject in (("it",), ("they",)) and MARKS.search(text, 0, gone.start()) is not None
        is_said = is_named or is_spoken_of or subject[:1] == ("the",)
        says_more = "that" in subject[1:] or not _SUBORDINATING.isdisjoint(subject)
        # `publish article 3 and article 4 can go` is about one of them.
        is_list = len(MARKS.findall(gone[1])) > 1 and not "".join(subject[:1]).endswith("s")
        begins = is_list and starts_with_verb(masked(gone[1]), lambda _: False)
        return f"delete {gone[1]}" if is_said and not says_more and not begins else gone[0]

    return _MAY_GO.sub(deleted, _WE_MAY.sub(ordered, text))


def _says_do_it(text: str) -> bool:
    """Whether a clause only says that what was asked for before is to be done: `but do so`, `go ahead`."""
    reading = table("reading")
    said = pieces(text)
    return bool(said) and all(word in reading["doing_so"] or word in reading["pronouns"] for word in said)


def _words(text: str, about: Sequence[str], is_thing: Callable[[str], bool]) -> str:
    """The words of a clause, and behind a comma those of what it is about."""
    own = as_order(re.sub(r"\s{2,}+", " ", masked(text)).strip(" ,;"))
    known = ", ".join(filter(None, (background_words(one, is_thing=is_thing) for one in about)))
    head, *added = own.split(ADDED, maxsplit=1)
    return f"{ADDED} ".join(filter(None, (", ".join(filter(None, (head, known))), *map(str.strip, added))))


def _with_names_joined(text: str) -> str:
    """A text with what a thing is to be called as a part of what is said of it: `create a list and call it X`."""
    return calling_pattern(_NAMED_VALUE).sub(" called ", text)


def _with_place_last(text: str) -> str:
    """A clause with the place that it begins with behind what is to be done there: `in realm acme end every session`."""
    found = _place_first(text)
    return text if found is None else f"{text[found.end() :].rstrip()} {found[1]}"


def _place_first(text: str) -> re.Match[str] | None:
    found = _PLACE_FIRST.match(text)
    return found if found and (_is_verb(found[2]) or found[2].lower() in table("reading")["ending"]) else None


def _with_places_joined(text: str) -> str:
    """A text without the commas between a place at the start of a sentence and what is done there: `for customer 12, close it`."""
    sentences: list[str] = []
    last = 0
    for end in (*(found.end() for found in _SENTENCE.finditer(text)), len(text)):
        sentence, last = text[last:end], end
        found = _place_first(sentence)
        sentences.append(f"{found[1]} {sentence[found.end() :]}" if found else sentence)
    return "".join(sentences)


def _in_order(tasks: Sequence[GoalTask]) -> list[GoalTask]:
    """The tasks in the order in which they are done: what says `first` at its end comes before the task that precedes it."""
    found: list[GoalTask] = []
    for task in tasks:
        if found and pieces(task.words)[-1:] == ("first",):
            found.insert(len(found) - 1, task)
        else:
            found.append(task)
    return found


def _with_parts(clause: str, is_separate: Callable[[str, str], bool]) -> list[str]:
    """`close issue 12 with a comment saying fixed` as two: the second makes the comment."""
    found = _WITH.search(clause)
    if found is None:
        return [clause]
    first = pieces(masked(clause[: found.start()]))
    parts = [part for part in (found[1] + (found[2] or ""), found[1]) if part]
    if first and any(is_separate(noun, part) for noun in first[1:] for part in parts):
        return [clause[: found.start()], f"create a {clause[found.start(1) :]}"]
    return [clause]


def _without(text: str, first: int) -> str:
    return "".join(char for char in text if not first <= ord(char) <= 0xF7FF)


def _mark(goal: str, values: Sequence[StatedValue]) -> _Marked:
    parts: list[str] = []
    last = 0
    for number, value in enumerate(values[:_MOST]):
        parts.append(goal[last : value.start])
        if value.weak or (value.kind is ValueKind.NAME and value.text.islower()):
            # It may be an ordinary word after all: it stays one for what looks at words.
            parts.append(goal[value.start : value.end] + chr(_WEAK + number))
        else:
            parts.append(chr((_TEXT if value.kind is ValueKind.QUOTED else _STRONG) + number))
        last = value.end
    # A goal may hold such characters itself.
    rest = [MARKS.sub(" ", part) if at % 2 == 0 else part for at, part in enumerate(parts)]
    return _Marked("".join(rest) + MARKS.sub(" ", goal[last:]), values)


def _phrases(words: Sequence[str]) -> str:
    return "|".join(re.escape(word).replace(r"\ ", r"\s++") for word in sorted(words, key=len, reverse=True))


_BUT = ("but", "but for")
_CLAUSE_ENDS = re.compile(r"[,;:!?\n]|\.\s")
_GOES_BEHIND = re.compile(r"\s*+[\w'@#./-]{0,60}+[\ue000-\uefff]\s++[a-z]{2,20}(?:ed|s)\b", re.IGNORECASE)
"""A value and what it did: `but Ann reopened it`."""
_PERSONAL = frozenset(("i", "you", "he", "she", "it", "we", "they", "them", "him", "her"))
_HOW_LONG = (ValueKind.MEASURE, ValueKind.DURATION, ValueKind.AMOUNT)
_SHORT_NOUN = 4
"""Words of a noun phrase with its article, behind `but`."""


@cache
def exclusion_pattern() -> re.Pattern[str]:
    """What begins an exclusion."""
    return re.compile(
        rf"(?<![\w])({_phrases([*table('reading')['exclusions'], *_sparing_rest()])}"
        # `all tickets but 77`: a value or what the others are called follows.
        rf"|but(?:\sfor)?(?=\s(?:the\s|those\s|[\"']?[\w'@#./-]{{0,60}}{MARKS.pattern}))"
        rf"|(?:leave|keep)(?={MARKS.pattern}?\s(?:[a-z]{{2,20}}\s)?{MARKS.pattern}(?:(?:,|\sand)\s{MARKS.pattern})*+\s++(?:{_phrases(table('reading')['staying_so'])})\b))\b",
        re.IGNORECASE,
    )


@cache
def _sparing_rest() -> frozenset[str]:
    """What says that whatever the goal does not name stays as it is: `leave the others`."""
    words = table("reading")
    return frozenset(f"{first} {second}" for first in words["sparing_rest"] for second in words["rest"])


@cache
def condition_pattern() -> re.Pattern[str]:
    """What begins a condition."""
    words = table("reading")
    return re.compile(
        rf"(?<![\w])({_phrases([*words['conditions'], *words['negated_conditions']])}"
        # `delete it, but leave it alone if it is in use`
        rf"|but\s++(?:{_idle_pattern().pattern}|keep\s++(?:it|them|him|her))\s++(?:if|when)"
        # `delete it, but don't if it is in use`
        r"|(?:(?:but|and)\s++)?+(?:don['\u2019]?t|do\s++not|never)(?:\s++do\s++(?:it|that|so))?\s++(?:if|when))\b",
        re.IGNORECASE,
    )


def _extent(text: str, start: int, *, is_verb: Callable[[str], bool]) -> int:
    """Where what begins at `start` ends: at punctuation, `then`, or `and` before a verb."""
    for found in _END.finditer(text, start):
        following = found[1]
        # `if it is open and locked` goes on.
        if following is None or (is_verb(following) and not is_participle(following)):
            return found.start()
    return len(text)


def _is_verb(word: str) -> bool:
    return stem(word.lower()) in verb_kinds()


def _without_courtesies(text: str) -> str:
    """What asks for something: without greetings, thanks, and `otherwise leave it alone`."""
    for pattern in _courtesies():
        text = pattern.sub("", text)
    return text


@cache
def _courtesies() -> tuple[re.Pattern[str], ...]:
    said = _said_in_part
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"\A\s*+(?:{said('greetings')})(?:\s++\w++)?[\ue800-\uefff]?+\s*+[,!.]++\s++",
            rf"(?:\A|(?<=[.;,!?]))\s*+(?:{said('thanks')})\b[^.;!?\ue000-\ue7ff\uf000-\uf7ff]*+(?:[.!]++|\Z)",
            rf"(?<![\s,;.])[\s,;.]*+\b(?:and\s++|or\s++)?+(?:{said('otherwise')})\b[\ue800-\uefff]?+,?+\s++{_idle_pattern().pattern}(?=\s*+(?:\Z|[.;,!]))",
            rf"(?<![\s,])[\s,]*+\b(?:{said('courtesies')})\b(?=\s*+(?:\Z|[.;,!?]))",
        )
    )


@cache
def _idle_pattern() -> re.Pattern[str]:
    """What says that nothing is to be done."""
    idle = _said_in_part("idle").replace(r"\*", "(?:it|them|him|her|that|this|these|those|everything)")
    return re.compile(
        rf"(?:but\s++|and\s++)?+(?:please\s++)?+(?:just\s++)?+(?:{idle})(?:[\ue800-\uefff]?+\s++(?:{_said_in_part('left')}))?+[\ue800-\uefff]?+",
        re.IGNORECASE,
    )


@cache
def staying_pattern() -> re.Pattern[str]:
    """What says that a thing which is named stays as it is."""
    return re.compile(
        rf"(?:but\s++|and\s++)?+(?:please\s++)?+leave\s++(?:the|my|our|its|his|her|their|all)(?:\s++[\w-]++){{1,3}}?\s++(?:{_said_in_part('left')})",
        re.IGNORECASE,
    )


def _said_in_part(name: str) -> str:
    """The phrases of a list, of which any word may be taken for a name as well."""
    return _phrases(table("reading")[name]).replace(r"\s++", r"[\ue800-\uefff]?+\s++")


def _take_exclusions(marked: _Marked) -> None:
    words = table("reading")
    at = 0
    while found := exclusion_pattern().search(marked.text, at):
        before = pieces(marked.text[max(0, found.start() - _NEAR) : found.start()])[-1:]
        goes_on = found[1].lower().endswith("ing") and before[:1] and before[0] in words["auxiliaries"]
        if goes_on or (before and before[0] in value_words().determiners):
            # `the do not contact list` excludes nothing, nor does `she is leaving us`.
            at = found.end()
            continue
        begins_condition = condition_pattern().match(marked.text, found.start()) is not None
        if begins_condition or _denies_in_condition(marked.text, found):
            # `but not if it is open` begins a condition, and `if I don't have it yet` is one.
            at = found.end()
            continue
        if before and _NEVER_DONE.match(marked.text, found.start()):
            # `the seller never finished it` tells what happened.
            at = found.end()
            continue
        if before in (("i",), ("we",)) and _NEEDLESS.match(marked.text, found.end()):
            # `we don't need it any more` says why.
            at = found.end()
            continue
        begins = re.sub(r"\s+", " ", found[1].lower())
        end = _extent(marked.text, found.end(), is_verb=_is_verb)
        if begins == "without" and (condition := condition_pattern().search(marked.text, found.end(), end)):
            # `publish it without comments if it is a draft`
            end = condition.start()
        said = marked.text[found.end() : end]
        if begins in _BUT:
            if not _excepts(marked, found.start(), said):
                at = found.end()
                continue
            begins = "except"
        # `leave 77 alone` and `only keep 77` spare what they name, whatever is dealt with.
        stays = begins in words["staying"] and bool(marked.values_in(said))
        spares = (
            begins in words["spared"]
            or stays
            or (begins in words["kept"] and _keeps_some(masked(marked.text[: found.start()]), said))
        )
        rest = begins in _sparing_rest() or (begins in words["kept"] and _is_rest(masked(said)))
        makes = begins.endswith("leave") and pieces(masked(said))[:1] in (("a",), ("an",))
        if makes or (not rest and not masked(said).strip() and not marked.values_in(said)):
            # `and leave a note` makes one.
            at = found.end()
            continue
        lacking = _LACKING.match(marked.text, found.start())
        if lacking and asked_kind(masked(marked.text[: found.start()])) in READING_KINDS:
            # A read excludes no act: `list the issues without an assignee` says which.
            marked.text = f"{marked.text[: found.start()]}with no {marked.text[lacking.end() :]}"
            continue
        # The verb itself may be taken for a name.
        values = tuple(one for one in marked.values_in(said) if one.text.lower() != begins) if spares else ()
        if spares and not values:
            values = _named(marked, found.end(), end)
        marked.exclusions.append(
            Exclusion(
                text=marked.plain(marked.text[found.start() : end]),
                words="" if rest else masked(said).strip(),
                keeps=begins in words["kept"] or spares or rest,
                values=values,
            )
        )
        # Values that are not spared belong to no task either: `instead of prod`.
        kept = "" if begins != "all but" else " all "
        behind = _COMMA_THEN.sub(" then", marked.text[end:])
        said_before = marked.text[: found.start()].rstrip(" ,;")
        if begins in words["never"] and (subject := _SUBJECT_LAST.search(said_before)):
            # `user 7 must not be deleted` asks for nothing.
            said_before = said_before[: subject.start(1)]
        marked.text = said_before + kept + behind
        at = len(said_before)


def _denies_in_condition(text: str, denial: re.Match[str]) -> bool:
    """Whether a denial is one of a condition, and not what depends on it: `if they don't pass, close it`."""
    reading = table("reading")
    near = max(0, denial.start() - _SUBJECT_CHARS)
    opening = next(reversed([*condition_pattern().finditer(text, near, denial.start())]), None)
    if opening is None or re.sub(r"\s+", " ", denial[1].lower()) not in reading["denials"]:
        return False
    subject = text[opening.end() : denial.start()]
    said = pieces(masked(subject))
    if _END.search(subject) or not said or not set(reading["auxiliaries"]).isdisjoint(said):
        return False
    if len(said) == 1 and said[0] in reading["denying_subjects"]:
        return True
    # `if the tests don't pass, close it`, but `if the build fails don't deploy it`.
    if (
        len(said) != _PLURAL
        or said[0] not in value_words().determiners - {"a", "an"}
        or not said[1].endswith("s")
    ):
        return False
    if not _leads(text[: opening.start()][-_SUBJECT_CHARS:].rstrip().lower()):
        return True
    ends = _extent(text, denial.end(), is_verb=_is_verb)
    return bool(goal_terms(re.split(r"[.;!?]", text[ends:], maxsplit=1)[0]))


def _excepts(marked: _Marked, start: int, said: str) -> bool:
    """Whether `but` excepts some of all: `delete all tickets but 77`, and not `all tests pass, but 3 are red`.

    Args:
        marked: The goal.
        start: Where it stands.
        said: What follows.
    """
    before = pieces(masked(_CLAUSE_ENDS.split(marked.text[:start])[-1]))
    behind, reading = pieces(masked(said)), table("reading")
    if {*reading["each"]}.isdisjoint(before) or before[:1] in (("i",), ("we",)):
        return False
    if any(word in reading["auxiliaries"] or word in _PERSONAL for word in behind):
        return False
    values = marked.values_in(said)
    if any(value.kind in _HOW_LONG for value in values) or _GOES_BEHIND.match(said):
        return False
    # `but the customer wants them` is a clause.
    is_short = len(behind) <= _SHORT_NOUN or not {"one", "ones"}.isdisjoint(behind)
    return is_short if behind[:1] in (("the",), ("those",)) else bool(values)


def _keeps_some(before: str, said: str) -> bool:
    """Whether what is kept is one of many that are dealt with: `cancel all subscriptions but keep the one for 12`."""
    if MARKS.search(said) is None or {*table("reading")["each"]}.isdisjoint(pieces(before)):
        return False
    named = {
        stem(singular(word))
        for word in pieces(masked(said))
        if word not in STOP_WORDS and word not in table("reading")["fillers"]
    }
    if not named:
        # `archive all channels, but leave 77 alone`.
        return True
    return "one" in pieces(masked(said)) or any(stem(singular(word)) in named for word in pieces(before))


def _take_what_stays(marked: _Marked) -> None:
    """Take out of a text what says that a thing stays as it is: `the principal itself stays`, `keep the labels it has`."""

    def take(found: re.Match[str]) -> str:
        text = marked.plain(found[0]).strip(" ,;")
        marked.exclusions.append(Exclusion(text=text, words=masked(found[1]).strip(), keeps=True))
        return ""

    marked.text = _KEPT.sub(take, _STAYING.sub(take, marked.text))


def _is_rest(said: str) -> bool:
    """Whether words stand for whatever the goal does not name: `the others`, `everything else`."""
    plain = " ".join(word for word in pieces(said) if word not in value_words().determiners - {"other"})
    return plain.startswith(tuple(table("reading")["rest"]))


def _named(marked: _Marked, start: int, end: int) -> tuple[StatedValue, ...]:
    """The single words that an exception names, though nothing tells them from ordinary ones: `except db`."""
    found = []
    for match in _WORD.finditer(marked.text, start, end):
        word = match[0]
        if word.lower() in ("the", "and", "or", "for", "a", "an"):
            continue
        found.append(
            StatedValue(
                text=word, kind=ValueKind.NAME, value=word, start=-1 - match.start(), end=-1, weak=True
            )
        )
    return tuple(found) if len(found) <= _MOST_NAMED else ()


def _take_conditions(marked: _Marked) -> None:
    words = table("reading")
    at = 0
    while len(marked.conditions) < _MOST and (found := condition_pattern().search(marked.text, at)):
        at = found.end()
        before = marked.text[max(0, found.start() - _ASKED_CHARS) : found.start()].rstrip().lower()
        after = pieces(masked(marked.text[found.end() : found.end() + _SUBJECT_CHARS]))[:1]
        if before.endswith(tuple(words["whether_verbs"])) or not after:
            continue
        answer = _answer_to(marked.text, found.start(), found.end())
        if answer is not None:
            at = _take_answer(marked, found.start(), *answer)
            continue
        if after[0] in words["no_conditions"] and after[0] not in ("there", "you", "any", "not"):
            continue
        end = _extent(marked.text, found.end(), is_verb=_is_verb)
        # `delete it, but only if it is empty`: what depends on it stands before it.
        leads = _leads(before) and not (found[1].lower().startswith("only") and before.endswith("but"))
        if leads and (_CLOSED.match(marked.text, end) or _OTHERWISE.match(marked.text, end)):
            end = _main_clause(marked.text, found.end(), end)
        begins = re.sub(r"\s+", " ", found[1].lower())
        condition = GoalCondition(
            text=marked.plain(marked.text[found.end() : end]),
            negated=begins in words["negated_conditions"] or (begins not in words["conditions"]),
            values=marked.values_in(marked.text[found.end() : end]),
        )
        marked.conditions.append(condition)
        mark = chr(_CONDITION + len(marked.conditions) - 1)
        said, rest = marked.text[found.end() : end], marked.text[end:]
        if leads:
            # `If it is open, void it`: the condition leads, its comma goes.
            rest = " " + re.sub(r"^[\s,]*+(?:then\b)?+", "", rest, flags=re.IGNORECASE)
            rest = _with_one(said, _with_subject(said, rest), lacks=condition.negated)
        marked.text = _JOINT.sub(", ", marked.text[: found.start()]) + mark + rest
        at = found.start() + 1


def _answer_to(text: str, start: int, end: int) -> tuple[re.Match[str], str] | None:
    """What stands at `end` for what was asked before, and what that was; None where nothing does.

    Args:
        text: Of the goal.
        start: Where `if` begins.
        end: Where it ends.
    """
    before = text[max(0, start - _ASKED_CHARS) : start]
    *earlier, last = ["", *_sentences(before)]
    said = before.rstrip().lower()
    if not is_question(last):
        # `is it open? if so close it; if not, reopen it`
        last = next((one for one in reversed(earlier) if is_question(one)), last)
    if _leads(said) or (said.endswith(",") and is_question(last)):
        answer = _ANSWER.match(text, end)
        if answer is None or not last:
            return None
        is_plain = answer[1].lower() in ("so", "yes", "not", "no") and text[answer.end(1)] in ", "
        goes_on = text[answer.end(1) :].lstrip().lower()
        if is_plain and (answer[1].lower() != "not" or goes_on.startswith((",", "then"))):
            return answer, last
        is_asked = is_question(last) or "?" in before[-3:] or "whether" in pieces(masked(last))
        return (answer, last) if is_asked and _may_begin_order(text, answer.end()) else None
    # `is it locked? unlock it if so`
    short = _SHORT_ANSWER.match(text, end)
    asked = earlier[-1] if earlier else ""
    return (
        (short, asked) if short and asked and (is_question(asked) or _ASKED_BEFORE.search(before)) else None
    )


def _take_answer(marked: _Marked, start: int, answer: re.Match[str], asked: str) -> int:
    """Take a condition on what was asked before (`is 7 locked? if so unlock it`): where the text goes on behind its mark."""
    marked.conditions.append(
        GoalCondition(
            text=marked.plain(_JOINT.sub("", asked)),
            negated=_NAYS.fullmatch(answer[1]) is not None,
            values=marked.values_in(asked),
        )
    )
    mark = chr(_CONDITION + len(marked.conditions) - 1)
    lacks = marked.conditions[-1].negated
    rest = _with_one(asked, marked.text[answer.end() :], lacks=lacks)
    marked.text = f"{_JOINT.sub(', ', marked.text[:start])}{mark} {rest}"
    return start + 1


def _sentences(text: str) -> list[str]:
    """The sentences of a text that say something."""
    return [part for part in _SENTENCE.split(text) if goal_terms(part) or MARKS.search(part)]


def _leads(before: str) -> bool:
    """Whether a condition that stands behind a text comes before what depends on it, rather than after."""
    return not before.strip(" ,;") or before.endswith(
        (".", ";", "!", "?", ":", " and", ", then", ", but", " -", "\u2013", "\u2014")
    )


def _with_subject(condition: str, rest: str) -> str:
    """What depends on a condition that leads, with the thing that it names in place of the first pronoun.

    `if deploy 12 is running cancel it` cancels deploy 12, and `if invoice 7 is a draft, change its memo` changes that of
    invoice 7.
    """
    subject = _SUBJECT.match(condition)
    if _idle_pattern().match(rest.lstrip(" ,")):
        # `if it is in use, leave it alone`
        return rest
    if subject is None or subject[2].lower() not in {*table("reading")["auxiliaries"], *_TURNS}:
        return rest
    clause = _END.search(rest)
    pronoun = _OBJECT_PRONOUN.search(rest, 0, clause.start() if clause else len(rest))
    if pronoun is None:
        return rest
    named = subject[1].strip()
    if pronoun[1] is None:
        return f"{rest[: pronoun.start()]}{named}{rest[pronoun.end() :]}"
    return f"{rest[: pronoun.start()]}the {pronoun[1]} of {named}{rest[pronoun.end() :]}"


def _with_one(condition: str, rest: str, *, lacks: bool) -> str:
    """What is made where there is no such thing yet, with the noun in place of `one`: `if there isn't a label called X, create one`.

    `lacks` is whether there isn't; a condition may say so itself.
    """
    thing, one = _THERE_IS.search(condition), _ONE.match(rest)
    if thing is None or one is None or not (lacks or _DENIED.search(condition)) or " or " in thing[1]:
        return rest
    return f"{rest[: one.start(1)]}a {thing[1].strip()}{rest[one.end(1) :]}"


def _main_clause(text: str, start: int, end: int) -> int:
    """Where what depends on a condition begins, if no comma tells: `if it is open close it`; else `end`.

    The last verb with an object counts that nothing before it makes part of the condition: no subject, article, auxiliary
    or preposition.
    """
    for idle in _idle_pattern().finditer(text, start, end):
        if idle.end() == end and idle.start() > start:
            return idle.start()
    words = value_words()
    inside = words.determiners | words.prepositions | set(table("reading")["statement_subjects"]) | _SUBJECTS
    inside |= {*table("reading")["auxiliaries"], *table("reading")["question_auxiliaries"]}
    verbs = [
        match
        for match in reversed([*_VERB_AND_OBJECT.finditer(text, start, end)])
        if match.start() > start and match[1].lower() not in inside
    ]
    known = next((one.start(2) for one in verbs if _begins_order(text, one.start(2), end)), None)
    if known is not None:
        return known
    elliptic = _ELLIPTIC.match(text, start, end)
    if elliptic and _is_verb(elliptic[1]):
        return elliptic.end()
    # `if there is a customer called Ann give her a discount`: a clause stands before the verb.
    clause = _auxiliary_pattern().search(text, start, end)
    return next(
        (
            one.start(2)
            for one in verbs
            if clause and clause.end() < one.start(2) and _may_begin_order(text, one.start(2), end)
        ),
        end,
    )


@cache
def _auxiliary_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?:\b(?:{_phrases(table('reading')['auxiliaries'])})|['\u2019]s)\b", re.IGNORECASE)


def _may_begin_order(text: str, start: int, end: int | None = None) -> bool:
    """Whether a word that may be the verb of an order stands at `start`, as an object follows: `give her a discount`."""
    said = masked(text[start : min(end or len(text), start + _PHRASE_WITHIN)])
    first = next(iter(pieces(said)), "")
    return _begins_order(text, start, end or len(text)) or (
        len(first) > 1
        and not first.endswith(("ed", "ing", "s"))
        and first not in value_words().function
        and first
        not in _SUBJECTS.union(table("reading")["auxiliaries"], table("reading")["statement_subjects"])
    )


def _begins_order(text: str, start: int, end: int) -> bool:
    """Whether a verb of an order stands at `start`, or a turn of phrase: `mark it solved`, `call it off`."""
    said = masked(text[start : min(end, start + _PHRASE_WITHIN)])
    first = next(iter(pieces(said)), "")
    return _is_verb(first) or first in table("reading")["turning"] or bool(idiom_verb(said))


def _spared_values(exclusions: Sequence[Exclusion]) -> list[StatedValue]:
    return [value for exclusion in exclusions for value in exclusion.values]


_LAST_DAY = re.compile(
    r"\b(?:last|first)\s++(?:[a-z]++\s++)?day\s++(?:is\s++|will be\s++|on\s++)?[\ue000-\uefff]", re.IGNORECASE
)
"""When something ends, which picks none of many: `last day is 2026-01-31`."""


def _quantity(text: str, *, goal_excepts: bool) -> Quantity:
    # `newest first` is the order of all of them.
    said = pieces(masked(BY_AGE.sub(" ", _PER_PIECE.sub(" ", text))))
    words = table("reading")
    joined = " ".join(said)
    if any(word in said for word in words["each"]):
        return Quantity.ALL_BUT if goal_excepts else Quantity.EACH
    if any(f" {word} " in f" {joined} " for word in words["last"]) and not _LAST_DAY.search(text):
        return Quantity.LAST
    if any(word in said[:-1] for word in words["first"]):
        # `cancel it first` says when.
        return Quantity.FIRST
    if said[1:2] and said[1] in ("a", "an", "one"):
        return Quantity.ONE
    return Quantity.UNSAID


def is_text(value: StatedValue) -> bool:
    """Whether a value is free text, for titles, names and messages."""
    return value.kind in (ValueKind.QUOTED, ValueKind.SAID, ValueKind.NAME)
