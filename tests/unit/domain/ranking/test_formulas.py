import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from app.domain.ranking.formulas import (
    NO_SERVER,
    auto_units,
    best,
    boost_by_server,
    by_maximum,
    fuse_auto,
    fuse_kg_hybrid,
    lexical_factor,
    meaning_unit,
    mix_tail,
    open_meaning_unit,
    powers,
    server_shares,
    significant,
    suggestion_unit,
    window,
)
from app.domain.ranking.graph_scores import Channel

scores_of = arrays.arrays(np.float64, st.integers(0, 40), elements=st.sampled_from([0.0, 0.1, 0.3, 0.5, 2.0]))


def vector(*values: float):
    return np.array(values, np.float64)


@given(scores_of, st.integers(1, 50))
def test_best_is_the_head_of_a_full_sort_by_score_then_position(scores, k):
    expected = [i for i in sorted(range(len(scores)), key=lambda i: (-scores[i], i)) if scores[i] > 0][:k]

    assert best(scores, k).tolist() == expected


def test_sums_that_differ_only_in_the_order_of_adding_are_equal():
    left, right = (0.1 + 0.2) + 0.3, 0.1 + (0.2 + 0.3)
    assert left != right

    assert best(vector(right, left), 2).tolist() == best(vector(left, right), 2).tolist() == [0, 1]
    assert significant(left) == significant(right)


def test_what_is_not_allowed_is_not_among_the_best():
    allowed = np.array([False, True, True])

    assert best(vector(3, 1, 2), 2, allowed=allowed).tolist() == [2, 1]


@given(scores_of)
def test_by_maximum_keeps_the_order_and_ends_at_one(scores):
    scaled = by_maximum(scores)

    assert scaled.max(initial=0.0) in (0.0, 1.0)
    assert best(scaled, 50).tolist() == best(scores, 50).tolist()


def test_the_window_keeps_thirty_tools():
    scores = np.arange(1.0, 41.0)

    kept = window(scores)

    assert np.count_nonzero(kept) == 30
    assert kept[10:].tolist() == scores[10:].tolist()


def test_kg_hybrid_by_hand():
    """.6 * (1, .5, 0) + .4 * (0, 1, .25)."""
    fused = fuse_kg_hybrid(vector(4, 2, 0), vector(0, 8, 2))

    assert fused.tolist() == pytest.approx([0.6, 0.7, 0.1])


def test_powers_by_hand():
    assert powers([4.0, 2.0]) == [1.0, 0.125]
    assert powers([]) == []


def test_lexical_factor_by_hand():
    """1 + .25 * .5 + (.3 * -.6 + .1 * 1 + .3 * .5) / 2 = 1.16."""
    factor = lexical_factor(
        intent=vector(-0.6),
        clauses=2,
        cover=vector(0.5),
        objects=vector(1),
        resources=vector(0.5),
    )

    assert factor.tolist() == pytest.approx([1.16])


def channels(power=(0, 0), total=(0, 0), template=(0, 0), concept=(0, 0)):
    return {
        Channel.POWER: vector(*power),
        Channel.SUM: vector(*total),
        Channel.TEMPLATE: vector(*template),
        Channel.CONCEPT: vector(*concept),
    }


def fused(document, given_channels, with_methods):
    mask = np.array(with_methods)
    units = auto_units(document, given_channels, with_methods=mask)
    return fuse_auto(document, given_channels, units, with_methods=mask).tolist()


def test_auto_by_hand():
    """Both have methods: .4 * (.5, 1) + .3 * (1, 0) + .3 * (.5, 1) + .2 * (1, 0)."""
    given_channels = channels(power=(1, 0), total=(3, 6), template=(5, 0))

    assert fused(vector(2, 4), given_channels, [True, True]) == pytest.approx([0.85, 0.7])


def test_a_tool_without_a_method_has_its_document_in_both_method_channels():
    """Best document 4 is the second's: trust .5; first .4 * .5 + .5 * (.3 + .3) + .2 * .5, second 1 + .2 * .5 / 2."""
    given_channels = channels(power=(1, 0), total=(3, 0), concept=(2, 1))

    assert fused(vector(2, 4), given_channels, [True, False]) == pytest.approx([0.6, 1.05])


def test_a_template_may_say_more_than_the_documents_of_its_tools():
    """Nothing in the first's document, so no trust; but the template's 3 of 4 count: .2 * .75."""
    assert fused(vector(0, 4), channels(template=(3, 0)), [True, False]) == pytest.approx([0.15, 1.0])


