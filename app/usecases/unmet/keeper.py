"""Notes requests that nothing met, and writes them in batches, in a thread of its own."""

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from app.answers.search import QueryAnswer
from app.domain.moments import utc_text
from app.domain.unmet.entries import (
    KEPT_UNMET,
    NEAR,
    UnmetEntry,
    UnmetKind,
    UnmetMode,
    UnmetNote,
    added_up,
    kept_of,
)
from app.domain.workflows.plans import Plan
from app.errors import OutfitterError
from app.ports.graph import GraphWriter
from app.usecases.cards import near_tools
from app.usecases.index.snapshots import SnapshotKeeper
from app.usecases.search import MIN_SIMILARITY
from app.usecases.unmet.store import UnmetStore, oldest_kept

_log = logging.getLogger(__name__)
PAUSE_S = 5.0
"""Between two batches; what a killed service has noted since the last one is lost."""
_WAITING = 1_000
"""Notes, and entries made of them, that wait for the graph; when it is away for longer, some are lost."""
_LEASE_WAIT_S = 1.0
"""For another writer; then the batch waits for the next one."""


class UnmetKeeper:
    """Keeps what nothing met.

    Noting costs a request nothing but an entry in a list. Only REST and MCP note; whoever calls `search` or `make_plan`
    otherwise, a page that is typed into or a command, leaves nothing.

    Args:
        graph: Where it is kept.
        snapshots: Whose tools are named as near ones.
        mode: What is kept.
        owner: Makes the name of a writer.
        lease_wait_s: How long a deletion waits for another writer.
        pause_s: Between two batches.
    """

    def __init__(
        self,
        graph: GraphWriter,
        snapshots: SnapshotKeeper,
        *,
        mode: UnmetMode,
        owner: Callable[[], str],
        lease_wait_s: float,
        pause_s: float = PAUSE_S,
    ) -> None:
        self.mode = mode
        self.store = UnmetStore(graph, owner=owner, lease_wait_s=lease_wait_s)
        self._graph = graph
        self._snapshots = snapshots
        self._owner = owner
        self._pause_s = pause_s
        self._notes: deque[UnmetNote] = deque(maxlen=_WAITING)
        self._waiting: list[UnmetEntry] = []
        """Made of notes and not written yet: the graph was away, or somebody else wrote."""
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="unmet", daemon=True)

    def start(self) -> None:
        """Begin; nothing where nothing is kept."""
        if self.mode is not UnmetMode.OFF:
            self._thread.start()

    def stop(self, timeout_s: float = 5.0) -> bool:
        """End after a last batch; False when the graph hangs. Safe to call twice."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def note_search(self, query: str, answer: QueryAnswer) -> None:
        """Note the query if no tool fitted."""
        if answer.abstained:
            self._note(UnmetKind.REQUEST, query, tuple(one.id for one in answer.nearest))

    def note_plan(self, plan: Plan) -> None:
        """Note the parts of its goal for which there is no call."""
        for one in plan.unmet:
            self._note(UnmetKind.TASK, one.task, ())

    def flush(self) -> int:
        """Write what was noted, and take away what is old or too much; how many entries were written.

        Raises:
            OutfitterError: the graph is away, or another writer is at work; what was noted waits.
        """
        heard = [self._notes.popleft() for _ in range(len(self._notes))]
        found = added_up([*self._waiting, *(kept_of(self._with_near(one), self.mode) for one in heard)])
        # Of what waits for too long the most frequent is worth most.
        self._waiting = sorted(found, key=lambda one: -one.count)[:_WAITING]
        if not self._waiting:
            return 0
        self._graph.apply_schema()
        with self._graph.lease(owner=self._owner(), wait_s=_LEASE_WAIT_S) as lease:
            lease.put_unmet(self._waiting)
            written, self._waiting = len(self._waiting), []
            lease.trim_unmet(before=oldest_kept(datetime.now(UTC)), most=KEPT_UNMET)
        return written

    def _note(self, kind: UnmetKind, text: str, near: tuple[str, ...]) -> None:
        if self.mode is not UnmetMode.OFF:
            self._notes.append(UnmetNote(kind, text, utc_text(datetime.now(UTC)), near))

    def _with_near(self, note: UnmetNote) -> UnmetNote:
        """The note with tools whose names are near its text, where it names no other."""
        current = self._snapshots.current
        if note.near or current is None:
            return note
        index = current.index
        near = near_tools(note.text, index=index, view=index.whole, least=MIN_SIMILARITY)
        return replace(note, near=tuple(near[:NEAR]))

    def _run(self) -> None:
        ended = False
        while not ended:
            ended = self._stopping.wait(self._pause_s)
            try:
                self.flush()
            except OutfitterError as error:
                _log.debug("unmet requests wait", extra={"problem": str(error)})
            except Exception:  # noqa: BLE001 - a thread that ends unseen would keep nothing any more
                _log.exception("unmet requests are not kept: a defect")
