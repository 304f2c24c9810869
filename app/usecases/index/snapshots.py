"""The snapshot that answers come from: built beside the requests, swapped whole, kept while the graph is away."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.domain.catalogue import Catalogue
from app.domain.changes import CataloguePart
from app.domain.nodes.models import GraphState
from app.errors import NotReadyError, OutfitterError, StoreUnavailableError
from app.ports.graph import CatalogueReader
from app.ports.snapshots import KeptState, SnapshotMaker, SnapshotStore
from app.usecases.index.changed import changed_index
from app.usecases.index.encoding import LOOKED_FOR, ToolEncoder
from app.usecases.index.kept import NamedArrays, arrays_of, index_of, latest_kept
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.settling import PATIENT_S, Settling, is_pressing

_log = logging.getLogger(__name__)

SMALL = 2_000
"""Tools that are counted together at once whenever one has changed, which takes milliseconds."""
_KEPT_EVERY = 8
"""Generations after which a snapshot is kept again: far fewer than the graph names the changes of (`GENERATIONS_KEPT`)."""
_FEW_PARTS = 2
"""Parts that may be taken in while others wait for it."""
_ENCODING_PAUSE_S = 0.1
_ENCODING_RETRY_S, _LONGEST_ENCODING_RETRY_S = 5.0, 600.0
"""An endpoint that is away is asked again this soon, then after twice as long each time."""
_TRIES = 3
"""Of another process, whose reading an ingest may break off, before all tools are counted together here."""
_WRITTEN_LOOK_S = 0.05
"""A graph that is being written is looked at this often: answers do not ask it meanwhile, so none brings the news."""
_LOOK_GAP_S = 0.05
"""Between two looks that queries ask for: a change is in answers as soon as people notice anything, and hundreds of queries a
second do not each cost the engine a question."""
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
    taken_at: float
    """When this generation was taken in; seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Health:
    """What is known of the graph right now."""

    reachable: bool
    writing: bool
    """True while an ingest is at work, or after one was killed."""
    problem: str
    """Why the graph is not reachable, or why there is no newer snapshot; empty when all is well."""


class Snapshots(Protocol):
    """What answers come from, and what is known of the graph."""

    @property
    def current(self) -> Snapshot | None:
        """The snapshot to answer from; None until the first one is there."""

    @property
    def generation(self) -> int:
        """Of the current snapshot; 0 before the first."""

    @property
    def index(self) -> SearchIndex:
        """The current index.

        Raises:
            NotReadyError: nothing is loaded yet; the message says why.
        """

    @property
    def health(self) -> Health:
        """What is known of the graph right now."""

    def wait(self, timeout_s: float) -> bool:
        """Wait for the first snapshot; False when the time is over."""

    def notice(self, generation: int) -> None:
        """A query saw this generation."""

    def look_soon(self) -> None:
        """A query is answered without the graph: whether that has moved on is looked up beside it."""

    def lost(self, problem: str) -> None:
        """A query got no answer."""


