"""What several integration tests stand on: an empty graph in every store, and the commands as a user has them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from app.adapters.engine.embedded import EmbeddedEngine
from app.adapters.graph.store import GraphEngine, GraphStore
from app.commands.terminal import VisibleErrors
from ingest.commands.cli import register
from tests.engines import TestDatabase
from tests.fakes import InMemoryGraph
from tests.ingest_cases import Graph, Run


@pytest.fixture(params=["memory", "embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def graph(request: pytest.FixtureRequest) -> Iterator[Graph]:
    """An empty graph, in memory and in each engine."""
    if request.param == "memory":
        yield InMemoryGraph()
        return
    database: TestDatabase = request.getfixturevalue(f"{request.param}_database")
    with GraphStore(lambda: database.address, engine=GraphEngine(database.name)) as store:
        yield store


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, TestDatabase]]:
    """A data folder whose engine runs, so that the commands need not start it each time."""
    folder = tmp_path_factory.mktemp("data")
    with EmbeddedEngine(folder) as running:
        yield folder, TestDatabase("embedded", running.open())


@pytest.fixture
def outfitter(engine: tuple[Path, TestDatabase], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The commands on an empty data folder."""
    folder, database = engine
    database.wipe()
    app = typer.Typer(cls=VisibleErrors, pretty_exceptions_enable=False)
    register(app)
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.delenv("NO_SUCH_VARIABLE", raising=False)
    monkeypatch.setenv("OUTFITTER_DATA_DIR", str(folder))
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object) -> Result:
        return CliRunner().invoke(app, [str(one) for one in arguments], catch_exceptions=False)

    return run
