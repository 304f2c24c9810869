"""Scripts, styles and the sign of the pages: read once, under an address that changes when any of them does."""

import gzip
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "static"
_COMMENT: Final = re.compile(rb"^[ \t]*(?://[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)[ \t]*$", re.MULTILINE)
_MEDIA_TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file as it is sent."""

    media_type: str
    content: bytes
    gzipped: bytes


@cache
def static_files() -> Mapping[str, StaticFile]:
    """All files by name."""
    return {
        file.name: StaticFile(
            f"{_MEDIA_TYPES[file.suffix]}; charset=utf-8",
            content := _as_sent(file),
            gzip.compress(content, mtime=0),
        )
        for file in sorted(FOLDER.iterdir())
        if file.suffix in _MEDIA_TYPES
    }


def _as_sent(file: Path) -> bytes:
    """Without comments that have lines of their own, types of our scripts among them; lines keep their numbers."""
    content = file.read_bytes()
    if file.suffix not in {".js", ".css"}:
        return content
    return _COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), content)


@cache
def static_version() -> str:
    """A hash of all of them: one for all, because scripts name each other."""
    every = sha256()
    for name, file in static_files().items():
        every.update(name.encode() + b"\0" + sha256(file.content).digest())
    return every.hexdigest()[:16]
