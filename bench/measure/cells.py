"""A cell is one ranking on one set. What was measured is kept in a file, so that a run that broke off goes on."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bench.measure.metrics import scores_of
from bench.methods.base import RankingMethod
from bench.sets.datasets import Dataset

_DIGITS = 6
_CODE = ("app/domain", "app/usecases", "app/adapters", "bench")
_NOT_MEASURING = ("bench/commands", "bench/peer", "bench/report", "bench/served")
"""Folders of the bench that show what others measured, measure times, or measure a peer."""


@dataclass(frozen=True, slots=True)
class CellKey:
    """What a cell's figures depend on."""

    dataset: str
    method: str
    of: str
    """Fingerprint of the set, the method's version and the code."""

    @property
    def file(self) -> str:
        """Name of its file."""
        plain = re.sub(r"[^A-Za-z0-9._-]+", "-", f"{self.dataset}--{self.method}")
        return f"{plain}--{self.of[:16]}.json"


@dataclass(frozen=True, slots=True)
class CellTimes:
    """What differs from run to run."""

    build_s: float
    ms: tuple[float, ...]
    """One per question that was answered."""
    limit_s: float
    """Seconds that it might take; 0 is no limit."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Figures of one ranking on one set."""

    dataset: str
    method: str
    version: str
    scores: Mapping[str, tuple[float, ...]]
    """By metric, one per question; empty when it did not finish."""
    finished: bool
    note: str
    times: CellTimes


class CellStore:
    """Cells in a folder, a file each; a file is there whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def read(self, key: CellKey) -> Cell | None:
        """The cell, unless it was never measured as `key` says."""
        values = self.read_values(key)
        return None if values is None else _cell(values)

    def write(self, key: CellKey, cell: Cell) -> None:
        """Keep a cell."""
        self.write_values(key, asdict(cell))

    def read_values(self, key: CellKey) -> dict[str, Any] | None:
        """What `write_values` kept."""
        path = self._folder / key.file
        if not path.exists():
            return None
        kept = json.loads(path.read_text(encoding="utf-8"))
        values: dict[str, Any] = kept["cell"]
        return values if kept["key"] == asdict(key) else None

    def write_values(self, key: CellKey, values: Mapping[str, Any]) -> None:
        """Keep what JSON can hold."""
        path = self._folder / key.file
        part = path.with_suffix(".part")
        part.write_text(json.dumps({"key": asdict(key), "cell": values}), encoding="utf-8")
        part.replace(path)


def cell_key(dataset: Dataset, method: RankingMethod, *, code: str) -> CellKey:
    """What the cell of `method` on `dataset` depends on."""
    parts = (dataset.fingerprint, method.name, method.version, code)
    return CellKey(dataset.name, method.name, hashlib.sha256("\0".join(parts).encode()).hexdigest())


def measure_cell(dataset: Dataset, method: RankingMethod, *, limit_s: float = 0.0) -> Cell:
    """Rank every question and score the rankings."""
    run = method.run(dataset)
    scores = scores_of(dataset, run) if run.finished else {}
    rounded = {name: tuple(round(value, _DIGITS) for value in values) for name, values in scores.items()}
    times = CellTimes(round(run.build_s, 4), tuple(round(value, 4) for value in run.ms), limit_s)
    return Cell(dataset.name, method.name, method.version, rounded, run.finished, run.note, times)


def code_fingerprint(*, own: bool) -> str:
    """SHA-256 of the program's text that can change a ranking's figures.

    Args:
        own: True for rankings that run in this program, False for those that another project's library gives, which
            depend on few files here and may take ten minutes a cell.
    """
    root = Path(__file__).parents[2]
    digest = hashlib.sha256(version("bm25s").encode())
    for path in _own_files(root) if own else _peer_files(root):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _own_files(root: Path) -> Sequence[Path]:
    left_out = [root / folder for folder in _NOT_MEASURING]
    files = [path for folder in _CODE for path in (root / folder).rglob("*.py")]
    return sorted(path for path in files if not any(path.is_relative_to(folder) for folder in left_out))


def _peer_files(root: Path) -> Sequence[Path]:
    names = ("measure/metrics", "peer/methods", "peer/process", "peer/guard_script", "peer/rank_script")
    return [root / "bench" / f"{name}.py" for name in names]


def _cell(row: Mapping[str, Any]) -> Cell:
    scores = {name: tuple(values) for name, values in row["scores"].items()}
    times = CellTimes(row["times"]["build_s"], tuple(row["times"]["ms"]), row["times"]["limit_s"])
    known = {name: row[name] for name in ("dataset", "method", "version", "finished", "note")}
    return Cell(**known, scores=scores, times=times)
