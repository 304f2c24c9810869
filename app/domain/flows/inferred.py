"""What names, schemas, annotations and HTTP methods say about the labels of a tool. Pure; each rule names its weight."""

import re
from functools import cache

from app.domain.flows.values import LabelEvidence, ToolLabel
from app.domain.language.identifiers import words
from app.domain.language.operation_words import OperationKind
from app.domain.nodes.models import Label
from app.domain.planning.operations import Operation
from app.lexicon.lists import words as listed

_FIRST_SENTENCE = re.compile(r"[.!?\n]")
_SAID_CHARS = 200
_READING = (OperationKind.SEARCH, OperationKind.LIST, OperationKind.GET)


@cache
def _words(*keys: str) -> frozenset[str]:
    return frozenset(word.replace("_", " ") for word in listed("flows", *keys))


def inferred_labels(operation: Operation) -> dict[Label, ToolLabel]:
    """Labels that something speaks for, or against."""
    said = _Said(operation)
    found = {
        Label.UNTRUSTED_CONTENT: _untrusted(said),
        Label.PRIVATE_DATA: _private(said),
        Label.EXTERNAL_SINK: _sink(said),
        Label.DESTRUCTIVE: _destructive(said),
    }
    return {label: one for label, one in found.items() if one is not None}


def gives_untrusted(operation: Operation) -> bool:
    """Whether a tool seems to answer with what others wrote: the label alone, without the work of the others."""
    found = _untrusted(_Said(operation))
    return found is not None and found.counts


class _Said:
    """The words of a tool, by where they stand."""

    def __init__(self, operation: Operation) -> None:
        tool = operation.tool
        self.operation = operation
        self.tool = tool
        path = tuple(
            word for segment in operation.segments if segment.is_noun for word in words(segment.text)
        )
        self.name = frozenset((*words(tool.name), *path))
        if not operation.resource:
            # `search` of the server `mail` is about mail.
            self.name |= frozenset(words(tool.server))
        spoken = words(tool.name)
        self.verb = spoken[0] if spoken else ""
        self.ends = frozenset((*spoken[:1], *spoken[-1:]))
        self.summary = frozenset(
            words(_FIRST_SENTENCE.split((tool.title or tool.description)[:_SAID_CHARS])[0])
        )
        self.reads = operation.safe or (tool.read_only is not False and operation.kind in _READING)


def _untrusted(said: _Said) -> ToolLabel | None:
    if not said.reads:
        return None
    shaped = bool(said.name & _words("answers", "shape"))
    if said.name & _words("answers", "untrusted"):
        return ToolLabel(Label.UNTRUSTED_CONTENT, True, LabelEvidence.INFERRED, 0.5 if shaped else 0.85)
    if said.name & _words("answers", "mixed"):
        return ToolLabel(Label.UNTRUSTED_CONTENT, True, LabelEvidence.INFERRED, 0.4 if shaped else 0.7)
    if not said.tool.method and any(words(item.name)[-1:] == ("url",) for item in said.operation.inputs):
        # It fetches whatever stands there.
        return ToolLabel(Label.UNTRUSTED_CONTENT, True, LabelEvidence.INFERRED, 0.7)
    if said.tool.open_world and not shaped:
        return ToolLabel(Label.UNTRUSTED_CONTENT, True, LabelEvidence.ANNOTATION, 0.6)
    if said.summary & _words("answers", "untrusted"):
        return ToolLabel(Label.UNTRUSTED_CONTENT, True, LabelEvidence.INFERRED, 0.5)
    return None


def _private(said: _Said) -> ToolLabel | None:
    if not said.reads:
        return None
    if said.name & _words("answers", "public"):
        return None
    if said.name & _words("answers", "private"):
        return ToolLabel(Label.PRIVATE_DATA, True, LabelEvidence.INFERRED, 0.8)
    if said.summary & _words("answers", "private") and not said.summary & _words("answers", "public"):
        return ToolLabel(Label.PRIVATE_DATA, True, LabelEvidence.INFERRED, 0.5)
    return None


