"""Where each input of a step takes its value from."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from app.domain.language.identifiers import ID_WORDS, words
from app.domain.language.operation_words import OperationKind
from app.domain.nodes.dependencies import Requirement
from app.domain.planning.operations import Operation
from app.domain.planning.values import KnownValues, slots_of
from app.domain.schemas.tool_schemas import ITEM, Input
from app.domain.workflows.plans import (
    Binding,
    ComposedBinding,
    InputBinding,
    KnownBinding,
    PlanInput,
    Select,
    StepBinding,
)

_NAME_FIELDS = ("name", "title", "display_name", "displayName", "full_name", "fullName", "label", "email")
_ANY_WILL_DO = re.compile(
    r"\b(?:first|latest|newest|last|top|best|most|any|one|some|random|next)\b|\btop-\d", re.IGNORECASE
)
_DESCRIPTION_CHARS = 300


@dataclass(frozen=True, slots=True)
class BindingSource:
    """The step that fills an input."""

    step: int
    """Its position in the plan, from 1."""
    operation: Operation
    edge: Requirement
    leads_to_change: bool
    """Whether a step that changes something takes values from it, directly or through others."""


@dataclass(slots=True)
class OpenInputs:
    """The inputs of a plan that the caller has to give, each once. Filled step by step."""

    _by_slot: dict[tuple[str, ...], PlanInput] = field(default_factory=dict)

    def name_for(self, operation: Operation, item: Input, *, step: int) -> str:
        """The plan's name for an input; inputs that identify the same thing share one."""
        name = words(item.name)
        identifies = bool(name) and name[-1] in ID_WORDS - {"name"}
        slot = slots_of(operation, item)[0] if identifies else (str(step), item.parameter)
        if slot not in self._by_slot:
            wanted = "_".join(slot) if identifies and len(name) == 1 else item.name
            taken = {entry.name for entry in self._by_slot.values()}
            unique = wanted if wanted not in taken else f"{wanted}_{step}"
            self._by_slot[slot] = PlanInput(
                name=unique, type=item.type, description=item.description[:_DESCRIPTION_CHARS]
            )
        return self._by_slot[slot].name

    @property
    def inputs(self) -> tuple[PlanInput, ...]:
        """In the order in which the steps ask for them."""
        return tuple(self._by_slot.values())


def bind(
    operation: Operation,
    *,
    step: int,
    sources: Mapping[str, BindingSource],
    values: KnownValues,
    opened: OpenInputs,
) -> dict[str, Binding]:
    """A binding for every required input of a step, and for optional ones whose value is known or in the plan.

    What `known` or the goal gives comes first, then an earlier step (`sources`, by parameter), then a default of
    the schema; what is left becomes an open input. Parts of a nested body are put together under its property.
    """
    leaves: dict[tuple[str, ...], Binding] = {}
    given = {
        item.pointer for item in operation.inputs if item.is_container and values.binding(operation, item)
    }
    for item in operation.inputs:
        if any(item.pointer[:length] in given for length in range(1, len(item.pointer))):
            continue
        if item.is_container and any(leaf[: len(item.pointer)] == item.pointer for leaf in leaves):
            continue
        known = values.binding(operation, item)
        source = sources.get(item.parameter)
        if known is not None:
            leaves[item.pointer] = known
        elif source is not None:
            leaves[item.pointer] = _from_step(source, values)
        elif item.required and not item.has_default and not _has_required_part(operation, item):
            leaves[item.pointer] = InputBinding(input=opened.name_for(operation, item, step=step))
    return _by_property(leaves)


def _has_required_part(operation: Operation, container: Input) -> bool:
    depth = len(container.pointer)
    return any(
        item.required
        and not item.has_default
        and len(item.pointer) > depth
        and item.pointer[:depth] == container.pointer
        for item in operation.inputs
    )


def _from_step(source: BindingSource, values: KnownValues) -> StepBinding:
    path = source.edge.field
    select = _select(source, values) if ITEM in path.split("/") else None
    return StepBinding(step=source.step, path=path, select=select)


def _select(source: BindingSource, values: KnownValues) -> Select:
    """Which item is meant: the one that the goal names, the first, or one that the caller chooses."""
    siblings = _sibling_fields(source)
    for name in _NAME_FIELDS:
        if name not in siblings:
            continue
        value = _name_value(name, source.operation, values)
        if value is not None:
            return Select(by="match", field=name, value=value)
    searched = source.operation.kind is OperationKind.SEARCH and _is_narrowed(source.operation, values)
    if searched or not source.leads_to_change or _ANY_WILL_DO.search(values.goal):
        return Select(by="first")
    return Select(by="ask")


def _sibling_fields(source: BindingSource) -> set[str]:
    """Names of the scalars beside the value in one item of the list."""
    segments = source.edge.field.split("/")[1:]
    last = len(segments) - 1 - segments[::-1].index(ITEM)
    item = tuple(segments[: last + 1])
    return {
        output.name
        for output in source.operation.answer.fields
        if output.pointer[:-1] == item and output.type in ("string", "")
    }


def _name_value(name: str, producer: Operation, values: KnownValues) -> JsonValue:
    """What the caller calls the thing: a given `role_name`, or an e-mail address or quoted name in the goal."""
    for slot in ((*producer.resource, *words(name)), (*producer.resource[-1:], *words(name))):
        given = values.given(slot)
        if given is not None:
            return given
    if name == "email":
        return values.email
    return values.names[0] if values.names else None


def _is_narrowed(operation: Operation, values: KnownValues) -> bool:
    return any(
        values.binding(operation, item) is not None for item in operation.inputs if item.location != "header"
    )


def _by_property(leaves: Mapping[tuple[str, ...], Binding]) -> dict[str, Binding]:
    """Bindings by property of the top level; nested parts composed."""
    groups: defaultdict[str, dict[tuple[str, ...], Binding]] = defaultdict(dict)
    for pointer, binding in leaves.items():
        groups[pointer[0]][pointer[1:]] = binding
    return {name: group[()] if () in group else _composed(group) for name, group in groups.items()}


def _composed(group: Mapping[tuple[str, ...], Binding]) -> Binding:
    parts: dict[str, StepBinding | InputBinding] = {}
    compose: JsonValue = None
    for pointer, binding in group.items():
        value: JsonValue
        if isinstance(binding, KnownBinding):
            value = binding.known
        elif isinstance(binding, ComposedBinding):
            raise TypeError(f"a part of a body is itself composed: {pointer}")
        else:
            part = "_".join(segment for segment in pointer if segment != ITEM)
            parts[part] = binding
            value = "{" + part + "}"
        compose = _put(compose, pointer, value)
    return ComposedBinding(compose=compose, parts=parts) if parts else KnownBinding(known=compose)


def _put(tree: JsonValue, pointer: Sequence[str], value: JsonValue) -> JsonValue:
    """`tree` with `value` at `pointer`; `*` stands for the one item of a list."""
    if not pointer:
        return value
    first, rest = pointer[0], pointer[1:]
    if first == ITEM:
        item = tree[0] if isinstance(tree, list) and tree else None
        return [_put(item, rest, value)]
    members = dict(tree) if isinstance(tree, dict) else {}
    members[first] = _put(members.get(first), rest, value)
    return members
