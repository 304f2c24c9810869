"""What of a plan can be called now: what policies let whoever asks call, and what can be reached."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from app.domain.failover.stand_ins import Obstacle
from app.domain.moments import utc_text
from app.domain.nodes.models import NodeKind, Source, SourceId
from app.domain.workflows.plans import NOT_CALLABLE, SOURCE_DOWN
from app.errors import OutfitterError
from app.usecases.seen.provenance import ProvenanceReader

DOWN_AFTER: Final = timedelta(minutes=10)
"""How long the syncs of a source have to fail until it counts as down: one that restarts is not (design, section 2)."""
_LOOK_S: Final = 2.0
"""Between two looks at the sources: what is noticed this late is noticed as late as a change of a policy may be."""


class Outages:
    """The tools that no source can be reached for, looked up when it is asked for; safe to share between threads.

    Args:
        graph: Knows the sources and what they provide.
        now: Seconds since 1970.
        look_s: Seconds between two looks.
    """

    def __init__(
        self,
        graph: ProvenanceReader,
        *,
        now: Callable[[], float] = time.time,
        look_s: float = _LOOK_S,
    ) -> None:
        self._graph = graph
        self._now = now
        self._look_s = look_s
        self._looked_at = float("-inf")
        self._key: tuple[int, tuple[SourceId, ...]] | None = None
        self._down: frozenset[str] = frozenset()
        self._lock = threading.Lock()

    def down(self) -> frozenset[str]:
        """Ids of the tools all of whose sources are down. What was known last, while the graph gives no answer."""
        if self._now() - self._looked_at >= self._look_s and self._lock.acquire(blocking=False):
            try:
                self._look()
            except OutfitterError:
                # Whether a tool is up is not known then; the plan itself says where its edges come from.
                pass
            finally:
                self._looked_at = self._now()
                self._lock.release()
        return self._down

    def _look(self) -> None:
        failing = tuple(one.id for one in self._graph.unhealthy_sources() if self._is_down(one))
        key = (self._graph.state().generation if failing else 0, failing)
        if key == self._key:
            return
        self._down = self._unreachable(failing) if failing else frozenset()
        self._key = key

    def _is_down(self, source: Source) -> bool:
        since = utc_text(datetime.fromtimestamp(self._now(), UTC) - DOWN_AFTER)
        return bool(source.problem_at) and source.problem_at <= since

    def _unreachable(self, failing: tuple[SourceId, ...]) -> frozenset[str]:
        provided = self._graph.provisions(list(failing))
        ids = sorted({one.id for one in provided if one.kind is NodeKind.TOOL and not one.declares})
        others = self._graph.providers(NodeKind.TOOL, ids)
        up = {one.id for one in others if not one.declares and one.source not in failing}
        return frozenset(ids) - up


@dataclass(frozen=True, slots=True)
class CallReach:
    """What whoever asks can call."""

    callable_ids: frozenset[str] | None = None
    """What policies let them call; None: everything."""
    down: Callable[[], frozenset[str]] = frozenset
    """Ids of the tools that cannot be reached now."""
    is_ruled: bool = False
    """Whether policies are about them: then every plan says what of it can be called."""
    is_closed: bool = False
    """Whether their plans have no step that cannot be called, unless they ask for such steps."""
    refuses_high_flows: bool = False
    """Whether policies refuse them plans with a `high` flow."""

    def now(self) -> "CallReachNow":
        """As it is at this moment, for one answer."""
        return CallReachNow(self.callable_ids, self.down())


@dataclass(frozen=True, slots=True)
class CallReachNow:
    """What can be called, of one moment."""

    callable_ids: frozenset[str] | None
    down: frozenset[str]

    def may_call(self, tool: str) -> bool:
        """Whether policies let whoever asks call a tool."""
        return self.callable_ids is None or tool in self.callable_ids

    def obstacle(self, tool: str) -> Obstacle | None:
        """Why a tool cannot be called; None where nothing is known against it."""
        if not self.may_call(tool):
            return NOT_CALLABLE
        return SOURCE_DOWN if tool in self.down else None


EVERYTHING_IN_REACH: Final = CallReach()