def _sink(said: _Said) -> ToolLabel | None:
    if said.reads:
        return None
    if said.verb in _words("verbs", "destroying") and said.operation.kind is not OperationKind.UPDATE:
        return None
    to, carries = sink_inputs(said.operation)
    sends = bool(said.name & _words("verbs", "sending")) or said.verb in _words("things", "spread")
    makes = (bool(said.ends & _words("verbs", "making")) or said.tool.method == "POST") and bool(
        said.name & _words("things", "spread")
    )
    closed = said.tool.open_world is False
    if sends and to:
        return ToolLabel(
            Label.EXTERNAL_SINK,
            True,
            LabelEvidence.INFERRED,
            0.6 if closed else 0.85 if carries else 0.75,
            to,
            carries,
        )
    if makes or sends:
        return ToolLabel(
            Label.EXTERNAL_SINK, True, LabelEvidence.INFERRED, 0.5 if closed else 0.65, to, carries
        )
    if any(_is_person(name) for name in to):
        return ToolLabel(
            Label.EXTERNAL_SINK,
            True,
            LabelEvidence.INFERRED,
            0.5 if closed else 0.7 if carries else 0.6,
            to,
            carries,
        )
    if to and carries:
        return ToolLabel(Label.EXTERNAL_SINK, True, LabelEvidence.INFERRED, 0.4, to, carries)
    return None


def _destructive(said: _Said) -> ToolLabel | None:
    if said.reads:
        return None
    tool, kind = said.tool, said.operation.kind
    to = target_inputs(said.operation)
    if tool.destructive is not None and not tool.method:
        return ToolLabel(Label.DESTRUCTIVE, tool.destructive, LabelEvidence.ANNOTATION, 0.9, to)
    if tool.method == "DELETE":
        return ToolLabel(Label.DESTRUCTIVE, True, LabelEvidence.METHOD, 0.9, to)
    if said.verb in _words("verbs", "destroying") or kind is OperationKind.DELETE:
        return ToolLabel(Label.DESTRUCTIVE, True, LabelEvidence.INFERRED, 0.8, to)
    if tool.method in ("PUT", "PATCH"):
        return ToolLabel(Label.DESTRUCTIVE, True, LabelEvidence.METHOD, 0.6, to)
    if said.name & _words("verbs", "destroying") or kind is OperationKind.UPDATE:
        return ToolLabel(Label.DESTRUCTIVE, True, LabelEvidence.INFERRED, 0.6, to)
    return None


def target_inputs(operation: Operation) -> tuple[str, ...]:
    """Inputs that say what a call is about; all of one that deletes, and what lets somebody in, of one that overwrites.

    Properties of the top level of the input schema, in their order.
    """
    deletes = operation.kind is OperationKind.DELETE
    found: dict[str, None] = {}
    for item in operation.inputs:
        said = words(item.name)
        if deletes or item.location == "path" or (said and said[-1] in _words("inputs", "targets")):
            found[item.pointer[0]] = None
    return tuple(found)


def sink_inputs(operation: Operation) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Inputs that say where something goes, and those that go there; properties of the top level, in their order."""
    to: dict[str, None] = {}
    carries: dict[str, None] = {}
    for item in operation.inputs:
        found = words(item.name)
        if not found:
            continue
        named = {found[-1], found[0], " ".join(found)}
        if (
            item.location != "path"
            and named & _words("inputs", "carried")
            and item.type in ("string", "array", "object", "")
        ):
            carries[item.pointer[0]] = None
        elif named & _words("inputs", "destinations"):
            to[item.pointer[0]] = None
    return tuple(to), tuple(name for name in carries if name not in to)


def _is_person(parameter: str) -> bool:
    found = words(parameter)
    return bool(found) and bool({found[-1], found[0]} & _words("inputs", "people"))


def is_made_by_service(pointer: str) -> bool:
    """Whether a place in an answer holds what the service itself makes up: an id, a number, a moment, a state."""
    last = next(
        (part for part in reversed(pointer.split("/")) if part and part != "*" and not part.isdigit()), ""
    )
    found = words(last)
    return bool(found) and found[-1] in _words("fields", "made")


def names_party(pointer: str) -> bool:
    """Whether a place in an answer holds who somebody is: the service fills that in, and they write it not themselves."""
    parts = [part for part in pointer.split("/") if part and part != "*" and not part.isdigit()]
    return any(word in _words("fields", "parties") for part in parts[-2:] for word in words(part)[-1:])


def is_carried(parameter: str) -> bool:
    """Whether an input takes text or files that its tool passes on."""
    found = words(parameter.rpartition("/")[2])
    return bool(found) and bool({found[-1], found[0]} & _words("inputs", "carried"))
