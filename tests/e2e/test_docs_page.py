"""The page at /docs in a real browser, with a token."""

import os
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Page, expect, sync_playwright

from app.api.access import Policy
from app.http.bounds import HttpBounds
from app.http.protocol import http_protocol
from app.roots.http import create_app
from app.roots.service import components_over
from app.service.components import RequestLimits
from app.service.metrics import Metrics
from tests.bounded_server import running
from tests.e2e.neo4j_browser import PROGRAMS, chromium
from tests.fakes import InMemoryGraph

TOKEN = "a-token-of-twenty-characters"
_WAIT_MS = 60_000.0


@pytest.fixture
def url() -> Iterator[str]:
    """The service over a graph in memory, with a token, on a port of this machine."""
    bounds, metrics = HttpBounds(), Metrics()
    limits = RequestLimits(max_query_chars=500, query_timeout_s=5.0, lease_wait_s=5.0)
    app = create_app(
        lambda found: components_over(InMemoryGraph(), refresh_s=1.0, limits=limits, metrics=found),
        policy=Policy(token=TOKEN, hosts=frozenset({"127.0.0.1"})),
        max_body_bytes=20_000,
        metrics=metrics,
    )
    protocol = http_protocol(bounds, refused=metrics.refused)
    with running(app, bounds, protocol, lifespan="on") as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def page() -> Iterator[Page]:
    """An empty page."""
    program = chromium()
    if program is None:
        if os.environ.get("CI"):
            pytest.fail(f"no Chromium ({', '.join(PROGRAMS)}); CI is set: the page must not be left out")
        pytest.skip(f"no Chromium here: install one of {', '.join(PROGRAMS)}")
    options = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=program, args=options)
        found = chrome.new_page()
        found.set_default_timeout(_WAIT_MS)
        yield found
        chrome.close()


def test_operations_are_listed_and_tried_with_a_token_and_nothing_comes_from_elsewhere(
    url: str, page: Page
) -> None:
    """All operations stand there; a call gets 401 without the token and 200 with it; no rule of the page is broken."""
    asked: list[str] = []
    broken: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda said: broken.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.add_init_script(
        "window.violations = []; document.addEventListener('securitypolicyviolation',"
        " event => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`))"
    )

    answer = page.goto(f"{url}/docs")

    document = httpx2.get(f"{url}/openapi.json").json()
    operations = [path for path, methods in document["paths"].items() for _ in methods]
    expect(page.locator(".opblock")).to_have_count(len(operations), timeout=_WAIT_MS)
    expect(page.get_by_text("Find the tools that fit a request")).to_be_visible()
    assert _try_tools(page) == "401"
    page.locator(".auth-wrapper .authorize").first.click()
    page.locator("#http-bearer-value, .auth-container input").first.fill(TOKEN)
    page.locator(".auth-btn-wrapper .authorize").click()
    page.locator(".auth-btn-wrapper .btn-done").click()
    assert _try_tools(page) == "200"

    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert len(asked) >= 6
    # Images in the style sheet are part of it.
    assert [each for each in asked if not each.startswith((f"{url}/", "data:"))] == []
    assert page.evaluate("window.violations") == []
    assert [said for said in broken if "401" not in said] == []


def _try_tools(page: Page) -> str:
    """Open the operation that lists tools, run it, and say which status came."""
    operation = page.locator(".opblock").filter(has=page.locator("[data-path='/v1/tools']"))
    if not operation.locator(".opblock-body").is_visible():
        operation.locator(".opblock-summary").first.click()
        operation.get_by_role("button", name="Try it out").click()
    with page.expect_response("**/v1/tools*") as answered:
        operation.get_by_role("button", name="Execute").click()
    shown: Any = operation.locator(".live-responses-table .response .response-col_status")
    expect(shown).to_contain_text(str(answered.value.status), timeout=_WAIT_MS)
    return str(answered.value.status)
