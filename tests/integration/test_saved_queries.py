"""The saved queries for Neo4j Browser run on both engines and show what their first line says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from neo4j import Driver
from neo4j.graph import Path as GraphPath

from app.adapters.graph.statements import parse_statement
from tests.engines import TestDatabase
from tests.example_shop import EXAMPLES, ingest_examples

FOLDER = Path(__file__).resolve().parents[2] / "cypher" / "browser"
FILES = sorted(FOLDER.glob("*.cypher"))
PARAMETERS = {
    "tool_id": "orders/get_order",
    "method_id": "shipping.track",
    "template_id": "template.missing_parcel",
}


@pytest.fixture
def shop(database: TestDatabase) -> Iterator["Shop"]:
    """A graph of the examples."""
    ingest_examples(database)
    with database.driver() as driver:
        yield Shop(driver, database.address.database)


class Shop:
    """Asks saved queries."""

    def __init__(self, driver: Driver, database: str) -> None:
        self._driver = driver
        self._database = database

    def ask(self, name: str, **parameters: str) -> list[dict[str, Any]]:
        """The rows of a saved query, with the examples' parameters unless others are given."""
        statement = parse_statement(FOLDER / f"{name}.cypher")
        given = {one: {**PARAMETERS, **parameters}[one] for one in statement.params}
        records = self._driver.execute_query(statement.text, given, database_=self._database).records
        assert all(tuple(record.keys()) == statement.returns for record in records)
        return [dict(record) for record in records]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_saved_query_starts_with_its_title_and_names_its_parameters(file: Path) -> None:
    """Neo4j Browser takes the first line as the name; a parameter has a line that can be pasted."""
    title, *comment = [
        line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("//")
    ]

    assert 10 < len(title) < 60
    for parameter in parse_statement(file).params:
        assert any(f":param {parameter} => '" in line for line in comment)


def test_the_neighbourhood_of_a_tool_is_everything_one_step_away(shop: "Shop") -> None:
    """Methods, templates, tools; the source stays out, and an unknown tool gives nothing."""
    rows = shop.ask("tool_neighbourhood")

    around = {_ends(row["path"])[1] for row in rows} | {_ends(row["path"])[0] for row in rows}
    assert {"order.read", "shipping.track", "template.missing_parcel", "payments/capture_payment"} <= around
    assert not any(one.startswith("manifest:") for one in around)
    assert shop.ask("tool_neighbourhood", tool_id="no/such") == []


def test_why_a_tool_was_found_for_a_method_names_every_way(shop: "Shop") -> None:
    """Directly, and by the template that uses both; nothing for a tool that has nothing to do with it."""
    ways = {row["why"] for row in shop.ask("why_tool_for_method")}
    near = {row["why"] for row in shop.ask("why_tool_for_method", method_id="order.find")}

    assert ways == {"implements", "a template uses both"}
    assert near == {"similar to a method that it implements", "a template uses both"}
    assert shop.ask("why_tool_for_method", tool_id="stock/set_price") == []


def test_a_template_is_shown_with_all_that_it_uses(shop: "Shop") -> None:
    """As many tools and methods as the taxonomy lists."""
    taxonomy = yaml.safe_load((EXAMPLES / "taxonomy.yaml").read_text(encoding="utf-8"))
    (template,) = (one for one in taxonomy["templates"] if one["id"] == PARAMETERS["template_id"])

    parts = [row["part"] for row in shop.ask("template_and_tools")]

    assert parts.count("tool") == len(template["uses"])
    assert parts.count("method") == len(template["methods"])
    assert parts.count("implements") > 0


def test_tools_nobody_implements_are_the_declared_ones(shop: "Shop") -> None:
    """The one tool that no server of the example brings, with the method and the template that wait for it."""
    rows = shop.ask("unimplemented_tools")

    assert {row["tool"]["id"] for row in rows} == {"print_price_tags"}
    assert {_ends(row["path"])[0] for row in rows} == {"warehouse.buy", "template.stocktake"}


def test_tools_without_method_are_those_that_the_taxonomy_passes_over(
    shop: "Shop", database: TestDatabase
) -> None:
    """None in the example; one as soon as a server brings a tool that nobody names."""
    assert shop.ask("tools_without_method") == []

    with database.driver() as driver:
        driver.execute_query(
            "CREATE (:Tool {id: 'new/thing', name: 'thing', declared: false})",
            database_=database.address.database,
        )

    assert [row["tool"]["id"] for row in shop.ask("tools_without_method")] == ["new/thing"]


def test_the_schema_has_a_row_for_each_form_of_edge(shop: "Shop") -> None:
    """Kinds of both ends, how many, and one to draw."""
    rows = {(row["source"], row["kind"], row["target"]): row for row in shop.ask("schema")}

    assert rows["Method", "IMPLEMENTS", "Tool"]["edges"] > 50
    assert rows["Generator", "USES", "Tool"]["edges"] == 3
    assert rows["Tool", "PROVIDED_BY", "Source"]["edges"] > 60
    assert all(isinstance(row["example"], GraphPath) for row in rows.values())


def _ends(path: GraphPath) -> tuple[str, str]:
    """Ids of the first and the last node of a one-step path, by direction of the edge."""
    (edge,) = path.relationships
    assert edge.start_node is not None
    assert edge.end_node is not None
    return str(edge.start_node["id"]), str(edge.end_node["id"])
