"""The page at /docs: what it is made of, and who may load it."""

import re
from dataclasses import replace

import pytest

from app.api.docs import PATHS, SCRIPT, STYLE, PageFile, content_of
from app.errors import NotFoundError
from tests.fakes import InMemoryGraph
from tests.service import client


def test_all_that_the_page_names_is_served_by_us_without_a_token() -> None:
    """Two files of Swagger UI and one of ours, each with its type, kept by browsers for a day."""
    with client(InMemoryGraph(), token="a-token-of-twenty-characters") as service:
        page = service.get("/docs")
        names = re.findall(r'(?:src|href)="([^"]+)"', page.text)
        files = [service.get(f"/{name}") for name in names if not name.startswith("data:")]

    assert page.headers["cache-control"] == "no-store"
    assert {f"/{name.partition('?')[0]}" for name in names} - {"/data:,"} == PATHS - {"/docs"}
    assert {file.headers["content-type"].partition(";")[0] for file in files} == {
        "text/css",
        "text/javascript",
    }
    assert {file.headers["cache-control"] for file in files} == {"public, max-age=86400"}
    assert "<script>" not in page.text
    assert "style=" not in page.text


def test_the_page_may_load_from_us_alone() -> None:
    """No scripts and no styles within the page; no other origin; no frame."""
    with client(InMemoryGraph()) as service:
        policy = service.get("/docs").headers["content-security-policy"]

    said = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert said["default-src"] == "'none'"
    assert {said[name] for name in ("script-src", "style-src", "connect-src")} == {"'self'"}
    assert said["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy
    assert "http" not in policy


@pytest.mark.parametrize("file", [SCRIPT, STYLE], ids=lambda file: file.name)
def test_files_that_are_not_those_that_were_read_are_not_served(file: PageFile) -> None:
    """One that differs by a bit is refused, and so is one that is not there."""
    assert content_of(file)

    with pytest.raises(NotFoundError, match="Swagger UI"):
        content_of(replace(file, sha256=f"0{file.sha256[1:]}"))
    with pytest.raises(NotFoundError, match=r"nothing\.js"):
        content_of(replace(file, name="nothing.js"))
