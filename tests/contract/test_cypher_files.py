"""Every statement file runs where it says it runs."""

import shutil
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

import pytest
from neo4j import Driver

from app.adapters.graph.statements import (
    FOLDERS,
    cypher_files,
    load_statements,
    parse_statement,
    split_statements,
)
from app.domain.nodes.edge_forms import EDGE_FORMS
from app.domain.nodes.models import NodeKind
from app.errors import StatementError
from tests.engines import TestDatabase

CYPHER = Path(str(files("cypher")))
SCHEMA = sorted(path.relative_to(CYPHER).as_posix() for path in CYPHER.glob("schema/*/*.cypher"))
ANYTHING: dict[str, object] = {
    "rows": [],
    "ids": [],
    "sources": [],
    "methods": [],
    "common": [],
    "templates": [],
    "concepts": [],
    "tools": [],
    "categories": [],
    "examples": [],
    "kinds": [],
    "limit": 1,
    "skip": 0,
    "until": 1,
    "most": 1,
    "severities": [],
    "places": 1,
    "since": 0,
    "optional": False,
    "confidence": 0.5,
    "template_decay": 0.5,
    "concept_decay": 0.5,
    "ttl_ms": 1,
    "schema_version": 1,
    "stated": True,
    "inferred_evidence": ["structure"],
}
"""A value for each parameter; the others are texts."""


def test_every_folder_has_its_files() -> None:
    """The lists that the tests below run over are not empty by mistake."""
    statements = list(load_statements())

    assert len(statements) > 6 * len(NodeKind) + 2 * len(EDGE_FORMS) + 40
    assert len({statement.name for statement in statements}) == len(statements)
    assert {path.split("/")[1] for path in SCHEMA} >= {"neo4j", "embedded"}
    assert cypher_files(CYPHER / "browser")


def test_each_statement_runs_on_both_engines(database: TestDatabase) -> None:
    """Every statement, those of families for every label and form, is run with empty input, and rolled back."""
    saved = [parse_statement(path) for path in cypher_files(CYPHER / "browser")]
    with database.driver() as driver:
        failed = {
            statement.name: problem
            for statement in (*load_statements(), *saved)
            if (problem := _problem(driver, database, statement.text, statement.params))
        }

    assert failed == {}


def test_each_schema_file_runs_on_its_engine(database: TestDatabase) -> None:
    """Constraints and indexes can be made, and made again."""
    own = cypher_files(CYPHER / "schema" / database.name)
    assert own
    with database.driver() as driver:
        for _ in range(2):
            for path in own:
                for text in split_statements(path):
                    driver.execute_query(text, database_=database.address.database)


def _problem(driver: Driver, database: TestDatabase, text: str, params: Iterable[str]) -> str:
    """What a server says against a statement, empty when it runs."""
    given = {name: ANYTHING.get(name, "x") for name in params}
    with driver.session(database=database.address.database) as session, session.begin_transaction() as work:
        try:
            work.run(text, given).consume()
        except Exception as error:  # noqa: BLE001 - whatever a server objects to is the finding
            return str(error)
        finally:
            work.rollback()
    return ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the statements that a test may spoil."""
    for name in FOLDERS:
        shutil.copytree(CYPHER / name, tmp_path / name)
    return tmp_path


def _file(folder: Path, name: str) -> Path:
    (path,) = folder.rglob(f"{name}.cypher")
    return path


def test_the_shipped_files_keep_the_rules() -> None:
    """Each file has its field, label or form, and a header that says what the body does."""
    assert load_statements().ping.returns == ("answer",)


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        ("RETURN $x AS answer", "needs a header"),
        ("// params:\n// returns: answer\nRETURN 1 AS answer", "sentence"),
        ("// Asks.\n// returns: answer\nRETURN 1 AS answer", "'params'"),
        ("// Asks.\n// params:\nRETURN 1 AS answer", "'returns'"),
        ("// Asks.\n// params: y\n// returns: answer\nRETURN $x AS answer", "params"),
        ("// Asks.\n// params: rows\n// returns: a\nUNWIND $rows AS row RETURN row.id AS a", "rows"),
    ],
)
def test_a_file_that_breaks_the_rules_is_refused(folder: Path, spoilt: str, said: str) -> None:
    """The header is checked against the body when it is loaded."""
    _file(folder, "ping").write_text(spoilt)

    with pytest.raises(StatementError, match=said):
        load_statements(folder)


def test_a_file_without_a_field_is_refused(folder: Path) -> None:
    """A statement that nothing runs is a leftover."""
    shutil.copy(_file(folder, "ping"), folder / "read" / "pong.cypher")

    with pytest.raises(StatementError, match="pong"):
        load_statements(folder)


@pytest.mark.parametrize("name", ["put_next_generation", "put_SOURCE_TYPE_TARGET", "remove_LABEL_edges"])
def test_a_field_without_a_file_is_refused(folder: Path, name: str) -> None:
    """A missing statement shows when the store opens, not at its first use."""
    _file(folder, name).unlink()

    with pytest.raises(StatementError, match=f"no file {name}.cypher"):
        load_statements(folder)


def test_a_schema_file_ends_each_statement(tmp_path: Path) -> None:
    """A statement without its semicolon would be run together with the next one."""
    path = tmp_path / "001.cypher"
    path.write_text("// Makes one.\n// params:\n// returns:\nCREATE (a:A);\n\nCREATE (b:B)\n")

    with pytest.raises(StatementError, match="semicolon"):
        split_statements(path)
