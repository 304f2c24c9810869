"""The pages that every page leads to."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NavEntry:
    """A page in the navigation."""

    name: str
    """Its address below `/ui/`; also what a page calls itself in `here`."""
    label: str
    key: str
    """Pressed after `g`, it leads there."""


ENTRIES = (
    NavEntry("ask", "Ask", "a"),
    NavEntry("tools", "Tools", "t"),
    NavEntry("graph", "Graph", "g"),
    NavEntry("plan", "Plans", "p"),
    NavEntry("sources", "Sources", "s"),
    NavEntry("changes", "Changes", "c"),
    NavEntry("unmet", "Unmet", "u"),
)
