"""What a set may tell of itself while it is scored."""

import pytest

from app.errors import InvalidInputError
from bench.sets.leaks import given_edges, safe_case, safe_meta


def test_of_meta_only_what_is_no_label_is_read() -> None:
    meta = {"split": "test", "vendor": "v", "gold_alternatives": {}, "main": "X", "raw": "X", "plan": "X"}

    assert safe_meta(meta) == {"split": "test", "vendor": "v", "gold_alternatives": {}}


def test_of_a_case_hints_are_left_out() -> None:
    case = {"id": "1", "tier": "T1", "query": "q", "gold": ["a"], "acceptable": ["X"], "methods": ["X"]}

    assert safe_case(case) == {"id": "1", "tier": "T1", "query": "q", "gold": ["a"]}


@pytest.mark.parametrize("label", ["precedes", "provides_input_to"])
def test_edges_that_were_made_from_answers_are_refused(label: str) -> None:
    rows = [{"type": "requires"}, {"type": label}]

    with pytest.raises(
        InvalidInputError, match=f"'{label}' is a label; accepted as input: may_require, requires"
    ):
        list(given_edges(rows, name="set"))
    assert len(list(given_edges(rows[:1], name="set"))) == 1
