"""What a call is: its path in segments, what it does, and to which resource."""

import re
from dataclasses import dataclass, replace
from functools import cached_property

from app.domain.language.identifiers import is_plural, pieces, words
from app.domain.language.operation_words import (
    AUTH_WORDS,
    COLLECTION_VERBS,
    ENVELOPES,
    FILLER_WORDS,
    NOUN_VERBS,
    PLAIN_NOUN_SEGMENTS,
    SEARCH_PARAMETERS,
    VERB_KINDS,
    OperationKind,
)
from app.domain.nodes.models import Tool
from app.domain.schemas.tool_schemas import ITEM, Answer, Input, Output, answer_of, inputs_of

_FORMAT = re.compile(r"(?<=[^/])\.(?:json|xml)$", re.IGNORECASE)
"""The end of a path that says in which format the answer is."""
_VERSION = re.compile(r"^(v?\d+(\.\d+)*|api|rest|latest|public|json|xml)$", re.IGNORECASE)
_PARAMETER = re.compile(r"\{([^{}]*+)\}")
# A tag is no longer than this; without a bound, each `<` would be read to the end.
_MARKUP = re.compile(r"<[^>]{1,80}+>")
_EDGE_MARKS = ".:-_()=',\""
_FIELDS_LOOKED_AT = 80
_SUMMARY_CHARS = 80
_CONTEXT_SHARE = 0.4
_CONTEXT_OPERATIONS = 15

MUTATING_KINDS = frozenset(
    (OperationKind.CREATE, OperationKind.UPDATE, OperationKind.DELETE, OperationKind.ACTION)
)


