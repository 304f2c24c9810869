"""What verbs say about a call, and which words only wrap the thing that a name is about."""

from enum import StrEnum


class OperationKind(StrEnum):
    """What a call does to its resource."""

    SEARCH = "search"
    LIST = "list"
    GET = "get"
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    ACTION = "action"
    AUTH = "auth"


_VERBS = {
    OperationKind.GET: """get fetch read retrieve show view describe check download export count current""",
    OperationKind.SEARCH: "lookup search find query filter suggest autocomplete",
    OperationKind.LIST: "list all index browse enumerate",
    OperationKind.CREATE: """create add new insert post register submit upload place make import save
        provision""",
    OperationKind.UPDATE: "update edit modify patch put set change replace rename",
    OperationKind.DELETE: "delete remove destroy purge clear",
    OperationKind.ACTION: """cancel revoke approve reject send start stop run execute enable disable assign
        validate verify logout refund checkout publish archive restore reset sync move copy clone merge lock
        unlock pause resume retry trigger complete close open invite generate batch bulk escalate notify""",
    OperationKind.AUTH: "login authenticate signin authorize",
}
VERB_KINDS = {verb: kind for kind, verbs in _VERBS.items() for verb in verbs.split()}
"""Verbs in names of calls and segments of paths, in the singular form of `identifiers.words`."""

AUTH_WORDS = frozenset("login signin oauth authenticate auth logon".split())

NOUN_VERBS = frozenset("order index batch post open place close copy set register export import".split())
"""Verbs that are as often nouns: they stay in the name of a resource."""

COLLECTION_VERBS = frozenset("list set query batch import export copy filter run".split())
"""Verbs that are nouns when a segment consists of them: `/contacts/lists/{id}`."""

PLAIN_NOUN_SEGMENTS = frozenset("order post index set open list all new batch import export copy".split())
"""Last segments of one word that say nothing about the kind of the call."""

ENVELOPES = frozenset(
    """data item result value list content response record entry element object body payload node edge embedded
    collection row hit document metadata meta attribute resource output page member info detail""".split()
)
"""Names of properties that only wrap what the answer is about, in the singular."""

SEARCH_PARAMETERS = frozenset("q query search keyword keywords term".split())

FILLER_WORDS = frozenset("by for of the v to in with from a an".split())
