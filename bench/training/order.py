"""The order of the first tools by all that is known of each: a regression over requests of the development sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import logsumexp

from app.domain.ranking.recipe import RECIPE
from app.domain.reranking.weighed import EVIDENCE, length_of
from app.usecases.rankings.auto import rank_auto
from app.usecases.rankings.consistent import ConsistentGraph
from app.usecases.rankings.weighed import evidence_of, is_weighed
from bench.sets.datasets import Dataset
from bench.sets.suggested import served_index

Array = npt.NDArray[np.float64]

_L2 = 3.0
"""Penalty of squared weights, of evidence in units of its deviation."""
_REQUESTS = 400.0
"""Requests that each set counts as."""
_BY_LENGTH = ("score", "words", "meaning", "need", "said")
"""What counts otherwise for a long request."""
_ALWAYS = tuple(kind for kind in EVIDENCE if kind not in _BY_LENGTH)
_NOTHING = -1e9


@dataclass(frozen=True, eq=False)
class OrderRows:
    """Requests of one set beside the first tools of their rankings; what fills the rows up has no evidence.

    Attributes:
        name: Of the set.
        evidence: (requests, tools, kinds).
        length: (requests,): `weighed.length_of`.
        is_tool: (requests, tools).
        right: (requests, tools).
        asked: (requests,): tools that answer it.
    """

    name: str
    evidence: Array
    length: Array
    is_tool: npt.NDArray[np.bool_]
    right: npt.NDArray[np.bool_]
    asked: Array

    @property
    def is_answered(self) -> npt.NDArray[np.bool_]:
        """(requests,): whether a right tool is there."""
        return np.asarray(self.right.any(axis=1), np.bool_)


@dataclass(frozen=True, eq=False)
class FittedOrder:
    """Weights as the recipe of the ranking has them."""

    short: Mapping[str, float]
    long: Mapping[str, float]

    @property
    def each(self) -> Array:
        """(features,): as `_features` has them."""
        return np.array(
            [
                *(self.short[kind] for kind in _BY_LENGTH),
                *(self.long[kind] for kind in _BY_LENGTH),
                *(self.short[kind] for kind in _ALWAYS),
            ]
        )


def order_rows(dataset: Dataset) -> OrderRows:
    """The requests of a set whose first tools are put into order, ranked without that."""
    graph = ConsistentGraph(served_index(dataset.catalogue))
    index, first = graph.index, RECIPE.weighed_first
    size = len(dataset.questions)
    evidence = np.zeros((size, first, len(EVIDENCE)))
    is_tool, right = np.zeros((size, first), bool), np.zeros((size, first), bool)
    length = np.zeros(size)
    for at, question in enumerate(dataset.questions):
        ranking = rank_auto(question.text, graph)
        found = ranking.best(first, None)
        if not found or not is_weighed(ranking):
            continue
        evidence[at, : len(found)] = evidence_of(ranking, found, index)
        is_tool[at, : len(found)] = True
        right[at, : len(found)] = [index.catalogue.tools[one].id in question.gold for one in found]
        length[at] = length_of(len(ranking.request.weights))
    asked = np.array([len(set(question.gold)) for question in dataset.questions], float)
    return OrderRows(dataset.name, evidence, length, is_tool, right, asked)


def fit_order(rows: Sequence[OrderRows]) -> FittedOrder:
    """The weights that put each right tool before those that are wrong; every set counts the same."""
    features = np.concatenate([_features(one)[one.is_answered] for one in rows])
    is_tool = np.concatenate([one.is_tool[one.is_answered] for one in rows])
    right = np.concatenate([one.right[one.is_answered] for one in rows])
    counts = np.concatenate(
        [np.full(int(one.is_answered.sum()), _REQUESTS / len(one.length)) for one in rows]
    )
    scale = features[is_tool].std(axis=0) + 1e-9
    scaled, wrong = features / scale, is_tool & ~right
    share = counts[:, None] * np.where(right, 1 / right.sum(axis=1, keepdims=True), 0.0)

    def loss(weights: Array) -> tuple[float, Array]:
        worth = np.where(is_tool, scaled @ weights, _NOTHING)
        others = logsumexp(np.where(wrong, worth, _NOTHING), axis=1, keepdims=True)
        behind = share / (1 + np.exp(np.clip(worth - others, -50, 50)))
        among = np.where(wrong, np.exp(np.minimum(worth - others, 0.0)), 0.0)
        slope = among * behind.sum(axis=1, keepdims=True) - behind
        total = float((share * np.logaddexp(0.0, others - worth)).sum())
        return total + _L2 * float(weights @ weights) / 2, np.einsum(
            "nk,nkf->f", slope, scaled
        ) + _L2 * weights

    size = scaled.shape[2]
    found = (
        minimize(loss, np.full(size, 0.01), jac=True, method="L-BFGS-B", bounds=[(0.0, None)] * size).x
        / scale
    )
    rounded = [round(float(one), 2) for one in found]
    kinds = len(_BY_LENGTH)
    always = dict(zip(_ALWAYS, rounded[2 * kinds :], strict=True))
    return FittedOrder(
        dict(zip(_BY_LENGTH, rounded[:kinds], strict=True)) | always,
        dict(zip(_BY_LENGTH, rounded[kinds : 2 * kinds], strict=True)) | always,
    )


def placed(rows: OrderRows, fitted: FittedOrder | None) -> tuple[float, float]:
    """R@5 and MRR of a set's requests; as ranked, where nothing is fitted."""
    worth = rows.evidence[:, :, 0] if fitted is None else _features(rows) @ fitted.each
    order = np.argsort(-np.where(rows.is_tool, worth, _NOTHING), axis=1, kind="stable")
    right = np.take_along_axis(rows.right, order, axis=1)
    recall = right[:, :5].sum(axis=1) / np.maximum(1.0, rows.asked)
    first = np.where(rows.is_answered, 1 / (1 + right.argmax(axis=1)), 0.0)
    return float(recall.mean()), float(first.mean())


def _features(rows: OrderRows) -> Array:
    """(requests, tools, kinds by length when short, when long, and the others)."""
    by_length = rows.evidence[:, :, [EVIDENCE.index(kind) for kind in _BY_LENGTH]]
    length = rows.length[:, None, None]
    rest = rows.evidence[:, :, [EVIDENCE.index(kind) for kind in _ALWAYS]]
    found: Array = np.concatenate([by_length * (1 - length), by_length * length, rest], axis=2)
    return found