def is_context(requiring: int, operations: int) -> bool:
    """Whether an input is context that most calls share, such as a workspace or a tenant.

    Args:
        requiring: operations of the server that require it.
        operations: all of the server's; among a few nothing can be said to be shared.
    """
    return operations >= _CONTEXT_OPERATIONS and requiring > _CONTEXT_SHARE * operations


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a path: a parameter or a literal."""

    text: str
    is_parameter: bool
    is_method: bool = False
    """Whether it stands behind a mark in its part of the path and says what is done: `list` of `/users.list`."""

    @property
    def is_noun(self) -> bool:
        """Whether it is a literal that may name a resource: neither a version nor a prefix such as `api`."""
        return not self.is_parameter and not _VERSION.match(self.text)


@dataclass(frozen=True, slots=True)
class PathPlace:
    """Where a path parameter stands."""

    noun: tuple[str, ...]
    """Words of the nearest literal before it; empty when no literal comes before."""
    adjacent: bool
    """Whether that literal stands directly before it."""


_NOWHERE = PathPlace((), False)
_SHALLOW = 2
"""Members of a JSON pointer to what an answer holds directly, or in an envelope."""


def path_pattern(path: str) -> str:
    """A path with every parameter as `{}`."""
    return _PARAMETER.sub("{}", path)


@dataclass(frozen=True)
class Operation:
    """A tool, read as a call: what the inference of dependencies and the planner look at."""

    tool: Tool
    segments: tuple[Segment, ...]
    inputs: tuple[Input, ...]
    answer: Answer

    @cached_property
    def pattern(self) -> str:
        """The path with every parameter as `{}`; empty for tools without a path."""
        return path_pattern(self.tool.path.rstrip("/"))

    @cached_property
    def path_parts(self) -> tuple[str, ...]:
        """`pattern` split at slashes."""
        return tuple(self.pattern.split("/"))

    @cached_property
    def name_words(self) -> tuple[str, ...]:
        """Words of the tool's name; none when the name is only its method and path."""
        made_of_path = (self.tool.method.lower(), *pieces(self.tool.path))
        return () if pieces(self.tool.name) == made_of_path else words(self.tool.name)

    @cached_property
    def summary(self) -> str:
        """The title, else the description."""
        return self.tool.title or self.tool.description

    @cached_property
    def kind(self) -> OperationKind:
        """What the call does."""
        return _kind(self)

    @cached_property
    def safe(self) -> bool:
        """Whether the call only reads."""
        if self.tool.read_only is not None and not self.tool.method:
            return self.tool.read_only
        return self.tool.method in ("GET", "HEAD") or self.kind in (
            OperationKind.SEARCH,
            OperationKind.LIST,
            OperationKind.GET,
        )

    @cached_property
    def mutating(self) -> bool:
        """Whether the call changes something; asking for a token is neither safe nor mutating."""
        return not self.safe and self.kind in MUTATING_KINDS

    @cached_property
    def resource(self) -> tuple[str, ...]:
        """Words of what the call is about: the last noun of its path, else the nouns of its name."""
        return _resource(self)

    @cached_property
    def namespace(self) -> tuple[str, ...]:
        """Words of what the method of a remote call belongs to: (file) of `/files.revokePublicURL`; empty without one."""
        if not (self.segments and self.segments[-1].is_method):
            return ()
        before = self.segments[-2]
        return nouns(before.text) if before.is_noun else ()

    @cached_property
    def places(self) -> dict[str, PathPlace]:
        """Place of each path parameter by name."""
        return {
            segment.text: _place(self.segments, at)
            for at, segment in enumerate(self.segments)
            if segment.is_parameter
        }

    def place(self, parameter: Input) -> PathPlace:
        """Where a parameter stands in the path; nowhere when the path does not have it."""
        return self.places.get(parameter.name, _NOWHERE) if parameter.location == "path" else _NOWHERE

    @cached_property
    def last_parameter(self) -> str:
        """Name of the parameter that stands last in the path, whatever follows it; empty without one."""
        return next((part.text for part in reversed(self.segments) if part.is_parameter), "")

    @cached_property
    def ends_with_parameter(self) -> str:
        """Name of the parameter that the path ends with; empty when it ends with a literal."""
        return self.segments[-1].text if self.segments and self.segments[-1].is_parameter else ""

    @cached_property
    def shallow_fields(self) -> tuple[Output, ...]:
        """What the answer holds at its top, or in an object or a list there."""
        return tuple(field for field in self.answer.fields if len(field.pointer) <= _SHALLOW)

    @cached_property
    def wrappers(self) -> tuple[str, ...]:
        """The properties of the answer that hold something."""
        return tuple(
            dict.fromkeys(
                field.pointer[0]
                for field in self.shallow_fields
                if len(field.pointer) == _SHALLOW and field.pointer[0] != ITEM
            )
        )

    @cached_property
    def joins(self) -> bool:
        """Whether the call puts one thing into another, both by their ids: `PUT /users/{id}/groups/{groupId}`."""
        places = self.places.values()
        return (
            self.tool.method == "PUT"
            and bool(self.ends_with_parameter)
            and len(places) > 1
            and self.places[self.ends_with_parameter].adjacent
            and not any(item.location == "body" for item in self.inputs)
        )


def read_operation(tool: Tool) -> Operation:
    """The operation that a tool is."""
    return Operation(tool, _segments(tool.path), inputs_of(tool), answer_of(tool))


def with_body_of(operation: Operation, whole: Operation) -> Operation:
    """A PATCH whose body has no properties, with those of the PUT on its path, none of them required.

    Documents leave the body of a patch open, though it is a part of what PUT takes.
    """
    bodies = [item for item in operation.inputs if item.location == "body"]
    if len(bodies) != 1 or bodies[0].is_container or bodies[0].type not in ("object", ""):
        return operation
    body = bodies[0]
    shared = {item.pointer for item in operation.inputs}
    borrowed = tuple(
        replace(item, pointer=(*body.pointer, *item.pointer), required=False)
        for item in whole.inputs
        if item.location == "body" and item.pointer not in shared
    )
    if not borrowed:
        return operation
    return replace(
        operation,
        inputs=(
            *borrowed,
            *(replace(item, is_container=True) if item is body else item for item in operation.inputs),
        ),
    )


def nouns(segment: str) -> tuple[str, ...]:
    """Words of a segment that may name a resource; what is in the plural does, though it is a verb, too: `/invites`."""
    found = words(segment)
    if len(found) > 1 and found[0] in VERB_KINDS:
        return found[1:]
    if len(found) == 1 and is_plural(segment) and found[0] not in COLLECTION_VERBS:
        return found
    return tuple(word for word in found if word not in VERB_KINDS or word in NOUN_VERBS)


