"""Arazzo's runtime expressions as bindings of a plan."""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from app.adapters.documents.structured_text import JsonValue
from app.domain.schemas.walk import as_object, free_name, json_pointer, with_texts
from app.domain.workflows.plans import (
    Binding,
    ComposedBinding,
    InputBinding,
    KnownBinding,
    Select,
    StepBinding,
)
from app.errors import InvalidInputError

ReferenceBinding: TypeAlias = StepBinding | InputBinding
_ROOTS = (
    r"inputs|steps|response|outputs|workflows|request|components|sourceDescriptions|url|method|statusCode"
)
_EXPRESSION = re.compile(rf"\$(?:{_ROOTS})(?=[.#\[]|$).*", re.DOTALL)
_EMBEDDED = re.compile(rf"\{{(\$(?:{_ROOTS})(?=[.#\[}}])[^{{}}]*)\}}")
_STEP = re.compile(r"\$steps\.(?P<step>[A-Za-z0-9_-]+)\.outputs\.(?P<rest>.+)", re.DOTALL)
_RESPONSE = re.compile(r"\$response\.(?:body(?P<rest>.*)|header\.(?P<header>[^\s#\[\]]+))", re.DOTALL)
_TAIL = re.compile(r"\[(?P<index>\d+|\*|)\]|\.(?P<name>[^.\[\]\s]+)")


@dataclass(frozen=True, slots=True)
class EarlierStep:
    """A step that later ones may refer to."""

    position: int
    outputs: Mapping[str, ReferenceBinding]
    runs_workflow: bool
    """True: outputs that the step does not rename are those of the workflow that it runs."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What expressions of one step may refer to."""

    inputs: frozenset[str]
    steps: Mapping[str, EarlierStep] = field(default_factory=dict)

    def bind(self, value: JsonValue) -> Binding:
        """Where a parameter's or a payload's value comes from.

        Raises:
            InvalidInputError: an expression in it refers to something that is not there.
        """
        if isinstance(value, str) and _EXPRESSION.fullmatch(value):
            return self.reference(value)
        parts: dict[str, ReferenceBinding] = {}
        written = json.dumps(value)

        def put(expression: str) -> str:
            part = self.reference(expression)
            known = next((name for name, other in parts.items() if other == part), None)
            if known is None:
                known = _part_name(part, {*parts, *re.findall(r"\{(\w+)\}", written)})
                parts[known] = part
            return f"{{{known}}}"

        def compose(text: str) -> str:
            if _EXPRESSION.fullmatch(text):
                return put(text)
            return _EMBEDDED.sub(lambda match: put(match[1]), text)

        composed = with_texts(value, compose)
        return ComposedBinding(compose=composed, parts=parts) if parts else KnownBinding(known=value)

    def reference(self, expression: str) -> ReferenceBinding:
        """What `$inputs.x` or `$steps.s.outputs.o` refers to.

        Raises:
            InvalidInputError: it is neither, or there is no such input, step or output.
        """
        if expression.startswith("$inputs."):
            name, pointer = _declared(expression.removeprefix("$inputs."), self.inputs, "input")
            return InputBinding(input=name, path=pointer)
        match = _STEP.fullmatch(expression)
        if match is None:
            raise InvalidInputError(
                f"expression {expression!r:.100} is not read; accepted: $inputs.NAME, $steps.STEP.outputs.NAME"
            )
        step = self.steps.get(match["step"])
        if step is None:
            raise InvalidInputError(
                f"expression {expression!r:.100}: no earlier step is called {match['step']!r}"
            )
        if step.runs_workflow and not any(match["rest"].startswith(name) for name in step.outputs):
            name, pointer = _split(match["rest"])
            return _below(StepBinding(step=step.position, path=json_pointer([name])), pointer)
        name, pointer = _declared(match["rest"], step.outputs, f"output of step {match['step']!r}")
        return _below(step.outputs[name], pointer)


