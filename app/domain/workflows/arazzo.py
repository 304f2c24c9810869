"""A plan as an Arazzo 1.0.1 document, for people and tools that run workflows.

What Arazzo has no word for stands in `x-outfitter-` fields: alternatives, which steps change things,
which item of a list is meant, when a step runs, which texts are literal, and warnings.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from app.domain.calling.http_values import percent_encoded
from app.domain.nodes.models import Tool
from app.domain.schemas.walk import as_object, free_name, json_pointer, with_texts
from app.domain.workflows.arazzo_expressions import (
    Json,
    guessed_place,
    inputs_schema,
    is_reference,
    media_type,
    output_name,
    response_expression,
    schema_of,
    step_id,
)
from app.domain.workflows.arazzo_extensions import plan_extensions, step_extensions
from app.domain.workflows.plans import (
    TOXIC_FLOW,
    Binding,
    ComposedBinding,
    InputBinding,
    KnownBinding,
    Plan,
    PlanStep,
    PlanWarning,
    StepBinding,
    binding_parts,
)
from app.errors import InvalidInputError

VERSION = "1.0.1"
SERVER_URN = "urn:outfitter:server:"
_NOTHING = object()
"""No payload, which is not the payload null."""


def arazzo_text(
    plan: Plan, *, workflow_id: str, tools: Mapping[str, Tool], uris: Mapping[str, str], version: str = "1"
) -> str:
    """The plan as Arazzo, in JSON; the same plan always gives the same text.

    Args:
        plan: what to write.
        workflow_id: letters, digits, `_` and `-`.
        tools: by id: those that the plan's steps call; a tool that is missing is written by its name alone.
        uris: by server: where its OpenAPI document lies; others are named by a URN.
        version: of the document, as its author counts.

    Raises:
        InvalidInputError: the workflow's id is not valid, or a binding or condition refers to a step that is not before it.
    """
    if not re.fullmatch(r"[A-Za-z0-9_-]+", workflow_id):
        raise InvalidInputError(f"workflow id {workflow_id!r}; accepted: letters, digits, _ and -")
    return json.dumps(_Writer(plan, tools, uris).document(workflow_id, version), indent=2, ensure_ascii=False)


class _Writer:
    def __init__(self, plan: Plan, tools: Mapping[str, Tool], uris: Mapping[str, str]) -> None:
        self._plan = plan
        self._tools = tools
        self._uris = uris
        self._sources: dict[tuple[str, str], str] = {}
        self._step_ids = {step.position: step_id(step) for step in plan.steps}
        self._flows: dict[int, list[PlanWarning]] = {}
        for warning in plan.warnings:
            if warning.code == TOXIC_FLOW and warning.step is not None:
                self._flows.setdefault(warning.step, []).append(warning)
        self._outputs: dict[int, dict[str, StepBinding]] = {step.position: {} for step in plan.steps}

    def document(self, workflow_id: str, version: str) -> Json:
        plan = self._plan
        self._name_outputs()
        steps = [self._step(step) for step in plan.steps]
        workflow: Json = {
            "workflowId": workflow_id,
            "summary": plan.goal,
            "inputs": inputs_schema(plan),
            "steps": steps,
        }
        outputs = {
            name: self._expression(value) for name, value in plan.outputs.items() if is_reference(value)
        }
        if outputs:
            workflow["outputs"] = outputs
        workflow |= plan_extensions(plan)
        return {
            "arazzo": VERSION,
            "info": {"title": plan.goal or workflow_id, "version": version},
            "sourceDescriptions": [
                self._source(server, kind, name) for (server, kind), name in self._sources.items()
            ],
            "workflows": [workflow],
        }

    def _name_outputs(self) -> None:
        """Give every place of an answer that the plan refers to a name, in the order of the references."""
        for position, binding in (
            *((step.position, binding) for step in self._plan.steps for binding in step.bindings.values()),
            *((len(self._plan.steps) + 1, binding) for binding in self._plan.outputs.values()),
        ):
            for part in binding_parts(binding):
                if not isinstance(part, StepBinding):
                    continue
                if part.step not in self._outputs or part.step >= position:
                    raise InvalidInputError(
                        f"step {position} takes a value from step {part.step}, which is not before it"
                    )
                outputs = self._outputs[part.step]
                if part not in outputs.values():
                    outputs[output_name(part, outputs)] = part

    def _step(self, step: PlanStep) -> Json:
        out: Json = {"stepId": self._step_ids[step.position]}
        if step.purpose:
            out["description"] = step.purpose
        if step.workflow_id:
            server, _, name = step.workflow_id.rpartition("/")
            out["workflowId"] = f"$sourceDescriptions.{self._source_name(server, 'arazzo')}.{name}"
            parameters = [
                {"name": name, "value": self._value(value)} for name, value in step.bindings.items()
            ]
            payload: Any = _NOTHING
        else:
            tool = self._tools.get(step.tool_id)
            out |= self._operation(step, tool)
            parameters, payload = self._placed(step, tool)
        if parameters:
            out["parameters"] = parameters
        if payload is not _NOTHING:
            out["requestBody"] = {
                "contentType": media_type(self._tools.get(step.tool_id)),
                "payload": payload,
            }
        if self._outputs[step.position]:
            out["outputs"] = {
                name: response_expression(part, is_workflow=bool(step.workflow_id))
                for name, part in self._outputs[step.position].items()
            }
        return out | step_extensions(
            step, self._outputs[step.position], self._step_ids, self._flows.get(step.position, ())
        )

    def _operation(self, step: PlanStep, tool: Tool | None) -> Json:
        server, _, name = step.tool_id.partition("/")
        if not name:
            server, name = "", server
        source = self._source_name(server, "openapi")
        if tool is not None and tool.path and name == f"{tool.method}_{tool.path}":
            pointer = json_pointer(("paths", tool.path, tool.method.lower()))
            return {"operationPath": f"{{$sourceDescriptions.{source}.url}}#{pointer}"}
        return {"operationId": f"$sourceDescriptions.{source}.{name}"}

    def _placed(self, step: PlanStep, tool: Tool | None) -> tuple[list[Json], Any]:
        """Bindings by where Arazzo wants them: parameters, and the payload: its properties, or as a whole."""
        schema = schema_of(tool)
        properties = schema.get("properties", {})
        parameters: list[Json] = []
        payload: Any = _NOTHING
        for key, binding in step.bindings.items():
            stated = as_object(properties.get(key))
            place = stated.get("x-in") or guessed_place(key, tool, schema)
            if place != "body":
                parameters.append(
                    {"name": stated.get("x-name", key), "in": place, "value": self._value(binding)}
                )
            elif key == schema.get("x-body"):
                payload = self._value(binding)
            else:
                payload = {**({} if payload is _NOTHING else payload), key: self._value(binding)}
        return parameters, payload

    def _value(self, binding: Binding) -> Any:
        match binding:
            case KnownBinding():
                return binding.known
            case ComposedBinding():
                return with_texts(binding.compose, lambda text: self._composed(text, binding))
            case _:
                return self._expression(binding)

    def _composed(self, value: str, binding: ComposedBinding) -> str:
        whole = binding.parts.get(value[1:-1]) if value.startswith("{") and value.endswith("}") else None
        if whole is not None:
            return self._expression(whole)
        for name, part in binding.parts.items():
            value = value.replace(f"{{{name}}}", f"{{{self._expression(part)}}}")
        return value

    def _expression(self, binding: Binding) -> str:
        if isinstance(binding, InputBinding):
            return f"$inputs.{binding.input}" + (f"#{binding.path}" if binding.path else "")
        if isinstance(binding, StepBinding):
            outputs = self._outputs[binding.step]
            name = next(name for name, part in outputs.items() if part == binding)
            return f"$steps.{self._step_ids[binding.step]}.outputs.{name}"
        raise InvalidInputError(
            f"an output of the plan is {binding!r}; accepted: a step's answer or an input"
        )

    def _source_name(self, server: str, kind: str) -> str:
        if (server, kind) not in self._sources:
            plain = re.sub(r"[^A-Za-z0-9_-]+", "-", server).strip("-") or "tools"
            self._sources[server, kind] = free_name(plain, set(self._sources.values()), joint="-")
        return self._sources[server, kind]

    def _source(self, server: str, kind: str, name: str) -> Json:
        url = self._uris.get(server, "") if kind == "openapi" else ""
        return {
            "name": name,
            "url": url or f"{SERVER_URN}{percent_encoded(server)}",
            "type": kind,
            "x-outfitter-server": server,
        }
