"""What verbs say about a call, and which words only wrap the thing that a name is about. The words are in lexicon/."""

from enum import StrEnum

from app.lexicon.lists import table, words


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


LISTING_KINDS = (OperationKind.LIST, OperationKind.SEARCH)
READING_KINDS = (OperationKind.GET, *LISTING_KINDS)

VERB_KINDS = {
    verb: OperationKind(says["kind"]) for verb, says in table("en")["verbs"].items() if "kind" in says
}
"""Verbs in names of calls and segments of paths, in the singular form of `identifiers.words`."""

AUTH_WORDS = frozenset(words("names", "auth"))
NOUN_VERBS = frozenset(words("names", "noun_verbs"))
"""Verbs that are as often nouns: they stay in the name of a resource."""
COLLECTION_VERBS = frozenset(words("names", "collection_verbs"))
"""Verbs that are nouns when a segment consists of them: `/contacts/lists/{id}`."""
PLAIN_NOUN_SEGMENTS = frozenset(words("names", "plain_segments"))
"""Last segments of one word that say nothing about the kind of the call."""
ENVELOPES = frozenset(words("names", "envelopes"))
"""Names of properties that only wrap what the answer is about, in the singular."""
SEARCH_PARAMETERS = frozenset(words("names", "searching"))
FILLER_WORDS = frozenset(words("names", "fillers"))