def step_outputs(
    outputs: JsonValue, *, position: int, scope: Scope
) -> tuple[dict[str, ReferenceBinding], list[str]]:
    """A step's outputs as references to its answer, and what could not be read of them.

    `position` 0 stands for the workflow, which has no answer of its own.
    """
    found: dict[str, ReferenceBinding] = {}
    problems: list[str] = []
    for name, expression in as_object(outputs).items():
        try:
            found[name] = _output(expression, position, scope)
        except InvalidInputError as error:
            problems.append(f"output {name!r:.100}: {error}")
    return found, problems


def _output(expression: JsonValue, position: int, scope: Scope) -> ReferenceBinding:
    if not isinstance(expression, str):
        raise InvalidInputError(f"{expression!r:.100} is not an expression")
    match = _RESPONSE.fullmatch(expression) if position else None
    if match is not None and match["header"]:
        return StepBinding(step=position, path="", header=match["header"])
    if match is not None:
        return _below(StepBinding(step=position, path=""), _pointer(match["rest"]))
    if position and expression.startswith("$outputs."):
        name, pointer = _split(expression.removeprefix("$outputs."))
        return _below(StepBinding(step=position, path=json_pointer([name])), pointer)
    return scope.reference(expression)


def _declared(text: str, names: Collection[str], what: str) -> tuple[str, str]:
    """The declared name that a text begins with, the longest first, and the pointer that follows."""
    known = sorted(names, key=len, reverse=True)
    for name in known:
        if text == name or (text.startswith(name) and text[len(name)] in ".[#"):
            return name, _pointer(text[len(name) :])
    raise InvalidInputError(
        f"{text!r:.100} is not a declared {what}; declared: {', '.join(known)[:300] or 'none'}"
    )


def _below(reference: ReferenceBinding, pointer: str) -> ReferenceBinding:
    if not pointer:
        return reference
    if isinstance(reference, StepBinding) and reference.header:
        raise InvalidInputError(f"header {reference.header!r} holds text, which has no {pointer!r:.100}")
    path = reference.path + pointer
    if isinstance(reference, InputBinding):
        return InputBinding(input=reference.input, path=path)
    select = Select(by="ask") if "*" in path.split("/") else reference.select
    return StepBinding(step=reference.step, path=path, select=select)


def _split(text: str) -> tuple[str, str]:
    """`name` and the pointer of what follows it."""
    match = re.match(r"[A-Za-z0-9_-]+", text)
    if match is None:
        raise InvalidInputError(f"{text!r:.100} names no output")
    return match[0], _pointer(text[match.end() :])


def _pointer(tail: str) -> str:
    """`#/a/0`, `.a[0]` and `#/a[0].b` as a JSON pointer; `[]` and `[*]` become the segment `*`."""
    if tail.startswith("#"):
        steps = tail[1:].split("/")
        if steps[0]:
            raise InvalidInputError(f"{tail!r:.100} is not a JSON pointer")
        return "".join(_segment(step) for step in steps[1:])
    return "".join(f"/{step}" for step in _tail(tail))


def _segment(step: str) -> str:
    match = re.fullmatch(r"([^\[\]]*)((?:\[(?:\d+|\*|)\](?:\.[^.\[\]\s]+)?)*)", step)
    if match is None or not match[2]:
        return f"/{step}"
    return "".join(f"/{part}" for part in [*([match[1]] if match[1] else []), *_tail(match[2])])


def _tail(text: str) -> list[str]:
    steps: list[str] = []
    position = 0
    while position < len(text):
        match = _TAIL.match(text, position)
        if match is None:
            raise InvalidInputError(f"{text!r:.100} is not read; accepted: .NAME, [0], [*]")
        steps.append(json_pointer([match["name"]])[1:] if match["name"] else match["index"] or "*")
        position = match.end()
    return steps


def _part_name(part: ReferenceBinding, taken: set[str]) -> str:
    word = part.input if isinstance(part, InputBinding) else part.header or part.path.rsplit("/", 1)[-1]
    return free_name(re.sub(r"\W+", "_", word) or "value", taken)
