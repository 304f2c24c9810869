"""What is kept of requests that nothing met: read, and taken away."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

from app.domain.moments import utc_text
from app.domain.unmet.entries import KEPT_DAYS, KEPT_UNMET, UnmetEntry
from app.errors import NotFoundError
from app.ports.graph import GraphWriter


class UnmetStore:
    """The entries of a graph.

    Args:
        graph: Where they are, written under the writer's lease and outside of any generation.
        owner: Makes the name of a writer.
        lease_wait_s: How long a deletion waits for another writer.
    """

    def __init__(self, graph: GraphWriter, *, owner: Callable[[], str], lease_wait_s: float) -> None:
        self._graph = graph
        self._owner = owner
        self._lease_wait_s = lease_wait_s

    def entries(self) -> list[UnmetEntry]:
        """What is kept and not old, what was asked for last first.

        Raises:
            StoreUnavailableError: the graph is away.
        """
        oldest = oldest_kept(datetime.now(UTC))
        return [one for one in self._graph.unmet(KEPT_UNMET) if one.last_at >= oldest]

    def remove(self, ids: Iterable[str]) -> None:
        """Take these entries away.

        Raises:
            NotFoundError: there is no entry with one of the ids; none is taken away.
            LeaseHeldError: another writer is at work.
        """
        asked = list(ids)
        there = {one.id for one in self._graph.unmet(KEPT_UNMET)}
        if missing := sorted(set(asked) - there):
            raise NotFoundError(
                f"no unmet request {missing[0]!r}; `GET /v1/unmet` and `outfitter unmet` list all"
            )
        self._remove(asked)

    def clear(self) -> int:
        """Take all away, old ones too; how many there were."""
        there = [one.id for one in self._graph.unmet(2 * KEPT_UNMET)]
        if there:
            self._remove(there)
        return len(there)

    def _remove(self, ids: list[str]) -> None:
        with self._graph.lease(owner=self._owner(), wait_s=self._lease_wait_s) as lease:
            lease.remove_unmet(ids)


def oldest_kept(now: datetime) -> str:
    """What was asked for last before this is old."""
    return utc_text(now - timedelta(days=KEPT_DAYS))
