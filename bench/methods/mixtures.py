"""Groups of vectors, and which of them are nearest to a request. The only module that imports scikit-learn."""

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.cluster import HDBSCAN, KMeans
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture

from app.domain.ranking.formulas import Array, Positions

SEED = 1
_ROUNDS = 100
"""Of expectation and maximisation."""
_LEAST_DENSE = 2
"""Vectors that are a group by density: the least that the library takes."""


@dataclass(frozen=True, eq=False)
class Groups:
    """A partition of rows."""

    labels: npt.NDArray[np.intp]
    """(rows,): the group of each, 0 and up."""
    nearness: Callable[[Array], Array]
    """(dimensions,) of a request -> (groups,): larger is nearer; only the order counts."""

    def nearest(self, request: Array, count: int) -> Positions:
        """The rows of the groups that are nearest to a request, rising; of equally near ones the first."""
        order = np.argsort(-self.nearness(request), kind="stable")[:count]
        return np.flatnonzero(np.isin(self.labels, order))


def group_count(rows: int) -> int:
    """The square root of the number of rows, but two at least. Source: the authors' code of HGMF."""
    return max(2, math.isqrt(rows))


def reduced(rows: Array, dimensions: int) -> tuple[Array, Callable[[Array], Array]]:
    """Principal components of rows, and what does the same to other rows.

    Args:
        rows: (rows, dimensions).
        dimensions: The most that are left.
    """
    model = PCA(min(dimensions, *rows.shape), svd_solver="covariance_eigh").fit(rows)
    return model.transform(rows), model.transform


def mixture_groups(rows: Array, *, floor: float, shared: bool = False) -> Groups:
    """A mixture of Gaussians; the nearest group is the one that a request most likely comes from.

    Nearness is log(weight) + log N(request; mean, covariance): what orders the posterior, without its underflow.

    Args:
        rows: (rows, dimensions).
        floor: What is added to the diagonal of each covariance.
        shared: One variance for all directions of a group, instead of a full covariance.
    """
    kind = "spherical" if shared else "full"
    model = GaussianMixture(
        group_count(len(rows)), covariance_type=kind, reg_covar=floor, max_iter=_ROUNDS, random_state=SEED
    )
    with warnings.catch_warnings():
        # What has not settled by then is taken as it is.
        warnings.simplefilter("ignore", ConvergenceWarning)
        labels = model.fit_predict(rows)
    means, roots = model.means_, model.precisions_cholesky_
    if shared:
        roots = roots[:, None, None] * np.eye(rows.shape[1])
    constants = np.log(model.weights_) + np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)

    def nearness(request: Array) -> Array:
        distances = np.einsum("gd,gde->ge", request - means, roots)
        found: Array = constants - 0.5 * (distances**2).sum(axis=1)
        return found

    return Groups(np.asarray(labels, np.intp), nearness)


def kmeans_groups(rows: Array) -> Groups:
    """K-means; the nearest centre is the nearest group."""
    model = KMeans(group_count(len(rows)), n_init=1, random_state=SEED).fit(rows)
    return _by_centres(np.asarray(model.labels_, np.intp), np.asarray(model.cluster_centers_, np.float64))


def density_groups(rows: Array) -> Groups:
    """HDBSCAN, which finds the number of groups itself; a vector outside of all of them is one of its own."""
    labels = np.asarray(HDBSCAN(min_cluster_size=_LEAST_DENSE, copy=True).fit_predict(rows), np.intp)
    alone = np.flatnonzero(labels < 0)
    labels[alone] = labels.max() + 1 + np.arange(alone.size)
    centres = np.stack([rows[labels == group].mean(axis=0) for group in range(labels.max() + 1)])
    return _by_centres(labels, centres)


def _by_centres(labels: npt.NDArray[np.intp], centres: Array) -> Groups:
    return Groups(labels, lambda request: -np.linalg.norm(centres - request, axis=1))
