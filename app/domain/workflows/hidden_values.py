"""Plans that do not repeat what the caller keeps secret."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from pydantic import JsonValue

from app.domain.language.visible_text import squeezed, without_hidden
from app.domain.reading.models import Reading
from app.domain.schemas.walk import free_name, json_pointer, type_of_value
from app.domain.workflows.plans import (
    Binding,
    ComposedBinding,
    InputBinding,
    KnownBinding,
    Plan,
    PlanInput,
    PlanStep,
    PlanWarning,
    Select,
    StepBinding,
    binding_parts,
)

HIDDEN_VALUE = "hidden_value"
"""The code of the warning for a value that is hidden where a plan can take no input."""
_SHORT = 4
"""A text of fewer characters counts as the secret only where no letter or digit stands beside it."""
_READ_TEXTS = frozenset(("do", "noun_after", "nouns", "text", "unsure", "words"))
"""Fields of a reading that hold words of the goal."""

Secrets: TypeAlias = Mapping[str, JsonValue]
"""By the name in `known`; of objects and lists each text and number in them is a secret too. Not true, false, null
and the empty text, of which there is nothing to keep."""


def without_secrets(plan: Plan, secrets: Secrets) -> Plan:
    """The plan with an input of a secret's name wherever the secret stood, so that it runs once that is given.

    In a text for people, and where a plan takes no input (in a selection, a condition), `{name}` stands in its place;
    of the latter a warning says so. What the catalogue says is left as it is: ids, paths, descriptions of inputs.
    """
    hider = _Hider(secrets)
    if not hider:
        return plan
    steps = tuple(hider.step(step) for step in plan.steps)
    outputs = {name: hider.binding(binding) for name, binding in plan.outputs.items()}
    unused = tuple(
        one.model_copy(update={"value": hider.value(one.value), "reason": hider.text(one.reason)})
        for one in plan.unused
    )
    unmet = tuple(
        one.model_copy(update={"task": hider.text(one.task), "reason": hider.text(one.reason)})
        for one in plan.unmet
    )
    warnings = tuple(one.model_copy(update={"message": hider.text(one.message)}) for one in plan.warnings)
    there = tuple(
        one.model_copy(update={"required": True, "suggested": False}) if one.name in hider.taken else one
        for one in plan.inputs
    )
    names = {one.name for one in there}
    added = tuple(PlanInput(name=name, type=kind) for name, kind in hider.taken.items() if name not in names)
    return plan.model_copy(
        update={
            "goal": hider.text(plan.goal),
            "steps": steps,
            "inputs": (*there, *added),
            "outputs": outputs,
            "warnings": (*warnings, *hider.warnings),
            "unused": unused,
            "unmet": unmet,
        }
    )


def reading_without_secrets(reading: Reading, goal: str, secrets: Secrets) -> Reading:
    """The reading of a goal with `{name}` for each secret; places of values are those in the goal that says it too.

    Args:
        reading: of the goal as it was given.
        goal: as it was given.
        secrets: what must not be repeated.
    """
    hider = _Hider(secrets)
    if not hider:
        return reading

    def hidden(value: Any, field: str) -> Any:
        if field == "value":
            return hider.value(value)
        if isinstance(value, list):
            return [hidden(one, field) for one in value]
        if isinstance(value, dict):
            found = {key: hidden(one, key) for key, one in value.items()}
            places = {key: hider.moved(goal, value[key]) for key in ("start", "end") if key in value}
            return {**found, **places}
        return hider.text(value) if field in _READ_TEXTS and isinstance(value, str) else value

    return Reading.model_validate(hidden(reading.model_dump(mode="json"), ""))


def any_of(secrets: Iterable[str], kept: Iterable[str] = ()) -> re.Pattern[str]:
    """Finds any of these texts, each with a group of its own; those that are kept go first and have none."""
    found = [re.escape(text) for text in kept]
    for text in secrets:
        written = re.escape(text)
        found.append(rf"(?<![^\W_])({written})(?![^\W_])" if len(text) < _SHORT else f"({written})")
    return re.compile("|".join(found), re.IGNORECASE)


class _Hider:
    """Finds secrets, and remembers which of them bindings took."""

    def __init__(self, secrets: Secrets) -> None:
        self._types = {name: type_of_value(value) for name, value in secrets.items()}
        self._wholes = [
            (_canonical(value), InputBinding(input=name))
            for name, value in secrets.items()
            if isinstance(value, list | dict) and value
        ]
        leaves: dict[str, InputBinding] = {}
        for name, secret in secrets.items():
            for path, value in _leaves(secret, ""):
                for text in _forms(value):
                    leaves.setdefault(text, InputBinding(input=name, path=path))
        # The longest first, so that no part of a secret remains.
        self._leaves = dict(sorted(leaves.items(), key=lambda item: -len(item[0])))
        self._inputs = list(self._leaves.values())
        self._pattern = any_of(self._leaves)
        self.taken: dict[str, str] = {}
        """Names of the secrets that bindings take as inputs, with their types."""
        self.warnings: list[PlanWarning] = []

    def __bool__(self) -> bool:
        return bool(self._leaves)

    def text(self, text: str) -> str:
        """A text with names for secrets."""
        return self._pattern.sub(lambda match: f"{{{self._found(match).input}}}", text)

    def value(self, value: Any) -> Any:
        """A JSON value with names for secrets, in keys as well."""
        if isinstance(value, dict):
            return {self.text(key): self.value(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.value(one) for one in value]
        if isinstance(value, str):
            return self.text(value)
        leaf = self._whole(value)
        return value if leaf is None else f"{{{leaf.input}}}"

    def moved(self, text: str, at: int) -> int:
        """Where a place of a text lies once its secrets are names; one within a secret lies at an end of its name."""
        offset = 0
        for match in self._pattern.finditer(text):
            if at <= match.start():
                break
            name = len(self._found(match).input) + 2
            if at < match.end():
                return match.start() + offset + name
            offset += name - len(match[0])
        return at + offset

    def step(self, step: PlanStep) -> PlanStep:
        """A step whose bindings take secrets as inputs."""
        bindings = {name: self._binding_of(name, binding, step) for name, binding in step.bindings.items()}
        when = tuple(one.model_copy(update={"value": self.value(one.value)}) for one in step.when)
        if when != step.when:
            self._warn(step, "its condition")
        return step.model_copy(
            update={"purpose": self.text(step.purpose), "bindings": bindings, "when": when}
        )

    def binding(self, binding: Binding) -> Binding:
        """A binding that takes secrets as inputs."""
        match binding:
            case KnownBinding():
                return self._composed(binding.known, {})
            case ComposedBinding():
                parts = {
                    name: self._selected(part) if isinstance(part, StepBinding) else part
                    for name, part in binding.parts.items()
                }
                return self._composed(binding.compose, parts)
            case StepBinding():
                return self._selected(binding)
            case _:
                return binding

    def _binding_of(self, name: str, binding: Binding, step: PlanStep) -> Binding:
        hidden = self.binding(binding)
        if _selects(hidden) != _selects(binding):
            self._warn(step, f"which item {name} takes")
        return hidden

    def _composed(self, value: JsonValue, parts: Mapping[str, StepBinding | InputBinding]) -> Binding:
        """A value with inputs for its secrets: one input, a value put together, or itself where it has none."""
        whole = self._whole(value) if not parts else None
        if whole is not None:
            return self._take(whole)
        found = dict(parts)
        written = json.dumps(value)
        taken = {*parts, *re.findall(r"\{(\w+)\}", written)}

        def named(part: InputBinding) -> str:
            self._take(part)
            known = next((name for name, other in found.items() if other == part), None)
            if known is None:
                known = free_name(re.sub(r"\W+", "_", part.input) or "value", taken)
                taken.add(known)
                found[known] = part
            return f"{{{known}}}"

        pattern = any_of(self._leaves, kept=[f"{{{name}}}" for name in parts])

        def put(inner: Any) -> Any:
            if isinstance(inner, str):
                return pattern.sub(
                    lambda match: named(self._found(match)) if match.lastindex else match[0], inner
                )
            whole = self._whole(inner)
            if whole is not None:
                return named(whole)
            if isinstance(inner, dict):
                return {self.text(key): put(one) for key, one in inner.items()}
            return [put(one) for one in inner] if isinstance(inner, list) else inner

        composed = put(value)
        if found:
            return ComposedBinding(compose=composed, parts=found)
        return KnownBinding(known=composed)

    def _selected(self, binding: StepBinding) -> StepBinding:
        select = binding.select
        if select is None:
            return binding
        hidden = select.model_copy(
            update={
                "value": self.value(select.value),
                "where": tuple(
                    one.model_copy(update={"value": self.value(one.value)}) for one in select.where
                ),
                "except_": tuple(map(self.value, select.except_)),
            }
        )
        return binding.model_copy(update={"select": hidden})

    def _found(self, match: re.Match[str]) -> InputBinding:
        return self._inputs[(match.lastindex or 1) - 1]

    def _whole(self, value: Any) -> InputBinding | None:
        """The secret, or part of one, that a value is."""
        if isinstance(value, list | dict):
            written = _canonical(value)
            return next((part for whole, part in self._wholes if whole == written), None)
        if isinstance(value, bool) or value is None:
            return None
        return self._leaves.get(value if isinstance(value, str) else _canonical(value))

    def _take(self, part: InputBinding) -> InputBinding:
        self.taken.setdefault(part.input, self._types[part.input])
        return part

    def _warn(self, step: PlanStep, what: str) -> None:
        message = f"{what} names a value that is not repeated; put it in before the plan runs"
        self.warnings.append(PlanWarning(code=HIDDEN_VALUE, message=message, step=step.position))


def _leaves(value: JsonValue, path: str) -> Iterator[tuple[str, str | int | float]]:
    """Texts and numbers of a value with their JSON pointers."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _leaves(one, path + json_pointer([key]))
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from _leaves(one, f"{path}/{at}")
    elif value is not None and not isinstance(value, bool) and str(value).strip():
        yield path, value


def _forms(value: str | int | float) -> Iterator[str]:
    """How a secret may stand in a text: as it is, as goals lose hidden characters, and within quotation marks."""
    if not isinstance(value, str):
        yield _canonical(value)
        return
    yield value
    yield squeezed(without_hidden(value)) or value
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield repr(value)[1:-1]


def _canonical(value: JsonValue) -> str:
    return json.dumps(value, sort_keys=True)


def _selects(binding: Binding) -> list[Select | None]:
    return [part.select for part in binding_parts(binding) if isinstance(part, StepBinding)]
