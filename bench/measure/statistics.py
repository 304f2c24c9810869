"""Which differences between two rankings on the same cases are real. Pure functions; all tests are two-sided."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import stats

from app.errors import InvalidInputError

Numbers: TypeAlias = Sequence[float] | npt.NDArray[np.float64]

ROUNDS = 10_000
"""Of the bootstrap."""
SEED = 1
LEVEL = 0.95
EXACT_BELOW = 25
"""McNemar: discordant cases below which the binomial test is used."""
_EFFECTS = ((0.2, "negligible"), (0.5, "small"), (0.8, "medium"))
_STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))


@dataclass(frozen=True, slots=True)
class Interval:
    """The middle 95 % of what the mean is in repeated draws of the cases."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """A reference against another ranking: positive where the reference is better."""

    cases: int
    reference: Interval
    other: Interval
    difference: Interval
    t: float
    t_p: float
    wilcoxon_p: float
    cohen_d: float
    effect: str
    """negligible, small, medium or large."""


@dataclass(frozen=True, slots=True)
class McNemar:
    """Cases that only one of two rankings solves."""

    reference_only: int
    other_only: int
    statistic: float
    """Of the chi-square test; the smaller count where the binomial test was used."""
    p: float


def compare(reference: Numbers, others: Sequence[Numbers], *, seed: int = SEED) -> list[PairedComparison]:
    """A ranking's figures against those of others on the same cases, in the same order.

    Raises:
        ValueError: the numbers of cases differ, or there are fewer than two.
    """
    one = np.asarray(reference, np.float64)
    columns = [np.asarray(other, np.float64) for other in others]
    for two in columns:
        if one.shape != two.shape or one.size < 2:
            raise ValueError(
                f"compare: {one.size} and {two.size} cases; accepted: as many of each, two or more"
            )
    differences = [one - two for two in columns]
    of_one, *rest = bootstrap([one, *columns, *differences], seed=seed)
    found = []
    for at, gaps in enumerate(differences):
        t, t_p = paired_t(one, columns[at])
        d = cohen_d(gaps)
        of_two, of_both = rest[at], rest[at + len(columns)]
        found.append(
            PairedComparison(one.size, of_one, of_two, of_both, t, t_p, _wilcoxon_p(gaps), d, effect(d))
        )
    return found


def paired_t(reference: Numbers, other: Numbers) -> tuple[float, float]:
    """Statistic and p of the t test of pairs; (0, 1) where nothing differs."""
    differences = np.asarray(reference, np.float64) - np.asarray(other, np.float64)
    if not differences.any():
        return 0.0, 1.0
    if np.ptp(differences) == 0:
        # Every case differs by the same: no spread to divide by.
        return float(np.copysign(np.inf, differences[0])), 0.0
    # The test of the pairs is the test of their differences against 0.
    result = stats.ttest_1samp(differences, 0.0)
    return float(result.statistic), float(result.pvalue)


def bootstrap(
    samples: Sequence[npt.NDArray[np.float64]], *, seed: int = SEED, rounds: int = ROUNDS
) -> list[Interval]:
    """Percentile intervals of the means; the same cases are drawn for every sample.

    Source:
        Efron, Tibshirani: An introduction to the bootstrap. 1993, chapter 13.
    """
    columns = np.stack(samples, axis=1)
    cases = len(columns)
    chance = np.random.default_rng(seed)
    # How often each case is drawn, instead of which: one product per block of rounds.
    blocks = [
        chance.multinomial(cases, np.full(cases, 1 / cases), size=size) @ columns / cases
        for size in _blocks(rounds)
    ]
    tail = 100 * (1 - LEVEL) / 2
    low, high = np.percentile(np.concatenate(blocks), [tail, 100 - tail], axis=0)
    return [
        Interval(float(mean), float(left), float(right))
        for mean, left, right in zip(columns.mean(axis=0), low, high, strict=True)
    ]


def mcnemar(reference: Sequence[float], other: Sequence[float]) -> McNemar:
    """Hits and misses (1 and 0) of two rankings: exact below 25 discordant cases, else chi-square, corrected.

    Source:
        McNemar: Note on the sampling error of the difference between correlated proportions. 1947.

    Raises:
        InvalidInputError: statsmodels is not installed.
    """
    try:
        from statsmodels.stats.contingency_tables import mcnemar as test
    except ModuleNotFoundError as error:
        raise InvalidInputError(
            "statsmodels is not installed; tests of significance need the extra: pip install 'outfitter[bench]'"
        ) from error
    pairs = [(one > 0.5, two > 0.5) for one, two in zip(reference, other, strict=True)]
    ours, theirs = pairs.count((True, False)), pairs.count((False, True))
    table = [[pairs.count((True, True)), ours], [theirs, pairs.count((False, False))]]
    exact = ours + theirs < EXACT_BELOW
    result = test(table, exact=exact, correction=True)
    return McNemar(ours, theirs, float(result.statistic), min(1.0, float(result.pvalue)))


def holm(ps: Sequence[float]) -> list[float]:
    """The p values of a family, corrected for its size; the largest stays as it is.

        sorted p_1 <= ... <= p_n:  corrected p_i = max over j <= i of min(1, (n - j + 1) p_j)

    Our own, and held to statsmodels by a test: `multipletests` collects garbage at each call, .15 s of it.

    Source:
        Holm: A simple sequentially rejective multiple test procedure. 1979.
    """
    corrected = [0.0] * len(ps)
    highest = 0.0
    for done, at in enumerate(sorted(range(len(ps)), key=lambda at: ps[at])):
        highest = max(highest, min(1.0, (len(ps) - done) * ps[at]))
        corrected[at] = highest
    return corrected


def cohen_d(differences: npt.NDArray[np.float64]) -> float:
    """Mean difference / standard deviation of the differences (ddof 1); 0 where nothing differs."""
    spread = float(differences.std(ddof=1))
    mean = float(differences.mean())
    if spread == 0:
        return 0.0 if mean == 0 else float(np.copysign(np.inf, mean))
    return mean / spread


def effect(d: float) -> str:
    """The name of an effect of this size."""
    return next((name for limit, name in _EFFECTS if abs(d) < limit), "large")


def stars(p: float) -> str:
    """*** below .001, ** below .01, * below .05, else nothing."""
    return next((mark for limit, mark in _STARS if p < limit), "")


def means(scores: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The mean of each metric."""
    return {metric: float(np.mean(values)) for metric, values in scores.items()}


def _wilcoxon_p(differences: npt.NDArray[np.float64]) -> float:
    if not differences.any():
        return 1.0
    return float(stats.wilcoxon(differences, zero_method="zsplit", method="approx").pvalue)


def _blocks(rounds: int, size: int = 1_000) -> list[int]:
    return [min(size, rounds - start) for start in range(0, rounds, size)]
