"""Readers and a writer at once, over HTTP; `outfitter bench soak` does the same for as long as one likes."""

import pytest

from bench.served.soak import soak
from bench.sets.toolbench_graph import Engine
from tests.engines import TestDatabase


def test_answers_are_whole_beside_a_writer_on_the_embedded_engine() -> None:
    """8 readers: no error, and every answer equals what the catalogue of its generation gives."""
    found = soak(engine=Engine.EMBEDDED, seconds=3, readers=8)

    assert (found.errors, found.wrong) == (0, 0), found
    assert found.answers > 100
    assert found.answered >= 2


@pytest.mark.neo4j
def test_answers_are_whole_beside_a_writer_on_neo4j(
    neo4j_database: TestDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same on a Neo4j."""
    address = neo4j_database.address
    monkeypatch.setenv("NEO4J_URI", address.uri)
    monkeypatch.setenv("NEO4J_USERNAME", address.username)
    monkeypatch.setenv("NEO4J_PASSWORD", address.password.get_secret_value())
    monkeypatch.setenv("NEO4J_DATABASE", address.database)

    found = soak(engine=Engine.NEO4J, seconds=3, readers=8)

    assert (found.errors, found.wrong) == (0, 0), found
    assert found.answered >= 2
