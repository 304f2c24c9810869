"""What the steps of an Arazzo workflow send: parameters and payloads as bindings of the tool's inputs."""

import json
from collections.abc import Iterator, Mapping

from app.adapters.documents.structured_text import JsonValue
from app.domain.schemas.walk import Schema, as_list, as_object, as_text, followed, pointer_segments, texts_in
from app.domain.workflows.plans import Binding, KnownBinding, PlanInput
from app.errors import InvalidInputError
from ingest.sources.arazzo.expressions import Scope
from ingest.sources.arazzo.operations import CalledOperation


def step_values(
    step: Mapping[str, JsonValue],
    workflow: Mapping[str, JsonValue],
    components: Mapping[str, JsonValue],
    operation: CalledOperation | None,
    scope: Scope,
) -> tuple[dict[str, Binding], list[str]]:
    """Bindings by property of the tool's input schema, and what could not be read."""
    bindings: dict[str, Binding] = {}
    problems: list[str] = []
    literal = step.get("x-outfitter-literal")
    for name, place, value in _parameters(step, workflow, components, problems):
        key = operation.keys.get((place, name)) if operation else None
        if operation is not None and key is None and place:
            problems.append(f"{operation.name} takes no {place} parameter {name!r:.100}; kept as it is")
        _bind(bindings, key or name, value, scope, literal, problems)
    for name, value in _payload(step.get("requestBody"), operation, literal, problems):
        _bind(bindings, name, value, scope, literal, problems)
    return bindings, problems


def workflow_inputs(stated: JsonValue, document: Mapping[str, JsonValue]) -> tuple[PlanInput, ...]:
    """The inputs that a workflow's JSON schema describes, references within the document followed."""
    schema = _followed(document, stated)
    names = as_list(schema.get("required"))
    found = []
    for name, item in as_object(schema.get("properties")).items():
        value = _followed(document, item)
        kind = value.get("type")
        kinds = [one for one in texts_in(kind if isinstance(kind, list) else [kind]) if one != "null"]
        found.append(
            PlanInput(
                name=name,
                type=kinds[0] if kinds else "",
                description=as_text(value.get("description")),
                required=name in names,
                suggested=value.get("x-outfitter-suggested") is True,
            )
        )
    return tuple(found)


def _bind(
    bindings: dict[str, Binding],
    name: str,
    value: JsonValue,
    scope: Scope,
    literal: JsonValue,
    problems: list[str],
) -> None:
    if name in bindings:
        problems.append(f"{name!r:.100} is given twice; the first is kept")
        return
    if isinstance(literal, list) and name in literal:
        bindings[name] = KnownBinding(known=value)
        return
    try:
        bindings[name] = scope.bind(value)
    except InvalidInputError as error:
        problems.append(f"{name!r:.100} is left open: {error}")


def _parameters(
    step: Mapping[str, JsonValue],
    workflow: Mapping[str, JsonValue],
    components: Mapping[str, JsonValue],
    problems: list[str],
) -> Iterator[tuple[str, str, JsonValue]]:
    """(name, place, value): the step's parameters, then those of the workflow that the step does not give."""
    seen: set[tuple[str, str]] = set()
    for stated in (step.get("parameters"), workflow.get("parameters")):
        for item in as_list(stated):
            parameter = _reused(item, components)
            name = parameter.get("name")
            place = parameter.get("in", "")
            if not isinstance(name, str) or not isinstance(place, str) or "value" not in parameter:
                problems.append(f"parameter {item!r:.100} is left out; accepted: name, in and value")
            elif (name, place) not in seen:
                seen.add((name, place))
                yield name, place, parameter["value"]


def _reused(item: JsonValue, components: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """A parameter; one that is reused from the components may have a value of its own."""
    if not isinstance(item, dict):
        return {}
    reference = item.get("reference")
    if not isinstance(reference, str):
        return item
    found = as_object(components.get("parameters")).get(reference.removeprefix("$components.parameters."))
    own = {"value": item["value"]} if "value" in item else {}
    return {**found, **own} if isinstance(found, dict) else {}


def _payload(
    body: JsonValue, operation: CalledOperation | None, literal: JsonValue, problems: list[str]
) -> Iterator[tuple[str, JsonValue]]:
    """A payload as the tool's inputs: property by property, or as a whole."""
    if not isinstance(body, dict) or "payload" not in body:
        return
    payload = _replaced(body["payload"], body.get("replacements"), problems)
    whole = operation.body_key if operation and operation.body_key else "body"
    if (
        isinstance(payload, str)
        and not (isinstance(literal, list) and whole in literal)
        and payload.lstrip().startswith("{")
        and not payload.lstrip().startswith("{$")
    ):
        try:
            payload = json.loads(payload)
        except ValueError:
            problems.append("the payload is a text that is not JSON; it is kept as it is")
    if isinstance(payload, dict) and not (operation and operation.body_key):
        yield from payload.items()
    else:
        yield whole, payload


def _replaced(payload: JsonValue, replacements: JsonValue, problems: list[str]) -> JsonValue:
    """The payload with the values that replace parts of it, by JSON pointer."""
    for item in as_list(replacements):
        target = as_object(item).get("target")
        if not isinstance(target, str) or not target.startswith("/") or "value" not in item:
            problems.append(f"replacement {item!r:.100} is left out; accepted: a JSON pointer and a value")
            continue
        payload = _put(payload, pointer_segments(target), item["value"])
    return payload


def _put(value: JsonValue, steps: list[str], new: JsonValue) -> JsonValue:
    if not steps:
        return new
    if isinstance(value, list) and steps[0].isdigit() and int(steps[0]) < len(value):
        index = int(steps[0])
        return [*value[:index], _put(value[index], steps[1:], new), *value[index + 1 :]]
    known = as_object(value)
    return {**known, steps[0]: _put(known.get(steps[0]), steps[1:], new)}


def _followed(document: Schema, schema: JsonValue) -> Schema:
    return followed(document, as_object(schema))
