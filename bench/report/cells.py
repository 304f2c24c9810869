"""Which cells a report has, and how they are measured: two at a time, what was measured before is taken as it is."""

import os
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from math import inf

from bench.measure.cells import Cell, CellStore, cell_key, code_fingerprint, measure_cell
from bench.methods.base import RankingMethod
from bench.peer.methods import GraphToolCall
from bench.sets.datasets import Dataset

_JOBS = 2
_SLOWEST, _SLOW = "gtc-default", 100
_LEAST_S = 5.0
"""What a peer gets though the time of the whole is over."""


@dataclass(frozen=True)
class Task:
    """A cell to measure."""

    dataset: Dataset
    method: RankingMethod

    @property
    def of_peer(self) -> bool:
        """Whether another process does the work."""
        return isinstance(self.method, GraphToolCall)

    @property
    def label(self) -> str:
        """As progress has it."""
        return f"{self.dataset.name} · {self.method.name}"

    @property
    def limit_s(self) -> float:
        """Seconds that it may take; 0 is no limit."""
        return self.method.seconds if isinstance(self.method, GraphToolCall) else 0.0

    def within(self, seconds: float) -> "Task":
        """The same with no more time than this."""
        if not isinstance(self.method, GraphToolCall) or self.method.seconds <= seconds:
            return self
        return replace(self, method=replace(self.method, seconds=seconds))

    @property
    def cost(self) -> int:
        """Larger for what takes longer; those come last, so that they do not take the time of the others."""
        work = len(self.dataset.catalogue.tools) * len(self.dataset.questions)
        return work * (_SLOW if self.method.name == _SLOWEST else 1)


def jobs() -> int:
    """How many cells are measured at once: one process of a peer, or two, beside what runs here."""
    return min(_JOBS, os.cpu_count() or 1)


def measure_cells(
    tasks: Iterable[Task],
    store: CellStore,
    *,
    done: Callable[[Task, Cell, bool], None],
    peers_end_s: float | None = None,
) -> dict[tuple[str, str], Cell]:
    """Every cell, by set and method; each is kept as soon as it is there.

    Args:
        tasks: In any order.
        store: Of earlier runs too.
        done: Called from any thread for each cell; the last argument says whether it was kept from before.
        peers_end_s: Seconds after the beginning when peers are stopped, however much time each of them has.
    """
    begin = time.monotonic()
    own, peers = code_fingerprint(own=True), code_fingerprint(own=False)
    here = threading.Lock()

    def one(task: Task) -> Cell:
        key = cell_key(task.dataset, task.method, code=peers if task.of_peer else own)
        kept = store.read(key)
        left = inf if peers_end_s is None else max(_LEAST_S, begin + peers_end_s - time.monotonic())
        given = task.within(left)
        if kept is not None and (kept.finished or kept.times.limit_s >= given.limit_s):
            done(task, kept, True)
            return kept
        if task.of_peer:
            cell = measure_cell(given.dataset, given.method, limit_s=given.limit_s)
        else:
            with here:  # two rankings in one interpreter would share its time
                cell = measure_cell(task.dataset, task.method)
        store.write(key, cell)
        done(task, cell, False)
        return cell

    ordered = sorted(tasks, key=lambda task: (task.cost, task.label))
    found: dict[tuple[str, str], Cell] = {}
    with ThreadPoolExecutor(jobs()) as pool:
        waiting = {pool.submit(one, task): task for task in ordered}
        try:
            for ready in as_completed(waiting):
                task = waiting[ready]
                found[task.dataset.name, task.method.name] = ready.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return {
        (task.dataset.name, task.method.name): found[task.dataset.name, task.method.name] for task in ordered
    }
