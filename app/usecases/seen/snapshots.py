"""The snapshot that one caller's answers come from: pinned, so that a whole answer is of one generation."""

from dataclasses import replace

from app.usecases.index.search_index import SearchIndex
from app.usecases.index.snapshots import Health, Snapshot, Snapshots


class SeenSnapshots:
    """Fits `Snapshots`.

    Args:
        keeper: Of everything.
        index: What is visible of one generation.
        snapshot: That generation.
        is_admin: Whether to say what is wrong with the graph.
    """

    def __init__(self, keeper: Snapshots, index: SearchIndex, snapshot: Snapshot, *, is_admin: bool) -> None:
        self._keeper = keeper
        self._snapshot = replace(snapshot, index=index)
        self._is_admin = is_admin

    @property
    def current(self) -> Snapshot:
        """The snapshot to answer from."""
        return self._snapshot

    @property
    def generation(self) -> int:
        """Of it."""
        return self._snapshot.index.generation

    @property
    def index(self) -> SearchIndex:
        """What is visible."""
        return self._snapshot.index

    @property
    def health(self) -> Health:
        """What is known of the graph right now; why it is not well only to those who run it."""
        found = self._keeper.health
        return (
            found if self._is_admin or not found.problem else replace(found, problem="see the service's log")
        )

    def wait(self, timeout_s: float) -> bool:  # noqa: ARG002 - it is there
        """There is a snapshot."""
        return True

    def notice(self, generation: int) -> None:
        """A query saw this generation; another one than the service's is loaded soon."""
        self._keeper.notice(generation)

    def look_soon(self) -> None:
        """A query is answered without the graph."""
        self._keeper.look_soon()

    def lost(self, problem: str) -> None:
        """A query got no answer."""
        self._keeper.lost(problem)


_: type[Snapshots] = SeenSnapshots
