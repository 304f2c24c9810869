"""What a query wants done, what a tool does, and how well the two go together."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from app.domain.language.idioms import turns_what_is_there
from app.domain.language.intent_words import (
    ACTION_WORDS,
    ACTIONS_OF,
    DETERMINERS,
    NAME_PREFIXES,
    NOUNS_FIRST,
    PLURAL_IN_FORM,
    PREPOSITIONS,
    READING_ACTIONS,
    RELATED_ACTIONS,
    SHOWING_WORDS,
)
from app.domain.language.text import OBJECT_PRONOUNS, particle, split_words, stem
from app.domain.nodes.models import Tool
from app.domain.ranking.recipe import RECIPE, RankingRecipe

Acts = dict[str, float]
"""Action class -> how strongly it is meant, (0, 1]; empty when no action is known."""

ACTIONS = tuple(ACTION_WORDS)
_INDEX = {action: i for i, action in enumerate(ACTIONS)}
MAX_CLAUSES = 4

_CLAUSE_END = re.compile(
    r"[.;!?\n]|,|\b(?:and then|then|and|after that|afterwards|also|finally|next|before|after|to|please|you"
    r"|i want to|want to|need to)\b",
    re.IGNORECASE,
)
_STATEMENT_END = re.compile(r"[.;!?\n]|, | and | then ")
_POLITE = re.compile(
    r"^(?:please|kindly|can you|could you|would you|i want to|i need to|i'd like to|help me|i would like to"
    r"|let me|let's|i|me|we|how do i|how to|how can i)\s+",
    re.IGNORECASE,
)
_POLITE_WORDS = frozenset("please can could you i want to need".split())
_HOW_MANY = re.compile(r"^\s*(how many|how much)", re.IGNORECASE)
_OPEN_NEW = re.compile(r"\bopen(?:s|ing)? (?:a|an|new)\b", re.IGNORECASE)


@lru_cache(maxsize=1)
def verb_terms() -> frozenset[str]:
    """Stems of all words that say an action and are not nouns just as well."""
    return frozenset(stem(word) for word in ACTIONS_OF if word not in NOUNS_FIRST)


@lru_cache(maxsize=1)
def compatibility(
    *,
    read_against_write: float = RECIPE.read_against_write,
    write_against_write: float = RECIPE.write_against_write,
) -> npt.NDArray[np.float32]:
    """How well a tool's action (column) serves an asked action (row), (30, 30), in [-0.6, 1].

    1 on the diagonal; `RELATED_ACTIONS` where it names the pair; -0.6 where one reads and the other writes;
    -0.3 between two that write; 0 between two that read.
    """
    matrix = np.zeros((len(ACTIONS), len(ACTIONS)), np.float32)
    for asked in ACTIONS:
        related = RELATED_ACTIONS.get(asked, {})
        for offered in ACTIONS:
            if asked == offered:
                value = 1.0
            elif offered in related:
                value = related[offered]
            elif (asked in READING_ACTIONS) != (offered in READING_ACTIONS):
                value = read_against_write
            else:
                value = 0.0 if asked in READING_ACTIONS else write_against_write
            matrix[_INDEX[asked], _INDEX[offered]] = value
    return matrix


def count_clauses(query: str) -> int:
    """Clauses of three words or more in a query, at least 1 and at most 4."""
    clauses = sum(1 for clause in _CLAUSE_END.split(query) if len(clause.split()) > 2)
    return max(1, min(MAX_CLAUSES, clauses))


def query_acts(query: str) -> Acts:
    """The actions that a query asks for: those of the first word of each of its clauses.

    `how many` asks to calculate, and to list (.7). `all` beside get, list or search asks to list. A showing
    word before a plural (`show open issues`) asks to list, and to get at most .8. `open a ...` asks to
    create, unless something is to be closed too. `make the ...` asks to update.
    """
    acts: Acts = {}
    for clause in asked_clauses(query):
        _add_clause(acts, clause)
    if "all" in split_words(query) and not acts.keys().isdisjoint({"get", "list", "search"}):
        acts["list"] = 1.0
    for statement in _STATEMENT_END.split(query):
        words = _without_polite_words(split_words(statement))
        if words and words[0] in SHOWING_WORDS - {"check"} and _asks_for_many(words):
            acts["list"] = 1.0
            acts["get"] = min(acts.get("get", 0.5), 0.8)
    if "open" in acts and "close" not in acts and opens_something_new(query):
        acts["create"] = 1.0
    return acts


def opens_something_new(query: str) -> bool:
    """Whether a query says `open a ...` and means one that does not exist yet."""
    return bool(_OPEN_NEW.search(query))


def asked_clauses(query: str) -> Iterator[str]:
    """The clauses of a query without polite openings; some are empty."""
    for part in _CLAUSE_END.split(query):
        clause = part.strip()
        while (shorter := _POLITE.sub("", clause)) != clause:
            clause = shorter
        yield clause


def asking_verbs(query: str) -> Iterator[tuple[str, str]]:
    """The words that begin the clauses of a query and say actions, each with the verb that it is read as."""
    for clause in asked_clauses(query):
        words = split_words(clause)
        if words and (verb := _phrasal_verb(words)) in ACTIONS_OF:
            yield words[0], verb


def says_action(word: str) -> bool:
    """Whether a lower-case word says an action somewhere; some say it only as a first word (`NOUNS_FIRST`)."""
    return word in ACTIONS_OF


def _add_clause(acts: Acts, clause: str) -> None:
    words = split_words(clause)
    if not words:
        return
    if _HOW_MANY.match(clause):
        acts["calc"] = 1.0
        acts["list"] = max(acts.get("list", 0.0), 0.7)
        return
    actions = ACTIONS_OF.get(_phrasal_verb(words), ())
    if (not actions or "create" in actions) and turns_what_is_there(words):
        actions = ("update",)
    acts.update(dict.fromkeys(actions, 1.0))


def _phrasal_verb(words: Sequence[str]) -> str:
    """The first word, or the one that it stands for together with its particle."""
    rest = words[2:] if words[1:2] and words[1] in OBJECT_PRONOUNS else words[1:]
    verb, second = words[0], particle(rest[0]) if rest else ""
    if verb in {"sign", "log"} and second in {"in", "on"}:
        return "login"
    if verb in {"sign", "log"} and second in {"out", "off"}:
        return "logout"
    if verb == "turn" and second:
        return "disable" if "off" in words[:6] else "enable"
    if verb == "set" and second == "up":
        return "create"
    return verb


def _without_polite_words(words: Sequence[str]) -> Sequence[str]:
    start = next((i for i, word in enumerate(words) if word not in _POLITE_WORDS), len(words))
    return words[start:]


def _asks_for_many(words: Sequence[str]) -> bool:
    """True when the noun phrase after showing words and determiners ends in a plural."""
    head = ""
    at_start = True
    for word in words:
        if at_start and (word in SHOWING_WORDS or word in DETERMINERS):
            continue
        at_start = False
        if word in PREPOSITIONS:
            break
        head = word
    return head.endswith("s") and not head.endswith(("ss", "us", "is")) and head not in PLURAL_IN_FORM


def tool_acts(tool: Tool) -> Acts:
    """The actions of a tool, from the first of these that says one.

    The first word of its name, else its last, else the first verb between (1); the first word of its
    description (.8); the HTTP method (.7); the hints destructive (.3) or read-only (.4). An HTTP DELETE
    whose name says neither delete nor stop also deletes (.5).
    """
    acts = dict.fromkeys(next(_verbs_of_name(tool.name), ()), 1.0)
    from_name = bool(acts)
    if not acts:
        acts = dict.fromkeys(_verbs_of_description(tool.description), 0.8)
    if not acts and tool.method:
        acts = dict.fromkeys(ACTIONS_OF[_verb_of_method(tool.method, tool.path)], 0.7)
    if from_name and tool.method == "DELETE" and acts.keys().isdisjoint({"delete", "stop"}):
        acts["delete"] = 0.5
    if not acts and tool.destructive:
        return {"delete": 0.3}
    if not acts and tool.read_only:
        return {"get": 0.4}
    return acts


def _verbs_of_name(name: str) -> Iterator[tuple[str, ...]]:
    words = split_words(name)
    start = next((i for i, word in enumerate(words) if word not in NAME_PREFIXES), len(words))
    words = words[start:]
    if words and words[0] in ACTIONS_OF:
        yield ACTIONS_OF[words[0]]
    for word in [*words[-1:], *words[1:-1]]:
        if word in ACTIONS_OF and word not in NOUNS_FIRST:
            yield ACTIONS_OF[word]


def _verbs_of_description(description: str) -> tuple[str, ...]:
    first = next(iter(split_words(description[:200])), "")
    if first in ACTIONS_OF and first not in NOUNS_FIRST:
        return ACTIONS_OF[first]
    return ACTIONS_OF.get(first[:-1], ()) if first.endswith("s") else ()


def _verb_of_method(method: str, path: str) -> str:
    reading = "get" if path.rstrip("/").endswith("}") else "list"
    return {"GET": reading, "POST": "create", "PUT": "update", "PATCH": "update", "DELETE": "delete"}.get(
        method, "get"
    )


def act_matrix(acts: Sequence[Acts], *, recipe: RankingRecipe = RECIPE) -> npt.NDArray[np.float32]:
    """For each asked action (row) and each of N tools the best compatibility, (30, N); 0 for a tool without acts.

    best[a, t] = max over the tool's acts b of compatibility[a, b] * strength of b
    """
    table = compatibility(
        read_against_write=recipe.read_against_write, write_against_write=recipe.write_against_write
    )
    matrix = np.zeros((len(ACTIONS), len(acts)), np.float32)
    distinct: dict[tuple[tuple[str, float], ...], list[int]] = {}
    for column, tool in enumerate(acts):
        if tool:
            distinct.setdefault(tuple(sorted(tool.items())), []).append(column)
    for items, columns in distinct.items():
        offered = [_INDEX[action] for action, _ in items]
        strengths = np.array([strength for _, strength in items], np.float32)
        matrix[:, columns] = (table[:, offered] * strengths).max(axis=1)[:, None]
    return matrix


def intent_scores(acts: Acts, matrix: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """How well each of N tools serves what a query asks for, (N,), in [-0.6, 1]; 0 when it asks for nothing known.

    score[t] = max over asked acts a of matrix[a, t] * strength of a
    """
    if not acts:
        return np.zeros(matrix.shape[1], np.float32)
    rows = [_INDEX[action] for action in acts]
    strengths = np.array(list(acts.values()), np.float32)
    scores: npt.NDArray[np.float32] = (matrix[rows] * strengths[:, None]).max(axis=0)
    return scores
