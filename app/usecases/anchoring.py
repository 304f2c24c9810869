"""How far the audit has come, kept out of reach of whoever may write its file: in the log and in the graph."""

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from app.domain.audit.chain import AuditHead, ChainEnd
from app.domain.moments import utc_text
from app.errors import OutfitterError
from app.ports.servers import AuditHeads

EACH_S: Final = 60.0
"""What was written within it can be cut off unseen (docs/security.md)."""
_log = logging.getLogger("app.audit")


class AuditAnchor:
    """A thread that keeps the last head whenever there is another one, at the end too.

    Args:
        end: Where the chain stands; None before its first line.
        heads: Where it is kept.
        each_s: Seconds between two looks.
    """

    def __init__(
        self, end: Callable[[], ChainEnd | None], heads: AuditHeads, *, each_s: float = EACH_S
    ) -> None:
        self._end = end
        self._heads = heads
        self._each_s = each_s
        self._kept: ChainEnd | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="audit heads", daemon=True)

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    def stop(self, timeout_s: float = 5.0) -> None:
        """End the thread, which keeps the last head first."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(timeout_s)

    def keep(self) -> None:
        """Keep the head, if it is another one; a graph that does not answer is asked again later."""
        end = self._end()
        if end is None or end == self._kept:
            return
        _log.info("audit head", extra={"chain": end.chain, "head": end.head})
        try:
            self._heads.put_audit_head(AuditHead(end.chain, end.head, utc_text(datetime.now(UTC))))
        except OutfitterError as error:
            _log.warning("the head of the audit is in the log alone", extra={"problem": str(error)})
        else:
            self._kept = end

    def _run(self) -> None:
        while not self._stopping.wait(self._each_s):
            self.keep()
        self.keep()
