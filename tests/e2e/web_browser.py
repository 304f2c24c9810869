"""The pages in headless Chromium: what they load, what they report, whether everybody can use them."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Request, sync_playwright

from tests.e2e.neo4j_browser import PROGRAMS, chromium
from tests.service import EXAMPLES, Service, command, serving

Scheme: TypeAlias = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
_OPTIONS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
_WAIT_MS = 20_000.0
_RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
_REPORTS = (
    "window.reports = []; document.addEventListener('securitypolicyviolation',"
    " event => window.reports.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`))"
)
HOSTILE = EXAMPLES.parent / "tests" / "e2e" / "hostile_manifest.json"


@dataclass
class WatchedPage:
    """A page, and all that must not happen on it."""

    page: Page
    base: str
    """Where the pages begin, with a slash at the end."""
    problems: list[str] = field(default_factory=list)
    expected: tuple[str, ...] = ()
    """What the console may say: of a page that is answered with a status of its own."""

    def go(self, address: str) -> None:
        """Open a page."""
        self.page.goto(self.base + address, wait_until="load")

    def findings(self, rules: Sequence[str] = _RULES) -> list[str]:
        """What axe finds: WCAG 2.2 AA and its best practices, unless given other rules."""
        found: dict[str, Any] = Axe().run(self.page, options={"runOnly": list(rules)}).response
        return [
            f"{one['id']}: {node['html'][:160]}" for one in found["violations"] for node in one["nodes"][:3]
        ]

    def check(self) -> None:
        """Nothing was reported: no error, nothing that the policy stopped, no other host asked."""
        said = [one for one in self.problems if not any(part in one for part in self.expected)]
        assert said == []
        # Where scripts are off, nothing could have been reported.
        assert self.page.evaluate("window.reports ?? []") == []

    def overflows(self) -> bool:
        """Whether the page is wider than its window."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


@contextmanager
def chrome() -> Iterator[Browser]:
    """Debian's Chromium, or a skip; in CI a failure."""
    program = chromium()
    if program is None:
        if os.environ.get("CI"):
            pytest.fail(f"no Chromium ({', '.join(PROGRAMS)}); CI is set: the pages must not be left out")
        pytest.skip(f"no Chromium here: install one of {', '.join(PROGRAMS)}")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=list(_OPTIONS))
        yield opened
        opened.close()


@contextmanager
def opened_page(
    browser: Browser,
    base: str,
    *,
    scheme: Scheme = "light",
    width: int = 1180,
    scripts: bool = True,
) -> Iterator[WatchedPage]:
    """An empty page of a new visitor; requests to other hosts are stopped and noted."""
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
        java_script_enabled=scripts,
        ignore_https_errors=True,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.set_default_timeout(_WAIT_MS)
    watched = WatchedPage(page, base)
    origin = re.match(r"https?://[^/]+", base)
    assert origin is not None

    def elsewhere(request: Request) -> None:
        if not request.url.startswith(origin[0]):
            watched.problems.append(f"request to {request.url}")

    page.on("request", elsewhere)
    page.on(
        "console",
        lambda said: watched.problems.append(said.text) if said.type in {"error", "warning"} else None,
    )
    page.on("pageerror", lambda error: watched.problems.append(str(error)))
    page.add_init_script(_REPORTS)
    try:
        yield watched
    finally:
        context.close()


def ingested(folder: Path, *, hostile: bool = True) -> Path:
    """A data folder with the example shop, and the tools of somebody who means no good."""
    data_dir = folder / "data"
    for words in (
        ("ingest", "manifest", EXAMPLES / "manifests", *([HOSTILE] if hostile else [])),
        ("ingest", "taxonomy", EXAMPLES / "taxonomy.yaml"),
    ):
        done = command(*words, data_dir=data_dir)
        assert done.returncode == 0, done.stdout + done.stderr
    return data_dir


@contextmanager
def served_pages(folder: Path, **settings: str) -> Iterator[Service]:
    """`outfitter serve` over the example shop."""
    with serving(ingested(folder), **settings) as service:
        yield service


def pages_asked(service: Service) -> int:
    """Requests that the service has answered below /ui so far."""
    return service.log.read_text(encoding="utf-8").count('"route": "/ui')
