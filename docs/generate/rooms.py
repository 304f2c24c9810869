"""The picture of the rooms in docs/architecture.md, drawn from the imports."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import TypeAlias

Graph: TypeAlias = Mapping[str, Set[str]]
"""What each room imports."""

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("app", "ingest")
"""`bench` measures all of it; only the command tree imports it."""
FOUNDATION = frozenset({"app/domain", "app/errors.py", "app/settings.py", "app/logs.py", "app/terminal.py"})
"""What everything may import; arrows to it would hide the others."""
COMPOSITION = "commands and composition"
_COMPOSING = (
    "app/*.py",
    "app/commands",
    "app/roots",
    "app/service",
    "ingest/commands",
    "ingest/wiring.py",
    "ingest/__main__.py",
)
"""What opens adapters and passes them on, and the commands that ask it to."""


def rooms_picture() -> str:
    """A Mermaid flowchart of the rooms: an arrow where a room imports another, those left out that others imply."""
    graph = {
        room: {other for other in found if other not in FOUNDATION}
        for room, found in room_imports().items()
        if room not in FOUNDATION
    }
    arrows = without_implied(graph)
    rooms = sorted({*graph, *(other for found in graph.values() for other in found)})
    return "\n".join(
        [
            "```mermaid",
            "flowchart TD",
            *(f'  {_key(room)}["{room}"]' for room in rooms),
            *(f"  {_key(room)} --> {_key(other)}" for room, other in arrows),
            "```",
        ]
    )


def room_imports() -> dict[str, set[str]]:
    """Which room imports which: the folders of `app` and `ingest`, and the files beside these folders."""
    found: dict[str, set[str]] = {}
    for path in (file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))):
        if path.name == "__init__.py":
            continue
        room = room_of(path.relative_to(ROOT))
        imported = {room_of(other) for other in imported_files(path)}
        found.setdefault(room, set()).update(imported - {room})
    return found


def room_of(path: Path) -> str:
    """`app/domain/nodes/models.py` is in `app/domain`, `app/cli.py` in the composition."""
    if path.as_posix() in FOUNDATION:
        return path.as_posix()
    room = "/".join(path.parts[:2]) if len(path.parts) > 2 else f"{path.parts[0]}/*.py"
    return COMPOSITION if room in _COMPOSING or path.as_posix() in _COMPOSING else room


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
            if name.split(".")[0] in PACKAGES and (ROOT / file).is_file():
                yield file


def without_implied(graph: Graph) -> list[tuple[str, str]]:
    """The arrows of a graph, without those between rooms that a longer way joins as well."""
    kept = {room: set(found) for room, found in graph.items()}
    for room in sorted(kept):
        for other in sorted(kept[room]):
            if _reaches(kept, kept[room] - {other}, other, but=room):
                kept[room].discard(other)
    return [(room, other) for room in sorted(kept) for other in sorted(kept[room])]


def _reaches(graph: Graph, starts: Iterable[str], goal: str, *, but: str) -> bool:
    seen: set[str] = {but}
    todo = list(starts)
    while todo:
        room = todo.pop()
        if room == goal:
            return True
        if room not in seen:
            seen.add(room)
            todo.extend(graph.get(room, ()))
    return False


def _key(room: str) -> str:
    return re.sub(r"\W+", "_", room.replace("*.py", "files"))
