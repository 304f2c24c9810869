"""Which tools of a generation have which labels: inferred once, and only where a rule asks."""

import threading
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

import numpy as np
import numpy.typing as npt

from app.domain.flows.labels import counting, labels_of
from app.domain.nodes.models import Label, Tool
from app.domain.ranking.formulas import Mask

_BIT: Final[Mapping[Label, int]] = {label: 1 << place for place, label in enumerate(Label)}


class LabelledTools:
    """The tools of one generation by label; safe to share between threads.

    A label counts where the check of plans counts it: stated by any taxonomy, else inferred and sure.

    Args:
        tools: All.
        ids: Of them, in their order: what did not change is not read.
        before: The generation before; what it found of tools that are as they were is taken from it.
        changed: Ids of the tools that are not as they were, or are new; None: any may be.
    """

    def __init__(
        self,
        tools: Sequence[Tool],
        ids: Iterable[str],
        before: "LabelledTools | None" = None,
        changed: AbstractSet[str] | None = None,
    ) -> None:
        self._tools = tools
        self._ids = ids
        # Only what is found already, so that no chain of generations is held.
        self._known = {} if before is None or changed is None else before._found
        self._changed = changed or frozenset()
        self._found: Mapping[str, int] = {}
        self._masks: Mapping[Label, Mask] | None = None
        self._lock = threading.Lock()

    def __call__(self) -> Mapping[Label, Mask]:
        """Of each label that any tool has the tools that have it, by position."""
        with self._lock:
            if self._masks is None:
                self._masks = self._looked_for()
            return self._masks

    def _looked_for(self) -> Mapping[Label, Mask]:
        bits: npt.NDArray[np.uint8] = np.zeros(len(self._tools), np.uint8)
        for at, tool_id in enumerate(self._ids):
            known = None if tool_id in self._changed else self._known.get(tool_id)
            bits[at] = self._inferred(at) if known is None else known
        self._found = dict(zip(self._ids, bits.tolist(), strict=True))
        self._known, self._changed = {}, frozenset()
        masks = {label: (bits & bit) > 0 for label, bit in _BIT.items()}
        return {label: mask for label, mask in masks.items() if mask.any()}

    def _inferred(self, at: int) -> int:
        return sum(_BIT[label] for label in counting(labels_of(self._tools[at])))