def is_envelope(name: str) -> bool:
    """Whether a property of this name only wraps what the answer is about."""
    found = words(name)
    return len(found) == 1 and found[0] in ENVELOPES


def _segments(path: str) -> tuple[Segment, ...]:
    found: list[Segment] = []
    # `/messages/{id}.json` is a message, whatever it is written in.
    for part in _FORMAT.sub("", path.strip("/")).split("/"):
        names = _PARAMETER.findall(part)
        if names:
            literal = _PARAMETER.sub("", part).strip(_EDGE_MARKS)
            if part.startswith("{"):
                found.append(Segment(names[0], True))
                if re.search("[A-Za-z]{3}", literal):
                    found.append(Segment(literal, False))
                found.extend(Segment(name, True) for name in names[1:])
                continue
            if literal:
                found.append(Segment(part.split("{", 1)[0].strip(_EDGE_MARKS), False))
            found.extend(Segment(name, True) for name in names)
        elif part:
            mark = "." if "." in part and not re.match(r"v?\d", part) else ":"
            literals = [text for text in part.split(mark) if text]
            found.extend(Segment(text, False, is_method=at > 0) for at, text in enumerate(literals))
    return tuple(found)


def _collection_nouns(segments: tuple[Segment, ...], at: int) -> tuple[str, ...]:
    """Nouns of a literal; a collection named by a verb takes the noun before it along."""
    text = segments[at].text
    found = nouns(text)
    if found or segments[at].is_method or not (words(text)[:1] and words(text)[0] in COLLECTION_VERBS):
        return found
    before = segments[at - 1] if at > 0 else None
    qualifier = nouns(before.text)[-1:] if before is not None and not before.is_parameter else ()
    return qualifier + words(text)


def _place(segments: tuple[Segment, ...], at: int) -> PathPlace:
    for before in range(at - 1, -1, -1):
        segment = segments[before]
        if not segment.is_noun:
            continue
        adjacent = before == at - 1
        found = _collection_nouns(segments, before) if adjacent else nouns(segment.text)
        if found:
            return PathPlace(found, adjacent)
    return _NOWHERE


def _resource(operation: Operation) -> tuple[str, ...]:
    segments = operation.segments
    for at in range(len(segments) - 1, -1, -1):
        if not segments[at].is_noun:
            continue
        found = _collection_nouns(segments, at)
        only_verb = len(found) == 1 and VERB_KINDS.get(found[0]) in (
            OperationKind.ACTION,
            OperationKind.SEARCH,
        )
        if found and (is_plural(segments[at].text) or not only_verb):
            return found
    return tuple(
        word
        for word in operation.name_words
        if word not in VERB_KINDS and word not in FILLER_WORDS and not word.isdigit()
    )


def _verbs(operation: Operation) -> list[OperationKind]:
    """Kinds that the words of a call speak for: last segment, name, summary, in this order."""
    found: list[str] = []
    last = operation.segments[-1] if operation.segments else None
    if last is not None and not last.is_parameter:
        segment = words(last.text)
        if segment and not (len(segment) == 1 and segment[0] in PLAIN_NOUN_SEGMENTS):
            found.append(segment[0])
    name = operation.name_words
    if name[:1] == (operation.tool.method.lower(),):
        # `PostSubscriptionsId` says no more than POST.
        name = ()
    if name[:1] and name[0] in VERB_KINDS:
        found.append(name[0])
    else:
        found.extend([word for word in name[-1:] if word in VERB_KINDS] or list(name[1:2]))
    found.extend(words(_MARKUP.sub(" ", operation.summary[:_SUMMARY_CHARS]))[:1])
    return [VERB_KINDS[word] for word in found if word in VERB_KINDS]


def _summary_kind(operation: Operation) -> OperationKind | None:
    """The kind that the first word of the title or description speaks for."""
    first = words(_MARKUP.sub(" ", operation.summary[:_SUMMARY_CHARS]))[:1]
    return VERB_KINDS.get(first[0]) if first else None


