"""Files and folders that hold documents."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.domain.models import SourceId
from app.errors import InvalidInputError, SourceRefusedError
from ingest.cards import source_id
from ingest.sources.texts import check_name


@dataclass(frozen=True, slots=True)
class Input:
    """A file that is to be ingested, and the source that it is."""

    kind: str
    name: str
    path: Path

    @property
    def source(self) -> SourceId:
        """The source's id."""
        return source_id(self.kind, self.name)

    @property
    def uri(self) -> str:
        """Where the file lies, for people and for finding it again."""
        return self.path.resolve().as_uri()


def file_input(kind: str, path: Path, *, name: str | None = None) -> Input:
    """A file under a name, by default its own without the ending."""
    return Input(kind, (name or path.stem).replace("/", "-"), path)


def manifest_inputs(paths: Sequence[Path], *, server: str | None = None) -> list[Input]:
    """The manifests that files and folders hold: of a folder every `*.json`, however deep, by path.

    Raises:
        InvalidInputError: a folder has none, or `server` names more than one file.
    """
    found = [one for path in paths for one in _manifests(path)]
    if server is not None and len(found) > 1:
        raise InvalidInputError(
            f"--server {server!r} would name {len(found)} manifests; accepted: one file with --server"
        )
    return [file_input("manifest", path, name=server) for path in found]


def _manifests(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(one for one in path.rglob("*.json") if one.is_file())
    if not found:
        raise InvalidInputError(f"{path}: the folder has no manifest; accepted: a folder with *.json files")
    return found


def read_file(one: Input, *, max_bytes: int) -> bytes:
    """The bytes of a file.

    Raises:
        SourceRefusedError: it cannot be read, is too large, or its name is no name of a source.
    """
    try:
        check_name(one.name, field=f"{one.path}: the name of the source")
    except InvalidInputError as error:
        raise SourceRefusedError(str(error)) from error
    try:
        size = one.path.stat().st_size
        if size > max_bytes:
            raise SourceRefusedError(
                f"{one.path}: {size:,} bytes; accepted: up to {max_bytes:,} (OUTFITTER_MAX_FILE_BYTES)"
            )
        return one.path.read_bytes()
    except FileNotFoundError as error:
        raise SourceRefusedError(f"{one.path}: no such file; accepted: a file that exists") from error
    except OSError as error:
        raise SourceRefusedError(f"{one.path}: cannot be read: {error.strerror}") from error
