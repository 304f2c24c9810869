"""The pages as people use them: typing, keys alone, signing in behind a proxy, a service that goes away."""

import http.client
import re
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.certificates import own_certificate
from tests.e2e.web_browser import chrome, ingested, opened_page
from tests.service import Service, command, serving

TOKEN = "a-token-of-twenty-characters"
REQUEST = "the customer wants to be reimbursed"

pytestmark = [pytest.mark.xdist_group("web-use"), pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example shop."""
    return ingested(tmp_path_factory.mktemp("web"), hostile=False)


@pytest.fixture(scope="module")
def service(data_dir: Path) -> Iterator[Service]:
    """The service, once for this file."""
    with serving(data_dir) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, once for this file."""
    with chrome() as opened:
        yield opened


def test_an_answer_comes_while_somebody_types_by_one_request_and_its_address_is_kept(
    service: Service, browser: Browser
) -> None:
    """The field stays in focus, what was found is announced, and loading the address again shows the same."""
    with opened_page(browser, f"{service.url}/ui/") as watched:
        page = watched.page
        # The page's clock stands still while keys are pressed, however slow the machine is.
        page.clock.install()
        watched.go("ask")
        page.wait_for_load_state("networkidle")
        page.clock.pause_at(datetime.fromtimestamp(page.evaluate("Date.now()") / 1000 + 1, UTC))
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url) if "/ui/ask" in request.url else None)
        page.get_by_role("searchbox").press_sequentially(REQUEST)
        page.clock.resume()
        first = page.locator("#place-1 .names .id")
        expect(first).to_have_text("payments/refund_payment")

        assert len(asked) == 1
        assert page.evaluate("document.activeElement.id") == "q"
        expect(page.locator("#said")).to_have_text(re.compile(r"\d+ of \d+ tools"))
        assert "q=the+customer+wants" in page.url
        ids = page.locator(".found .names .id").all_inner_texts()
        page.reload()
        assert page.locator(".found .names .id").all_inner_texts() == ids
        watched.check()
    with opened_page(browser, f"{service.url}/ui/") as watched:
        watched.page.goto(page.url)
        assert watched.page.locator(".found .names .id").all_inner_texts() == ids


def test_what_the_page_shows_is_what_rest_answers(service: Service, browser: Browser) -> None:
    """The page's own document, the REST call, and the page have the same tools in the same order."""
    answer = service.query(REQUEST, top_k=10, explain=True)
    ids = [tool["id"] for tool in answer["tools"] if tool["role"] == "match"]
    with opened_page(browser, f"{service.url}/ui/") as watched:
        watched.go(f"ask?q={REQUEST.replace(' ', '+')}")
        shown = watched.page.locator(".found .names .id").all_inner_texts()
        # A click may return before the document is there.
        with watched.page.expect_response(
            lambda answered: answered.request.is_navigation_request()
        ) as opened:
            watched.page.get_by_role("link", name="As JSON").click()
        document: dict[str, Any] = opened.value.json()

    assert shown == ids
    assert document["tools"] == answer["tools"]


def test_a_field_suggests_tools_and_says_why_the_chosen_one_is_not_there(
    service: Service, browser: Browser
) -> None:
    """Typed in part, chosen, asked."""
    with opened_page(browser, f"{service.url}/ui/") as watched:
        page = watched.page
        watched.go("ask?q=send+it+back&k=5")
        field = page.get_by_label("Id of the tool that was expected")
        field.press_sequentially("cancel")
        expect(page.locator("#suggestions option[value='orders/cancel_order']")).to_be_attached()
        assert page.evaluate("document.activeElement.id") == "expect"
        field.fill("orders/cancel_order")
        page.get_by_role("button", name="Why not?").click()
        expect(page.locator(".standing")).to_contain_text("others fit better")
        expect(page.locator(".standing")).to_contain_text("What would help")
        watched.check()


def test_by_keys_alone_somebody_asks_sees_why_and_opens_a_tool(service: Service, browser: Browser) -> None:
    """The mouse is never touched."""
    with opened_page(browser, f"{service.url}/ui/") as watched:
        page, keys = watched.page, watched.page.keyboard
        watched.go("sources")
        keys.press("g")
        keys.press("a")
        expect(page.get_by_role("searchbox")).to_be_visible()
        keys.press("/")
        keys.type("send it back?")
        expect(page.locator("#place-2")).to_be_visible()
        # What was answered while it was being typed is replaced once more, with what stands open in it.
        expect(page).to_have_url(re.compile(r"q=send\+it\+back%3F"))
        assert page.get_by_role("searchbox").input_value() == "send it back?"
        keys.press("Escape")
        assert page.get_by_role("searchbox").input_value() == "send it back?"
        keys.press("j")
        keys.press("j")
        keys.press("k")
        keys.press("j")
        keys.press("w")
        expect(page.locator("#place-2 table.why")).to_be_visible()
        keys.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
        keys.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
        second = page.locator("#place-2 .names .id").inner_text()
        keys.press("Enter")
        expect(page.locator(".under .id")).to_have_text(second)
        watched.check()


def test_keys_of_single_letters_can_be_switched_off(service: Service, browser: Browser) -> None:
    """WCAG 2.1.4: somebody may speak to the browser."""
    with opened_page(browser, f"{service.url}/ui/") as watched:
        page, keys = watched.page, watched.page.keyboard
        watched.go("ask")
        keys.press("?")
        page.get_by_role("checkbox").uncheck()
        keys.press("Escape")
        page.reload()
        keys.press("?")

        expect(page.get_by_role("dialog")).to_be_hidden()


