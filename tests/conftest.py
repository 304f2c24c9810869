"""The database fixtures. Unit tests never ask for them; a server starts when the first test does."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.engines import TestDatabase, embedded, neo4j
from tests.prepared import MissingError

# What the common taxonomy adds to a graph is for the tests that are about it.
os.environ.setdefault("OUTFITTER_COMMON_TAXONOMY", "false")
# Likewise what vectors add to a ranking.
os.environ.setdefault("OUTFITTER_ENCODER", "none")
# How long an example takes says more of the machine than of the code; `cpu_within` holds what must be quick.
settings.register_profile("any_machine", settings(), deadline=None)
settings.load_profile("any_machine")


def pytest_addoption(parser: pytest.Parser) -> None:
    """How many hostile requests the fuzz tests ask."""
    parser.addoption("--fuzz", choices=("part", "whole"), default="part", help="hostile requests to ask")


@pytest.fixture(scope="session")
def embedded_server() -> Iterator[TestDatabase]:
    """The embedded engine of this test process."""
    with embedded() as database:
        yield database


@pytest.fixture(scope="session")
def neo4j_server() -> Iterator[TestDatabase]:
    """The real Neo4j of this test process; without one the test is skipped, and fails where CI is set."""
    try:
        opened = neo4j()
        database = opened.__enter__()
    except MissingError as problem:
        if os.environ.get("CI"):
            pytest.fail(f"{problem} (CI is set: the Neo4j half must not be skipped)")
        pytest.skip(str(problem))
    try:
        yield database
    finally:
        opened.__exit__(None, None, None)


@pytest.fixture
def embedded_database(embedded_server: TestDatabase) -> TestDatabase:
    """An empty embedded database."""
    embedded_server.wipe()
    return embedded_server


@pytest.fixture
def neo4j_database(neo4j_server: TestDatabase) -> Iterator[TestDatabase]:
    """An empty Neo4j."""
    with neo4j_server.alone():
        neo4j_server.wipe()
        yield neo4j_server


@pytest.fixture(params=["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def database(request: pytest.FixtureRequest) -> TestDatabase:
    """An empty database, once of each engine."""
    found = request.getfixturevalue(f"{request.param}_database")
    assert isinstance(found, TestDatabase)
    return found
