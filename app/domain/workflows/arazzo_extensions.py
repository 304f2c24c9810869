"""What a plan says and Arazzo has no word for: `x-outfitter-` fields, with warnings where a runner would go wrong."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from app.domain.workflows.arazzo_expressions import Json, looks_like_expression
from app.domain.workflows.plans import (
    KnownBinding,
    Plan,
    PlanStep,
    PlanWarning,
    Select,
    StepBinding,
    binding_parts,
)
from app.domain.workflows.wording import select_words, when_words
from app.errors import InvalidInputError

OF_EXPORT = "x-outfitter-export"
"""Mark of a warning that is about the document, not about the plan: a reader that knows the fields drops it."""


def step_extensions(
    step: PlanStep,
    outputs: Mapping[str, StepBinding],
    step_ids: Mapping[int, str],
    flows: Iterable[PlanWarning] = (),
) -> Json:
    """The fields of one step.

    Args:
        step: of the plan.
        outputs: of the step, by the names that they have in the document.
        step_ids: of all steps, by position.
        flows: what is to be said of flows that end in it.

    Raises:
        InvalidInputError: its condition is about a step that is not before it.
    """
    literal = [
        name
        for name, value in step.bindings.items()
        if isinstance(value, KnownBinding) and looks_like_expression(value.known)
    ]
    fields: Json = {
        "x-outfitter-ask": step.ask,
        "x-outfitter-instead-of": step.instead_of.model_dump(mode="json") if step.instead_of else None,
        "x-outfitter-alternatives": list(step.alternatives),
        "x-outfitter-outputs": {
            name: _place(part) for name, part in outputs.items() if part.select or _crosses_list(part)
        },
        "x-outfitter-select": {
            name: part.select.model_dump(mode="json", exclude_defaults=True)
            for name, part in outputs.items()
            if part.select and not _is_plain(part.select)
        },
        "x-outfitter-each": [parameter for parameter, _ in _each(step)],
        "x-outfitter-when": [
            {"stepId": _earlier(when.step, step, step_ids), **when.model_dump(mode="json", exclude={"step"})}
            for when in step.when
        ],
        "x-outfitter-literal": literal,
        "x-outfitter-flow": [
            {
                name: value
                for name, value in warning.model_dump(mode="json").items()
                if name in ("finding", "severity", "path", "instead")
            }
            for warning in flows
        ],
    }
    said = {name: value for name, value in fields.items() if value}
    return {"x-outfitter-mutating": step.mutating, **said}


def plan_extensions(plan: Plan) -> Json:
    """The fields of the workflow: warnings, those of the export behind those of the plan, and what is left over."""
    fields: dict[str, list[Any]] = {
        "x-outfitter-warnings": [
            *(warning.model_dump(mode="json", exclude_none=True) for warning in plan.warnings),
            *(
                {**warning.model_dump(mode="json", exclude_none=True), OF_EXPORT: True}
                for step in plan.steps
                for warning in _export_warnings(step)
            ),
        ],
        "x-outfitter-unused": [item.model_dump(mode="json") for item in plan.unused],
        "x-outfitter-unmet": [item.model_dump(mode="json") for item in plan.unmet],
    }
    return {name: value for name, value in fields.items() if value}


def _export_warnings(step: PlanStep) -> Iterator[PlanWarning]:
    """What a runner that knows plain Arazzo only would do otherwise."""
    for parameter, part in _each(step):
        yield PlanWarning(
            code="each_not_run",
            message=f"the step runs once for each item of {part.path} of step {part.step} ({parameter}); Arazzo has no"
            " such loop, and a runner that does not know x-outfitter-each runs it for the first item",
            step=step.position,
        )
    for parameter, part in _parts(step):
        if part.select and part.select.by != "each" and not _is_plain(part.select):
            yield PlanWarning(
                code="select_not_run",
                message=f"{parameter} is {part.path} of step {part.step}{select_words(part.select)}; a runner that does"
                " not know x-outfitter-select takes the first item",
                step=step.position,
            )
    if step.when:
        wanted = " and ".join(map(when_words, step.when))
        yield PlanWarning(
            code="condition_not_run",
            message=f"the step runs only where {wanted}; a runner that does not know x-outfitter-when always runs it",
            step=step.position,
        )


def _place(part: StepBinding) -> Json:
    select = part.select if part.select and _is_plain(part.select) else None
    named = (
        {} if select is None else {"select": select.model_dump(mode="json", include={"by", "field", "value"})}
    )
    return {"path": part.path, **named}


def _is_plain(select: Select) -> bool:
    """Whether readers of documents from before the other forms know it."""
    return select.by in ("first", "match", "ask") and not (select.where or select.except_ or select.sort)


def _crosses_list(part: StepBinding) -> bool:
    return "*" in part.path.split("/")


def _each(step: PlanStep) -> Iterable[tuple[str, StepBinding]]:
    return ((name, part) for name, part in _parts(step) if part.select and part.select.by == "each")


def _parts(step: PlanStep) -> Iterator[tuple[str, StepBinding]]:
    for name, binding in step.bindings.items():
        for part in binding_parts(binding):
            if isinstance(part, StepBinding):
                yield name, part


def _earlier(asked: int, step: PlanStep, step_ids: Mapping[int, str]) -> str:
    if asked >= step.position or asked not in step_ids:
        raise InvalidInputError(
            f"the condition of step {step.position} is about step {asked}, which is not before it"
        )
    return step_ids[asked]
