"""What keeps the code easy to find one's way in: small folders, names that mean one thing, dependencies in use."""

import ast
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("app", "ingest", "bench")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
MAX_MODULES = 15
"""More cannot be taken in at a glance."""

IMPORTED_AS = {
    "fastapi-swagger": "fastapi_swagger",
    "google-re2": "re2",
    "graph-tool-call": "graph_tool_call",
    "ir-measures": "ir_measures",
    "scikit-learn": "sklearn",
    "neo4j-rust-ext": "neo4j_rust_ext",
    "opentelemetry-api": "opentelemetry",
    "opentelemetry-exporter-otlp-proto-http": "opentelemetry",
    "opentelemetry-sdk": "opentelemetry",
    "prometheus-client": "prometheus_client",
    "pydantic-settings": "pydantic_settings",
    "pyjwt": "jwt",
    "pystemmer": "Stemmer",
    "pyyaml": "yaml",
    "rank-bm25": "rank_bm25",
    "ruamel-yaml": "ruamel",
    "sentence-transformers": "sentence_transformers",
}
"""A distribution whose module has another name."""
NOT_IMPORTED = {
    "fastapi-swagger": "its two files are served, its code is not run",
    "graph-tool-call": "runs in a process of its own, with a Python that may be another",
    "neo4j-rust-ext": "the driver takes it by itself where it is installed",
    "uvloop": "uvicorn takes it by itself where it is installed",
}
"""A dependency that no module imports, and what it is there for."""


BROUGHT_ALONG = {
    "markupsafe": "jinja2",
    "mcp_types": "mcp",
    "pydantic_core": "pydantic",
    "starlette": "fastapi",
}
"""A module that is imported, and the dependency of ours whose interface it is a part of."""


@pytest.mark.parametrize("package", PACKAGES)
def test_a_folder_holds_at_most_fifteen_modules(package: str) -> None:
    """What would be the sixteenth shows which of them belong together."""
    counts = Counter(
        path.parent.relative_to(ROOT).as_posix()
        for path in MODULES
        if path.name != "__init__.py" and path.is_relative_to(ROOT / package)
    )

    assert {folder: count for folder, count in counts.items() if count > MAX_MODULES} == {}


def test_a_public_name_of_a_class_means_one_thing() -> None:
    """A reader who searches for a class, or an alias of a type, finds one."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for name in _public_types(ast.parse(path.read_text(encoding="utf-8"))):
            places[name].append(path.relative_to(ROOT).as_posix())

    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_every_dependency_is_imported_or_has_its_reason() -> None:
    """What nothing uses is installed on every machine all the same."""
    imported = {name for path in MODULES for name in _imported(path)}
    unused = {name for name in _dependencies() if IMPORTED_AS.get(name, name) not in imported}

    assert unused == set(NOT_IMPORTED)


def test_every_import_is_of_a_dependency() -> None:
    """What is there only because something else needs it may go at any time."""
    declared = {IMPORTED_AS.get(name, name) for name in _dependencies()} | {"cypher", "examples", *PACKAGES}
    imported = {name for path in MODULES for name in _imported(path)}

    assert sorted(imported - declared - sys.stdlib_module_names) == sorted(BROUGHT_ALONG)


def _public_types(module: ast.Module) -> Iterator[str]:
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            name = node.name
        elif (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and ast.unparse(node.annotation) == "TypeAlias"
        ):
            name = node.target.id
        else:
            continue
        if not name.startswith("_"):
            yield name


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def _dependencies() -> set[str]:
    """Names of what is installed with the product and with its `bench` extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    stated = [
        *project["dependencies"],
        *(one for extra in project["optional-dependencies"].values() for one in extra),
    ]
    return {re.split(r"[^\w-]", one, maxsplit=1)[0].lower() for one in stated}
