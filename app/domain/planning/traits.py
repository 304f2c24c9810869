"""What choosing and closing ask of a tool."""

import re
from dataclasses import dataclass

from app.domain.language.goal_words import verb_classes
from app.domain.language.identifiers import pieces, words
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
from app.domain.nodes.models import Tool
from app.domain.planning.operations import Operation

_MARKUP = re.compile(r"<[^<>]{1,100}+>")
_COMPOUND = re.compile(r"\b([a-z]{1,10})-([a-z]{2,20})\b", re.IGNORECASE)
"""A word that is also written without its hyphen: `on-boarding`."""
_OPENING_CHARS = 120
_NOUN_ENDING = "ings"


@dataclass(frozen=True, slots=True)
class Traits:
    """What choosing and closing ask of a tool."""

    tool: Tool
    kind: OperationKind
    safe: bool
    mutating: bool
    resource: frozenset[str]
    """Stems of what the call is about."""
    head: str
    """Stem of the last word of what the call is about: (polici) for branch policies."""
    action: str
    """Stem of the last literal of a path behind a parameter, where that is one word: (void) of `/labels/{id}/void`."""
    qualifiers: frozenset[str]
    """Stems of the last literal of the path that the resource does not have."""
    spoken: frozenset[str]
    """Stems of the words of its name and title, and of the last literal of its path."""
    path_words: frozenset[str]
    """Stems of all literals of the path, versions and prefixes left out."""
    verb_classes: frozenset[int]
    required: frozenset[str]
    """Words of required inputs, each joined by spaces."""

    @property
    def is_final(self) -> bool:
        """Whether what the call does cannot be undone."""
        return self.kind is OperationKind.DELETE or (bool(self.tool.destructive) and not self.safe)


def traits_of(operation: Operation) -> Traits:
    """The traits of a tool, read as an operation."""
    resource = frozenset(stem(word) for word in operation.resource)
    last = (
        operation.segments[-1].text if operation.segments and not operation.segments[-1].is_parameter else ""
    )
    title = operation.tool.title or _opening(operation.tool.description)
    spoken = (*pieces(operation.tool.name)[:4], *pieces(title)[:1], *pieces(last))
    classes = verb_classes()
    return Traits(
        tool=operation.tool,
        kind=operation.kind,
        safe=operation.safe,
        mutating=operation.mutating,
        resource=resource,
        head=stem(operation.resource[-1]) if operation.resource else "",
        action=stem(last)
        if last and len(pieces(last)) == 1 and _behind_parameter(operation) and not _is_noun(last)
        else "",
        qualifiers=frozenset(stem(piece) for piece in pieces(last)) - resource,
        spoken=frozenset(
            stem(piece)
            for text in (operation.tool.name if operation.name_words else "", title, last)
            for piece in pieces(text)
            if not _is_noun(piece)
        ).union(stem(first + second) for first, second in _COMPOUND.findall(title)),
        path_words=frozenset(
            stem(word)
            for segment in operation.segments
            if segment.is_noun
            for word in words(segment.text)
            if not word.isdigit()
        ),
        verb_classes=frozenset().union(
            *(classes.get(stem(word), frozenset()) for word in spoken if not _is_noun(word))
        ),
        required=frozenset(
            " ".join(words(item.name)) for item in operation.inputs if item.required and not item.is_container
        ),
    )


def _is_noun(word: str) -> bool:
    """Whether a word is a noun though it has the stem of a verb: to set something is nothing of `settings`."""
    return word.lower().endswith(_NOUN_ENDING)


def _opening(description: str) -> str:
    """The first word of a description: a verb, as often as not, which stands for the title of a tool without one."""
    return " ".join(pieces(_MARKUP.sub(" ", description[:_OPENING_CHARS]))[:1])


def _behind_parameter(operation: Operation) -> bool:
    return len(operation.segments) > 1 and operation.segments[-2].is_parameter
