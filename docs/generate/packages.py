"""The picture of the packages in docs/architecture.md, drawn from the imports."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import TypeAlias

Graph: TypeAlias = Mapping[str, Set[str]]
"""What each package imports."""

ROOT = Path(__file__).resolve().parents[2]
TOP_LEVEL = ("app", "ingest")
"""`bench` measures all of it; only the command tree imports it."""
FOUNDATION = frozenset(
    {
        "app/domain",
        "app/errors.py",
        "app/lexicon",
        "app/settings.py",
        "app/logs.py",
        "app/signals.py",
        "app/commands/terminal.py",
    }
)
"""What everything may import; arrows to it would hide the others."""
COMPOSITION = "commands and composition"
_COMPOSING = (
    "app/*.py",
    "app/commands",
    "app/roots",
    "ingest/commands",
    "ingest/wiring.py",
    "ingest/__main__.py",
)
"""What opens adapters and passes them on, and the commands that ask it to."""


def packages_picture() -> str:
    """A Mermaid flowchart of the packages: an arrow where a package imports another, those left out that others imply."""
    graph = {
        package: {other for other in found if other not in FOUNDATION}
        for package, found in package_imports().items()
        if package not in FOUNDATION
    }
    arrows = without_implied(graph)
    packages = sorted({*graph, *(other for found in graph.values() for other in found)})
    return "\n".join(
        [
            "```mermaid",
            "flowchart TD",
            *(f'  {_key(package)}["{package}"]' for package in packages),
            *(f"  {_key(package)} --> {_key(other)}" for package, other in arrows),
            "```",
        ]
    )


def package_imports() -> dict[str, set[str]]:
    """Which package imports which: the folders of `app` and `ingest`, and the files beside these folders."""
    found: dict[str, set[str]] = {}
    for path in (file for package in TOP_LEVEL for file in sorted((ROOT / package).rglob("*.py"))):
        if path.name == "__init__.py":
            continue
        package = package_of(path.relative_to(ROOT))
        imported = {package_of(other) for other in imported_files(path)}
        found.setdefault(package, set()).update(imported - {package})
    return found


def package_of(path: Path) -> str:
    """`app/domain/nodes/models.py` is in `app/domain`, `app/commands/main.py` in the composition."""
    if path.as_posix() in FOUNDATION:
        return path.as_posix()
    package = "/".join(path.parts[:2]) if len(path.parts) > 2 else f"{path.parts[0]}/*.py"
    return COMPOSITION if package in _COMPOSING or path.as_posix() in _COMPOSING else package


def imported_files(path: Path) -> Iterator[Path]:
    """Files of our own that a file imports, wherever in it; for typing alone, too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            file = Path(*name.split(".")).with_suffix(".py")
            if name.split(".")[0] in TOP_LEVEL and (ROOT / file).is_file():
                yield file


def without_implied(graph: Graph) -> list[tuple[str, str]]:
    """The arrows of a graph, without those between packages that a longer way joins as well."""
    kept = {package: set(found) for package, found in graph.items()}
    for package in sorted(kept):
        for other in sorted(kept[package]):
            if _reaches(kept, kept[package] - {other}, other, but=package):
                kept[package].discard(other)
    return [(package, other) for package in sorted(kept) for other in sorted(kept[package])]


def _reaches(graph: Graph, starts: Iterable[str], goal: str, *, but: str) -> bool:
    seen: set[str] = {but}
    todo = list(starts)
    while todo:
        package = todo.pop()
        if package == goal:
            return True
        if package not in seen:
            seen.add(package)
            todo.extend(graph.get(package, ()))
    return False


def _key(package: str) -> str:
    return re.sub(r"\W+", "_", package.replace("*.py", "files"))
