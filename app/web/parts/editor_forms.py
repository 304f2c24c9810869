"""What the plan editor's form says: a plan, what is to be done to it, and which panel is open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import parse_qs

from pydantic import TypeAdapter, ValidationError

from app.domain.field_errors import refused_fields
from app.domain.workflows.choices import taken_from
from app.domain.workflows.commands import BindInput, MoveStep, PlanEdit, RemoveStep, ReplaceTool
from app.domain.workflows.places import step_at
from app.domain.workflows.plans import (
    Binding,
    InputBinding,
    KnownBinding,
    Plan,
    Select,
    StepBinding,
    said_value,
)
from app.errors import InvalidInputError

_EDIT: TypeAdapter[PlanEdit] = TypeAdapter(PlanEdit)
_FIELDS = 1000
"""More fields than the form of the largest plan has."""


class PanelKind(StrEnum):
    """What stands beside the steps."""

    CLOSED = ""
    ADD = "add"
    BIND = "bind"
    STEP = "step"
    """What a step answers, its optional inputs, what could take its place."""


@dataclass(frozen=True, slots=True)
class Panel:
    """What is open beside the steps."""

    kind: PanelKind = PanelKind.CLOSED
    step: int = 0
    parameter: str = ""

    def __str__(self) -> str:
        """As `read_panel` reads it."""
        return " ".join(filter(None, (self.kind, str(self.step or ""), self.parameter)))


@dataclass(frozen=True, slots=True)
class EditorForm:
    """What was sent."""

    plan: Plan
    read: str
    """The plan as it was read from the store; empty for one that is not stored."""
    id: str
    etag: str
    name: str
    """The id to save it under."""
    servers: tuple[str, ...]
    """Of the goal's filters: only their tools are offered."""
    panel: Panel
    search: str
    at: int | None
    """Where a step is added; None: at the end."""
    edit: PlanEdit | None
    action: str
    """What else is asked for: `save`, `theirs`; empty for nothing. Who keeps his own says over which `etag`."""


def read_form(body: bytes) -> EditorForm:
    """The fields of the form.

    Raises:
        InvalidInputError: a field is not what it should be; the message names it.
    """
    try:
        found = parse_qs(
            body.decode("utf-8"), keep_blank_values=True, max_num_fields=_FIELDS, errors="strict"
        )
    except ValueError as error:
        raise InvalidInputError(f"the form cannot be read: {error}") from error
    one = {name: values[-1] for name, values in found.items()}
    plan = read_plan(one.get("plan", ""))
    panel = read_panel(one.get("open", one.get("panel", "")))
    return EditorForm(
        plan=plan,
        read=one.get("read", ""),
        id=one.get("id", ""),
        etag=one.get("keep") or one.get("etag", ""),
        name=one.get("name", "").strip(),
        servers=tuple(server for server in found.get("server", ()) if server),
        panel=panel,
        search=one.get("search", "").strip(),
        at=_number(one["at"], "at") if one.get("at") else None,
        edit=_edit(one, found, plan),
        action="save" if one.get("keep") else one.get("action", ""),
    )


def read_plan(text: str) -> Plan:
    """A plan as the form carries it.

    Raises:
        InvalidInputError: it is no plan.
    """
    try:
        return Plan.model_validate_json(text)
    except ValidationError as error:
        raise InvalidInputError(_said("plan", error)) from error


def read_panel(text: str) -> Panel:
    """`add`; `step` and its number; `bind`, a step and an input. Anything else closes the panel."""
    kind, _, rest = text.partition(" ")
    step, _, parameter = rest.partition(" ")
    if kind == PanelKind.ADD:
        return Panel(PanelKind.ADD)
    if kind == PanelKind.BIND and step.isdecimal() and parameter:
        return Panel(PanelKind.BIND, int(step[:4]), parameter)
    if kind == PanelKind.STEP and step.isdecimal():
        return Panel(PanelKind.STEP, int(step[:4]))
    return Panel()