def test_methods_are_trusted_where_no_document_fits():
    assert fused(vector(0, 0), channels(template=(3, 0)), [True, True]) == pytest.approx([0.2, 0.0])


def test_without_a_found_method_the_document_decides():
    assert fused(vector(2, 4), channels(), [True, False]) == pytest.approx([0.5, 1.0])


def test_server_shares_by_hand():
    """Servers {0: tools 0, 1}, {1: tool 2}, {2: tool 3}; means (.75, .25, 0) divided by .75."""
    servers = np.array([0, 0, 1, 2])

    shares = server_shares(vector(4, 2, 1, 0), servers, vector(2, 1, 1))

    assert shares.tolist() == pytest.approx([1, 1, 1 / 3, 0])
    assert boost_by_server(vector(4, 2, 1, 0), shares).tolist() == pytest.approx([1.5, 0.75, 0.25 * 7 / 6, 0])


def test_tools_without_a_server_do_not_lift_each_other():
    """Tools 0 and 1 have none; servers {0: tool 2}, {1: tool 3}, {2: tool 4}; means (.25, 0, .5) divided by .5."""
    servers = np.array([NO_SERVER, NO_SERVER, 0, 1, 2])

    shares = server_shares(vector(4, 3, 1, 0, 2), servers, vector(1, 1, 1))

    assert shares.tolist() == pytest.approx([0, 0, 0.5, 0, 1])


def test_two_servers_say_nothing():
    shares = server_shares(vector(4, 2), np.array([0, 1]), vector(1, 1))

    assert shares.tolist() == [0, 0]


@given(
    arrays.arrays(np.float64, 12, elements=st.just(0.0) | st.floats(1e-6, 1.5)),
    arrays.arrays(np.float64, 12, elements=st.just(0.0) | st.floats(1e-6, 1.5)),
)
def test_feedback_leaves_the_head_as_it_is_and_stays_below_it(scores, feedback):
    assume(scores.max() > 1e-3)
    head = best(scores, 5).tolist()

    mixed = mix_tail(scores, feedback).scores

    assert best(mixed, 12).tolist()[: len(head)] == head
    assert mixed[head].tolist() == scores[head].tolist()


def test_feedback_by_hand():
    """Heads 10 .. 6; tails .5 * 1 / 10 + .5 * 4 / 4 = .55 and .5 * 2 / 10 + 0 = .1: swapped by feedback."""
    mix = mix_tail(vector(10, 9, 8, 7, 6, 1, 2), vector(0, 0, 0, 0, 0, 4, 0))

    assert mix.scores.tolist() == pytest.approx([10, 9, 8, 7, 6, 0.55, 0.1])
    assert mix.own_unit == pytest.approx(0.05)
    assert mix.feedback_unit == pytest.approx(0.125)


def test_without_a_score_there_is_no_feedback():
    assert mix_tail(vector(0, 0), vector(0, 0)).scores.tolist() == [0, 0]


def test_what_a_taxonomy_states_leaves_less_to_meaning():
    """Where it states what all tools do, nothing is open; half of it does half of that."""
    assert [meaning_unit(share) for share in (0.0, 0.5, 1.0)] == pytest.approx([0.65, 0.475, 0.3])
    assert open_meaning_unit(0.2, 1, stated=0.5) == pytest.approx(open_meaning_unit(0.2, 1) / 2)
    assert open_meaning_unit(0.2, 1, stated=1.0) == 0.0


def test_a_suggestion_by_hand():
    """Three times what the method says, the tool does not, and how close the tools are."""
    assert suggestion_unit(0.8, 0.25, 0.5) == pytest.approx(3 * 0.8 * 0.75 * 0.5)
    assert suggestion_unit(1.0, 0.0, 1.0) == 3.0


@given(
    *[st.floats(0, 1)] * 3,
    st.floats(0, 1),
)
def test_words_that_say_more_leave_less_to_suggest(common, best_tool, closeness, more):
    """Nothing where the best tool says all, or is alone; never more than the weight."""
    unit = suggestion_unit(common, best_tool, closeness)

    assert 0 <= unit <= 3
    assert suggestion_unit(common, max(best_tool, more), closeness) <= unit
    assert suggestion_unit(common, 1.0, closeness) == suggestion_unit(common, best_tool, 0.0) == 0