def _kind(operation: Operation) -> OperationKind:
    verbs = _verbs(operation)
    first = verbs[0] if verbs else None
    method = operation.tool.method
    if _asks_for_token(operation):
        return OperationKind.AUTH
    if method in ("GET", "HEAD"):
        return _read_kind(operation, first)
    if method == "DELETE":
        return OperationKind.DELETE
    if method == "POST":
        return _post_kind(operation, first)
    if method:
        at_item = bool(operation.ends_with_parameter)
        return OperationKind.CREATE if first is OperationKind.CREATE and not at_item else OperationKind.UPDATE
    if first is not None:
        return first
    if operation.tool.read_only:
        return _read_kind(operation, first)
    return OperationKind.DELETE if operation.tool.destructive else OperationKind.ACTION


def _asks_for_token(operation: Operation) -> bool:
    last = operation.segments[-1] if operation.segments else Segment("", False)
    if last.is_parameter or operation.tool.method not in ("POST", "GET", "PUT", ""):
        return False
    name = set(operation.name_words)
    spoken = name.union(*(words(segment.text) for segment in operation.segments))
    return bool(spoken & AUTH_WORDS) and bool(({*words(last.text)} | name) & (AUTH_WORDS | {"token"}))


def _read_kind(operation: Operation, verb: OperationKind | None) -> OperationKind:
    last = operation.segments[-1] if operation.segments else Segment("", False)
    queries = {item.name.lower() for item in operation.inputs if item.location == "query"}
    if verb is OperationKind.SEARCH or (not last.is_parameter and queries & SEARCH_PARAMETERS):
        return OperationKind.SEARCH
    if last.is_parameter:
        return OperationKind.GET
    answers_list = operation.answer.is_list or verb is OperationKind.LIST or is_plural(last.text)
    return OperationKind.LIST if answers_list or _holds_list(operation, last.text) else OperationKind.GET


def _post_kind(operation: Operation, verb: OperationKind | None) -> OperationKind:
    last = operation.segments[-1] if operation.segments else Segment("", False)
    spoken = _summary_kind(operation)
    if verb in (OperationKind.SEARCH, OperationKind.LIST) and spoken in MUTATING_KINDS:
        # `/filter` with the title `Create filter` makes one.
        verb = spoken
    if verb is OperationKind.ACTION and spoken is OperationKind.CREATE and _is_compound_plural(last):
        # `/merge_requests` with the title `Create a merge request` makes one; it merges nothing.
        return OperationKind.CREATE
    if verb is OperationKind.UPDATE and spoken is not verb and is_plural(last.text):
        # `/updates`, of a page: one is made.
        return OperationKind.CREATE
    if verb in (OperationKind.SEARCH, OperationKind.LIST):
        return OperationKind.SEARCH
    if verb is OperationKind.GET:
        return OperationKind.GET
    if last.is_parameter:
        if verb in (OperationKind.UPDATE, None):
            return OperationKind.UPDATE
        return OperationKind.CREATE if verb is OperationKind.CREATE else OperationKind.ACTION
    if verb in (OperationKind.CREATE, OperationKind.ACTION, OperationKind.DELETE, OperationKind.UPDATE):
        return verb
    return OperationKind.CREATE if is_plural(last.text) else OperationKind.ACTION


def _is_compound_plural(segment: Segment) -> bool:
    return not segment.is_parameter and len(words(segment.text)) > 1 and is_plural(segment.text)


def _holds_list(operation: Operation, last: str) -> bool:
    """Whether the answer is an envelope around a list of what the path names."""
    for field in operation.answer.fields[:_FIELDS_LOOKED_AT]:
        pointer = field.pointer
        if pointer[0] == ITEM:
            return True
        for at in (1, 2):
            if len(pointer) <= at or pointer[at] != ITEM or not (at == 1 or is_envelope(pointer[0])):
                continue
            named, wanted = words(pointer[at - 1]), words(last)
            if is_envelope(pointer[at - 1]) or (named and named[-1:] == wanted[-1:]):
                return True
    return False
