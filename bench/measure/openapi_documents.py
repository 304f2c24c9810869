"""How the OpenAPI reader does on real and on broken documents: `python -m bench.measure.openapi_documents --data FOLDER`.

`FOLDER/specs` holds documents whose numbers of operations are known, `FOLDER/malformed` and
`FOLDER/examples` documents that are read or refused, each within 10 seconds. Exit status 1 when a number
differs, a refusal names no place, or a document takes longer.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from app.commands.terminal import VisibleArguments, open_console, print_whole, write_text
from app.domain.language.accepted_text import TextLimits
from app.domain.nodes.models import EdgeKind, NodeKind
from app.errors import SourceRefusedError
from ingest.cards import Origin, SourceDocument
from ingest.sources.openapi.files import SUFFIXES
from ingest.sources.openapi.reader import parse_openapi

OPERATIONS = {
    "box-3.0.json": 296,
    "discord-3.1.json": 217,
    "docker-2.0.yaml": 107,
    "github-3.0.json": 1030,
    "jira-3.0.json": 588,
    "kubernetes-2.0.yaml": 1067,
    "slack-2.0.json": 174,
    "spotify-3.0.yml": 97,
    "spotify-restbench-3.0.json": 40,
    "stripe-3.0.json": 417,
    "tmdb-3.0.json": 54,
    "twilio-3.0.json": 197,
}
MAX_SECONDS = 10.0
LIMITS = TextLimits(text_bytes=100_000, schema_bytes=1_000_000)


@dataclass(frozen=True, slots=True)
class FileReading:
    """What became of one file."""

    path: Path
    seconds: float
    document: SourceDocument | None
    refusal: str

    @property
    def operations(self) -> int:
        """Tools that were read."""
        return sum(card.kind is NodeKind.TOOL for card in self.document.cards) if self.document else 0

    @property
    def links(self) -> int:
        """Dependencies that the document states."""
        cards = self.document.cards if self.document else ()
        return sum(edge.kind is EdgeKind.REQUIRES for card in cards for edge in card.edges)


def read(path: Path, *, root: Path) -> FileReading:
    """Read one file; a refusal is a result, anything else that is raised is a bug."""
    start = time.perf_counter()
    document, refusal = None, ""
    try:
        document = parse_openapi(
            path.read_bytes(), Origin("openapi", path.stem, str(path), "", LIMITS), root=root
        )
    except SourceRefusedError as error:
        refusal = str(error)
    return FileReading(path, time.perf_counter() - start, document, refusal)


def read_folder(folder: Path) -> Iterator[FileReading]:
    """Every JSON and YAML file below a folder."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in SUFFIXES and path.is_file():
            yield read(path, root=folder)


def problems(readings: Sequence[FileReading], *, folder: Path) -> list[str]:
    """What must not be: a wrong number, a refusal without file or place, a document that takes too long."""
    found = []
    for reading in readings:
        name = str(reading.path.relative_to(folder))
        expected = OPERATIONS.get(reading.path.name)
        if expected is not None and reading.operations != expected:
            found.append(f"{name}: {reading.operations} operations; expected: {expected}")
        if reading.refusal and not reading.refusal.startswith(f"{reading.path.name}:"):
            found.append(f"{name}: the refusal does not begin with the file: {reading.refusal}")
        if reading.seconds > MAX_SECONDS:
            found.append(f"{name}: {reading.seconds:.1f} s; accepted: {MAX_SECONDS:.0f} s")
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables; 1 when something must not be."""
    parser = VisibleArguments(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with specs, malformed and examples")
    data: Path = parser.parse_args(argv).data
    console = open_console()
    bad: list[str] = []
    for part in ("specs", "malformed", "examples"):
        folder = data / part
        if not folder.is_dir():
            write_text(f"{folder}: there is no such folder", stderr=True)
            return 2
        readings = list(read_folder(folder))
        bad += problems(readings, folder=folder)
        print_whole(_table(part, readings))
    for line in bad:
        console.print(line, style="red", markup=False)
    return 1 if bad else 0


def _table(title: str, readings: Sequence[FileReading]) -> Table:
    table = Table(title=title)
    for column in ("document", "operations", "links", "warnings", "seconds"):
        table.add_column(column, justify="left" if column == "document" else "right")
    if title == "specs":
        for reading in readings:
            warnings = len(reading.document.warnings) if reading.document else 0
            table.add_row(
                reading.path.name,
                f"{reading.operations:,}",
                str(reading.links),
                str(warnings),
                f"{reading.seconds:.2f}",
            )
    refused = sum(bool(reading.refusal) for reading in readings)
    label = f"{len(readings)} files, {refused} refused"
    operations = sum(reading.operations for reading in readings)
    links = sum(reading.links for reading in readings)
    slowest = max((reading.seconds for reading in readings), default=0.0)
    table.add_row(label, f"{operations:,}", str(links), "", f"slowest {slowest:.2f}")
    return table


if __name__ == "__main__":
    sys.exit(main())
