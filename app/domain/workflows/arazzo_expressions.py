"""The words of an Arazzo document: names, places, expressions."""

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from app.domain.nodes.models import Tool
from app.domain.schemas.walk import free_name, parsed_schema
from app.domain.workflows.plans import Binding, InputBinding, Plan, PlanStep, StepBinding

Json: TypeAlias = dict[str, Any]
_EXPRESSION_START = re.compile(r"\$[a-zA-Z]|.*\{\$", re.DOTALL)


def inputs_schema(plan: Plan) -> Json:
    """The plan's inputs as a JSON schema."""
    properties = {
        item.name: {
            **({"type": item.type} if item.type else {}),
            **({"description": item.description} if item.description else {}),
            **({"x-outfitter-suggested": True} if item.suggested else {}),
        }
        for item in plan.inputs
    }
    required = [item.name for item in plan.inputs if item.required]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def schema_of(tool: Tool | None) -> Json:
    """The tool's input schema; empty when it has no schema."""
    return parsed_schema(tool.input_schema if tool else "")


def media_type(tool: Tool | None) -> str:
    """How the tool's body is sent."""
    return str(schema_of(tool).get("x-media-type") or "application/json")


def guessed_place(key: str, tool: Tool | None, schema: Json) -> str:
    """Where an input goes that no schema describes."""
    if tool is not None and f"{{{key}}}" in tool.path:
        return "path"
    has_no_room = "x-body" in schema or (tool is not None and tool.method in ("GET", "HEAD", "DELETE"))
    return "query" if has_no_room else "body"


def response_expression(part: StepBinding, *, is_workflow: bool) -> str:
    """Where the value is in the answer of the step that gives it."""
    if part.header:
        return f"$response.header.{part.header}"
    pointer = "/".join("0" if segment == "*" else segment for segment in part.path.split("/"))
    if is_workflow:
        name, _, below = pointer.removeprefix("/").partition("/")
        return f"$outputs.{name}" + (f"#/{below}" if below else "")
    return f"$response.body#{pointer}" if pointer else "$response.body"


def step_id(step: PlanStep) -> str:
    """A readable id that no other step has, because it begins with the position."""
    name = (step.tool_id or step.workflow_id).rpartition("/")[2]
    word = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:60]
    return f"s{step.position}-{word}" if word else f"s{step.position}"


def output_name(part: StepBinding, taken: Mapping[str, StepBinding]) -> str:
    """A readable name that no other output of the step has."""
    words = [
        segment for segment in part.path.split("/") if segment and segment != "*" and not segment.isdigit()
    ]
    plain = part.header or (words[-1] if words else "answer")
    return free_name(re.sub(r"[^A-Za-z0-9_-]+", "_", plain), taken)


def is_reference(binding: Binding) -> bool:
    """Whether the value comes from a step or an input."""
    return isinstance(binding, StepBinding | InputBinding)


def looks_like_expression(value: Any) -> bool:
    """Whether a reader could take a literal value, or a text in it, for an expression or for JSON."""
    if isinstance(value, str):
        return bool(_EXPRESSION_START.match(value)) or value.lstrip().startswith("{")
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(looks_like_expression(item) for item in items)