def said_edit(text: str) -> PlanEdit:
    """An edit as a button of the form says it: `move 3 2`, `remove 3`, `replace 3 shop/getOrder`, or JSON.

    Raises:
        pydantic.ValidationError: there is no such edit.
    """
    match text.split(" ", 2):
        case ["move", step, to]:
            return MoveStep.model_validate({"step": step, "to": to})
        case ["remove", step]:
            return RemoveStep.model_validate({"step": step})
        case ["replace", step, tool]:
            return ReplaceTool.model_validate({"step": step, "tool_id": tool})
        case _:
            return _EDIT.validate_json(text)


def _edit(one: Mapping[str, str], found: Mapping[str, list[str]], plan: Plan) -> PlanEdit | None:
    try:
        if one.get("edit"):
            return said_edit(one["edit"])
        if one.get("bind"):
            return _bound(one, found, plan)
    except ValidationError as error:
        raise InvalidInputError(_said("edit", error)) from error
    return None


def _bound(one: Mapping[str, str], found: Mapping[str, list[str]], plan: Plan) -> BindInput:
    """What the fields of the panel say of the input that it is about."""
    panel = read_panel(one.get("panel", ""))
    if panel.kind is not PanelKind.BIND:
        raise InvalidInputError("bind: no input is chosen; accepted: a panel that is about one")
    binding: Binding
    match one["bind"]:
        case "known":
            binding = KnownBinding(known=said_value(one.get("known", "")))
        case "input":
            if not one.get("input", "").strip():
                raise InvalidInputError("input: accepted: a name for the value that the caller gives")
            binding = InputBinding(input=one["input"].strip())
        case "path":
            binding = _field(one, panel, plan)
        case "select":
            binding = _selected(one, found, panel, plan)
        case other:
            raise InvalidInputError(f"bind {other!r:.50}; accepted: known, input, path, select")
    return BindInput(step=panel.step, parameter=panel.parameter, binding=binding)


def _field(one: Mapping[str, str], panel: Panel, plan: Plan) -> StepBinding:
    """A field of an earlier answer: of a list, the item that is as safe as with the choices that are offered."""
    path = one.get("path", "").strip()
    if path and not path.startswith("/"):
        raise InvalidInputError(f"path {path!r:.100}; accepted: a JSON pointer such as /items/*/id")
    return taken_from(step_at(plan, panel.step), _number(one.get("source", ""), "step"), path)


def _selected(
    one: Mapping[str, str], found: Mapping[str, Sequence[str]], panel: Panel, plan: Plan
) -> StepBinding:
    step = next((step for step in plan.steps if step.position == panel.step), None)
    current = step.bindings.get(panel.parameter) if step else None
    if not isinstance(current, StepBinding):
        raise InvalidInputError("select: the input takes no field of an answer; bind it to one first")
    rows = zip(
        found.get("where_field", ()), found.get("where_op", ()), found.get("where_value", ()), strict=False
    )
    stated: dict[str, Any] = {
        "by": one.get("by", "first"),
        "where": [
            {"field": field.strip(), "op": op, "value": said_value(value)}
            for field, op, value in rows
            if field.strip() or value.strip()
        ],
        "except": [said_value(line) for line in one.get("except", "").splitlines() if line.strip()],
    }
    if one.get("sort", "").strip():
        stated["sort"] = {"field": one["sort"].strip(), "descending": one.get("descending") == "true"}
    return current.model_copy(update={"select": Select.model_validate(stated)})


def _number(text: str, name: str) -> int:
    if not text.isdecimal() or len(text) > 4 or int(text) < 1:
        raise InvalidInputError(f"{name} {text!r:.50}; accepted: the number of a step, from 1")
    return int(text)


def _said(name: str, error: ValidationError) -> str:
    first = refused_fields(error.errors(include_url=False), unknown="there is no such field")[0]
    return f"{name}: {first}"
