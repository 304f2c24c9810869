"""The saved queries and the style file in a real Neo4j Browser page."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import expect

from tests.e2e.neo4j_browser import PROGRAMS, Neo4jBrowser, chromium, open_browser
from tests.engines import TestDatabase
from tests.example_shop import EXAMPLES, ingest_examples
from tests.service import serving

QUERIES = Path(__file__).resolve().parents[2] / "cypher" / "browser"
TOOL_BLUE = "#2F6DB5"
TEMPLATE = "template.missing_parcel"

pytestmark = [pytest.mark.neo4j, pytest.mark.timeout(600)]


@pytest.fixture
def browser(neo4j_database: TestDatabase) -> Iterator[Neo4jBrowser]:
    """Neo4j Browser on a graph of the ingested examples."""
    program = chromium()
    if program is None:
        if os.environ.get("CI"):
            pytest.fail(f"no Chromium ({', '.join(PROGRAMS)}); CI is set: the page must not be left out")
        pytest.skip(f"no Chromium here: install one of {', '.join(PROGRAMS)}")
    if neo4j_database.http_url is None:
        pytest.skip("this Neo4j was not assembled by the tests: it may serve no Browser")
    ingest_examples(neo4j_database)
    with open_browser(neo4j_database, program) as page:
        yield page


def test_a_saved_query_draws_a_template_in_the_colours_of_the_style(browser: Neo4jBrowser) -> None:
    """Dropped, saved, given its parameter and run, as the README says: one node for all that it uses."""
    taxonomy = yaml.safe_load((EXAMPLES / "taxonomy.yaml").read_text(encoding="utf-8"))
    (template,) = (each for each in taxonomy["templates"] if each["id"] == TEMPLATE)

    expect.set_options(timeout=60_000)

    browser.drop_style(QUERIES / "outfitter.grass")
    browser.save_query(QUERIES / "template_and_tools.cypher")
    browser.run(f":param template_id => '{TEMPLATE}'")
    frame = browser.run_saved("A template and its tools")

    expect(frame.locator("g.node")).to_have_count(1 + len(template["uses"]) + len(template["methods"]))
    expect(frame.locator(f"g.node circle[fill='{TOOL_BLUE}']")).to_have_count(len(template["uses"]))
    expect(frame.locator("g.node").filter(has_text="track_parcel")).to_have_count(1)


def test_a_link_of_the_pages_opens_the_query_that_draws_the_same(
    browser: Neo4jBrowser, neo4j_database: TestDatabase, tmp_path: Path
) -> None:
    """The graph page over a Neo4j; the query stands in the editor, and run it draws as many nodes as the page."""
    address = neo4j_database.address
    settings = {
        "NEO4J_URI": address.uri,
        "NEO4J_USERNAME": address.username,
        "NEO4J_PASSWORD": address.password.get_secret_value(),
        "NEO4J_DATABASE": address.database,
        "OUTFITTER_NEO4J_BROWSER_URL": f"{neo4j_database.http_url}/browser",
    }
    page = browser.page
    with serving(tmp_path / "data", **settings) as service:
        page.goto(f"{service.url}/ui/graph?focus=orders/open_return")
        nodes = page.locator("svg .node:not(.more)").count()
        link = page.get_by_role("link", name="Open in Neo4j Browser").get_attribute("href") or ""

    expect.set_options(timeout=60_000)
    frame = browser.run_link(link, "collect(node) AS nodes")
    expect(frame.locator("g.node")).to_have_count(nodes)
    assert nodes > 5
    assert address.password.get_secret_value() not in link
