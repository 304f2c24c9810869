"""Words of goals: which verb asks for which kind of call, which verbs mean the same, which words say nothing."""

from functools import lru_cache

from app.domain.language.intent_words import ACTION_WORDS, NOUNS_FIRST
from app.domain.language.operation_words import VERB_KINDS, OperationKind
from app.domain.language.text import stem

_MORE_VERBS = {
    OperationKind.GET: """obtain access inspect examine review monitor compare analyze calculate track collect
        learn inform extract display who what when where which number tell see check""",
    OperationKind.LIST: "explore",
    OperationKind.SEARCH: "discover identify locate",
    OperationKind.CREATE: """generate establish define build initiate launch schedule subscribe attach record link
        skip append issue broadcast grant put log setup""",
    OperationKind.UPDATE: "configure adjust customize manage follow like play",
    OperationKind.DELETE: "erase terminate unsubscribe",
    OperationKind.ACTION: "confirm apply pay buy write force proceed process accept return ship notify block",
}

KIND_FIT = {
    OperationKind.GET: {OperationKind.GET: 1.0, OperationKind.LIST: 0.8, OperationKind.SEARCH: 0.5},
    OperationKind.LIST: {OperationKind.LIST: 1.0, OperationKind.SEARCH: 0.7, OperationKind.GET: 0.4},
    OperationKind.SEARCH: {OperationKind.SEARCH: 1.0, OperationKind.LIST: 0.8, OperationKind.GET: 0.3},
    OperationKind.CREATE: {OperationKind.CREATE: 1.0, OperationKind.UPDATE: 0.4, OperationKind.ACTION: 0.4},
    OperationKind.UPDATE: {OperationKind.UPDATE: 1.0, OperationKind.CREATE: 0.3, OperationKind.ACTION: 0.4},
    OperationKind.DELETE: {OperationKind.DELETE: 1.0, OperationKind.ACTION: 0.3},
    OperationKind.ACTION: {
        OperationKind.ACTION: 1.0,
        OperationKind.UPDATE: 0.6,
        OperationKind.CREATE: 0.5,
        OperationKind.DELETE: 0.3,
    },
    OperationKind.AUTH: {OperationKind.AUTH: 1.0, OperationKind.CREATE: 0.2, OperationKind.GET: 0.2},
}
"""Asked kind -> kinds of calls that serve it, and how well."""

STOP_WORDS = frozenset(
    """a an the of to for in on at by with from and or is are be as it its this that these those their them they
    user users allow allows application client workflow api using use used then after before within into through
    via per each all any including include such also can may will would should if when which who whom what where
    how i me my we our you your give show tell want need please let has have had do does did not no than more most
    some one two first given specific details information about based existing ensuring ensure enabling enable
    providing provide necessary s""".split()
)
"""Words of a goal that name no tool."""

ORDER_WORDS = frozenset("then optional final subsequ next also first immedi addit later and option".split())
"""Stems before the verb of a clause that only place it in time."""

_SYNONYMS = (
    "add append insert put attach include",
    "create make new register build generate setup establish provision issue open",
    "assign grant give allocate bind",
    "delete remove erase drop unlink unfollow unsubscribe",
    "update edit modify change adjust set patch replace configure customize",
    "cancel abort void",
    "send notify email message",
    "post publish broadcast send",
    "revoke terminate end logout",
    "approve accept confirm authorize",
    "reject deny decline",
    "start launch run execute initiate trigger begin play resume",
    "stop pause halt suspend",
    "list enumerate browse",
    "search find query lookup discover locate",
    "get retrieve fetch read view show obtain inspect",
    "check validate verify test",
    "upload import submit",
    "download export",
    "escalate",
    "refund reimburse",
    "pay checkout purchase buy",
    "follow subscribe",
    "move transfer",
    "copy clone duplicate",
    "rename",
    "enable activate",
    "disable deactivate",
    "archive",
    "restore recover",
    "invite",
    "track monitor",
    "sync",
    "skip",
    "merge",
    "close complete finish",
    "write compose review comment submit",
)


@lru_cache(maxsize=1)
def verb_kinds() -> dict[str, OperationKind]:
    """Stem of a verb -> the kind of call that it asks for."""
    found = {stem(verb): kind for verb, kind in VERB_KINDS.items() if verb != "put"}
    for kind, verbs in _MORE_VERBS.items():
        for verb in verbs.split():
            found.setdefault(stem(verb), kind)
    return found


@lru_cache(maxsize=1)
def verb_classes() -> dict[str, frozenset[int]]:
    """Stem of a verb -> numbers of the groups of verbs that mean the same."""
    found: dict[str, set[int]] = {}
    for number, verbs in enumerate(_SYNONYMS):
        for verb in verbs.split():
            found.setdefault(stem(verb), set()).add(number)
    return {verb: frozenset(numbers) for verb, numbers in found.items()}


_READING_ACTIONS = ("list", "get", "search", "watch", "open")


@lru_cache(maxsize=1)
def action_stems() -> frozenset[str]:
    """Stems of verbs that change something, whatever the kind of the call."""
    return frozenset(
        stem(word)
        for action, words in ACTION_WORDS.items()
        if action not in _READING_ACTIONS
        for word in words.split()
        if word not in NOUNS_FIRST
    )


@lru_cache(maxsize=1)
def all_verbs() -> frozenset[str]:
    """Stems of all words that may start a clause."""
    known = {stem(word) for words in ACTION_WORDS.values() for word in words.split()}
    return frozenset(verb_kinds()) | known
