"""The conditions of a goal, taken out of its text: `if it is open`, `unless she is on it`, and answers to what was asked."""

import re
from functools import cache

from app.domain.language.identifiers import pieces
from app.domain.language.idioms import idiom_verb
from app.domain.reading.clauses.marks import MARKS, masked
from app.domain.reading.clauses.questions import is_question
from app.domain.reading.clauses.words import goal_terms
from app.domain.reading.models import GoalCondition
from app.domain.reading.restrictions.marked import (
    CLAUSE_END,
    CONDITION_MARK,
    ENDING_JOINT,
    MOST_MARKS,
    PHRASE_WITHIN,
    SENTENCE_END,
    MarkedGoal,
    clause_end,
    idle_pattern,
    is_known_verb,
    phrase_pattern,
)
from app.domain.reading.tokens import value_words
from app.lexicon.lists import table

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
_OTHERWISE = re.compile(r"\s*+,\s*+(?:otherwise|else|or else)\b", re.IGNORECASE)
_CLOSED = re.compile(r"\s*+(?:$|[.;!?]|,?+\s*+(?:and|then|but)\b)", re.IGNORECASE)
"""What follows a condition with all that depends on it: the end of a sentence, or what is asked for next."""
_NAYS = re.compile(r"not|no|none|.*(?:n['\u2019]?t|\bnot|\bnone)\b.*", re.IGNORECASE)
"""What of these stands for a no."""
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
_SHOULD_BE = re.compile(
    r"(?:\A|(?<=[.;:,!?-] ))should\s++((?:[a-z]++\s++){0,4}?(?:it|he|she|they|that|this|[\ue000-\uefff]|[a-z]{2,20}))\s++be\b(?=[^.;!?,]{1,120}+,(?!\s*+or\b)[^.;!?]{1,200}+(?:[.;!]|\Z))",
    re.IGNORECASE,
)
"""A condition by inversion (Quirk et al., 15.36)."""
_ASKED_BEFORE = re.compile(r"\?\s++[^.;!?]*$")
"""A sentence behind a question."""
_IN_THAT_CASE = re.compile(r"(?<=[?.;,!] )in (?:that|this|such a) case\b", re.IGNORECASE)
SUBJECT_CHARS = 120
"""Characters in which a condition ends its subject, and what stands before it tells whether it leads."""
_ASKED_CHARS = 1_000
"""Characters before an answer in which the question stands."""
_SUBJECTS = frozenset(
    ("i", "you", "we", "it", "who", "anyone", "anybody", "everyone", "to", "not", "never", "be", "been")
)


def as_conditions(text: str) -> str:
    """A text with its conditions behind `if`: `in that case close it`, `should it be open, close it`."""
    text = _SHOULD_BE.sub(
        lambda found: f"if {found[1]} {'are' if found[1].lower() == 'they' else 'is'}", text
    )
    return _IN_THAT_CASE.sub("if so", text) if "?" in text else text


@cache
def condition_pattern() -> re.Pattern[str]:
    """What begins a condition."""
    words = table("reading")
    return re.compile(
        rf"(?<![\w])({phrase_pattern([*words['conditions'], *words['negated_conditions']])}"
        # `delete it, but leave it alone if it is in use`
        rf"|but\s++(?:{idle_pattern().pattern}|keep\s++(?:it|them|him|her))\s++(?:if|when)"
        # `delete it, but don't if it is in use`
        r"|(?:(?:but|and)\s++)?+(?:don['\u2019]?t|do\s++not|never)(?:\s++do\s++(?:it|that|so))?\s++(?:if|when))\b",
        re.IGNORECASE,
    )


def take_conditions(marked: MarkedGoal) -> None:
    """Take the conditions out of a goal, each with a mark where it stood."""
    words = table("reading")
    at = 0
    while len(marked.conditions) < MOST_MARKS and (found := condition_pattern().search(marked.text, at)):
        at = found.end()
        before = marked.text[max(0, found.start() - _ASKED_CHARS) : found.start()].rstrip().lower()
        after = pieces(masked(marked.text[found.end() : found.end() + SUBJECT_CHARS]))[:1]
        if before.endswith(tuple(words["whether_verbs"])) or not after:
            continue
        answer = _answer_to(marked.text, found.start(), found.end())
        if answer is not None:
            at = _take_answer(marked, found.start(), *answer)
            continue
        if after[0] in words["no_conditions"] and after[0] not in ("there", "you", "any", "not"):
            continue
        end = clause_end(marked.text, found.end(), is_verb=is_known_verb)
        # `delete it, but only if it is empty`: what depends on it stands before it.
        leads = leads_clause(before) and not (found[1].lower().startswith("only") and before.endswith("but"))
        if leads and (_CLOSED.match(marked.text, end) or _OTHERWISE.match(marked.text, end)):
            end = _main_clause(marked.text, found.end(), end)
        begins = re.sub(r"\s+", " ", found[1].lower())
        said, rest = marked.text[found.end() : end], marked.text[end:]
        # What begins one and is no word of either list denies: `but leave it if`.
        negated = begins in words["negated_conditions"] or begins not in words["conditions"]
        mark = _mark_of(marked, said, negated=negated)
        if leads:
            # `If it is open, void it`: the condition leads, its comma goes.
            rest = " " + re.sub(r"^[\s,]*+(?:then\b)?+", "", rest, flags=re.IGNORECASE)
            rest = _with_one(said, _with_subject(said, rest), lacks=negated)
        marked.text = ENDING_JOINT.sub(", ", marked.text[: found.start()]) + mark + rest
        at = found.start() + 1


