"""What all pages have: headers, the frame, fragments, who comes in."""

import gzip

import pytest

from app.web.routes import HEADERS
from app.web.static_files import static_files
from tests.unit.web.pages import FRAGMENT, SAME_ORIGIN, TOKEN, Elements, pages


def test_the_root_leads_to_the_pages_and_stays_behind_a_prefix() -> None:
    """The address is relative."""
    with pages() as browser:
        answer = browser.get("/")

        assert (answer.status_code, answer.headers["location"]) == (307, "ui/")


@pytest.mark.parametrize("address", ["/ui/ask", "/ui/nowhere", "/ui/ask?k=900"])
def test_every_page_has_the_headers_and_is_kept_by_nobody(address: str) -> None:
    """Also one that refuses."""
    with pages() as browser:
        answer = browser.get(address)

    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert answer.headers["cache-control"] == "no-store"
    Elements(answer.text)


def test_a_file_is_kept_for_ever_under_an_address_that_its_content_gives() -> None:
    """And not under another one."""
    with pages() as browser:
        page = Elements(browser.get("/ui/ask").text)
        (style,) = (said["href"] or "" for said in page.all("link") if said["rel"] == "stylesheet")
        kept = browser.get(style)
        other = browser.get("/ui/static/0123/app.css")

    assert kept.content == static_files()["app.css"].content
    assert "immutable" in kept.headers["cache-control"]
    assert kept.headers["content-type"].startswith("text/css")
    assert other.headers["cache-control"] == "no-store"


def test_a_page_is_compressed_for_who_takes_it_and_rest_is_not() -> None:
    """Only below /ui."""
    with pages() as browser:
        page = browser.get("/ui/ask", headers={"Accept-Encoding": "gzip"})
        plain = browser.get("/ui/ask", headers={"Accept-Encoding": "identity"})
        rest = browser.get("/v1/tools", headers={"Accept-Encoding": "gzip"})

    assert page.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in rest.headers
    assert page.text == plain.text
    assert len(gzip.compress(plain.content)) < len(plain.content)


def test_a_script_gets_the_main_part_alone_and_never_an_error_of_the_browser() -> None:
    """A fragment that refuses is 200 and says which state it shows."""
    with pages() as browser:
        whole = browser.get("/ui/ask?q=refund")
        part = browser.get("/ui/ask?q=refund", headers=FRAGMENT)
        gone = browser.get("/ui/nowhere", headers=FRAGMENT)

    assert "<header" in whole.text
    assert "<header" not in part.text
    assert "orders/open_return" in part.text
    assert (gone.status_code, gone.headers["x-state"]) == (200, "gone")


def test_who_is_not_signed_in_is_led_to_the_login_and_back() -> None:
    """With the whole address, and only below /ui."""
    with pages(token=TOKEN) as browser:
        refused = browser.get("/ui/ask?q=refund")
        page = browser.get(f"/ui/{refused.headers['location'].removeprefix('/ui/')}")
        wrong = browser.post("/ui/login", data={"token": "x", "next": "ask"}, headers=SAME_ORIGIN)
        right = browser.post("/ui/login", data={"token": TOKEN, "next": "ask?q=refund"}, headers=SAME_ORIGIN)
        asked = browser.get(right.headers["location"])

    assert refused.status_code == 303
    assert refused.headers["location"] == "/ui/login?next=ask%3Fq%3Drefund"
    assert ("input", "password") in {(tag, said.get("type")) for tag, said in Elements(page.text).found}
    assert wrong.status_code == 403
    assert right.headers["location"] == "/ui/ask?q=refund"
    cookie = right.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Path=/ui" in cookie
    assert asked.status_code == 200
    assert TOKEN not in cookie


def test_a_defect_of_a_page_is_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its request id and nothing from within; documents and fragments stay problem documents."""

    def broken(*_: object) -> None:
        raise RuntimeError("a secret of the service")

    with pages() as shop:
        monkeypatch.setattr("app.web.pages.tools.list_tools", broken)
        page, document = shop.get("/ui/tools"), shop.get("/ui/tools.json")
        fragment = shop.get("/ui/tools", headers=FRAGMENT)

    assert (page.status_code, document.status_code, fragment.status_code) == (500, 500, 500)
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert page.headers["x-request-id"] in Elements(page.text).text
    assert "a secret" not in page.text
    assert document.json()["title"] == fragment.json()["title"] == "A defect of the service"
