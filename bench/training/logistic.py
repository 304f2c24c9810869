"""Logistic regression."""

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import expit

Array = npt.NDArray[np.float64]


def fit_logistic(evidence: Array, right: npt.NDArray[np.bool_], *, counts: Array, l2: float) -> Array:
    """The weights that make what is right most likely, and the constant behind them.

    Args:
        evidence: (cases, kinds).
        right: (cases,).
        counts: (cases,): what each case counts for.
        l2: Penalty of squared weights, of evidence in units of its deviation; the constant is free.

    Returns:
        (kinds + 1,): of evidence as it is.
    """
    middle, scale = evidence.mean(axis=0), evidence.std(axis=0) + 1e-9
    inputs = np.column_stack([(evidence - middle) / scale, np.ones(len(evidence))])
    penalty = np.append(np.full(evidence.shape[1], l2), 0.0)

    def loss(weights: Array) -> tuple[float, Array]:
        worth = inputs @ weights
        total = float((counts * np.logaddexp(0.0, np.where(right, -worth, worth))).sum())
        slope = inputs.T @ (counts * (expit(worth) - right))
        return total + float(penalty @ weights**2) / 2, slope + penalty * weights

    found: Array = minimize(loss, np.zeros(inputs.shape[1]), jac=True, method="L-BFGS-B").x
    weights = found[:-1] / scale
    return np.append(weights, found[-1] - weights @ middle)
