"""What a run of ingest is asked to do, within which bounds, and to whom it says how far it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from app.adapters.sources_file.file import SourcesFile
from app.domain.language.accepted_text import TextLimits
from app.domain.nodes.models import SourceId, Trust
from app.domain.review.records import Decision
from ingest.sources.files import IngestInput


@dataclass(frozen=True, slots=True)
class IngestRequest:
    """What one run is asked to do."""

    inputs: Sequence[IngestInput] = ()
    removals: Sequence[SourceId] = ()
    """Sources that go; in the graph, and not among the inputs."""
    folders: Sequence[Path] = ()
    """Folders whose files the inputs are."""
    listed_in: SourcesFile | None = None
    """The sources file, when the inputs are all that it names."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Places in a sources file that are no entries, with the reason."""
    prune: bool = False
    """Remove sources that are gone from these folders, or this file; otherwise they are reported as kept."""
    allow_shrink: bool = False
    passed_over: Sequence[str] = ()
    """Files of folders that are no documents; for the report."""
    dry_run: bool = False
    decisions: Sequence[Decision] = ()
    """What somebody decided of definitions that are reviewed; then there are no inputs."""
    at: datetime | None = None
    """When the run is said to be; None: now. Two runs of one document at one moment leave the same graph."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a run accepts and how long it waits."""

    limits: TextLimits
    max_file_bytes: int
    lease_wait_s: float
    trust: Trust = Trust.FULL
    """What of a source of tools is served without review, where the source says nothing of that."""


class Progress(Protocol):
    """Called at each step of a run, and for the units of it that are done."""

    def begin(self, step: str, total: int) -> None:
        """A step of this many units begins."""

    def advance(self, units: int) -> None:
        """This many more units are done."""


class NoProgress:
    """Fits `Progress`; shows nothing."""

    def begin(self, step: str, total: int) -> None:
        """Nothing."""

    def advance(self, units: int) -> None:
        """Nothing."""
