"""Scripts, styles and the sign of the pages: read once, under an address that changes when any of them does."""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "static"
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
            content := file.read_bytes(),
            gzip.compress(content, mtime=0),
        )
        for file in sorted(FOLDER.iterdir())
        if file.suffix in _MEDIA_TYPES
    }


@cache
def static_version() -> str:
    """A hash of all of them: one for all, because scripts name each other."""
    every = sha256()
    for name, file in static_files().items():
        every.update(name.encode() + b"\0" + sha256(file.content).digest())
    return every.hexdigest()[:16]
