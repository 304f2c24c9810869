"""OpenAPI documents in a folder, separated from the parts that they refer to."""

from pathlib import Path

from app.adapters.documents.structured_text import parse_text
from app.errors import SourceRefusedError

SUFFIXES = {".json", ".yaml", ".yml"}


def openapi_files(folder: Path, *, max_file_bytes: int) -> tuple[list[Path], list[str]]:
    """The documents below a folder, sorted, and a line for each file that is not one.

    A file that cannot be read counts as a document, so that whoever reads it says why it is refused.
    Hidden files and folders are passed over.
    """
    documents: list[Path] = []
    others: list[str] = []
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.suffix.lower() not in SUFFIXES or any(part.startswith(".") for part in inside.parts):
            continue
        if not path.is_file():
            continue
        if path.stat().st_size > max_file_bytes or _may_be_openapi(path):
            documents.append(path)
        else:
            others.append(
                f"{inside}: has no top-level 'openapi' or 'swagger'; taken as a part of other documents"
            )
    return documents, others


def _may_be_openapi(path: Path) -> bool:
    try:
        value = parse_text(path.read_bytes(), name=path.name)
    except SourceRefusedError:
        return True
    return isinstance(value, dict) and ("openapi" in value or "swagger" in value)