class SnapshotKeeper:
    """Keeps `current` at the graph's generation, in one background thread.

    The thread looks at the graph every `refresh_s`, at once when `notice` or `lost` is called, and soon when
    `look_soon` is. While an ingest is at work, and while the graph is not reachable, the current snapshot stays.
    Whatever goes wrong is logged and tried again, later each time, up to every 5 s.

    Of a large catalogue only what changed is read and taken in. All tools are counted together again by a second thread,
    or by another process that it waits for: soon where weights or the next change would suffer else, or where the kept
    snapshot falls behind, and otherwise once nothing has changed for a while. Whoever is further behind than the graph
    says builds from the whole.

    Args:
        reader: reads the graph; used in this thread only.
        refresh_s: seconds between two looks.
        settle_memory: called after each new snapshot, and when all tools were read, in the thread that did it.
        small: number of tools up to which all are counted together at each change, and nothing is kept.
        store: keeps indexes for the next start; without one every start reads and analyses all tools.
        encoder: gives each index the vectors of its tools; without one rankings are by words and graph.
        maker: builds an index of more tools than `small` elsewhere and keeps it in the store; without one it is built
            here, and the memory that building takes stays with the process.
        patient_s: seconds without a change after which all tools are counted together though nothing presses for it.
    """

    def __init__(
        self,
        reader: CatalogueReader,
        *,
        refresh_s: float,
        settle_memory: Callable[[], None] = lambda: None,
        small: int = SMALL,
        store: SnapshotStore | None = None,
        encoder: ToolEncoder | None = None,
        maker: SnapshotMaker | None = None,
        patient_s: float = PATIENT_S,
    ) -> None:
        self._reader = reader
        self._maker = maker
        self._refresh_s = refresh_s
        self._settle_memory = settle_memory
        self._small = small
        self._store = store
        self._kept: KeptState | None = None
        """The last state that is known to be kept."""
        self._keeps_vectors = False
        """Whether it is kept with the vectors of its tools."""
        self._encoder = encoder
        self._settling = Settling(self._settle, patient_s=patient_s)
        self._maker_fits = encoder is None or encoder.keeps_vectors
        """Whether what it makes is of use here: it has the vectors, and is of this release though that was replaced meanwhile."""
        self._failed_makes = 0
        self._is_made = False
        """Whether there is a snapshot that another process has kept for this one to take."""
        self._encoding = Settling(self._encode, quiet_s=_ENCODING_PAUSE_S)
        self._encoding_retry_s = _ENCODING_RETRY_S
        self._is_settling = False
        self._meanwhile: list[CataloguePart] = []
        """What was taken in while a settling is at work."""
        self._swapping = threading.Lock()
        self._current: Snapshot | None = None
        self._health = Health(reachable=True, writing=False, problem="")
        self._wake = threading.Event()
        self._looked_at = 0.0
        """When the last look began, by the monotonic clock."""
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
        ended = [self._settling.stop(timeout_s), self._encoding.stop(timeout_s)]
        return all(ended) and not self._thread.is_alive()

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

    def look_soon(self) -> None:
        """A query is answered without the graph; the thread looks at it, a moment later where it has done so just now."""
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
                written = self._health.writing
                self._wait(min(self._refresh_s, _WRITTEN_LOOK_S) if written else self._refresh_s, eager=True)

    def _wait(self, seconds: float, *, eager: bool) -> None:
        if not eager:
            self._stopping.wait(seconds)
        elif self._wake.wait(seconds):
            self._stopping.wait(max(0.0, self._looked_at + _LOOK_GAP_S - time.monotonic()))

    def _look(self) -> None:
        """Read the graph's state; build a snapshot where its generation is not the current one."""
        self._looked_at = time.monotonic()
        state = self._reader.state()
        if not self._health.reachable:
            _log.info("graph found again", extra={"generation": state.generation})
        self._health = Health(reachable=True, writing=state.writing, problem="")
        current = self._current
        if current is None:
            # Without any: what a killed ingest left is better than no tools at all.
            if not self._load_kept(state):
                self._load(state, accept_unfinished=True)
        elif not state.writing and (not _is_of(state, current.index) or not current.finished):
            self._load(state, accept_unfinished=False)
        elif self._is_made and not state.writing:
            self._take_made(state)

    def _load_kept(self, state: GraphState, *, but: KeptState | None = None) -> bool:
        """Take what was kept of this state of the graph, or of an earlier one with what changed since; not what is left out."""
        begin = time.perf_counter()
        found = latest_kept(state, self._reader, self._store) if self._store is not None else None
        if found is None or found[0] == but:
            return False
        kept, index = found
        with self._swapping:
            if self._stopping.is_set():
                return True
            self._kept, self._keeps_vectors = kept, index.meaning.vectors is not None
            if self._current is not None and _is_of(index.catalogue, self._current.index):
                index.meaning.take_from(self._current.index.meaning)
            self._swap(index, begin, finished=True)
        self._wish_settling(index)
        return True

    def _take_made(self, state: GraphState) -> None:
        """Go on from what another process has kept, of whose memory this one keeps none."""
        self._is_made = False
        vectors = self._current.index.meaning.vectors if self._current is not None else None
        had_vectors = vectors is not None and not vectors.missing.size
        if not self._load_kept(state, but=self._kept):
            _log.warning("a snapshot was made, and cannot be had", extra={"generation": state.generation})
            self._maker_fits = False
            self._settling.wish()
        elif had_vectors and not self._keeps_vectors:
            self._maker_fits = False

    def _wish_settling(self, index: SearchIndex) -> None:
        if not index.is_settled:
            self._settling.wish(pressing=is_pressing(index) or self._is_due(index))

    def _kept_states(self, store: SnapshotStore) -> list[KeptState]:
        try:
            return store.states()
        except Exception:  # noqa: BLE001 - a build does without what is kept
            _log.exception("kept snapshots cannot be listed: a defect")
            return []

    def _load(self, state: GraphState, *, accept_unfinished: bool) -> None:
        begin = time.perf_counter()
        try:
            part = None if accept_unfinished else self._changed_part()
            taken_in = part is not None and self._take_in(part, begin)
        except OutfitterError:
            raise
        except Exception:  # noqa: BLE001 - a build from the whole does without the part
            _log.exception("what changed is not taken in: a defect")
            taken_in = False
        if not (taken_in or self._stopping.is_set() or self._made_elsewhere(state)):
            self._build(state, begin, accept_unfinished=accept_unfinished)

    def _changed_part(self) -> CataloguePart | None:
        """What changed since the current snapshot; None when the graph cannot say, or all was to be built anyway."""
        current = self._current
        if current is None or not current.finished:
            return None
        catalogue = current.index.catalogue
        changes = self._reader.changes(catalogue.generation, stamp=catalogue.stamp)
        return self._reader.part(changes) if changes is not None else None

    def _take_in(self, part: CataloguePart, begin: float) -> bool:
        """Swap in the index with this part; False when it is to be built from the whole."""
        with self._swapping:
            current = self._current
            if current is None or self._stopping.is_set():
                return False
            is_small = len(current.index.catalogue.tools) <= self._small
            index = changed_index(current.index, part)
            if index is None:
                return False
            if is_small:
                index = index.settled()
            self._swap(index, begin, finished=True)
            if self._is_settling:
                self._meanwhile.append(part)
        if not is_small:
            self._wish_settling(index)
        return True

    def _made_elsewhere(self, state: GraphState) -> bool:
        """Have a large index built and kept by another process, and take that."""
        maker, store = self._maker, self._store
        if maker is None or store is None or state.writing or not store.can_keep():
            return False
        if self._reader.tool_count() <= self._small:
            return False
        if not maker.make(goes_on=self._goes_on):
            return False
        # A later generation may have come meanwhile.
        return self._load_kept(self._reader.state())

    def _build(self, state: GraphState, begin: float, *, accept_unfinished: bool) -> None:
        catalogue = self._reader.catalogue(accept_unfinished=accept_unfinished)
        # Else the collector walks them again and again while the index is built.
        self._settle_memory()
        index = SearchIndex.build(catalogue)
        with self._swapping:
            if self._stopping.is_set():
                return
            # Little beside what was built: the first answers are by meaning where vectors are kept.
            self._swap(index, begin, finished=not state.writing, looked_for=None)
        if len(catalogue.tools) > self._small:
            self._settling.wish()
        if state.writing:
            _log.warning(
                "this is what an ingest left that was killed; run the same ingest again to finish it",
                extra={"generation": index.generation, "tools": len(catalogue.tools)},
            )

    def _goes_on(self) -> bool:
        return not self._stopping.is_set()

    def _settle(self) -> None:
        """Have all tools counted together again, while queries come from what there is; keep the result where that is due."""
        if not self._is_left_to_maker() and self._counted_together():
            # Only now the index before is gone, whose memory is the largest part of what goes back.
            self._settle_memory()

    def _is_left_to_maker(self) -> bool:
        """Whether another process has counted all tools together and kept that, or will try once more."""
        if self._current is None or self._maker is None or not self._is_for_maker(self._current):
            return False
        # One that waits for the graph to be written will do.
        if self._is_made or self._maker.make(goes_on=self._goes_on, in_background=True):
            self._failed_makes = 0
            self._is_made = True
            self._wake.set()
            return True
        self._failed_makes = (self._failed_makes + 1) % _TRIES
        if self._failed_makes:
            self._settling.wish()
        return bool(self._failed_makes)

    def _is_for_maker(self, current: Snapshot) -> bool:
        """Whether another process is to count all tools together, for the thread that reads to take what it keeps."""
        if not (current.finished and self._maker_fits and self._store is not None):
            return False
        if current.index.is_settled and not self._is_due(current.index):
            return False
        return self._store.can_keep()

    def _counted_together(self) -> bool:
        """Whether there was anything to do."""
        with self._swapping:
            current = self._current
            if current is None:
                return False
            self._meanwhile.clear()
            self._is_settling = True
        try:
            begin = time.perf_counter()
            index = current.index.settled()
            if current.finished and self._is_due(index):
                index = self._packed(index)
            is_new = index is not current.index
            if is_new:
                self._follow(index, begin)
            return is_new
        finally:
            with self._swapping:
                self._is_settling = False
                self._meanwhile.clear()

    def _is_due(self, index: SearchIndex) -> bool:
        """Whether an index is far enough from the last kept one: each is as large as the catalogue."""
        if len(index.catalogue.tools) <= self._small:
            return False
        return self._kept is None or not 0 <= index.generation - self._kept.generation < _KEPT_EVERY

    def _packed(self, index: SearchIndex) -> SearchIndex:
        """The index in arrays: mapped from a file where one can be kept, else in memory; the same where that fails."""
        state = KeptState(index.generation, index.catalogue.stamp)
        try:
            arrays = arrays_of(index)
            # Whether or not it is kept: it is not tried again at each change.
            self._kept = state
            found = index_of(self._mapped(state, arrays) or arrays)
            self._keeps_vectors = found.meaning.vectors is not None
        except Exception:  # noqa: BLE001 - answers go on from the index that was built
            _log.exception("index is not packed: a defect")
            return index
        found.meaning.take_from(index.meaning)
        return found

    def _mapped(self, state: KeptState, arrays: NamedArrays) -> NamedArrays | None:
        """The arrays mapped from a file, which another process may have written already."""
        if self._store is None:
            return None
        found = self._store.load(state)
        if found is not None and not arrays.keys() <= found.keys():
            found = None
        if found is None and self._store.keep(state, arrays):
            found = self._store.load(state)
        return found

    def _follow(self, index: SearchIndex, begin: float) -> None:
        """Apply what came while an index was made, and swap it in; most of it without keeping others waiting."""
        latest: SearchIndex | None = index
        done = 0
        while True:
            with self._swapping:
                parts = self._meanwhile[done:]
            if len(parts) <= _FEW_PARTS:
                break
            latest = _followed(latest, parts)
            done += len(parts)
        with self._swapping:
            newest = self._current
            latest = _followed(latest, self._meanwhile[done:])
            if newest is None or self._stopping.is_set():
                return
            if latest is None or not _is_of(latest.catalogue, newest.index):
                # Built from the whole meanwhile, or too much came.
                return
            self._swap(latest, begin, finished=newest.finished)
        if latest is not index:
            self._settling.wish()

    def _swap(
        self, index: SearchIndex, begin: float, *, finished: bool, looked_for: int | None = LOOKED_FOR
    ) -> None:
        before = self._current
        if before is not None:
            index.take_plan_index(index.plan_index.after(before.index.plan_index))
        # Here, and not in the first request for a plan, or for tools.
        index.plan_index.prepare()
        index.whole.prepare()
        self._give_meaning(index, looked_for)
        build_s = time.perf_counter() - begin
        is_same = before is not None and before.index.generation == index.generation
        taken_at = before.taken_at if before is not None and is_same else time.time()
        self._current = Snapshot(index, build_s=build_s, finished=finished, taken_at=taken_at)
        self._settle_memory()
        facts = {"generation": index.generation, "tools": len(index.catalogue.tools)}
        _log.info("snapshot loaded", extra={**facts, "build_s": round(build_s, 3)})

    def _give_meaning(self, index: SearchIndex, looked_for: int | None) -> None:
        """The vectors that are kept and a few more, where few are missing; the others come later, and words rank meanwhile."""
        if self._encoder is None:
            return
        try:
            if self._encoder.attach(index, most=looked_for):
                self._encoding.wish()
        except Exception:  # noqa: BLE001 - answers go on from words
            _log.exception("tools are ranked by words alone: a defect")

    def _encode(self) -> None:
        """Find or encode what has no vector. A newer index has what was given to this one until it came: it goes on there."""
        current = self._current
        if current is None or self._encoder is None:
            return
        index = current.index
        vectors = index.meaning.vectors
        if vectors is None:
            return
        begin, missing = time.perf_counter(), int(vectors.missing.size)
        done = self._encoder.complete(
            index, goes_on=lambda: not self._stopping.is_set() and self._answers_from(index)
        )
        if done:
            self._encoding_retry_s = _ENCODING_RETRY_S
            facts = {"generation": index.generation, "tools": missing}
            _log.info("tools encoded", extra={**facts, "encode_s": round(time.perf_counter() - begin, 3)})
        if not self._answers_from(index):
            self._encoding.wish()
        elif not done:
            self._stopping.wait(self._encoding_retry_s)
            self._encoding_retry_s = min(2 * self._encoding_retry_s, _LONGEST_ENCODING_RETRY_S)
            self._encoding.wish()
        elif self._store is not None and len(index.catalogue.tools) > self._small and not self._keeps_vectors:
            self._kept = None
            self._settling.wish()

    def _answers_from(self, index: SearchIndex) -> bool:
        """Whether an index is the current one."""
        current = self._current
        return current is not None and current.index is index

    def _unreachable(self, error: StoreUnavailableError) -> None:
        if self._health.reachable or self._health.problem != str(error):
            _log.warning("graph not reachable, answers come from memory", extra={"problem": str(error)})
        self._health = Health(reachable=False, writing=self._health.writing, problem=str(error))

    def _failed(self, problem: str) -> None:
        _log.error("no snapshot", extra={"problem": problem})
        self._health = Health(reachable=True, writing=self._health.writing, problem=problem)


def _followed(index: SearchIndex | None, parts: Sequence[CataloguePart]) -> SearchIndex | None:
    """The index after these parts; None where one does not follow, or is to be built from the whole."""
    for part in parts:
        if index is None or index.generation != part.changes.since:
            return None
        index = changed_index(index, part)
    return index


def _is_of(state: GraphState | Catalogue, index: SearchIndex) -> bool:
    """Whether an index is of this state of the graph; a restored graph may have the same generation again."""
    catalogue = index.catalogue
    return (state.generation, state.stamp) == (catalogue.generation, catalogue.stamp)


def _backoff(failures: int) -> float:
    """Seconds to wait after this number of failures in a row."""
    # 2 ** 30 is beyond the bound; 2 ** 1024 is beyond a float.
    return float(min(_FIRST_RETRY_S * 2 ** min(failures - 1, 30), _LONGEST_RETRY_S))
