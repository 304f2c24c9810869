"""A tool's vector as the weighted average of its fields' vectors."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.nodes.models import ToolRequest
from app.domain.ranking.field_vectors import FIELDS, FieldWeights, field_texts, weighted_average
from app.errors import InvalidInputError
from tests.unit.catalogues import tool

_AXES = np.eye(4, dtype=np.float32)
_NONE = _AXES[:0]


def test_fields_are_name_description_parameters_and_then_requests() -> None:
    schema = json.dumps({"type": "object", "properties": {"chargeId": {"type": "string"}, "reason": {}}})
    wish = ToolRequest(text="money back", language="en", model="", at="")
    one = tool("shop/reverse_charge", "Reverses it.").model_copy(
        update={"input_schema": schema, "requests": (wish,)}
    )

    assert field_texts(one) == ("shop reverse charge", "Reverses it.", "charge id, reason", "money back")
    assert field_texts(tool("shop/pay"))[1:] == ("", "")
    assert len(field_texts(tool("shop/pay"))) == FIELDS


def test_the_average_by_hand() -> None:
    """Two requests are one field, whose vector is their mean's: (1, 1) / sqrt 2."""
    found = weighted_average((_AXES[:1], _AXES[1:2], _NONE, _AXES[2:4]), FieldWeights(0.2, 0.3, 0.3, 0.5))

    by_hand = np.array([0.2, 0.3, 0.5 / math.sqrt(2), 0.5 / math.sqrt(2)])
    assert found == pytest.approx(by_hand / np.linalg.norm(by_hand), abs=1e-6)


def test_fields_that_all_count_nothing_count_the_same() -> None:
    found = weighted_average((_AXES[:1], _AXES[1:2], _NONE, _NONE), FieldWeights(0, 0, 0.5, 0.5))

    assert found == pytest.approx([math.sqrt(0.5), math.sqrt(0.5), 0, 0])


@given(
    st.lists(st.just(0.0) | st.floats(1e-6, 10), min_size=4, max_size=4).filter(any),
    st.lists(st.integers(0, 3), min_size=4, max_size=4).filter(any),
    st.floats(0.1, 10),
)
def test_it_has_length_1_and_weights_count_by_their_shares(
    weights: list[float], lengths: list[int], factor: float
) -> None:
    fields = [_AXES[:length] for length in lengths]

    found = weighted_average(fields, FieldWeights(*weights))

    assert np.linalg.norm(found) == pytest.approx(1, abs=1e-5)
    larger = FieldWeights(*(weight * factor for weight in weights))
    assert weighted_average(fields, larger) == pytest.approx(found, abs=1e-5)


@pytest.mark.parametrize(
    "weights", [(0, 0, 0, 0), (0.5, -0.1, 0, 0), (math.nan, 1, 1, 1), (math.inf, 1, 1, 1)]
)
def test_weights_that_no_average_can_be_made_of(weights: tuple[float, float, float, float]) -> None:
    with pytest.raises(InvalidInputError, match="not all 0"):
        FieldWeights(*weights)


def test_other_weights_have_another_name() -> None:
    assert FieldWeights(0.2, 0.2, 0.2, 0.4).label == "fields:0.2,0.2,0.2,0.4"
