"""How sure an answer is, from what it knows."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.confidence import AnswerEvidence, confidence

SHARES = st.floats(0, 1)
EVIDENCE = st.builds(
    AnswerEvidence, said=SHARES, suggested=SHARES, alike=st.none() | SHARES, tools=st.integers(0, 10**6)
)


@given(EVIDENCE, st.sampled_from(("said", "suggested", "alike")), SHARES)
def test_more_of_anything_makes_surer(evidence: AnswerEvidence, name: str, more: float) -> None:
    """Whatever else is known; it stays a probability."""
    known = getattr(evidence, name)
    if known is None:
        return
    surer = replace(evidence, **{name: max(known, more)})

    assert 0 < confidence(evidence) <= confidence(surer) < 1


@given(EVIDENCE)
def test_the_same_among_more_tools_says_less(evidence: AnswerEvidence) -> None:
    """The closest of many is close by accident."""
    assert confidence(replace(evidence, tools=10 * max(22, evidence.tools))) < confidence(evidence)


@pytest.mark.parametrize("alike", [None, 0.1])
def test_nothing_is_no_answer_and_everything_is_one(alike: float | None) -> None:
    """With vectors and without."""
    assert confidence(AnswerEvidence(0.0, 0.0, alike, 100)) < 0.25
    assert confidence(AnswerEvidence(1.0, 1.0, None if alike is None else 0.6, 100)) > 0.9
