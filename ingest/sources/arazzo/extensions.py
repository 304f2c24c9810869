"""The `x-outfitter-` fields of a document, as plans are written with them."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

from pydantic import ValidationError

from app.adapters.documents.structured_text import JsonValue
from app.domain.nodes.models import Value
from app.domain.schemas.walk import as_list, as_object
from app.domain.workflows.arazzo_extensions import OF_EXPORT
from app.domain.workflows.plans import (
    TOXIC_FLOW,
    InputBinding,
    PlanWarning,
    Select,
    StepBinding,
    UnmetTask,
    UnusedValue,
    When,
)
from ingest.sources.arazzo.expressions import ReferenceBinding, Scope

V = TypeVar("V", bound=Value)


def selected(
    outputs: Mapping[str, StepBinding | InputBinding], step: Mapping[str, JsonValue], problems: list[str]
) -> Iterator[tuple[str, ReferenceBinding]]:
    """The outputs of a step, with the item of a list that is meant where the document says it."""
    places, selects = (as_object(step.get(f"x-outfitter-{field}")) for field in ("outputs", "select"))
    for name, output in outputs.items():
        extra = as_object(places.get(name))
        path = extra.get("path")
        if isinstance(output, StepBinding) and isinstance(path, str):
            stated = selects.get(name, extra.get("select"))
            chosen = (
                None if stated is None else _read(Select, stated, f"the selection of {name!r:.100}", problems)
            )
            if chosen is None and name in selects:
                # Another item than the one that was meant would be taken unseen.
                chosen = Select(by="ask")
            yield name, StepBinding(step=output.step, path=path, header=output.header, select=chosen)
        else:
            yield name, output


def conditions(step: Mapping[str, JsonValue], scope: Scope, problems: list[str]) -> tuple[When, ...]:
    """When the step runs; what cannot be read is named in `problems`."""
    found = []
    for item in as_list(step.get("x-outfitter-when")):
        fields = as_object(item)
        earlier = scope.steps.get(str(fields.get("stepId")))
        if earlier is None:
            problems.append(
                f"a condition is left out: no earlier step is called {fields.get('stepId')!r:.100}; the step always runs"
            )
            continue
        named = {**{key: value for key, value in fields.items() if key != "stepId"}, "step": earlier.position}
        when = _read(When, named, "a condition, without which the step always runs,", problems)
        if when is not None:
            found.append(when)
    return tuple(found)


def plan_warnings(workflow: Mapping[str, JsonValue]) -> tuple[PlanWarning, ...]:
    """What a caller of the plan should know; what only a reader of the document should is left out.

    What is said of flows depends on the tools of the day, and is said again.
    """
    found = []
    for item in map(as_object, as_list(workflow.get("x-outfitter-warnings"))):
        code, message, step = item.get("code"), item.get("message"), item.get("step")
        if (
            isinstance(code, str)
            and isinstance(message, str)
            and item.get(OF_EXPORT) is not True
            and code != TOXIC_FLOW
        ):
            found.append(
                PlanWarning(code=code, message=message, step=step if isinstance(step, int) else None)
            )
    return tuple(found)


def left_over(
    workflow: Mapping[str, JsonValue], problems: list[str]
) -> tuple[tuple[UnusedValue, ...], tuple[UnmetTask, ...]]:
    """Values of the goal that the plan does not use, and parts of it for which there is no call."""
    return (
        _all(UnusedValue, workflow.get("x-outfitter-unused"), "a value that is not used", problems),
        _all(UnmetTask, workflow.get("x-outfitter-unmet"), "a task without a call", problems),
    )


def _all(model: type[V], stated: JsonValue, what: str, problems: list[str]) -> tuple[V, ...]:
    read = (_read(model, item, what, problems) for item in as_list(stated))
    return tuple(item for item in read if item is not None)


def _read(model: type[V], stated: JsonValue, what: str, problems: list[str]) -> V | None:
    try:
        return model.model_validate(stated)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = "/".join(str(part) for part in first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        problems.append(f"{what} is left out: {stated!r:.100}: {place + ': ' if place else ''}{said}")
        return None
