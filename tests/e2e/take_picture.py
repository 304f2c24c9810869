"""Makes the pictures of the documents.

`python -m tests.e2e.take_picture`: docs/browser.png, a template of the example in Neo4j Browser.
`python -m tests.e2e.take_picture ui`: the pages of the example shop, docs/ui-*.png, light and dark.
"""

import sys
import tempfile
from collections.abc import Mapping
from itertools import product
from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.neo4j_browser import chromium, open_browser
from tests.e2e.web_browser import SCHEMES, chrome, ingested, opened_page
from tests.engines import neo4j
from tests.example_shop import ingest_examples
from tests.service import serving

ROOT = Path(__file__).resolve().parents[2]
QUERIES = ROOT / "cypher" / "browser"
SETTLED_MS = 6_000
MAX_BYTES = 150_000
PAGES: Mapping[str, tuple[str, int]] = {
    "ask": ("ask?q=These+sneakers+do+not+fit,+the+customer+wants+to+be+reimbursed&k=5", 760),
    "tool": ("tools/payments%2Frefund_payment", 760),
    "graph": ("graph?focus=orders/open_return&open=Tool:orders/get_order", 720),
    "editor": ("plan?goal=cancel+the+order+and+refund+the+payment", 980),
}
"""Name of a picture: the address below /ui/ that it shows, and its height."""


def take_pages() -> int:
    """Serve the example shop and take a picture of each page, in both themes."""
    with (
        tempfile.TemporaryDirectory() as folder,
        chrome() as browser,
        serving(ingested(Path(folder), hostile=False)) as service,
    ):
        for name, scheme in product(PAGES, SCHEMES):
            address, height = PAGES[name]
            with opened_page(browser, f"{service.url}/ui/", scheme=scheme, width=1100) as watched:
                watched.page.set_viewport_size({"width": 1100, "height": height})
                watched.go(address)
                picture = ROOT / "docs" / f"ui-{name}-{scheme}.png"
                watched.page.screenshot(path=picture)
            size = picture.stat().st_size
            print(picture.relative_to(ROOT), size)
            assert size < MAX_BYTES, f"{picture} is too large"
    return 0


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
    sys.exit(take_pages() if "ui" in sys.argv[1:] else main())
