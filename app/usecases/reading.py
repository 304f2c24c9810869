"""A goal, read by a language model before it is planned: where one is set, and only as far as the goal supports it."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from app.answers.plan import PlanAnswer
from app.domain.language.visible_text import squeezed, without_hidden
from app.domain.reading.model_prompt import CandidateOperation
from app.domain.schemas.walk import as_object
from app.domain.workflows.plans import PlanWarning
from app.errors import ReaderUnavailableError
from app.ports.reading import GoalReader
from app.usecases.questions import PlanRequest, SearchRequest
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.search import search

CANDIDATES = 30
"""Operations that a model is shown."""
_log = logging.getLogger(__name__)


class ModelReading(NamedTuple):
    """A request as far as a model could cut it into tasks, and what its answer has to say of that."""

    request: PlanRequest
    warnings: tuple[PlanWarning, ...] = ()

    def said_in(self, answer: PlanAnswer) -> PlanAnswer:
        """The answer to the request, with these warnings before its own."""
        if not self.warnings:
            return answer
        warnings = (*self.warnings, *answer.plan.warnings)
        return replace(answer, plan=answer.plan.model_copy(update={"warnings": warnings}))


def candidate_operations(request: PlanRequest, graph: ConsistentGraph) -> tuple[CandidateOperation, ...]:
    """The operations that fit the words of a goal best, within its filters.

    Raises:
        InvalidInputError: a filter names a server or category that the catalogue does not have.
        StoreUnavailableError: the graph did not answer, and must.
    """
    asked = SearchRequest(
        query=request.goal, top_k=CANDIDATES, filters=request.filters, schemas=True, prerequisites=0
    )
    return tuple(
        CandidateOperation(
            id=one.id,
            title=one.title or one.name,
            description=one.description,
            inputs=tuple(as_object(as_object(one.input_schema).get("properties"))),
        )
        for one in search(asked, graph, rerank=False).tools
    )


def read_by_model(
    request: PlanRequest, candidates: Sequence[CandidateOperation], reader: GoalReader
) -> ModelReading:
    """The request with the tasks that the model found in its goal; the request itself where the caller gave tasks.

    The model sees goal and candidates, and nothing that is `known`.
    """
    if request.tasks:
        return ModelReading(request)
    try:
        tasks = reader.read(squeezed(without_hidden(request.goal)), candidates)
    except ReaderUnavailableError as error:
        return without_model(request, str(error))
    return ModelReading(request.model_copy(update={"tasks": tasks}))


def without_model(request: PlanRequest, why: str) -> ModelReading:
    """The request as it is, with the warning that says why no model has read it."""
    _log.warning("goal read without the model", extra={"problem": why})
    message = f"the goal was read without the language model: {why}"
    return ModelReading(request, (PlanWarning(code="reader_unavailable", message=message),))
