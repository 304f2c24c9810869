"""Who comes in: the cookie, forged requests, where the login leads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.access.callers import OPERATOR
from app.errors import ServeRefusedError
from app.roots.http import face_of
from app.settings import Settings
from app.web.forged import is_forged
from app.web.public import public_address
from app.web.session import HOURS, SignedIn
from tests.unit.web.pages import SAME_ORIGIN, TOKEN, pages

OTHER = "another-token-of-20-characters"


def test_a_cookie_is_good_until_its_end() -> None:
    """Twelve hours, whichever replica made it."""
    clock = [1000.0]
    made = SignedIn(TOKEN, TOKEN, now=lambda: clock[0])
    other_replica = SignedIn(TOKEN, TOKEN, now=lambda: clock[0])
    cookie = made.cookie(OPERATOR)

    assert other_replica.caller(cookie) == OPERATOR
    clock[0] += HOURS * 3600 - 1
    assert made.caller(cookie) == OPERATOR
    clock[0] += 2
    assert made.caller(cookie) is None


@pytest.mark.parametrize(
    "reader",
    [SignedIn(OTHER, OTHER), SignedIn(OTHER, TOKEN), SignedIn(TOKEN, OTHER)],
    ids=["both", "token", "key"],
)
def test_another_token_or_key_ends_every_cookie(reader: SignedIn) -> None:
    """What let somebody in has to be there still."""
    assert reader.caller(SignedIn(TOKEN, TOKEN).cookie(OPERATOR)) is None


@given(st.text(max_size=60) | st.integers(0, 200))
def test_a_cookie_that_was_not_made_here_is_nobodys(change: str | int) -> None:
    """Neither text of any kind nor one of ours with another character."""
    signed_in = SignedIn(TOKEN, TOKEN)
    good = signed_in.cookie(OPERATOR)
    given_cookie = change if isinstance(change, str) else _changed(good, change % len(good))

    assert signed_in.caller(given_cookie) is None


def _changed(cookie: str, at: int) -> str:
    # Of the last character of base64 some bits say nothing, so it is changed to one that differs in all.
    other = "A" if cookie[at] not in "ABCD" else "z"
    return cookie[:at] + other + cookie[at + 1 :]


@pytest.mark.parametrize(
    ("headers", "origin", "forged"),
    [
        ({"sec-fetch-site": "same-origin"}, None, False),
        ({"sec-fetch-site": "same-site"}, None, True),
        ({"sec-fetch-site": "cross-site"}, None, True),
        ({"sec-fetch-site": "none"}, None, True),
        ({"sec-fetch-site": "cross-site", "origin": "http://tools.test"}, None, True),
        ({}, None, True),
        ({"origin": "null"}, None, True),
        ({"origin": "http://tools.test"}, None, False),
        ({"origin": "http://evil.test"}, None, True),
        ({"origin": "http://tools.test:81"}, None, True),
        ({"origin": "https://tools.test"}, "https://tools.test", False),
        ({"origin": "http://tools.test"}, "https://tools.test", True),
    ],
)
def test_a_change_is_taken_from_our_own_pages_alone(
    headers: dict[str, str], origin: str | None, forged: bool
) -> None:
    """By what browsers say of where a request comes from."""
    assert is_forged(headers, host="tools.test", origin=origin) is forged


@pytest.mark.parametrize("address", ["/ui/login", "/ui/logout"])
def test_a_forged_request_is_refused_before_anything_else(address: str) -> None:
    """With a page, and without a cookie."""
    with pages(token=TOKEN) as browser:
        answer = browser.post(address, data={"token": TOKEN}, headers={"Sec-Fetch-Site": "cross-site"})

    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "address",
    [
        "//evil.test",
        "https://evil.test",
        "/etc",
        "..",
        "a/../..//x",
        "login?next=x",
        "logout",
        "\\evil",
        "a\nb",
    ],
)
def test_the_login_leads_to_pages_of_ours_alone(address: str) -> None:
    """Whatever a link to it says."""
    with pages(token=TOKEN) as browser:
        answer = browser.post("/ui/login", data={"token": TOKEN, "next": address}, headers=SAME_ORIGIN)

    assert answer.headers["location"] == "/ui/"


def test_signing_out_takes_the_cookie_away() -> None:
    """The next page asks for the token again."""
    with pages(token=TOKEN) as browser:
        browser.post("/ui/login", data={"token": TOKEN}, headers=SAME_ORIGIN)
        assert browser.get("/ui/ask").status_code == 200
        browser.post("/ui/logout", headers=SAME_ORIGIN)

        assert browser.get("/ui/ask").status_code == 303


def test_the_cookie_opens_the_pages_and_nothing_else() -> None:
    """REST and MCP keep the token, so no page of the web can use them through a browser."""
    with pages(token=TOKEN) as browser:
        browser.post("/ui/login", data={"token": TOKEN}, headers=SAME_ORIGIN)

        assert browser.get("/ui/tools.json").status_code == 200
        assert browser.get("/v1/tools").status_code == 401


def test_behind_a_prefix_and_tls_links_cookie_and_origin_are_those_of_the_outside() -> None:
    """The proxy takes the prefix off."""
    with pages(token=TOKEN, public="https://tools.test/outfitter") as browser:
        refused = browser.get("/ui/ask?q=x")
        forged = browser.post("/ui/login", data={"token": TOKEN}, headers={"Origin": "http://localhost"})
        let_in = browser.post("/ui/login", data={"token": TOKEN}, headers={"Sec-Fetch-Site": "same-origin"})
        cookie = let_in.headers["set-cookie"]
        page = browser.get("/ui/ask?q=refund", headers={"Cookie": cookie.partition(";")[0]})

    assert refused.headers["location"] == "/outfitter/ui/login?next=ask%3Fq%3Dx"
    assert forged.status_code == 403
    assert "Secure" in cookie
    assert "Path=/outfitter/ui" in cookie
    assert 'href="/outfitter/ui/tools/payments%2Frefund_payment"' in page.text
    assert "https://tools.test/outfitter/v1/query" in page.text


@pytest.mark.parametrize(
    "text",
    [
        "tools.test",
        "ftp://tools.test",
        "https://",
        "https://a@tools.test",
        "https://t.test/?x",
        "https://t/a//b",
    ],
)
def test_a_public_address_is_scheme_host_and_prefix(text: str) -> None:
    """Anything else ends the start, by name."""
    with pytest.raises(ServeRefusedError, match="OUTFITTER_PUBLIC_URL"):
        public_address(text)


def test_the_parts_of_a_public_address() -> None:
    """A port of its scheme's own goes without saying, as browsers have it."""
    found = public_address("https://Tools.test:443/a/b/")

    assert (found.origin, found.host, found.prefix, found.secure) == (
        "https://tools.test",
        "tools.test",
        "/a/b",
        True,
    )
    assert public_address("http://[::1]:8000").origin == "http://[::1]:8000"


def test_what_the_pages_need_comes_from_the_settings() -> None:
    """Off, open on loopback, behind the token, under a key of their own; a key that can be guessed ends the start."""
    off = face_of(Settings.model_validate({"ui": False}))
    open_to_all = face_of(Settings.model_validate({}))
    behind = face_of(Settings.model_validate({"api_token": TOKEN}))
    own_key = face_of(Settings.model_validate({"api_token": TOKEN, "ui_key": OTHER}))

    assert off is None
    assert open_to_all is not None
    assert open_to_all.signed_in is None
    assert behind is not None
    assert behind.signed_in == SignedIn(TOKEN, TOKEN)
    assert own_key is not None
    assert own_key.signed_in == SignedIn(TOKEN, OTHER)
    with pytest.raises(ServeRefusedError, match="OUTFITTER_UI_KEY"):
        face_of(Settings.model_validate({"api_token": TOKEN, "ui_key": "short"}))
