"""Found tools in the forms that models' interfaces take, and the names that they have there."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from app.domain.nodes.models import Tool
from app.domain.schemas.provider_schemas import provider_schema

_META = "outfitter/id"
HINTS = {
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
}
"""MCP's annotation of a tool -> the field that holds it."""


class ToolFormat(StrEnum):
    """How found tools are given."""

    OUTFITTER = "outfitter"
    """As cards: id, texts, score, reasons, schema."""
    MCP = "mcp"
    """As the tool's server lists it; `_meta` has the id."""
    OPENAI = "openai"
    """Function tools of the Responses API."""
    OPENAI_TOOL_SEARCH = "openai_tool_search"
    """Function tools for `tools` of a `tool_search_output` that the client executed."""
    ANTHROPIC = "anthropic"
    """Tools of the Messages API."""
    ANTHROPIC_TOOL_REFERENCE = "anthropic_tool_reference"
    """`tool_reference` blocks for the content of a search tool's `tool_result`."""
    LANGCHAIN = "langchain"
    """Keyword arguments of `StructuredTool`."""


def has_names(form: ToolFormat) -> bool:
    """Whether tools have other names in this form than their servers give them."""
    return form not in {ToolFormat.OUTFITTER, ToolFormat.MCP}


def tool_document(tool: Tool, form: ToolFormat, *, name: str) -> dict[str, Any]:
    """A tool in a form other than `outfitter`. `name` is the one of `provider_names`; `mcp` does not use it."""
    match form:
        case ToolFormat.MCP:
            return _mcp(tool)
        case ToolFormat.OPENAI:
            return _openai(tool, name)
        case ToolFormat.OPENAI_TOOL_SEARCH:
            return {**_openai(tool, name), "defer_loading": True}
        case ToolFormat.ANTHROPIC:
            return anthropic_definition(tool, name=name)
        case ToolFormat.ANTHROPIC_TOOL_REFERENCE:
            return {"type": "tool_reference", "tool_name": name}
        case ToolFormat.LANGCHAIN:
            return {
                "name": name,
                "description": _description(tool),
                "args_schema": provider_schema(tool.input_schema),
                "metadata": {"id": tool.id, "server": tool.server, "annotations": _annotations(tool)},
            }
        case _:
            raise ValueError(f"{form} is made of a whole answer, not of a tool")


def anthropic_definition(tool: Tool, *, name: str, deferred: bool = False) -> dict[str, Any]:
    """A tool of the Messages API. `deferred`: its schema is loaded when a `tool_reference` names it."""
    definition: dict[str, Any] = {
        "name": name,
        "description": _description(tool),
        "input_schema": provider_schema(tool.input_schema),
    }
    return {**definition, "defer_loading": True} if deferred else definition


def _openai(tool: Tool, name: str) -> dict[str, Any]:
    return {
        "type": "function",
        "name": name,
        "description": _description(tool),
        "parameters": provider_schema(tool.input_schema),
        # The interface's default demands that every property is required and no other is allowed.
        "strict": False,
    }


def _mcp(tool: Tool) -> dict[str, Any]:
    texts = {"title": tool.title, "description": tool.description}
    document: dict[str, Any] = {"name": tool.name, **{key: text for key, text in texts.items() if text}}
    document["inputSchema"] = json.loads(tool.input_schema) if tool.input_schema else {"type": "object"}
    if tool.output_schema:
        document["outputSchema"] = json.loads(tool.output_schema)
    annotations = _annotations(tool)
    if annotations:
        document["annotations"] = annotations
    return {**document, "_meta": {_META: tool.id}}


def _annotations(tool: Tool) -> Mapping[str, bool]:
    said = {hint: getattr(tool, field) for hint, field in HINTS.items()}
    return {hint: value for hint, value in said.items() if value is not None}


def _description(tool: Tool) -> str:
    """Providers want one."""
    return tool.description or tool.title or tool.name
