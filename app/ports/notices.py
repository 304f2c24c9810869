"""Who is notified of what happens to the catalogue."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from app.domain.notices import Notice

Notify: TypeAlias = Callable[[Sequence[Notice]], None]
"""Takes notices; returns at once, and raises nothing."""


def notify_nobody(_: Sequence[Notice]) -> None:
    """Where no webhook is set."""
