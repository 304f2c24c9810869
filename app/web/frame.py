"""What surrounds every page: where its links lead, what the service is about, how else to get the same."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.service.components import Components
from app.web.addresses import path
from app.web.navigation import ENTRIES, NavEntry
from app.web.static_files import static_version


@dataclass(frozen=True, slots=True)
class ServiceState:
    """How the service is, as every page says it."""

    generation: int | None
    """None: nothing is loaded yet."""
    tools: int
    graph_away: bool
    writing: bool

    @classmethod
    def of(cls, components: Components) -> "ServiceState":
        """As it is now."""
        keeper = components.keeper
        current, health = keeper.current, keeper.health
        return cls(
            generation=current.index.generation if current else None,
            tools=len(current.index.catalogue.tools) if current else 0,
            graph_away=not health.reachable,
            writing=health.writing,
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """`ui` in every template."""

    base: str
    """Where the pages begin, without a slash at the end: `/ui`, behind a prefix `/outfitter/ui`."""
    here: str
    """Name of the page in the navigation; empty where it stands in none."""
    title: str
    fragment: bool
    """Only the main part is asked for."""
    state: ServiceState
    can_leave: bool
    """Whoever looks came in by a token."""
    in_clear: bool
    """What is typed here is sent unencrypted to another machine."""
    json_address: str = ""
    """Where the page's own document is; empty where it has no twin."""
    curls: Sequence[str] = ()
    """The REST calls that give the same."""
    live: str = ""
    """What is said to those who do not see the page change."""
    retry_s: int = 0
    """The page asks again after these seconds; 0: it does not."""

    @property
    def layout(self) -> str:
        """The template that all pages stand in."""
        return "fragment.html" if self.fragment else "page.html"

    @property
    def root(self) -> str:
        """Where the service begins, without a slash at the end."""
        return self.base.removesuffix("/ui")

    @property
    def entries(self) -> Sequence[NavEntry]:
        """What the navigation leads to."""
        return ENTRIES

    def link(self, *segments: str, query: str = "") -> str:
        """The address of a page, such as of `tools` and an id."""
        address = f"{self.base}/{path(*segments)}"
        return f"{address}?{query}" if query else address

    def static(self, name: str) -> str:
        """The address of a static file, good for as long as the file stays as it is."""
        return f"{self.base}/static/{static_version()}/{name}"
