"""The databases that the tests get."""

import pytest

from tests.engines import MARKER, TestDatabase

COUNT = f"MATCH (n) WHERE NOT n:{MARKER} RETURN count(n) AS n"


@pytest.mark.parametrize("turn", [1, 2])
def test_a_database_is_empty_when_a_test_gets_it(database: TestDatabase, turn: int) -> None:
    """Whatever an earlier test wrote, the next one finds nothing."""
    with database.driver() as driver:
        name = database.address.database
        ((before,),) = driver.execute_query(COUNT, database_=name).records
        driver.execute_query(
            "UNWIND range(1, 5010) AS i CREATE (:Left {turn: $turn})-[:BY]->(:Test)",
            turn=turn,
            database_=name,
        )
        ((after,),) = driver.execute_query(COUNT, database_=name).records
    assert (before, after) == (0, 10_020)
