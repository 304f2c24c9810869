"""Which nodes a writer touches until it finishes a generation, and how the graph keeps it."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping

from app.domain.changes import TOUCHED_BYTES, TOUCHED_KEPT
from app.domain.nodes.models import NodeKind

_KINDS = {kind.value: kind for kind in NodeKind}


class Touched:
    """Collects ids by kind; once they are too many to be kept, or not all known, it stands for everything."""

    def __init__(self) -> None:
        self._ids: defaultdict[NodeKind, set[str]] = defaultdict(set)
        self._everything = False

    @property
    def everything(self) -> bool:
        """Whether any node may have been touched."""
        return self._everything

    def add(self, kind: NodeKind, ids: Iterable[str]) -> None:
        """These nodes are touched."""
        if self._everything:
            return
        self._ids[kind].update(ids)
        if sum(len(one) for one in self._ids.values()) > TOUCHED_KEPT:
            self.add_everything()

    def add_labelled(self, rows: Iterable[Mapping[str, object]]) -> None:
        """Nodes in rows of `label` and `neighbours`; labels that are no kind of node are passed over."""
        for row in rows:
            kind, ids = _KINDS.get(str(row["label"])), row["neighbours"]
            if kind is not None and isinstance(ids, list):
                self.add(kind, ids)

    def add_everything(self) -> None:
        """Any node may be touched."""
        self._everything = True
        self._ids.clear()

    @property
    def text(self) -> str:
        """What was touched, as the graph keeps it; empty for everything."""
        if self._everything:
            return ""
        kept = {kind.value: sorted(ids) for kind, ids in sorted(self._ids.items()) if ids}
        text = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
        return text if len(text.encode("utf-8", "surrogatepass")) <= TOUCHED_BYTES else ""

    def clear(self) -> None:
        """Begin with nothing: the generation is there."""
        self._ids.clear()
        self._everything = False


def read_touched(text: str) -> Mapping[NodeKind, Iterable[str]] | None:
    """Ids by kind of `Touched.text`; None for everything, and where a later release names kinds of its own."""
    kept = json.loads(text) if text else {}
    if not text or not kept.keys() <= _KINDS.keys():
        return None
    return {_KINDS[kind]: ids for kind, ids in kept.items()}
