"""Goals that wait for a language model: in threads of their own, so that plans without it wait for nothing."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from app.domain.reading.model_prompt import CandidateOperation
from app.service.components import Components
from app.usecases.questions import PlanRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.reading import ModelReading, candidate_operations, read_by_model, without_model

_Found: TypeAlias = tuple[CandidateOperation, ...]
CandidateSearch: TypeAlias = Callable[[Callable[[ConsistentGraph], _Found]], Awaitable[_Found]]
"""Does something with the graph, as the interface waits for that."""
_SLACK_S = 1.0
"""A reader keeps its time itself, but a name server that hangs."""


async def model_reading(components: Components, request: PlanRequest, find: CandidateSearch) -> ModelReading:
    """The request as the model reads it; as it is when there is no model, no thread for it, or the caller gave tasks.

    Raises:
        OutfitterError: `find` raised it.
    """
    reading = components.reading
    if reading is None or request.tasks:
        return ModelReading(request)
    if not reading.free.acquire(blocking=False):
        return without_model(request, f"{len(reading.workers.threads)} goals are with it already")
    submitted = False
    try:
        candidates = await find(lambda graph: candidate_operations(request, graph))

        def call() -> ModelReading:
            try:
                return read_by_model(request, candidates, reading.reader)
            finally:
                reading.free.release()

        job = reading.workers.submit(call)
        submitted = True
    finally:
        if not submitted:
            reading.free.release()
    limit_s = reading.reader.timeout_s + _SLACK_S
    try:
        # Shielded: who leaves must not leave the thread counted as taken.
        async with asyncio.timeout(limit_s):
            return await asyncio.shield(job.future)
    except TimeoutError:
        return without_model(request, f"it was not done within {reading.reader.timeout_s:g} s")
