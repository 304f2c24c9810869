"""The words of a tool, by where they stand: what the rules of labels look at. Pure."""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from app.domain.language.goal_words import verb_kinds
from app.domain.language.identifiers import words
from app.domain.language.operation_words import NOUN_VERBS, READING_KINDS, VERB_KINDS
from app.domain.language.text import stem
from app.domain.planning.operations import Operation
from app.lexicon.lists import table
from app.lexicon.lists import words as listed

_FIRST_SENTENCE = re.compile(r"[.!?\n]")
_SAID_CHARS = 200
_LONG_NAME = 7
"""Shorter names of services begin ordinary words: `mist` begins `mistral`."""
_CACHED_NAMES = 1 << 12
_NONE: frozenset[str] = frozenset()
_PREPOSITIONS = frozenset(("at", "for", "from", "in", "of", "on", "to", "with"))


@cache
def flow_words(*keys: str) -> frozenset[str]:
    """One list of `flows.toml`."""
    return frozenset(word.replace("_", " ") for word in listed("flows", *keys))


@cache
def _verbs() -> frozenset[str]:
    lists = (flow_words("verbs", some) for some in table("flows")["verbs"])
    return frozenset(VERB_KINDS).union(*lists) - NOUN_VERBS


@cache
def _acting() -> frozenset[str]:
    lists = ("sending", "handing", "drafting", "destroying", "other")
    return frozenset(("on", "to")).union(*(flow_words("verbs", some) for some in lists))


@cache
def _nouns() -> frozenset[str]:
    lists = ("untrusted", "mixed", "private", "shape", "summing")
    return frozenset().union(*(flow_words("answers", some) for some in lists))


class SpokenTool:
    """The words of a tool, by where they stand."""

    def __init__(self, operation: Operation) -> None:
        tool = operation.tool
        self.operation = operation
        self.tool = tool
        path = [words(segment.text) for segment in operation.segments if segment.is_noun]
        spoken = words(tool.name)
        if len(spoken) > 1 and spoken[0] == tool.method.lower():
            # `post-sessions` of `POST /sessions` posts nothing.
            spoken = spoken[1:]
        if "by" in spoken[1:]:
            # `get_post_by_id` gives the post.
            spoken = spoken[: spoken.index("by", 1)]
        self.spoken = spoken
        # `pull_request` is one thing.
        self.name = frozenset(
            (*spoken, *(word for part in path for word in part), *map("".join, pairwise(spoken)))
        )
        # `list_from_category` lists, and gives no category.
        end = next((at for at, word in enumerate(spoken) if word in _PREPOSITIONS), len(spoken))
        self.head = frozenset((*spoken[:end], *(path[-1] if path else ())))
        if not operation.resource:
            # `search` of the server `mail` is about mail.
            self.name |= frozenset(words(tool.server))
        self.verb = spoken[0] if spoken else ""
        # `wallet_send` sends.
        self.act = next((word for word in spoken if word in _verbs()), self.verb)
        self.services = _services_of(tool.server) | _services_of(tool.name)
        self.acts = _acts(spoken, path, self.act)
        sentence = words(_FIRST_SENTENCE.split((tool.title or tool.description)[:_SAID_CHARS])[0])
        self.summary = frozenset(sentence)
        # `Creates or updates` does both.
        self.does = frozenset((*sentence[:1], *(sentence[2:3] if sentence[1:2] == ("or",) else ())))
        self.is_documentation = not _marks(tool.name).isdisjoint(flow_words("answers", "documentation"))
        self.inputs = frozenset(" ".join(words(item.name)) for item in operation.inputs)
        self.takes_url = not tool.method and any(name.endswith(("url", "uri")) for name in self.inputs)
        # Whoever gives an address knows it: what is said of it is another thing.
        self.given = flow_words("inputs", "given") & self.inputs
        self.types = self.has("things", "shells") and self.has("verbs", "typing")
        self.runs = self.has("things", "shells") and self.has("verbs", "running")
        self.reads = operation.safe or (
            tool.read_only is not False and not (self.runs or self.types) and self._looks()
        )

    def _looks(self) -> bool:
        if self.operation.kind in READING_KINDS:
            return True
        if self.tool.method:
            return False
        opens = self.does_one_of("opening") and (self.has("things", "documents") or self.takes_url)
        looks = self.act in flow_words("verbs", "reading") or "search" in self.spoken
        return opens or looks or _is_nouns(self.spoken)

    def has(self, *keys: str) -> bool:
        """Whether its name has a word of this list."""
        return not self.name.isdisjoint(flow_words(*keys))

    def does_one_of(self, verbs: str) -> bool:
        """Whether what may be its verb is in this list."""
        return not self.acts.isdisjoint(flow_words("verbs", verbs))

    def is_of(self, services: str) -> bool:
        """Whether its server, or its name, is that of a service of this list."""
        return services in self.services

    @property
    def is_public(self) -> bool:
        """Whether anybody may know the answer: a place, a coin or a flight is looked up."""
        return (
            self.is_of("public")
            or self.has("answers", "public")
            or not self.inputs.isdisjoint(flow_words("inputs", "looked_up"))
        )

    def makes(self, things: frozenset[str]) -> bool:
        """Whether it creates one of these: `create_issue_comment` makes a comment, and `create_issue_labels` no issue."""
        for at, word in enumerate(self.spoken):
            if word in flow_words("verbs", "making"):
                behind = self.spoken[at + 1 :]
                end = next((n for n, other in enumerate(behind) if other in _PREPOSITIONS), len(behind))
                made = behind[:end] or self.spoken[:at]
                if made:
                    return not things.isdisjoint((made[-1], "".join(made[-2:])))
        return (
            self.tool.method == "POST"
            and bool(self.operation.resource)
            and self.operation.resource[-1] in things
        )


def _marks(name: str) -> frozenset[str]:
    """The words of a name as they are written, in lower case: `k8s`, `docs`; also two that stand together as one."""
    found = [part for part in "".join(one if one.isalnum() else " " for one in name).lower().split() if part]
    return frozenset((*found, *map("".join, pairwise(found))))


@cache
def _services() -> Mapping[str, frozenset[str]]:
    """The lists that name each service."""
    found: dict[str, set[str]] = {}
    for kind in table("flows")["services"]:
        for service in flow_words("services", kind):
            found.setdefault(service, set()).add(kind)
    return {service: frozenset(kinds) for service, kinds in found.items()}


@lru_cache(maxsize=_CACHED_NAMES)
def _services_of(name: str) -> frozenset[str]:
    """The lists of services that a name speaks of: `youtubeinsights` begins with YouTube."""
    known = _services()
    found: set[str] = set()
    for mark in _marks(name):
        for end in (*range(_LONG_NAME, len(mark)), len(mark)):
            found |= known.get(mark[:end], _NONE)
    return frozenset(found)


def _acts(spoken: Sequence[str], path: Sequence[Sequence[str]], first: str) -> frozenset[str]:
    """What may be the verb: the first word, the first that is known as one, one behind `or`, and a path's end."""
    joined = (after for before, after in pairwise(spoken) if before in ("or", "and"))
    return frozenset((*spoken[:1], first, *joined, *(path[-1] if path else ())))


def _is_nouns(spoken: Sequence[str]) -> bool:
    """Whether no word of a name is a verb: `project_info` answers with what it names."""
    if not spoken or not _acting().isdisjoint(spoken) or stem(spoken[0]) in verb_kinds():
        return False
    return spoken[-1] in _nouns()
