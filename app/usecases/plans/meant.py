"""How close tools are to the tasks of a goal: by the vectors of both, and by what common methods suggest."""

import logging
from collections.abc import Sequence

import numpy as np

from app.domain.nodes.models import ScoredId
from app.domain.planning.meant import UNKNOWN, TaskMeaning
from app.domain.ranking.formulas import Array, Positions, best, powers
from app.domain.ranking.runs import Reached
from app.errors import EncoderError
from app.usecases.rankings.channels import RequestWords, query_terms, seeds, seen_of
from app.usecases.rankings.consistent import ConsistentGraph

_log = logging.getLogger(__name__)


class MeantTasks:
    """Compares the tasks of goals with the tools that can be called, as whoever asks sees them.

    Args:
        graph: Whose index is compared with, and how long an answer waits for an encoder.
    """

    def __init__(self, graph: ConsistentGraph) -> None:
        self._graph = graph
        self.lacks_vectors = False
        """Whether vectors are there, and tasks could not be encoded."""

    def __call__(self, tasks: Sequence[str], positions: Positions) -> Sequence[TaskMeaning]:
        """The meaning of each task for the tools at these positions of the planner's index."""
        cosines = self._cosines(tasks, positions) if tasks else None
        suggested = [self._suggested(task, positions) for task in tasks]
        if cosines is None:
            return [TaskMeaning(UNKNOWN.cosines, one) for one in suggested]
        return [TaskMeaning(_compared(positions, a), b) for a, b in zip(cosines, suggested, strict=True)]

    def _cosines(self, tasks: Sequence[str], positions: Positions) -> Sequence[Array] | None:
        graph, index = self._graph, self._graph.index
        at = index.callable_at[positions]
        asked = index.meaning.asked(at)
        if asked is None:
            return None
        if graph.patience_s <= 0:
            self.lacks_vectors = True
            return None
        try:
            with graph.waiting():
                found = asked.all_cosines(tasks, at)
        except EncoderError as error:
            _log.warning("goal is planned by words alone", extra={"problem": str(error)})
            self.lacks_vectors = True
            return None
        return None if found is None else [asked.encoder.weight * one for one in found]

    def _suggested(self, task: str, positions: Positions) -> Reached:
        """What the common methods that the words of a task find suggest, as far as they say what it says."""
        index, view = self._graph.index, self._graph.view
        if not view.common.documents:
            return UNKNOWN.suggested
        heard = view.common.scores(query_terms(task, index, view.heard))
        methods = index.catalogue.methods
        by_score = seeds(heard, methods, index.recipe.common_seeds)
        if not by_score:
            return UNKNOWN.suggested
        first = int(heard.positions[best(heard.scores, 1)][0])
        said = RequestWords.of(task, index, view).share_in(index.analyses.methods[first].terms.numbers)
        fit = powers([seed.score for seed in by_score])
        common = [ScoredId(id=seed.id, score=said * power) for seed, power in zip(by_score, fit, strict=True)]
        places = index.callable_at[positions]
        found = seen_of(index.suggestions(common), view).within(places)
        return Reached(positions[places.searchsorted(found.positions)], found.scores)


def _compared(positions: Positions, cosines: Array) -> Reached:
    """The tools whose vector is known."""
    known = np.flatnonzero(~np.isnan(cosines))
    return Reached(positions[known], np.maximum(cosines[known], 0.0))
