"""What watches sources, as the service sees it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from app.domain.nodes.models import SourceId


@dataclass(frozen=True, slots=True)
class FollowedSource:
    """A source that is watched, as it stands now."""

    source: SourceId
    due_s: float | None
    """Seconds until it is looked at next, at the latest; None while it is being read or written."""
    failures: int
    """In a row."""
    reports_changes: bool
    """Its server says when something changes; a file is looked at all the time."""


FollowedSources: TypeAlias = Callable[[], tuple[FollowedSource, ...]]
"""The sources that are watched, by id; from any thread."""
