"""How sure answers are of themselves: weights fitted on questions asked of their own document and of others."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.domain.confidence import features
from app.domain.ranking.recipe import RECIPE
from app.errors import InvalidInputError
from app.usecases.questions import Filters
from app.usecases.rankings.auto import rank_auto
from bench.judged.elsewhere import answered_elsewhere
from bench.measure.planner import PlanCatalogue
from bench.sets.goals import QuestionItem

Matrix = npt.NDArray[np.float64]
_RIDGE = 1e-3
"""Of all weights but the first, times the number of rows. Source: a judgement; it moves weights by a tenth."""
_STEPS = 50
"""Of Newton's method; it stands still after ten."""


@dataclass(frozen=True, eq=False)
class AskedPairs:
    """Questions, each asked of each document but those of others that can answer it as well."""

    features: Matrix
    """(pairs, weights)."""
    is_answered: npt.NDArray[np.bool_]
    """(pairs,): the document is the question's, and answers it."""
    is_beyond: npt.NDArray[np.bool_]
    """(pairs,): the document is the question's, and nothing answers it."""
    own: npt.NDArray[np.str_]
    """(pairs,): the document that the question is about."""
    asked: npt.NDArray[np.str_]
    """(pairs,): the document that it is asked of."""

    def without(self, document: str) -> npt.NDArray[np.bool_]:
        """The pairs that have nothing to do with a document."""
        found: npt.NDArray[np.bool_] = (self.own != document) & (self.asked != document)
        return found


@dataclass(frozen=True)
class Calibration:
    """Weights, and what they are worth."""

    weights: tuple[float, ...]
    """Fitted on all pairs."""
    area: float
    """Under the curve, each document's questions by weights that know nothing of it."""
    answerable: float
    """Share of the answerable ones that abstain by these, at the recipe's least confidence."""
    pairs: float
    """Share of the questions asked of other documents that do."""
    beyond: float
    """Share of those that nothing answers that do."""


def ask_pairs(questions: Sequence[QuestionItem], catalogue: PlanCatalogue) -> AskedPairs:
    """Each question asked of each document of the questions.

    Raises:
        InvalidInputError: a document's answers have no confidence.
    """
    graph = catalogue.graph
    servers = sorted({item.server for item in questions})
    rows, labels = [], []
    for item in questions:
        for server in servers:
            if server in answered_elsewhere().get(item.id, ()):
                continue
            allowed = graph.index.allowed(Filters(servers=(server,)))
            evidence = rank_auto(item.query, graph, allowed=allowed).suggestions.evidence
            if evidence is None:
                raise InvalidInputError(f"questions: {server!r} has a taxonomy of its own, and no confidence")
            rows.append(features(evidence))
            is_own = server == item.server
            labels.append((is_own and bool(item.gold), is_own and not item.gold, item.server, server))
    answered, beyond, own, asked = (np.array(column) for column in zip(*labels, strict=True))
    return AskedPairs(np.array(rows, np.float64), answered, beyond, own, asked)


def calibrate(pairs: AskedPairs, *, least: float = RECIPE.confident) -> Calibration:
    """Fit the weights, and judge them on documents that they were not fitted on.

    Args:
        pairs: Of at least three documents.
        least: The confidence below which an answer abstains.
    """
    logits = np.zeros(len(pairs.own))
    for document in np.unique(pairs.own):
        known = pairs.without(document)
        weights = fitted_weights(pairs.features[known], pairs.is_answered[known])
        at = pairs.own == document
        logits[at] = pairs.features[at] @ weights
    abstains = 1 / (1 + np.exp(-logits)) < least
    others = ~pairs.is_answered & ~pairs.is_beyond
    return Calibration(
        tuple(round(float(one), 2) for one in fitted_weights(pairs.features, pairs.is_answered)),
        area_under_curve(logits, pairs.is_answered),
        float(abstains[pairs.is_answered].mean()),
        float(abstains[others].mean()),
        float(abstains[pairs.is_beyond].mean()) if pairs.is_beyond.any() else 0.0,
    )


def fitted_weights(rows: Matrix, labels: npt.NDArray[np.bool_]) -> Matrix:
    """Logistic regression, (weights,), by Newton's method; both labels count as much together.

    Args:
        rows: (pairs, weights), the first column 1.
        labels: (pairs,), both of them there.
    """
    shares = np.where(labels, 0.5 / labels.sum(), 0.5 / (~labels).sum())
    ridge = np.diag([0.0, *[_RIDGE] * (rows.shape[1] - 1)])
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (shares * (labels - likely)) - ridge @ weights
        curve = rows.T @ (rows * (shares * likely * (1 - likely))[:, None]) + ridge
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def area_under_curve(scores: Matrix, labels: npt.NDArray[np.bool_]) -> float:
    """How often one with the label has the higher score of two, one of which has it; equal scores count half."""
    there, others = scores[labels], np.sort(scores[~labels])
    below = others.searchsorted(there, side="left") + others.searchsorted(there, side="right")
    return float(below.mean() / (2 * others.size))
