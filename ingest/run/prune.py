"""Sources that are gone from a folder, or from the sources file."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from app.domain.nodes.models import Source, SourceId
from ingest.sources.files import Input
from ingest.sources_file.file import SourcesFile


def gone_sources(
    sources: Iterable[Source], inputs: Sequence[Input], folders: Iterable[Path]
) -> list[SourceId]:
    """Sources of the inputs' kinds that were ingested from below one of the folders and are not among the inputs."""
    below = tuple(f"{folder.resolve().as_uri()}/" for folder in folders)
    there = {one.source for one in inputs}
    kinds = {one.kind for one in inputs}
    return [
        source.id
        for source in sources
        if source.kind in kinds and source.id not in there and source.uri.startswith(below)
    ]


def unlisted_sources(sources: Iterable[Source], file: SourcesFile) -> list[SourceId]:
    """Sources that this file named and no longer names; empty while an entry of it cannot be determined."""
    if file.broken is None:
        return []
    there = {entry.source for entry in file.entries}
    return [
        source.id
        for source in sources
        if source.listed_in == file.uri and source.id not in there and source.name not in file.broken
    ]
