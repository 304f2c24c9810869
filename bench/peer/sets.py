"""The nine sets of graph-tool-call: MCP answers and OpenAPI documents with labelled queries."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from app.domain.nodes.models import Tool
from bench.sets.datasets import Dataset, Question, catalogue_of, plain_tool, require, schema_text, tool_of

_OPENAPI = {
    "petstore": "petstore3",
    "ecommerce": "ecommerce",
    "github": "github_subset",
    "k8s": "k8s_core_v1",
}
_MCP = {
    "playwright": ("playwright",),
    "mixed_mcp": ("filesystem", "github"),
    "multi_mcp": ("playwright", "filesystem", "github"),
    "cli_agent": ("filesystem", "git", "docker", "shell", "github"),
}
_FULL = "github_full"
_FOLDER = ("bench", "graph_tool_call")
_FULL_DOCUMENT = ("openapi", "specs", "github-3.0.json")
PREFIX = "gtc:"
"""Of the names of the nine sets."""
PEER_SETS = (*_OPENAPI, *_MCP, _FULL)

_VERBS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_SUCCESS = ("200", "201", "202")
_MAX_REFERENCES = 5


def peer_set(data: Path, name: str) -> Dataset:
    """One of the nine; labels that no tool can match stay in, deprecated operations too."""
    if name == _FULL:
        labels = require(data, *_FOLDER, "fixtures", "github_full_ground_truth.json")
        tools = list(openapi_tools(_read(require(data, *_FULL_DOCUMENT))))
    else:
        labels = require(data, *_FOLDER, "ground_truth", f"{name}.json")
        if name in _OPENAPI:
            tools = list(openapi_tools(_read(require(data, *_FOLDER, "specs", f"{_OPENAPI[name]}.json"))))
        else:
            tools = [
                tool_of({**row, "id": row["name"], "server": server})
                for server in _MCP[name]
                for row in _read(require(data, *_FOLDER, "mcp_tools", f"{server}.json"))["tools"]
            ]
    questions = tuple(
        Question(f"{name}-{number}", row["query"], tuple(dict.fromkeys(row["expected_tools"])), {}, "")
        for number, row in enumerate(_read(labels)["queries"])
    )
    return Dataset(f"{PREFIX}{name}", catalogue_of(tools), questions)


def peer_document(data: Path, name: str) -> Path | None:
    """The OpenAPI document of `gtc:NAME`, if it is made from one."""
    own = name.removeprefix(PREFIX) if name.startswith(PREFIX) else ""
    if own == _FULL:
        return require(data, *_FULL_DOCUMENT)
    return require(data, *_FOLDER, "specs", f"{_OPENAPI[own]}.json") if own in _OPENAPI else None


def openapi_tools(document: Mapping[str, Any]) -> Iterator[Tool]:
    """The operations of an OpenAPI document, parameters and the body's first level as one flat schema."""
    for path, item in document["paths"].items():
        for verb in _VERBS:
            if verb in item:
                yield _operation(document, path, verb, item)


def _operation(document: Mapping[str, Any], path: str, verb: str, item: Mapping[str, Any]) -> Tool:
    operation = item[verb]
    summary, description = operation.get("summary") or "", operation.get("description") or ""
    both = summary and description and summary != description
    inputs: dict[str, Any] = {}
    for reference in [*item.get("parameters", []), *operation.get("parameters", [])]:
        parameter = _resolve(document, reference)
        if parameter.get("in") == "body":
            inputs |= _properties(document, parameter.get("schema", {}))
        else:
            schema = _resolve(document, parameter.get("schema", parameter))
            inputs[parameter.get("name", "")] = {
                "description": str(parameter.get("description") or ""),
                "enum": schema.get("enum", []),
            }
    body = _resolve(document, operation.get("requestBody", {}))
    inputs |= _properties(document, _first_content(body))
    identifier = operation.get("operationId") or f"{verb}_{path}"
    return plain_tool(
        id=identifier,
        server=" ".join(operation.get("tags", [])[:1]),
        name=identifier,
        description=f"{summary} — {description}" if both else summary or description,
        input_schema=schema_text({"type": "object", "properties": inputs}),
        output_schema=schema_text({"type": "object", "properties": _outputs(document, operation)}),
        method=verb.upper(),
        path=path,
    )


def _outputs(document: Mapping[str, Any], operation: Mapping[str, Any]) -> dict[str, Any]:
    for status in _SUCCESS:
        response = _resolve(document, operation.get("responses", {}).get(status, {}))
        outputs = _properties(document, response.get("schema") or _first_content(response))
        if outputs:
            return outputs
    return {}


def _first_content(body: Mapping[str, Any]) -> Mapping[str, Any]:
    content: Mapping[str, Any] = next(iter((body.get("content") or {}).values()), {})
    schema: Mapping[str, Any] = content.get("schema", {})
    return schema


def _properties(document: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    schema = _resolve(document, schema)
    if schema.get("type") == "array":
        schema = _resolve(document, schema.get("items", {}))
    properties = {}
    for name, value in (schema.get("properties") or {}).items():
        resolved = _resolve(document, value)
        properties[name] = {
            "description": str(resolved.get("description") or ""),
            "enum": resolved.get("enum") or [],
        }
    return properties


def _resolve(document: Mapping[str, Any], value: Any) -> Mapping[str, Any]:
    for _ in range(_MAX_REFERENCES):
        if not isinstance(value, dict) or "$ref" not in value:
            break
        found: Any = document
        for step in str(value["$ref"]).removeprefix("#/").split("/"):
            found = (
                found.get(step.replace("~1", "/").replace("~0", "~"), {}) if isinstance(found, dict) else {}
            )
        value = found
    return value if isinstance(value, dict) else {}


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
