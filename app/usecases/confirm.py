"""Agree to what changed in the definitions of tools, so that they may be called again."""

from collections.abc import Sequence

from app.domain.calling.definitions import KnownDefinition
from app.errors import ChangedMeanwhileError, NotReadyError
from app.ports.graph import GraphWriter


def confirm_tools(
    graph: GraphWriter, shown: Sequence[KnownDefinition], *, owner: str, lease_wait_s: float
) -> int:
    """Trust these definitions, as they were shown; the new generation.

    Raises:
        ChangedMeanwhileError: one of them is another by now; nothing is confirmed.
        NotReadyError: an ingest was killed and has to be finished first.
        LeaseHeldError: another writer is at work for longer than `lease_wait_s`.
    """
    with graph.lease(owner=owner, wait_s=lease_wait_s) as lease:
        if graph.state().writing:
            raise NotReadyError("an ingest was killed before its end; run it again first")
        ids = [one.id for one in shown]
        now = {one.id: one for one in graph.definitions(ids)}
        if changed := [one.id for one in shown if now.get(one.id) != one]:
            raise ChangedMeanwhileError(
                f"the definition of {', '.join(map(repr, changed[:3]))} has changed again; nothing is confirmed:"
                " look at what `outfitter confirm` shows now"
            )
        lease.begin()
        lease.confirm_tools(ids)
        return lease.finish()
