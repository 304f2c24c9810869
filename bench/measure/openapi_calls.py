"""Whether every operation of real documents can be called: `python -m bench.measure.openapi_calls --data FOLDER`.

For each operation of `FOLDER/specs` the smallest arguments that fit its input schema are made up, checked as
a call checks them, and built into a request, which is not sent. Exit status 1 when one cannot be built.
"""

import json
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from app.commands.terminal import VisibleArguments, write_text
from app.domain.calling.arguments import problems_of
from app.domain.calling.calls import CallRules
from app.domain.calling.http_calls import http_call
from app.domain.calling.http_requests import request_to, server_of
from app.domain.language.accepted_text import TextLimits
from app.domain.nodes.models import NodeKind, Property
from app.errors import InvalidInputError
from ingest.cards import Origin
from ingest.sources.openapi.files import SUFFIXES
from ingest.sources.openapi.reader import parse_openapi

LIMITS = TextLimits(text_bytes=100_000, schema_bytes=1_000_000)
_DEPTH = 12
_STRINGS = {
    "date": "2026-11-21",
    "date-time": "2026-11-21T00:00:00Z",
    "uuid": "00000000-0000-0000-0000-000000000000",
    "uri": "https://example.com/",
    "email": "a@example.com",
}


def smallest(schema: Any, root: Mapping[str, Any], depth: int = 0) -> Any:
    """A value with as little in it as the schema lets be: required properties, first choices, least lengths."""
    if not isinstance(schema, Mapping) or depth > _DEPTH:
        return "a"
    for keyword in ("const", "default"):
        if schema.get(keyword) is not None:
            return schema[keyword]
    if schema.get("enum"):
        return schema["enum"][0]
    if schema.get("examples"):
        return schema["examples"][0]
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return smallest(root.get("$defs", {}).get(reference.removeprefix("#/$defs/")), root, depth + 1)
    merged = _merged(schema, root)
    for keyword in ("anyOf", "oneOf"):
        if merged.get(keyword) and "properties" not in merged and "type" not in merged:
            return smallest(merged[keyword][0], root, depth + 1)
    stated = merged.get("type", "object" if "properties" in merged else "string")
    return _of_type(stated if isinstance(stated, str) else stated[0], merged, root, depth)


def _merged(schema: Mapping[str, Any], root: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(schema)
    for part in schema.get("allOf", []):
        if isinstance(part, Mapping) and "$ref" in part:
            part = root.get("$defs", {}).get(part["$ref"].removeprefix("#/$defs/"), {})
        inner = _merged(part, root) if isinstance(part, Mapping) else {}
        properties = {**inner.get("properties", {}), **found.get("properties", {})}
        required = [*found.get("required", []), *inner.get("required", [])]
        found = {**inner, **found, **({"properties": properties} if properties else {}), "required": required}
    return found


def _of_type(name: str, schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    if name == "object":
        properties = schema.get("properties", {})
        return {
            key: smallest(properties.get(key), root, depth + 1)
            for key in dict.fromkeys(schema.get("required", []))
        }
    if name == "array":
        return [smallest(schema.get("items", {}), root, depth + 1)] * int(schema.get("minItems", 1))
    if name in ("integer", "number"):
        least = schema.get("minimum", schema.get("exclusiveMinimum", 0))
        return least + 1 if "exclusiveMinimum" in schema else least or min(1, schema.get("maximum", 1))
    if name == "boolean":
        return True
    if name == "null":
        return None
    text = _STRINGS.get(str(schema.get("format")), "a")
    return text.ljust(int(schema.get("minLength", 0)), "a")


def operations(folder: Path) -> Iterator[tuple[str, Mapping[str, Property]]]:
    """Every operation of the documents, with the document's name."""
    for path in sorted(folder.iterdir()):
        if path.suffix in SUFFIXES:
            read = parse_openapi(path.read_bytes(), Origin("openapi", path.stem, str(path), "", LIMITS))
            for card in read.cards:
                if card.kind is NodeKind.TOOL:
                    yield path.name, card.properties


def main() -> int:
    """Build them all; the exit status."""
    parser = VisibleArguments(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    folder = parser.parse_args().data / "specs"
    built = misfits = 0
    failures: list[str] = []
    check_ms: list[float] = []
    build_ms: list[float] = []
    for name, tool in operations(folder):
        text = str(tool.get("input_schema") or "{}")
        schema = json.loads(text)
        arguments = _of_type("object", schema, schema, 0)
        try:
            begin = time.perf_counter()
            problems = problems_of(text, arguments)
            checked = time.perf_counter()
            call = http_call(
                method=str(tool["method"]), path=str(tool["path"]), schema=schema, arguments=arguments
            )
            server = server_of("", CallRules(base_url="https://api.example.com/v1"))
            request = request_to(server, call, ())
        except InvalidInputError as error:
            failures.append(f"{name}: {tool['method']} {tool['path']}: {error}")
            continue
        if "{" in request.target or not request.target.startswith("/v1/"):
            failures.append(f"{name}: {tool['method']} {tool['path']}: {request.target}")
        check_ms.append(1000 * (checked - begin))
        build_ms.append(1000 * (time.perf_counter() - checked))
        built += 1
        misfits += bool(problems)
        if problems:
            write_text(f"made-up arguments do not fit: {name}: {tool['name']}: {problems[0]}")
    check_ms.sort()
    build_ms.sort()
    write_text(
        f"{built:,} of {built + len(failures):,} built; made-up arguments fit {built - misfits:,};"
        f" first check p50 {check_ms[built // 2]:.2f} ms, p99 {check_ms[built * 99 // 100]:.2f} ms, most"
        f" {check_ms[-1]:.1f} ms; building p50 {build_ms[built // 2]:.3f} ms, most {build_ms[-1]:.2f} ms"
    )
    for failure in failures:
        write_text(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
