"""Bring a database to the schema that this version writes."""

import re
from importlib.resources.abc import Traversable

from app.adapters.graph.connection import GraphConnection, GraphTransaction, UniqueIdError
from app.adapters.graph.statements import Statements, cypher_files, cypher_folder, split_statements
from app.errors import SchemaVersionError, StatementError

SCHEMA_VERSION = 4
"""Of the graphs that this version writes; each step up has a file in cypher/schema/upgrade."""


def apply_schema(
    graph: GraphConnection,
    statements: Statements,
    *,
    root: Traversable | None = None,
    version: int = SCHEMA_VERSION,
) -> None:
    """Create constraints, indexes and the catalogue node; upgrade an older graph. Repeating it changes nothing.

    A database with somebody else's data and no catalogue node is fine: nothing of it is touched.

    Args:
        graph: where.
        statements: the store's own.
        root: folder with `schema`; the package's own unless given.
        version: what the graph has afterwards.

    Raises:
        SchemaVersionError: the graph was written by a newer version, or the database holds nodes of
            other making under our labels with the same id twice.
    """
    (state,) = graph.read(statements.find_state)
    found = state["schema_version"]
    if found == version:
        return
    if found > version:
        raise SchemaVersionError(
            f"the graph has schema version {found}, this Outfitter writes {version}: use the newer Outfitter that"
            " wrote it, or an empty database (NEO4J_URI, NEO4J_DATABASE or --data-dir) and ingest again"
        )
    schema = (root or cypher_folder()) / "schema"
    for path in cypher_files(schema / graph.engine):
        for text in split_statements(path):
            _apply(graph, path.name, text)
    if found == 0:
        _put_catalog(graph, statements, version)
        return
    steps = _upgrades(schema / "upgrade")
    for number in range(found + 1, version + 1):
        if number not in steps:
            raise StatementError(f"cypher/schema/upgrade: no file {number:03}_*.cypher, the step to {number}")
        _upgrade(graph, statements, split_statements(steps[number]), number)


def _apply(graph: GraphConnection, name: str, text: str) -> None:
    try:
        graph.write(lambda transaction: transaction.run_text(text))
    except UniqueIdError as error:
        raise SchemaVersionError(
            f"{name}: the database holds nodes with one of Outfitter's labels and the same id twice: {error};"
            " use a database without them (NEO4J_URI, NEO4J_DATABASE)"
        ) from error


def _put_catalog(graph: GraphConnection, statements: Statements, version: int) -> None:
    try:
        graph.write(lambda transaction: transaction.run(statements.put_catalog, schema_version=version))
    except UniqueIdError:
        # Another process made it between our look and our write.
        (state,) = graph.read(statements.find_state)
        if state["schema_version"] != version:
            raise


def _upgrades(folder: Traversable) -> dict[int, Traversable]:
    """Steps by the version that they lead to, which is the number in front of the file's name."""
    numbered = ((re.match(r"\d+", path.name), path) for path in cypher_files(folder))
    return {int(number.group()): path for number, path in numbered if number}


def _upgrade(graph: GraphConnection, statements: Statements, texts: list[str], number: int) -> None:
    def step(transaction: GraphTransaction) -> None:
        transaction.run(statements.put_schema_version, schema_version=number)
        for text in texts:
            transaction.run_text(text)

    graph.write(step)
