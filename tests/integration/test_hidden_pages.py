"""No leak on the pages: each is that of the graph with the hidden nodes taken out."""

import random
import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote, urlencode

import pytest
from starlette.testclient import TestClient

from app.domain.access.rules import Act
from app.domain.nodes.models import NodeKind
from app.web.session import SignedIn
from app.web.visits import Face
from bench.hidden import contents
from bench.hidden.catalogues import NOUNS, VERBS
from tests.fakes import InMemoryGraph
from tests.hidden import TOKEN, Book, asked_as, caller_list, random_graph, random_rules, taken_out

PAGES = 150
"""Of each graph and policy."""
_VARYING = re.compile(
    r'data-generation="\d+"|>gen \d+<|<dt>Generation</dt><dd>\d+</dd>|"(?:generation|took_ms)": ?[\d.e-]+|[\d.]+ ms'
    r"|<time [^>]*>[^<]*</time>"
)
"""The number of the generation, how long it took, and when that was."""


def addresses(chance: random.Random, ids: Sequence[str]) -> Iterator[str]:
    """Pages about any node, hidden ones as often as others, with all that their forms ask for."""
    servers, categories = [f"s{at}" for at in range(6)], [f"c{at}" for at in range(3)]
    while True:
        one, text = chance.choice(ids), f"{chance.choice(VERBS)} my {chance.choice(NOUNS)}"
        path, asked = chance.choice(
            (
                ("", {}),
                ("/ask", {"q": text, "k": "8", "server": chance.choice(servers)}),
                ("/ask", {"q": text, "expect": one, "category": chance.choice(categories)}),
                ("/compare", {"q": text, "k": "5"}),
                ("/find", {"q": one[: chance.randint(1, len(one))]}),
                ("/tools", {"q": chance.choice(("", text, one)), "server": chance.choice(("", *servers))}),
                (f"/tools/{one}", {}),
                ("/graph", {"focus": one}),
                ("/plan", {"goal": text}),
                ("/workflows", {"tool": chance.choice(("", one))}),
                (f"/workflows/w{chance.randint(0, 5)}", {}),
                ("/sources", {}),
                (f"/sources/manifest:{chance.choice(servers)}", {}),
                ("/changes", {"tool": chance.choice(("", one))}),
                ("/unmet", {}),
                (f"/reviews/{one}", {}),
            )
        )
        kind = ".json" if path and chance.random() < 0.3 else ""
        given = {name: said for name, said in asked.items() if said}
        yield f"/ui{quote(path)}{kind}?{urlencode(given)}"


def said(opened: TestClient, address: str) -> tuple[int, str, str]:
    """Status, body and where it leads, without what differs between any two answers."""
    answer = opened.get(address, follow_redirects=False)
    return answer.status_code, _VARYING.sub("", answer.text), answer.headers.get("location", "")


def signed_in(opened: TestClient) -> TestClient:
    answer = opened.post("/ui/login", data={"token": TOKEN}, headers={"Origin": "http://localhost"})
    assert answer.status_code in {200, 303}
    opened.headers["X-Request-ID"] = "the-same-of-all"
    return opened


@pytest.mark.parametrize("seed", range(3))
def test_a_page_is_a_function_of_what_its_caller_may_see(seed: int) -> None:
    graph: InMemoryGraph = random_graph(seed)
    book = Book(random_rules(400 + seed, graph))
    chance = random.Random(seed)
    nodes = contents.contents_of(graph).nodes
    ids = sorted(str(one) for kind in NodeKind for one in nodes.get(kind, ()))
    face = Face(signed_in=SignedIn(token=None, key="k" * 32, callers=caller_list))
    statuses: set[int] = set()
    with (
        asked_as(graph, book, face=face) as under_policy,
        asked_as(*taken_out(seed, graph, book.rules, Act.FIND), face=face) as found,
        asked_as(*taken_out(seed, graph, book.rules, Act.PLAN), face=face) as planned,
    ):
        services = [signed_in(one) for one in (under_policy, found, planned)]
        for _, address in zip(range(PAGES), addresses(chance, ids), strict=False):
            without = services[2] if address.startswith("/ui/plan") else services[1]
            expected = said(without, address)
            assert said(services[0], address) == expected, address
            statuses.add(expected[0])
    assert statuses >= {200, 403, 404}
