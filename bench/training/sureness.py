"""How sure it is that the call of a task is right: regressions over the development sets of goals and their questions."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment, minimize
from scipy.special import expit, logsumexp

from app.domain.choosing.acts import is_other_act
from app.domain.choosing.candidate import Candidate
from app.domain.choosing.recipe import RECIPE, SurenessRecipe
from app.domain.choosing.ruled import choose_by_rules
from app.domain.choosing.targets import CANDIDATES, PlanTarget, weigh
from app.domain.planning.draft import PlanDraft
from app.domain.planning.index import PlanIndex
from bench.judged.elsewhere import answered_elsewhere
from bench.measure.planner import PlanCatalogue
from bench.sets.goals import GoalItem, GoalSet
from bench.training.logistic import fit_logistic

Array = npt.NDArray[np.float64]

_L2 = 5.0
"""Penalty of squared weights, of evidence in units of its deviation: the likelihood of other documents is flat from 1 to 30."""
_FOLDS = 6
_NAMES = tuple(RECIPE.sureness.weights)


@dataclass(frozen=True, eq=False)
class TaskRow:
    """A task beside the calls that may do it.

    Attributes:
        server: The document.
        evidence: (calls, kinds of evidence).
        right: (calls), whether the call is the one that the task asks for.
        ruled: Index of the call that rules choose; None where they choose none.
        is_right: Whether that is a call of the goal.
    """

    server: str
    evidence: Array
    right: npt.NDArray[np.bool_]
    ruled: int | None
    is_right: bool


@dataclass(frozen=True, eq=False)
class FittedSureness:
    """What a fit found, and how well it does on documents that it was not fitted on.

    Attributes:
        recipe: The weights over all rows.
        kept: Threshold -> how many right and wrong calls of the rules are as sure, where the evidence is weighed as other
            documents have it; the three numbers that make a probability of it are those of all.
    """

    recipe: SurenessRecipe
    kept: Mapping[float, tuple[int, int]]


def goal_rows(found: GoalSet, catalogue: PlanCatalogue) -> list[TaskRow]:
    """The tasks of goals, each with the calls that its document has for it."""
    return [
        row
        for item in found.goals
        for row in _rows(catalogue, item.goal, item.server, _asked_for(item), every=_accepted(item))
    ]


def question_rows(found: GoalSet, catalogue: PlanCatalogue) -> list[TaskRow]:
    """Questions asked as goals: of their own document, and of the next one that does not answer them."""
    servers = sorted(found.documents)
    rows: list[TaskRow] = []
    for item in found.questions:
        gold = frozenset(item.gold)
        rows += _rows(catalogue, item.query, item.server, [gold] if gold else [], every=gold)
        if gold:
            begin = servers.index(item.server) + 1
            others = (server for server in (*servers[begin:], *servers[:begin]) if server != item.server)
            other = next((one for one in others if one not in answered_elsewhere().get(item.id, ())), None)
            rows += _rows(catalogue, item.query, other, [], every=()) if other else []
    return rows


def fit_sureness(rows: Sequence[TaskRow]) -> FittedSureness:
    """The recipe over all rows; its worth on a document is judged by weights of the other ones."""
    folds = _folds(rows)
    worths = [np.zeros(0)] * len(rows)
    for fold in folds:
        weights = _weights([row for row in rows if row.server not in fold])
        for at, row in enumerate(rows):
            if row.server in fold:
                worths[at] = row.evidence @ weights
    inputs = np.array(
        [
            (worth[row.ruled], np.exp(worth[row.ruled] - logsumexp(worth)))
            for row, worth in zip(rows, worths, strict=True)
            if row.ruled is not None
        ]
    )
    right = np.array([row.is_right for row in rows if row.ruled is not None])
    of_worth, of_share, constant = fit_logistic(inputs, right, counts=np.ones(len(right)), l2=0.0).tolist()
    sure = expit(inputs @ np.array((of_worth, of_share)) + constant)
    kept = {
        threshold: (int((right & (sure >= threshold)).sum()), int((~right & (sure >= threshold)).sum()))
        for threshold in (0.0, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
    }
    fitted = dict(zip(_NAMES, (round(float(one), 2) for one in _weights(rows)), strict=True))
    recipe = replace(
        RECIPE.sureness,
        weights=fitted,
        of_worth=round(of_worth, 2),
        of_share=round(of_share, 2),
        constant=round(constant, 2),
    )
    return FittedSureness(recipe, kept)


def _asked_for(item: GoalItem) -> list[frozenset[str]]:
    """The calls that tasks ask for: without reads that only find what a later call needs."""
    read = {one for bind in item.bind for one in (bind.from_op, *bind.from_any_of)}
    return [
        frozenset(item.steps[at].accepted)
        for at in item.required
        if not (item.steps[at].op.startswith("GET") and item.steps[at].op in read and len(item.required) > 1)
    ]


def _accepted(item: GoalItem) -> frozenset[str]:
    return frozenset(op for step in item.steps for op in step.accepted)


def _rows(
    catalogue: PlanCatalogue,
    goal: str,
    server: str,
    gold: Sequence[frozenset[str]],
    *,
    every: Collection[str],
) -> list[TaskRow]:
    draft = catalogue.draft(goal, server=server)
    index = catalogue.index
    wanted = _aligned(index, draft, gold)
    chosen: dict[int, PlanTarget] = {}
    by_task = {number: one for one in draft.targets for number in one.numbers}
    rows: list[TaskRow] = []
    for clause in draft.scores.clauses:
        every_one = (
            Candidate(index, draft.context, clause.number, at, clause.close) for at in clause.candidates
        )
        calls = {one.at: one for one in every_one if not is_other_act(one)}
        target = by_task.get(clause.number)
        if calls:
            weighed = weigh(clause, calls, chosen, lambda at: draft.needs.get(index.tools[at].id, ()))
            top = choose_by_rules(calls, weighed.worth, chosen, most=CANDIDATES).top
            positions = list(calls)
            rows.append(
                TaskRow(
                    server,
                    np.array([[found[name] for name in _NAMES] for found in weighed.evidence.values()]),
                    np.array([_operation(index, at) in wanted.get(clause.number, ()) for at in positions]),
                    None if top is None else positions.index(top),
                    top is not None and _operation(index, top) in every,
                )
            )
        if target is not None and target.number == clause.number:
            chosen[target.at] = target
    return rows


def _aligned(
    index: PlanIndex, draft: PlanDraft, gold: Sequence[frozenset[str]]
) -> Mapping[int, frozenset[str]]:
    """Number of a task -> the calls that are right for it: each goes to the task whose words it fits best."""
    clauses = draft.scores.clauses
    if not clauses or not gold:
        return {}
    fit = np.array(
        [
            [
                max(
                    (clause.scores.score(at) for at in clause.candidates if _operation(index, at) in one),
                    default=0.0,
                )
                for one in gold
            ]
            for clause in clauses
        ]
    )
    rows, columns = linear_sum_assignment(-fit)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return {clauses[a].number: gold[b] for a, b in pairs if fit[a, b] > 0}


def _operation(index: PlanIndex, at: int) -> str:
    return f"{index.tools[at].method} {index.tools[at].path}"


def _weights(rows: Sequence[TaskRow]) -> Array:
    """Conditional logistic regression: what makes the right call likely among those of its task."""
    fitted = [row for row in rows if row.right.any()]
    scale = np.vstack([row.evidence for row in fitted]).std(axis=0) + 1e-9

    def loss(weights: Array) -> tuple[float, Array]:
        total, slope = _L2 * weights @ weights / 2, _L2 * weights
        for row in fitted:
            evidence = row.evidence / scale
            worth = evidence @ weights
            all_, right = logsumexp(worth), logsumexp(worth[row.right])
            total -= right - all_
            slope = slope + evidence.T @ (
                np.exp(worth - all_) - np.where(row.right, np.exp(worth - right), 0.0)
            )
        return float(total), slope

    found: Array = minimize(loss, np.zeros(len(scale)), jac=True, method="L-BFGS-B").x
    weights: Array = found / scale
    return weights


def _folds(rows: Sequence[TaskRow]) -> list[frozenset[str]]:
    servers = sorted({row.server for row in rows})
    return [frozenset(servers[at::_FOLDS]) for at in range(_FOLDS)]
