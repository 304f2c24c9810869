"""What a tool costs in a prompt, estimated."""

import json
from collections.abc import Iterable

from app.domain.nodes.models import Tool

BYTES_PER_TOKEN = 4


def definition_bytes(tool: Tool) -> int:
    """Bytes of a tool's definition as compact JSON: `{"name","description","inputSchema"}`, UTF-8."""
    name = json.dumps(tool.name, ensure_ascii=False)
    description = json.dumps(tool.description, ensure_ascii=False)
    schema = tool.input_schema or "{}"
    text = f'{{"name":{name},"description":{description},"inputSchema":{schema}}}'
    return len(text.encode("utf-8", "surrogatepass"))


def estimate_tokens(definitions: Iterable[int]) -> int:
    """Tokens of a list of tool definitions, given the bytes of each: ceil(bytes of compact JSON / 4).

    An estimate: tokenizers differ, and 4 bytes a token is what English text and JSON come to.
    """
    sizes = list(definitions)
    total = 2 + sum(sizes) + max(0, len(sizes) - 1)
    return -(-total // BYTES_PER_TOKEN)