def _answer_to(text: str, start: int, end: int) -> tuple[re.Match[str], str] | None:
    """What stands at `end` for what was asked before, and what that was; None where nothing does.

    Args:
        text: Of the goal.
        start: Where `if` begins.
        end: Where it ends.
    """
    answer, short = _ANSWER.match(text, end), _SHORT_ANSWER.match(text, end)
    if answer is None and short is None:
        return None
    before = text[max(0, start - _ASKED_CHARS) : start]
    *earlier, last = ["", *_sentences(before)]
    said = before.rstrip().lower()
    if not is_question(last):
        # `is it open? if so close it; if not, reopen it`
        last = next((one for one in reversed(earlier) if is_question(one)), last)
    if leads_clause(said) or (said.endswith(",") and is_question(last)):
        if answer is None or not last:
            return None
        is_plain = answer[1].lower() in ("so", "yes", "not", "no") and text[answer.end(1)] in ", "
        goes_on = text[answer.end(1) :].lstrip().lower()
        if is_plain and (answer[1].lower() != "not" or goes_on.startswith((",", "then"))):
            return answer, last
        is_asked = is_question(last) or "?" in before[-3:] or "whether" in pieces(masked(last))
        return (answer, last) if is_asked and _may_begin_order(text, answer.end(), len(text)) else None
    # `is it locked? unlock it if so`
    asked = earlier[-1] if earlier else ""
    return (
        (short, asked) if short and asked and (is_question(asked) or _ASKED_BEFORE.search(before)) else None
    )


def _take_answer(marked: MarkedGoal, start: int, answer: re.Match[str], asked: str) -> int:
    """Take a condition on what was asked before (`is 7 locked? if so unlock it`): where the text goes on behind its mark."""
    negated = _NAYS.fullmatch(answer[1]) is not None
    mark = _mark_of(marked, ENDING_JOINT.sub("", asked), negated=negated)
    rest = _with_one(asked, marked.text[answer.end() :], lacks=negated)
    marked.text = f"{ENDING_JOINT.sub(', ', marked.text[:start])}{mark} {rest}"
    return start + 1


def _mark_of(marked: MarkedGoal, said: str, *, negated: bool) -> str:
    """The mark of a further condition of a goal, as it stands in the marked text."""
    marked.conditions.append(
        GoalCondition(text=marked.plain(said), negated=negated, values=marked.values_in(said))
    )
    return chr(CONDITION_MARK + len(marked.conditions) - 1)


def _sentences(text: str) -> list[str]:
    """The sentences of a text that say something."""
    return [part for part in SENTENCE_END.split(text) if goal_terms(part) or MARKS.search(part)]


def leads_clause(before: str) -> bool:
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
    if idle_pattern().match(rest.lstrip(" ,")):
        # `if it is in use, leave it alone`
        return rest
    if subject is None or subject[2].lower() not in {*table("reading")["auxiliaries"], *_TURNS}:
        return rest
    clause = CLAUSE_END.search(rest)
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
    for idle in idle_pattern().finditer(text, start, end):
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
    if elliptic and is_known_verb(elliptic[1]):
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
    return re.compile(
        rf"(?:\b(?:{phrase_pattern(table('reading')['auxiliaries'])})|['\u2019]s)\b", re.IGNORECASE
    )


def _may_begin_order(text: str, start: int, end: int) -> bool:
    """Whether a word that may be the verb of an order stands at `start`, as an object follows: `give her a discount`."""
    first = next(iter(pieces(_phrase_at(text, start, end))), "")
    return _begins_order(text, start, end) or (
        len(first) > 1
        and not first.endswith(("ed", "ing", "s"))
        and first not in value_words().function
        and first
        not in _SUBJECTS.union(table("reading")["auxiliaries"], table("reading")["statement_subjects"])
    )


def _phrase_at(text: str, start: int, end: int) -> str:
    """As many words as a turn of phrase may have."""
    return masked(text[start : min(end, start + PHRASE_WITHIN)])


def _begins_order(text: str, start: int, end: int) -> bool:
    """Whether a verb of an order stands at `start`, or a turn of phrase: `mark it solved`, `call it off`."""
    said = _phrase_at(text, start, end)
    first = next(iter(pieces(said)), "")
    return is_known_verb(first) or first in table("reading")["turning"] or bool(idiom_verb(said))
