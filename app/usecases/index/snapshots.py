"""The snapshot that answers come from: built beside the requests, swapped whole, kept while the graph is away."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from app.domain.nodes.models import GraphState
from app.errors import NotReadyError, OutfitterError, StoreUnavailableError
from app.ports.graph import CatalogueReader
from app.usecases.index.search_index import SearchIndex

_log = logging.getLogger(__name__)

_FIRST_RETRY_S = 0.1
_LONGEST_RETRY_S = 5.0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One generation in memory."""

    index: SearchIndex
    build_s: float
    """Seconds that reading and indexing took."""
    finished: bool
    """False: an ingest was killed before its end, and this is what it left."""


@dataclass(frozen=True, slots=True)
class Health:
    """What is known of the graph right now."""

    reachable: bool
    writing: bool
    """True while an ingest is at work, or after one was killed."""
    problem: str
    """Why the graph is not reachable, or why there is no newer snapshot; empty when all is well."""


class SnapshotKeeper:
    """Keeps `current` at the graph's generation, in one background thread.

    The thread looks at the graph every `refresh_s`, and at once when `notice` or `lost` is called. While an
    ingest is at work, and while the graph is not reachable, the current snapshot stays. Whatever goes wrong
    is logged and tried again, later each time, up to every 5 s.

    Args:
        reader: reads the graph; used in this thread only.
        refresh_s: seconds between two looks.
        after_swap: called in the thread after each new snapshot.
    """

    def __init__(
        self,
        reader: CatalogueReader,
        *,
        refresh_s: float,
        after_swap: Callable[[], None] = lambda: None,
    ) -> None:
        self._reader = reader
        self._refresh_s = refresh_s
        self._after_swap = after_swap
        self._current: Snapshot | None = None
        self._health = Health(reachable=True, writing=False, problem="")
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="snapshots", daemon=True)

    @property
    def current(self) -> Snapshot | None:
        """The snapshot to answer from; None until the first one is built."""
        return self._current

    @property
    def generation(self) -> int:
        """Of the current snapshot; 0 before the first."""
        return self._current.index.generation if self._current else 0

    @property
    def index(self) -> SearchIndex:
        """The current index.

        Raises:
            NotReadyError: no snapshot has been built yet; the message says why.
        """
        if self._current is None:
            why = self._health.problem or "the first snapshot of the graph is being built"
            raise NotReadyError(f"no tools are loaded yet: {why}; ask again in a moment")
        return self._current.index

    @property
    def health(self) -> Health:
        """What is known of the graph right now."""
        return self._health

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    def stop(self, timeout_s: float = 5.0) -> bool:
        """End the thread; False when it still waits for a graph that hangs. Safe to call twice."""
        self._stopping.set()
        self._wake.set()
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def wait(self, timeout_s: float) -> bool:
        """Wait for the first snapshot; False when the time is over."""
        end = time.monotonic() + timeout_s
        while self._current is None and time.monotonic() < end:
            time.sleep(0.01)
        return self._current is not None

    def notice(self, generation: int) -> None:
        """A query saw this generation; another one than the current is loaded soon."""
        current = self._current
        if current is None or current.index.generation != generation:
            self._wake.set()

    def lost(self, problem: str) -> None:
        """A query got no answer: queries do without the graph until the thread finds it again."""
        if self._health.reachable:
            _log.warning("graph lost", extra={"problem": problem})
            self._health = Health(reachable=False, writing=self._health.writing, problem=problem)
        self._wake.set()

    def _run(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            # Before the look: what is noticed while it runs causes another look.
            self._wake.clear()
            try:
                self._look()
            except NotReadyError as error:
                # An ingest is at work, or began between two reads: not a failure.
                _log.debug("graph changes, no snapshot now", extra={"problem": str(error)})
                self._health = Health(reachable=True, writing=True, problem=str(error))
                self._wait(min(self._refresh_s, _FIRST_RETRY_S), eager=False)
            except StoreUnavailableError as error:
                failures += 1
                self._unreachable(error)
                self._wait(_backoff(failures), eager=False)
            except OutfitterError as error:
                failures += 1
                self._failed(str(error))
                self._wait(_backoff(failures), eager=False)
            except Exception as error:  # noqa: BLE001 - a thread that ends unseen would serve old tools for ever
                failures += 1
                _log.exception("no snapshot: a defect")
                self._health = Health(reachable=True, writing=False, problem=type(error).__name__)
                self._wait(_backoff(failures), eager=False)
            else:
                failures = 0
                self._wait(self._refresh_s, eager=True)

    def _wait(self, seconds: float, *, eager: bool) -> None:
        (self._wake if eager else self._stopping).wait(seconds)

    def _look(self) -> None:
        """Read the graph's state; build a snapshot where its generation is not the current one."""
        state = self._reader.state()
        if not self._health.reachable:
            _log.info("graph found again", extra={"generation": state.generation})
        self._health = Health(reachable=True, writing=state.writing, problem="")
        current = self._current
        if current is None:
            # Nothing to keep: what a killed ingest left is better than no tools at all.
            self._load(state, accept_unfinished=True)
        elif not state.writing and (state.generation != current.index.generation or not current.finished):
            self._load(state, accept_unfinished=False)

    def _load(self, state: GraphState, *, accept_unfinished: bool) -> None:
        begin = time.perf_counter()
        catalogue = self._reader.catalogue(accept_unfinished=accept_unfinished)
        previous = self._current.index if self._current else None
        index = SearchIndex.build(catalogue, previous=previous)
        # Here, and not in the first request for a plan.
        _ = index.plan_index
        build_s = time.perf_counter() - begin
        if self._stopping.is_set():
            return
        self._current = Snapshot(index, build_s=build_s, finished=not state.writing)
        self._after_swap()
        facts = {"generation": index.generation, "tools": len(catalogue.tools), "build_s": round(build_s, 3)}
        _log.info("snapshot loaded", extra=facts)
        if state.writing:
            _log.warning(
                "this is what an ingest left that was killed; run the same ingest again to finish it",
                extra=facts,
            )

    def _unreachable(self, error: StoreUnavailableError) -> None:
        if self._health.reachable or self._health.problem != str(error):
            _log.warning("graph not reachable, answers come from memory", extra={"problem": str(error)})
        self._health = Health(reachable=False, writing=self._health.writing, problem=str(error))

    def _failed(self, problem: str) -> None:
        _log.error("no snapshot", extra={"problem": problem})
        self._health = Health(reachable=True, writing=self._health.writing, problem=problem)


def _backoff(failures: int) -> float:
    """Seconds to wait after this number of failures in a row."""
    # 2 ** 30 is beyond the bound; 2 ** 1024 is beyond a float.
    return float(min(_FIRST_RETRY_S * 2 ** min(failures - 1, 30), _LONGEST_RETRY_S))
