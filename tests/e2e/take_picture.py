"""`python -m tests.e2e.take_picture`: makes docs/browser.png, a template of the example in Neo4j Browser."""

import sys
from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.neo4j_browser import chromium, open_browser
from tests.engines import neo4j
from tests.example_shop import ingest_examples

ROOT = Path(__file__).resolve().parents[2]
QUERIES = ROOT / "cypher" / "browser"
SETTLED_MS = 6_000


def main() -> int:
    """Start a Neo4j, ingest the example, draw, take the picture."""
    program = chromium()
    if program is None:
        print("no Chromium here", file=sys.stderr)
        return 1
    expect.set_options(timeout=60_000)
    with neo4j() as database:
        ingest_examples(database)
        with open_browser(database, program) as browser:
            page = browser.page
            browser.drop_style(QUERIES / "outfitter.grass")
            browser.save_query(QUERIES / "template_and_tools.cypher")
            browser.run(":param template_id => 'template.missing_parcel'")
            frame = browser.run_saved("A template and its tools")
            expect(frame.locator("g.node")).to_have_count(13)
            page.set_viewport_size({"width": 1100, "height": 680})
            frame.get_by_title("Fullscreen").click()
            page.wait_for_timeout(SETTLED_MS)
            page.get_by_label("zoom-to-fit").click()
            page.wait_for_timeout(1_000)
            page.get_by_test_id("frame").first.screenshot(path=ROOT / "docs" / "browser.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
