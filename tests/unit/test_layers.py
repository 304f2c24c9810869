"""The import rules: own packages point inwards, and each outside library has its one place."""

import ast
from collections.abc import Container, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OWN = {"app", "ingest", "bench", "cypher", "examples", "tests"}

DOMAIN = {"app.domain", "app.errors", "app.lexicon"}
PORTS = {*DOMAIN, "app.ports"}
READERS = {"app.adapters.documents", "app.adapters.sources_file"}
EVERYTHING = {"app", "ingest", "bench"}

MAY_IMPORT: dict[str, set[str]] = {
    "app/__init__.py": set(),
    "app/errors.py": set(),
    "app/settings.py": set(),
    # Words as data: what a module would hold as a literal.
    "app/lexicon": {"app.errors", "app.lexicon"},
    "app/domain": DOMAIN,
    "app/ports": {"app.domain", "app.ports"},
    "app/answers": {*DOMAIN, "app.answers"},
    "app/usecases": {*PORTS, "app.answers", "app.usecases"},
    "app/adapters": {*PORTS, "app.adapters"},
    "app/service": {*PORTS, "app.answers", "app.usecases", "app.service"},
    "app/api": {*PORTS, "app.answers", "app.usecases", "app.service", "app.api"},
    # Pages refuse with the statuses of REST.
    "app/web": {*PORTS, "app.answers", "app.usecases", "app.service", "app.api.problems", "app.web"},
    # What is refused before a request is there is answered as everything else is.
    "app/http": {"app.api.answer_headers", "app.api.problems", "app.http"},
    "app/mcp": {*PORTS, "app.answers", "app.usecases", "app.service", "app.mcp"},
    "app/logs.py": {"app.errors", "app.domain"},
    "app/signals.py": set(),
    # Stored workflows are written the same way whoever changes them, or what they call.
    "ingest": {*PORTS, *READERS, "app.usecases.workflow_health", "ingest"},
    # A file of a source may lie in the web.
    "ingest/sources/files.py": {*PORTS, *READERS, "app.adapters.http.fetch", "ingest"},
    "ingest/commands": {*PORTS, "app.commands.options", "ingest"},
    "ingest/commands/progress.py": {"app.commands.terminal", "ingest"},
    "ingest/commands/tables.py": {
        "app.answers",
        "app.commands.terminal",
        "app.usecases",
        "app.domain",
        "ingest",
    },
    # Composition roots: they open adapters and pass them on.
    "app/roots": {"app"},
    "app/roots/service.py": {"app", "ingest.wiring"},
    "app/commands": EVERYTHING,
    "app/commands/options.py": {"app.settings", "app.usecases.questions"},
    "app/commands/answer_tables.py": {"app.answers", "app.domain", "app.commands.terminal"},
    "app/commands/plan_tables.py": {"app.domain", "app.commands.terminal"},
    "app/commands/terminal.py": {"app.domain", "app.errors", "app.signals"},
    "ingest/commands/cli.py": {"app", "ingest"},
    "ingest/wiring.py": {"app", "ingest"},
    "ingest/commands/runs.py": {"app", "ingest"},
    "ingest/commands/backup.py": {"app", "ingest"},
    "ingest/commands/confirm.py": {"app", "ingest"},
    "ingest/commands/review.py": {"app", "ingest"},
    "ingest/commands/enrich.py": {"app", "ingest"},
    "ingest/commands/taxonomy.py": {"app", "ingest"},
    "ingest/commands/graph.py": {"app", "ingest"},
    "ingest/commands/sync.py": {"app", "ingest"},
    "ingest/__main__.py": {"ingest"},
    "bench": EVERYTHING,
}
"""For a file, or else the nearest folder above it: what it may import of our own."""

JOINING = ("app/commands/*.py", "app/roots/*.py")
"""What mounts the commands of ingest, or opens it for the service."""

ONLY_IN: dict[str, tuple[str, ...]] = {
    "neo4j": ("app/adapters/graph/*.py",),
    "arcadedb": ("app/adapters/engine/*.py",),
    "bm25s": ("bench/methods/bm25s.py",),
    "rank_bm25": ("bench/methods/peers.py",),
    "fastapi": ("app/api/*.py", "app/api/routes/*.py", "app/web/*.py", "app/roots/http.py"),
    "sentence_transformers": ("app/adapters/encoders/*.py",),
    "starlette": (
        "app/api/*.py",
        "app/api/routes/*.py",
        "app/web/*.py",
        "app/web/pages/*.py",
        "app/roots/http.py",
    ),
    "jinja2": ("app/web/drawing.py",),
    "markupsafe": ("app/web/strangers.py",),
    "itsdangerous": ("app/web/session.py",),
    # The bench signs what the adapter checks.
    "jwt": ("app/adapters/oidc/*.py", "bench/served/issued.py"),
    "uvicorn": ("app/roots/server.py", "app/http/over_httptools.py"),
    "httptools": ("app/http/over_httptools.py",),
    "pydantic_settings": ("app/settings.py", "app/roots/graph.py"),
    "typer": ("*/commands/*.py",),
    "httpcore2": ("app/adapters/http/guarded.py",),
    "httpx2": ("app/adapters/http/*.py", "app/adapters/mcp/*.py"),
    "mcp": ("app/mcp/*.py", "app/mcp/tools/*.py", "app/adapters/mcp/*.py"),
    "mcp_types": ("app/mcp/*.py", "app/mcp/tools/*.py", "app/adapters/mcp/*.py"),
    "opentelemetry": ("app/ports/spans.py", "app/roots/telemetry/*.py"),
    "orjson": ("app/adapters/documents/structured_text.py",),
    "referencing": ("ingest/sources/openapi/references.py", "app/domain/calling/arguments.py"),
    "jsonschema": ("app/domain/calling/argument*.py",),
    "re2": ("app/domain/calling/arguments.py", "app/domain/findings/patterns.py"),
    "ruamel": ("app/adapters/access_files/callers.py",),
    "yaml": (
        "app/adapters/documents/*.py",
        "ingest/sources/*.py",
        "bench/served/soak.py",
        "bench/sets/taxonomy.py",
    ),
    "dateparser": ("app/domain/reading/dates.py",),
    "ir_measures": ("bench/measure/metrics.py",),
    "playwright": ("bench/served/web_browser.py",),
    "sklearn": ("bench/methods/mixtures.py",),
    "statsmodels": ("bench/measure/statistics.py",),
}
"""An outside library: the files that may import it."""

