"""The pages over a graph in memory, and what is in an answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from html.parser import HTMLParser

from starlette.testclient import TestClient

from app.domain.unmet.entries import UnmetMode
from app.web.public import public_address
from app.web.session import SignedIn
from app.web.visits import Face
from tests.fakes import InMemoryGraph
from tests.service import client, ingest

TOKEN = "a-token-of-twenty-characters"
SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}
FRAGMENT = {"X-Fragment": "1"}
_VOID = frozenset(
    {"br", "col", "hr", "img", "input", "link", "meta", "wbr", "rect", "path", "circle", "line", "use"}
)


@cache
def _shop() -> InMemoryGraph:
    """The example shop; pages only read."""
    graph = InMemoryGraph()
    ingest(graph)
    return graph


@contextmanager
def pages(
    graph: InMemoryGraph | None = None,
    *,
    token: str | None = None,
    public: str | None = None,
    ready: bool = True,
    unmet: UnmetMode = UnmetMode.OFF,
) -> Iterator[TestClient]:
    """A client that asks for pages; of the example shop unless a graph is given."""
    graph = _shop() if graph is None else graph
    face = Face(
        signed_in=SignedIn(token=token, key=token) if token else None,
        public=public_address(public) if public else None,
    )
    with client(graph, token=token, face=face, ready=ready, unmet=unmet) as opened:
        opened.follow_redirects = False
        yield opened


class Elements(HTMLParser):
    """The elements of a page; refuses those that are left open, and what no page of ours has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == [], f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        assert "style" not in said, f"an inline style, which the policy forbids: {said}"
        assert not any(name.startswith("on") for name in said), f"an inline script: {said}"
        self.found.append((tag, said))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            assert self.open, f"closed and never opened: {tag}"
            assert self.open[-1] == tag, f"{tag} closes {self.open}"
            self.open.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all elements of a kind."""
        return [said for name, said in self.found if name == tag]

    def links(self) -> list[str]:
        """Where the page leads."""
        return [said["href"] or "" for said in self.all("a")]
