"""What a plan binds where: parameters and parts of bodies by their names in the document, values compared as said."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pydantic import JsonValue

from app.domain.nodes.models import Tool
from app.domain.schemas.walk import pointer_segments
from app.domain.workflows.plans import (
    Binding,
    ComposedBinding,
    InputBinding,
    KnownBinding,
    PlanStep,
    Select,
    StepBinding,
)
from bench.sets.goals import GoldWay

Bound: TypeAlias = KnownBinding | InputBinding | StepBinding | None
"""What stands at one place of a binding; None where nothing does."""
WHOLE_BODY = "/"
_ROUND_TEXT = "\"'`“”"
_REFERENCE = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class ToolSlots:
    """Where a tool's properties go."""

    in_body: Mapping[str, str]
    """Property by the name that it has in the body."""
    elsewhere: Mapping[str, str]
    """Property by name in path, query, header or form."""
    whole: str
    """The property that is the body as a whole; empty without one."""
    required: frozenset[str]
    """Properties that the document requires."""

    def takes(self, parameter: str) -> bool:
        """Whether the document has such a parameter, or a body that may have such a part."""
        if not parameter.startswith("/"):
            return parameter in self.elsewhere
        return parameter == WHOLE_BODY or parameter.split("/")[1] in self.in_body or bool(self.whole)

    def requires(self, parameter: str) -> bool:
        """Whether the parameter, or the property of the body that holds it, has to be there."""
        if not parameter.startswith("/"):
            return self.elsewhere.get(parameter) in self.required
        if parameter == WHOLE_BODY:
            return any(name in self.required for name in (*self.in_body.values(), self.whole))
        return {self.in_body.get(pointer_segments(parameter)[0]), self.whole} & self.required != set()


def slots_of(tool: Tool) -> ToolSlots:
    """The slots that the input schema declares."""
    schema = json.loads(tool.input_schema) if tool.input_schema else {}
    in_body, elsewhere = {}, {}
    for name, found in (schema.get("properties") or {}).items():
        facts = found if isinstance(found, dict) else {}
        place, sent = facts.get("x-in", "body"), facts.get("x-name", name)
        if place in ("body", "formData"):
            in_body[sent] = name
        if place != "body":
            elsewhere[sent] = name
    return ToolSlots(in_body, elsewhere, schema.get("x-body") or "", frozenset(schema.get("required") or ()))


def bound_at(step: PlanStep, slots: ToolSlots, parameter: str) -> list[Bound]:
    """What fills a parameter, or the part of the body that a JSON pointer names; empty when no binding may."""
    bindings = step.bindings
    if not parameter.startswith("/"):
        name = slots.elsewhere.get(parameter, parameter)
        return [inside(bindings[name], ())] if name in bindings else []
    if parameter == WHOLE_BODY:
        body = {*slots.in_body.values(), slots.whole}
        return [inside(binding, ()) for name, binding in bindings.items() if name in body]
    parts = pointer_segments(parameter)
    found = []
    name = slots.in_body.get(parts[0], parts[0])
    if name in bindings:
        found.append(inside(bindings[name], parts[1:]))
    if slots.whole and slots.whole in bindings:
        found.append(inside(bindings[slots.whole], parts))
    return found


def inside(binding: Binding, parts: Sequence[str]) -> Bound:
    """What stands at these parts of a binding's value."""
    below = "".join(f"/{part}" for part in parts)
    match binding:
        case KnownBinding():
            value = _dig(binding.known, parts)
            return None if value is None else KnownBinding(known=value)
        case InputBinding():
            return InputBinding(input=binding.input + below)
        case StepBinding():
            return binding.model_copy(update={"path": binding.path + below})
        case ComposedBinding():
            return _composed(binding, parts)


def _composed(binding: ComposedBinding, parts: Sequence[str]) -> Bound:
    value = _dig(binding.compose, parts)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):
        used = [binding.parts[name] for name in _REFERENCE.findall(value) if name in binding.parts]
        if len(used) == 1:
            return inside(used[0], ())
    return None if value is None else KnownBinding(known=value)


def _dig(value: JsonValue, parts: Iterable[str]) -> JsonValue:
    """The value at these parts; one value stands for a list of it, and None for what is not there."""
    for part in parts:
        if isinstance(value, list):
            index = "0" if part == "*" else part
            if not index.isdigit() or int(index) >= len(value):
                return None
            value = value[int(index)]
        elif isinstance(value, dict):
            if part not in value:
                return None
            value = value[part]
        elif part not in ("0", "*"):
            return None
    return value


def said(value: object) -> str:
    """A value as a goal may state it: letters' case, quotation marks, a leading # or @, `12` or `12.0` do not count."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple) and len(value) == 1:
        return said(value[0])
    if isinstance(value, dict | list):
        return json.dumps(value, sort_keys=True, ensure_ascii=False).lower()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = str(value).strip().strip(_ROUND_TEXT).strip().lstrip("#@").rstrip(".!").casefold()
    return _one_line(text)


def same_said(given: object, wanted: object) -> bool:
    """Whether both are one value; the order of a list does not count."""
    if isinstance(given, list) and isinstance(wanted, list):
        return sorted(map(said, given)) == sorted(map(said, wanted))
    return said(given) == said(wanted)


def is_right(bound: Bound, way: GoldWay, calls: Sequence[str]) -> bool:
    """Whether what is bound is one way that is right; `calls` are those of the plan, by position."""
    if way.ask:
        asks = isinstance(bound, StepBinding) and _select(bound).by == "ask"
        return isinstance(bound, InputBinding) or asks
    if way.says("value"):
        return isinstance(bound, KnownBinding) and same_said(bound.known, way.value)
    if way.contains:
        text = _one_line(str(bound.known).casefold()) if isinstance(bound, KnownBinding) else ""
        return said(way.contains) in text
    if not isinstance(bound, StepBinding) or not 1 <= bound.step <= len(calls):
        return False
    return (
        _picks(_select(bound), way)
        and calls[bound.step - 1] in (way.from_op, *way.from_any_of)
        and _ends(bound.path, way.path_suffix)
    )


def _picks(select: Select, way: GoldWay) -> bool:
    """Whether the items that are taken are those that are meant; a plan that asks is always right."""
    if select.by == "ask":
        return True
    equal = [item.value for item in select.where if item.op == "eq"]
    if select.by == "match":
        equal.append(select.value)
    if way.not_first and select.by == "first" and not select.where:
        return False
    if way.each and select.by != "each":
        return False
    if way.says("where") and not any(same_said(value, way.where) for value in equal):
        return False
    spared = [said(value) for value in select.except_]
    spared += [said(item.value) for item in select.where if item.op == "ne"]
    return all(said(value) in spared for value in way.except_)


def _select(bound: StepBinding) -> Select:
    return bound.select or Select(by="first")


def _ends(path: str, suffix: str) -> bool:
    parts, wanted = list(_steady(path)), list(_steady(suffix))
    return parts[len(parts) - len(wanted) :] == wanted if len(wanted) <= len(parts) else False


def _steady(path: str) -> Iterator[str]:
    """Segments, any item of a list alike; items at the end do not count."""
    yield from ("*" if part.isdigit() else part for part in path.rstrip("/*").split("/") if part)


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)
