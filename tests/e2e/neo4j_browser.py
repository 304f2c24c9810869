"""Neo4j Browser in headless Chromium, used as a person uses it: files are dropped, queries are run."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page, Route, expect, sync_playwright
from playwright.sync_api import TimeoutError as NothingInTime

from tests.engines import TestDatabase

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
_OPTIONS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
_WAIT_MS = 60_000.0

_DROP = """([name, text]) => {
    const files = new DataTransfer();
    files.items.add(new File([text], name));
    const target = document.querySelector("[data-testid=main]");
    for (const kind of ["dragenter", "dragover", "drop"]) {
        target.dispatchEvent(new DragEvent(kind, {dataTransfer: files, bubbles: true, cancelable: true}));
    }
}"""


def chromium() -> str | None:
    """Path of a Chromium on this machine, if there is one."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Neo4jBrowser:
    """A page that is connected to a database."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def drop(self, file: Path) -> None:
        """Drop a file on the page."""
        self.page.evaluate(_DROP, [file.name, file.read_text(encoding="utf-8")])

    def drop_style(self, file: Path) -> None:
        """Drop a style file and wait until it is taken."""
        self.drop(file)
        expect(self.page.get_by_test_id("frame").first).to_contain_text("node.Tool", timeout=_WAIT_MS)

    def save_query(self, file: Path) -> None:
        """Drop a query file and save it to the favourites."""
        self.drop(file)
        self.page.locator(".filedrop-save-to-favorites").click()

    def run_saved(self, title: str) -> Locator:
        """Run a saved query from the drawer; the frame with its answer."""
        self.page.get_by_test_id("navigationFavorites").click()
        saved = self.page.get_by_test_id("savedScriptListItem").filter(has_text=title)
        saved.hover()
        saved.get_by_test_id("savedScriptsButton-Run").click()
        frame = self._newest(title)
        self.page.get_by_test_id("navigationFavorites").click()
        return frame

    def run(self, text: str) -> Locator:
        """Type a command and run it; the frame with its answer."""
        editor = self.page.get_by_test_id("activeEditor")
        editor.click()
        self.page.keyboard.insert_text(text)
        expect(editor).to_contain_text(text.split()[-1], timeout=_WAIT_MS)
        self.page.get_by_test_id("editor-Run").click()
        return self._newest(text)

    def run_link(self, link: str, text: str) -> Locator:
        """Open a link that holds a query and run it; the frame with its answer.

        The page connects anew and says nowhere when it has: what is run before that is lost, stands below the
        greeting of the connection or is answered without a drawing, so it is opened and run again.
        """
        command = self.page.get_by_test_id("frameCommand").filter(has_text=text)
        frames = self.page.get_by_test_id("frame")
        for seconds in (10, 30, 60):
            self.page.goto(link, wait_until="domcontentloaded")
            expect(self.page.get_by_test_id("activeEditor")).to_contain_text(text)
            self.page.get_by_test_id("editor-Run").click()
            frame = frames.filter(has=command).first
            try:
                frame.locator("g.node").first.wait_for(timeout=1000 * seconds)
            except NothingInTime:
                continue
            return frame
        raise AssertionError(f"nothing drawn; the frames say {frames.all_inner_texts()!r}")

    def _newest(self, command: str) -> Locator:
        """The frame on top, once it is that of the command."""
        frame = self.page.get_by_test_id("frame").first
        expect(frame.get_by_test_id("frameCommand")).to_contain_text(command, timeout=_WAIT_MS)
        return frame


@contextmanager
def open_browser(database: TestDatabase, program: str) -> Iterator[Neo4jBrowser]:
    """The database's own Neo4j Browser, connected; nothing outside this machine is asked."""
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=program, args=list(_OPTIONS))
        page = chrome.new_page(viewport={"width": 1280, "height": 860})
        page.set_default_timeout(_WAIT_MS)
        page.route("**/*", _on_this_machine_only)
        page.goto(f"{database.http_url}/browser/", wait_until="domcontentloaded")
        page.get_by_test_id("bolt-scheme-select").select_option("bolt://")
        page.get_by_test_id("username").fill(database.address.username)
        page.get_by_test_id("password").fill(database.address.password.get_secret_value())
        page.get_by_test_id("connect").click()
        expect(page.get_by_text("You are connected as user")).to_be_visible(timeout=_WAIT_MS)
        yield Neo4jBrowser(page)
        chrome.close()


def _on_this_machine_only(route: Route) -> None:
    if "//127.0.0.1:" in route.request.url:
        route.continue_()
    else:
        route.abort()