DOMAIN_LIBRARIES = {"dateparser", "pydantic", "numpy", "scipy", "Stemmer", "jsonschema", "re2", "referencing"}
"""Values and arithmetic; nothing that opens a file or a connection."""

DOMAIN_STANDARD = {
    # Texts of credentials and files; a boundary that no part of a body has.
    *("base64", "binascii", "secrets"),
    *(
        "abc",
        "array",
        "bisect",
        "collections",
        "copy",
        "dataclasses",
        "difflib",
        "enum",
        "functools",
        "hashlib",
        "heapq",
    ),
    # Days and times from those that a caller passes on.
    *("datetime", "zoneinfo"),
    # Of addresses their form only.
    *("ipaddress", "urllib"),
    *(
        "itertools",
        "json",
        "math",
        "operator",
        "re",
        "reprlib",
        "string",
        "threading",
        "types",
        "typing",
        "unicodedata",
        "weakref",
    ),
}


@pytest.mark.parametrize(
    "file", sorted(ROOT.glob("app/**/*.py")) + sorted(ROOT.glob("ingest/**/*.py")), ids=str
)
def test_own_imports_point_inwards(file: Path) -> None:
    """A module imports only what its row names."""
    allowed = _row(file)

    broken = [name for name in _imports(file) if _top(name) in OWN and not _within(name, allowed)]

    assert broken == [], f"{file.relative_to(ROOT)} may import {sorted(allowed)}"


def test_app_imports_ingest_only_where_commands_and_the_service_are_put_together() -> None:
    """Ingest stands on app: what both need is in app, and a change of ingest changes nothing below it."""
    importing = {
        str(file.relative_to(ROOT))
        for file in ROOT.glob("app/**/*.py")
        if any(_top(name) == "ingest" for name in _imports(file))
    }

    assert [file for file in sorted(importing) if not any(Path(file).match(place) for place in JOINING)] == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Each file can be read and understood after those that it imports."""
    files = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in _shipped()}
    imported = {
        module: {found for name in _imports(ROOT / path) if (found := _module(name, files)) != module}
        for module, path in files.items()
    }

    TopologicalSorter(imported).prepare()  # raises CycleError, with the circle


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_is_imported_in_its_place_only(library: str) -> None:
    """What talks to the outside can be exchanged, because few files know it."""
    strangers = [
        str(path)
        for path in _shipped()
        if any(_top(name) == library for name in _imports(ROOT / path))
        and not any(path.match(pattern) for pattern in ONLY_IN[library])
    ]

    assert strangers == []


def test_the_domain_does_no_input_or_output() -> None:
    """The domain imports values and arithmetic only."""
    allowed = DOMAIN_STANDARD | DOMAIN_LIBRARIES | OWN

    broken = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in ROOT.glob("app/domain/**/*.py")
        for name in _imports(file)
        if _top(name) not in allowed
    }

    assert broken == set()


def test_every_row_names_something_that_exists_or_will() -> None:
    """A misspelt row would protect nothing."""
    folders = {"app", "ingest", "bench"}

    assert {row.split("/")[0] for row in MAY_IMPORT} == folders
    assert _row(ROOT / "app/domain/nodes/models.py") == DOMAIN
    assert _row(ROOT / "app/adapters/graph/store.py") == MAY_IMPORT["app/adapters"]


def _shipped() -> list[Path]:
    return [
        file.relative_to(ROOT)
        for folder in ("app", "ingest", "bench")
        for file in sorted((ROOT / folder).rglob("*.py"))
    ]


def _row(file: Path) -> set[str]:
    path = file.relative_to(ROOT)
    place = next((place for place in (path, *path.parents) if str(place) in MAY_IMPORT), None)
    assert place is not None, f"{path} has no row in MAY_IMPORT"
    return MAY_IMPORT[str(place)]


def _imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _module(name: str, files: Container[str]) -> str:
    """The module that an imported name is, or is in; outside modules are as they are."""
    return name if name in files else name.rpartition(".")[0] or name


def _top(name: str) -> str:
    return name.partition(".")[0]


def _within(name: str, allowed: set[str]) -> bool:
    return any(name == place or name.startswith(f"{place}.") for place in allowed)
