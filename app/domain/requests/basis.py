"""What a tool's requests are written from, and what that is called for short."""

import hashlib
import json
from typing import Any

from app.domain.language.visible_text import excerpt, without_hidden
from app.domain.nodes.models import Tool
from app.domain.schemas.walk import parameters

_NAME_CHARS = 120
_DESCRIPTION_CHARS = 1_200
_INPUTS = 20
"""Inputs that are named."""
_INPUT_CHARS = 100


def tool_facts(tool: Tool) -> dict[str, Any]:
    """What of a tool is sent to a model: texts of a stranger, without hidden characters and cut."""
    inputs = parameters(tool.input_schema, nested=0)[:_INPUTS]
    facts = {
        "name": _line(tool.name, _NAME_CHARS),
        "title": _line(tool.title, _NAME_CHARS),
        "description": _line(tool.description, _DESCRIPTION_CHARS),
        "call": _line(f"{tool.method} {tool.path}".strip(), _NAME_CHARS),
        "inputs": [
            ": ".join(filter(None, (_line(one.name, _NAME_CHARS), _line(one.description, _INPUT_CHARS))))
            for one in inputs
        ],
    }
    return {name: value for name, value in facts.items() if value}


def request_basis(tool: Tool) -> str:
    """A digest of what requests for a tool are written from: with another one they may be wrong.

    Its id is no part of it, nor what it answers: requests follow a tool that is renamed with its server alone.
    """
    text = json.dumps(
        [tool.name, tool.title, tool.description, tool.input_schema, tool.method, tool.path],
        ensure_ascii=False,
    )
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _line(text: str, length: int) -> str:
    return excerpt(without_hidden(text[: 4 * length]), length=length)
