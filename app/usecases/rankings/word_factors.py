"""What a request and a tool have in common beside words: `formulas.lexical_factor`, for many tools at once."""

from dataclasses import dataclass

import numpy as np

from app.domain.ranking.formulas import Array, Positions, lexical_factor
from app.domain.ranking.intent import intent_scores
from app.domain.ranking.intent_objects import object_matches
from app.usecases.index.search_index import SearchIndex
from app.usecases.index.views import CatalogueView
from app.usecases.rankings.channels import ReadRequest


@dataclass(frozen=True, slots=True)
class FactorParts:
    """The parts of some tools' factors, as `lexical_factor` takes them."""

    intent: Array
    cover: Array
    objects: Array
    resources: Array


class WordFactors:
    """The factors of one request.

    What a tool does is one of a few profiles, and most tools have none of the other parts: their factors are looked up.
    """

    def __init__(self, request: ReadRequest, index: SearchIndex, view: CatalogueView) -> None:
        self._request = request
        self._index = index
        self._cover = view.cover.scores(request.weights)
        self._intents = intent_scores(request.acts, index.acts.matrix).astype(np.float64)
        nothing = np.zeros(self._intents.size)
        self._plain = self._factor(FactorParts(self._intents, nothing, nothing, nothing))

    def of_candidates(self, positions: Positions) -> Array:
        """The factors of some tools, among which are all that hold a word of the request in their name."""
        return self._of(positions, self._cover.at(positions))

    def of_others(self, positions: Positions) -> Array:
        """The factors of tools that hold no word of the request in their name."""
        return self._of(positions, np.zeros(positions.size))

    def parts(self, position: int) -> FactorParts:
        """The parts of one tool."""
        return self._parts(np.array([position], np.intp), np.array([self._cover.score(position)]))

    def _of(self, positions: Positions, cover: Array) -> Array:
        index = self._index
        found: Array = self._plain.take(index.acts.numbers_at(positions))
        objects = index.objects.numbers_at(positions)
        has_parts = cover > 0
        for term in self._request.objects & index.objects.numbers.keys():
            has_parts |= objects == index.objects.numbers[term]
        has_parts |= index.resources.shares(self._request.weights, positions) > 0
        places = np.flatnonzero(has_parts)
        found[places] = self._factor(self._parts(positions[places], cover[places]))
        return found

    def _parts(self, positions: Positions, cover: Array) -> FactorParts:
        index, request = self._index, self._request
        return FactorParts(
            intent=self._intents[index.acts.numbers_at(positions)],
            cover=cover,
            objects=object_matches(
                request.objects, index.objects.numbers, index.objects.numbers_at(positions)
            ),
            resources=index.resources.shares(request.weights, positions),
        )

    def _factor(self, parts: FactorParts) -> Array:
        return lexical_factor(
            intent=parts.intent,
            clauses=self._request.clauses,
            cover=parts.cover,
            objects=parts.objects,
            resources=parts.resources,
            recipe=self._index.recipe,
        )
