"""How close tools are to the tasks of a goal: by the vectors of both, and by what common methods suggest."""

import logging
from collections.abc import Sequence

import numpy as np

from app.domain.nodes.models import ScoredId
from app.domain.planning.meant import UNKNOWN, FoundFirst, TaskMeaning
from app.domain.ranking.formulas import Array, Positions, best, powers
from app.domain.ranking.runs import Reached
from app.errors import EncoderError
from app.usecases.questions import Filters
from app.usecases.rankings.auto import rank_auto
from app.usecases.rankings.channels import RequestWords, query_terms, seeds, seen_of
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.rankings.first_places import answered
from app.usecases.rankings.weighed import is_weighed, weighed

_log = logging.getLogger(__name__)
_FIRST = 30
"""Tools among which the next change is looked for."""
_LONGEST = 500
"""Characters of a goal that are asked as a request."""


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

    def first(self, goal: str, filters: Filters) -> FoundFirst | None:
        """The change that is found before all other tools for the text of a goal, as a search finds it.

        None where a read comes first, and where tools are not compared by the encoder that comes along: how sure that is, is
        known of it alone, and no other one is given the values of a goal.
        """
        graph, index = self._graph, self._graph.index
        asked = index.meaning.asked(index.callable_at)
        if asked is None or asked.vectors.model != index.recipe.confidence_model:
            return None
        allowed = index.allowed(filters)
        ranking = rank_auto(goal[:_LONGEST], graph, allowed=allowed)
        confidence = ranking.suggestions.confidence
        if confidence is None or not is_weighed(ranking):
            return None
        ordered = weighed(ranking, index, allowed)
        found = answered(ordered, _FIRST, index, filters, allowed)
        plan_index = index.plan_index
        places = [plan_index.position.get(index.catalogue.tools[one].id) for one in found]
        changes = [
            (place, at)
            for place, at in zip(places, found, strict=True)
            if place is not None and plan_index.traits[place].mutating
        ]
        if not changes or changes[0][1] != found[0]:
            return None
        (first, at), *others = changes
        best = ordered.score(at)
        return FoundFirst(first, ordered.score(others[0][1]) / best if others and best else 0.0, confidence)


def _compared(positions: Positions, cosines: Array) -> Reached:
    """The tools whose vector is known."""
    known = np.flatnonzero(~np.isnan(cosines))
    return Reached(positions[known], np.maximum(cosines[known], 0.0))
