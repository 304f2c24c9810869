"""Where each input of a step takes its value from."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from pydantic import JsonValue

from app.domain.filling.assigned import Assignment
from app.domain.filling.forms import OperationForm
from app.domain.language.identifiers import ID_WORDS, words
from app.domain.nodes.dependencies import Requirement
from app.domain.planning.operations import Operation, path_pattern
from app.domain.planning.values import slots_of
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

_DESCRIPTION_CHARS = 300
_CONSTANT = (("type",), ("kind",), ("version",), ("object",), ("format",), ("schema",))
"""Last words of the names of inputs that say what a body is."""


@dataclass(frozen=True, slots=True)
class BindingSource:
    """The step that fills an input."""

    step: int
    """Its position in the plan, from 1."""
    operation: Operation
    edge: Requirement
    select: Select | None
    """Which item of a list is meant; None where the value is in none."""


@dataclass(slots=True)
class OpenInputs:
    """The inputs of a plan that the caller has to give, each once. Filled step by step."""

    _by_slot: dict[tuple[str, ...], PlanInput] = field(default_factory=dict)

    def name_for(
        self,
        operation: Operation,
        item: Input,
        *,
        step: int,
        said: str = "",
        suggested: bool = False,
        is_context: bool = False,
    ) -> str:
        """The plan's name for an input; inputs that mean the same thing share one.

        The same thing is a parameter of the same name under the same prefix of the path, what identifies the same
        entity, or context that goes by one name everywhere: `is_context`, or a parameter of the path.
        """
        name = words(item.name)
        identifies = bool(name) and name[-1] in ID_WORDS - {"name", "number", "code", "version"}
        slot: tuple[str, ...]
        if item.location == "path":
            prefix = path_pattern(operation.tool.path.split("{" + item.name + "}")[0])
            slot = (
                ("path", prefix, *slots_of(operation, item)[0])
                if not identifies
                else slots_of(operation, item)[0]
            )
            if ("path", *slots_of(operation, item)[0]) in self._by_slot or prefix.count("{}") == 0:
                slot = ("path", *slots_of(operation, item)[0])
        elif identifies and len(item.pointer) == 1:
            slot = slots_of(operation, item)[0]
        else:
            slot = ("context" if is_context else str(step), item.parameter)
        if slot not in self._by_slot:
            wanted = "_".join(slots_of(operation, item)[0]) if identifies and len(name) == 1 else item.name
            taken = {entry.name for entry in self._by_slot.values()}
            unique = wanted if wanted not in taken else f"{wanted}_{step}"
            description = item.description[:_DESCRIPTION_CHARS]
            if said:
                description = f"The goal says {said!r}. {description}".strip()
            self._by_slot[slot] = PlanInput(
                name=unique, type=item.type, description=description, suggested=suggested
            )
        return self._by_slot[slot].name

    @property
    def inputs(self) -> tuple[PlanInput, ...]:
        """In the order in which the steps ask for them."""
        return tuple(self._by_slot.values())


def bind(
    form: OperationForm,
    *,
    step: int,
    sources: Mapping[str, BindingSource],
    assignment: Assignment,
    opened: OpenInputs,
    suggested: AbstractSet[tuple[str, ...]] = frozenset(),
) -> dict[str, Binding]:
    """A binding for every required input of a step, and for optional ones whose value is known or in the plan.

    What the caller or the goal gives comes first, then an earlier step (`sources`, by parameter), then a default of
    the schema, or the only value that it allows; what is left becomes an open input. Parts of a nested body are put together under its property.
    """
    operation = form.operation
    credentials = {item.pointer for item in operation.inputs} - {one.item.pointer for one in form.forms}
    context = {one.item.pointer for one in form.forms if one.is_context}
    leaves: dict[tuple[str, ...], Binding] = {}
    given = {
        item.pointer for item in operation.inputs if item.is_container and item.pointer in assignment.known
    }
    for item in operation.inputs:
        if any(item.pointer[:length] in given for length in range(1, len(item.pointer))):
            continue
        if item.is_container and any(leaf[: len(item.pointer)] == item.pointer for leaf in leaves):
            continue
        source = sources.get(item.parameter)
        if item.pointer in assignment.known:
            leaves[item.pointer] = KnownBinding(known=assignment.known[item.pointer])
        elif item.pointer in credentials:
            continue
        elif item.pointer in assignment.asked:
            said = assignment.asked[item.pointer]
            leaves[item.pointer] = InputBinding(input=opened.name_for(operation, item, step=step, said=said))
        elif source is not None and not _in_unsaid_part(operation, item, assignment):
            path = source.edge.field
            binding = StepBinding(step=source.step, path=path, select=source.select)
            leaves[item.pointer] = binding
        elif item.required and not item.has_default and _is_constant(item):
            leaves[item.pointer] = KnownBinding(known=item.enum[0])
        elif item.required and not item.has_default and not _has_required_part(operation, item):
            leaves[item.pointer] = InputBinding(
                input=opened.name_for(operation, item, step=step, is_context=item.pointer in context)
            )
        elif item.pointer in suggested:
            leaves[item.pointer] = InputBinding(
                input=opened.name_for(operation, item, step=step, suggested=True)
            )
    return _by_property(leaves)


def _in_unsaid_part(operation: Operation, item: Input, assignment: Assignment) -> bool:
    """Whether an input lies in an optional part of a body of which nobody says anything: answers make up none.

    An optional list of consents is not filled with the first consent of whoever is changed. What is the whole of a body
    is no such part: without it the call would say nothing.
    """
    if item.required or len({one.pointer[0] for one in operation.inputs if one.location == "body"}) == 1:
        return False
    said = {*assignment.known, *assignment.asked}
    return any(
        one.is_container
        and not one.required
        and len(one.pointer) < len(item.pointer)
        and item.pointer[: len(one.pointer)] == one.pointer
        and not any(pointer[: len(one.pointer)] == one.pointer for pointer in said)
        for one in operation.inputs
    )


def _is_constant(item: Input) -> bool:
    """Whether an input says what a body is, and the document allows one answer: the `type` of JSON:API (1.1, section 5.2).

    What somebody accepts, confirms or chooses is theirs to say, even with a single choice.
    """
    is_text = len(item.enum) == 1 and isinstance(item.enum[0], str) and not item.is_list
    return is_text and words(item.name)[-1:] in _CONSTANT


def _has_required_part(operation: Operation, container: Input) -> bool:
    depth = len(container.pointer)
    return any(
        item.required
        and not item.has_default
        and len(item.pointer) > depth
        and item.pointer[:depth] == container.pointer
        for item in operation.inputs
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
