"""Which tools are close to a task in meaning, and how much that counts."""

import numpy as np

from app.domain.choosing.recipe import RECIPE
from app.domain.ranking.formulas import Positions
from app.domain.ranking.runs import Reached, best_first

NEAREST = 10
"""Tools that are candidates of a task by meaning alone: of the right calls of 135 goals, 95 in 100 are among them."""


def closeness(cosines: Reached) -> Reached:
    """How close tools are to a task, compared with the closest, 0 to 1; less where even that is far.

    (cosine / the best one)^2 * min(1, the best one / 0.5)
    """
    peak = cosines.highest
    if peak <= 0:
        return cosines
    return Reached(cosines.positions, (cosines.scores / peak) ** 2 * min(1.0, peak / RECIPE.near))


def nearest(cosines: Reached) -> Positions:
    """The tools that are candidates because they are close in meaning, rising."""
    found = np.array(
        [at for at in best_first(cosines, NEAREST) if cosines.score(at) >= RECIPE.not_far], np.intp
    )
    return np.sort(found)
