"""How likely a change is right that is found first for a whole goal: a regression over goals of which no task led to a change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from app.domain.choosing.recipe import RECIPE, WholeGoalRecipe
from app.domain.choosing.whole_goal import change_of_goal, evidence_of
from app.usecases.plans.meant import MeantTasks
from app.usecases.questions import Filters
from bench.measure.planner import PlanCatalogue
from bench.sets.goals import GoalItem, GoalSet
from bench.training.logistic import fit_logistic

Array = npt.NDArray[np.float64]

_L2 = 2.0
"""Penalty of squared weights, of evidence in units of its deviation."""
_ELSEWHERE = 0.3
"""What a goal counts for that is asked of another document: most catalogues have what people ask them for."""
_THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7)


@dataclass(frozen=True, eq=False)
class WholeGoalRow:
    """A goal without a change, and the one that is found first for its text.

    Attributes:
        server: The document that was asked.
        evidence: As `evidence_of` has it.
        is_right: Whether it is a call that the goal still lacks.
        is_elsewhere: Whether the goal is about another document.
    """

    server: str
    evidence: Sequence[float]
    is_right: bool
    is_elsewhere: bool


@dataclass(frozen=True, eq=False)
class FittedWholeGoal:
    """What a fit found, and how well it does on documents that it was not fitted on.

    Attributes:
        recipe: The weights over all rows.
        made: Threshold -> how many right and wrong changes are made, and how many for goals about other documents.
    """

    recipe: WholeGoalRecipe
    made: Mapping[float, tuple[int, int, int]]


def whole_goal_rows(found: GoalSet, catalogue: PlanCatalogue) -> list[WholeGoalRow]:
    """The goals of a set, each asked of its own document and of another one."""
    servers = sorted(found.documents)
    rows: list[WholeGoalRow] = []
    for number, item in enumerate(found.goals):
        others = [server for server in servers if server != item.server]
        asked = (item.server, *others[number % max(1, len(others)) :][:1])
        rows += [row for server in asked if (row := _row(catalogue, item, server)) is not None]
    return rows


def fit_whole_goal(rows: Sequence[WholeGoalRow]) -> FittedWholeGoal:
    """The recipe over all rows; what is made on a document is judged by weights of the other ones."""
    evidence = np.array([row.evidence for row in rows], float)
    right = np.array([row.is_right for row in rows])
    elsewhere = np.array([row.is_elsewhere for row in rows])
    counts = np.where(elsewhere, _ELSEWHERE, 1.0)
    servers = np.array([row.server for row in rows])

    def weights(of: npt.NDArray[np.bool_] | slice) -> Array:
        return fit_logistic(evidence[of], right[of], counts=counts[of], l2=_L2)

    likely = np.zeros(len(rows))
    for server in np.unique(servers):
        inside = servers == server
        fitted = weights(~inside)
        likely[inside] = expit(evidence[inside] @ fitted[:-1] + fitted[-1])
    of_sureness, of_next, of_confidence, constant = (round(float(one), 2) for one in weights(slice(None)))
    recipe = replace(
        RECIPE.whole_goal_first,
        of_sureness=of_sureness,
        of_next=of_next,
        of_confidence=of_confidence,
        constant=constant,
    )
    made = {
        least: (
            int((right & (likely >= least)).sum()),
            int((~right & ~elsewhere & (likely >= least)).sum()),
            int((elsewhere & (likely >= least)).sum()),
        )
        for least in _THRESHOLDS
    }
    return FittedWholeGoal(recipe, made)


def _row(catalogue: PlanCatalogue, item: GoalItem, server: str) -> WholeGoalRow | None:
    draft = catalogue.draft(item.goal, server=server)
    meant, filters = MeantTasks(catalogue.graph), Filters(servers=(server,))
    tools = catalogue.index.tools
    one = change_of_goal(
        catalogue.index,
        draft.context,
        draft.scores,
        draft.targets,
        find=lambda text: meant.first(text, filters),
        banned=lambda at: tools[at].server != server,
    )
    if one is None:
        return None
    tool = tools[one.found.at]
    called = {f"{tools[at].method} {tools[at].path}" for at in draft.order}
    lacking = {
        op
        for at in item.required
        if called.isdisjoint(item.steps[at].accepted)
        for op in item.steps[at].accepted
    }
    is_elsewhere = server != item.server
    is_right = not is_elsewhere and f"{tool.method} {tool.path}" in lacking
    return WholeGoalRow(server, evidence_of(one), is_right, is_elsewhere)
