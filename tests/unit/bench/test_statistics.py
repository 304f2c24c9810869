"""Tests of significance against scipy and against sums made by hand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from bench.measure.statistics import bootstrap, cohen_d, compare, effect, holm, mcnemar, stars

ONE = [1.0, 0.5, 1.0, 1.0, 0.0, 1.0, 0.5, 1.0]
TWO = [0.5, 0.5, 1.0, 0.0, 0.0, 0.5, 1.0, 0.5]


def test_t_is_that_of_pairs():
    (found,), by_scipy = compare(ONE, [TWO]), stats.ttest_rel(ONE, TWO)

    assert (found.t, found.t_p) == (pytest.approx(by_scipy.statistic), pytest.approx(by_scipy.pvalue))


def test_wilcoxon_splits_zeros():
    expected = stats.wilcoxon(ONE, TWO, zero_method="zsplit", method="approx").pvalue

    assert compare(ONE, [TWO])[0].wilcoxon_p == pytest.approx(expected)


def test_cohen_d_is_the_mean_difference_over_the_spread_of_the_differences():
    """Differences 2 and 4: mean 3, standard deviation sqrt 2."""
    assert cohen_d(np.array([2.0, 4.0])) == pytest.approx(3 / math.sqrt(2))
    assert [effect(d) for d in (-0.1, 0.3, -0.7, 2)] == ["negligible", "small", "medium", "large"]


def test_equal_rankings_differ_in_nothing():
    (found,) = compare(ONE, [ONE])

    assert (found.t, found.t_p, found.wilcoxon_p, found.cohen_d) == (0.0, 1.0, 1.0, 0.0)
    assert (found.difference.mean, found.difference.low, found.difference.high) == (0.0, 0.0, 0.0)


def test_a_difference_without_spread_is_certain():
    (found,) = compare([1.0, 1.0, 1.0], [[0.0, 0.0, 0.0]])

    assert (found.t, found.t_p, found.cohen_d, found.effect) == (math.inf, 0.0, math.inf, "large")


def test_several_are_compared_as_one_by_one():
    assert compare(ONE, [TWO, ONE]) == [*compare(ONE, [TWO]), *compare(ONE, [ONE])]


def test_comparing_other_numbers_of_cases_is_refused():
    with pytest.raises(ValueError, match="3 and 2 cases"):
        compare([1.0, 1.0, 0.0], [[1.0, 0.0]])


def test_the_bootstrap_draws_the_same_cases_for_both():
    """Two columns that differ by a constant differ by it in every draw."""
    cases = np.random.default_rng(3).random(50)
    of_one, of_other, of_difference = bootstrap([cases + 0.25, cases, np.full(50, 0.25)])

    assert of_one.low - of_other.low == pytest.approx(0.25)
    assert (of_difference.low, of_difference.high) == (pytest.approx(0.25), pytest.approx(0.25))


def test_the_bootstrap_is_that_of_scipy_but_for_chance():
    cases = np.random.default_rng(3).random(200)
    (found,) = bootstrap([cases])
    expected = stats.bootstrap(
        (cases,), np.mean, method="percentile", n_resamples=10_000, rng=np.random.default_rng(5)
    ).confidence_interval

    assert (found.low, found.high) == (
        pytest.approx(expected.low, abs=0.003),
        pytest.approx(expected.high, abs=0.003),
    )
    assert bootstrap([cases]) == [found]


def test_mcnemar_is_exact_below_25_discordant_cases():
    """3 against 1: twice the chance of 1 or fewer of 4, (1 + 4) / 16 * 2."""
    ours = [1.0] * 3 + [0.0] + [1.0] * 5
    theirs = [0.0] * 3 + [1.0] + [1.0] * 5

    found = mcnemar(ours, theirs)

    assert (found.reference_only, found.other_only, found.p) == (3, 1, pytest.approx(0.625))


def test_mcnemar_is_chi_square_with_correction_from_25_on():
    """20 against 10: (|20 - 10| - 1)^2 / 30."""
    found = mcnemar([1.0] * 20 + [0.0] * 10, [0.0] * 20 + [1.0] * 10)

    assert found.statistic == pytest.approx(81 / 30)
    assert found.p == pytest.approx(stats.chi2.sf(81 / 30, 1))


def test_holm_by_hand():
    """.01 x 3, .03 x 2, .04 x 1, none below the one before."""
    assert holm([0.04, 0.01, 0.03]) == [pytest.approx(0.06), pytest.approx(0.03), pytest.approx(0.06)]
    assert holm([0.045]) == [pytest.approx(0.045)]
    assert holm([]) == []


@settings(max_examples=20)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_that_of_statsmodels(ps):
    assert holm(ps) == pytest.approx(multipletests(ps, method="holm")[1].tolist())


def test_marks():
    assert [stars(p) for p in (0.0001, 0.005, 0.049, 0.05)] == ["***", "**", "*", ""]
