"""A backup as lines of JSON, and the sums that show whether it is whole.

The first line says of which schema and generation it is. Then come the parts in the order of `BackupPart`, a line for
each thing, in an order that the graph alone decides: equal graphs give equal bytes. The last line counts the lines of
each part and has their SHA-256, and that of all lines before it.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

from app.domain.nodes.models import EdgeForm, EdgeRow, NodeKind, NodeRow, Provision, Source, Value
from app.domain.nodes.syncs import SyncRecord
from app.domain.review.records import Review

FORMAT: Final = 1
"""Of these lines; another number says that they are to be read in another way."""
LEFT_OUT: Final = ("vectors", "snapshots", "audit", "unmet requests", "callers", "policies")
"""What a backup does not have: it is made again from the graph, or lies in files of the operator's own."""

HALF_RESTORED: Final = (
    "a restore was killed before its end, and the graph has a part of a backup; accepted: the same `outfitter restore"
    " FILE` again, which begins with an empty graph, or another empty graph"
)


class BackupPart(StrEnum):
    """What a line is about, in the order of the lines; nothing refers to what comes behind it."""

    SOURCES = "sources"
    NODES = "nodes"
    EDGES = "edges"
    PROVISIONS = "provisions"
    REVIEWS = "reviews"
    SYNCS = "syncs"


class PartSum(Value):
    """How much there is of a part."""

    lines: int
    sha256: str


class BackupHead(Value):
    """The first line."""

    format: int
    schema_version: int
    generation: int
    left_out: tuple[str, ...]


class BackupEnd(Value):
    """The last line."""

    parts: Mapping[BackupPart, PartSum]
    sha256: str
    """Of all lines before."""


@dataclass(frozen=True, slots=True)
class BackupNode:
    """A node with all its properties."""

    kind: NodeKind
    row: NodeRow


@dataclass(frozen=True, slots=True)
class BackupEdge:
    """An edge with all its properties."""

    form: EdgeForm
    row: EdgeRow


BackupItem: TypeAlias = Source | BackupNode | BackupEdge | Provision | Review | SyncRecord
"""What a line says."""


def line_of(item: BackupItem) -> tuple[BackupPart, bytes]:
    """The line of a thing, and its part."""
    if isinstance(item, BackupNode):
        return BackupPart.NODES, _line(
            {"node": item.kind, "properties": {**item.row.properties, "id": item.row.id}}
        )
    if isinstance(item, BackupEdge):
        form, row = item.form, item.row
        ends = {"edge": [form.source, form.kind, form.target], "source": row.source, "target": row.target}
        return BackupPart.EDGES, _line({**ends, "properties": dict(row.properties)})
    if isinstance(item, Source):
        return BackupPart.SOURCES, _line({"from": item.model_dump(mode="json")})
    if isinstance(item, Provision):
        return BackupPart.PROVISIONS, _line({"provision": item.model_dump(mode="json")})
    if isinstance(item, Review):
        return BackupPart.REVIEWS, _line({"review": item.model_dump(mode="json")})
    return BackupPart.SYNCS, _line({"sync": item.model_dump(mode="json")})


def edge_order(edge: BackupEdge) -> tuple[str, str, str, str, str, bytes]:
    """Of edges that leave nodes of one kind; equal for equal edges only."""
    form, row = edge.form, edge.row
    return row.source, form.source, form.kind, form.target, row.target, _line(dict(row.properties))


class BackupSums:
    """Counts lines and sums them up."""

    def __init__(self) -> None:
        self._whole = hashlib.sha256()
        self._parts = {part: hashlib.sha256() for part in BackupPart}
        self._lines = dict.fromkeys(BackupPart, 0)

    def add_head(self, line: bytes) -> None:
        """The first line, which is of no part."""
        self._whole.update(line)

    def add(self, part: BackupPart, line: bytes) -> None:
        """A line of a part."""
        self._whole.update(line)
        self._parts[part].update(line)
        self._lines[part] += 1

    @property
    def end(self) -> BackupEnd:
        """The last line of what was added."""
        parts = {
            part: PartSum(lines=self._lines[part], sha256=found.hexdigest())
            for part, found in self._parts.items()
        }
        return BackupEnd(parts=parts, sha256=self._whole.hexdigest())


class BackupLines:
    """Writes a backup.

    Args:
        put: takes each line.
        head: the first one.
    """

    def __init__(self, put: Callable[[bytes], None], head: BackupHead) -> None:
        self._put = put
        self._sums = BackupSums()
        line = _line({"backup": head.model_dump(mode="json")})
        self._sums.add_head(line)
        put(line)

    def add(self, item: BackupItem) -> None:
        """A thing; those of one part one after another, parts in their order."""
        part, line = line_of(item)
        self._sums.add(part, line)
        self._put(line)

    def end(self) -> BackupEnd:
        """Write the last line; what it says."""
        end = self._sums.end
        self._put(_line({"end": end.model_dump(mode="json")}))
        return end


def _line(value: Mapping[str, Any]) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8") + b"\n"
