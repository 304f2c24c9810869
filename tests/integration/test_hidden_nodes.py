"""No leak: an answer under a policy is that of the graph with the hidden nodes taken out."""

import pytest

from tests.hidden import compare

CATALOGUES, POLICIES = 3, 8


@pytest.mark.parametrize("seed", range(CATALOGUES))
def test_an_answer_is_a_function_of_what_its_caller_may_see(seed: int) -> None:
    """Every route that reads, over REST and MCP; near names, errors and headers included."""
    compared, differences = compare(1, POLICIES, first=seed)

    assert compared > 400
    assert not differences, differences[0]
