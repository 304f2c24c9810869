"""The terminal as every command writes to it."""

from rich.console import Console


def open_console(*, stderr: bool = False) -> Console:
    """A console that shows texts as they are: `manifest:man:` holds no emoji."""
    return Console(stderr=stderr, emoji=False)