def test_every_element_that_can_be_reached_is_seen_when_it_is(service: Service, browser: Browser) -> None:
    """Tab leads from the skip link on through the page; what has the focus shows it."""
    with opened_page(browser, f"{service.url}/ui/") as watched:
        page, keys = watched.page, watched.page.keyboard
        watched.go(f"ask?q={REQUEST.replace(' ', '+')}")
        keys.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        keys.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        for _ in range(12):
            keys.press("Tab")
            seen = page.evaluate(
                "(() => { const one = document.activeElement, box = one.getBoundingClientRect();"
                " const style = getComputedStyle(one);"
                " return box.height > 0 && box.bottom <= innerHeight && style.outlineStyle !== 'none'; })()"
            )
            assert seen


def test_a_newer_catalogue_is_offered_and_not_taken(
    service: Service, browser: Browser, data_dir: Path, tmp_path: Path
) -> None:
    """Whoever reads decides when the page is drawn again."""
    manifest = tmp_path / "late.json"
    manifest.write_text(
        '{"tools": [{"name": "late_one", "inputSchema": {"type": "object", "properties": {}}}]}'
    )
    with opened_page(browser, f"{service.url}/ui/") as watched:
        page = watched.page
        page.clock.install()
        watched.go("tools?q=late")
        assert command("ingest", "manifest", manifest, data_dir=data_dir).returncode == 0
        page.clock.run_for(11_000)
        banner = page.locator("#changed")
        for _ in range(20):
            if banner.is_visible():
                break
            page.clock.run_for(10_000)
            page.wait_for_timeout(250)
        expect(banner).to_contain_text("The catalogue changed")
        expect(page.locator("main")).not_to_contain_text("late_one")
        banner.get_by_role("link", name="Draw again").click()
        expect(page.locator("main")).to_contain_text("late/late_one")


def test_a_service_that_is_gone_takes_nothing_away(browser: Browser, data_dir: Path) -> None:
    """What was found and typed stays, with a word on it and a button."""
    with serving(data_dir) as short_lived, opened_page(browser, f"{short_lived.url}/ui/") as watched:
        page = watched.page
        watched.go(f"ask?q={REQUEST.replace(' ', '+')}")
        short_lived.process.kill()
        short_lived.process.wait()
        page.get_by_role("searchbox").press("End")
        page.get_by_role("searchbox").press_sequentially(" now")

        expect(page.get_by_role("alert")).to_contain_text("not reached")
        expect(page.locator("#place-1")).to_be_visible()
        assert page.get_by_role("searchbox").input_value() == f"{REQUEST} now"
        expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_an_empty_catalogue_says_how_to_fill_it(browser: Browser, tmp_path: Path) -> None:
    """With commands to copy instead of empty tables, on every page that lists."""
    with serving(tmp_path / "data") as empty, opened_page(browser, f"{empty.url}/ui/") as watched:
        for address in ("", "ask", "tools", "sources"):
            watched.go(address)
            expect(watched.page.get_by_role("heading", name="No tools yet")).to_be_visible()
            expect(watched.page.locator("pre").first).to_contain_text("outfitter ingest openapi")
        assert watched.findings() == []
        watched.check()


def test_signing_in_behind_a_prefix_and_tls_leads_back_to_the_address(
    browser: Browser, data_dir: Path, tmp_path: Path
) -> None:
    """The token is typed once; links, cookie and forms are those of the proxy."""
    with (
        proxy(tmp_path) as (public, point_at),
        serving(data_dir, OUTFITTER_API_TOKEN=TOKEN, OUTFITTER_PUBLIC_URL=f"{public}/outfitter") as service,
    ):
        point_at(service.url)
        with opened_page(browser, f"{public}/outfitter/ui/") as watched:
            page = watched.page
            watched.expected = ("403",)
            watched.go("ask?q=refund")
            assert watched.findings() == []
            page.get_by_label("API token").fill("not the token, though it is long")
            page.get_by_role("button", name="Sign in").click()
            expect(page.get_by_role("alert")).to_contain_text("not the token")
            page.get_by_label("API token").fill(TOKEN)
            page.get_by_role("button", name="Sign in").click()
            expect(page).to_have_url(f"{public}/outfitter/ui/ask?q=refund")
            page.locator("#place-1 a").first.click()
            expect(page).to_have_url(re.compile(r"/outfitter/ui/tools/payments%2F"))
            (cookie,) = page.context.cookies()
            assert (cookie["path"], cookie["secure"], cookie["httpOnly"]) == ("/outfitter/ui", True, True)
            page.get_by_role("button", name="Sign out").click()
            expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
            watched.check()
        assert TOKEN not in service.log.read_text(encoding="utf-8")


@contextmanager
def proxy(folder: Path) -> Iterator[tuple[str, Any]]:
    """A proxy that speaks TLS and takes the prefix `/outfitter` off; its address, and what points it somewhere."""
    target = {"url": ""}

    class Forward(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            upstream = http.client.HTTPConnection(urlsplit(target["url"]).netloc, timeout=20)
            upstream.request(
                self.command, self.path.removeprefix("/outfitter"), body or None, dict(self.headers)
            )
            answer = upstream.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in {"content-length", "connection", "transfer-encoding"}:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            upstream.close()

        do_POST = do_GET  # noqa: N815 - the library's name

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Forward)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own_certificate(folder, "localhost"))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"https://localhost:{server.server_port}", lambda url: target.update(url=url)
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
