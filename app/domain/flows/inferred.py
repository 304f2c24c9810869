"""What names, schemas, annotations and HTTP methods say about the labels of a tool. Pure; each rule names its weight."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from app.domain.flows.values import LabelEvidence, ToolLabel
from app.domain.language.goal_words import verb_kinds
from app.domain.language.identifiers import words
from app.domain.language.operation_words import OperationKind
from app.domain.language.text import stem
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


def _marks(name: str) -> frozenset[str]:
    """The words of a name as they are written, in lower case: `k8s`, `docs`; also two that stand together as one."""
    found = [part for part in "".join(one if one.isalnum() else " " for one in name).lower().split() if part]
    return frozenset((*found, *map("".join, pairwise(found))))


class _Said:
    """The words of a tool, by where they stand."""

    def __init__(self, operation: Operation) -> None:
        tool = operation.tool
        self.operation = operation
        self.tool = tool
        path = tuple(
            word for segment in operation.segments if segment.is_noun for word in words(segment.text)
        )
        spoken = words(tool.name)
        if len(spoken) > 1 and spoken[0] == tool.method.lower():
            # `post-sessions` of `POST /sessions` posts nothing.
            spoken = spoken[1:]
        if "by" in spoken[1:]:
            # `get_post_by_id` gives the post.
            spoken = spoken[: spoken.index("by", 1)]
        # `pull_request` is one thing.
        self.name = frozenset((*spoken, *path, *map("".join, pairwise(spoken))))
        if not operation.resource:
            # `search` of the server `mail` is about mail.
            self.name |= frozenset(words(tool.server))
        self.verb = spoken[0] if spoken else ""
        self.ends = frozenset((*spoken[:1], *spoken[-1:]))
        self.summary = frozenset(
            words(_FIRST_SENTENCE.split((tool.title or tool.description)[:_SAID_CHARS])[0])
        )
        self.services = _marks(tool.server) | _marks(tool.name)
        self.is_documentation = not _marks(tool.name).isdisjoint(_words("answers", "documentation"))
        # Whoever gives an address knows it: what is said of it is another thing.
        self.given = _words("inputs", "given") & {" ".join(words(item.name)) for item in operation.inputs}
        self.types = bool(self.name & _words("things", "shells")) and bool(
            self.name & _words("verbs", "typing")
        )
        self.runs = bool(self.name & _words("things", "shells")) and bool(
            self.name & _words("verbs", "running")
        )
        self.reads = operation.safe or (
            tool.read_only is not False
            and not (self.runs or self.types)
            and (
                operation.kind in _READING
                or (
                    not tool.method
                    and (self.verb in _words("verbs", "reading") or "search" in spoken or _is_nouns(spoken))
                )
            )
        )

    def is_of(self, services: str) -> bool:
        """Whether its server, or its name, is that of a service of this list."""
        return not self.services.isdisjoint(_words("services", services))


def _is_nouns(spoken: Sequence[str]) -> bool:
    """Whether no word of a name is a verb: `project_info` answers with what it names."""
    verbs = _words("verbs", "sending") | _words("verbs", "destroying") | _words("verbs", "other")
    if not verbs.isdisjoint(spoken) or not spoken or stem(spoken[0]) in verb_kinds():
        return False
    nouns = frozenset().union(
        *(_words("answers", some) for some in ("untrusted", "mixed", "private", "shape"))
    )
    return spoken[-1] in nouns | _words("answers", "summing")


def _untrusted(said: _Said) -> ToolLabel | None:
    if said.runs:
        # What a command says may be anything.
        return ToolLabel(Label.UNTRUSTED_CONTENT, True, LabelEvidence.INFERRED, 0.6)
    if not said.reads or said.is_documentation:
        return None
    shaped = bool(said.name & _words("answers", "shape"))
    about = said.name - said.given
    if about & _words("answers", "untrusted"):
        return ToolLabel(Label.UNTRUSTED_CONTENT, True, LabelEvidence.INFERRED, 0.5 if shaped else 0.85)
    if about & _words("answers", "mixed"):
        return ToolLabel(Label.UNTRUSTED_CONTENT, True, LabelEvidence.INFERRED, 0.4 if shaped else 0.7)
    if said.is_of("social") and not shaped:
        return ToolLabel(Label.UNTRUSTED_CONTENT, True, LabelEvidence.INFERRED, 0.65)
    if said.is_of("shared") and not shaped and about & _words("answers", "shared"):
        return ToolLabel(Label.UNTRUSTED_CONTENT, True, LabelEvidence.INFERRED, 0.65)
    if said.verb in _words("verbs", "scraping") and not shaped:
        return ToolLabel(Label.UNTRUSTED_CONTENT, True, LabelEvidence.INFERRED, 0.7)
    shown = said.name & _words("answers", "shown")
    if (
        not said.tool.method
        and not shown
        and any(words(item.name)[-1:] == ("url",) for item in said.operation.inputs)
    ):
        # It fetches whatever stands there.
        return ToolLabel(Label.UNTRUSTED_CONTENT, True, LabelEvidence.INFERRED, 0.7)
    if said.tool.open_world and not shaped:
        return ToolLabel(Label.UNTRUSTED_CONTENT, True, LabelEvidence.ANNOTATION, 0.6)
    if said.summary & _words("answers", "untrusted"):
        return ToolLabel(Label.UNTRUSTED_CONTENT, True, LabelEvidence.INFERRED, 0.5)
    return None


def _private(said: _Said) -> ToolLabel | None:
    if said.runs or (said.verb in _words("verbs", "running") and said.name & _words("things", "queries")):
        return ToolLabel(Label.PRIVATE_DATA, True, LabelEvidence.INFERRED, 0.6)
    if not said.reads or said.is_documentation:
        return None
    if said.name & _words("answers", "public") or said.is_of("public"):
        return None
    is_social = said.is_of("social")
    if (said.name - said.given) & _words("answers", "owned" if is_social else "private"):
        described = said.name & _words("answers", "described")
        return ToolLabel(Label.PRIVATE_DATA, True, LabelEvidence.INFERRED, 0.5 if described else 0.8)
    if is_social:
        return None
    kept = said.is_of("shared") or said.is_of("own")
    if kept and not said.name & _words("answers", "settings"):
        return ToolLabel(Label.PRIVATE_DATA, True, LabelEvidence.INFERRED, 0.65)
    if said.summary & _words("answers", "private") and not said.summary & _words("answers", "public"):
        return ToolLabel(Label.PRIVATE_DATA, True, LabelEvidence.INFERRED, 0.5)
    return None


def _sink(said: _Said) -> ToolLabel | None:
    if said.reads and not _fetches_anything(said.operation):
        return None
    pays = said.verb in _words("verbs", "sending") and bool(said.name & _words("things", "money"))
    if (
        said.verb in _words("verbs", "destroying")
        and said.operation.kind is not OperationKind.UPDATE
        and not pays
    ):
        return None
    to, carries = sink_inputs(said.operation)
    typed = bool(said.name & _words("things", "typed"))
    sends = not typed and (
        bool(said.name & _words("verbs", "sending")) or said.verb in _words("things", "spread")
    )
    makes = (bool(said.ends & _words("verbs", "making")) or said.tool.method == "POST") and bool(
        said.name & _words("things", "spread")
    )
    closed = said.tool.open_world is False
    if _fetches_anything(said.operation):
        return ToolLabel(
            Label.EXTERNAL_SINK, True, LabelEvidence.INFERRED, 0.5 if closed else 0.6, to, carries
        )
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


def _fetches_anything(operation: Operation) -> bool:
    """Whether a call takes an address, a method and a body: it sends whatever it is given to whatever is named."""
    names = {" ".join(words(item.name)) for item in operation.inputs}
    return "url" in names and "method" in names and not names.isdisjoint(("body", "data", "payload"))


def _destructive(said: _Said) -> ToolLabel | None:
    if said.reads:
        return None
    tool, kind = said.tool, said.operation.kind
    to = target_inputs(said.operation)
    if (said.runs or said.types) and tool.destructive is None:
        return ToolLabel(Label.DESTRUCTIVE, True, LabelEvidence.INFERRED, 0.6, to)
    if tool.destructive is not None and not tool.method:
        return ToolLabel(Label.DESTRUCTIVE, tool.destructive, LabelEvidence.ANNOTATION, 0.9, to)
    if tool.method == "DELETE":
        return ToolLabel(Label.DESTRUCTIVE, True, LabelEvidence.METHOD, 0.9, to)
    if said.verb in _words("verbs", "sending") and said.name & _words("things", "money"):
        # What is paid is sent.
        return None
    if said.verb in _words("verbs", "destroying") or kind is OperationKind.DELETE:
        return ToolLabel(Label.DESTRUCTIVE, True, LabelEvidence.INFERRED, 0.8, to)
    if tool.method in ("PUT", "PATCH"):
        return ToolLabel(Label.DESTRUCTIVE, True, LabelEvidence.METHOD, 0.6, to)
    manages = said.verb in _words("verbs", "managing") and said.summary & _words("verbs", "ending")
    if manages or said.name & _words("verbs", "destroying") or kind is OperationKind.UPDATE:
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
